"""A view of Trix as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardtable.cards import Card, Suit
from cardtable.commands.showing.rounds import around, indented, rounds, scores_line, seat_text
from cardtable.trix import Contract, Double, Step
from cardtable.trix.layout import turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.commands.showing.ink import Ink
    from cardtable.trix import Trick, TrixView

__all__ = ["action_text", "lines"]

_WORDS = {Contract.KING: "king of hearts"}


def lines(view: TrixView, names: Sequence[str], ink: Ink) -> list[str]:
    """The table, the deal so far, and the hand."""
    found = indented("contract", _contract(view, names, ink), ink)
    found += scores_line(view.scores, names, ink, view.seat)
    if view.contract is Contract.TRIX and view.step is Step.LAYOUT:
        found += _layout(view, names, ink)
    elif view.contract is not None and view.step is Step.PLAY:
        found += _tricks(view, names, ink)
    legal = view.legal if view.step in {Step.PLAY, Step.LAYOUT} else None
    return [*found, *indented("hand", ink.hand(view.hand, legal), ink)]


def action_text(action: Any, ink: Ink) -> str:
    """An action in words and symbols."""
    if isinstance(action, Card):
        return ink.card(action)
    if isinstance(action, Double):
        return f"double {ink.cards(action.cards)}" if action.cards else "double nothing"
    if isinstance(action, Contract):
        return _WORDS.get(action, action.value)
    return str(action)


def _contract(view: TrixView, names: Sequence[str], ink: Ink) -> str:
    king = f"kingdom {view.kingdom + 1} of 4, king: {seat_text(view.king, names)}"
    if view.contract is None:
        left = ", ".join(action_text(one, ink) for one in view.contracts_left)
        return f"{king}; left: {left}"
    doubled = [
        f"{ink.card(card)} by {seat_text(by, names)}"
        for card, by in zip(view.doubled, view.doubled_by, strict=True)
    ]
    tail = f"; doubled: {', '.join(doubled)}" if doubled else ""
    return f"{ink.bold(action_text(view.contract, ink))}; {king}{tail}"


def _tricks(view: TrixView, names: Sequence[str], ink: Ink) -> list[str]:
    rows = [_trick(trick, ink) for trick in view.tricks]
    open_one = _trick(view.trick, ink) if view.trick else []
    found = rounds("tricks", [*rows, [*open_one, (view.seat, ink.bold(" ?"))]], names, ink, view.seat)
    won = [sum(trick.winner == seat for trick in view.tricks) for seat in range(4)]
    known = [f"{names[seat]} {won[seat]}" for seat in range(4)]
    if view.tricks:
        found += indented("won", "   ".join(known), ink)
    out = [
        f"{seat_text(seat, names)} {' '.join(map(ink.suit, view.void_suits(seat)))}"
        for seat in range(4)
        if seat != view.seat and view.void_suits(seat)
    ]
    if out:
        found += indented("out of", "   ".join(out), ink)
    if view.trick and view.points_at_stake:
        found += indented("at stake", f"{view.points_at_stake} if you take it as it lies", ink)
    return found


def _trick(trick: Trick, ink: Ink) -> list[tuple[int, str]]:
    found = []
    for place, (seat, card) in enumerate(zip(trick.seats, trick.cards, strict=True)):
        lead = ">" if not place else " "
        wins = "*" if seat == trick.winner else ""
        found.append((seat, f"{lead}{ink.card(card)}{wins}"))
    return found


def _layout(view: TrixView, names: Sequence[str], ink: Ink) -> list[str]:
    laid = around(
        (seat, "pass" if card is None else ink.card(card))
        for seat, card, _ in turns(view.king, view.played, view.played_by, view.to_act)
    )
    now = (view.seat, ink.bold(" ?"))
    if laid and not any(view.seat == seat for seat, _ in laid[-1]):
        laid[-1].append(now)
    else:
        laid.append([now])
    found = rounds("laid", laid, names, ink, view.seat)
    spans = []
    for suit in Suit:
        span = view.span(suit)
        text = (
            "-"
            if span is None
            else span[0].letter
            if span[0] == span[1]
            else f"{span[0].letter} to {span[1].letter}"
        )
        spans.append(f"{ink.suit(suit)} {text}")
    found += indented("layout", "   ".join(spans), ink)
    left = "   ".join(f"{seat_text(seat, names)} {size}" for seat, size in enumerate(view.hand_sizes))
    return [*found, *indented("cards left", left, ink)]
