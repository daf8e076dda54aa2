"""The layout of the contract trix, rule T9: which cards can be laid, and what a history of cards tells of passes.

Masks and seats only. Never looks into a hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardtable.cards import CARDS, Card, Rank, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["JACKS", "OPENED_BY", "TWOS", "turns"]

JACKS: Final = mask_of(card for card in CARDS if card.rank == Rank.JACK)
TWOS: Final = mask_of(card for card in CARDS if card.rank == Rank.TWO)


def _opened_by(card: Card) -> int:
    opened = 0
    if Rank.JACK <= card.rank < Rank.ACE:
        opened |= card.bit << 1
    if Rank.TWO < card.rank <= Rank.JACK:
        opened |= card.bit >> 1
    return opened


#: By card index, the cards that can be laid as soon as this one lies (T9.1); none for an ace or a two.
OPENED_BY: Final[tuple[int, ...]] = tuple(_opened_by(card) for card in CARDS)


def turns(
    king: int, played: Iterable[Card], played_by: Iterable[int], to_act: int | None
) -> Iterator[tuple[int, Card | None, int]]:
    """All turns of a layout: the seat, its card or None for a pass, and the cards that could be laid.

    Cards are enough to know every pass, since of four seats in a row one can always lay a card.

    Args:
        king: The seat that began.
        played: The cards, in order.
        played_by: Who laid each of them.
        to_act: Who has the next turn; None: nobody.
    """
    seat, reach = king, JACKS
    left = [13] * 4
    for card, by in zip(played, played_by, strict=True):
        while seat != by:
            yield seat, None, reach
            seat = _next(seat, left)
        yield by, card, reach
        reach = reach & ~card.bit | OPENED_BY[card.index]
        left[by] -= 1
        seat = _next(seat, left)
    while to_act is not None and seat != to_act:
        yield seat, None, reach
        seat = _next(seat, left)


def _next(seat: int, left: list[int]) -> int:
    for step in (1, 2, 3):
        if left[(seat + step) & 3]:
            return (seat + step) & 3
    return seat
