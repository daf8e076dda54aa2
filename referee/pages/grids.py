"""Tables of a page: the same cells as the terminal's, and the cross table as a heat map.

Owns the way from what `referee.report` makes to rows of texts. Computes no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from referee.standings import Standings

__all__ = ["SHADES", "Cell", "Grid", "grid_of", "heat_map", "plain_grid"]

#: Shades of the heat map on each side of nought.
SHADES = 4
_SURE = 0.05


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Args:
        text: What it says.
        look: Classes of the style sheet.
    """

    text: str
    look: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """One table.

    Args:
        caption: Its name.
        heads: Of its columns.
        rows: Of its cells.
        name_column: The column that names its row.
    """

    caption: str
    heads: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name_column: int = 0


def grid_of(table: Table, caption: str, *, name_column: int = 0) -> Grid:
    """The cells of a terminal's table."""
    looks = ["number" if column.justify == "right" else "" for column in table.columns]
    columns = [list(map(str, column.cells)) for column in table.columns]
    return Grid(
        caption,
        tuple(
            Cell(str(column.header).strip(), look) for column, look in zip(table.columns, looks, strict=True)
        ),
        tuple(
            tuple(Cell(text.strip(), look) for text, look in zip(row, looks, strict=True))
            for row in zip(*columns, strict=True)
        ),
        name_column,
    )


def heat_map(standings: Standings, table: Table, caption: str) -> Grid:
    """The cross table with a shade for each difference.

    Args:
        standings: Whose differences are shown.
        table: The same as `referee.report.tables.cross_table` gives it, for the text of the cells.
        caption: The name of it.
    """
    plain = grid_of(table, caption)
    most = max((abs(met.mean) for met in standings.cross.values()), default=0.0) or 1.0
    rows = []
    for first, cells in zip(standings.names, plain.rows, strict=True):
        looks = ["", *(_shade(standings, first, second, most) for second in standings.names)]
        rows.append(
            tuple(
                Cell(cell.text, f"number {look}" if look else cell.look)
                for cell, look in zip(cells, looks, strict=True)
            )
        )
    return Grid(caption, plain.heads, tuple(rows))


def _shade(standings: Standings, first: str, second: str, most: float) -> str:
    met = standings.cross.get((first, second))
    if met is None:
        return "heat none"
    level = min(SHADES, 1 + int(SHADES * abs(met.mean) / most))
    sign = "over" if met.mean > 0 else "under"
    sure = met.adjusted is not None and met.adjusted < _SURE
    return f"heat {sign}{level} {'sure' if sure else 'open'}"


def plain_grid(caption: str, heads: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: int) -> Grid:
    """A table of values; from the column `numbers` on they are numbers."""
    looks = ["number" if place >= numbers else "" for place in range(len(heads))]
    return Grid(
        caption,
        tuple(Cell(head, look) for head, look in zip(heads, looks, strict=True)),
        tuple(tuple(Cell(str(value), look) for value, look in zip(row, looks, strict=True)) for row in rows),
    )
