"""`make calibrate`: what the tables claim, measured on simulated tournaments whose truth is known.

Plans, boards, ratings, intervals, stages and stopping rules are those of the referee; only the points of a game are
drawn instead of played. Seeds are fixed, so the same version prints the same numbers. Ends with status 1 when a
number is not where it must be.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, TypeAlias, get_args

from bench.calibration.alarms import false_alarms, trial_alarms
from bench.calibration.chances import BINS, superiority_bins
from bench.calibration.comparison import comparison
from bench.calibration.coverage import BOUNDS, CLOSE, SPREAD, coverage, rated_cases
from bench.calibration.equals import equal_in_seats, equal_on_real_cards
from bench.calibration.model import PARTNERS, POINT, TRIX, VYTRIX, Field
from bench.calibration.orders import orders
from referee.sequential import StopRule, When

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.calibration.coverage import Case
    from bench.calibration.finding import Finding

__all__ = ["main", "questions"]

Question: TypeAlias = "Callable[[], list[Finding]]"

#: Fields of 2, 3, 4, 6 and 10, and partners that change. Boards are few: more would only make it easier.
DUEL = Field(2, TRIX, 24, teams="same")
TRIO = Field(3, VYTRIX, 24)
FOUR = Field(4, TRIX, 24)
SIX = Field(6, TRIX, 2)
TEN = Field(10, TRIX, 2, tables="balanced")
WHIST = Field(8, PARTNERS, 4, schedule="whist")
FIELDS = (DUEL, TRIO, FOUR, SIX, TEN, WHIST)
#: Places that are worth very different things.
UNEQUAL = (150.0, 0.0, -50.0, -100.0)
#: Who sits at the tables of real cards.
REAL = {"trix": ("ana", "bo", "cy", "di"), "vytrix": ("ana", "bo", "cy")}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the status."""
    parser = argparse.ArgumentParser(
        description="The statistics against simulated tournaments of known strengths."
    )
    parser.add_argument("--small", action="store_true", help="few tournaments and wide bounds, in seconds")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    chosen = parser.parse_args(arguments)
    asked = questions(small=chosen.small)
    if chosen.jobs > 1:
        with ProcessPoolExecutor(chosen.jobs) as pool:
            found = list(chain.from_iterable(pool.map(_ask, asked)))
    else:
        found = list(chain.from_iterable(map(_ask, asked)))
    if chosen.json:
        print(json.dumps([asdict(one) | {"holds": one.holds} for one in found]))
    else:
        _show(found)
    return 0 if all(one.holds for one in found) else 1


def questions(*, small: bool) -> list[Question]:
    """All that is measured, each on its own and with a seed of its own.

    Args:
        small: Few tournaments, and bounds as wide as their noise.
    """
    if small:
        return [
            *(partial(_coverage, field, 8, (75.0, 100.0)) for field in (DUEL, TRIO, FOUR)),
            partial(_chances, "paired differences", {DUEL: 40, TRIO: 40}, 20.0, 2),
            partial(_chances, "ratings", {FOUR: 8}, 30.0, 2),
            *(partial(_seats, field, 4, (75.0, 100.0)) for field in FIELDS),
            partial(_real_cards, "vytrix", REAL["vytrix"], 2, (70.0, 100.0)),
            partial(_orders, FOUR, 3),
            *(partial(_alarms, FOUR, when, 6, 40.0) for when in get_args(When)),
            partial(_trials, 40.0, 20, 30.0),
            partial(_comparison, 50.0, 200.0, 10),
        ]
    asked: list[Question] = []
    asked += [partial(_coverage, field, 250, BOUNDS) for field in FIELDS]
    asked.append(partial(_chances, "paired differences", {DUEL: 8000, TRIO: 8000}, 3.0))
    asked.append(partial(_chances, "ratings", {FOUR: 2000, SIX: 500, TEN: 250}, 3.0))
    asked += [partial(_seats, field, 250, BOUNDS) for field in FIELDS]
    asked += [partial(_real_cards, game, entrants, 40, BOUNDS) for game, entrants in REAL.items()]
    asked.append(partial(_orders, TEN, 20))
    for when in get_args(When):
        fields = [field for field in FIELDS if when != "top-3" or field.size > 3]
        asked += [partial(_alarms, field, when, 500, 5.0) for field in fields]
    asked += [partial(_trials, margin, 1000, 5.0) for margin in (None, 40.0)]
    asked += [partial(_comparison, 50.0, actual, 300) for actual in (50.0, 100.0, 200.0, 400.0)]
    return asked


def _ask(question: Question) -> list[Finding]:
    return question()


def _coverage(field: Field, tournaments: int, bounds: tuple[float, float]) -> list[Finding]:
    return coverage(field, rated_cases(field, tournaments, _rng("coverage", field)), bounds)


def _chances(source: str, tournaments: Mapping[Field, int], within: float, bins: int = BINS) -> list[Finding]:
    """Judge all tournaments together, half of them of close bots, and show both halves of rated ones."""
    cases: list[Case] = []
    for field, number in tournaments.items():
        few, rng = replace(field, boards=max(1, field.boards // 2)), _rng("chances", field)
        cases += rated_cases(few, number, rng, rated=source == "ratings", spreads=(CLOSE, SPREAD))
    found = superiority_bins(source, cases, within, bins)
    if source == "ratings":
        for spread in (CLOSE, SPREAD):
            half = [case for case in cases if case.spread == spread]
            found += superiority_bins(f"{source}, spread {spread:g}", half, None, bins)
    return found


def _seats(field: Field, tournaments: int, bounds: tuple[float, float]) -> list[Finding]:
    kind = replace(field.kind, places=UNEQUAL[: len(field.kind.groups)])
    return [equal_in_seats(replace(field, kind=kind), tournaments, _rng("seats", field), bounds)]


def _real_cards(
    game: str, entrants: Sequence[str], tournaments: int, bounds: tuple[float, float]
) -> list[Finding]:
    return [equal_on_real_cards(game, entrants, 12, tournaments, bounds)]


def _orders(field: Field, shuffles: int) -> list[Finding]:
    return orders(field, shuffles, _rng("orders", field))


def _alarms(field: Field, when: When, tournaments: int, most: float) -> list[Finding]:
    points = field.kind.noise * POINT / 4 if when == "precision" else None
    rule = StopRule(when, alpha=0.05, points=points)
    many = replace(field, boards=max(1, 240 // len(field.plan(1))))
    return false_alarms(many, rule, tournaments, _rng(f"alarms {rule.when}", field), most)


def _trials(margin: float | None, tournaments: int, most: float) -> list[Finding]:
    rule = StopRule("separated", alpha=0.05, points=None if margin is None else margin * POINT)
    duel = replace(DUEL, boards=400)
    return [trial_alarms(duel, rule, tournaments, _rng(f"trials {margin}", duel), most)]


def _comparison(planned: float, actual: float, tournaments: int) -> list[Finding]:
    duel = replace(DUEL, boards=2000)
    rule = StopRule("separated", alpha=0.05)
    return comparison(duel, planned, actual, rule, tournaments, _rng(f"comparison {actual}", duel))


def _rng(question: str, field: Field) -> Random:
    return Random(f"{question}: {field}")


def _show(found: Sequence[Finding]) -> None:
    width = max(len(one.what) for one in found)
    check = ""
    for one in found:
        if one.check != check:
            check = one.check
            print(f"\n{check}")
        error = "" if one.error is None else f"± {one.error:.2f}"
        must = "" if not one.is_judged else f"must be {_bounds(one)}"
        verdict = "" if one.holds else "  WRONG"
        print(
            f"  {one.what:<{width}}  {one.value:8.2f} {error:<8}{one.cases:>7,}  {one.note:<18}{must}{verdict}"
        )
    wrong = sum(not one.holds for one in found)
    judged = sum(one.is_judged for one in found)
    print(f"\n{judged - wrong} of {judged} numbers are where they must be")


def _bounds(one: Finding) -> str:
    if one.least is None:
        return f"at most {one.most:g}"
    return f"at least {one.least:g}" if one.most is None else f"{one.least:.1f} to {one.most:.1f}"


if __name__ == "__main__":
    sys.exit(main())
