"""Which card is better (rule V4): one table of strengths for each strain, direction and suit led."""

from __future__ import annotations

from typing import Final

from cardtable.cards import SUIT_MASKS
from cardtable.tricks import HIGH, LOW_ACE_BEST, strengths
from cardtable.vytrix.actions import Direction, Strain

__all__ = ["STRENGTHS", "TRUMP_MASKS"]

#: By strain and direction: for each suit led, 0..3, the strength of the 52 cards by index, -1 for a loser.
STRENGTHS: Final[dict[tuple[Strain, Direction], tuple[tuple[int, ...], ...]]] = {
    (strain, direction): tuple(
        strengths(led, HIGH if direction is Direction.HIGH else LOW_ACE_BEST, strain.suit) for led in range(4)
    )
    for strain in Strain
    for direction in Direction
}

#: By strain: the mask of the trump suit, 0 for no trump.
TRUMP_MASKS: Final[dict[Strain, int]] = {
    strain: 0 if strain.suit is None else SUIT_MASKS[strain.suit] for strain in Strain
}
