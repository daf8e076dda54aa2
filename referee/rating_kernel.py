"""What one match says of its entrants: the arithmetic of the `trueskill` package's `rate()`, and nothing around it.

Owns the messages within one match: of performances, of those that play together, and of the differences of neighbours
in the ranking. Operations are the package's in the package's order, for as long as the package goes on: how long that
is can hang on the last digit. The package builds a graph of objects for each match, which is twenty times the work; a
test holds both to each other (`tests/referee/test_rating_kernel.py`). Knows neither names nor boards.
"""

from __future__ import annotations

from math import erfc, exp, inf, pi, sqrt
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Known", "opinions"]

#: What is known of a skill, or of anything else: its precision, and its mean times that.
Known: TypeAlias = tuple[float, float]

#: The package's: the messages of a match are passed on until none moves by more, at most so often.
_STILL, _MOST_PASSES = 0.0001, 10
_ROOT, _DENSITY = sqrt(2), sqrt(2 * pi)
#: Where a message goes after the difference of two neighbours was looked at.
_NOWHERE, _TO_WORSE, _TO_BETTER = range(3)


def opinions(
    known: Sequence[Known],
    sizes: Sequence[int],
    ties: Sequence[bool],
    margins: Sequence[float],
    noise: float,
) -> list[Known]:
    """What the match alone says of each entrant, given what all else says of them.

    Args:
        known: That, of all entrants: those that play together one after another, better groups first.
        sizes: How many each group has; at least two groups.
        ties: For each group but the last, whether the next one is as good.
        margins: For each group but the last, by how much the better performance of it and the next must be better to
            be no tie.
        noise: Variance of one performance around the skill.

    Returns:
        One for each entrant, in the same order.

    Raises:
        ArithmeticError, ValueError: The result is too far from what is known.
    """
    shares = [1.0 / (1.0 + noise * precision) for precision, _ in known]
    performances = [
        (share * precision, share * weighted)
        for share, (precision, weighted) in zip(shares, known, strict=True)
    ]
    groups, first = [], 0
    for size in sizes:
        groups.append(performances[first : first + size])
        first += size
    together: list[Known] = []
    for group in groups:
        mean = doubt = 0.0
        for precision, weighted in group:
            mean += weighted / precision
            doubt += 1 / precision
        together.append((1.0 / doubt, 1.0 / doubt * mean))
    found: list[Known] = []
    for group, own, (whole, whole_weighted) in zip(
        groups, together, _ranked(together, ties, margins), strict=True
    ):
        told = (whole - own[0], whole_weighted - own[1])
        for precision, weighted in _shared(group, told):
            share = 1.0 / (1.0 + noise * precision)
            found.append((share * precision, share * weighted))
    return found


def _shared(group: Sequence[Known], told: Known) -> list[Known]:
    """What is told of a group's performance, told of the performance of each that plays in it."""
    mean, doubt = _mean(*told), _inverse(told[0])
    if len(group) == 1:
        ((own, own_weighted),) = group
        precision = 1.0 / doubt
        # Rounded as it is when it is taken out again of all that is known of the performance.
        return [((own + precision) - own, (own_weighted + precision * mean) - own_weighted)]
    parts = [(weighted / precision, 1.0 / precision) for precision, weighted in group]
    found = []
    for place, (own, own_weighted) in enumerate(group):
        mean_left = doubt_left = 0.0
        for other, (other_mean, other_doubt) in enumerate(parts):
            if other == place:
                mean_left += mean
                doubt_left += doubt
            else:
                mean_left -= other_mean
                doubt_left += other_doubt
        precision = 1.0 / doubt_left
        weighted = precision * mean_left
        all_known = (own + precision, own_weighted + weighted)
        found.append((all_known[0] - own, all_known[1] - own_weighted))
        left, left_weighted = all_known[0] - precision, all_known[1] - weighted
        parts[place] = (left_weighted / left, 1.0 / left)
    return found


def _ranked(together: Sequence[Known], ties: Sequence[bool], margins: Sequence[float]) -> list[Known]:
    """All that is known of the performance of each group once the ranking is."""
    last = len(together) - 2
    whole = [precision for precision, _ in together]
    whole_weighted = [weighted for _, weighted in together]
    # What is said of each by its difference to the next better one, and to the next worse one.
    above, above_weighted = [0.0] * (last + 2), [0.0] * (last + 2)
    below, below_weighted = [0.0] * (last + 2), [0.0] * (last + 2)
    # Of the differences of neighbours: all that is known, what the two performances say, and what the result does.
    gap, gap_weighted = [0.0] * (last + 1), [0.0] * (last + 1)
    played, played_weighted = [0.0] * (last + 1), [0.0] * (last + 1)
    told, told_weighted = [0.0] * (last + 1), [0.0] * (last + 1)
    # Down the ranking and up again; the ends tell the last ones beyond them when all else is said.
    route = [(0, _NOWHERE)] if last == 0 else _ROUTES[last]
    for _ in range(_MOST_PASSES):
        moved = 0.0
        for place, goes_on in route:
            under = place + 1
            upper = whole[place] - below[place]
            upper_mean = (whole_weighted[place] - below_weighted[place]) / upper
            lower = whole[under] - above[under]
            lower_mean = (whole_weighted[under] - above_weighted[under]) / lower
            precision = 1.0 / (1 / upper + 1 / lower)
            weighted = precision * (upper_mean - lower_mean)
            before = gap[place] - played[place] + precision
            before_weighted = gap_weighted[place] - played_weighted[place] + weighted
            played[place], played_weighted[place] = precision, weighted

            said, said_weighted = told[place], told_weighted[place]
            precision, weighted = before - said, before_weighted - said_weighted
            root = sqrt(precision)
            if ties[place]:
                v, w = _drawn(weighted / root, margins[place] * root)
            else:
                x = weighted / root - margins[place] * root
                chance = 0.5 * erfc(-x / _ROOT)
                v = exp(-x * x / 2) / _DENSITY / chance if chance else -x
                w = v * (v + x)
                if not 0 < w < 1:
                    raise FloatingPointError("a result is too far from what is known")
            left = 1.0 - w
            gap[place] = precision = precision / left
            gap_weighted[place] = weighted = (weighted + root * v) / left
            told[place] = precision + said - before
            told_weighted[place] = weighted + said_weighted - before_weighted
            moved = max(moved, abs(before_weighted - weighted), sqrt(abs(before - precision)))

            if goes_on == _NOWHERE:
                continue
            result = precision - played[place]
            doubt = 1.0 / result if result else inf
            mean = (weighted - played_weighted[place]) / result if result else 0.0
            if goes_on == _TO_WORSE:
                precision = 1.0 / (1.0 / upper + doubt)
                weighted = precision * (upper_mean - mean)
                whole[under] = whole[under] - above[under] + precision
                whole_weighted[under] = whole_weighted[under] - above_weighted[under] + weighted
                above[under], above_weighted[under] = precision, weighted
            else:
                precision = 1.0 / (doubt + 1.0 / lower)
                weighted = precision * (mean + lower_mean)
                whole[place] = whole[place] - below[place] + precision
                whole_weighted[place] = whole_weighted[place] - below_weighted[place] + weighted
                below[place], below_weighted[place] = precision, weighted
        if moved <= _STILL:
            break

    result, result_weighted = gap[0] - played[0], gap_weighted[0] - played_weighted[0]
    lower, lower_weighted = whole[1] - above[1], whole_weighted[1] - above_weighted[1]
    precision = 1.0 / (_inverse(result) + 1.0 / lower)
    weighted = precision * (_mean(result, result_weighted) + lower_weighted / lower)
    whole[0] = whole[0] - below[0] + precision
    whole_weighted[0] = whole_weighted[0] - below_weighted[0] + weighted
    if last == 0:
        below[0], below_weighted[0] = precision, weighted
    result, result_weighted = gap[last] - played[last], gap_weighted[last] - played_weighted[last]
    upper, upper_weighted = whole[last] - below[last], whole_weighted[last] - below_weighted[last]
    precision = 1.0 / (1.0 / upper + _inverse(result))
    weighted = precision * (upper_weighted / upper - _mean(result, result_weighted))
    whole[-1] = whole[-1] - above[-1] + precision
    whole_weighted[-1] = whole_weighted[-1] - above_weighted[-1] + weighted
    return list(zip(whole, whole_weighted, strict=True))


class _Routes(dict[int, list[tuple[int, int]]]):
    """The way of one pass, by the number of the last difference."""

    def __missing__(self, last: int) -> list[tuple[int, int]]:
        down = [(place, _TO_WORSE) for place in range(last)]
        self[last] = [*down, *((place, _TO_BETTER) for place in range(last, 0, -1))]
        return self[last]


_ROUTES = _Routes()


def _drawn(difference: float, margin: float) -> Known:
    """By how much a tie moves the mean of a difference, and narrows it; all in its deviations."""
    apart = abs(difference)
    high, low = margin - apart, -margin - apart
    chance = 0.5 * erfc(-high / _ROOT) - 0.5 * erfc(-low / _ROOT)
    if not chance:
        raise FloatingPointError("a result is too far from what is known")
    at_high, at_low = exp(-high * high / 2) / _DENSITY, exp(-low * low / 2) / _DENSITY
    v = (at_low - at_high) / chance
    w = v**2 + (high * at_high - low * at_low) / chance
    return (-v if difference < 0 else v), w


def _inverse(precision: float) -> float:
    return 1.0 / precision if precision else inf


def _mean(precision: float, weighted: float) -> float:
    return weighted / precision if precision else 0.0
