"""The one module that knows the `trueskill` package: ratings in, ratings out, nothing global.

Owns the exact normal distribution that the package is given, and its types and errors, which go no further. Where
many matches are rated, `referee.rating_kernel` does what the package does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from trueskill import Rating as PackageRating, TrueSkill

from referee.rating_kernel import opinions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.rating_kernel import Known

__all__ = ["Environment", "Rating", "RatingFailed"]


class RatingFailed(ArithmeticError):
    """A result lies so far from the ratings that no number can hold its chance."""


class Rating(NamedTuple):
    """What is known of a skill: its mean and its standard deviation."""

    mu: float
    sigma: float


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _pdf(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True)
class Environment:
    """The assumptions of a rating.

    Args:
        mu: Mean of the prior.
        sigma: Deviation of the prior.
        beta: Deviation of one performance from the skill.
        tau: Deviation of the skill's drift before each match.
        draw_probability: Chance of a tie between equals; above 0 wherever ties can happen.
    """

    mu: float = 25.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    tau: float = 25 / 300
    draw_probability: float = 0.10
    _package: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        package = TrueSkill(
            mu=self.mu,
            sigma=self.sigma,
            beta=self.beta,
            tau=self.tau,
            draw_probability=self.draw_probability,
            backend=(_cdf, _pdf, NormalDist().inv_cdf),
        )
        object.__setattr__(self, "_package", package)

    @property
    def prior(self) -> Rating:
        """The rating of an entrant that has not played."""
        return Rating(self.mu, self.sigma)

    def rate(self, groups: Sequence[Sequence[Rating]], ranks: Sequence[float]) -> list[list[Rating]]:
        """Rate one match.

        Args:
            groups: Ratings of those that play together, at least two groups.
            ranks: One for each group, lower is better, equal is a tie.

        Raises:
            RatingFailed: The result is too far from the ratings.
        """
        try:
            rated = self._package.rate(
                [tuple(PackageRating(*rating) for rating in group) for group in groups], ranks
            )
        except (ArithmeticError, ValueError) as error:
            raise RatingFailed("a result is too far from the ratings") from error
        if not all(
            math.isfinite(rating.mu) and 0 < rating.sigma < math.inf for group in rated for rating in group
        ):
            raise RatingFailed("a result is too far from the ratings")
        return [[Rating(rating.mu, rating.sigma) for rating in group] for group in rated]

    def opinions(self, known: Sequence[Known], sizes: Sequence[int], ties: Sequence[bool]) -> list[Known]:
        """What a match alone says of each entrant: what `rate` takes for granted, taken from what it gives.

        Args:
            known: Precision, and mean times precision, of all entrants: those that play together one after another,
                better groups first.
            sizes: How many each group has; at least two groups.
            ties: For each group but the last, whether the next one is as good.

        Raises:
            RatingFailed: The result is too far from the ratings.
        """
        if self.tau:
            return self._drifted(known, sizes, ties)
        margins = [_margin(self.draw_probability, one + other, self.beta) for one, other in pairwise(sizes)]
        try:
            found = opinions(known, sizes, ties, margins, self.beta * self.beta)
        except (ArithmeticError, ValueError) as error:
            raise RatingFailed("a result is too far from the ratings") from error
        for (precision, weighted), (said, said_weighted) in zip(known, found, strict=True):
            if not (0 < precision + said < math.inf and math.isfinite(weighted + said_weighted)):
                raise RatingFailed("a result is too far from the ratings")
        return found

    def _drifted(self, known: Sequence[Known], sizes: Sequence[int], ties: Sequence[bool]) -> list[Known]:
        groups, first, ranks = [], 0, [0]
        for size in sizes:
            groups.append([Rating(weighted / p, p**-0.5) for p, weighted in known[first : first + size]])
            first += size
        for tie in ties:
            ranks.append(ranks[-1] + (not tie))
        rated = [(sigma**-2, mu * sigma**-2) for group in self.rate(groups, ranks) for mu, sigma in group]
        return [(p - old, w - old_w) for (p, w), (old, old_w) in zip(rated, known, strict=True)]

    def quality(self, groups: Sequence[Sequence[Rating]]) -> float:
        """How even a match is: from 0 to 1, the chance of a draw beside that of a match between equals.

        Args:
            groups: Ratings of those that play together, at least two groups.
        """
        return float(
            self._package.quality([tuple(PackageRating(*rating) for rating in group) for group in groups])
        )


@lru_cache(maxsize=64)
def _margin(draw_probability: float, size: int, beta: float) -> float:
    """By how much the better of two groups, so many together, must be better for no tie."""
    return NormalDist().inv_cdf((draw_probability + 1) / 2) * math.sqrt(size) * beta
