"""Numbers of ways in which positions can go on, counted once by other code, in tests/perft/trix.jsonl.

Each line: a record of one deal that stops in the middle, a depth, and how many sequences of that many legal actions
there are, or of fewer where the deal ends.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.cards import CardSet
from cardtable.engine import Deal
from cardtable.trix import TrixState, TrixVariant, parse_action

POSITIONS = Path(__file__).parents[2] / "perft" / "trix.jsonl"


def _count(state: TrixState, depth: int) -> int:
    if not depth or state.to_act is None:
        return 1
    nodes = 0
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        nodes += _count(after, depth - 1)
    return nodes


@pytest.mark.parametrize(
    "position",
    [pytest.param(one, id=one["name"]) for one in map(json.loads, POSITIONS.read_text().splitlines())],
)
def test_a_position_goes_on_in_so_many_ways(position: dict[str, Any]) -> None:
    record = position["record"]
    state = TrixState(TrixVariant.from_options(record["variant"]))
    for deal in record["deals"]:
        state.deal(Deal(tuple(CardSet.parse(hand) for hand in deal["hands"])))
        for text in deal["actions"]:
            state.apply(parse_action(text))
    assert _count(state, position["depth"]) == position["nodes"]
