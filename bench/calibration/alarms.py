"""How often is something decided that is not so?

Null tournaments have entrants of one strength; whatever the stopping rule calls decided in them is wrong. They run
through the same stages as a real tournament, with a look after each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.calibration.finding import Finding, share
from bench.calibration.model import POINT, boards_of, play
from referee.course import stages
from referee.trial import trial

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from random import Random

    from bench.calibration.model import Field
    from referee.boards import Board
    from referee.sequential import StopRule, StopState

__all__ = ["Run", "false_alarms", "run_to_stop", "trial_alarms"]


@dataclass(frozen=True, slots=True)
class Run:
    """A tournament that was played to its end.

    Args:
        states: What the rule said at each look.
        boards: What was played.
    """

    states: tuple[StopState, ...]
    boards: Sequence[Board]


def run_to_stop(field: Field, strengths: Mapping[str, float], rule: StopRule, rng: Random) -> Run:
    """Play a field until its rule stops it or its boards are played."""
    plan = field.plan()
    played: list[Board] = []

    def before(number: int) -> tuple[Sequence[Board], Collection[str]]:
        return [board for board in played if board.number < number], ()

    states = []
    for stage in stages(plan, rule, "points", before):
        if stage.state is not None:
            states.append(stage.state)
        played += boards_of(play(stage.boards, strengths, field.kind, rng), field.kind, plan.seatings)
    return Run(tuple(states), played)


def false_alarms(field: Field, rule: StopRule, tournaments: int, rng: Random, most: float) -> list[Finding]:
    """Count null tournaments in which a pair was told apart, at any look, and those that stopped by it.

    Args:
        field: Who plays.
        rule: When it stops.
        tournaments: How many are played.
        rng: Where their luck comes from.
        most: Largest share that will do, in percent.
    """
    strengths = dict.fromkeys(field.plan().entrants, 0.0)
    apart = stopped = 0
    for _ in range(tournaments):
        run = run_to_stop(field, strengths, rule, rng)
        apart += any(
            known.half_width is not None and abs(known.mean) > known.half_width
            for state in run.states
            for known in state.intervals.values()
        )
        # What precision stops for is no claim about anybody.
        stopped += rule.when != "precision" and run.states[-1].done and not run.states[-1].open_pairs
    label = f'"{rule.when}", {field.label}'
    check = f"false alarms at alpha {rule.alpha:g}"
    findings = [share(check, f"{label}: a pair told apart at any look", apart, tournaments, (None, most))]
    if rule.when != "precision":
        findings.append(share(check, f"{label}: stopped", stopped, tournaments, (None, most)))
    return findings


def trial_alarms(field: Field, rule: StopRule, tournaments: int, rng: Random, most: float) -> Finding:
    """Count comparisons of two equal versions that called one of them better."""
    new, old = field.plan().entrants
    wrong = 0
    for _ in range(tournaments):
        run = run_to_stop(field, {new: 0.0, old: 0.0}, rule, rng)
        wrong += trial(run.boards, new, old, "points", rule).verdict in {"better", "worse"}
    margin = "" if rule.points is None else f", margin {rule.points / POINT:g} points"
    return share(
        f"false alarms at alpha {rule.alpha:g}",
        f"tourney test{margin}, {field.label}: called better or worse",
        wrong,
        tournaments,
        (None, most),
    )
