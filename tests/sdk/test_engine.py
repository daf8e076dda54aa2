"""What makes the values of frozen classes."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from cardtable.cards import EMPTY
from cardtable.catalog import GAMES
from cardtable.engine import Deal, maker
from cardtable.trix import Contract, TrixVariant, TrixView


@pytest.mark.parametrize("game", GAMES)
def test_a_view_that_was_made_fast_is_as_any_other(game: str) -> None:
    rules = GAMES[game]
    variant = rules.variant({})
    state = rules.new_state(variant)
    state.deal(Deal.shuffled(rules.hand_sizes(variant), Random(1)))
    view = state.view(state.to_act or 0)
    again = replace(view)
    assert type(view) is type(again)
    assert view == again
    assert hash(view) == hash(again)
    assert repr(view) == repr(again)
    assert pickle.loads(pickle.dumps(view)) == view
    with pytest.raises(FrozenInstanceError):
        view.seat = 2


def test_a_maker_knows_the_defaults() -> None:
    make = maker(TrixView)
    given = (TrixVariant(), 0, None, None, 1, 2, 3, (Contract.KING,), 0, (1, 2, 3, 4), None, EMPTY)
    assert make(*given) == TrixView(*given)
    with pytest.raises(TypeError):
        make(TrixVariant())  # type: ignore[call-arg]
