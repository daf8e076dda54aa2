"""What stands in a column: whole numbers and texts that every database keeps as they are.

SQLite does so by itself. PostgreSQL has numbers of several sizes, and takes no text with a NUL, which what a bot wrote
may have: there it is written as two characters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sqlalchemy import BigInteger, Integer, String, TypeDecorator
from sqlalchemy.types import UserDefinedType

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Dialect
    from sqlalchemy.types import TypeEngine

__all__ = ["Number", "Words"]

#: Begins what stands for another character: DLE, which Unicode has from old for just this.
_ESCAPE: Final = "\x10"
_NUL, _ITSELF = _ESCAPE + "0", _ESCAPE + "1"
_STANDS: Final = re.compile(f"{_ESCAPE}[01]")


class Number(TypeDecorator[int]):
    """A whole number of up to 64 bits."""

    impl = BigInteger
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[int]:
        """SQLite has one kind."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else BigInteger())


class Words(TypeDecorator[str]):
    """A text of any characters."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """SQLite takes every character."""
        return dialect.type_descriptor(String()) if dialect.name == "sqlite" else _Escaped()


class _Escaped(UserDefinedType[str]):
    """A text without NUL that stands for any text."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """As any text."""
        return "VARCHAR"

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:  # noqa: ARG002
        """To the database."""
        return _escaped

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], str | None]:  # noqa: ARG002
        """From the database."""
        return _plain


def _escaped(text: str | None) -> str | None:
    if text is None or not (_ESCAPE in text or "\0" in text):
        return text
    return text.replace(_ESCAPE, _ITSELF).replace("\0", _NUL)


def _plain(text: str | None) -> str | None:
    if text is None or _ESCAPE not in text:
        return text
    return _STANDS.sub(lambda found: "\0" if found[0] == _NUL else _ESCAPE, text)
