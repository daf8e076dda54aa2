"""A store as the first released program wrote it, with games, faults and a run: `tests/data/store_0001.sql`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["COMMANDS", "EXPORT", "TABLES", "make_first", "rows_of"]

_DATA = Path(__file__).parents[1] / "data"
#: What `tourney export` wrote of it.
EXPORT = (_DATA / "store_0001.jsonl").read_text(encoding="utf-8")
#: The tables that it has, those that others point to first.
TABLES = ("tournament", "competition", "entrant", "game", "fault", "run")
#: Whatever reads a store.
COMMANDS = (
    ("ratings", "CUP", "--los"),
    ("crosstable", "CUP"),
    ("games", "CUP"),
    ("faults", "CUP", "--json"),
    ("faults", "CUP", "trix/0/0"),
    ("analyse", "CUP", "ana"),
    ("rule", "CUP"),
    ("show", "CUP", "pairs/0/1"),
    ("export", "CUP"),
    ("export", "CUP", "--format", "csv"),
    ("export", "CUP", "--identity"),
    ("verify", "CUP"),
)


def make_first(path: Path) -> Path:
    """Write the store to a file, as it was then."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((_DATA / "store_0001.sql").read_text(encoding="utf-8"))
    return path


def rows_of(table: str, execute: Callable[[str], Any]) -> list[tuple[object, ...]]:
    """All rows of a table of the first schema, in the columns that it had."""
    with closing(sqlite3.connect(":memory:")) as first:
        first.executescript((_DATA / "store_0001.sql").read_text(encoding="utf-8"))
        columns = [str(row[1]) for row in first.execute(f"PRAGMA table_info({table})")]
    found = execute(f"SELECT {', '.join(columns)} FROM {table}")
    return sorted((tuple(row) for row in found), key=repr)
