"""Do intervals of 95 % hold the truth in 95 of 100 tournaments?

The truth about points is what the same plan gives without luck and noise. The truth about ratings follows from the
model that TrueSkill assumes: with the deviation s of one entrant's noise on a board, a strength of x points above the
field's mean is mu = 25 + x beta / s. (Luck cancels: everyone holds the same cards once.)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from bench.calibration.finding import Finding, share
from bench.calibration.model import boards_of, names, play
from referee.ratings import Environment, rate_boards
from referee.statistics import cross_table, mean_per_game, mu_interval, superiority

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from bench.calibration.model import Field
    from referee.boards import Board
    from referee.ratings import Rating
    from referee.statistics import Pair

__all__ = ["CLOSE", "Case", "coverage", "covers", "rated_cases", "true_ratings"]

BOUNDS = (92.0, 98.0)
#: Strengths are normal with this share of the noise in one game as their deviation. In the real games of Trix it was
#: about this, in those of Vytrix 2.
SPREAD = 0.85
#: A field of bots that are closer to each other, and harder to judge.
CLOSE = 0.5
#: In smaller fields intervals of mu are too wide.
SMALLEST_RATED = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One tournament.

    Args:
        strengths: The truth, in points per game.
        spread: Their deviation as a share of the noise in one game.
        boards: What was played.
        deserved: The same boards without luck.
        ratings: From the boards; empty where nobody was rated.
        chances: Likelihoods of superiority, as the tables have them.
    """

    strengths: Mapping[str, float]
    spread: float
    boards: Sequence[Board]
    deserved: Sequence[Board]
    ratings: Mapping[str, Rating]
    chances: Mapping[Pair, float | None]


def rated_cases(
    field: Field, tournaments: int, rng: Random, *, rated: bool = True, spreads: Sequence[float] = (SPREAD,)
) -> list[Case]:
    """Play tournaments of one field, each with new strengths, spread as these say in turn."""
    plan = field.plan()
    plans = [board for number in range(plan.rounds) for board in plan.round(number)]
    cases = []
    for number in range(tournaments):
        spread = spreads[number % len(spreads)]
        strengths = {name: rng.gauss(0, spread * field.kind.noise) for name in plan.entrants}
        boards = boards_of(play(plans, strengths, field.kind, rng), field.kind, plan.seatings)
        deserved = boards_of(play(plans, strengths, field.kind, None), field.kind, plan.seatings)
        cross = cross_table(boards, plan.entrants, "points")
        ratings = rate_boards(boards, "points").ratings if rated else {}
        chances = (
            superiority(ratings, cross) if rated else {pair: met.superiority for pair, met in cross.items()}
        )
        cases.append(Case(strengths, spread, boards, deserved, ratings, chances))
    return cases


def coverage(field: Field, cases: Sequence[Case], bounds: tuple[float, float] = BOUNDS) -> list[Finding]:
    """How often the intervals of points, of differences and of ratings hold the truth."""
    counted = {
        "points per game": [hit for case in cases for hit in _points(case)],
        "pair differences": [hit for case in cases for hit in _differences(case)],
        "mu": [hit for case in cases for hit in _ratings(field, case)],
    }
    findings = []
    for what, hits in counted.items():
        is_wide = what == "mu" and field.size < SMALLEST_RATED
        findings.append(
            share(
                "95 % intervals",
                f"{what}: {field.label}",
                sum(hits),
                len(hits),
                (None, None) if is_wide else bounds,
                independent=len(cases),
                note="known to be wide" if is_wide else "",
            )
        )
    return findings


def covers(mean: float, half_width: float | None, truth: float) -> bool:
    """Whether an interval holds the truth; one that does not exist holds nothing."""
    return half_width is not None and abs(mean - truth) <= half_width


def true_ratings(field: Field, strengths: Mapping[str, float]) -> dict[str, float]:
    """What mu would be after infinitely many boards without a prior."""
    environment = Environment()
    middle = sum(strengths.values()) / len(strengths)
    scale = environment.beta / field.board_noise
    if field.teams == "whist":
        # Two performances make a side's in TrueSkill; here a side has one noise, and the mean of two strengths.
        scale *= 2**0.5 / 2
    return {name: environment.mu + scale * (strength - middle) for name, strength in strengths.items()}


def _points(case: Case) -> Iterable[bool]:
    for name in case.strengths:
        found = mean_per_game(case.boards, name, "points")
        deserved = mean_per_game(case.deserved, name, "points")
        if found is not None and deserved is not None:
            yield covers(found.mean, found.half_width, deserved.mean)


def _differences(case: Case) -> Iterable[bool]:
    entrants = list(case.strengths)
    found = cross_table(case.boards, entrants, "points")
    deserved = cross_table(case.deserved, entrants, "points")
    for pair in combinations(entrants, 2):
        if pair in found:
            yield covers(found[pair].mean, found[pair].half_width, deserved[pair].mean)


def _ratings(field: Field, case: Case) -> Iterable[bool]:
    truth = true_ratings(field, case.strengths)
    for name in names(field.size):
        least, most = mu_interval(case.ratings[name], field.size)
        yield least <= truth[name] <= most
