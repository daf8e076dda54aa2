"""One line of the calibration: what was measured, and what it must be."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Finding", "share"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A measured number.

    Args:
        check: Which question it belongs to.
        what: What was measured.
        value: The number.
        error: Its standard error; None where it has none.
        cases: How many cases it comes from.
        least, most: Where it must lie; None: it is not judged on that side.
        note: What a reader should know beside it.
    """

    check: str
    what: str
    value: float
    error: float | None
    cases: int
    least: float | None = None
    most: float | None = None
    note: str = ""

    @property
    def is_judged(self) -> bool:
        """Whether it can fail."""
        return self.least is not None or self.most is not None

    @property
    def holds(self) -> bool:
        """Whether it is where it must be."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )


def share(
    check: str,
    what: str,
    hits: int,
    cases: int,
    bounds: tuple[float | None, float | None] = (None, None),
    *,
    independent: int | None = None,
    note: str = "",
) -> Finding:
    """A share of cases in percent, with its binomial error.

    Args:
        check: Which question it belongs to.
        what: What was counted.
        hits: Cases that were so.
        cases: All of them.
        bounds: Least and most, in percent.
        independent: How many of the cases can be counted as independent; None: all.
        note: What a reader should know beside it.
    """
    part = hits / cases
    error = 100 * math.sqrt(max(part * (1 - part), 1 / cases) / (independent or cases))
    return Finding(check, what, 100 * part, error, cases, *bounds, note)
