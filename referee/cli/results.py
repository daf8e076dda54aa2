"""`ratings`, `crosstable`, `games`, `merge` and `rate`: tables of results."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from referee.cli.kept import print_kept
from referee.cli.places import competitions_of, open_cup, path_of, read_cups, rulings_of
from referee.database.address import DatabaseUrl
from referee.errors import RefereeError
from referee.joining import Results
from referee.merge import merge_stores, read
from referee.rating_file import rate_file
from referee.report.results import Views, game_json, results_json
from referee.report.rulings import ruling_line
from referee.report.tables import (
    count,
    cross_json,
    cross_notes,
    cross_table,
    games_table,
    ratings_notes,
    ratings_table,
    superiority_notes,
    superiority_table,
)
from referee.standings import overall, standings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from referee.database.address import StoreAddress
    from referee.standings import Standings
    from referee.store import Store

__all__ = [
    "merge_cups",
    "print_crosstable",
    "print_games",
    "print_ratings",
    "print_tables",
    "rate_matches",
    "show",
]

#: Wide enough for every table when the output is no terminal, where rich would assume 80.
PLAIN_WIDTH = 160
#: A width that no table has, for asking how wide one would be.
BOUNDLESS = 10_000


def print_ratings(
    cups: StoreAddress | Sequence[StoreAddress],
    competition: str | None,
    *,
    los: bool = False,
    as_json: bool,
    anew: bool = False,
) -> None:
    """Print the ratings of each competition, or of one; several stores are joined.

    Args:
        cups: Stores, or the tournament files that name them.
        competition: Only this one, by its joined name.
        los: Whether the chances of being better are printed too; JSON always has them.
        as_json: Whether to print JSON.
        anew: Whether to make them anew where nothing has changed since they were made.
    """
    with ExitStack() as stack:
        paths = [cups] if isinstance(cups, (Path, DatabaseUrl)) else cups
        stores = [stack.enter_context(open_cup(path)) for path in paths]

        def make() -> None:
            print_tables(read(*stores), competition, los=los, as_json=as_json)

        if anew:
            make()
        else:
            print_kept(stores, ["ratings", competition, los, as_json], make)


def print_tables(
    games: Store | Results, competition: str | None = None, *, los: bool = False, as_json: bool
) -> None:
    """Print the ratings of a store; also without faulted boards and without who left, where there are any."""
    results = games if isinstance(games, Results) else read(games)
    contests = results.contests if competition is None else (results.contest(competition),)
    views = [Views.of(partial(standings, results, one.info), results) for one in contests]
    together = (
        Views.of(partial(overall, results), results)
        if competition is None and len(results.contests) > 1
        else None
    )
    if as_json:
        tables = {one.info.name: view.to_json() for one, view in zip(contests, views, strict=True)}
        found = results_json(results, tables, None if together is None else together.to_json())
        print(json.dumps(found, ensure_ascii=False))
        return
    for view in views:
        _show_views(view, results, los=los)
    if together is not None and together.whole.boards:
        _show_views(together, results, los=los)
    _say_joined(results)


def _show_views(views: Views, results: Results, *, los: bool) -> None:
    whole = views.whole
    if not whole.boards:
        _say_none(whole)
        return
    show(partial(ratings_table, whole), ratings_notes(whole))
    if los and any(chance is not None for chance in whole.chances.values()):
        show(partial(superiority_table, whole), superiority_notes(whole))
    _show_without(views.clean, "without the boards that had a fault")
    why_left = "left" if any(one.ruling is not None for one in results.left) else "forfeited too often"
    _show_without(views.staying, f"without the boards of those that {why_left}")


def _say_none(table: Standings) -> None:
    print(f"{table.title}: no board is complete yet")
    for one in table.rulings:
        print(ruling_line(one))


def _show_without(table: Standings | None, what: str) -> None:
    if table is None:
        return
    title = f"{table.title}, {what}"
    if table.boards:
        # The rulings are named below the table that has all boards.
        show(partial(ratings_table, replace(table, title=title)), ratings_notes(replace(table, rulings=())))
    else:
        print(f"{title}: none is left\n")


def _say_joined(results: Results) -> None:
    if len(results.sources) > 1:
        print(f"Joined of {', '.join(sorted(one.name for one in results.sources))}")
        for note in results.notes:
            print(note)


def merge_cups(out: StoreAddress, cups: Sequence[StoreAddress]) -> None:
    """Write a store of all games of some stores, and say what is in it."""
    results = merge_stores(out, [path_of(cup) for cup in cups])
    for one in results.contests:
        print(f"{one.title}: {count(len(one.boards), 'board')}, {count(len(one.games), 'game')} that count")
    _say_joined(results)
    print(f"Written to {out}")


def print_crosstable(cup: StoreAddress, competition: str | None, *, as_json: bool) -> None:
    """Print the cross table of each competition, or of one."""
    results = read_cups([cup])
    contests = results.contests if competition is None else (results.contest(competition),)
    found = [standings(results, one.info) for one in contests]
    if as_json:
        print(json.dumps([cross_json(one) for one in found], ensure_ascii=False))
        return
    for one in found:
        if one.boards:
            show(partial(cross_table, one), cross_notes(one))
        else:
            _say_none(one)
    _say_joined(results)


def print_games(cup: StoreAddress, competition: str | None, *, as_json: bool) -> None:
    """List the finished games."""
    with open_cup(cup) as store:
        rulings = rulings_of(store)
        for one in competitions_of(store, competition):
            if not as_json:
                here = [each for each in rulings if each.in_force and each.ruling.competition == one.name]
                of_games = [each for each in here if each.ruling.game is not None]
                show(partial(games_table, tuple(store.games(one.name)), of_games), [*map(ruling_line, here)])
                continue
            for game in store.games(one.name):
                print(json.dumps(game_json(game, rulings), ensure_ascii=False))


def rate_matches(file: Path) -> None:
    """Rate the matches of a file and print the ratings as JSON."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RefereeError(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RefereeError(f"{file}: no JSON: {error}") from None
    if not isinstance(content, dict):
        raise RefereeError(f'{file}: must be an object with "matches"')
    try:
        print(json.dumps(rate_file(content), ensure_ascii=False))
    except ValueError as error:
        raise RefereeError(f"{file}: {error}") from None


def show(make: Callable[..., Table], notes: Sequence[str] = ()) -> None:
    """Print a table and what is to be said of it; narrow where the screen is too narrow for it."""
    console = Console(
        width=None if sys.stdout.isatty() else PLAIN_WIDTH, highlight=False, markup=False, emoji=False
    )
    table = make(narrow=False)
    if console.measure(table, options=console.options.update(max_width=BOUNDLESS)).maximum > console.width:
        table = make(narrow=True)
    with console.capture() as drawn:
        console.print(table)
        for note in notes:
            console.print(note)
    # The table fills its lines with blanks, which whoever copies or compares them does not want.
    print("\n".join(line.rstrip() for line in drawn.get().strip("\n").split("\n")))
    if notes:
        print()
