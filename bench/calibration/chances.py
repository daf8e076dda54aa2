"""Is who is called better with 80 % better in 80 of 100 cases?

Pairs stand in the order of their names, which says nothing of their strengths, so the bins are filled evenly and each
pair is counted once.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from bench.calibration.finding import Finding, share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bench.calibration.coverage import Case

__all__ = ["BINS", "superiority_bins"]

BINS = 10


def superiority_bins(
    source: str, cases: Iterable[Case], within: float | None, bins: int = BINS
) -> list[Finding]:
    """Compare what was said of pairs with what was so, in some bins.

    Args:
        source: Where the chances come from.
        cases: Tournaments.
        within: How far the share may be from what was said, in percentage points; None: it is not judged.
        bins: How many.
    """
    said: list[list[float]] = [[] for _ in range(bins)]
    better: list[int] = [0] * bins
    for case in cases:
        for first, second in combinations(sorted(case.strengths), 2):
            chance = case.chances.get((first, second))
            if chance is None:
                continue
            number = min(int(chance * bins), bins - 1)
            said[number].append(chance)
            better[number] += case.strengths[first] > case.strengths[second]
    findings = []
    for number, (chances, hits) in enumerate(zip(said, better, strict=True)):
        if not chances:
            continue
        expected = 100 * sum(chances) / len(chances)
        findings.append(
            share(
                "likelihood of superiority",
                f"{source}: {100 * number // bins} to {100 * (number + 1) // bins} %",
                hits,
                len(chances),
                (None, None)
                if within is None
                else (max(0.0, expected - within), min(100.0, expected + within)),
                note=f"said {expected:.1f}",
            )
        )
    return findings
