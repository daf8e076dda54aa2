"""On which line of a TOML text a key stands, which `tomllib` does not tell.

Owns a small scanner over a text that `tomllib` has already accepted. Reads no values: a key inside an inline table
or an array is at the line of the key that holds it.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Place", "key_lines", "line_of"]

#: Where a value stands: keys, and numbers from 0 in arrays of tables; ``("bot", 1, "command")``.
Place: TypeAlias = tuple[str | int, ...]

_TOKEN: Final = re.compile(
    r"""
      (?P<text> "{3}(?:\\.|[^\\])*?"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*' )
    | (?P<comment> \#[^\n]* )
    | (?P<end> \n )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<other> [^"'\#\n\[\]{}]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_PART: Final = re.compile(r"""\s*("(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)\s*(\.)?""")


def key_lines(text: str) -> dict[Place, int]:
    """The line of each table and key, from 1; of a table that is opened twice, the first.

    Args:
        text: Sound TOML.
    """
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    for line, statement in _statements(text):
        if statement.startswith("[["):
            *outer, last = _parts(statement[2:])
            array = (*_indexed((), outer, counts), last)
            counts[array] = counts.get(array, 0) + 1
            lines.setdefault(array, line)
            table = (*array, counts[array] - 1)
            lines[table] = line
        elif statement.startswith("["):
            table = _indexed((), _parts(statement[1:]), counts)
            for length in range(1, len(table) + 1):
                lines.setdefault(table[:length], line)
        else:
            place = table
            for part in _parts(statement):
                place = (*place, part)
                lines.setdefault(place, line)
    return lines


def line_of(place: Place, lines: Mapping[Place, int]) -> int | None:
    """The line of a place or of the nearest one that holds it; None for the file as a whole."""
    while place:
        if place in lines:
            return lines[place]
        place = place[:-1]
    return None


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Headers and assignments without comments, each with the line on which it begins."""
    line, depth, first, pieces = 1, 0, 1, [""]
    for token in _TOKEN.finditer(text + "\n"):
        kind, piece = token.lastgroup, token.group()
        if kind == "end" and depth == 0:
            statement = "".join(pieces).strip()
            if statement:
                yield first, statement
            pieces = []
        elif kind != "comment":
            if not pieces:
                first = line
            pieces.append(piece)
            depth += (kind == "open") - (kind == "close")
        line += piece.count("\n")


def _parts(text: str) -> list[str]:
    """The parts of the dotted key with which a text begins."""
    parts, position = [], 0
    while found := _PART.match(text, position):
        part = found.group(1)
        parts.append(next(iter(tomllib.loads(f"{part} = 0"))) if part[0] in "\"'" else part)
        if found.group(2) is None:
            break
        position = found.end()
    return parts


def _indexed(place: Place, parts: list[str], counts: Mapping[Place, int]) -> Place:
    """A table's place; a part that names an array of tables means its last one."""
    for part in parts:
        place = (*place, part)
        if place in counts:
            place = (*place, counts[place] - 1)
    return place
