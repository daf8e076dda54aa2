"""Does the order of play or of the file change a rating?

Beside it stands what rating game after game does: the same games in another order give other ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bench.calibration.coverage import SPREAD
from bench.calibration.finding import Finding
from bench.calibration.model import boards_of, play
from referee.ratings import Environment, Match, rate_boards, sequence
from referee.statistics import cross_table

if TYPE_CHECKING:
    from random import Random

    from bench.calibration.model import Field

__all__ = ["orders"]

K = TypeVar("K")


def orders(field: Field, shuffles: int, rng: Random) -> list[Finding]:
    """Rate one tournament in several orders, and give the largest distance between two ratings of one entrant."""
    plan = field.plan()
    strengths = {name: rng.gauss(0, SPREAD * field.kind.noise) for name in plan.entrants}
    boards = [board for number in range(plan.rounds) for board in plan.round(number)]
    played = boards_of(play(boards, strengths, field.kind, rng), field.kind, plan.seatings)
    batch, one_by_one, gaps = [], [], []
    for _ in range(shuffles):
        rng.shuffle(played)
        entrants = rng.sample(plan.entrants, len(plan.entrants))
        rated = rate_boards(played, "points").ratings
        batch.append({name: rated[name].mu for name in entrants})
        gaps.append(
            {pair: met.mean for pair, met in sorted(cross_table(played, sorted(entrants), "points").items())}
        )
        matches = [
            Match(board.groups, tuple(-sum(board.points[name] for name in group) for group in board.groups))
            for board in played
        ]
        in_order = sequence(matches, Environment())
        one_by_one.append({name: in_order[name].mu for name in entrants})
    check = f"order of play and of names, {shuffles} orders"
    return [
        Finding(check, f"mu, as the tables show it: {field.label}", _spread(batch), None, shuffles, most=0.0),
        Finding(check, f"differences of pairs: {field.label}", _spread(gaps), None, shuffles, most=0.0),
        Finding(
            check,
            f"mu, board after board with the package's defaults: {field.label}",
            _spread(one_by_one),
            None,
            shuffles,
            note="what we do not do",
        ),
    ]


def _spread(found: list[dict[K, float]]) -> float:
    """The largest distance between two values of one key."""
    return max(max(one[key] for one in found) - min(one[key] for one in found) for key in found[0])
