"""The facts of a game's deals, for tests of each game's analysis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.record import GameRecord
from cardtable.replay import replay

if TYPE_CHECKING:
    from cardtable.engine import Deal, State
    from cardtable.figures import Facts, Scheme

__all__ = ["case", "facts_of", "scheme_of"]

VECTORS = Path(__file__).parents[1] / "vectors"


def case(game: str, name: str) -> GameRecord:
    """The record of a rule case."""
    lines = (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    (found,) = [one["record"] for one in map(json.loads, lines) if one["name"] == name]
    return GameRecord.from_json(found)


def scheme_of(record: GameRecord) -> Scheme:
    game = GAMES[record.game]
    return game.analysis(game.variant(record.variant))


def facts_of(record: GameRecord) -> list[tuple[Facts, ...]]:
    """The facts of all deals that ended, those of a void one empty."""
    found: list[tuple[Facts, ...]] = []
    scheme = scheme_of(record)

    class Watcher:
        hands: tuple[Any, ...] = ()

        def dealt(self, number: int, deal: Deal, state: State[Any, Any]) -> None:  # noqa: ARG002 - as replay calls it
            self.hands = deal.hands

        def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:  # noqa: ARG002 - as replay calls it
            if state.to_act is None:
                found.append(scheme.facts(self.hands, state.summary()))

    assert replay(record, Watcher()).ok
    return found
