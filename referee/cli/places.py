"""From what a user names to what it is: stores, by themselves or by their tournament file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from referee.store import CompetitionInfo

__all__ = ["competitions_of", "is_store", "open_cup"]


def open_cup(path: Path) -> Store:
    """Open a store named by its path or by that of its tournament file.

    Raises:
        RefereeError: There is no store.
    """
    if path.suffix == ".toml":
        from referee.config import store_of

        return Store.open(store_of(path))
    return Store.open(path)


def is_store(path: Path) -> bool:
    """Whether the file is a database, or the tournament file that names one; anything else holds records."""
    if path.suffix == ".toml":
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
