"""The pieces of the overview, each made of a snapshot alone.

Owns which pieces there are and in which words. Makes anew only what changed; computes no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from referee.pages.live.listing import address_of
from referee.pages.live.progress import RunState
from referee.pages.page import piece
from referee.pages.results import faults_of, origins_of, rulings_of, table_of
from referee.report.rulings import about_fault, rulings_words
from referee.report.tables import count

if TYPE_CHECKING:
    from referee.pages.live.progress import Progress, Run
    from referee.pages.live.watch import Rated, Snapshot
    from referee.stored import StoredFault

__all__ = ["COUNT", "Drawing", "duration"]

#: The piece that no page shows: how many games there are.
COUNT: Final = "count"
#: Faults that are listed; all of them are in the report.
MOST_FAULTS: Final = 20


@dataclass(frozen=True, slots=True)
class Latest:
    """One fault of the list.

    Args:
        number: Its place among all, which stays.
        fault: What happened.
        address: Of the game at that place; None at no table.
        ruling: What rulings make of it.
    """

    number: int
    fault: StoredFault
    address: str | None
    ruling: str


class Drawing:
    """Draws snapshots of one watch, one after another."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Rated, str]] = {}

    def quick(self, snapshot: Snapshot) -> dict[str, str]:
        """What may be new each second."""
        progress = snapshot.progress
        return {
            "progress": piece(
                "live_progress.html",
                progress=progress,
                pace=pace_words(progress),
                run=run_words(progress.run, progress.left),
                say=said(snapshot),
                is_over=snapshot.is_over,
            )
        }

    def slow(self, snapshot: Snapshot) -> dict[str, str]:
        """What follows from the results, which takes a while."""
        results, store = snapshot.results, snapshot.store
        pieces = self._table_pieces(snapshot)
        boards = {(game.competition, game.board) for game in snapshot.games}
        return {
            **pieces,
            "faults": piece(
                "live_faults.html",
                faults=faults_of(store, results, store.competitions, boards),
                latest=_latest(snapshot),
            ),
            "rulings": piece("live_rulings.html", rulings=rulings_of(results), joined=results.notes),
            "seed": piece("live_seed.html", origins=origins_of(store, results), store=store.path.name),
            COUNT: str(len(snapshot.games)),
        }

    def _table_pieces(self, snapshot: Snapshot) -> dict[str, str]:
        pieces = {}
        rated = {one.competition: one for one in snapshot.tables}
        contests = snapshot.results.contests
        wanted: list[tuple[str, str | None, str]] = [
            (f"table-{number}", one.info.name, one.title) for number, one in enumerate(contests, 1)
        ]
        if len(contests) > 1:
            wanted.append(("table-all", None, "all competitions"))
        for name, competition, title in wanted:
            one = rated.get(competition)
            if one is None:
                pieces[name] = piece("live_waiting.html", name=name, title=title)
                continue
            if self._tables.get(name, (None, ""))[0] is not one:
                self._tables[name] = one, _table(name, one)
            pieces[name] = self._tables[name][1]
        return pieces


def _table(name: str, one: Rated) -> str:
    if one.competition is None and not one.standings.boards:
        return ""
    table = table_of(one.competition or "all competitions", one.standings)
    return piece("live_table.html", name=name, table=table, is_settled=one.is_settled)


def _latest(snapshot: Snapshot) -> list[Latest]:
    first = max(0, len(snapshot.faults) - MOST_FAULTS)
    found = []
    for number, fault in enumerate(snapshot.faults[first:], first):
        address = None
        if fault.game is not None and snapshot.find(*_place(fault)) is not None:
            address = address_of(fault.game)
            if fault.deal is not None and fault.action is not None:
                path = address.removeprefix("/games/")
                address += f"#game={path}&deal={fault.deal}&move={fault.action + 1}&seat={fault.seat}"
        words = rulings_words(about_fault(fault, snapshot.results.rulings))
        found.append(Latest(number, fault, address, words))
    return found[::-1]


def _place(fault: StoredFault) -> tuple[str, int, int]:
    return fault.competition, fault.board or 0, fault.seating or 0


def said(snapshot: Snapshot) -> str:
    """What a screen reader is told now and then."""
    progress = snapshot.progress
    words = count(progress.games, "game")
    if progress.planned is not None:
        words = f"{progress.games:,} of {progress.planned:,} games"
    leading = [
        f"{one.standings.names[0]} leads{'' if one.competition is None else f' in {one.competition}'}"
        for one in snapshot.tables
        if one.standings.rows
    ]
    return "; ".join([words, *leading])


def pace_words(progress: Progress) -> list[str]:
    """Pace, time left and faults."""
    words = []
    if progress.per_second:
        words.append(f"{progress.per_second:,.1f} a second")
    if progress.seconds_left and progress.left:
        words.append(f"{'at most' if progress.is_open else 'about'} {duration(progress.seconds_left)} left")
    words.append(count(progress.faults, "fault"))
    return words


def run_words(run: Run, left: int | None) -> str:
    """Whether somebody plays, in a sentence."""
    process = f"process {run.pid} on {run.host}"
    if run.state is RunState.NONE:
        return "All is played." if left == 0 else "Not running: no run has begun."
    if run.state is RunState.RUNNING:
        doubt = "" if run.is_here else ", as far as its lock tells"
        return f"Running: {process}, since {_at(run.started)}{doubt}."
    if run.state is RunState.KILLED:
        return (
            f"Not running: the run of {process} broke off. What was finished is stored, and the same command"
            " goes on from there."
        )
    done = "All is played" if left == 0 else "Not running"
    return f"{done}: the last run ended at {_at(run.ended)}."


def _at(seconds: float | None) -> str:
    return datetime.fromtimestamp(seconds or 0, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def duration(seconds: float) -> str:
    """A time to read, rough enough not to jump about."""
    if seconds < 100:
        return f"{max(1, round(seconds / 5)) * 5} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
