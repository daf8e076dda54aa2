"""Points per deal with standard errors, from games that were played on boards: the board is what is independent.

Owns the sums and the arithmetic. Knows no game.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

__all__ = ["Estimate", "Sums", "difference", "mean"]

Key = TypeVar("Key", bound="Hashable")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error, which is None where one board tells nothing of it."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        return f"{self.mean:.2f}" if self.error is None else f"{self.mean:.2f} ± {self.error:.2f}"


@dataclass(slots=True)
class Sums:
    """Points and deals, board by board."""

    points: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    deals: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, board: int, points: float, deals: int = 1) -> None:
        """Add what a deal of this board brought."""
        self.points[board] += points
        self.deals[board] += deals

    @property
    def total_deals(self) -> int:
        """Deals of all boards."""
        return sum(self.deals.values())

    @property
    def total_points(self) -> float:
        """Points of all boards."""
        return sum(self.points.values())

    def residuals(self, boards: Iterable[int]) -> list[float]:
        """What each board adds to the deviation of the mean: points beyond those that its deals lead to expect."""
        number = self.total_deals
        per_deal = self.total_points / number
        return [(self.points.get(one, 0.0) - per_deal * self.deals.get(one, 0)) / number for one in boards]


def mean(sums: Sums) -> Estimate | None:
    """Points per deal; None without a deal."""
    if not sums.total_deals:
        return None
    return Estimate(sums.total_points / sums.total_deals, _error(sums.residuals(sorted(sums.deals))))


def difference(mine: Sums, theirs: Sums) -> Estimate | None:
    """By how much one has more points per deal than the other, on the same boards; None where one has no deal."""
    if not mine.total_deals or not theirs.total_deals:
        return None
    boards = sorted({*mine.deals, *theirs.deals})
    parts = zip(mine.residuals(boards), theirs.residuals(boards), strict=True)
    found = mine.total_points / mine.total_deals - theirs.total_points / theirs.total_deals
    return Estimate(found, _error([one - other for one, other in parts]))


def _error(residuals: list[float]) -> float | None:
    number = len(residuals)
    if number < 2:
        return None
    return sqrt(number / (number - 1) * sum(one * one for one in residuals))
