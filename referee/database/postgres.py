"""A store in a database of a PostgreSQL server: connections, the tables of its schema, and the lock of a run.

The lock is one of the server's, held by a connection, and what a run writes goes through that very connection: when
it is lost, so is the lock, and nothing more can be written by who does not hold it. Owns no word of SQL that a store
of any kind could use; see `referee.store`.
"""

from __future__ import annotations

import os
import socket
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError

from referee.store_errors import (
    NotAStore,
    StoreError,
    StoreExists,
    StoreMissing,
    StoreUnwritable,
    plain_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.database.address import DatabaseUrl

__all__ = ["PostgresDatabase"]

#: "CTBL", as a file of ours is marked: the first half of all our locks.
_OURS: Final = 0x4354424C
#: The tables of the first schema: a database that has them all holds a store.
_TABLES: Final = frozenset(
    {"alembic_version", "tournament", "competition", "entrant", "game", "fault", "run"}
)
#: A process that was killed may leave its lock to the server for a moment.
_LOCK_MS: Final = 1_000
#: What each connection asks of the server, so far as the server knows it. A client that is gone from the network is
#: noticed in a minute, not in hours, or nobody could go on; no wait is for ever; and what was committed is on disk.
_SETTINGS: Final = {
    "lock_timeout": "10s",
    "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    "client_min_messages": "warning",
}
_PREPARE: Final = """
    SELECT set_config(name, value, false) FROM unnest(%s::text[], %s::text[]) v (name, value) JOIN pg_settings USING (name)
    UNION ALL
    SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'
"""
#: The same on our side.
_OPTIONS: Final = {
    "client_encoding": "UTF8",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}
#: Tables and their like in the schema that unqualified names are of, but for those that belong to an extension.
_RELATIONS: Final = """
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    )
"""
#: Which store it is: a number that no other table of this database had or will have.
_NUMBER: Final = "SELECT CAST(CAST(to_regclass('tournament') AS oid) AS bigint)"
#: A lock can be asked for by one number of 64 bits, and is listed as two of 32.
_LOCK: Final = f"{_OURS << 32} | CAST(CAST('tournament' AS regclass) AS oid)::bigint"
_HOLDER: Final = """
    SELECT EXISTS (
        SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE l.locktype = 'advisory' AND l.granted AND d.datname = current_database()
        AND l.classid = :ours AND l.objid = to_regclass('tournament') AND l.objsubid = 1
    )
"""


class PostgresDatabase:
    """A database, in the sense of `referee.database.base.Base`.

    Args:
        address: Where it is.

    Raises:
        StoreError: What talks to it is not installed.
    """

    def __init__(self, address: DatabaseUrl) -> None:
        self._address = address
        self.engine = _engine(address)
        #: The connection that holds the lock; all is written through it.
        self._holder: Connection | None = None
        #: The connection whose transaction makes a new store; nobody else sees that yet.
        self._draft: Connection | None = None
        self._number: int | None = None

    def is_taken(self) -> bool:
        """Whether there are tables of ours; others are refused."""
        with self.reading() as connection:
            return self._has_tables(connection)

    def check(self) -> None:
        """See that it has our tables."""
        with self.reading() as connection:
            if not self._has_tables(connection):
                raise StoreMissing(f"there is no store in {self._address}, which is empty")

    def remember(self) -> None:
        """The number of the table with the tournament, which no other table gets."""
        with self.reading() as connection:
            self._number = connection.execute(text(_NUMBER)).scalar_one()

    def is_there(self) -> bool:
        """Whether the table has that number."""
        with self.reading() as connection:
            return bool(connection.execute(text(_NUMBER)).scalar_one() == self._number)

    @contextmanager
    def drafted(self) -> Iterator[PostgresDatabase]:
        """This very database: all of it is one transaction."""
        with ExitStack() as stack:
            with plain_words(self._address):
                connection = stack.enter_context(self.engine.connect())
                transaction = connection.begin()
                # Who makes one at the same time waits here, and then finds it.
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_OURS << 32})"))
                if self._has_tables(connection):
                    raise StoreExists(f"{self._address} exists already")
                encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
                if encoding != "UTF8":
                    raise StoreError(
                        f"{self._address} is encoded as {encoding}, which cannot hold every name: a store needs a"
                        " database with the encoding UTF8"
                    )
            self._draft = connection
            try:
                yield self
            finally:
                self._draft = None
            with plain_words(self._address):
                transaction.commit()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection of the pool's."""
        if self._draft is not None:
            with plain_words(self._address):
                yield self._draft
            return
        with plain_words(self._address), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The connection that holds the lock, or one of the pool's where none does."""
        with plain_words(self._address), ExitStack() as stack:
            if self._draft is not None:
                yield self._draft
                return
            connection = self._holder
            if connection is None:
                connection = stack.enter_context(self.engine.connect())
            elif connection.invalidated:
                # It would be opened anew without a word, and without the lock.
                raise StoreUnwritable(
                    f"{self._address}: the connection to the server was lost, and the hold on the store with it;"
                    " what is in it is safe: give the same command again"
                )
            with connection.begin():
                # The lock that reading a row of it takes keeps the table there until the end.
                found = f"{_NUMBER} FROM tournament"
                if self._number is not None and connection.execute(text(found)).scalar() != self._number:
                    raise StoreUnwritable(
                        f"{self._address} was removed or replaced while it was written; give the same command again"
                    )
                yield connection

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Try to hold the server's lock; it goes with the connection."""
        with ExitStack() as stack:
            with plain_words(self._address):
                connection = stack.enter_context(self.engine.connect())
                stack.callback(_release, connection)
                free = _hold(connection)
            if free:
                self._holder = connection
                stack.callback(setattr, self, "_holder", None)
            yield free

    def is_held(self) -> bool:
        """Whether somebody holds the lock now."""
        with self.reading() as connection:
            return bool(connection.execute(text(_HOLDER), {"ours": _OURS}).scalar_one())

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def _has_tables(self, connection: Connection) -> bool:
        """Whether our tables are there.

        Raises:
            NotAStore: There are others in their place.
        """
        if connection.execute(text("SELECT current_schema()")).scalar() is None:
            raise NotAStore(f"{self._address}: there is no schema for this user to find tables in")
        found = set(connection.execute(text(_RELATIONS)).scalars())
        if not found:
            return False
        if not found >= _TABLES:
            other = min(found - _TABLES, default=min(found))
            raise NotAStore(
                f"{self._address} is a database, but not a store of this program: it has a table {other!r}; a store"
                " needs a database of its own"
            )
        return True


def _engine(address: DatabaseUrl) -> Engine:
    try:
        import_module("psycopg")
    except ImportError as error:
        missing = "psycopg" if error.name in {None, "psycopg"} else error.name
        raise StoreError(
            f"a store in PostgreSQL needs the package {missing}: pip install 'cardtable-referee[postgres]'"
        ) from None
    url = address.url
    # A name of at most 63 bytes, so that who looks at the server's connections sees whose they are.
    options = {**_OPTIONS, "application_name": f"tourney {os.getpid()} on {socket.gethostname()}"[:60]}
    engine = create_engine(
        url,
        connect_args={name: value for name, value in options.items() if name not in url.query},
        # Whatever a server's default is, who waits for another's transaction then sees what it did.
        isolation_level="READ COMMITTED",
        # A server may be started anew while a store is followed.
        pool_pre_ping=True,
        max_overflow=-1,
        use_native_hstore=False,
    )

    def prepare(connection: Any, _record: object) -> None:
        connection.execute(_PREPARE, [list(_SETTINGS), list(_SETTINGS.values())])
        connection.commit()

    event.listen(engine, "connect", prepare)
    return engine


def _hold(connection: Connection) -> bool:
    try:
        with connection.begin():
            connection.execute(text(f"SELECT set_config('lock_timeout', '{_LOCK_MS}', true)"))
            connection.execute(text(f"SELECT pg_advisory_lock({_LOCK})"))
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) == "55P03":
            return False
        raise
    return True


def _release(connection: Connection) -> None:
    """Give the lock back; with a connection that is lost it is gone already."""
    if connection.invalidated:
        return
    try:
        with connection.begin():
            connection.execute(text("SELECT pg_advisory_unlock_all()"))
    except DBAPIError:
        connection.invalidate()
