"""The verdicts of `tourney verify` on files of records.

A file that cannot be read is an error of the caller's; a line that is no record is a verdict on that record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.record import GameRecord, RecordError
from cardtable.replay import Replayed, ReplayError, replay
from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["UnreadableError", "verdict_text", "verdicts"]


class UnreadableError(RefereeError):
    """The file cannot be read; the message is one line and names it."""


def verdicts(path: Path) -> Iterator[Replayed]:
    """Replay every record of a file of JSON Lines; blank lines are passed over.

    Raises:
        UnreadableError: The file is missing, may not be read, or is no UTF-8 text.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield _verdict(line)
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: no UTF-8 text: {error.reason}") from None


def _verdict(line: str) -> Replayed:
    try:
        record = GameRecord.from_line(line)
    except RecordError as error:
        return Replayed(ReplayError("format", str(error)))
    return replay(record)


def verdict_text(number: int, verdict: Replayed) -> str:
    """The verdict on one record for people: `ok` with the scores after each deal, or the first fault."""
    after = "; ".join(
        ("void " if deal.void else "") + " ".join(map(str, deal.scores_after)) for deal in verdict.deals
    )
    if verdict.ok:
        end = "over" if verdict.state is not None and verdict.state.is_over else "not over"
        return f"game {number}: ok, {end}; scores after each deal: {after or 'none yet'}"
    legal = f"; legal there: {' '.join(verdict.legal)}" if verdict.legal else ""
    return f"game {number}: wrong: {verdict.error}{legal}"
