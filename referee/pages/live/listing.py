"""The list of games: which are asked for, and a page of them.

Owns what an address of the list and of a game says. Reads no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import quote, urlencode

from referee.pages.archive import note_of
from referee.report.tables import count
from referee.standings import groups_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.pages.live.watch import Snapshot
    from referee.stored import StoredGame

__all__ = ["Found", "Line", "Place", "Seat", "Wanted", "address_of", "found_games", "place_of"]

#: Lines of a page.
LINES: Final = 50
_NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)
_GAME: Final = re.compile(r"(.+)/(\d{1,9})/(\d{1,9})", re.ASCII | re.DOTALL)
#: Competition, board and seating.
Place = tuple[str, int, int]


def place_of(name: str) -> Place | None:
    """The place that a name of a game says; None where it is no name of one."""
    parts = _GAME.fullmatch(name)
    return None if parts is None else (parts[1], int(parts[2]), int(parts[3]))


def address_of(name: str) -> str:
    """The address of the page of a game."""
    return f"/games/{quote(name, safe='/')}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games are asked for; what an address does not say, or says wrongly, is not asked.

    Args:
        competition, entrant: Only those of it; empty: of all.
        board: Only those of this board.
        marked: Only those with faults or rulings.
        page: Which page of them, from 0.
    """

    competition: str = ""
    entrant: str = ""
    board: int | None = None
    marked: bool = False
    page: int = 0

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """What an address asks for."""
        board, page = (_number(query.get(name, "")) for name in ("board", "page"))
        return cls(
            query.get("competition", ""),
            query.get("entrant", ""),
            board,
            query.get("marked", "") == "1",
            page or 0,
        )

    @property
    def query(self) -> str:
        """The same as part of an address, with its question mark; empty where nothing is asked."""
        said = {
            "competition": self.competition,
            "entrant": self.entrant,
            "board": "" if self.board is None else str(self.board),
            "marked": "1" if self.marked else "",
            "page": str(self.page) if self.page else "",
        }
        text = urlencode({name: value for name, value in said.items() if value})
        return f"?{text}" if text else ""


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a game."""

    entrant: str
    score: str
    is_best: bool
    is_forfeited: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One game of the list."""

    name: str
    address: str
    seats: tuple[Seat, ...]
    marks: str


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the list.

    Args:
        lines: The games, the latest first.
        first: How many games stand before them.
        total: How many are asked for.
        before, after: Addresses of the neighbours; None at the ends.
    """

    lines: tuple[Line, ...]
    first: int
    total: int
    before: str | None
    after: str | None


def found_games(snapshot: Snapshot, wanted: Wanted) -> Found:
    """The page of games that is asked for."""
    fits = _filter(snapshot, wanted)
    games = snapshot.games
    places = [number for number in range(len(games) - 1, -1, -1) if fits(games[number])]
    last = max(0, (len(places) - 1) // LINES)
    page = min(wanted.page, last)
    first = page * LINES
    around = {number: f"/games{replace(wanted, page=number).query}" for number in (page - 1, page + 1)}
    groups = {one.name: groups_of(one) for one in snapshot.store.competitions}
    query = replace(wanted, page=page).query
    return Found(
        tuple(
            _line(snapshot, games[number], groups[games[number].competition], query)
            for number in places[first : first + LINES]
        ),
        first,
        len(places),
        around[page - 1] if page > 0 else None,
        around[page + 1] if page < last else None,
    )


def _filter(snapshot: Snapshot, wanted: Wanted) -> Callable[[StoredGame], bool]:
    def fits(game: StoredGame) -> bool:
        return (
            (not wanted.competition or game.competition == wanted.competition)
            and (not wanted.entrant or wanted.entrant in game.seats)
            and (wanted.board is None or game.board == wanted.board)
            and (not wanted.marked or _is_marked(snapshot, game))
        )

    return fits


def _is_marked(snapshot: Snapshot, game: StoredGame) -> bool:
    return bool(game.faults or game.forfeits or _note(snapshot, game))


def _note(snapshot: Snapshot, game: StoredGame) -> str:
    return note_of(game, snapshot.results, is_counted=snapshot.as_ruled(game) is not None)


def _line(snapshot: Snapshot, game: StoredGame, groups: tuple[tuple[int, ...], ...], query: str) -> Line:
    forfeits = (snapshot.as_ruled(game) or game).forfeits
    scores = game.scores
    if len(scores) != len(game.seats):
        of_seat = {seat: scores[number] for number, group in enumerate(groups) for seat in group}
        scores = tuple(of_seat[seat] for seat in range(len(game.seats)))
    best = max(scores)
    seats = tuple(
        Seat(entrant, f"{score:+d}" if score else "0", score == best, seat in forfeits)
        for seat, (entrant, score) in enumerate(zip(game.seats, scores, strict=True))
    )
    faults = [count(game.faults, "fault")] if game.faults else []
    note = _note(snapshot, game)
    return Line(
        game.name, address_of(game.name) + query, seats, "; ".join([*faults, *([note] if note else [])])
    )
