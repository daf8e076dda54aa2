"""Points by contract and role as a page shows them: a heat map of all entrants for each section of the analysis.

Owns how the figures of `referee.analysis` are laid out. Computes no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.analysis import as_ruled, field
from referee.errors import RefereeError
from referee.pages.grids import SHADES, Cell, Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardtable.record import GameRecord
    from referee.analysis import Field, Gap, Line, Value
    from referee.joining import Contest
    from referee.pages.archive import Told
    from referee.store import Store
    from referee.stored import StoredGame

__all__ = ["Part", "analysis_of", "parts_of"]

NOTHING = "–"  # noqa: RUF001 - an en dash stands for what cannot be estimated
_BOARDS_NOTE = (
    "mean ± standard error, which needs five boards; the colour says how it stands to what the others got from the same cards,"
    " and a cell without stripes is more than chance (p < 0.05 after Holm)"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One section of the analysis.

    Args:
        title: Its name.
        grid: A row for each figure, a column for each entrant.
        notes: How it is to be read.
    """

    title: str
    grid: Grid
    notes: list[str]


def analysis_of(store: Store, contest: Contest, order: Sequence[str], told: Told) -> list[Part]:
    """The sections of the analysis of one competition; none where a record does not replay, which the page says.

    Args:
        store: Where its records are.
        contest: The competition.
        order: The entrants as its ratings have them.
        told: Is told how many more games are done.
    """
    games = as_ruled(contest.games, store.records(contest.info.name))
    try:
        found = field(contest.info, _counted(games, told))
    except RefereeError:
        return []
    return parts_of(found, order)


def _counted(
    games: Iterable[tuple[StoredGame, GameRecord]], told: Told
) -> Iterator[tuple[StoredGame, GameRecord]]:
    for game in games:
        yield game
        told("analysis", 1)


def parts_of(found: Field, order: Sequence[str]) -> list[Part]:
    """The sections of an analysis, the points by contract or role first.

    Args:
        found: Of one competition.
        order: The entrants as its ratings have them.
    """
    names = [name for name in order if name in found.analyses]
    by_place: dict[tuple[str, str, str], dict[str, Line]] = {}
    for name in names:
        for line in found.analyses[name].lines:
            by_place.setdefault((line.section, line.row.key, line.figure.label), {})[name] = line
    notes = {section.title: section.note for section in found.scheme.sections}
    parts = []
    for title, note in notes.items():
        rows = [lines for (section, _, _), lines in by_place.items() if section == title]
        if rows:
            grid = Grid(
                title,
                (Cell(""), *(Cell(name, "number") for name in names)),
                tuple(_row(lines, names, several=_has_several(rows)) for lines in rows),
            )
            parts.append(Part(title, grid, [*([note] if note else []), _BOARDS_NOTE]))
    return parts


def _has_several(rows: Sequence[dict[str, Line]]) -> bool:
    return len({line.figure.label for lines in rows for line in lines.values()}) > 1


def _row(lines: dict[str, Line], names: Sequence[str], *, several: bool) -> tuple[Cell, ...]:
    first = next(iter(lines.values()))
    label = f"{first.row.label}: {first.figure.label}" if several else first.row.label
    gaps = [line.same_cards.mean for line in lines.values() if line.same_cards is not None]
    most = max(map(abs, gaps), default=0.0) or 1.0
    return Cell(label), *(_cell(lines.get(name), most) for name in names)


def _cell(line: Line | None, most: float) -> Cell:
    if line is None or line.own is None:
        return Cell(NOTHING, "number heat none")
    return Cell(_text(line.own, percent=line.figure.percent), f"number {_look(line, line.same_cards, most)}")


def _text(own: Value, *, percent: bool) -> str:
    scale, sign = (100, " %") if percent else (1, "")
    error = "" if own.error is None else f"\n± {scale * own.error:,.1f}"
    return f"{scale * own.mean:,.1f}{sign}{error}"


def _look(line: Line, gap: Gap | None, most: float) -> str:
    if gap is None or not line.figure.better or not gap.mean:
        return "heat none"
    level = min(SHADES, 1 + int(SHADES * abs(gap.mean) / most))
    side = "over" if gap.mean * line.figure.better > 0 else "under"
    return f"heat {side}{level} {'sure' if gap.sure else 'open'}"
