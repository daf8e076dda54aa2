"""A store in one SQLite file: connections, the file under its name, and the lock that lies beside it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.pool import QueuePool

from referee.store_errors import NotAStore, StoreExists, StoreMissing, StoreUnwritable, plain_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["APPLICATION_ID", "SQLiteFile"]

#: "CTBL": what SQLite and `file` know our files by.
APPLICATION_ID = 0x4354424C
#: How long another program may write the store before we give up.
_BUSY_MS = 10_000


class SQLiteFile:
    """A file, in the sense of `referee.database.base.Base`.

    Args:
        path: Its name.
        draft: The name that it has until it is whole; None: it has its own.
    """

    def __init__(self, path: Path, draft: Path | None = None) -> None:
        self._path = path
        file = draft or path
        self.engine = create_engine(
            "sqlite://", creator=lambda: _connect(file), poolclass=QueuePool, max_overflow=-1
        )
        # The driver opens no transaction on its own, so that DDL is part of one too.
        event.listen(self.engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        #: Which file it is, once it has its name.
        self._file: tuple[int, int] | None = None

    def is_taken(self) -> bool:
        """Whether there is a file of this name."""
        return self._path.exists()

    def check(self) -> None:
        """See that it is a database with our mark."""
        if not self._path.is_file():
            raise StoreMissing(f"there is no store {self._path}")
        with plain_words(self._path), self.engine.connect() as connection:
            if connection.exec_driver_sql("PRAGMA application_id").scalar_one() != APPLICATION_ID:
                raise NotAStore(f"{self._path} is a database, but not a store of this program")

    def remember(self) -> None:
        """Which file has this name."""
        with plain_words(self._path):
            self._file = _file_of(self._path)

    def is_there(self) -> bool:
        """Whether it still has it."""
        try:
            return _file_of(self._path) == self._file
        except OSError:
            return False

    @contextmanager
    def drafted(self) -> Iterator[SQLiteFile]:
        """A file of another name, which is then renamed."""
        path = self._path
        if path.exists():
            raise StoreExists(f"{path} exists already")
        file = path.with_name(f".{path.name}.new")
        with ExitStack() as stack:
            with plain_words(path):
                # What an interrupted run or a deleted store left would be taken for part of the new one.
                _remove(file)
                _remove_beside(path)
                stack.callback(_remove_quietly, file)
                file.touch()
                # The file keeps this mode for good; a foreign database is never switched to it.
                with closing(_connect(file)) as connection:
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            draft = SQLiteFile(path, file)
            with closing(draft):
                yield draft
            with plain_words(path):
                file.rename(path)
                _make_names_durable(path.parent)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection of the pool's."""
        with plain_words(self._path), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection of the pool's, if the file still has its name."""
        with plain_words(self._path):
            if self._file is not None and _file_of(self._path) != self._file:
                # What is written to a file without a name would be lost without a word.
                raise StoreUnwritable(
                    f"{self._path} was removed or replaced while it was written: put it back with what lies beside"
                    " it (-wal, -shm), and give the same command again"
                )
            with self.engine.begin() as connection:
                yield connection

    @contextmanager
    def held(self) -> Iterator[bool]:
        """Try to hold the lock that lies beside a store while it is written.

        A lock of the system's, on a file of its own: it ends with the process, and SQLite's own locks on the store
        would be lost if the store were opened and closed here.
        """
        with ExitStack() as stack:
            lock = self._lock
            while True:
                with plain_words(self._path):
                    file = stack.enter_context(lock.open("ab"))
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    yield False
                    return
                held = os.fstat(file.fileno())
                if _file_of(lock) == (held.st_dev, held.st_ino):
                    break
                # Whoever held it removed it between our two steps: another may hold the next one.
                file.close()
            # Only while it is held, so that it is our own.
            stack.callback(_unlock, lock)
            yield True

    def is_held(self) -> bool:
        """Whether a lock lies beside it: a run takes its own away, and a killed one leaves it there."""
        return self._lock.exists()

    def close(self) -> None:
        """Close the file."""
        self.engine.dispose()

    @property
    def _lock(self) -> Path:
        return self._path.with_name(self._path.name + "-run")


def _connect(path: Path) -> sqlite3.Connection:
    # mode=rw: SQLite would make an empty file of a name that is not there.
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _file_of(path: Path) -> tuple[int, int] | None:
    """Which file has this name, whatever is renamed."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _remove(path: Path) -> None:
    """Remove a file, and what SQLite keeps beside it."""
    path.unlink(missing_ok=True)
    _remove_beside(path)


def _remove_beside(path: Path) -> None:
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _remove_quietly(path: Path) -> None:
    with suppress(OSError):
        _remove(path)


def _unlock(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink()


def _make_names_durable(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
