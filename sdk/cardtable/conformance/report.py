"""What a check found: values, as text and as JSON. Judges nothing itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Final

__all__ = ["Check", "Figures", "Outcome", "Report", "Shortcoming", "check_lines", "ending_lines"]

_WORDS: Final = {"ok": "ok", "failed": "FAIL", "note": "note"}
_NAME_WIDTH: Final = 22


class Shortcoming(Exception):
    """The bot does not do what it should, and the check cannot go on.

    Args:
        found: One line: what happened.
        advice: One line: what to change.
    """

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(found)
        self.found = found
        self.advice = advice


class Outcome(Enum):
    """How a check ended."""

    OK = "ok"
    FAILED = "failed"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Args:
        name: What was looked at.
        outcome: How it ended; a note is neither good nor bad.
        found: One line: what was found.
        advice: One line: what to change; only where it failed.
    """

    name: str
    outcome: Outcome
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured over all processes of the bot; None where nothing was.

    Args:
        decisions: How many answers the think time is made of; the first of each process are left out.
        think_p50_ms: Half of the decisions took no longer.
        think_p95_ms: 95 of 100 took no longer.
        think_max_ms: The longest one.
        memory_mb: The most that a process and all that it started had in memory at once.
    """

    decisions: int = 0
    think_p50_ms: float | None = None
    think_p95_ms: float | None = None
    think_max_ms: float | None = None
    memory_mb: float | None = None

    @classmethod
    def of(cls, think_ms: list[float], memory_mb: float | None) -> Figures:
        """The figures of these decisions."""
        times = sorted(think_ms)
        if not times:
            return cls(memory_mb=memory_mb)
        return cls(len(times), _at(times, 0.5), _at(times, 0.95), times[-1], memory_mb)


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found of one bot.

    Args:
        command: How it was started.
        checks: In the order in which they were made.
        figures: What was measured.
    """

    command: tuple[str, ...]
    checks: tuple[Check, ...]
    figures: Figures

    @property
    def is_ok(self) -> bool:
        """Whether no check failed."""
        return all(check.outcome is not Outcome.FAILED for check in self.checks)

    def as_json(self) -> dict[str, object]:
        """The report for a program."""
        return {
            "command": list(self.command),
            "ok": self.is_ok,
            "checks": [
                {
                    "name": check.name,
                    "outcome": check.outcome.value,
                    "found": check.found,
                    "advice": check.advice or None,
                }
                for check in self.checks
            ],
            "figures": asdict(self.figures),
        }


def check_lines(check: Check) -> str:
    """One line for a check, and below it what to change."""
    line = f"{_WORDS[check.outcome.value]:<5} {check.name:<{_NAME_WIDTH}} {check.found}"
    return f"{line}\n{'':>6}-> {check.advice}" if check.advice else line


def ending_lines(report: Report) -> str:
    """The figures, and a line that sums up."""
    figures, lines = report.figures, [""]
    if figures.think_max_ms is not None:
        lines.append(
            f"think time  p50 {figures.think_p50_ms:.1f} ms, p95 {figures.think_p95_ms:.1f} ms, "
            f"max {figures.think_max_ms:.1f} ms, of {figures.decisions:,} decisions"
        )
    if figures.memory_mb is not None:
        lines.append(f"memory      {figures.memory_mb:.0f} MB at the most")
    failed = sum(check.outcome is Outcome.FAILED for check in report.checks)
    judged = sum(check.outcome is not Outcome.NOTE for check in report.checks)
    if judged == 1:
        lines.append(f"The one check that could be made {'failed' if failed else 'holds'}.")
    else:
        lines.append(f"{failed} of {judged} checks failed." if failed else f"All {judged} checks hold.")
    return "\n".join(lines)


def _at(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]
