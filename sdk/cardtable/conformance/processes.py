"""Which processes a bot has, and how much memory: read from /proc, where the system has it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

try:
    import resource
except ImportError:  # a system without it, and then without /proc too
    _PAGE_BYTES = 0
else:
    _PAGE_BYTES = resource.getpagesize()

if TYPE_CHECKING:
    import signal
    from collections.abc import Iterable

__all__ = ["CAN_LOOK", "Process", "child_peak_bytes", "kill", "memory_bytes", "tree"]

#: Whether the processes of a bot can be told from others'.
CAN_LOOK: Final = sys.platform == "linux"


class Process(NamedTuple):
    """A process that lives."""

    pid: int
    parent: int
    session: int
    pages: int

    @property
    def title(self) -> str:
        """Its command line, shortened, and its number."""
        try:
            line = Path("/proc", str(self.pid), "cmdline").read_bytes().rstrip(b"\0")
        except OSError:
            line = b""
        program, *words = line.decode("utf-8", "replace").split("\0")
        # Folders go, since a long path to the interpreter would leave no room for what it runs.
        title = " ".join([program.rpartition("/")[2], *words])[:60]
        return f"{title or 'a process'} (PID {self.pid})"


def tree(pid: int, token: str = "") -> list[Process]:
    """A bot's processes that live: its descendants, its session, and with a token all that bear it, detached ones too."""
    if not CAN_LOOK:
        return []
    table = list(_processes())
    mine = {process.pid for process in table if pid in {process.pid, process.session}} | {pid}
    if token:
        mark = f"CARDTABLE_TOKEN={token}".encode()
        mine |= {process.pid for process in table if _bears(process.pid, mark)}
    grown = True
    while grown:
        below = {process.pid for process in table if process.parent in mine} - mine
        mine |= below
        grown = bool(below)
    return [process for process in table if process.pid in mine]


def memory_bytes(processes: Iterable[Process]) -> int:
    """What these processes have in memory."""
    return sum(process.pages for process in processes) * _PAGE_BYTES


def child_peak_bytes() -> int | None:
    """The most that any ended child had in memory, where that is all we can know; None on Linux, where it misleads."""
    if CAN_LOOK:
        return None  # a child counts the memory of its parent from before its program was loaded
    if not _PAGE_BYTES:
        return None
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def kill(pid: int, processes: Iterable[Process], number: signal.Signals) -> None:
    """Send a signal to the session of a bot's process and to these others; to none that is gone."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, number)


def _processes() -> Iterable[Process]:
    for name in os.listdir("/proc"):  # noqa: PTH208 - a Path for each process would cost more than the rest
        if name.isdigit():
            with suppress(OSError, ValueError):
                text = Path(f"/proc/{name}/stat").read_bytes()
                fields = text[text.rindex(b")") + 2 :].split()
                if fields[0] not in {b"Z", b"X"}:
                    yield Process(int(name), int(fields[1]), int(fields[3]), int(fields[21]))


def _bears(pid: int, mark: bytes) -> bool:
    try:
        return mark in Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:
        return False
