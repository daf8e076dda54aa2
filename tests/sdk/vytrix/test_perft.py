"""Counts of the ways to play an ending out, which a plain counter made apart from this code has found too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.cards import CardSet
from cardtable.engine import Deal
from cardtable.vytrix import VytrixState, VytrixVariant, parse_action

POSITIONS = Path(__file__).parents[2] / "perft" / "vytrix.jsonl"


def count(state: VytrixState, depth: int) -> int:
    """How many sequences of this many actions there are."""
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    nodes = 0
    for action in legal:
        after = state.copy()
        after.apply(action)
        nodes += count(after, depth - 1)
    return nodes


@pytest.mark.parametrize(
    "position",
    [pytest.param(line, id=line["name"]) for line in map(json.loads, POSITIONS.read_text().splitlines())],
)
def test_perft(position: dict[str, Any]) -> None:
    record = position["record"]
    (deal,) = record["deals"]
    state = VytrixState(VytrixVariant.from_options(record["variant"]))
    state.deal(Deal(tuple(map(CardSet.parse, deal["hands"])), CardSet.parse(deal.get("kitty", ""))))
    for text in deal["actions"]:
        state.apply(parse_action(text))
    assert count(state, position["depth"]) == position["nodes"]
