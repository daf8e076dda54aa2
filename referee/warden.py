"""The parent of all bot processes of one worker: starts them, keeps what they write, and ends every descendant.

Runs as a process of its own and speaks lines of JSON with its worker over its standard input and output. When
that pipe closes, whatever killed the worker, it ends all that it started and removes the worker's private folder.
It knows no game and no gRPC, and imports nothing of this package, so that it starts at once and hardly can fail.

    to the warden    {"do": "start", "id", "argv", "cwd", "env", "log", "log_bytes", "limits", "boxed"}
                                                        limits: memory (bytes), processes, files; 0: no limit
                                                        boxed: argv is a `bwrap` around the program
                     {"do": "allow", "id", "cpu_seconds"}   of all its processes since its start
                     {"do": "stop", "id", "seconds"}    SIGTERM, after so many seconds SIGKILL, for the whole tree
                     {"do": "tail", "id"}
    from the warden  {"event": "started", "id", "pid"}
                     {"event": "exited", "id", "status", "tail", "error", "breach"}
                                                        error: why it could not be started
                                                        breach: the limit that it had broken
                     {"event": "tail", "id", "tail"}
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import math
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
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["TAIL_BYTES", "main"]

TAIL_BYTES = 4096
#: How often the processes of bots with limits are looked at.
_WATCH_SECONDS = 0.25
#: What is read of a bot's output between two looks; a bot that writes more waits.
_READ_BYTES = 16 << 20
_PR_SET_CHILD_SUBREAPER = 36
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
#: What the kernel holds a bot's tasks to, threads too, so that one which multiplies cannot take the machine before
#: it is looked at: many for each process that is allowed where they are counted by bot, else by user.
_TASKS_PER_PROCESS, _MORE_TASKS, _TASKS_OF_USER = 16, 256, 4096


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
        *,
        is_boxed: bool,
        group: Path | None,
    ) -> None:
        self.key = key
        self.process = process
        self.pid = process.pid
        self.token = f"CARDTABLE_TOKEN={token}".encode()
        self.log = log
        self.room = max(-1, log_bytes - log.tell()) if log else -1
        self.memory = limits.get("memory", 0)
        self.processes = limits.get("processes", 0)
        self.cpu_seconds = math.inf
        #: CPU of orphans that have ended, and of those that run.
        self._cpu_of_gone = 0.0
        self._orphans: dict[int, float] = {}
        self.is_boxed = is_boxed
        #: The control group that bounds its tasks.
        self.group = group
        #: The limit that it has broken.
        self.breach = ""
        self.tail = b""
        #: What may be read of its output until the next look.
        self.quota = _READ_BYTES
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
        self.quota -= len(data)
        self.tail = (self.tail + data[-TAIL_BYTES:])[-TAIL_BYTES:]
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

    @property
    def has_limits(self) -> bool:
        return bool(self.memory or self.processes or self.cpu_seconds < math.inf)

    def found_breach(self, tree: Sequence[_Process]) -> str:
        """The limit that its processes break, in words; empty when they break none."""
        # A box has two more: the program outside and the first process inside.
        number = len(tree) - 2 * self.is_boxed
        used = sum(process.pages for process in tree) * _PAGE_BYTES
        cpu_seconds = self._cpu_used(tree)
        if self.processes and number > self.processes:
            return f"had {number} processes, and {self.processes} are allowed"
        if breach := self.breach_of_tasks():
            return breach
        if self.memory and used > self.memory:
            return f"used {used >> 20} MB of memory, and {self.memory >> 20} MB are allowed"
        if cpu_seconds > self.cpu_seconds:
            return (
                f"used {cpu_seconds:.1f} s of CPU, and {self.cpu_seconds:g} s are allowed for so many games"
            )
        return ""

    def breach_of_tasks(self) -> str:
        """That the kernel refused it a task, in words: one that multiplies may come and go between two looks."""
        if self.group is not None:
            with contextlib.suppress(OSError, ValueError):
                if int((self.group / "pids.events").read_text().split()[1]):
                    most = (self.group / "pids.max").read_text().strip()
                    return f"had {most} processes and threads, and {self.processes} processes are allowed"
        return ""

    def _cpu_used(self, tree: Sequence[_Process]) -> float:
        # What a process used stands with its parent when that has waited for it; the warden waits for orphans.
        alive = {process.pid for process in tree}
        self._cpu_of_gone += sum(used for pid, used in self._orphans.items() if pid not in alive)
        me = os.getpid()
        self._orphans = {one.pid: one.cpu_seconds for one in tree if one.parent == me and one.pid != self.pid}
        return self._cpu_of_gone + sum(process.cpu_seconds for process in tree)

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
        self._groups = _Groups()
        #: Those that have written too much since the last look.
        self._paused: list[_Bot] = []

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
            if self._paused or any(bot.has_limits for bot in self._bots.values()):
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
                    bot.quota = _READ_BYTES
                paused, self._paused = self._paused, []
                for bot in paused:
                    if bot.key in self._bots:
                        self._register(bot)
            for bot in self._bots.values():
                if bot.kill_at is not None and now >= bot.kill_at:
                    bot.kill_at = None
                    self._end(bot)

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
                break
            time.sleep(0.002)
        self._groups.remove_all()

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
                elif order["do"] == "allow":
                    bot.cpu_seconds = order["cpu_seconds"]
                elif bot.kill_at is None:
                    bot.kill_at = time.monotonic() + order["seconds"]
                    # The end of what holds a box would be the end of all inside, without a word.
                    tree = [process.pid for process in self._tree(bot)]
                    _kill([pid for pid in tree if not (bot.is_boxed and pid == bot.pid)], signal.SIGTERM)
            elif order["do"] == "tail":
                self._tell(event="tail", id=order["id"], tail="")

    def _start(self, order: dict[str, Any]) -> None:
        key = order["id"]
        log = _open_log(Path(order["log"]))
        limits, is_boxed = order.get("limits", {}), order.get("boxed", False)
        group = self._groups.make(limits.get("processes", 0))
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
                preexec_fn=_limiting(limits, group),  # noqa: PLW1509 - the warden has one thread
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            if log:
                log.close()
            self._groups.remove(group)
            self._tell(event="exited", id=key, status=127, tail="", error=str(error), breach="")
            return
        finally:
            os.close(empty)
        token = order["env"].get("CARDTABLE_TOKEN", "")
        bot = _Bot(key, process, token, log, order["log_bytes"], limits, is_boxed=is_boxed, group=group)
        self._bots[key] = bot
        self._register(bot)
        self._tell(event="started", id=key, pid=bot.pid)

    def _register(self, bot: _Bot) -> None:
        self._selector.register(bot.output, selectors.EVENT_READ, lambda: self._read_output(bot))

    def _read_output(self, bot: _Bot) -> None:
        if not bot.read():
            self._selector.unregister(bot.output)
        elif bot.quota <= 0:
            self._selector.unregister(bot.output)
            self._paused.append(bot)

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
            _kill((process.pid for process in left), signal.SIGKILL)
            time.sleep(0.002)
        bot.breach = bot.breach or bot.breach_of_tasks()
        self._groups.remove(bot.group)
        with contextlib.suppress(KeyError):
            self._selector.unregister(bot.output)
        assert bot.process.stdout is not None
        bot.process.stdout.close()
        if bot.log:
            bot.log.close()
        if bot.is_boxed and status > 128:
            # So a box tells of an end by a signal.
            status = 128 - status
        self._tell(event="exited", id=bot.key, status=status, tail=bot.text(), error="", breach=bot.breach)

    def _watch(self) -> None:
        """End the bots that are beyond their limits."""
        watched = [bot for bot in self._bots.values() if bot.has_limits and not bot.breach]
        if not watched:
            return
        table = list(_processes())
        for bot in watched:
            bot.breach = bot.found_breach(self._tree(bot, table))
            if bot.breach:
                self._end(bot, table)

    def _end(self, bot: _Bot, table: list[_Process] | None = None) -> None:
        # With the first one a whole box ends at once, however fast it multiplies.
        _kill([bot.pid], signal.SIGKILL)
        _kill((process.pid for process in self._tree(bot, table)), signal.SIGKILL)

    def _tree(self, bot: _Bot, table: list[_Process] | None = None) -> list[_Process]:
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
        return [process for process in table if process.pid in found]

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
    cpu_seconds: float


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
                        pid=int(name),
                        parent=int(fields[1]),
                        session=int(fields[3]),
                        state=fields[0].decode(),
                        pages=int(fields[21]),
                        cpu_seconds=sum(map(int, fields[11:15])) / _TICKS,
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


class _Groups:
    """Control groups that bound the tasks of root's bots, whom no limit of processes binds; where there are any."""

    def __init__(self) -> None:
        self._above = _group_of_groups() if os.geteuid() == 0 else None
        self._made: list[Path] = []
        self._number = 0
        for path in self._above.glob("cardtable-*") if self._above else ():
            # Left over by a warden that was killed.
            if not Path("/proc", path.name.split("-")[1]).exists():
                self.remove(path)

    def make(self, processes: int) -> Path | None:
        if self._above is None or not processes:
            return None
        self._number += 1
        path = self._above / f"cardtable-{os.getpid()}-{self._number}"
        try:
            path.mkdir()
            (path / "pids.max").write_text(f"{_TASKS_PER_PROCESS * processes + _MORE_TASKS}")
        except OSError:
            self._above = None
            return None
        self._made.append(path)
        return path

    def remove(self, path: Path | None) -> None:
        """Remove an empty group; one in which a process still ends stays until `remove_all`."""
        if path is not None:
            with contextlib.suppress(OSError):
                path.rmdir()
                if path in self._made:
                    self._made.remove(path)

    def remove_all(self) -> None:
        for path in list(self._made):
            self.remove(path)


def _group_of_groups() -> Path | None:
    """Where control groups that count tasks can be made: under our own, or at the top."""
    top = Path("/sys/fs/cgroup")
    places = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kinds == "pids":
                places += [top / "pids" / path.lstrip("/"), top / "pids"]
    with contextlib.suppress(OSError):
        if "pids" in (top / "cgroup.subtree_control").read_text().split():
            places.append(top)
    for place in places:
        if (place / "cgroup.procs").exists() and os.access(place, os.W_OK):
            return place
    return None


def _limiting(limits: dict[str, int], group: Path | None) -> Callable[[], None] | None:
    """What a new process does before it becomes the program, so that none it starts can be without the limits.

    The warden has one thread and has loaded nothing that minds a fork.
    """
    wanted: list[tuple[int, int]] = []
    if limits.get("files"):
        wanted.append((resource.RLIMIT_NOFILE, limits["files"]))
    if limits.get("processes") and group is None and os.geteuid() != 0:
        wanted.append((resource.RLIMIT_NPROC, _tasks_of(os.geteuid()) + _TASKS_OF_USER))
    if not wanted and group is None:
        return None

    def limit() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text("0")
        for what, most in wanted:
            hard = resource.getrlimit(what)[1]
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(what, (bound, bound))

    return limit


def _tasks_of(user: int) -> int:
    """How many tasks a user has, threads too."""
    tasks = 0
    for name in os.listdir("/proc"):  # noqa: PTH208 - as above
        if name.isdigit():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == user:  # noqa: PTH116 - as above
                    tasks += len(os.listdir(f"/proc/{name}/task"))  # noqa: PTH208 - as above
    return tasks


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
    # An orderly end would write what is left for a worker that was killed, and complain that it cannot.
    os._exit(main(sys.argv[1:]))
