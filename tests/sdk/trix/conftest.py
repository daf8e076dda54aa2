"""Tables for the tests of Trix: partial hands, filled up, with actions applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardtable.cards import ALL_CARDS, Card, CardSet
from cardtable.engine import Deal
from cardtable.trix import TrixState, TrixVariant, parse_action

if TYPE_CHECKING:
    from collections.abc import Callable


def _filled(wanted: tuple[str, ...]) -> Deal:
    """Hands of 13 that hold what is wanted; the rest goes round in order, and 7H to seat 0."""
    hands = [CardSet.parse(text) for text in (*wanted, "", "", "", "")[:4]]
    rest = ALL_CARDS
    for hand in hands:
        rest -= hand
    if Card("7H") in rest:
        hands[0] |= CardSet.of([Card("7H")])
        rest -= hands[0]
    for card in rest:
        seat = min(range(4), key=lambda seat: len(hands[seat]) // 13)
        hands[seat] |= CardSet.of([card])
    return Deal(tuple(hands))


@pytest.fixture
def fill() -> Callable[..., Deal]:
    def make(*wanted: str) -> Deal:
        return _filled(wanted)

    return make


@pytest.fixture
def table() -> Callable[..., TrixState]:
    def make(*wanted: str, actions: str = "", **options: object) -> TrixState:
        state = TrixState(TrixVariant.from_options(options))
        state.deal(_filled(wanted))
        for text in actions.split():
            state.apply(parse_action(text))
        return state

    return make
