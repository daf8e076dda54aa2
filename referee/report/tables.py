"""Tables for the terminal and for programs. What cannot be estimated is an en dash, or null."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

from referee.report.rulings import about_game, ruling_json, ruling_line, rulings_words
from referee.rulings import legible
from referee.statistics import mu_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.joining import Departure, Ruled
    from referee.standings import Row, Standings
    from referee.statistics import Difference
    from referee.stored import StoredGame

__all__ = [
    "RANKS",
    "count",
    "cross_json",
    "cross_notes",
    "cross_table",
    "games_table",
    "interval_bars",
    "ratings_json",
    "ratings_notes",
    "ratings_table",
    "rulings_table",
    "superiority_notes",
    "superiority_table",
]

NOTHING = "–"  # noqa: RUF001 - an en dash stands for what cannot be estimated
RANKS = "ranks such as 1-2: the places that it may truly have; these and each ± are at 95 %"
#: Fields of which the chances come from paired differences.
SMALL_FIELD = 3


def ratings_table(standings: Standings, *, narrow: bool = False) -> Table:
    """The ratings of one table of standings; a narrow one leaves out what follows from mu and sigma."""
    table = plain_table(standings.title, narrow=narrow)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("ranks", no_wrap=True)
    table.add_column("entrant", overflow="fold", min_width=8)
    heads = ["mu", "sigma"]
    if not narrow:
        heads.append("95 % of mu")
        if _shows_exposed(standings):
            heads.append("exposed")
    if standings.scored_by is not None:
        heads.append(f"{standings.scored_by}/game")
    heads += ["games", "boards"]
    if any(row.faults for row in standings.rows):
        heads.append("faults")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=not narrow)
    for row in standings.rows:
        table.add_row(*_cells(row, standings, narrow=narrow))
    return table


def interval_bars(standings: Standings, *, width: int = 24) -> list[str]:
    """Each row's 95 % interval of mu as a picture, all on one scale: ``  ├───●──┤   ``; empty without a rating.

    Args:
        standings: The table.
        width: Characters of each.
    """
    found = [
        row.rating and (row.rating.mu, *mu_interval(row.rating, _rated(standings))) for row in standings.rows
    ]
    least = min((one[1] for one in found if one), default=0.0)
    most = max((one[2] for one in found if one), default=1.0)
    scale = (width - 1) / ((most - least) or 1.0)
    bars = []
    for one in found:
        if not one:
            bars.append("")
            continue
        middle, low, high = (round((value - least) * scale) for value in one)
        bar = [" "] * low + ["├"] + ["─"] * max(0, high - low - 1) + ["┤"]
        bar[middle] = "●"
        bars.append("".join(bar).ljust(width))
    return bars


def ratings_notes(standings: Standings) -> list[str]:
    """What a reader must know of a table of ratings, a line each."""
    size = [count(standings.boards, "board"), count(standings.games, "game")]
    if standings.faults:
        where = f"on {count(standings.faulted, 'board')}" if standings.faulted else "at no table"
        size.append(f"{count(standings.faults, 'fault')} {where}")
    size.append(f"tie probability {standings.draw_probability:.3f}")
    notes = [", ".join(size)]
    if standings.rotation_gain is not None:
        gain = standings.rotation_gain
        notes.append(
            f"rotations: all seatings of a board divide the variance of a difference by {gain:.2f}"
            + (", which is no gain" if gain < 1 else "")
        )
    if any(low != high for low, high in (row.ranks for row in standings.rows)):
        notes.append(RANKS)
    if _shows_exposed(standings):
        notes.append("exposed = mu - 3 sigma, a cautious number, since not all played as many games")
    if any(row.flagged for row in standings.rows):
        notes.append(
            "! its points gainsay its place by more than the noise: mu is made of ranks on boards, not of margins"
        )
    notes += [
        f"{' and '.join(group)} were partners on every board: their ratings cannot be told apart"
        for group in standings.inseparable
    ]
    if standings.partners == "changing":
        notes.append("partners change: each is rated on its own, from boards of side against side")
    notes += map(_left_note, standings.left)
    notes += _remote_notes(standings)
    notes += map(ruling_line, standings.rulings)
    return notes


def _remote_notes(standings: Standings) -> list[str]:
    return [f"{name} ran elsewhere: it played without isolation" for name in standings.remote]


def _left_note(one: Departure) -> str:
    why = "forfeited too often" if one.ruling is None else f"was withdrawn by ruling {one.ruling}"
    after = "" if one.board is None else f" after {one.competition}/{one.board}"
    return f"{one.entrant} {why}: nothing of its tournament{after} counts"


def superiority_table(standings: Standings, *, narrow: bool = False) -> Table:
    """The chance that the entrant of the row is better than that of the column."""
    names = standings.names
    table = _square(f"{standings.title}, likelihood of superiority", names, narrow=narrow)
    for first in names:
        table.add_row(first, *(_percent(standings.chances.get((first, second))) for second in names))
    return table


def superiority_notes(standings: Standings) -> list[str]:
    """How the chances of a table are to be read."""
    small = len(standings.rows) <= SMALL_FIELD and standings.scored_by is not None
    made_of = "paired differences of boards" if small else "the ratings"
    return [f"chance in % that the row is better than the column, from {made_of}"]


def _percent(chance: float | None) -> str:
    if chance is None:
        return NOTHING
    if chance > 0.9995:
        return "> 99.9"
    return "< 0.1" if chance < 0.0005 else f"{100 * chance:.1f}"


def _shows_exposed(standings: Standings) -> bool:
    return len({row.games for row in standings.rows}) > 1


def _rated(standings: Standings) -> int:
    return sum(row.rating is not None for row in standings.rows)


def _cells(row: Row, standings: Standings, *, narrow: bool) -> list[str]:
    low, high = row.ranks
    cells = [
        str(row.rank),
        str(low) if low == high else f"{low}-{high}",
        row.entrant + (" !" if row.flagged else ""),
    ]
    exposed = _shows_exposed(standings)
    if row.rating is None:
        cells += [NOTHING] * (2 if narrow else 3 + exposed)
    else:
        mu, sigma = row.rating
        cells += [f"{mu:.2f}", f"{sigma:.2f}"]
        if not narrow:
            least, most = mu_interval(row.rating, _rated(standings))
            cells.append(f"{least:.1f} to {most:.1f}")
            if exposed:
                cells.append(f"{mu - 3 * sigma:.2f}")
    if standings.scored_by is not None:
        if row.per_game is None:
            cells.append(NOTHING)
        else:
            cells.append(f"{row.per_game.mean:,.2f} ± {_half(row.per_game.half_width)}")
    cells += [f"{row.games:,}", f"{row.boards:,}"]
    if any(other.faults for other in standings.rows):
        cells.append(f"{row.faults:,}")
    return cells


def ratings_json(standings: Standings) -> dict[str, object]:
    """The ratings as an object; numbers are rounded to nine places, so that they print alike everywhere."""
    return {
        "title": standings.title,
        "scored_by": standings.scored_by,
        "boards": standings.boards,
        "games": standings.games,
        "faults": standings.faults,
        "faulted_boards": standings.faulted,
        "left": [
            {
                "entrant": one.entrant,
                "last_board": None if one.board is None else f"{one.competition}/{one.board}",
                "ruling": one.ruling,
            }
            for one in standings.left
        ],
        "draw_probability": round(standings.draw_probability, 9),
        "rotation_gain": _rounded(standings.rotation_gain),
        "partners": standings.partners,
        "inseparable": [list(group) for group in standings.inseparable],
        "rows": [
            {
                "rank": row.rank,
                "ranks": list(row.ranks),
                "entrant": row.entrant,
                "mu": _rounded(row.rating and row.rating.mu),
                "sigma": _rounded(row.rating and row.rating.sigma),
                "interval": None
                if row.rating is None
                else [_rounded(end) for end in mu_interval(row.rating, _rated(standings))],
                "exposed": _rounded(row.rating and row.rating.mu - 3 * row.rating.sigma),
                "per_game": _rounded(None if row.per_game is None else row.per_game.mean),
                "half_width": _rounded(None if row.per_game is None else row.per_game.half_width),
                "games": row.games,
                "boards": row.boards,
                "faults": row.faults,
                "flagged": row.flagged,
            }
            for row in standings.rows
        ],
        "superiority": {
            first: {
                second: _rounded(standings.chances.get((first, second)))
                for second in sorted(standings.names)
                if second != first
            }
            for first in sorted(standings.names)
        },
    }


def _rounded(value: float | None) -> float | None:
    # + 0.0 makes one nought of two.
    return None if value is None else round(value, 9) + 0.0


def cross_table(standings: Standings, *, narrow: bool = False) -> Table:
    """What the entrant of the row has over that of the column, per game, with its paired interval and boards."""
    names = standings.names
    with_boards = _boards_differ(standings)
    table = _square(standings.title, names, narrow=narrow)
    for first in names:
        gaps = [standings.cross.get((first, second)) for second in names]
        table.add_row(first, *(_gap(met, with_boards=with_boards, narrow=narrow) for met in gaps))
    return table


def cross_notes(standings: Standings) -> list[str]:
    """How a cross table is to be read."""
    boards = "; in brackets how many boards" if _boards_differ(standings) else _common(standings)
    return [
        f"{standings.scored_by} per game on common boards ± 95 %, above zero: the row is better{boards}",
        "* p < 0.05 after Holm: that any star of the table is chance has at most 5 %"
        if any(map(_is_sure, standings.cross.values()))
        else "no difference has p < 0.05 after Holm: all of them may be chance",
        *_remote_notes(standings),
        *map(ruling_line, standings.rulings),
    ]


def _boards_differ(standings: Standings) -> bool:
    """Whether not all pairs that met have as many boards in common."""
    return len({met.boards for met in standings.cross.values()}) > 1


def _common(standings: Standings) -> str:
    met = next(iter(standings.cross.values()), None)
    return "" if met is None else f"; {count(met.boards, 'board')} for each pair"


def _gap(met: Difference | None, *, with_boards: bool, narrow: bool) -> str:
    if met is None:
        return NOTHING
    # A star or its empty place, so that the numbers of a column stand below each other.
    mark = " *" if _is_sure(met) else "  "
    boards = f" ({met.boards:,})" if with_boards else ""
    space = "\n" if narrow else " "
    return f"{met.mean:+,.2f}{space}± {_half(met.half_width)}{boards}{mark}"


def _is_sure(met: Difference) -> bool:
    return met.adjusted is not None and met.adjusted < 0.05


def _half(half: float | None) -> str:
    return NOTHING if half is None else f"{half:,.2f}"


def _square(title: str, names: Sequence[str], *, narrow: bool) -> Table:
    table = plain_table(title, narrow=narrow)
    table.add_column("", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    return table


def plain_table(title: str | None = None, *, narrow: bool = False) -> Table:
    """A table as all of them look here, without columns."""
    return Table(
        title=title,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        padding=(0, 1, 0, 0) if narrow else (0, 1),
    )


def count(number: int, word: str) -> str:
    """A number and what it counts: ``1 board``, ``1,200 boards``."""
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def cross_json(standings: Standings) -> dict[str, object]:
    """The cross table as an object."""
    return {
        "title": standings.title,
        "scored_by": standings.scored_by,
        "pairs": [
            {
                "first": first,
                "second": second,
                "mean": _rounded(met.mean),
                "half_width": _rounded(met.half_width),
                "boards": met.boards,
                "p_value": _rounded(met.p_value),
                "adjusted": _rounded(met.adjusted),
                "superiority": _rounded(met.superiority),
            }
            for (first, second), met in sorted(standings.cross.items())
        ],
        "remote": list(standings.remote),
        "rulings": [ruling_json(one) for one in standings.rulings],
    }


def games_table(games: Iterable[StoredGame], rulings: Sequence[Ruled] = (), *, narrow: bool = False) -> Table:
    """A line for each game as it was played; what rulings make of it stands in a column of its own."""
    table = plain_table(None, narrow=narrow)
    for head in ("game", "seats", "scores", "faults", "forfeited by", *(["ruling"] if rulings else [])):
        table.add_column(head, overflow="fold")
    for game in games:
        table.add_row(
            game.name,
            " ".join(game.seats),
            " ".join(map(str, game.scores)),
            str(game.faults or ""),
            " ".join(game.seats[seat] for seat in game.forfeits),
            *([rulings_words(about_game(game, rulings))] if rulings else []),
        )
    return table


def rulings_table(rulings: Sequence[Ruled], *, narrow: bool = False) -> Table:
    """A line for each ruling; one that was taken back says by which."""
    several = any(one.tournament is not None for one in rulings)
    table = plain_table(narrow=narrow)
    table.add_column("#", justify="right", no_wrap=True)
    for head in (*(["tournament"] if several else []), "when (UTC)", "what", "reason"):
        table.add_column(head, overflow="fold")
    back = {(one.tournament, one.ruling.revokes): one.ruling.number for one in rulings}
    for one in rulings:
        by = back.get((one.tournament, one.ruling.number))
        cells = [
            *([one.tournament or ""] if several else []),
            one.ruling.made_at.replace("T", " ").removesuffix("+00:00"),
            one.ruling.what + ("" if by is None else f" (taken back by ruling {by})"),
            one.ruling.reason,
        ]
        table.add_row(str(one.ruling.number), *map(legible, cells))
    return table
