"""The tables of a store as they are today; how they came to be is in `referee.migrations`.

Owns the columns and nothing else: `referee.store` is the only one that reads and writes them. Lists of numbers are
JSON text, so that any SQLite shell can read them.
"""

from sqlmodel import Field, SQLModel

__all__ = ["CompetitionRow", "EntrantRow", "FaultRow", "GameRow", "RulingRow", "RunRow", "TournamentRow"]


class TournamentRow(SQLModel, table=True):
    """The tournament, one row. `master_seed` is secret until `revealed`."""

    __tablename__ = "tournament"

    id: int = Field(primary_key=True)
    format: int
    program: str
    created: float
    config: str
    identity: str
    commitment: str
    master_seed: bytes = Field(repr=False)
    revealed: bool


class CompetitionRow(SQLModel, table=True):
    """One competition; `variant` is a JSON object."""

    __tablename__ = "competition"

    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    game: str
    variant: str
    seatings: int


class EntrantRow(SQLModel, table=True):
    """One entrant."""

    __tablename__ = "entrant"

    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    files_hash: str


class GameRow(SQLModel, table=True):
    """One finished game; `seats` and `forfeits` count entrants by id and seats by number.

    `record` stands last, so that reading the others does not touch its pages.
    """

    __tablename__ = "game"

    competition: int = Field(primary_key=True, foreign_key="competition.id")
    board: int = Field(primary_key=True)
    seating: int = Field(primary_key=True)
    seats: str
    scores: str
    forfeits: str
    faults: int
    charged_ms: str
    decisions: str
    record: bytes = Field(repr=False)


class FaultRow(SQLModel, table=True):
    """One fault; without board, seating and decision when it happened at no table."""

    __tablename__ = "fault"

    id: int | None = Field(default=None, primary_key=True)
    competition: int = Field(foreign_key="competition.id", index=True)
    board: int | None
    seating: int | None
    entrant: int = Field(foreign_key="entrant.id")
    seat: int
    cause: str
    deal: int | None
    action: int | None
    turn: int | None
    message: str
    view: str
    stderr_tail: str


class RulingRow(SQLModel, table=True):
    """One ruling of the organiser's; none is ever changed or deleted.

    `fault` counts the faults of the game from 0. `marks` has for each competition, by id, how many games of it were
    stored when the ruling was made.
    """

    __tablename__ = "ruling"

    id: int = Field(primary_key=True)
    kind: str
    competition: int | None = Field(foreign_key="competition.id")
    board: int | None
    seating: int | None
    fault: int | None
    entrant: int | None = Field(foreign_key="entrant.id")
    revokes: int | None = Field(foreign_key="ruling.id")
    reason: str
    made_at: str
    marks: str


class RunRow(SQLModel, table=True):
    """One run of the program on this store, or one ruling; `ended` is empty while it runs and where it was killed."""

    __tablename__ = "run"

    id: int | None = Field(default=None, primary_key=True)
    pid: int
    host: str
    started: float
    ended: float | None = None
