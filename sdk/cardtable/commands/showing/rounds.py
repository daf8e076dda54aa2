"""What was done in turn, as a table with a column for each seat: tricks, layouts and auctions. Knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardtable.commands.showing.ink import Ink

__all__ = ["around", "indented", "rounds", "scores_line", "seat_text"]

#: Characters of a name that are shown.
_LONGEST: Final = 12
#: What stands before each line's text.
_MARGIN: Final = 10


def rounds(
    title: str, rows: Iterable[Sequence[tuple[int, str]]], names: Sequence[str], ink: Ink, seat: int
) -> list[str]:
    """Lines of a table.

    Args:
        title: What it shows.
        rows: For each row, which seats did what.
        names: What each seat is called.
        ink: How to write.
        seat: The seat that looks.
    """
    table = [
        [
            ink.bold(f"you {one}") if one == seat else f"{one} {name[:_LONGEST]}"
            for one, name in enumerate(names)
        ]
    ]
    for row in rows:
        cells = [""] * len(names)
        for one, text in row:
            cells[one] = text
        table.append(cells)
    first, *others = ink.columns(table, least=5)
    return [*indented(title, first, ink), *(" " * _MARGIN + line for line in others)]


def around(turns: Iterable[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Turns in rows, a new one where a seat comes again."""
    rows: list[list[tuple[int, str]]] = []
    for seat, text in turns:
        if not rows or any(seat == one for one, _ in rows[-1]):
            rows.append([])
        rows[-1].append((seat, text))
    return rows


def indented(title: str, text: str, ink: Ink) -> list[str]:
    """A line with a title before it."""
    return [ink.faint(title.ljust(_MARGIN)) + text]


def seat_text(seat: int, names: Sequence[str]) -> str:
    """A seat and who sits there."""
    return f"{seat} {names[seat]}"


def scores_line(scores: Sequence[int], names: Sequence[str], ink: Ink, seat: int) -> list[str]:
    """The scores of all seats or sides."""
    if len(scores) == len(names):
        parts = [(one == seat, seat_text(one, names), points) for one, points in enumerate(scores)]
    else:
        sides = [
            [one for one in range(len(names)) if one % len(scores) == side] for side in range(len(scores))
        ]
        parts = [
            (seat in side, " & ".join(seat_text(one, names) for one in side), points)
            for side, points in zip(sides, scores, strict=True)
        ]
    texts = [ink.bold(f"{name} {points}") if own else f"{name} {points}" for own, name, points in parts]
    return indented("scores", "   ".join(texts), ink)
