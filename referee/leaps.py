"""From the last steps of an iteration to where it leads: Anderson's acceleration.

An iteration that creeps towards its end shows in a few steps where that is. Owns how these are put together, and
knows nothing of what is iterated.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Leaps"]

#: So many differences of steps are looked at, and so many steps are made before the first leap: an iteration that is
#: quick gains nothing by leaping.
_DEPTH = 5
_FIRST = 8
#: A step that is so many times longer than the last one tells that the last leap went astray.
_ASTRAY = 3.0
#: Of the sums of squares: keeps steps that lead the same way from being told apart by their rounding.
_BLUR = 1e-10


class Leaps:
    """What is known of one iteration."""

    def __init__(self) -> None:
        self._count = 0
        self._starts: list[Sequence[float]] = []
        self._steps: list[list[float]] = []

    def beyond(self, start: Sequence[float], end: Sequence[float]) -> list[float]:
        """Where to go on after a step of the iteration: its end, or further.

        Args:
            start: Where the step began, which is what was returned last.
            end: Where it led.
        """
        step = [there - here for here, there in zip(start, end, strict=True)]
        if self._steps and _length(step) > _ASTRAY * _length(self._steps[-1]):
            self._starts, self._steps = [], []
        self._starts = [*self._starts[-_DEPTH:], start]
        self._steps = [*self._steps[-_DEPTH:], step]
        self._count += 1
        if self._count < _FIRST:
            return list(end)
        turns = [_minus(later, old) for old, later in pairwise(self._steps)]
        moves = [_minus(later, old) for old, later in pairwise(self._starts)]
        # The mixture of the last steps that comes nearest to standing still.
        table = [[_product(one, other) for other in turns] for one in turns]
        for place, row in enumerate(table):
            row[place] *= 1 + _BLUR
        shares = _solved(table, [_product(turn, step) for turn in turns])
        found = list(end)
        for share, turn, move in zip(shares, turns, moves, strict=False):
            found = [here - share * (by + more) for here, by, more in zip(found, turn, move, strict=True)]
        return found if all(map(math.isfinite, found)) else list(end)


def _length(step: Sequence[float]) -> float:
    return max(map(abs, step), default=0.0)


def _minus(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [first - second for first, second in zip(one, other, strict=True)]


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    # The same sum in every version of Python.
    return math.fsum(first * second for first, second in zip(one, other, strict=True))


def _solved(table: list[list[float]], right: list[float]) -> list[float]:
    """The unknowns of some linear equations, by elimination; none where they do not say."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(table, right, strict=True)]
    for place in range(size):
        best = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[best] = rows[best], rows[place]
        if rows[place][place] == 0:
            return []
        for row in rows[place + 1 :]:
            times = row[place] / rows[place][place]
            for column in range(place, size + 1):
                row[column] -= times * rows[place][column]
    found = [0.0] * size
    for place in reversed(range(size)):
        known = math.fsum(rows[place][column] * found[column] for column in range(place + 1, size))
        found[place] = (rows[place][size] - known) / rows[place][place]
    return found
