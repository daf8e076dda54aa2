"""Who got what with the same cards, and what each has over the others there.

Owns the pairing, and nothing of what a figure means. A cell holds what the entrants of one board got in one place:
a seat with its cards. A place where an entrant is alone compares nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

__all__ = ["Against", "Cell", "Cells", "Sums", "add", "against"]

#: What is summed, what it is divided by, and the number of deals.
Sums: TypeAlias = list[float]
#: By entrant.
Cell: TypeAlias = dict[str, Sums]
#: What an entrant's sums are, what the others' mean sums are, each weighed by the number of the entrant's deals, and
#: that number.
Against: TypeAlias = tuple[float, float, float, float, float]

_QUESTION_BITS = 12
_QUESTIONS = (1 << _QUESTION_BITS) - 1


def add(cell: Cell, entrant: str, above: float, below: float) -> None:
    """Count one deal of an entrant."""
    sums = cell.get(entrant)
    if sums is None:
        cell[entrant] = [above, below, 1.0]
    else:
        sums[0] += above
        sums[1] += below
        sums[2] += 1.0


def against(cell: Cell, others: Cell) -> Iterator[tuple[str, Against]]:
    """What each entrant of a cell has against the mean of all others of another cell, or of the same one.

    Each of the others counts alike, with the mean of its deals.
    """
    above = below = 0.0
    for top, bottom, deals in others.values():
        above += top / deals
        below += bottom / deals
    for name, (own_above, own_below, deals) in cell.items():
        mine = others.get(name)
        count = len(others) - (mine is not None)
        if not count:
            continue
        other_above, other_below = above, below
        if mine is not None:
            other_above -= mine[0] / mine[2]
            other_below -= mine[1] / mine[2]
        weight = deals / count
        yield name, (own_above, own_below, other_above * weight, other_below * weight, deals)


class Cells:
    """The cells of one board for many questions, each known by a number: a line of a table, or a contrast."""

    __slots__ = ("_cells", "_places")

    def __init__(self) -> None:
        # One number for question and place, since this is the innermost loop of an analysis.
        self._cells: dict[int, Cell] = {}
        self._places: dict[Hashable, int] = {}

    def place(self, *parts: Hashable) -> int:
        """The number of a place, the same for the same parts."""
        return self._places.setdefault(parts, len(self._places))

    def add(self, question: int, place: int, entrant: str, above: float, below: float) -> None:
        """Count one deal of an entrant."""
        key = place << _QUESTION_BITS | question
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = {}
        add(cell, entrant, above, below)

    def sums(self) -> dict[tuple[str, int], Sums]:
        """What each has in all places together, by entrant and question."""
        found: dict[tuple[str, int], Sums] = {}
        for key, cell in self._cells.items():
            for name, sums in cell.items():
                _add_up(found, (name, key & _QUESTIONS), sums)
        return found

    def compared(self) -> dict[tuple[str, int], list[float]]:
        """What each has against the others in the same cells, by entrant and question; see `Against`."""
        found: dict[tuple[str, int], list[float]] = {}
        for key, cell in self._cells.items():
            if len(cell) > 1:
                for name, sums in against(cell, cell):
                    _add_up(found, (name, key & _QUESTIONS), sums)
        return found

    def contrasted(self, other: Cells) -> dict[tuple[str, int], list[float]]:
        """What those of these cells have against those of the same cells on the other side, for both sides.

        What an entrant of the other side has is turned round: it is always these cells against the others. Both
        sides must have the same numbers of places.
        """
        found: dict[tuple[str, int], list[float]] = {}
        for key, cell in self._cells.items():
            opposite = other._cells.get(key)
            if opposite is None:
                continue
            for name, sums in against(cell, opposite):
                _add_up(found, (name, key & _QUESTIONS), sums)
            for name, (above, below, other_above, other_below, deals) in against(opposite, cell):
                _add_up(found, (name, key & _QUESTIONS), (other_above, other_below, above, below, deals))
        return found


def _add_up(found: dict[tuple[str, int], list[float]], key: tuple[str, int], parts: Sequence[float]) -> None:
    row = found.get(key)
    if row is None:
        found[key] = list(parts)
    else:
        for place, part in enumerate(parts):
            row[place] += part
