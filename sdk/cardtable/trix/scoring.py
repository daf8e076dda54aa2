"""What a completed deal of Trix brings, rules T7 to T10.

Pure functions of who took what; they know neither the order of play nor the running scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from cardtable.cards import SUIT_MASKS, Card, Suit, mask_of
from cardtable.trix.actions import Contract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.trix.variant import TrixVariant

__all__ = ["DOUBLABLE", "KING_OF_HEARTS", "PENALTIES", "layout_points", "trick_points"]

KING_OF_HEARTS: Final = Card("KH").bit
_QUEENS: Final = mask_of(Card(text) for text in ("QS", "QH", "QD", "QC"))
_DIAMONDS: Final = SUIT_MASKS[Suit.DIAMONDS]

#: The penalty cards of each contract that has some.
PENALTIES: Final[dict[Contract, int]] = {
    Contract.KING: KING_OF_HEARTS,
    Contract.QUEENS: _QUEENS,
    Contract.DIAMONDS: _DIAMONDS,
}
#: The cards that may be doubled in each contract that has doubling (T6).
DOUBLABLE: Final[dict[Contract, int]] = {Contract.KING: KING_OF_HEARTS, Contract.QUEENS: _QUEENS}

_PLACES: Final = (200, 150, 100)
_LAST_PLACE: Final = 50


def trick_points(
    contract: Contract,
    taken: Sequence[int],
    doubled: Sequence[Card],
    doubled_by: Sequence[int],
    variant: TrixVariant,
) -> list[int]:
    """Points of each seat for the cards that it took in tricks.

    Args:
        contract: Any contract but trix.
        taken: Mask of the cards in each seat's tricks, whole tricks only.
        doubled: The doubled cards.
        doubled_by: Who doubled each of them.
        variant: For `own_double`.
    """
    match contract:
        case Contract.KING:  # Rule T7.1
            points = [-75 if mask & KING_OF_HEARTS else 0 for mask in taken]
            worth = 75
        case Contract.QUEENS:  # Rule T8.1
            points = [-25 * (mask & _QUEENS).bit_count() for mask in taken]
            worth = 25
        case Contract.DIAMONDS:  # Rule T8.3
            return [-10 * (mask & _DIAMONDS).bit_count() for mask in taken]
        case Contract.SLAPS:  # Rule T8.4
            return [-15 * (mask.bit_count() // 4) for mask in taken]
        case Contract.TRIX:
            raise ValueError("the contract trix has no tricks")
        case _:
            assert_never(contract)
    for card, holder in zip(doubled, doubled_by, strict=True):
        for taker, mask in enumerate(taken):
            if mask & card.bit:
                if taker != holder:  # Rules T7.2 and T8.1
                    points[taker] -= worth
                    points[holder] += worth
                elif variant.own_double == "double":  # Rules T7.3 and T8.1
                    points[taker] -= worth
    return points


def layout_points(out: Sequence[int]) -> list[int]:
    """Points of each seat in the contract trix (Rule T9.3).

    Args:
        out: The three seats that went out, the first one first.
    """
    points = [_LAST_PLACE] * 4
    for seat, place in zip(out, _PLACES, strict=True):
        points[seat] = place
    return points
