"""How long the processes of a bot waited for a core while it was to answer; from what Linux counts for each thread.

A machine that is busy gives a bot that could run no core for a while. That is no thinking, and `referee.seat`
adds it to the limit. Owns only the looking: it judges nothing and knows no game.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CoreWait"]

_NANO = 1e-9
_TICKS = os.sysconf("SC_CLK_TCK")


class _Thread(NamedTuple):
    """What one thread has had.

    Args:
        ran, waited: Nanoseconds on a core, and ready to run without one.
        turns: How often it got a core.
        is_ready: Whether it runs or would.
    """

    ran: int
    waited: int
    turns: int
    is_ready: bool


class CoreWait:
    """Watches one process and its descendants from now on.

    What it adds up is bounded by the time that they did not use: threads that keep each other waiting win nothing.

    Args:
        pid: The process.
        now: The monotonic clock, seconds.
    """

    __slots__ = ("_begin", "_cpu", "_pid", "_threads", "_told", "_waited", "is_waiting")

    def __init__(self, pid: int, now: float) -> None:
        self._pid = pid
        self._begin = now
        self._told = self._waited = 0.0
        #: Whether one of its threads has been ready since the last look and has had no core.
        self.is_waiting = False
        self._threads, self._cpu = self._look()

    def look(self, now: float) -> float:
        """Seconds that it waited since it was watched, as far as they were not told by an earlier look."""
        before = self._threads
        self._threads, cpu = self._look()
        self.is_waiting = False
        for key, thread in self._threads.items():
            # A thread that came since then has waited since it came.
            old = before.get(key, _Thread(0, 0, 0, is_ready=False))
            self._waited += max(0, thread.waited - old.waited) * _NANO
            # What it waits at this moment is counted when it gets its core.
            self.is_waiting |= old.is_ready and thread == old
        idle = now - self._begin - max(0.0, cpu - self._cpu)
        waited = max(0.0, min(self._waited, idle) - self._told)
        self._told += waited
        return waited

    def _look(self) -> tuple[dict[tuple[int, int], _Thread], float]:
        """Every thread by its process and number, and the CPU seconds of all, those that ended too."""
        threads, cpu, open_ = {}, 0.0, [self._pid]
        while open_:
            pid = open_.pop()
            with suppress(OSError, ValueError, IndexError):
                fields = _after_name(f"/proc/{pid}/stat")
                cpu += sum(map(int, fields[11:15])) / _TICKS
                for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - read in the loop of the clocks
                    with suppress(OSError, ValueError):
                        place = f"/proc/{pid}/task/{task}"
                        ran, waited, turns = map(int, _read(f"{place}/schedstat").split())
                        is_ready = _after_name(f"{place}/stat")[0] == b"R"
                        threads[pid, int(task)] = _Thread(ran, waited, turns, is_ready)
                        open_ += _children(place)
        return threads, cpu


def _children(place: str) -> Iterator[int]:
    # A kernel without this list leaves the descendants out, and what they waited.
    with suppress(OSError):
        yield from map(int, _read(f"{place}/children").split())


def _after_name(path: str) -> list[bytes]:
    """The fields behind a program's name, which may hold blanks and brackets."""
    text = _read(path)
    return text[text.rindex(b")") + 2 :].split()


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)
