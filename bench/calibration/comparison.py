"""How many games does `tourney test` take, beside a fixed plan without duplicate boards?

The fixed plan has to be laid before anything is known: it has as many independent games as find a difference of the
planned size in 19 of 20 cases, at a false-alarm rate of 1 in 20 (an ordinary t test, one look). `tourney test` plays each
board in all its seatings and stops when it knows.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from bench.calibration.alarms import run_to_stop
from bench.calibration.finding import Finding, share
from referee.trial import trial

if TYPE_CHECKING:
    from random import Random

    from bench.calibration.model import Field
    from referee.sequential import StopRule

__all__ = ["comparison", "fixed_games"]

#: Of both kinds, in the fixed plan.
ERRORS = 0.05


def fixed_games(deviation: float, difference: float, errors: float = ERRORS) -> int:
    """Independent games that a test with one look needs to find a difference.

    Args:
        deviation: Standard deviation of one game's difference.
        difference: What is to be found, in the same unit.
        errors: Chance of a false alarm, and chance of a miss.
    """
    normal = NormalDist()
    deviates = normal.inv_cdf(1 - errors / 2) + normal.inv_cdf(1 - errors)
    return math.ceil((deviates * deviation / difference) ** 2)


def comparison(
    field: Field, planned: float, actual: float, rule: StopRule, tournaments: int, rng: Random
) -> list[Finding]:
    """Compare two versions until it is known which is better.

    Args:
        field: The two entrants.
        planned: Difference that the fixed plan is laid out for, in points per game.
        actual: Difference that there is.
        rule: When the comparison ends.
        tournaments: How many are played.
        rng: Where their luck comes from.
    """
    plan = field.plan()
    new, old = plan.entrants
    right, games = 0, []
    for _ in range(tournaments):
        run = run_to_stop(field, {new: actual / 2, old: -actual / 2}, rule, rng)
        right += trial(run.boards, new, old, "points", rule).verdict == "better"
        games.append(plan.seatings * len(run.boards))
    fixed = fixed_games(field.game_deviation, planned)
    mean = sum(games) / tournaments
    error = math.sqrt(sum((count - mean) ** 2 for count in games) / (tournaments - 1) / tournaments)
    what = f"{field.label}, {actual:g} points of difference"
    return [
        share("tourney test", f"{what}: called better", right, tournaments, (90.0, None)),
        Finding(
            "tourney test",
            f"{what}: games beside a plan for {planned:g}",
            mean / fixed,
            error / fixed,
            tournaments,
            note=f"{mean:,.0f} of {fixed:,}",
        ),
    ]
