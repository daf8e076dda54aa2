"""What the soak concludes from what it saw: whether each fault has a hit that explains it, and what is flat.

Pure: knows neither processes nor a store.
"""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Claim", "Hit", "Trend", "trend", "unexplained"]

#: What each signal can make of a bot; a stopped one is late, or its stream is given up when it owes nothing.
_EXPLAINS = {"crash": "SIGKILL", "timeout": "SIGSTOP", "disconnect": "SIGSTOP"}
#: A figure is flat when its last third is at most so much above its first, by share or by a fixed amount.
_SHARE = 1.2
#: Fewer samples say nothing.
_LEAST_SAMPLES = 30


@dataclass(frozen=True, slots=True)
class Hit:
    """One signal that one bot's process got.

    Args:
        at: Seconds since the soak began.
        entrant: Whose process it was.
        signal: SIGKILL, SIGSTOP or SIGCONT.
        pid: The process.
    """

    at: float
    entrant: str
    signal: str
    pid: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that must hold, and what was found."""

    what: str
    holds: bool
    found: str


@dataclass(frozen=True, slots=True)
class Trend:
    """A figure in the first and in the last third of its samples.

    Args:
        what: The figure.
        first: Median of the first third.
        last: Median of the last third.
        most: The greatest sample.
        slack: By how much the last third may always be above the first.
        samples: How many there are.
    """

    what: str
    first: float
    last: float
    most: float
    slack: float
    samples: int

    @property
    def is_judged(self) -> bool:
        """Whether there are enough samples to tell."""
        return self.samples >= _LEAST_SAMPLES

    @property
    def is_flat(self) -> bool:
        """Whether the figure has not grown; true where too few samples say nothing."""
        return not self.is_judged or self.last <= max(self.first * _SHARE, self.first + self.slack)


def trend(what: str, samples: Sequence[float], slack: float) -> Trend:
    """Compare the thirds of samples that were taken at like ages, oldest first."""
    if not samples:
        return Trend(what, 0, 0, 0, slack, 0)
    third = max(1, len(samples) // 3)
    first, last = statistics.median(samples[:third]), statistics.median(samples[-third:])
    return Trend(what, first, last, max(samples), slack, len(samples))


def unexplained(faults: Iterable[Mapping[str, Any]], hits: Iterable[Hit]) -> list[str]:
    """What is wrong with the faults on record, in words.

    A hit ends or delays one process once, so that it explains one fault: there may be fewer faults than hits, since a
    bot that owes nothing does no harm and a game that was not yet stored is played again, but never more.

    Args:
        faults: Objects as `tourney faults --json` prints them.
        hits: All hits of the soak.
    """
    got = Counter((hit.entrant, hit.signal) for hit in hits)
    made = Counter((fault["bot"], _EXPLAINS.get(fault["cause"], fault["cause"])) for fault in faults)
    wrong = []
    for (entrant, signal), number in sorted(made.items()):
        if number > got[entrant, signal]:
            wrong.append(f"{entrant}: {number} faults by {signal}, {got[entrant, signal]} hits")
    return wrong
