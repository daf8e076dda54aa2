"""How far a tournament is that another process plays: games, pace, time left, and whether a run is alive.

Owns what is concluded from the store and from the process that writes it. Touches no lock: to try one could refuse a
run that is just beginning.
"""

from __future__ import annotations

import socket
import time
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

import psutil

from cardtable.catalog import game as game_of
from referee.audit.terms import AuditError, Terms
from referee.schedule import ScheduleError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.pages.live.following import Followed
    from referee.stored import CompetitionInfo, RunInfo

__all__ = ["Meter", "Part", "Progress", "Run", "RunState", "run_of"]

#: Over how long the pace is taken: workers give back blocks of many seconds.
PACE_SECONDS: Final = 60.0
#: By how much the clocks of a process and of the run that it began may differ.
_SLACK_SECONDS: Final = 2.0


class RunState(Enum):
    """Whether somebody plays."""

    NONE = "none"
    RUNNING = "running"
    ENDED = "ended"
    #: It did not end, and its process is not there any more.
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Run:
    """The last run on a store.

    Args:
        state: Whether it goes on. Of one on another machine only its lock is known.
        pid, host: Its process; None before the first.
        started, ended: Seconds since 1970.
        is_here: Whether it is one of this machine.
    """

    state: RunState
    pid: int | None = None
    host: str | None = None
    started: float | None = None
    ended: float | None = None
    is_here: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """One competition.

    Args:
        name: Its name.
        title: Its game in words.
        games: Games of complete boards.
        planned: Games of its plan; None where the store does not say.
        is_open: Whether a stop rule may end it before that.
    """

    name: str
    title: str
    games: int
    planned: int | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is.

    Args:
        games, faults: On complete boards; faults at no table too.
        parts: Its competitions.
        run: Who plays.
        per_second: Games per second of late; None while nobody plays, or when it is not known yet.
        trouble: Why the store cannot be followed just now, in a sentence; empty when it can.
    """

    games: int
    faults: int
    parts: tuple[Part, ...]
    run: Run
    per_second: float | None = None
    trouble: str = ""

    @property
    def planned(self) -> int | None:
        """Games of all plans; None where one is not known."""
        known = [part.planned for part in self.parts if part.planned is not None]
        return sum(known) if len(known) == len(self.parts) else None

    @property
    def left(self) -> int | None:
        """Games that are to be played yet, at the most."""
        return None if self.planned is None else max(0, self.planned - self.games)

    @property
    def is_open(self) -> bool:
        """Whether it may end earlier."""
        return any(part.is_open for part in self.parts)

    @property
    def seconds_left(self) -> float | None:
        """At the pace of late; None where that is not known."""
        return self.left / self.per_second if self.left is not None and self.per_second else None


class Meter:
    """Measures one store, time after time.

    Args:
        clock: Gives the time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()
        self._plans: tuple[str, Mapping[str, tuple[int | None, bool]]] | None = None
        self._counted = 0
        self._counts: dict[str, int] = {}
        self._titles: dict[str, str] = {}
        self._run: float | None = None

    def __call__(self, store: Followed, last: RunInfo | None) -> Progress:
        """How far it is, as far as it is read.

        Args:
            store: What was read.
            last: The last run, as it was before that.
        """
        cut = store.head
        for game in store.log[self._counted : cut.games]:
            self._counts[game.competition] = self._counts.get(game.competition, 0) + 1
        self._counted = cut.games
        plans = self._planned(store)
        run = run_of(last)
        parts = tuple(
            Part(
                one.name, self._title(one), self._counts.get(one.name, 0), *plans.get(one.name, (None, False))
            )
            for one in store.competitions
        )
        return Progress(cut.games, cut.faults, parts, run, self._pace(run, cut.games))

    def _pace(self, run: Run, games: int) -> float | None:
        if run.state is not RunState.RUNNING or run.started != self._run:
            self._seen.clear()
            self._run = run.started
        if run.state is not RunState.RUNNING:
            return None
        now = self._clock()
        self._seen.append((now, games))
        while now - self._seen[0][0] > PACE_SECONDS:
            self._seen.popleft()
        then, before = self._seen[0]
        return (games - before) / (now - then) if now > then and games > before else None

    def _planned(self, store: Followed) -> Mapping[str, tuple[int | None, bool]]:
        """Games of each plan, and whether it is open; made once for each identity."""
        info = store.head.info
        if self._plans is None or self._plans[0] != info.identity:
            self._plans = info.identity, _plans(store)
        return self._plans[1]

    def _title(self, one: CompetitionInfo) -> str:
        if one.name not in self._titles:
            game = game_of(one.game)
            self._titles[one.name] = game.title_of(game.variant(one.variant))
        return self._titles[one.name]


def _plans(store: Followed) -> dict[str, tuple[int | None, bool]]:
    try:
        terms = Terms.of(store.head.info, store.path)
    except AuditError:  # merged of several, or of a program that we do not know
        return {}
    found: dict[str, tuple[int | None, bool]] = {}
    for name, one in terms.competitions.items():
        try:
            found[name] = one.plan().games, one.stop is not None
        except (ScheduleError, KeyError, TypeError, ValueError):
            found[name] = None, False
    return found


def run_of(last: RunInfo | None) -> Run:
    """What is known of the last run: whether its process is there, and is that which began it."""
    if last is None:
        return Run(RunState.NONE)
    is_here = last.host == socket.gethostname()
    if last.ended is not None:
        state = RunState.ENDED
    elif last.has_lock and (not is_here or _is_alive(last.pid, last.started)):
        state = RunState.RUNNING
    else:
        state = RunState.KILLED
    return Run(state, last.pid, last.host, last.started, last.ended, is_here)


def _is_alive(pid: int, started: float) -> bool:
    try:
        process = psutil.Process(pid)
        # Numbers of processes come again; who was born later did not begin that run.
        is_born_before = process.create_time() <= started + _SLACK_SECONDS
        return is_born_before and process.status() != psutil.STATUS_ZOMBIE
    except psutil.AccessDenied:
        return True
    except (psutil.Error, ValueError, OverflowError):
        return False
