"""Is the new version better? What boards between exactly two entrants say, as far as one may say it at any moment.

Owns the verdict of `tourney test`. When to stop is `referee.sequential`'s business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from referee.sequential import are_equal, confidence_sequence, sprt
from referee.statistics import board_gaps, difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.boards import Board, ScoredBy
    from referee.sequential import Sprt, StopRule
    from referee.statistics import Estimate

__all__ = ["Trial", "Verdict", "trial"]

Verdict: TypeAlias = Literal["better", "worse", "equal", "undecided"]


@dataclass(frozen=True, slots=True)
class Trial:
    """What is known of a new version beside an old one.

    Args:
        verdict: ``equal``: closer than the margin; ``undecided``: the boards say too little.
        gain: What the new one has over the old one per game, with an interval that holds however often one looked;
            None below ten boards.
        superiority: Chance that the new one is better, from these boards as if nobody had looked before; None from
            one board.
        boards: How many boards there are.
        sprt: The sequential test of a gain of the margin against none; None without a margin.
    """

    verdict: Verdict
    gain: Estimate | None
    superiority: float | None
    boards: int
    sprt: Sprt | None


def trial(boards: Sequence[Board], new: str, old: str, scored_by: ScoredBy, rule: StopRule) -> Trial:
    """Judge the new version by the boards so far.

    Args:
        boards: Complete boards of the two, in any order.
        new: The entrant that is tried.
        old: What it is compared with.
        scored_by: What is ranked.
        rule: Its alpha, and its points as the margin of what counts as equal.
    """
    gaps = board_gaps(boards, (new, old), scored_by).get((new, old), ())
    gain = confidence_sequence(gaps, rule.alpha)
    met = difference(boards, new, old, scored_by)
    verdict: Verdict = "undecided"
    if gain is not None and gain.half_width is not None:
        if are_equal(gain, rule.points):
            verdict = "equal"
        elif abs(gain.mean) > gain.half_width:
            verdict = "better" if gain.mean > 0 else "worse"
    test = None if rule.points is None else sprt(gaps, 0, rule.points, rule.alpha, rule.alpha)
    return Trial(verdict, gain, None if met is None else met.superiority, len(boards), test)
