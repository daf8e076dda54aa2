"""`make bench`: each figure beside what it is compared with, in one run on one machine.

Machines differ and are noisy, so only the ratios mean anything: medians over repeated runs that alternate.
"""

from __future__ import annotations

import argparse
import json
import statistics
from functools import partial
from typing import TYPE_CHECKING

from bench import engine, wire

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["main"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed, as ratios measured side by side in one run.")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each engine")
    parser.add_argument("--boards", type=int, default=128, help="boards of the measured tournament")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = _engine(arguments.repeats) | _wire(arguments.boards)
    if arguments.json:
        print(json.dumps(figures))
        return
    width = max(map(len, figures))
    for name, figure in figures.items():
        print(f"{name:<{width}}  {figure:>12,.2f}" if figure < 1000 else f"{name:<{width}}  {figure:>12,.0f}")


def _engine(repeats: int) -> dict[str, float]:
    plays: dict[str, Callable[[float, Random], int]] = {
        "trix": partial(engine.cardtable_actions, "trix"),
        "vytrix": partial(engine.cardtable_actions, "vytrix"),
        "hearts": engine.hearts_actions,
    }
    rates: dict[str, list[float]] = {name: [] for name in plays}
    for seed in range(repeats):
        for name, play in plays.items():
            rates[name].append(engine.rate(play, 1.0, seed))
    middle = {name: statistics.median(values) for name, values in rates.items()}
    return {
        "engine: trix, random actions/s": middle["trix"],
        "engine: vytrix, random actions/s": middle["vytrix"],
        "engine: OpenSpiel hearts, random actions/s": middle["hearts"],
        "engine: trix / hearts": middle["trix"] / middle["hearts"],
        "engine: vytrix / hearts": middle["vytrix"] / middle["hearts"],
    }


def _wire(boards: int) -> dict[str, float]:
    single, many = [wire.unary_decisions(4, 1)], [wire.unary_decisions(4, 16)]
    tournament = wire.tournament_decisions(boards)
    single.append(wire.unary_decisions(4, 1))
    many.append(wire.unary_decisions(4, 16))
    return {
        "wire: tourney run, decisions/s": tournament,
        "wire: a unary call a decision, decisions/s": statistics.mean(single),
        "wire: the same at 16 tables at once, decisions/s": statistics.mean(many),
        "wire: tourney run / unary": tournament / statistics.mean(single),
        "wire: tourney run / unary at 16 tables": tournament / statistics.mean(many),
    }


if __name__ == "__main__":
    main()
