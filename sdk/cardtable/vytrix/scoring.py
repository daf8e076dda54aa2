"""What a completed hand earns (rules V7, V10, V11, V13), as pure functions of who won which trick.

The price of the bid (V3) is no part of it: it was paid before the first card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.vytrix.actions import Strain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.vytrix.variant import VytrixVariant

__all__ = ["earnings", "trick_rate", "trick_value"]


def trick_rate(strain: Strain) -> int:
    """What a trick brings declarer's side: 3 in a suit, 4 in no trump (rule V7)."""
    return 4 if strain is Strain.NO_TRUMP else 3


def trick_value(variant: VytrixVariant, strain: Strain, by_declarer: bool, last: bool) -> int:
    """What one trick brings the player or side that wins it (rules V7, V10).

    Args:
        variant: The options in force.
        strain: What is played.
        by_declarer: Whether declarer's side wins it.
        last: Whether it is the last trick of the hand.
    """
    rate = trick_rate(strain) if by_declarer else 1
    if not last or variant.last_trick == "off":
        return rate
    return 5 if variant.last_trick == "replace" else rate + 5


def earnings(
    variant: VytrixVariant,
    strain: Strain,
    declarer: int,
    tricks: Sequence[int],
    last_winner: int,
    kitty_left: bool,
) -> tuple[int, ...]:
    """What a completed hand brings each player, with four players each side (seats 0 and 2 first).

    Rule V7; the last trick by V10, the defenders' joint number by V11, a kitty that was left by V5.1.

    Args:
        variant: The options in force.
        strain: What was played.
        declarer: The seat that won the auction.
        tricks: Number of tricks that each seat won.
        last_winner: The seat that won the last trick.
        kitty_left: Whether declarer left the kitty.
    """
    rate = trick_rate(strain)
    if variant.players == 4:
        group, last_group = declarer & 1, last_winner & 1
        won = [tricks[0] + tricks[2], tricks[1] + tricks[3]]
    else:
        group, last_group = declarer, last_winner
        won = list(tricks)
        if variant.defensive_partnerships:
            joint = sum(tricks) - tricks[declarer]
            won = [joint] * 3
            won[declarer] = tricks[declarer]
    points = won
    points[group] = rate * (won[group] + kitty_left)
    if variant.last_trick != "off":
        by_declarer = last_group == group
        ordinary = rate if by_declarer else 1
        points[last_group] += trick_value(variant, strain, by_declarer, last=True) - ordinary
    return tuple(points)
