"""Why a bot lost, as tables for the terminal and as an object for programs.

Every ± of an analysis is one standard error over boards. What cannot be estimated is an en dash, or null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.analysis import LEAST_BOARDS
from referee.report.tables import NOTHING, count, plain_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

    from cardtable.figures import Figure, Section
    from referee.analysis import Analysis, ContrastLine, CostlyDeal, Field, Gap, Line, Value
    from referee.database.address import StoreAddress

__all__ = [
    "analysis_json",
    "analysis_notes",
    "contrasts_table",
    "costly_notes",
    "costly_table",
    "field_notes",
    "field_table",
    "section_table",
]

_ERRORS = f"± is one standard error over boards; {NOTHING}: fewer than {LEAST_BOARDS} boards have such deals, or all are equal"


def section_table(
    title: str, section: Section, found: Analysis, field: Field, *, narrow: bool = False
) -> Table:
    """One section of an analysis, a figure a line; figures of which the entrant has no deal are left out."""
    lines = [line for line in found.lines if line.section == section.title and line.own is not None]
    several = len({line.figure for line in lines}) > 1
    table = plain_table(f"{title}: {section.title}", narrow=narrow)
    for head in ("", *([""] if several else [])):
        table.add_column(head, overflow="fold")
    # Where a row is not of everybody, some of its deals have nobody to be compared with.
    partly = any(
        line.same_cards is None or line.same_cards.deals < line.own.deals for line in lines if line.own
    )
    heads = ["deals", f"{found.entrant} ±", *(["compared"] if partly else []), "field", "difference ±"]
    if field.scheme.round:
        heads.append("same hand ±")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=not narrow)
    before = None
    for line in lines:
        assert line.own is not None
        gap = line.same_cards
        cells = [
            f"{line.own.deals:,}",
            _value(line.own, line.figure),
            *([f"{gap.deals if gap else 0:,}"] if partly else []),
            NOTHING if gap is None else _number(gap.field, line.figure),
            _gap(gap, line.figure),
        ]
        if field.scheme.round:
            cells.append(_gap(line.same_hand, line.figure))
        words = [line.row.label if line.row.key != before else "", *([line.figure.label] if several else [])]
        table.add_row(*words, *cells)
        before = line.row.key
    return table


def contrasts_table(title: str, lines: Iterable[ContrastLine], *, narrow: bool = False) -> Table:
    """What decisions brought, against those who decided otherwise with the same hand."""
    table = plain_table(f"{title}: decisions with the same hand", narrow=narrow)
    for head in ("", ""):
        table.add_column(head, overflow="fold")
    for head in ("deals", "otherwise", "difference ±"):
        table.add_column(head, justify="right", no_wrap=not narrow)
    for line in lines:
        gap = line.gap
        cells = (
            ["0", NOTHING, NOTHING]
            if gap is None
            else [f"{gap.deals:,}", _number(gap.field, line.figure), _gap(gap, line.figure)]
        )
        table.add_row(line.label, line.figure.label, *cells)
    return table


def analysis_notes(found: Analysis, field: Field) -> list[str]:
    """What a reader must know of all these tables, a line each."""
    notes = [f"{count(found.boards, 'board')}, {count(found.games, 'game')}, {count(found.deals, 'deal')}"]
    if found.left_out:
        notes.append(
            f"{count(found.left_out, 'deal')} left out, in which the house decided for a bot at fault:"
            f" {found.own_left_out:,} for {found.entrant}"
        )
    notes.append(_ERRORS)
    if field.scheme.round:
        notes += [
            f"difference: from the others who had this seat with the cards of the same {field.scheme.round}",
            "same hand: from those of them who had the same hand in the same deal, played as the same thing",
        ]
    else:
        notes.append("difference: from the others who had this seat with the same hand")
    notes.append("field: the mean of those others there")
    notes += [one.note for one in field.scheme.sections if one.note]
    gaps = [gap for line in found.lines for gap in (line.same_cards, line.same_hand)]
    gaps += [line.gap for line in found.contrasts]
    notes.append(
        "* p < 0.05 after Holm: that any star of these tables is chance has at most 5 %"
        if any(gap is not None and gap.sure for gap in gaps)
        else "no difference has p < 0.05 after Holm: all of them may be chance"
    )
    return notes


def costly_table(title: str, deals: Iterable[CostlyDeal], *, narrow: bool = False) -> Table:
    """The deals that lost most against the others who had the same hand, worst first."""
    table = plain_table(f"{title}: costliest deals", narrow=narrow)
    for head in ("game", "deal", "seat"):
        table.add_column(head, justify="left" if head == "game" else "right", overflow="fold")
    table.add_column("", overflow="fold")
    for head in ("points", "field", "lost"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("the others with the same hand", overflow="fold")
    for one in deals:
        others = ", ".join(f"{name} {points:g}" for name, points in one.others)
        table.add_row(
            one.game,
            str(one.deal),
            str(one.seat),
            one.label,
            f"{one.points:g}",
            f"{one.field:,.1f}",
            f"{one.lost:,.1f}",
            others,
        )
    return table


def costly_notes(cup: StoreAddress, deals: Iterable[CostlyDeal]) -> list[str]:
    """How to look at the first of these deals."""
    return [f"`tourney show {cup} {one.game}` shows the first of them: see Deal {one.deal}" for one in deals][
        :1
    ]


def field_table(title: str, field: Field, *, narrow: bool = False) -> Table:
    """The points of all entrants: the first section of the game, an entrant a column."""
    section = field.scheme.sections[0]
    several = len({figure for _, figure in section.lines}) > 1
    table = plain_table(f"{title}: {section.title}", narrow=narrow)
    for head in ("", *([""] if several else [])):
        table.add_column(head, overflow="fold")
    for name in field.analyses:
        table.add_column(f"{name} ±", justify="right", overflow="fold")
    before = None
    for lines in zip(*(one.lines[: len(section.lines)] for one in field.analyses.values()), strict=True):
        row, figure = lines[0].row, lines[0].figure
        words = [row.label if row.key != before else "", *([figure.label] if several else [])]
        table.add_row(*words, *(_value(line.own, figure) for line in lines))
        before = row.key
    return table


def field_notes(field: Field) -> list[str]:
    """What a reader must know of the table of the field."""
    return [f"{count(field.boards, 'board')}, {count(field.games, 'game')}", _ERRORS]


def analysis_json(title: str, found: Analysis, field: Field) -> dict[str, object]:
    """An analysis as an object; numbers are rounded to nine places, shares are not in per cent."""
    return {
        "competition": found.competition,
        "title": title,
        "entrant": found.entrant,
        "boards": found.boards,
        "games": found.games,
        "deals": found.deals,
        "left_out": found.left_out,
        "own_left_out": found.own_left_out,
        "round": field.scheme.round or None,
        "lines": [_line_json(line) for line in found.lines],
        "contrasts": [
            {"label": line.label, "figure": line.figure.label, "gap": _gap_json(line.gap)}
            for line in found.contrasts
        ],
        "costliest": [
            {
                "game": one.game,
                "deal": one.deal,
                "seat": one.seat,
                "label": one.label,
                "points": one.points,
                "field": _rounded(one.field),
                "lost": _rounded(one.lost),
                "others": {name: _rounded(points) for name, points in one.others},
            }
            for one in found.costliest
        ],
    }


def _line_json(line: Line) -> dict[str, object]:
    own = line.own
    return {
        "section": line.section,
        "row": line.row.key,
        "label": line.row.label,
        "figure": line.figure.label,
        "percent": line.figure.percent,
        "better": line.figure.better,
        "own": None
        if own is None
        else {
            "mean": _rounded(own.mean),
            "error": _rounded(own.error),
            "boards": own.boards,
            "deals": own.deals,
        },
        "same_cards": _gap_json(line.same_cards),
        "same_hand": _gap_json(line.same_hand),
    }


def _gap_json(gap: Gap | None) -> dict[str, object] | None:
    if gap is None:
        return None
    return {
        "mean": _rounded(gap.mean),
        "field": _rounded(gap.field),
        "error": _rounded(gap.error),
        "boards": gap.boards,
        "deals": gap.deals,
        "p_value": _rounded(gap.p_value),
        "adjusted": _rounded(gap.adjusted),
    }


def _rounded(value: float | None) -> float | None:
    # + 0.0 makes one nought of two.
    return None if value is None else round(value, 9) + 0.0


def _number(number: float, figure: Figure, *, sign: bool = False) -> str:
    plus = "+" if sign else ""
    if figure.percent:
        return f"{100 * number + 0.0:{plus},.1f} %"
    return f"{number + 0.0:{plus},.2f}"


def _error(error: float | None, figure: Figure) -> str:
    if error is None:
        return NOTHING
    return f"{100 * error:,.1f}" if figure.percent else f"{error:,.2f}"


def _value(own: Value | None, figure: Figure) -> str:
    return NOTHING if own is None else f"{_number(own.mean, figure)} ± {_error(own.error, figure)}"


def _gap(gap: Gap | None, figure: Figure) -> str:
    # A star or its empty place, so that the numbers of a column stand below each other.
    if gap is None:
        return f"{NOTHING}  "
    mark = " *" if gap.sure else "  "
    return f"{_number(gap.mean, figure, sign=True)} ± {_error(gap.error, figure)}{mark}"
