"""How sure a table can be: intervals over boards, differences of pairs, chances of being better, ranks.

Owns Student's t, Holm's adjustment and what is made of them. The board is the unit everywhere: games of one board
share their cards and are never counted as independent. What cannot be estimated is None, never nan and never 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from referee.boards import game_points

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from referee.boards import Board, FinishedGame, Groups, ScoredBy
    from referee.trueskill_env import Rating

__all__ = [
    "Difference",
    "Estimate",
    "Pair",
    "board_gaps",
    "contradicted",
    "cross_table",
    "deviation",
    "difference",
    "estimate",
    "holm",
    "incomplete_beta",
    "mean_per_game",
    "mu_interval",
    "rank_intervals",
    "rotation_gain",
    "superiority",
    "t_cdf",
    "t_quantile",
]

#: Two entrants, the first one measured against the second.
Pair: TypeAlias = tuple[str, str]
K = TypeVar("K")
#: A gain that was measured on fewer boards is noise.
_LEAST_BOARDS = 10
#: A smaller deviation is rounding: points and places are whole numbers, divided by a few games.
_ROUNDING = 1e-9
#: In fields of up to three the ratings' own intervals are too wide to tell who is better.
_SMALL_FIELD = 3


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over boards.

    Args:
        mean: Per game.
        half_width: Of the interval; None from one board, and from boards that are all equal.
        boards: How many boards it comes from.
    """

    mean: float
    half_width: float | None
    boards: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What one entrant has over another on the boards where both played.

    Args:
        mean: Per game, above zero where the first is better (fewer places, more points).
        half_width: Of the interval; None from one board, and from differences that are all equal.
        boards: How many boards are common.
        p_value: Chance of a difference so large, either way, between equals; None where there is no interval.
        adjusted: The p value that holds for all pairs of a table at once (Holm); None outside of a table.
        superiority: Chance that the first is better, from these boards alone; None where there is no interval.
    """

    mean: float
    half_width: float | None
    boards: int
    p_value: float | None
    adjusted: float | None
    superiority: float | None


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation; None from fewer than two values and from equal ones, which say nothing of its size."""
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    found = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return found if found > _ROUNDING else None


def estimate(values: Sequence[float], confidence: float = 0.95) -> Estimate | None:
    """The mean of independent values with its Student-t interval; None without a value."""
    if not values:
        return None
    half = None
    if (spread := deviation(values)) is not None:
        half = spread / math.sqrt(len(values)) * t_quantile((1 + confidence) / 2, len(values) - 1)
    return Estimate(math.fsum(values) / len(values), half, len(values))


def mean_per_game(
    boards: Iterable[Board], entrant: str, scored_by: ScoredBy, confidence: float = 0.95
) -> Estimate | None:
    """An entrant's points, or its place, per game; None for one that has no board."""
    totals = [
        (board.points if scored_by == "points" else board.places)[entrant] / board.games
        for board in boards
        if entrant in board.points
    ]
    return estimate(totals, confidence)


def difference(
    boards: Iterable[Board], first: str, second: str, scored_by: ScoredBy, confidence: float = 0.95
) -> Difference | None:
    """Compare two entrants on the boards where both played; None where there is none."""
    gaps = board_gaps(boards, (first, second), scored_by).get((first, second), [])
    return _compared(gaps, confidence)


def _compared(gaps: Sequence[float], confidence: float) -> Difference | None:
    found = estimate(gaps, confidence)
    if found is None:
        return None
    chance = None
    if (spread := deviation(gaps)) is not None:
        chance = t_cdf(found.mean / spread * math.sqrt(len(gaps)), len(gaps) - 1)
    return Difference(
        mean=found.mean,
        half_width=found.half_width,
        boards=found.boards,
        p_value=None if chance is None else 2 * min(chance, 1 - chance),
        adjusted=None,
        superiority=chance,
    )


def board_gaps(
    boards: Iterable[Board], entrants: Sequence[str], scored_by: ScoredBy
) -> dict[Pair, list[float]]:
    """What the first of each pair has over the second per game, one value for each board where both played."""
    gaps: dict[Pair, list[float]] = {}
    for board in boards:
        merits = [(name, board.merit(name, scored_by)) for name in entrants if name in board.points]
        for (one, merit), (other, others) in combinations(merits, 2):
            gaps.setdefault((one, other), []).append(merit - others)
    return gaps


def cross_table(
    boards: Sequence[Board], entrants: Sequence[str], scored_by: ScoredBy, confidence: float = 0.95
) -> dict[Pair, Difference]:
    """The differences of all pairs that met, both ways round, with p values adjusted for their number."""
    found = {
        pair: met
        for pair, gaps in board_gaps(boards, entrants, scored_by).items()
        if (met := _compared(gaps, confidence)) is not None
    }
    adjusted = holm({pair: met.p_value for pair, met in found.items() if met.p_value is not None})
    table = {}
    for (first, second), met in found.items():
        whole = replace(met, adjusted=adjusted.get((first, second)))
        table[first, second] = whole
        chance = None if whole.superiority is None else 1 - whole.superiority
        table[second, first] = replace(whole, mean=-whole.mean, superiority=chance)
    return table


def superiority(ratings: Mapping[str, Rating], cross: Mapping[Pair, Difference]) -> dict[Pair, float | None]:
    """The chance that the first of each pair is better than the second.

    It comes from the ratings, and in fields of two or three from the paired differences of boards.

    Args:
        ratings: All entrants that have one.
        cross: What `cross_table` gives.
    """
    chances: dict[Pair, float | None] = {}
    for first in ratings:
        for second in ratings:
            if first == second:
                continue
            if len(ratings) <= _SMALL_FIELD:
                met = cross.get((first, second))
                chances[first, second] = None if met is None else met.superiority
            else:
                (mu, sigma), (other_mu, other_sigma) = ratings[first], ratings[second]
                chances[first, second] = NormalDist().cdf((mu - other_mu) / math.hypot(sigma, other_sigma))
    return chances


def mu_interval(rating: Rating, field: int) -> tuple[float, float]:
    """The 95 % interval of a rating in a field whose mean is 25 by definition.

    What an entrant's sigma shares with the whole field says nothing of where it stands in it, so the interval is that
    of the distance from the mean: 1.96 sigma √(1 - 1 / n) to either side.

    Args:
        rating: Of one entrant.
        field: How many entrants are rated, n.
    """
    half = 1.96 * rating.sigma * math.sqrt(1 - 1 / field)
    return rating.mu - half, rating.mu + half


def rank_intervals(
    entrants: Collection[str], chances: Mapping[Pair, float | None], confidence: float = 0.95
) -> dict[str, tuple[int, int]]:
    """The ranks that each entrant may truly have, best and worst, all intervals holding at once.

    Args:
        entrants: All of the table.
        chances: What `superiority` gives; a pair that is absent or None is undecided.
        confidence: That no pair is called decided wrongly.
    """
    p_values = {
        pair: 2 * min(chance, 1 - chance)
        for pair in combinations(entrants, 2)
        if (chance := chances.get(pair)) is not None
    }
    decided = {pair for pair, p_value in holm(p_values).items() if p_value <= 1 - confidence}
    better = dict.fromkeys(entrants, 0)
    worse = dict.fromkeys(entrants, 0)
    for pair in decided:
        up, down = pair if (chances[pair] or 0) > 0.5 else pair[::-1]
        better[down] += 1
        worse[up] += 1
    return {name: (1 + better[name], len(entrants) - worse[name]) for name in entrants}


def contradicted(
    order: Sequence[str], cross: Mapping[Pair, Difference], confidence: float = 0.95
) -> frozenset[str]:
    """Those of a ranking whose place among the others the points gainsay by more than the noise.

    Ranks are not points: who wins big once in four games can lead in points and be last in rating.
    """
    wrong: set[str] = set()
    for above, below in combinations(order, 2):
        met = cross.get((above, below))
        if met is not None and met.mean < 0 and met.adjusted is not None and met.adjusted <= 1 - confidence:
            wrong |= {above, below}
    return frozenset(wrong)


def holm(p_values: Mapping[K, float]) -> dict[K, float]:
    """Adjust p values for their number, so that one error among all is as rare as asked."""
    adjusted: dict[K, float] = {}
    worst = 0.0
    for done, (key, p_value) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        worst = min(max(worst, p_value * (len(p_values) - done)), 1.0)
        adjusted[key] = worst
    return {key: adjusted[key] for key in p_values}


def rotation_gain(games: Iterable[FinishedGame], groups: Groups) -> float | None:
    """By how much playing each board in all its seatings divides the variance of a difference; 1 is no gain.

    It is 1 / (1 - r), r the correlation of what different entrants get from the same seats of the same board, each
    measured from its own mean (one-way analysis of variance over boards and seats).

    Args:
        games: Of one competition with rotations.
        groups: Seats that score together.

    Returns:
        None below ten boards, which are too few to tell.
    """
    played = [
        ((game.board, place), game.seats[group[0]], game_points(game, groups)[game.seats[group[0]]])
        for game in games
        for place, group in enumerate(groups)
    ]
    if len({board for (board, _), _, _ in played}) < _LEAST_BOARDS:
        return None
    by_entrant: dict[str, list[float]] = {}
    for _, entrant, points in played:
        by_entrant.setdefault(entrant, []).append(points)
    means = {entrant: math.fsum(points) / len(points) for entrant, points in by_entrant.items()}
    cells: dict[tuple[int, int], list[float]] = {}
    for cell, entrant, points in played:
        cells.setdefault(cell, []).append(points - means[entrant])
    sizes = {len(cell) for cell in cells.values()}
    if len(sizes) != 1 or (size := sizes.pop()) < 2 or len(cells) < 2:
        return None
    centres = [math.fsum(cell) / size for cell in cells.values()]
    middle = math.fsum(centres) / len(centres)
    between = size * math.fsum((centre - middle) ** 2 for centre in centres) / (len(centres) - 1)
    within = math.fsum(
        (value - centre) ** 2 for cell, centre in zip(cells.values(), centres, strict=True) for value in cell
    ) / (len(centres) * (size - 1))
    # 1 - r = size * within / (between + (size - 1) * within)
    return (between + (size - 1) * within) / (size * within) if within > 0 else None


@lru_cache(maxsize=4096)
def t_quantile(probability: float, freedom: int) -> float:
    """The value below which Student's t lies with this probability.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: Degrees of freedom, at least 1.
    """
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while t_cdf(high, freedom) < probability:
        low, high = high, high * 2
    while (middle := (low + high) / 2) not in {low, high}:
        if t_cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return high


def t_cdf(value: float, freedom: int) -> float:
    """The probability that Student's t lies below a value."""
    if value == 0:
        return 0.5
    square = value * value
    # The smaller argument keeps the precision of a small tail and of a large freedom alike.
    if square < freedom:
        beyond = 0.5 - 0.5 * incomplete_beta(0.5, freedom / 2, square / (freedom + square))
    else:
        beyond = 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square))
    return 1 - beyond if value > 0 else beyond


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.

    Args:
        a: Above 0.
        b: Above 0.
        x: From 0 to 1.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = (
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log1p(-x)
        - math.log(a)
    )
    tiny = 1e-300
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away_from_zero(1 + step * d, tiny)
            c = _away_from_zero(1 + step / c, tiny)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction


def _away_from_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
