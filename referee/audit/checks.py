"""What an audit says: its checks, what they looked at and what does not hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.schedule import Certificate

__all__ = ["Audit", "Check", "Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold.

    Args:
        where: The game, board or entrant, such as ``trix/12/0``.
        what: What is there, and what should be.
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Args:
        name: One word.
        checked: How many things were compared.
        unit: What they are, in the plural.
        findings: What does not hold.
        notes: What its reader must know: what could not be checked, or is not finished.
    """

    name: str
    checked: int
    unit: str
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all that was compared holds."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Audit:
    """The audit of one store.

    Args:
        checks: In the order in which they build upon one another.
        commitment: As the store has it.
        seed: The master seed; None before it is revealed.
        certificates: How even that is which was played, by competition; none for a competition without a board.
    """

    checks: tuple[Check, ...]
    commitment: str
    seed: bytes | None
    certificates: Mapping[str, Certificate]

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return all(check.ok for check in self.checks)
