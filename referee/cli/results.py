"""`ratings`, `crosstable`, `games` and `rate`: tables of results."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from rich.console import Console

from referee.cli.places import competitions_of, open_cup
from referee.errors import RefereeError
from referee.rating_file import rate_file
from referee.report.tables import cross_json, cross_table, games_table, ratings_json, ratings_table
from referee.standings import overall, standings

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from referee.store import Store

__all__ = ["print_crosstable", "print_games", "print_ratings", "print_tables", "rate_matches"]

#: Wide enough for every table when the output is no terminal, where rich would assume 80.
PLAIN_WIDTH = 160


def print_ratings(cup: Path, competition: str | None, *, as_json: bool) -> None:
    """Print the ratings of each competition, or of one."""
    with open_cup(cup) as store:
        print_tables(store, competition, as_json=as_json)


def print_tables(store: Store, competition: str | None = None, *, as_json: bool) -> None:
    """Print the ratings of a store; with faults also those without the boards that had one."""
    tables = []
    for one in competitions_of(store, competition):
        whole = standings(store, one)
        tables.append((one.name, whole, standings(store, one, faulted=False) if whole.faulted else None))
    together = overall(store) if competition is None and len(store.competitions) > 1 else None
    if as_json:
        found: dict[str, object] = {
            "competitions": {
                name: {
                    **ratings_json(whole),
                    "without_faults": None if clean is None else ratings_json(clean),
                }
                for name, whole, clean in tables
            },
            "overall": None if together is None else ratings_json(together),
        }
        print(json.dumps(found, ensure_ascii=False))
        return
    for _, whole, clean in tables:
        if not whole.boards:
            print(f"{whole.title}: no board is complete yet")
            continue
        _show(ratings_table(whole))
        if clean is not None and clean.boards:
            print("Without the boards that had a fault:")
            _show(ratings_table(clean))
    if together is not None and together.boards:
        _show(ratings_table(together))


def print_crosstable(cup: Path, competition: str | None, *, as_json: bool) -> None:
    """Print the cross table of each competition, or of one."""
    with open_cup(cup) as store:
        found = [standings(store, one) for one in competitions_of(store, competition)]
    if as_json:
        print(json.dumps([cross_json(one) for one in found], ensure_ascii=False))
        return
    for one in found:
        if one.boards:
            _show(cross_table(one))
        else:
            print(f"{one.title}: no board is complete yet")


def print_games(cup: Path, competition: str | None, *, as_json: bool) -> None:
    """List the finished games."""
    with open_cup(cup) as store:
        for one in competitions_of(store, competition):
            if not as_json:
                _show(games_table(store.games(one.name)))
                continue
            for game in store.games(one.name):
                line = {
                    "game": f"{game.competition}/{game.board}/{game.seating}",
                    "seats": game.seats,
                    "scores": game.scores,
                    "forfeits": game.forfeits,
                    "faults": game.faults,
                    "charged_ms": game.charged_ms,
                    "decisions": game.decisions,
                }
                print(json.dumps(line, ensure_ascii=False))


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


def _show(table: Table) -> None:
    terminal = sys.stdout.isatty()
    Console(width=None if terminal else PLAIN_WIDTH, highlight=False, markup=False).print(table)
