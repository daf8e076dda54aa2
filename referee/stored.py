"""What a store gives: plain values without a trace of the database."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CompetitionInfo",
    "EntrantInfo",
    "RunInfo",
    "StoredFault",
    "StoredGame",
    "TournamentInfo",
    "place_named",
]

#: Whether there is a board of this number is another question.
_GAME_NAME = re.compile(r"(.*)/(-?[0-9]{1,40})/(-?[0-9]{1,40})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CompetitionInfo:
    """One competition.

    Args:
        name: Its name in the tournament's file.
        game: Name of the game.
        variant: Its options.
        seatings: How many seatings a board has.
    """

    name: str
    game: str
    variant: Mapping[str, object]
    seatings: int


@dataclass(frozen=True, slots=True)
class EntrantInfo:
    """One entrant and the hash of its files, empty where it names none."""

    name: str
    files_hash: str = ""


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    """What a store says of its tournament.

    Args:
        program: Name and version of the program that made the store.
        created: Seconds since 1970.
        config: The text of the tournament's file.
        identity: Hash of all that identifies the tournament.
        commitment: Hash by which the master seed was promised.
        revealed_seed: The master seed once it may be known, else None.
    """

    program: str
    created: float
    config: str
    identity: str
    commitment: str
    revealed_seed: bytes | None


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run of the program on a store.

    Args:
        pid, host: Its process.
        started, ended: Seconds since 1970; `ended` is None while it goes on, and where it was killed.
        has_lock: Whether it did not end, and the store's lock is there; a killed one leaves that of a file behind.
    """

    pid: int
    host: str
    started: float
    ended: float | None
    has_lock: bool


@dataclass(frozen=True, slots=True)
class StoredGame:
    """One finished game without its record.

    Args:
        competition: Name of the competition.
        board: Number of the board in its competition.
        seating: Number of the seating of this board.
        seats: Entrants by seat.
        scores: Final scores as the game writes them.
        forfeits: Seats whose game is forfeited.
        faults: How many faults the game had.
        charged_ms: Thinking time charged to each seat.
        decisions: Questions asked of each seat.
    """

    competition: str
    board: int
    seating: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    forfeits: tuple[int, ...]
    faults: int
    charged_ms: tuple[float, ...]
    decisions: tuple[int, ...]

    @property
    def name(self) -> str:
        """COMPETITION/BOARD/SEATING."""
        return f"{self.competition}/{self.board}/{self.seating}"


@dataclass(frozen=True, slots=True)
class StoredFault:
    """One fault; board, seating, number, deal, action and turn are None when it happened at no table.

    Its number is its place among the faults of its game, from 0.
    """

    competition: str
    board: int | None
    seating: int | None
    number: int | None
    entrant: str
    seat: int
    cause: str
    deal: int | None
    action: int | None
    turn: int | None
    message: str
    view: str = field(repr=False)
    stderr_tail: str = field(repr=False)

    @property
    def game(self) -> str | None:
        """COMPETITION/BOARD/SEATING; None at no table."""
        return None if self.board is None else f"{self.competition}/{self.board}/{self.seating}"


def place_named(name: str) -> tuple[str, int, int] | None:
    """Competition, board and seating of a game's name, COMPETITION/BOARD/SEATING; None where it is none."""
    found = _GAME_NAME.fullmatch(name)
    return None if found is None else (found[1], int(found[2]), int(found[3]))
