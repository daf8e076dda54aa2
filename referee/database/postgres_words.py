"""What a PostgreSQL server or the way to it refuses, as one clear line for people.

Knows the codes of errors (SQLSTATE) and what libpq says where there is no code. Imports no driver.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from referee.store_errors import (
    GO_ON,
    NotAStore,
    StoreError,
    StoreLocked,
    StoreMissing,
    StoreUnreachable,
    StoreUnwritable,
)

if TYPE_CHECKING:
    from referee.database.address import DatabaseUrl

__all__ = ["refusal"]

#: What libpq says of whom it tried, before what went wrong there.
_TRIED: Final = re.compile(
    r'.*?connection to server (?:at|on socket) "[^"]*"(?: \([^)]*\))?(?:, port \d+)? failed: '
)
_NO_SOCKET: Final = re.compile(r'on socket "([^"]*)" failed: No such file or directory')
_SEVERITY: Final = re.compile(r"^(?:FATAL|ERROR|PANIC):\s+")
#: Beginnings of codes, and the kind of refusal and the words for each; longer ones first.
_CODES: Final[dict[str, tuple[type[StoreError], str]]] = {
    "53100": (StoreUnwritable, "cannot be written: the server's disk is full"),
    "53200": (StoreUnwritable, "cannot be written: the server has no memory left"),
    "53300": (StoreUnreachable, "cannot be reached: the server has too many connections"),
    "25006": (StoreUnwritable, "cannot be written: the server or the database is read-only"),
    "42501": (StoreUnwritable, "may not be used like that by this user"),
    "55P03": (StoreLocked, "is held by another program that writes it"),
    "40": (StoreLocked, "was written by another program at the same time"),
    "57P": (StoreUnreachable, "cannot be used: the connection was ended by the server"),
    "57014": (StoreError, "cannot be used: the server gave up, as it was told to"),
    "58": (StoreUnwritable, "cannot be written: the server's disk is failing"),
    "XX": (NotAStore, "is damaged"),
    "42P01": (StoreMissing, "is no store any more"),
    "42703": (NotAStore, "is no store, or damaged"),
    "3D000": (StoreMissing, "cannot be used: there is no such database"),
    "28": (StoreUnreachable, "cannot be used: the server does not let this user in"),
    "08": (StoreUnreachable, "cannot be reached"),
}
#: What servers say before there is a code, where their language is English; `createdb` makes a database.
_SAID: Final[tuple[tuple[str, type[StoreError], str], ...]] = (
    (r'database ".*" does not exist', StoreMissing, "there is no such database; `createdb` makes one"),
    (
        r"no password supplied",
        StoreUnreachable,
        "it asks for a password: set PGPASSWORD, or write it to ~/.pgpass",
    ),
    (r"password authentication failed", StoreUnreachable, "wrong password, or no such user"),
)


def refusal(address: DatabaseUrl, error: BaseException, *, is_lost: bool) -> StoreError:
    """The error for people.

    Args:
        address: Of what.
        error: The driver's.
        is_lost: Whether the connection is lost by it.
    """
    said = address.without_secrets(_said(error))
    code = getattr(error, "sqlstate", None) or ""
    if not code:
        return _without_code(address, error, said, is_lost=is_lost)
    found = [start for start in _CODES if code.startswith(start)]
    if not found:
        return StoreError(f"{address}: {said} (SQLSTATE {code})")
    kind, words = _CODES[max(found, key=len)]
    safe = f"; {GO_ON}" if kind in {StoreUnwritable, StoreLocked} or is_lost or code.startswith("57P") else ""
    return kind(f"{address} {words} ({said}){safe}")


def _without_code(address: DatabaseUrl, error: BaseException, said: str, *, is_lost: bool) -> StoreError:
    for pattern, kind, words in _SAID:
        if re.search(pattern, str(error)):
            return kind(f"{address} cannot be used: {words}")
    if not any(kind.__name__ == "OperationalError" for kind in type(error).__mro__):
        return StoreError(f"{address}: {said}")
    if (found := _NO_SOCKET.search(str(error))) is not None:
        return StoreUnreachable(f"{address} cannot be reached: no server listens at {found[1]}")
    if is_lost:
        return StoreUnreachable(f"{address}: the connection to the server was lost ({said}); {GO_ON}")
    return StoreUnreachable(f"{address} cannot be reached: {said}")


def _said(error: BaseException) -> str:
    """The one line of a text that says what went wrong: not whom it tried, and no advice."""
    lines = [line.strip(" -\t") for line in str(error).splitlines() if line.strip()]
    # Of several attempts the last one.
    tried = [line for line in lines if _TRIED.match(line)]
    line = tried[-1] if tried else (lines[0] if lines else type(error).__name__)
    return _SEVERITY.sub("", _TRIED.sub("", line))
