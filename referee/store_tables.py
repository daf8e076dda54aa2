"""The tables of a store as they are today; how they came to be is in `referee.migrations`.

Owns the columns and nothing else: `referee.store` is the only one that reads and writes them. Lists of numbers are
JSON text, so that any SQLite shell can read them.
"""

from functools import partial
from typing import Any

from sqlmodel import Field, SQLModel

from referee.database.columns import Number, Words

__all__ = ["CompetitionRow", "EntrantRow", "FaultRow", "GameRow", "RulingRow", "RunRow", "TournamentRow"]

_number: Any = partial(Field, sa_type=Number)
_words: Any = partial(Field, sa_type=Words)


class TournamentRow(SQLModel, table=True):
    """The tournament, one row. `master_seed` is secret until `revealed`."""

    __tablename__ = "tournament"

    id: int = _number(primary_key=True)
    format: int = _number()
    program: str = _words()
    created: float
    config: str = _words()
    identity: str = _words()
    commitment: str = _words()
    master_seed: bytes = Field(repr=False)
    revealed: bool


class CompetitionRow(SQLModel, table=True):
    """One competition; `variant` is a JSON object."""

    __tablename__ = "competition"

    id: int = _number(primary_key=True)
    name: str = _words(unique=True)
    game: str = _words()
    variant: str = _words()
    seatings: int = _number()


class EntrantRow(SQLModel, table=True):
    """One entrant."""

    __tablename__ = "entrant"

    id: int = _number(primary_key=True)
    name: str = _words(unique=True)
    files_hash: str = _words()


class GameRow(SQLModel, table=True):
    """One finished game; `seats` and `forfeits` count entrants by id and seats by number.

    `record` stands last, so that reading the others does not touch its pages.
    """

    __tablename__ = "game"

    competition: int = _number(primary_key=True, foreign_key="competition.id")
    board: int = _number(primary_key=True)
    seating: int = _number(primary_key=True)
    seats: str = _words()
    scores: str = _words()
    forfeits: str = _words()
    faults: int = _number()
    charged_ms: str = _words()
    decisions: str = _words()
    record: bytes = Field(repr=False)


class FaultRow(SQLModel, table=True):
    """One fault; without board, seating and decision when it happened at no table."""

    __tablename__ = "fault"

    id: int | None = _number(default=None, primary_key=True)
    competition: int = _number(foreign_key="competition.id", index=True)
    board: int | None = _number()
    seating: int | None = _number()
    entrant: int = _number(foreign_key="entrant.id")
    seat: int = _number()
    cause: str = _words()
    deal: int | None = _number()
    action: int | None = _number()
    turn: int | None = _number()
    message: str = _words()
    view: str = _words()
    stderr_tail: str = _words()


class RulingRow(SQLModel, table=True):
    """One ruling of the organiser's; none is ever changed or deleted.

    `fault` counts the faults of the game from 0. `marks` has for each competition, by id, how many games of it were
    stored when the ruling was made.
    """

    __tablename__ = "ruling"

    id: int = _number(primary_key=True)
    kind: str = _words()
    competition: int | None = _number(foreign_key="competition.id")
    board: int | None = _number()
    seating: int | None = _number()
    fault: int | None = _number()
    entrant: int | None = _number(foreign_key="entrant.id")
    revokes: int | None = _number(foreign_key="ruling.id")
    reason: str = _words()
    made_at: str = _words()
    marks: str = _words()


class RunRow(SQLModel, table=True):
    """One run of the program on this store, or one ruling; `ended` is empty while it runs and where it was killed."""

    __tablename__ = "run"

    id: int | None = _number(default=None, primary_key=True)
    pid: int = _number()
    host: str = _words()
    started: float
    ended: float | None = None
