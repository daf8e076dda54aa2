"""A deal as one seat may see it, in the form in which the page shows deals: what was done, in order, and by whom.

Owns that form. It is made anew of each view and of each summary, and its moves only ever grow, so that the page shows
those that it has not shown yet one after another. Cards that the seat may not see stand as texts that are no cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Claim", "Deal", "Move", "hands_of", "missed_deal", "with_action"]

#: The seat, the text of its action, and who took the trick that it completed.
Move = tuple[int, str, int | None]


class Claim(TypedDict):
    """A hand that was shown to everybody."""

    seat: int
    cards: list[str]


class Deal(TypedDict):
    """One deal.

    Args:
        moves: All that is public of it, and this seat's own discards.
        hands: For each seat the cards that it was dealt, and last the kitty's.
        isLayout: Whether cards are laid out, and no tricks taken.
        king: In Trix.
        kingdom: In Trix: completed ones.
        declarer: In Vytrix; None before there is one.
        contract: As the action that names it, without its kind: ``queens``, ``12H-high``.
        before: Scores before it.
        after: Scores as they stand after the last move.
        points: What it brought; all 0 while it goes on.
        void: Why it counts for nothing; empty where it counts.
        ended: Whether it is over.
        missed: Whether nobody was there to see it.
        claim: The hand of who claimed a redeal.
        open: Cards that lie open in a hand, each with its seat.
        faceUp: Cards that lie before their taker when they are taken.
    """

    moves: list[Move]
    hands: list[list[str]]
    isLayout: bool
    king: int | None
    kingdom: int
    declarer: int | None
    contract: str
    before: list[int]
    after: list[int]
    points: list[int]
    void: str
    ended: bool
    missed: bool
    claim: Claim | None
    open: list[tuple[int, str]]
    faceUp: list[str]


def hands_of(
    sizes: Sequence[int], moves: Iterable[Move], seat: int, own: Iterable[str], kitty: Iterable[str] = ()
) -> list[list[str]]:
    """What each was dealt, as far as one seat knows it: its own cards, and what the others have played.

    Args:
        sizes: Cards for each seat.
        moves: Of the deal.
        seat: Whose own cards are known.
        own: These, as they were dealt.
        kitty: Cards of the kitty, or texts that stand for them.
    """
    hands: list[list[str]] = [[] for _ in sizes]
    for who, text, _ in moves:
        if len(text) == 2:
            hands[who].append(text)
    hands[seat] = list(own)
    for who, (hand, size) in enumerate(zip(hands, sizes, strict=True)):
        hand += [f"{who}?{place}" for place in range(size - len(hand))]
    return [*hands, list(kitty)]


def with_action(deal: Deal, seat: int, action: object) -> Deal:
    """The deal with an action of the seat's own that no view shows yet; one that views never show changes nothing."""
    text = str(action)
    # The cards of the kitty come with the next view, and who keeps or doubles nothing is in no view.
    if text in {"keep", "redeal", "double:none", "kitty:take"}:
        return deal
    return {**deal, "moves": [*deal["moves"], (seat, text, None)]}


def missed_deal(before: Sequence[int], after: Sequence[int], **known: Any) -> Deal:
    """What stands for deals that ended while nobody was there."""
    deal = Deal(
        moves=[],
        hands=[],
        isLayout=False,
        king=None,
        kingdom=0,
        declarer=None,
        contract="",
        before=list(before),
        after=list(after),
        points=[late - early for early, late in zip(before, after, strict=True)],
        void="",
        ended=True,
        missed=True,
        claim=None,
        open=[],
        faceUp=[],
    )
    deal.update(known)  # type: ignore[typeddict-item] # the names are those of the form
    return deal
