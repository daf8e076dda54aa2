"""From what a user names to what it is: stores, by themselves or by their tournament file."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.merge import read
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.joining import Results
    from referee.store import CompetitionInfo

__all__ = ["competitions_of", "is_store", "open_cup", "path_of", "read_cups"]


def open_cup(path: Path) -> Store:
    """Open a store named by its path or by that of its tournament file.

    Raises:
        RefereeError: There is no store.
    """
    return Store.open(path_of(path))


def path_of(path: Path) -> Path:
    """The store that is named by its path or by that of its tournament file."""
    if path.suffix != ".toml":
        return path
    from referee.config import store_of

    return store_of(path)


def read_cups(paths: Sequence[Path]) -> Results:
    """What the tables of some stores are made of, joined where there are several.

    Raises:
        RefereeError: There is no store, or two of them hold the same boards.
    """
    with ExitStack() as stack:
        return read(*(stack.enter_context(open_cup(path)) for path in paths))


def is_store(path: Path) -> bool:
    """Whether the file is a database, or named like one or a tournament file; anything else holds records."""
    if path.suffix in {".toml", ".db"}:
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
