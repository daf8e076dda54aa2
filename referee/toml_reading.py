"""Reads a TOML file key by key and says in one line what is wrong, where, and what would be right.

Owns `ConfigError` and the checks of types and ranges that every key needs. Knows no key of a tournament.

    ConfigError    the file, or a key of it
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, TypeVar

from referee.errors import RefereeError
from referee.toml_lines import Place, key_lines, line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["ConfigError", "Source", "Table", "nearest", "quoted", "read_toml"]

T = TypeVar("T", bound=str)

_AT_LINE: Final = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


class ConfigError(RefereeError):
    """The tournament file, or a key of it, cannot be used.

    Args:
        path: The file, as the organiser named it; None for the command line.
        line: Line of the file, from 1; None for the file as a whole.
        key: Table and key, such as ``[[bot]] 2, "command"``; empty for the file as a whole.
        message: What is wrong and what would be right.
    """

    def __init__(self, path: Path | None, line: int | None, key: str, message: str) -> None:
        where = "command line" if path is None else str(path)
        if line is not None:
            where += f":{line}"
        super().__init__(_one_line(": ".join(part for part in (where, key, message) if part)))
        self.path = path
        self.line = line
        self.key = key
        self.message = message


@dataclass(frozen=True, slots=True)
class Source:
    """Where values come from, to name the place of what is wrong.

    Args:
        path: The file, as the organiser named it; None for the command line.
        lines: The line of each key.
    """

    path: Path | None
    lines: Mapping[Place, int] = field(default_factory=dict)

    def error(self, place: Place, key: str, message: str) -> ConfigError:
        """An error at this place."""
        return ConfigError(self.path, line_of(place, self.lines), key, message)


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the file; each method reads one key and refuses what it cannot be.

    Args:
        source: Where it comes from.
        place: Its place there.
        title: As people are told of it, such as ``[[bot]] 2``; empty for the whole file.
        values: What stands in it.

    Raises:
        ConfigError: Every method that reads a key, where its value will not do.
    """

    source: Source
    place: Place
    title: str
    values: Mapping[str, object]

    def error(self, key: str | None, message: str, *deeper: str | int) -> ConfigError:
        """An error at a key of this table, or at the table itself when the key is None.

        Args:
            key: The key.
            message: What is wrong and what would be right.
            deeper: The rest of the place when it is inside the key's value.
        """
        if key is None:
            return self.source.error(self.place, self.title, message)
        dotted = ".".join([key, *(str(part) for part in deeper)])
        named = ", ".join(part for part in (self.title, quoted(dotted)) if part)
        return self.source.error((*self.place, key, *deeper), named, message)

    def only(self, keys: Sequence[str], *, of: str = "key") -> None:
        """Refuse every other key."""
        for key in self.values:
            if key not in keys:
                hint = nearest(key, keys, f"the {of}s are")
                raise self.error(key, f"unknown {of}; {hint}")

    def table(self, key: str) -> Table:
        """The table under this key; an empty one when there is none."""
        value = self.values.get(key, {})
        if isinstance(value, list) and value and isinstance(value[0], dict):
            raise self.error(key, f"is one table, written [{key}]")
        if not isinstance(value, dict):
            raise self._wrong_type(key, "a table", value)
        title = f"{self.title}, {quoted(key)}" if self.title else f"[{key}]"
        return Table(self.source, (*self.place, key), title, value)

    def tables(self, key: str, title: str) -> list[Table]:
        """The tables of the array under this key; none when it is not there.

        Args:
            key: The key.
            title: What people are told, with ``{}`` for the number.
        """
        value = self.values.get(key, [])
        if isinstance(value, dict):
            raise self.error(key, f"there may be more than one: write [[{key}]]")
        if not isinstance(value, list):
            raise self._wrong_type(key, f"an array of tables, written [[{key}]]", value)
        tables = []
        for number, one in enumerate(value):
            if not isinstance(one, dict):
                raise self._wrong_type(key, f"an array of tables, written [[{key}]]", one)
            place = (*self.place, key, number)
            tables.append(Table(self.source, place, title.format(number + 1), one))
        return tables

    def text(self, key: str) -> str | None:
        """A text; None when the key is not there."""
        value = self.values.get(key)
        if value is None or isinstance(value, str):
            return value
        raise self._wrong_type(key, "a text", value)

    def texts(self, key: str) -> tuple[str, ...] | None:
        """A list of texts; None when the key is not there."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            raise self._wrong_type(key, "a list of texts", value)
        for one in value:
            if not isinstance(one, str):
                raise self.error(key, f"is a list of texts, {_said(one)} is none")
        return tuple(value)

    def choice(self, key: str, choices: Sequence[T], default: T) -> T:
        """One of a few words."""
        value = self.values.get(key, default)
        allowed = " or ".join(quoted(choice) for choice in choices)
        if not isinstance(value, str):
            raise self._wrong_type(key, allowed, value)
        for choice in choices:
            if choice == value:
                return choice
        raise self.error(key, f"is {allowed}, not {quoted(value)}")

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self.values.get(key, default)
        if isinstance(value, bool):
            return value
        raise self._wrong_type(key, "true or false", value)

    def integer(self, key: str, default: int, *, least: int, most: int) -> int:
        """A whole number of this range; true and false are none."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong_type(key, "a whole number", value)
        if not least <= value <= most:
            raise self.error(key, f"is a whole number from {least} to {most}, not {_said(value)}")
        return value

    def number(self, key: str, default: float, *, above: float | None = None, most: float) -> float:
        """A number from 0, or one above a bound; neither true, false, infinite nor no number.

        Args:
            key: The key.
            default: Where the key is not there.
            above: The number is greater than this; None: it may be 0.
            most: The greatest one.
        """
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._wrong_type(key, "a number", value)
        bound = f"from 0 to {most:g}" if above is None else f"above {above:g}, {most:g} at most"
        if not 0 <= value <= most or (above is not None and value <= above):
            raise self.error(key, f"is a number {bound}, not {_said(value)}")
        return float(value)

    def _wrong_type(self, key: str, right: str, value: object) -> ConfigError:
        return self.error(key, f"is {right}, not {_said(value)}")


def read_toml(path: Path) -> Table:
    """Read a file whole.

    Raises:
        ConfigError: It cannot be read, or is no TOML in UTF-8.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError(path, None, "", "there is no such file") from None
    except IsADirectoryError:
        raise ConfigError(path, None, "", "is a folder, not a tournament file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(path, None, "", f"cannot be read: {reason}") from None
    try:
        # Some editors put a byte order mark first, which TOML does not know.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(path, line, "", "is not UTF-8; save it in that encoding") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, arrays in arrays without end.
        raise ConfigError(path, None, "", f"is not TOML that can be read: {error}") from None
    return Table(Source(path, key_lines(text)), (), "", values)


def nearest(word: str, words: Iterable[str], listed: str) -> str:
    """What may have been meant: the word most like this one, or all of them."""
    words = list(words)
    folded = {one.casefold(): one for one in words}
    if near := get_close_matches(word.casefold(), folded, 1):
        return f"did you mean {quoted(folded[near[0]])}?"
    return f"{listed} {', '.join(words)}" if words else "there are none"


def quoted(text: str) -> str:
    """A text in double quotes, as TOML writes it."""
    return json.dumps(text, ensure_ascii=False)


#: What is meant most often where TOML says this.
_SYNTAX_HINTS = (
    (
        re.compile(r"declare \('(bot|competition)',\)"),
        "; each bot and each competition begins with [[ and ]]",
    ),
    (re.compile("(?i)^invalid value"), '; a text stands in quotes, such as name = "cup"'),
    (re.compile("(?i)^expected '='"), "; a tournament file has lines such as boards = 10"),
)


def _syntax_error(path: Path, text: str, message: str) -> ConfigError:
    line = text.count("\n") + (not text.endswith("\n"))
    if found := _AT_LINE.search(message):
        message = message[: found.start()]
        if found.group(1):
            line = int(found.group(1))
            message += f", at column {found.group(2)}"
        else:
            message += ", at the end of the file"
    hint = next((words for sign, words in _SYNTAX_HINTS if sign.search(message)), "")
    return ConfigError(path, line, "", f"no TOML: {message[:1].lower()}{message[1:]}{hint}")


def _said(value: object) -> str:
    """A wrong value in a few words."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            # Python refuses to write out integers of thousands of digits.
            return str(value) if abs(value) < 10**20 else "one of more than 20 digits"
        case float():
            return str(value)
        case str():
            return f"the text {quoted(value if len(value) <= 40 else value[:40] + '…')}"
        case list():
            return "a list"
        case dict():
            return "a table"
        case datetime() | date() | time():
            return f"the date or time {value}"
        case _:
            return f"a {type(value).__name__}"


def _one_line(text: str) -> str:
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )
