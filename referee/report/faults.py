"""Faults for the terminal and for programs: who did what, where, on which question, and what it wrote last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from referee.report.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from referee.stored import StoredFault

__all__ = ["fault_json", "fault_text", "faults_table"]


def faults_table(faults: Iterable[StoredFault], *, narrow: bool = False) -> Table:
    """A line for each fault."""
    table = plain_table(narrow=narrow)
    for head in ("game", "bot", "seat", "cause", "deal", "turn", "what happened"):
        table.add_column(
            head, overflow="fold", justify="right" if head in {"seat", "deal", "turn"} else "left"
        )
    for fault in faults:
        place = (fault.deal, fault.turn)
        table.add_row(
            fault.game or fault.competition,
            fault.entrant,
            str(fault.seat),
            fault.cause,
            *("" if number is None else str(number) for number in place),
            fault.message,
        )
    return table


def fault_text(fault: StoredFault) -> str:
    """All that is known of one fault: the question as JSON, and the end of what the bot wrote."""
    at = "at no table" if fault.turn is None else f"deal {fault.deal}, turn {fault.turn}"
    lines = [
        f"{fault.game or fault.competition}: {fault.entrant}, seat {fault.seat}, {at}: {fault.cause}",
        f"  {fault.message}",
    ]
    if fault.view:
        lines += ["  It was asked:", *_indented(fault.view)]
    if fault.stderr_tail.strip():
        lines += ["  It wrote last:", *_indented(fault.stderr_tail.rstrip("\n"))]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def fault_json(fault: StoredFault) -> dict[str, object]:
    """One fault as an object; what does not apply is null."""
    return {
        "game": fault.game,
        "competition": fault.competition,
        "bot": fault.entrant,
        "seat": fault.seat,
        "cause": fault.cause,
        "deal": fault.deal,
        "action": fault.action,
        "turn": fault.turn,
        "message": fault.message,
        "view": json.loads(fault.view) if fault.view else None,
        "stderr_tail": fault.stderr_tail,
    }
