"""What can be wrong with a store, and how the refusals of databases and the file system become one of these.

StoreError            base of all; its text is one line for people
├── StoreMissing      there is no such file or database
├── StoreExists       a new store would overwrite another
├── NotAStore         it is something else, or damaged
├── StoreTooNew       a later version of the program wrote it
├── StoreLocked       another run is writing it
├── StoreUnreachable  the server is away, or does not let us in
└── StoreUnwritable   the disk is full, or it is read-only
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.database.address import StoreAddress

__all__ = [
    "GO_ON",
    "NotAStore",
    "StoreError",
    "StoreExists",
    "StoreLocked",
    "StoreMissing",
    "StoreTooNew",
    "StoreUnreachable",
    "StoreUnwritable",
    "numbered_of",
    "of_type",
    "plain_words",
    "sound",
]

T = TypeVar("T")
#: Whatever keeps a block out keeps it out whole.
GO_ON = "what is in it is safe: mend that, and give the same command again"


class StoreError(RefereeError):
    """Something is wrong with a store; the text is one line for people."""


class StoreMissing(StoreError):
    """There is no such file or database."""


class StoreExists(StoreError):
    """A new store would overwrite another."""


class NotAStore(StoreError):
    """It is something else, or damaged."""


class StoreTooNew(StoreError):
    """A later version of the program wrote it."""


class StoreUnreachable(StoreError):
    """The server is away, or does not let us in; what it says of itself is for the organiser alone."""


class StoreUnwritable(StoreError):
    """The disk is full, or it is read-only."""


class StoreLocked(StoreError):
    """Another run is writing the store.

    Args:
        message: One line for people.
        pid: The process of that run, where it is known.
    """

    def __init__(self, message: str, pid: int | None = None) -> None:
        super().__init__(message)
        self.pid = pid


@contextmanager
def plain_words(path: StoreAddress) -> Iterator[None]:
    """Say what a database and the file system refuse in one clear line."""
    try:
        yield
    except IntegrityError as error:
        said = str(error.orig).partition("\n")[0]
        raise StoreError(f"{path}: a game is stored already ({said})") from error
    except DBAPIError as error:
        if not isinstance(path, Path):
            from referee.database.postgres_words import refusal

            raise refusal(path, error.orig or error, is_lost=error.connection_invalidated) from error
        _refuse(path, error.orig)
    except sqlite3.Error as error:
        _refuse(path, error)
    except OSError as error:
        raise StoreUnwritable(f"{path} cannot be written: {error.strerror or error}") from error


@contextmanager
def sound(path: StoreAddress, what: str, *more: type[Exception]) -> Iterator[None]:
    """Say that a part of a store is damaged where it does not hold what it should: SQLite keeps any value anywhere.

    Args:
        path: The store.
        what: The part.
        more: What else may be raised by it, beside the errors of plain values.
    """
    plain = (TypeError, ValueError, LookupError, AttributeError, OverflowError)
    damage: tuple[type[Exception], ...] = (*plain, *more)
    try:
        yield
    except StoreError:  # of a part of this part
        raise
    except damage as error:
        raise NotAStore(f"{path}: {what} is damaged: {error}") from error


def of_type(value: object, kind: type[T]) -> T:
    """The value, which must be of this very type: true is no number.

    Raises:
        TypeError: It is not.
    """
    if not isinstance(value, kind) or type(value) is not kind:
        raise TypeError(f"{ascii(value)[:60]} is no {kind.__name__}")
    return value


def numbered_of(values: Sequence[T], number: object) -> T:
    """The value of this number, from 0.

    Raises:
        LookupError: There is none.
        TypeError: It is no number.
    """
    place = of_type(number, int)
    if not 0 <= place < len(values):
        raise LookupError(f"there is no number {place} of {len(values)}")
    return values[place]


def _refuse(path: StoreAddress, error: BaseException | None) -> NoReturn:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        raise StoreUnwritable(f"{path} cannot be written: the disk is full; {GO_ON}") from error
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        raise StoreUnwritable(
            f"{path} cannot be written: the file or its folder is read-only; {GO_ON}"
        ) from error
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        raise StoreLocked(f"{path} is held by another program that writes it; {GO_ON}") from error
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        raise NotAStore(f"{path} is no store, or damaged: {error}") from error
    if name.startswith("SQLITE_IOERR"):
        raise StoreUnwritable(f"{path}: the disk is full, or failing ({error}); {GO_ON}") from error
    raise StoreError(f"{path}: {error}") from error
