"""The parent of all bot processes of one worker: starts them, keeps what they write, and ends every descendant.

Runs as a process of its own and speaks lines of JSON with its worker over its standard input and output. When
that pipe closes, whatever killed the worker, it ends all that it started and removes the worker's private folder.
It knows no game and no gRPC, and imports nothing of this package, so that it starts at once and hardly can fail.

    to the warden    {"do": "start", "id", "argv", "cwd", "env", "log", "log_bytes", "limits"}
                                                        limits: memory (bytes), processes, files; 0: no limit
                     {"do": "stop", "id", "seconds"}    SIGTERM, after so many seconds SIGKILL, for the whole tree
                     {"do": "tail", "id"}
    from the warden  {"event": "started", "id", "pid"}
                     {"event": "exited", "id", "status", "tail", "error", "breach"}
                                                        error: why it could not be started
                                                        breach: the limit for which the warden ended it
                     {"event": "tail", "id", "tail"}
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["TAIL_BYTES", "main"]

TAIL_BYTES = 4096
#: How often the processes of bots with limits are looked at.
_WATCH_SECONDS = 0.25
_PR_SET_CHILD_SUBREAPER = 36
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class _Bot:
    """One started process and what is known of it."""

    def __init__(
        self,
        key: int,
        process: subprocess.Popen[bytes],
        token: str,
        log: BinaryIO | None,
        log_bytes: int,
        limits: dict[str, int],
    ) -> None:
        self.key = key
        self.process = process
        self.pid = process.pid
        self.token = f"CARDTABLE_TOKEN={token}".encode()
        self.log = log
        self.room = max(-1, log_bytes - log.tell()) if log else -1
        self.memory = limits.get("memory", 0)
        self.processes = limits.get("processes", 0)
        #: The limit that it has broken.
        self.breach = ""
        self.tail = b""
        self.kill_at: float | None = None
        assert process.stdout is not None
        self.output = process.stdout.fileno()
        os.set_blocking(self.output, False)

    def read(self) -> bool:
        """Take in what the process wrote; False at the end of its output."""
        try:
            data = os.read(self.output, 65536)
        except BlockingIOError:
            return True
        self.tail = (self.tail + data)[-TAIL_BYTES:]
        if data and self.log and self.room >= 0:
            try:
                self.log.write(data[: self.room])
                self.room -= len(data)
                if self.room < 0:
                    self.log.write(b"\n[the log is cut here: the process wrote more than its limit]\n")
            except OSError:
                # A full disk costs the rest of this log and nothing else.
                self.room = -1
        return bool(data)

    def drain(self) -> None:
        """Take in what is left in the pipe of a process that has ended, at most one pipe's worth."""
        for _ in range(16):
            before = self.tail
            if not self.read() or self.tail == before:
                return

    def text(self) -> str:
        return self.tail.decode(errors="replace")


class _Warden:
    """The loop over orders, outputs and ends of processes."""

    def __init__(self, orders: int, events: BinaryIO) -> None:
        self._orders = orders
        self._events = events
        self._buffer = b""
        self._bots: dict[int, _Bot] = {}
        self._selector = selectors.DefaultSelector()
        self._open = True
        self._watch_at = 0.0

    def run(self) -> None:
        wake_read, wake_write = os.pipe()
        for end in (wake_read, wake_write, self._orders):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(ending, lambda *_: self._close())
        self._selector.register(self._orders, selectors.EVENT_READ, self._read_orders)
        self._selector.register(wake_read, selectors.EVENT_READ, lambda: os.read(wake_read, 4096))
        while self._open:
            times = [bot.kill_at for bot in self._bots.values() if bot.kill_at is not None]
            if any(bot.memory or bot.processes for bot in self._bots.values()):
                times.append(self._watch_at)
            timeout = max(0.0, min(times) - time.monotonic()) if times else None
            for key, _ in self._selector.select(timeout):
                key.data()
            self._reap()
            now = time.monotonic()
            if now >= self._watch_at:
                self._watch_at = now + _WATCH_SECONDS
                self._watch()
            for bot in self._bots.values():
                if bot.kill_at is not None and now >= bot.kill_at:
                    bot.kill_at = None
                    _kill(self._tree(bot), signal.SIGKILL)

    def end_all(self) -> None:
        """Kill every descendant: orphans are adopted by the warden, so at last all are its children."""
        while True:
            for bot in self._bots.values():
                _kill([bot.pid], signal.SIGKILL)
            _kill(_descendants(os.getpid(), _processes()), signal.SIGKILL)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return
            time.sleep(0.002)

    def _close(self) -> None:
        self._open = False

    def _read_orders(self) -> None:
        data = os.read(self._orders, 65536)
        if not data:
            self._close()
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            if order["do"] == "start":
                self._start(order)
            elif order["id"] in self._bots:
                bot = self._bots[order["id"]]
                if order["do"] == "tail":
                    self._tell(event="tail", id=bot.key, tail=bot.text())
                elif bot.kill_at is None:
                    bot.kill_at = time.monotonic() + order["seconds"]
                    _kill(self._tree(bot), signal.SIGTERM)
            elif order["do"] == "tail":
                self._tell(event="tail", id=order["id"], tail="")

    def _start(self, order: dict[str, Any]) -> None:
        key = order["id"]
        log = _open_log(Path(order["log"]))
        # A pipe without a writer is empty whatever the system's null device is.
        empty, writer = os.pipe()
        os.close(writer)
        try:
            process = subprocess.Popen(
                order["argv"],
                cwd=order["cwd"],
                env=order["env"],
                stdin=empty,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            if log:
                log.close()
            self._tell(event="exited", id=key, status=127, tail="", error=str(error), breach="")
            return
        finally:
            os.close(empty)
        limits = order.get("limits", {})
        if limits.get("files"):
            _limit_files(process.pid, limits["files"])
        bot = _Bot(key, process, order["env"].get("CARDTABLE_TOKEN", ""), log, order["log_bytes"], limits)
        self._bots[key] = bot
        self._selector.register(bot.output, selectors.EVENT_READ, lambda: self._read_output(bot))
        self._tell(event="started", id=key, pid=bot.pid)

    def _read_output(self, bot: _Bot) -> None:
        if not bot.read():
            self._selector.unregister(bot.output)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                for bot in self._bots.values():
                    if bot.pid == pid:
                        self._ended(bot, os.waitstatus_to_exitcode(status))
                        break

    def _ended(self, bot: _Bot, status: int) -> None:
        del self._bots[bot.key]
        bot.process.returncode = status
        bot.drain()
        for _ in range(100):
            left = self._tree(bot)
            if not left:
                break
            _kill(left, signal.SIGKILL)
            time.sleep(0.002)
        with contextlib.suppress(KeyError):
            self._selector.unregister(bot.output)
        assert bot.process.stdout is not None
        bot.process.stdout.close()
        if bot.log:
            bot.log.close()
        self._tell(event="exited", id=bot.key, status=status, tail=bot.text(), error="", breach=bot.breach)

    def _watch(self) -> None:
        """End the bots that are beyond their limits."""
        watched = [bot for bot in self._bots.values() if (bot.memory or bot.processes) and not bot.breach]
        if not watched:
            return
        table = list(_processes())
        pages = {process.pid: process.pages for process in table}
        for bot in watched:
            tree = self._tree(bot, table)
            used = sum(pages.get(pid, 0) for pid in tree) * _PAGE_BYTES
            if bot.processes and len(tree) > bot.processes:
                bot.breach = f"had {len(tree)} processes, and {bot.processes} are allowed"
            elif bot.memory and used > bot.memory:
                bot.breach = f"used {used >> 20} MB of memory, and {bot.memory >> 20} MB are allowed"
            else:
                continue
            _kill(tree, signal.SIGKILL)

    def _tree(self, bot: _Bot, table: list[_Process] | None = None) -> list[int]:
        """A bot's processes: its descendants, its session, and adopted orphans that bear its token."""
        table = list(_processes()) if table is None else table
        found = {bot.pid, *_descendants(bot.pid, table)} if bot.key in self._bots else set()
        mains = {other.pid for other in self._bots.values()}
        me = os.getpid()
        for process in table:
            if process.state == "Z" or process.pid in found or process.pid in mains:
                continue
            if process.session == bot.pid or (process.parent == me and _bears(process.pid, bot.token)):
                found.update((process.pid, *_descendants(process.pid, table)))
        return sorted(found)

    def _tell(self, **event: object) -> None:
        try:
            self._events.write(json.dumps(event).encode() + b"\n")
            self._events.flush()
        except BrokenPipeError:
            self._close()


class _Process(NamedTuple):
    pid: int
    parent: int
    session: int
    state: str
    pages: int


def _processes() -> Iterable[_Process]:
    """All processes; none where the system has no /proc."""
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - a Path for each process would cost more than the rest
            if name.isdigit():
                with contextlib.suppress(OSError):
                    stat = os.open(f"/proc/{name}/stat", os.O_RDONLY)
                    try:
                        text = os.read(stat, 1024)
                    finally:
                        os.close(stat)
                    fields = text[text.rindex(b")") + 2 :].split()
                    yield _Process(
                        int(name), int(fields[1]), int(fields[3]), fields[0].decode(), int(fields[21])
                    )


def _descendants(root: int, table: Iterable[_Process]) -> list[int]:
    children: dict[int, list[int]] = {}
    for process in table:
        if process.state != "Z":
            children.setdefault(process.parent, []).append(process.pid)
    found, open_ = [], [root]
    while open_:
        below = children.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def _limit_files(pid: int, files: int) -> None:
    """Bound the open files of a process that has just been started, and of all that it starts."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (files, files))


def _bears(pid: int, token: bytes) -> bool:
    try:
        return token in Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _open_log(path: Path) -> BinaryIO | None:
    """The log, without a buffer so that nothing is left to fail at its end; None where it cannot be opened."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError:
        return None


def _kill(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _become_subreaper() -> None:
    """Adopt orphaned descendants, where the system can (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _remove(folder: str) -> None:
    """Remove the worker's private folder, which holds its socket and no folders."""
    with contextlib.suppress(OSError):
        for entry in Path(folder).iterdir():
            entry.unlink()
        Path(folder).rmdir()


def main(arguments: list[str]) -> int:
    """Serve the worker at the other end of standard input and output until it goes.

    Args:
        arguments: The worker's private folder, removed at the end; or nothing.
    """
    _become_subreaper()
    warden = _Warden(sys.stdin.fileno(), sys.stdout.buffer)
    try:
        warden.run()
    finally:
        warden.end_all()
        for folder in arguments:
            _remove(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
