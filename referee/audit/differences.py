"""What is not the same where it should be, in words: a game and its record, two boards, two tables."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING

from referee.audit.game import why_wrong

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardtable.record import GameRecord
    from referee.audit.game import Inspection
    from referee.boards import Board
    from referee.standings import Row, Standings
    from referee.stored import StoredFault, StoredGame

__all__ = ["different_boards", "different_rows", "words", "wrong_game"]

#: How far apart two numbers may be that are the same.
SAME = 1e-9


def wrong_game(
    game: StoredGame, record: GameRecord, seen: Inspection, rows: Sequence[StoredFault]
) -> Iterator[str]:
    """What does not hold of one game."""
    state = seen.replayed.state
    if not seen.replayed.ok:
        yield why_wrong(seen.replayed)
    elif state is None or not state.is_over:
        yield "the game is not over"
    elif record.scores is None:
        yield "the record has no final scores"
    elif seen.decisions != game.decisions:
        yield f"questions asked by seat are {words(game.decisions)}; the record gives {words(seen.decisions)}"
    if record.seats != game.seats:
        yield f"seats are {words(game.seats)}; the record has {words(record.seats)}"
    yield from seen.doubts
    if len(rows) != len(record.faults):
        yield f"{len(rows)} faults in the table of faults; the record has {len(record.faults)}"
        return
    for number, (row, fault) in enumerate(zip(rows, record.faults, strict=True)):
        entrant = record.seats[fault.seat] if fault.seat < len(record.seats) else None
        kept = (row.entrant, row.seat, row.cause, row.deal, row.action, row.turn, row.message)
        true = (entrant, fault.seat, fault.cause, fault.deal, fault.action, fault.turn, fault.message)
        if kept != true:
            yield f"fault {number} is {words(kept)} in the table of faults; the record has {words(true)}"


def different_boards(shown: Board, true: Board) -> str:
    """Where two totals of a board differ first."""
    for what in ("points", "places"):
        columns, records = getattr(shown, what), getattr(true, what)
        for name in sorted(columns.keys() | records.keys()):
            if columns.get(name) != records.get(name):
                return f"{what} of {name} are {columns.get(name)}; the records give {records.get(name)}"
    return "sides, faults or forfeits by the columns are not those of the records"


def different_rows(shown: Standings, true: Standings) -> Iterator[tuple[str, str]]:
    """Entrants whose ratings differ, and how."""
    rows = {row.entrant: row for row in shown.rows}
    truth = {row.entrant: row for row in true.rows}
    for name in sorted(rows.keys() | truth.keys()):
        columns, records = _numbers(rows.get(name)), _numbers(truth.get(name))
        if columns is None or records is None:
            yield name, "is rated by the columns alone" if columns else "is rated by the records alone"
        elif len(columns) != len(records) or not all(map(_same, columns, records)):
            yield name, f"mu, sigma, points are {words(columns)}; the records give {words(records)}"


def _numbers(row: Row | None) -> tuple[float | None, ...] | None:
    if row is None:
        return None
    rating = (None, None) if row.rating is None else (row.rating.mu, row.rating.sigma)
    return rating if row.per_game is None else (*rating, row.per_game.mean, row.per_game.half_width)


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=SAME, abs_tol=SAME)


def words(values: object) -> str:
    """Some values as a line shows them."""
    if isinstance(values, tuple):
        return " ".join(map(words, values)) or "none"
    if values is None:
        return "none"
    return f"{values:.10g}" if isinstance(values, float) else str(values)
