"""Pure functions of one trick, shared by every game in which a suit must be followed.

Masks and indices only: the innermost loop of every searching bot runs here. Which rank is best and which suit
is trump are arguments; no game is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.cards import SUIT_MASKS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["HIGH", "LOW_ACE_BEST", "SUIT_OF", "following", "strengths", "winner"]

#: The suit of each card index.
SUIT_OF: tuple[int, ...] = tuple(index // 13 for index in range(52))


def following(hand: int, led: int) -> int:
    """The cards of a hand that may follow: those of the suit led, or all when there is none.

    Args:
        hand: Mask of the hand.
        led: Index of the card that was led.
    """
    return hand & SUIT_MASKS[SUIT_OF[led]] or hand


#: Rank strengths with A K Q ... 2 from best to worst, by rank index.
HIGH: tuple[int, ...] = tuple(range(13))
#: Rank strengths with A 2 3 ... K from best to worst, by rank index.
LOW_ACE_BEST: tuple[int, ...] = (*range(11, -1, -1), 12)


def strengths(led: int, ranks: Sequence[int], trump: int | None) -> tuple[int, ...]:
    """The strength of each of the 52 cards in a trick; -1 for one that cannot win.

    Args:
        led: The suit led, 0..3.
        ranks: Strength of each rank index, 0..12.
        trump: The trump suit, 0..3, or None.
    """
    table = [-1] * 52
    for rank, strength in enumerate(ranks):
        table[led * 13 + rank] = strength
        if trump is not None:
            table[trump * 13 + rank] = strength + (13 if trump != led else 0)
    return tuple(table)


def winner(cards: Sequence[int], strength: Sequence[int]) -> int:
    """The position in a trick of its winning card.

    Args:
        cards: Card indices in the order in which they were played, at least one.
        strength: The table of `strengths` for the suit that was led.
    """
    best, place = strength[cards[0]], 0
    for position in range(1, len(cards)):
        value = strength[cards[position]]
        if value > best:
            best, place = value, position
    return place
