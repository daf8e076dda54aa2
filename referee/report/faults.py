"""Faults for the terminal and for programs: who did what, where, on which question, and what it wrote last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from referee.report.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from referee.stored import StoredFault

__all__ = ["fault_json", "fault_text", "faults_table", "game_of_fault"]


def game_of_fault(fault: StoredFault) -> str:
    """COMPETITION/BOARD/SEATING, or the competition alone for a fault at no table."""
    if fault.board is None or fault.seating is None:
        return fault.competition
    return f"{fault.competition}/{fault.board}/{fault.seating}"


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
            game_of_fault(fault),
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
        f"{game_of_fault(fault)}: {fault.entrant}, seat {fault.seat}, {at}: {fault.cause}",
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
        "game": None if fault.board is None else game_of_fault(fault),
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
