"""The same store in two places: what is in one is written to another, row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select
from sqlmodel import SQLModel

from referee.store import Store

if TYPE_CHECKING:
    from referee.database.address import StoreAddress

__all__ = ["copy"]


def copy(source: StoreAddress, into: StoreAddress) -> None:
    """Make a store with all rows of another, under the same numbers."""
    tables = SQLModel.metadata.sorted_tables
    with (
        Store.open(source) as store,
        Store.draft(
            into,
            program="",
            config="",
            identity="",
            commitment="",
            master_seed=b"",
            competitions=[],
            entrants=[],
        ) as draft,
        store._base.reading() as reading,
        draft._base.writing() as writing,
    ):
        for table in reversed(tables):
            writing.execute(delete(table))
        for table in tables:
            # Games in the order in which they were written.
            rows = [dict(row) for row in reading.execute(select(table)).mappings()]
            if table.name == "game":
                rows = [
                    dict(row)
                    for row in reading.exec_driver_sql("SELECT * FROM game ORDER BY rowid").mappings()
                ]
            if rows:
                writing.execute(insert(table), rows)
