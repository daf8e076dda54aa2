"""`tourney check`: is a bot fit for a tournament? The checks are the library's, `cardtable.conformance`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from cardtable.conformance import CommandError, Limits, check_lines, ending_lines, examine, program_of
from referee.errors import RefereeError

if TYPE_CHECKING:
    from cardtable.conformance import Check

__all__ = ["check_command"]


def check_command(command: str, *, game: str | None, games: int, move_ms: int, as_json: bool) -> int:
    """Check the bot of a command, print what was found and return the status.

    Raises:
        RefereeError: The command names nothing that could be started.
    """

    def tell(check: Check) -> None:
        if not as_json:
            print(check_lines(check), flush=True)

    try:
        report = examine(
            program_of(command), limits=replace(Limits(), move_ms=move_ms), game=game, games=games, tell=tell
        )
    except CommandError as error:
        raise RefereeError(str(error)) from None
    print(json.dumps(report.as_json(), ensure_ascii=False) if as_json else ending_lines(report))
    return 0 if report.is_ok else 1
