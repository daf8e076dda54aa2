"""From what a user names to what it is: stores, by themselves or by their tournament file."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeGuard

from referee.database.address import DatabaseUrl
from referee.errors import RefereeError
from referee.merge import read
from referee.store import Store
from referee.stored import place_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.database.address import StoreAddress
    from referee.joining import Results, Ruled
    from referee.store import CompetitionInfo

__all__ = [
    "competitions_of",
    "game_name",
    "is_store",
    "is_tournament_file",
    "logs_of",
    "open_cup",
    "path_of",
    "read_cups",
    "rulings_of",
]


def open_cup(path: StoreAddress) -> Store:
    """Open a store named by its path or by that of its tournament file.

    Raises:
        RefereeError: There is no store.
    """
    return Store.open(path_of(path))


def path_of(path: StoreAddress) -> StoreAddress:
    """The store that is named by its path or by that of its tournament file."""
    if not is_tournament_file(path):
        return path
    from referee.config import store_of

    return store_of(path)


def is_tournament_file(path: StoreAddress) -> TypeGuard[Path]:
    """Whether it is named like a tournament file."""
    return not isinstance(path, DatabaseUrl) and path.suffix == ".toml"


def logs_of(path: StoreAddress) -> Path:
    """The folder of the bots' output, of a tournament that is named by its store or by its file."""
    from referee.config import default_logs, logs_in

    return logs_in(path) if is_tournament_file(path) else default_logs(path)


def game_name(store: Store, name: str) -> tuple[str, int, int]:
    """Competition, board and seating of a game of this name.

    Raises:
        RefereeError: It is no name of a game, or the store has no such game.
    """
    place = place_named(name)
    if place is None:
        raise RefereeError(f"{name!r} is no game: a game is COMPETITION/BOARD/SEATING, such as trix/12/0")
    if not store.has(*place):
        raise RefereeError(
            f"{store.path} has no game {name}; `tourney games {store.path}` lists those it has"
        )
    return place


def read_cups(paths: Sequence[StoreAddress]) -> Results:
    """What the tables of some stores are made of, joined where there are several.

    Raises:
        RefereeError: There is no store, or two of them hold the same boards.
    """
    with ExitStack() as stack:
        return read(*(stack.enter_context(open_cup(path)) for path in paths))


def rulings_of(store: Store) -> tuple[Ruled, ...]:
    """The rulings of a store in the names that it has; reading them costs nothing where there are none."""
    return read(store).rulings if store.rulings() or store.is_merged else ()


def is_store(path: StoreAddress) -> bool:
    """Whether it is a database, or named like one or a tournament file; anything else holds records."""
    if isinstance(path, DatabaseUrl):
        return True
    if is_tournament_file(path) or path.suffix == ".db":
        return True
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def competitions_of(store: Store, only: str | None) -> Sequence[CompetitionInfo]:
    """All competitions of a store, or the one of this name.

    Raises:
        RefereeError: There is none of this name.
    """
    if only is None:
        return store.competitions
    found = [one for one in store.competitions if one.name == only]
    if not found:
        names = ", ".join(one.name for one in store.competitions)
        raise RefereeError(f"{store.path} has no competition {only!r}; it has {names}")
    return found
