"""Tables for the terminal and for programs. What cannot be estimated is an en dash, or null."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.standings import Row, Standings
    from referee.statistics import Difference
    from referee.stored import StoredGame

__all__ = ["cross_json", "cross_table", "games_table", "ratings_json", "ratings_table"]

NOTHING = "–"  # noqa: RUF001 - an en dash stands for what cannot be estimated


def ratings_table(standings: Standings) -> Table:
    """The ratings of one table of standings."""
    table = Table(
        title=standings.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False
    )
    table.add_column("#", justify="right")
    table.add_column("ranks")
    table.add_column("entrant", overflow="fold")
    for head in (
        "mu",
        "sigma",
        "95 % of mu",
        *([_unit(standings)] if standings.scored_by else []),
        "games",
        "boards",
    ):
        table.add_column(head, justify="right")
    if any(row.faults for row in standings.rows):
        table.add_column("faults", justify="right")
    for row in standings.rows:
        table.add_row(*_cells(row, standings))
    notes = [f"{standings.boards:,} boards, tie probability {standings.draw_probability:.3f}"]
    if any(row.flagged for row in standings.rows):
        notes.append("! points gainsay the place by more than the noise")
    notes += [
        f"{name} forfeited too often: nothing after {competition}/{board} counts"
        for name, (competition, board) in sorted(standings.left.items())
    ]
    table.caption = "; ".join(notes)
    table.caption_justify = "left"
    return table


def _unit(standings: Standings) -> str:
    return f"{standings.scored_by}/game"


def _cells(row: Row, standings: Standings) -> list[str]:
    low, high = row.ranks
    cells = [
        str(row.rank),
        str(low) if low == high else f"{low}-{high}",
        row.entrant + (" !" if row.flagged else ""),
    ]
    if row.rating is None:
        cells += [NOTHING] * 3
    else:
        mu, sigma = row.rating
        cells += [f"{mu:.2f}", f"{sigma:.2f}", f"{mu - 1.96 * sigma:.1f} to {mu + 1.96 * sigma:.1f}"]
    if standings.scored_by is not None:
        if row.per_game is None:
            cells.append(NOTHING)
        else:
            half = row.per_game.half_width
            cells.append(f"{row.per_game.mean:.2f} ± {NOTHING if half is None else f'{half:.2f}'}")
    cells += [str(row.games), str(row.boards)]
    if any(other.faults for other in standings.rows):
        cells.append(str(row.faults))
    return cells


def ratings_json(standings: Standings) -> dict[str, object]:
    """The ratings as an object; numbers are rounded to nine places, so that they print alike everywhere."""
    return {
        "title": standings.title,
        "scored_by": standings.scored_by,
        "boards": standings.boards,
        "faulted_boards": standings.faulted,
        "left": {
            name: f"{competition}/{board}" for name, (competition, board) in sorted(standings.left.items())
        },
        "draw_probability": round(standings.draw_probability, 9),
        "rows": [
            {
                "rank": row.rank,
                "ranks": list(row.ranks),
                "entrant": row.entrant,
                "mu": _rounded(row.rating and row.rating.mu),
                "sigma": _rounded(row.rating and row.rating.sigma),
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
                second: _rounded(chance)
                for (one, second), chance in sorted(standings.chances.items())
                if one == first
            }
            for first in sorted({one for one, _ in standings.chances})
        },
    }


def _rounded(value: float | None) -> float | None:
    # + 0.0 makes one nought of two.
    return None if value is None else round(value, 9) + 0.0


def cross_table(standings: Standings) -> Table:
    """What the entrant of the row has over that of the column, per game, with its paired interval."""
    names = [row.entrant for row in standings.rows]
    table = Table(
        title=standings.title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False
    )
    table.add_column("", overflow="fold")
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    for first in names:
        table.add_row(first, *(_gap(standings.cross.get((first, second))) for second in names))
    table.caption = (
        f"{standings.scored_by} per game on common boards ± 95 %, above zero: the row is better;"
        " * p < 0.05 after Holm"
    )
    table.caption_justify = "left"
    return table


def _gap(met: Difference | None) -> str:
    if met is None:
        return NOTHING
    half = NOTHING if met.half_width is None else f"{met.half_width:.2f}"
    sure = " *" if met.adjusted is not None and met.adjusted < 0.05 else ""
    return f"{met.mean:+.2f} ± {half}{sure}"


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
    }


def games_table(games: Iterable[StoredGame]) -> Table:
    """A line for each game."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("game", "seats", "scores", "faults", "forfeited by"):
        table.add_column(head, overflow="fold")
    for game in games:
        table.add_row(
            f"{game.competition}/{game.board}/{game.seating}",
            " ".join(game.seats),
            " ".join(map(str, game.scores)),
            str(game.faults or ""),
            " ".join(game.seats[seat] for seat in game.forfeits),
        )
    return table
