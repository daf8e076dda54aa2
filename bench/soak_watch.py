"""The processes of a run, found by the mark in their environment: what they are, what they hold, what they leave.

Reads /proc; ends and hits nothing.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.soak_cup import MARK, NAME
from bench.soak_judging import Trend, trend

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Process", "Watch", "marked"]

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
#: By how much a figure may always grow: processes, open files, MB.
_SLACK = {"processes": 3.0, "open files": 10.0, "MB": 10.0}


@dataclass(frozen=True, slots=True)
class Process:
    """One process below the run.

    Args:
        pid: Its number.
        kind: referee, worker, warden, bot or other.
        entrant: Whose bot it is; empty where it is none.
        state: As in /proc: `T` is stopped.
        began: Ticks since the system's start, which tell it from a later one of the same number.
    """

    pid: int
    kind: str
    entrant: str
    state: str
    began: int


def marked(mark: str) -> list[Process]:
    """All living processes that bear this mark."""
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - a Path for each process would cost more than the rest
        if name.isdigit() and int(name) != os.getpid():
            with contextlib.suppress(OSError):
                process = _process(Path("/proc", name), f"{MARK}={mark}".encode())
                if process is not None:
                    found.append(process)
    return found


def _process(place: Path, mark: bytes) -> Process | None:
    environment = (place / "environ").read_bytes().split(b"\0")
    if mark not in environment:
        return None
    named = f"{NAME}=".encode()
    entrant = next((word[len(named) :].decode() for word in environment if word.startswith(named)), "")
    command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    text = (place / "stat").read_text(errors="replace")
    fields = text[text.rindex(")") + 2 :].split()
    if entrant:
        kind = "bot"
    elif "warden.py" in command:
        kind = "warden"
    elif "spawn_main" in command:
        kind = "worker"
    elif "-m referee run" in command:
        kind = "referee"
    else:
        kind = "other"
    return Process(int(place.name), kind, entrant, fields[0], int(fields[19]))


@dataclass(slots=True)
class Watch:
    """Samples of one run, all taken at like ages of its lives.

    Args:
        mark: The run's.
    """

    mark: str
    figures: dict[str, list[float]] = field(default_factory=dict)
    wardens: set[int] = field(default_factory=set)

    def sample(self, *, counts: bool) -> list[Process]:
        """Look at all processes of the run.

        Args:
            counts: Whether what they hold is to be compared with other samples.
        """
        alive = marked(self.mark)
        self.wardens.update(one.pid for one in alive if one.kind == "warden")
        if counts:
            self._add("processes", len(alive))
            for kind in ("referee", "worker", "warden"):
                own = [one.pid for one in alive if one.kind == kind]
                with contextlib.suppress(OSError):
                    files, size = sum(map(_open_files, own)), sum(map(_resident_mb, own))
                    self._add(f"{kind}: open files", files)
                    self._add(f"{kind}: MB", size)
        return alive

    def trends(self) -> list[Trend]:
        """How each figure went."""
        return [trend(name, of, _SLACK[name.rpartition(": ")[2]]) for name, of in self.figures.items()]

    def left_over(self, folder: Path) -> list[str]:
        """What the run left: processes, folders of workers, control groups.

        Args:
            folder: Where its temporary files went.
        """
        left = [f"{one.kind} process {one.pid}" for one in marked(self.mark)]
        left += [str(path) for path in folder.glob("cardtable-*")]
        groups = Path("/sys/fs/cgroup").glob("**/cardtable-*")
        return left + [str(path) for path in groups if _maker(path.name) in self.wardens]

    def _add(self, name: str, value: float) -> None:
        self.figures.setdefault(name, []).append(value)


def _open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - as above


def _resident_mb(pid: int) -> float:
    return int(Path("/proc", str(pid), "statm").read_text().split()[1]) * _PAGE_MB


def _maker(group: str) -> int:
    """The warden that made a control group."""
    words: Iterable[str] = group.split("-")[1:2]
    return next((int(word) for word in words if word.isdigit()), 0)
