"""Deals of Trix as one seat sees them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from cardtable.cards import CardSet
from cardtable.trix import Contract, Step
from cardtable.trix.layout import turns
from cardtable.trix.scoring import PENALTIES
from cardtable.trix.view import Trick, Void
from referee.pages.human.deals import Deal, hands_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardtable.cards import Card
    from cardtable.trix import TrixVariant, TrixView
    from cardtable.trix.view import TrixDealSummary
    from referee.pages.human.deals import Move

__all__ = ["deal_of_summary", "deal_of_view", "repeats"]

_SIZES = (13,) * 4


def deal_of_view(view: TrixView, *, repeated: bool) -> Deal:
    """The deal of a view.

    Args:
        view: Of the seat.
        repeated: Whether it repeats one whose contract holds on (T9.6).
    """
    to_act = view.to_act if view.step is Step.LAYOUT else None
    moves = [*_calls(view, repeated=repeated), *_plays(view, to_act)]
    own = view.hand | _played(view, view.seat)
    return Deal(
        moves=moves,
        hands=hands_of(_SIZES, moves, view.seat, own.texts()),
        isLayout=view.contract is Contract.TRIX,
        king=view.king,
        kingdom=view.kingdom,
        declarer=None,
        contract="" if view.contract is None else view.contract.value,
        before=list(view.scores),
        after=list(view.scores),
        points=[0] * len(view.scores),
        void="",
        ended=False,
        missed=False,
        claim=None,
        open=[(seat, card.text) for seat, card in zip(view.revealed_by, view.revealed, strict=True)],
        faceUp=_face_up(view.contract, view.variant),
    )


def deal_of_summary(
    summary: TrixDealSummary, variant: TrixVariant, seat: int, view: TrixView | None, *, repeated: bool
) -> Deal:
    """A deal that has ended.

    Args:
        summary: What the rules show of it.
        variant: The game's options.
        seat: Who sees it.
        view: The last view of the seat in this deal; None where there was none.
        repeated: As in `deal_of_view`.
    """
    moves = [*_calls(summary, repeated=repeated), *_plays(summary, None)]
    played = _played(summary, seat)
    own = played
    if summary.claimed_by is not None:
        moves.append((summary.claimed_by, "redeal", None))
    if summary.claimed_by == seat:
        own = summary.claimed_hand
    elif view is not None and played <= (known := view.hand | _played(view, seat)):
        own = known
    return Deal(
        moves=moves,
        hands=hands_of(_SIZES, moves, seat, own.texts()),
        isLayout=summary.contract is Contract.TRIX,
        king=summary.king,
        kingdom=summary.kingdom,
        declarer=None,
        contract=summary.contract.value,
        before=[after - points for after, points in zip(summary.scores, summary.points, strict=True)],
        after=list(summary.scores),
        points=list(summary.points),
        void="" if summary.void is None else summary.void.value,
        ended=True,
        missed=False,
        claim=None
        if summary.claimed_by is None
        else {"seat": summary.claimed_by, "cards": summary.claimed_hand.texts()},
        open=[],
        faceUp=_face_up(summary.contract, variant),
    )


def repeats(summary: TrixDealSummary) -> bool:
    """Whether the next deal has the contract of this one without being named (T9.6)."""
    return summary.void is Void.CLOSED_SUIT


def _calls(deal: TrixView | TrixDealSummary, *, repeated: bool) -> Iterable[Move]:
    if deal.contract is not None and not repeated:
        yield deal.king, str(deal.contract), None
    doubled = zip(deal.doubled_by, deal.doubled, strict=True)
    for seat, cards in groupby(doubled, key=lambda pair: pair[0]):
        yield seat, f"double:{','.join(card.text for _, card in cards)}", None


def _plays(deal: TrixView | TrixDealSummary, to_act: int | None) -> Iterable[Move]:
    if deal.contract is Contract.TRIX:
        if deal.played or to_act is not None:
            for seat, card, _ in turns(deal.king, deal.played, deal.played_by, to_act):
                yield seat, "pass" if card is None else card.text, None
        return
    for place, (seat, card) in enumerate(zip(deal.played_by, deal.played, strict=True)):
        start = place // 4 * 4
        completes = place % 4 == 3
        trick = Trick(deal.played_by[start], deal.played[start : place + 1])
        yield seat, card.text, trick.winner if completes else None


def _played(deal: TrixView | TrixDealSummary, seat: int) -> CardSet:
    cards: list[Card] = [card for card, by in zip(deal.played, deal.played_by, strict=True) if by == seat]
    return CardSet.of(cards)


def _face_up(contract: Contract | None, variant: TrixVariant) -> list[str]:
    """Rule T8.5."""
    if contract is Contract.QUEENS or (contract is Contract.DIAMONDS and variant.diamonds_face_up):
        return CardSet(PENALTIES[contract]).texts()
    return []
