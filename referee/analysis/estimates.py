"""Means over deals and differences on the same cards, with standard errors that come from boards.

Owns the arithmetic: every figure is a ratio of two sums over deals (points and deals, points and tricks), and how
sure it is follows from how its boards differ (linearised ratio of sums, boards as clusters). Deals of one board are
never counted as independent. What cannot be estimated is None, never nan and never 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.statistics import t_cdf

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LEAST_BOARDS", "Gap", "Value", "gap", "value"]

#: A standard error from fewer boards is off by more than a third.
LEAST_BOARDS = 5
#: A smaller error is rounding: all boards are equal, which says nothing of how sure a figure is.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Value:
    """What one entrant got.

    Args:
        mean: Over its deals.
        error: Standard error; None from fewer than `LEAST_BOARDS` boards, and from boards that are all equal.
        boards, deals: How many it comes from.
    """

    mean: float
    error: float | None
    boards: int
    deals: int


@dataclass(frozen=True, slots=True)
class Gap:
    """What one entrant got more than the mean of the others, on the same cards.

    Args:
        mean: The difference.
        field: The others' mean there; the entrant's own there is ``field + mean``.
        error: Standard error; None from fewer than `LEAST_BOARDS` boards, and from boards that are all equal.
        boards, deals: How many boards it comes from, and how many deals of the entrant could be compared.
        p_value: Chance of a difference so large, either way, between equals; None where there is no error.
        adjusted: The p value that holds for all differences of the entrant at once (Holm); None before it is known.
    """

    mean: float
    field: float
    error: float | None
    boards: int
    deals: int
    p_value: float | None
    adjusted: float | None = None

    @property
    def sure(self) -> bool:
        """Whether it is more than chance: p < 0.05 after Holm."""
        return self.adjusted is not None and self.adjusted < 0.05


def value(boards: Sequence[tuple[float, float, float]]) -> Value | None:
    """The ratio of two sums over boards; None where the second one is zero.

    Args:
        boards: For each board what is summed, what it is divided by, and the number of deals.
    """
    above = math.fsum(one for one, _, _ in boards)
    below = math.fsum(one for _, one, _ in boards)
    if not below:
        return None
    mean = above / below
    error = _error([(top - mean * bottom) / below for top, bottom, _ in boards])
    return Value(mean, error, len(boards), round(math.fsum(deals for _, _, deals in boards)))


def gap(boards: Sequence[tuple[float, float, float, float, float]]) -> Gap | None:
    """The difference of two ratios of sums over the same boards; None where one of them has no deals.

    Args:
        boards: For each board what is summed and what it is divided by, of the entrant and then of the others, and
            the number of the entrant's deals.
    """
    above, below, other_above, other_below, deals = (
        (math.fsum(column) for column in zip(*boards, strict=True)) if boards else (0.0,) * 5
    )
    if not below or not other_below:
        return None
    own, field = above / below, other_above / other_below
    error = _error(
        [
            (top - own * bottom) / below - (other_top - field * other_bottom) / other_below
            for top, bottom, other_top, other_bottom, _ in boards
        ]
    )
    chance = None if error is None else t_cdf((own - field) / error, len(boards) - 1)
    return Gap(
        mean=own - field,
        field=field,
        error=error,
        boards=len(boards),
        deals=round(deals),
        p_value=None if chance is None else 2 * min(chance, 1 - chance),
    )


def _error(residuals: Sequence[float]) -> float | None:
    """The standard error of a sum of independent parts, of which each board's share has its mean taken off."""
    boards = len(residuals)
    if boards < LEAST_BOARDS:
        return None
    found = math.sqrt(math.fsum(one * one for one in residuals) * boards / (boards - 1))
    return found if found > _ROUNDING else None
