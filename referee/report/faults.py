"""Faults for the terminal and for programs: who did what, where, on which question, and what it wrote last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from referee.report.rulings import about_fault, ruling_json, ruling_line, rulings_words
from referee.report.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from referee.joining import Ruled
    from referee.stored import StoredFault

__all__ = ["fault_json", "fault_text", "faults_table"]


def faults_table(
    faults: Iterable[StoredFault], rulings: Sequence[Ruled] = (), *, narrow: bool = False
) -> Table:
    """A line for each fault, with its number in its game; what rulings make of it stands in a column of its own."""
    table = plain_table(narrow=narrow)
    numbers = {"fault", "seat", "deal", "turn"}
    for head in ("game", "fault", "bot", "seat", "cause", "deal", "turn", "what happened"):
        table.add_column(head, overflow="fold", justify="right" if head in numbers else "left")
    if rulings:
        table.add_column("ruling", overflow="fold")
    for fault in faults:
        place = (fault.deal, fault.turn)
        table.add_row(
            fault.game or fault.competition,
            "" if fault.number is None else str(fault.number),
            fault.entrant,
            str(fault.seat),
            fault.cause,
            *("" if number is None else str(number) for number in place),
            fault.message,
            *([rulings_words(about_fault(fault, rulings))] if rulings else []),
        )
    return table


def fault_text(fault: StoredFault, rulings: Iterable[Ruled] = ()) -> str:
    """All that is known of one fault: the question as JSON, the end of what the bot wrote, and what was ruled."""
    at = "at no table" if fault.turn is None else f"deal {fault.deal}, turn {fault.turn}"
    number = "" if fault.number is None else f", fault {fault.number}"
    lines = [
        f"{fault.game or fault.competition}{number}: {fault.entrant}, seat {fault.seat}, {at}: {fault.cause}",
        f"  {fault.message}",
        *(f"  {ruling_line(one)}" for one in about_fault(fault, rulings)),
    ]
    if fault.view:
        lines += ["  It was asked:", *_indented(fault.view)]
    if fault.stderr_tail.strip():
        lines += ["  It wrote last:", *_indented(fault.stderr_tail.rstrip("\n"))]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def fault_json(fault: StoredFault, rulings: Iterable[Ruled] = ()) -> dict[str, object]:
    """One fault as an object; what does not apply is null."""
    return {
        "game": fault.game,
        "fault": fault.number,
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
        "rulings": [ruling_json(one) for one in about_fault(fault, rulings)],
    }
