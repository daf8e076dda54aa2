"""What a store needs of the database that it is in, whichever that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection, Engine

    from referee.database.address import StoreAddress

__all__ = ["Base", "base_of"]


class Base(Protocol):
    """One place for one store. All of it raises a `StoreError` where the database refuses."""

    engine: Engine

    def is_taken(self) -> bool:
        """Whether something is there already, so that no store can be made."""

    def check(self) -> None:
        """See that it holds a store of this program's, of whatever version.

        Raises:
            StoreMissing: There is nothing.
            NotAStore: It is something else, or damaged.
        """

    def remember(self) -> None:
        """From now on what is written must go to the store that is there now."""

    def is_there(self) -> bool:
        """Whether the remembered store is still what has this address."""

    def drafted(self) -> AbstractContextManager[Base]:
        """A place for a new store, which appears under the address when the block ends well, and else never was.

        Raises:
            StoreExists: Something is there.
        """

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection to read with."""

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection within a transaction, which is on disk when the block ends."""

    def held(self) -> AbstractContextManager[bool]:
        """Try to hold the store against other runs; whether it worked. What ends the process ends it too."""

    def is_held(self) -> bool:
        """Whether there is a sign of somebody who holds it."""

    def close(self) -> None:
        """Give back all connections."""


def base_of(address: StoreAddress) -> Base:
    """The database at an address; nothing is opened yet.

    Raises:
        StoreError: What talks to it is not installed.
    """
    if isinstance(address, Path):
        from referee.database.sqlite import SQLiteFile

        return SQLiteFile(address)
    from referee.database.postgres import PostgresDatabase

    return PostgresDatabase(address)
