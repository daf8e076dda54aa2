"""Deals of Vytrix as one seat sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.cards import CardSet
from cardtable.vytrix import KittyFate
from cardtable.vytrix.actions import Bid
from cardtable.vytrix.ranking import STRENGTHS
from referee.pages.human.deals import Deal, hands_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardtable.cards import Card
    from cardtable.vytrix import VytrixVariant, VytrixView
    from cardtable.vytrix.view import VytrixDealSummary
    from referee.pages.human.deals import Move

__all__ = ["deal_of_summary", "deal_of_view"]

#: Stand for cards that are not seen.
_KITTY = tuple(f"k?{place}" for place in range(4))


def deal_of_view(view: VytrixView) -> Deal:
    """The deal of a view."""
    before = list(view.scores)
    if view.declarer is not None and view.contract is not None:
        before[_place(view.variant, view.declarer)] += view.contract.points
    return _deal(
        view, view.variant, view.seat, view, before=before, after=view.scores, points=[0] * len(before)
    )


def deal_of_summary(
    summary: VytrixDealSummary, variant: VytrixVariant, seat: int, view: VytrixView | None
) -> Deal:
    """A deal that has ended.

    Args:
        summary: What the rules show of it.
        variant: The game's options.
        seat: Who sees it.
        view: The last view of the seat in this deal; None where there was none.
    """
    if view is not None and view.hand_number != summary.hand_number:
        view = None
    before = [after - points for after, points in zip(summary.scores, summary.points, strict=True)]
    return _deal(
        summary, variant, seat, view, before=before, after=summary.scores, points=summary.points, ended=True
    )


def _deal(
    deal: VytrixView | VytrixDealSummary,
    variant: VytrixVariant,
    seat: int,
    view: VytrixView | None,
    *,
    before: Sequence[int],
    after: Sequence[int],
    points: Sequence[int],
    ended: bool = False,
) -> Deal:
    moves = list(_moves(deal, variant, view))
    own = _played(deal, seat)
    kitty: Sequence[str] = _KITTY if variant.players == 3 else ()
    if view is not None:
        own = (own | view.hand | view.discarded) - view.kitty_cards
        kitty = view.kitty_cards.texts() or kitty
    return Deal(
        moves=moves,
        hands=hands_of(variant.hand_sizes, moves, seat, own.texts(), kitty),
        isLayout=False,
        king=None,
        kingdom=0,
        declarer=deal.declarer,
        contract="" if deal.contract is None else str(deal.contract).removeprefix("bid:"),
        before=list(before),
        after=list(after),
        points=list(points),
        void="",
        ended=ended,
        missed=False,
        claim=None,
        open=[],
        faceUp=[],
    )


def _moves(
    deal: VytrixView | VytrixDealSummary, variant: VytrixVariant, view: VytrixView | None
) -> Iterable[Move]:
    for place, call in enumerate(deal.calls):
        yield (deal.dealer + 1 + place) % variant.players, str(call), None
    if deal.declarer is None or deal.contract is None:
        return
    if deal.kitty is not KittyFate.CLOSED:
        yield deal.declarer, "kitty:take" if deal.kitty is KittyFate.TAKEN else "kitty:leave", None
    if deal.kitty is KittyFate.TAKEN:
        own = view is not None and view.seat == deal.declarer
        if view is not None and view.discarded:
            yield deal.declarer, f"discard:{','.join(view.discarded.texts())}", None
        elif not own or deal.played:
            yield deal.declarer, f"discard:{','.join(_KITTY)}", None
    if variant.partial_bidding and (part := _named(deal.calls, deal.contract)):
        yield (deal.declarer + 2) % 4, f"name:{part}", None
    size = variant.players
    for place, (seat, card) in enumerate(zip(deal.played_by, deal.played, strict=True)):
        taker = None
        if place % size == size - 1:
            taker = deal.played_by[
                place - size + 1 + _winner(deal.contract, deal.played[place - size + 1 : place + 1])
            ]
        yield seat, card.text, taker


def _named(calls: Iterable[object], contract: Bid) -> str:
    """What declarer's partner has named (V12); empty before it has."""
    if contract.strain is None or contract.direction is None:
        return ""
    bid = [call for call in calls if isinstance(call, Bid)][-1]
    return contract.strain.value if bid.strain is None else contract.direction.value


def _winner(contract: Bid, trick: tuple[Card, ...]) -> int:
    """The place of the card that takes a trick."""
    assert contract.strain is not None
    assert contract.direction is not None
    table = STRENGTHS[contract.strain, contract.direction][trick[0].suit]
    return max(range(len(trick)), key=lambda place: table[trick[place].index])


def _played(deal: VytrixView | VytrixDealSummary, seat: int) -> CardSet:
    return CardSet.of([card for card, by in zip(deal.played, deal.played_by, strict=True) if by == seat])


def _place(variant: VytrixVariant, seat: int) -> int:
    return next(place for place, group in enumerate(variant.groups) if seat in group)
