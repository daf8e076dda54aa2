"""Where a store is: a file, or a database of a PostgreSQL server.

Owns how such an address is read and shown: whoever shows one shows no password. Reaches nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from referee.errors import RefereeError

if TYPE_CHECKING:
    from sqlalchemy import URL

__all__ = [
    "DatabaseUrl",
    "StoreAddress",
    "address_of",
    "beside",
    "check_place",
    "is_url",
    "masked",
    "password_file",
]

#: A file's name may hold a colon, but none is one letter and two slashes.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Whatever stands in a password, it ends at the last sign that could end it.
_USER: Final = re.compile(r"(://[^:/?#@]*):.*@", re.DOTALL)
#: Options of libpq that are secret.
_SECRET: Final = ("password", "sslpassword")
_OPTION: Final = re.compile(rf"\b({'|'.join(_SECRET)})=[^&]*")
_SCHEMES: Final = ("postgresql+psycopg", "postgresql")
_EXAMPLE: Final = "postgresql+psycopg://user@host/database"


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """A database of a PostgreSQL server; as text without its password. Made by `read`.

    Args:
        text: The whole address.
        folder: Where the files lie that lie beside a store that is a file.
    """

    text: str = field(repr=False)
    folder: Path

    @classmethod
    def read(cls, text: str, folder: Path | None = None) -> DatabaseUrl:
        """The database of this address.

        Args:
            text: The address.
            folder: Where files lie beside it; without one, in the folder in which the program was started.

        Raises:
            RefereeError: It is no address of a database, or names another kind of one.
        """
        from sqlalchemy import make_url
        from sqlalchemy.exc import ArgumentError

        shown = masked(text)
        if text.partition("://")[0] not in _SCHEMES:
            raise RefereeError(f"{shown}: a store is a file, or a database {_EXAMPLE}")
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise RefereeError(f"{shown} is no address of a database, such as {_EXAMPLE}") from None
        if not url.database:
            raise RefereeError(f"{shown} names no database; an address is {_EXAMPLE}")
        if "\0" in text or any(not isinstance(value, str) for value in url.query.values()):
            raise RefereeError(f"{shown}: an option stands twice, or there is a character that none can have")
        return cls(text, (folder or Path()).absolute())

    @property
    def url(self) -> URL:
        """All of it, the password too."""
        from sqlalchemy import make_url

        return make_url(self.text).set(drivername="postgresql+psycopg")

    @property
    def name(self) -> str:
        """The name of the database."""
        return self.url.database or ""

    @property
    def stem(self) -> str:
        """The name of the database, which has no ending."""
        return self.name

    def absolute(self) -> DatabaseUrl:
        """Itself: it is the same from every folder."""
        return self

    def within(self, folder: Path) -> DatabaseUrl:
        """The same, with another folder for what lies beside it."""
        return replace(self, folder=folder)

    def without_secrets(self, text: str) -> str:
        """A text of a server's or a driver's, in which nothing of this address is secret any more."""
        url = self.url
        for secret in (url.password, *(url.query.get(name) for name in _SECRET)):
            if secret:
                text = text.replace(str(secret), "***")
        return text

    def __str__(self) -> str:
        return masked(self.text)


#: A file, or a database of a server.
StoreAddress: TypeAlias = Path | DatabaseUrl


def is_url(text: str) -> bool:
    """Whether it is the address of something else than a file."""
    return _URL.match(text) is not None


def address_of(text: str, folder: Path | None = None) -> StoreAddress:
    """Where this is.

    Raises:
        RefereeError: It is a URL, and not one of a database that a store can be in.
    """
    return DatabaseUrl.read(text, folder) if is_url(text) else Path(text)


def beside(store: StoreAddress, ending: str) -> Path:
    """The file or folder that lies beside a store under its name with this ending."""
    if isinstance(store, DatabaseUrl):
        return store.folder / f"{store.stem.replace('/', '-')}{ending}"
    return store.with_name(f"{store.stem}{ending}")


def password_file() -> Path:
    """Where libpq finds passwords."""
    return Path(os.environ.get("PGPASSFILE") or "~/.pgpass").expanduser().absolute()


def check_place(store: StoreAddress) -> None:
    """See that there can be a store, so far as that is known without a server.

    Raises:
        RefereeError: There cannot.
    """
    if isinstance(store, Path) and (not store.parent.is_dir() or store.is_dir()):
        raise RefereeError(f"{store} cannot be a store: it must be a file in a folder that exists")


def masked(text: str) -> str:
    """An address without its passwords."""
    return _OPTION.sub(r"\1=***", _USER.sub(r"\1:***@", text))
