"""A view of Vytrix as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardtable.cards import Card
from cardtable.commands.showing.rounds import around, indented, rounds, scores_line, seat_text
from cardtable.vytrix import Bid, Discard, KittyFate, Name, Step, Strain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.commands.showing.ink import Ink
    from cardtable.vytrix import VytrixView

__all__ = ["action_text", "lines", "many_text"]


def lines(view: VytrixView, names: Sequence[str], ink: Ink) -> list[str]:
    """The table, the hand so far, and the cards."""
    found = indented("contract", _contract(view, names, ink), ink)
    found += scores_line(view.scores, names, ink, view.seat)
    first = view.dealer + 1
    calls = [((first + place) % len(names), action_text(call, ink)) for place, call in enumerate(view.calls)]
    if view.step is Step.BID:
        calls.append((view.seat, ink.bold(" ?")))
    found += rounds("calls", around(calls), names, ink, view.seat)
    if view.step is Step.PLAY:
        found += _tricks(view, names, ink)
    if view.kitty_cards:
        found += indented("kitty", ink.cards(view.kitty_cards), ink)
    if view.discarded:
        found += indented("discarded", ink.cards(view.discarded), ink)
    legal = view.legal if view.step is Step.PLAY else None
    return [*found, *indented("hand", ink.hand(view.hand, legal), ink)]


def action_text(action: Any, ink: Ink) -> str:
    """An action in words and symbols."""
    match action:
        case Card():
            return ink.card(action)
        case Bid():
            return f"{action.points} {_form(action, ink)}"
        case Discard():
            return f"discard {ink.cards(sorted(action.cards))}"
        case Name():
            part = action.part
            return f"name {_strain(part, ink) if isinstance(part, Strain) else part.value}"
    return str(action).replace(":", " ")


def many_text(view: VytrixView, ink: Ink) -> str:
    """Legal actions that are too many to list."""
    if view.step is Step.DISCARD:
        return f"any four of these {len(view.hand)} cards"
    if view.step is Step.BID:
        most = (
            f"{view.lowest_bid} to {view.highest_bid}" if view.highest_bid else f"{view.lowest_bid} or more"
        )
        what = "a strain or a direction" if view.variant.partial_bidding else "any strain, high or low"
        return f"{'pass, or ' if view.may_pass else ''}{most} points, {what}"
    return "  ".join(action_text(one, ink) for one in view.legal_actions)


def _contract(view: VytrixView, names: Sequence[str], ink: Ink) -> str:
    deal = f"hand {view.hand_number + 1}, dealt by {seat_text(view.dealer, names)}"
    if view.contract is None or view.declarer is None:
        return f"none yet; {deal}"
    kitty = {KittyFate.TAKEN: ", took the kitty", KittyFate.LEFT: ", left the kitty"}.get(view.kitty, "")
    bid = ink.bold(f"{view.contract.points} ") + _form(view.contract, ink)
    return f"{bid} by {seat_text(view.declarer, names)}{kitty}; {deal}"


def _tricks(view: VytrixView, names: Sequence[str], ink: Ink) -> list[str]:
    rows = []
    for plays, winner in [*view.tricks, (view.trick, view.trick_winner)]:
        row = [
            (play.seat, f"{' ' if place else '>'}{ink.card(play.card)}{'*' if play.seat == winner else ''}")
            for place, play in enumerate(plays)
        ]
        rows.append(row)
    rows[-1].append((view.seat, ink.bold(" ?")))
    found = rounds("tricks", rows, names, ink, view.seat)
    won = "   ".join(f"{seat_text(seat, names)} {number}" for seat, number in enumerate(view.tricks_won))
    found += indented("won", won, ink)
    out = [
        f"{seat_text(seat, names)} {' '.join(map(ink.suit, sorted(view.voids(seat))))}"
        for seat in range(len(names))
        if seat != view.seat and view.voids(seat)
    ]
    if out:
        found += indented("out of", "   ".join(out), ink)
    worth = view.trick_value(view.seat)
    return [*found, *indented("trick", f"worth {worth} to you", ink)]


def _form(bid: Bid, ink: Ink) -> str:
    parts = [_strain(bid.strain, ink)] if bid.strain else []
    return " ".join([*parts, *([bid.direction.value] if bid.direction else [])])


def _strain(strain: Strain, ink: Ink) -> str:
    return "no trump" if strain.suit is None else ink.suit(strain.suit)
