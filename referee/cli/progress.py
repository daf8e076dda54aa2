"""How a run goes on: a screen that lives on a terminal, lines elsewhere, and JSON for programs.

Owns what is shown while games are played. Plays nothing and stores nothing.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import psutil
from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.ratings import Rater
from referee.report.tables import count, interval_bars
from referee.standings import overall, standings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import RenderableType

    from referee.config import Config
    from referee.standings import Standings
    from referee.store import Store
    from referee.tournament import Listener, Progress

__all__ = ["Lines", "duration", "watched"]

#: Seconds between two lines of progress.
QUIET_SECONDS = 2.0
#: The table so far is computed anew when this time is over, and never for more than a twentieth of the run's.
_TABLE_SECONDS, _TABLE_SHARE = 3.0, 0.05
#: How long ratings may go on to settle each time; they are rough at first where there are thousands of games.
_RATING_SECONDS = 0.3
#: How often a screen is painted, and how often processes are counted.
_PAINTS_PER_SECOND, _COUNT_SECONDS = 4, 2.0


@contextmanager
def watched(config: Config, store: Store, *, quiet: bool, as_json: bool) -> Iterator[Listener]:
    """What a run is to tell of its progress, for as long as it goes on.

    Args:
        config: The tournament.
        store: Its store.
        quiet: Whether to say nothing but what goes wrong.
        as_json: Whether to write an object a line, for programs.
    """
    if as_json:
        yield Objects()
        return
    console = Console()
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield Lines(quiet=quiet)
        return
    screen = Screen(config, store)
    # What is printed meanwhile, warnings too, goes above the screen; at its end the screen gives place to the tables.
    with Live(
        get_renderable=screen.paint, console=console, refresh_per_second=_PAINTS_PER_SECOND, transient=True
    ):
        yield screen


class Lines:
    """Prints a line every two seconds and at the end of a competition."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._last = time.monotonic()

    def progressed(self, progress: Progress) -> None:
        """Print a line where it is time for one."""
        now = time.monotonic()
        done = progress.games == progress.planned
        if self._quiet or not progress.per_second or (now - self._last < QUIET_SECONDS and not done):
            return
        self._last = now
        left = (progress.planned - progress.games) / progress.per_second
        faults = f", {count(progress.faults, 'fault')} in all" if progress.faults else ""
        planned = "" if progress.is_open else f" of {progress.planned:,}"
        print(
            f"{progress.competition}: {progress.games:,}{planned} games,"
            f" {progress.per_second:.1f} games/s{faults}"
            + ("" if done or progress.is_open else f", about {duration(left)} left"),
            flush=True,
        )

    def warned(self, message: str) -> None:
        """Print what went wrong."""
        print(f"tourney: {message}", file=sys.stderr, flush=True)


class Objects:
    """Writes an object of JSON a line on standard output."""

    def progressed(self, progress: Progress) -> None:
        """Write how far a competition is."""
        left = None
        if progress.per_second and not progress.is_open:
            left = round((progress.planned - progress.games) / progress.per_second, 1)
        found = {
            "competition": progress.competition,
            "games": progress.games,
            "planned": progress.planned,
            "is_open": progress.is_open,
            "games_per_second": round(progress.per_second, 3),
            "seconds_left": left,
            "faults": progress.faults,
        }
        print(json.dumps({"progress": found}), flush=True)

    def warned(self, message: str) -> None:
        """Write what went wrong."""
        print(json.dumps({"warning": message}, ensure_ascii=False), flush=True)


class Screen:
    """The run as a picture: what is done and left, the table so far, faults, and the bots that are alive.

    Args:
        config: The tournament.
        store: Its store, read in the thread that writes it only.
        clock: Gives the time.
    """

    def __init__(self, config: Config, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._config = config
        self._store = store
        self._clock = clock
        self._began = clock()
        self._games = {
            one.name: len(store.finished_boards(one.name)) * one.plan.seatings for one in config.competitions
        }
        self._last: Progress | None = None
        self._rater = Rater(_RATING_SECONDS)
        self._table: RenderableType | None = None
        self._table_at = 0.0
        self._bots = 0
        self._counted_at = 0.0

    def progressed(self, progress: Progress) -> None:
        """Note how far a competition is, and from time to time the table so far."""
        self._games[progress.competition] = progress.games
        self._last = progress
        began = self._clock()
        if began < self._table_at:
            return
        several = len(self._config.competitions) > 1
        found = (
            overall(self._store, rate=self._rater)
            if several
            else standings(self._store, self._store.competitions[0], rate=self._rater)
        )
        self._table = _table(found) if found.boards else None
        ended = self._clock()
        self._table_at = ended + max(_TABLE_SECONDS, (ended - began) / _TABLE_SHARE)

    def warned(self, message: str) -> None:
        """Print what went wrong above the screen."""
        print(f"tourney: {message}", file=sys.stderr, flush=True)

    def paint(self) -> RenderableType:
        """What there is to see now."""
        parts: list[RenderableType] = [self._progress()]
        if self._table is not None:
            parts.append(self._table)
        parts.append(Text(self._line(), style="dim"))
        return Group(*parts)

    def _progress(self) -> Table:
        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        grid.add_column(justify="right", no_wrap=True)
        for one in self._config.competitions:
            done, planned = self._games[one.name], one.plan.games
            most = "at most " if self._config.stop is not None else ""
            grid.add_row(
                Text(one.name, style="bold", overflow="ellipsis"),
                ProgressBar(total=max(1, planned), completed=done, complete_style="cyan"),
                f"{done:,} of {most}{planned:,} games",
            )
        return grid

    def _line(self) -> str:
        now = self._clock()
        if now - self._counted_at >= _COUNT_SECONDS:
            self._counted_at = now
            self._bots = _bots_alive()
        words = [f"{duration(now - self._began)} gone"]
        last = self._last
        if last is not None and last.per_second:
            left = sum(one.plan.games - self._games[one.name] for one in self._config.competitions)
            most = "at most" if last.is_open else "about"
            words += [f"{most} {duration(left / last.per_second)} left", f"{last.per_second:.1f} games/s"]
        words.append(count(last.faults if last else 0, "fault"))
        # Those of a cluster are on other machines.
        if self._config.executor != "dask":
            words.append(f"{self._bots:,} bot process{'' if self._bots == 1 else 'es'} alive")
        return " · ".join(words)


def _table(found: Standings) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=None)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("entrant", overflow="fold", min_width=8)
    table.add_column("mu", justify="right", no_wrap=True)
    table.add_column("95 % of mu", no_wrap=True)
    table.add_column("boards", justify="right", no_wrap=True)
    table.add_column("faults", justify="right", no_wrap=True)
    for row, bar in zip(found.rows, interval_bars(found), strict=True):
        mu = "" if row.rating is None else f"{row.rating.mu:.1f}"
        table.add_row(str(row.rank), row.entrant, mu, bar, f"{row.boards:,}", f"{row.faults:,}")
    return table


def _bots_alive() -> int:
    """How many programs the wardens of this process's workers hold."""
    bots = 0
    with suppress(psutil.Error):
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if any(word.endswith("warden.py") for word in process.cmdline()):
                    bots += len(process.children())
    return bots


def duration(seconds: float) -> str:
    """A time to read, in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
