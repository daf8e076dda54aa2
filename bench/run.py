"""`make bench`: each figure beside what it is compared with, in one run on one machine.

Machines differ and are noisy, so only the ratios mean anything: medians over repeated runs that alternate.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from bench import engine, growth
from bench.echo import replay
from bench.thinking_bot import THOUGHT
from bench.tournaments import run_thinkers, run_trivial
from bench.unary import unary_decisions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

__all__ = ["main"]

#: What is wished of a ratio: at least, or (negative) at most.
_AIMS = {
    "engine: trix / hearts": 1.0,
    "engine: vytrix / hearts": 1.0,
    "engine: trix / bridge": 20.0,
    "engine: vytrix / bridge": 20.0,
    "wire: tourney run / unary": 15.0,
    "wire: tourney run / raw streams": 0.5,
    "whole: referee's CPU / raw server's CPU": -1.5,
    "think-bound: share of the cores": 0.9,
    "growth: last 1,000 of 100,000 games / first": -1.1,
    "growth: plan of 1,000,000 games, s": -2.0,
    "growth: plan of 1,000,000 games, MB": -200.0,
    "growth: ratings of 100,000 games, s": -60.0,
    "growth: ratings of 100,000 games again, s": -2.0,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed, as ratios measured side by side in one run.")
    parser.add_argument("--repeats", type=int, default=3, help="measurements of each figure")
    parser.add_argument("--boards", type=int, default=256, help="boards of the measured tournaments")
    parser.add_argument("--only", choices=_PARTS, action="append", help="this part alone; once for each")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    figures: dict[str, float] = {}
    # Each in a process of its own: what a program starts begins with its memory, which counts as its peak.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as alone:
        for name in asked.only or _PARTS:
            print(f"measuring: {name}", file=sys.stderr, flush=True)
            figures |= alone.submit(_PARTS[name], asked.repeats, asked.boards).result()
    print(json.dumps(figures) if asked.json else "\n".join(_lines(figures)))


def _lines(figures: Mapping[str, float]) -> list[str]:
    width = max(map(len, figures))
    return [
        f"{name:<{width}}  {_number(figure):>12}{_wish(name, figure)}" for name, figure in figures.items()
    ]


def _number(figure: float) -> str:
    return f"{figure:,.2f}" if figure < 1000 else f"{figure:,.0f}"


def _wish(name: str, figure: float) -> str:
    aim = _AIMS.get(name)
    if aim is None:
        return ""
    is_met = figure >= aim if aim > 0 else figure <= -aim
    return f"   {'at least' if aim > 0 else 'at most'} {abs(aim):g}: {'yes' if is_met else 'no'}"


def _medians(measure: Callable[[int], Mapping[str, float]], repeats: int) -> dict[str, float]:
    """The median of each figure over the repeated runs, whose numbers are seeds."""
    found: dict[str, list[float]] = defaultdict(list)
    for number in range(repeats):
        for name, figure in measure(number).items():
            found[name].append(figure)
    return {name: statistics.median(values) for name, values in found.items()}


def _engine(repeats: int, _: int) -> dict[str, float]:
    plays: dict[str, Callable[[float, Random], int]] = {
        "trix": partial(engine.cardtable_actions, "trix"),
        "vytrix": partial(engine.cardtable_actions, "vytrix"),
        "hearts": engine.hearts_actions,
        "bridge": engine.bridge_actions,
    }

    def measure(seed: int) -> dict[str, float]:
        rates = {name: engine.rate(play, 1.0, seed) for name, play in plays.items()}
        return {f"engine: {name}, random actions/s": found for name, found in rates.items()} | {
            f"engine: {name} / {other}": rates[name] / rates[other]
            for name in ("trix", "vytrix")
            for other in ("hearts", "bridge")
        }

    return _medians(measure, repeats)


def _wire(repeats: int, boards: int) -> dict[str, float]:
    def measure(_: int) -> dict[str, float]:
        run = run_trivial(boards)
        echo = replay(run.traces)
        unary, many = unary_decisions(4, 1), unary_decisions(4, 16)
        rate, raw = run.decisions / run.seconds, run.decisions / echo.seconds
        own, raws = 1e6 * run.referee_cpu / run.decisions, 1e6 * echo.server_cpu / run.decisions
        asked = sum(not is_from_bot for trace in run.traces for is_from_bot, _ in trace.messages)
        return {
            "wire: tourney run, decisions/s": rate,
            "wire: a unary call a decision, decisions/s": unary,
            "wire: the same at 16 tables at once, decisions/s": many,
            "wire: raw streams, decisions/s": raw,
            "wire: decisions a message": run.decisions / asked,
            "wire: tourney run / unary": rate / unary,
            "wire: tourney run / unary at 16 tables": rate / many,
            "wire: tourney run / raw streams": rate / raw,
            "whole: referee's CPU, µs/decision": own,
            "whole: raw server's CPU, µs/decision": raws,
            "whole: referee's CPU / raw server's CPU": own / raws,
        }

    return _medians(measure, repeats)


def _whole(repeats: int, boards: int) -> dict[str, float]:
    def measure(_: int) -> dict[str, float]:
        runs = {jobs: run_trivial(boards, jobs=jobs) for jobs in (1, 2)}
        rates = {jobs: run.games / run.seconds for jobs, run in runs.items()}
        return {f"whole: games/s, --jobs {jobs}": found for jobs, found in rates.items()} | {
            "whole: --jobs 2 / --jobs 1": rates[2] / rates[1]
        }

    return _medians(measure, repeats)


def _think(_: int, __: int) -> dict[str, float]:
    cores = len(os.sched_getaffinity(0))
    run = run_thinkers(10 * cores, jobs=cores)
    return {
        "think-bound: decisions/s": run.decisions / run.seconds,
        "think-bound: share of the cores": run.bots_cpu / (run.seconds * cores),
        "think-bound: the same, thought alone": run.decisions * THOUGHT / (run.seconds * cores),
    }


def _growth(repeats: int, _: int) -> dict[str, float]:
    sizes = [growth.last_games(games, 1_000, repeats) for games in (10_000, 100_000)]
    return sizes[0] | sizes[1] | growth.plan_of(1_000_000) | growth.ratings_of(100_000)


_PARTS: dict[str, Callable[[int, int], dict[str, float]]] = {
    "engine": _engine,
    "wire": _wire,
    "whole": _whole,
    "think": _think,
    "growth": _growth,
}


if __name__ == "__main__":
    main()
