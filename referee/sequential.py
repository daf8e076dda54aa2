"""When enough boards are played: intervals that hold however often one looks, and the rules that stop by them.

An ordinary interval is good for one look at a number of boards that was fixed before. Who looks after every board and
stops at the first difference finds one between equals in half of all tournaments. A confidence sequence holds at all
looks at once: the chance that it ever leaves out the truth is at most alpha, whenever one stops.

Owns the sequences, the rule of a tournament ([stop]) and the sequential test of two hypotheses. Everything here is a
function of boards in no order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from referee.errors import RefereeError
from referee.statistics import Estimate, board_gaps, deviation, t_quantile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from referee.boards import Board, ScoredBy
    from referee.schedule import BoardPlan
    from referee.statistics import Pair

__all__ = [
    "LEAST_ALPHA",
    "LEAST_BOARDS",
    "Sprt",
    "StopRule",
    "StopRuleError",
    "StopState",
    "When",
    "are_equal",
    "confidence_sequence",
    "judge",
    "sequence_half_width",
    "sprt",
    "worth_playing",
]

When: TypeAlias = Literal["separated", "top-1", "top-3", "precision"]
#: Nothing is decided by fewer boards.
LEAST_BOARDS = 10
#: Smaller chances could not be kept apart from rounding, shared among all pairs of 200 entrants.
LEAST_ALPHA = 1e-6
#: The number of boards at which a sequence is narrowest for its alpha. Simulated at alpha 0.05 a difference of one
#: board's standard deviation takes 16 boards, of a half 42, of a quarter 148; with 30 or 100 in its place none of the
#: three differs by more than three boards in twenty.
BEST_AT = 50
_TOP = {"top-1": 1, "top-3": 3}


class StopRuleError(RefereeError):
    """There is no such rule.

    Args:
        field: The argument of `StopRule` that will not do.
        problem: What is wrong with it, as the rest of a sentence that begins with its name.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}")
        self.field = field
        self.problem = problem


@dataclass(frozen=True, slots=True)
class StopRule:
    """When a competition ends before all its boards are played.

    Args:
        when: ``separated``: every pair is told apart; ``top-1``, ``top-3``: it is known who the best is, or which are
            the best three; ``precision``: every pair's difference is known to within `points`.
        alpha: Chance of anything being decided wrongly, over all pairs and looks together; from 0.000001 to 0.5.
        max_boards: It ends at so many boards of the competition in any case; None: when its plan does.
        points: With ``precision``: half width of an interval, in points (or places) per game. With the others a
            margin: a pair whose difference is known to be smaller is settled too, as equal; None: no pair is.

    Raises:
        StopRuleError: An argument will not do.
    """

    when: When
    alpha: float = 0.05
    max_boards: int | None = None
    points: float | None = None

    def __post_init__(self) -> None:
        if self.when not in get_args(When):
            raise StopRuleError("when", f"is one of {', '.join(get_args(When))}, not {self.when}")
        if not LEAST_ALPHA <= self.alpha <= 0.5:
            raise StopRuleError("alpha", f"is from {LEAST_ALPHA:g} to 0.5, not {self.alpha:g}")
        if self.max_boards is not None and self.max_boards < 1:
            raise StopRuleError("max_boards", f"is at least 1, not {self.max_boards}")
        if self.points is None and self.when == "precision":
            raise StopRuleError("points", 'is missing; "precision" needs the half width to reach')
        if self.points is not None and not 0 < self.points < math.inf:
            raise StopRuleError("points", f"is a number above 0, not {self.points:g}")

    @property
    def top(self) -> int:
        """Of how many the question is who they are; 1 where it is not about the best."""
        return _TOP.get(self.when, 1)


@dataclass(frozen=True, slots=True)
class StopState:
    """What a rule says of the boards so far.

    Args:
        done: Whether it has ended.
        reason: Why, in one line; empty while it is not done.
        open_pairs: Pairs of which more boards could change the answer, each in the order of its names.
        intervals: What is known of each pair, per game; pairs with too few boards are absent.
    """

    done: bool
    reason: str
    open_pairs: frozenset[Pair]
    intervals: Mapping[Pair, Estimate]


def sequence_half_width(spread: float, boards: int, alpha: float, best_at: int = BEST_AT) -> float:
    """Half the width of a confidence sequence for a mean.

    It is the asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Annals of Statistics 2024,
    arXiv 2103.06476), with Student's t in the place of the normal deviate that it amounts to at this number of
    boards, since the deviation is estimated from few boards at first.

    Args:
        spread: Standard deviation of one board's difference.
        boards: How many there are, at least 2.
        alpha: Chance that the sequence ever leaves out the mean.
        best_at: Number of boards at which it is narrowest.
    """
    rho = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / best_at
    grown = boards * rho + 1
    deviate = math.sqrt(2 * grown / (boards * rho) * math.log(math.sqrt(grown) / alpha))
    beyond = max(NormalDist().cdf(-deviate), 1e-15)
    return spread * t_quantile(1 - beyond, boards - 1) / math.sqrt(boards)


def confidence_sequence(gaps: Sequence[float], alpha: float, best_at: int = BEST_AT) -> Estimate | None:
    """The mean of the boards so far, and its interval for all looks together; None below ten boards.

    Args:
        gaps: One entrant's points per game less another's, one value a board.
        alpha: Chance that it ever leaves out the mean.
        best_at: Number of boards at which it is narrowest.

    Returns:
        Its half width is None where all gaps are equal: so rare a kind of luck says nothing of how large it is.
    """
    if len(gaps) < LEAST_BOARDS:
        return None
    spread = deviation(gaps)
    half = None if spread is None else sequence_half_width(spread, len(gaps), alpha, best_at)
    return Estimate(math.fsum(gaps) / len(gaps), half, len(gaps))


def judge(
    boards: Iterable[Board],
    entrants: Sequence[str],
    scored_by: ScoredBy,
    rule: StopRule,
    *,
    is_last: bool = False,
) -> StopState:
    """Say whether a competition is decided.

    Args:
        boards: Complete boards of the competition, in any order.
        entrants: All that are still in it.
        scored_by: What is ranked.
        rule: When it ends.
        is_last: Whether there are no more boards, so that it ends in any case.
    """
    played = list(boards)
    names = sorted(entrants)
    pairs = list(combinations(names, 2))
    gaps = board_gaps(played, names, scored_by)
    intervals = {
        pair: known
        for pair in pairs
        if (known := confidence_sequence(gaps.get(pair, ()), rule.alpha / len(pairs))) is not None
    }
    unit = f"{scored_by} a game"
    if len(names) <= rule.top:
        are = "are" if len(names) > 1 else "is"
        open_pairs, reason = [], f"only {_listed(names)} {are} left" if names else "nobody is left"
    elif rule.when == "precision":
        assert rule.points is not None
        open_pairs = [pair for pair in pairs if not _is_precise(intervals.get(pair), rule.points)]
        reason = f"every pair's difference is known to {rule.points:g} {unit}"
    else:
        open_pairs, reason = _ranked(rule, names, intervals, unit)
    boards_text = f"{len(played):,} board{'' if len(played) == 1 else 's'}"
    if not open_pairs:
        return StopState(True, f"{reason}, after {boards_text}", frozenset(), intervals)
    is_full = rule.max_boards is not None and len(played) >= rule.max_boards
    if is_full or is_last:
        ended = "stopped at" if is_full else "no more boards after"
        first_open = ", ".join(f"{one} and {other}" for one, other in open_pairs[:3])
        more = f" and {len(open_pairs) - 3} more pairs" if len(open_pairs) > 3 else ""
        return StopState(
            True, f"{ended} {boards_text}; open: {first_open}{more}", frozenset(open_pairs), intervals
        )
    return StopState(False, "", frozenset(open_pairs), intervals)


def _ranked(
    rule: StopRule, names: Sequence[str], intervals: Mapping[Pair, Estimate], unit: str
) -> tuple[list[Pair], str]:
    """The open pairs of a rule that asks who is better, and what is known when there are none."""
    apart = {
        pair if known.mean > 0 else pair[::-1]
        for pair, known in intervals.items()
        if known.half_width is not None and abs(known.mean) > known.half_width
    }
    better = _order(names, apart)
    contenders, places = list(names), _TOP.get(rule.when)
    sure: list[str] = []
    if places is not None:
        below = {name: sum(name in beaten for beaten in better.values()) for name in names}
        sure = [name for name in names if len(better[name]) >= len(names) - places]
        contenders = [name for name in names if below[name] < places and name not in sure]
        if len(contenders) <= places - len(sure):
            best = [*sure, *contenders]
            return [], f"{_listed(sorted(best))} {'is the best' if places == 1 else 'are the best three'}"
    undecided = [
        (one, other)
        for one, other in combinations(contenders, 2)
        if (one, other) not in apart and (other, one) not in apart
        if other not in better[one] and one not in better[other]
    ]
    open_pairs = [pair for pair in undecided if not are_equal(intervals.get(pair), rule.points)]
    among = f", as far as {rule.points:g} {unit} matter" if undecided and rule.points is not None else ""
    if places is None:
        return open_pairs, f"every pair is told apart{among}"
    if not undecided:
        return (
            [],
            f"there is no best {'one' if places == 1 else 'three'}: {_listed(contenders)} beat each other in a ring",
        )
    return open_pairs, f"{_listed(sorted([*sure, *contenders]))} are the best{among}"


def _listed(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last


def worth_playing(board: BoardPlan, state: StopState) -> bool:
    """Whether a board can still change the answer: it has a pair that is open."""
    return any(pair in state.open_pairs for pair in combinations(sorted(set(board.seatings[0])), 2))


def are_equal(known: Estimate | None, margin: float | None) -> bool:
    """Whether a difference is known to be smaller than a margin."""
    if known is None or known.half_width is None or margin is None:
        return False
    return abs(known.mean) + known.half_width <= margin


def _is_precise(known: Estimate | None, points: float) -> bool:
    return known is not None and known.half_width is not None and known.half_width <= points


def _order(names: Sequence[str], apart: Collection[Pair]) -> dict[str, set[str]]:
    """For each entrant those that it is known to be better than, also by way of others, but not where they go round."""
    better = {name: {down for up, down in apart if up == name} for name in names}
    for middle in names:
        for name in names:
            if middle in better[name]:
                better[name] |= better[middle]
    return {name: {one for one in below if name not in better[one]} for name, below in better.items()}


@dataclass(frozen=True, slots=True)
class Sprt:
    """A generalised sequential probability ratio test of two means.

    Args:
        ratio: Logarithm of how much better the second hypothesis explains the boards than the first.
        lower, upper: The bounds at which one of them is accepted.
        accepted: 0, 1, or None while it is open.
    """

    ratio: float
    lower: float
    upper: float
    accepted: Literal[0, 1] | None


def sprt(gaps: Sequence[float], first: float, second: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """Test whether the mean of a difference is `first` or `second`, with as few boards as that takes.

    LLR = n (d1 - d0) (2 m - d0 - d1) / (2 s^2), with the mean m and the standard deviation s of the boards so far.

    Args:
        gaps: Differences in points per game, one a board; nothing is accepted below ten.
        first: One hypothesis, in points per game.
        second: The other.
        alpha: Chance of accepting the second when the first is true.
        beta: Chance of accepting the first when the second is true.

    Raises:
        ValueError: alpha or beta is no chance, or above a half.
    """
    if not (0 < alpha <= 0.5 and 0 < beta <= 0.5):
        raise ValueError(f"alpha and beta are chances above 0 and at most 0.5, not {alpha} and {beta}")
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    spread = deviation(gaps)
    if spread is None:
        return Sprt(0.0, lower, upper, None)
    mean = math.fsum(gaps) / len(gaps)
    ratio = len(gaps) * (second - first) * (2 * mean - first - second) / (2 * spread**2)
    accepted: Literal[0, 1] | None = None
    if len(gaps) >= LEAST_BOARDS and not lower < ratio < upper:
        accepted = 1 if ratio >= upper else 0
    return Sprt(ratio, lower, upper, accepted)
