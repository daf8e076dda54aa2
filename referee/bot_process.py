"""One run of a bot's program, and the worker's side of its pipe to the warden.

Owns the `Warden` that starts and ends processes. Never judges: what an end
means is decided by `referee.seat`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import referee.warden
from cardtable.environment import bot_environment
from cardtable.record import FaultCause
from referee.sandbox import in_box

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from referee.blocks import BotSpec, Limits

__all__ = ["BotProcess", "Warden", "log_files", "log_path"]


class BotProcess:
    """One run of a bot's program, from its start to its end.

    Args:
        key: Its number; of a remote bot, of which only the connection is known, a negative one.
        command: Program and arguments.
        on_exit: Told once when it has ended, or could not be started.
        token: What it joins with; None: a new one.
    """

    __slots__ = ("_on_exit", "breach", "command", "error", "exited", "key", "pid", "status", "tail", "token")

    def __init__(
        self,
        key: int,
        command: tuple[str, ...],
        on_exit: Callable[[BotProcess], None],
        token: str | None = None,
    ) -> None:
        self.key = key
        self.command = command
        self.token = token or secrets.token_urlsafe(24)
        self.pid = 0
        self.exited = False
        self.status = 0
        #: Why it could not be started; empty when it could.
        self.error = ""
        #: The limit for which it was ended; empty when it broke none.
        self.breach = ""
        #: The end of what it wrote.
        self.tail = ""
        self._on_exit = on_exit

    def ended(self, status: int, tail: str, error: str, breach: str = "") -> None:
        """The warden says that it is over."""
        self.exited, self.status, self.tail, self.error = True, status, tail, error
        self.breach = breach
        self._on_exit(self)

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere, so that nothing is known of it but its stream."""
        return self.key < 0

    @property
    def cause(self) -> FaultCause:
        """Of what fault its end is, where it owes something."""
        return FaultCause.RESOURCE if self.breach else FaultCause.CRASH

    @property
    def how_it_ended(self) -> str:
        """A few words: ``exited with status 3``, ``was ended by signal 9``, or why it could not be started."""
        if self.error:
            return f"could not be started: {self.error}"
        if self.breach:
            return self.breach
        if self.status < 0:
            return f"was ended by signal {-self.status}"
        return f"exited with status {self.status}"


class Warden:
    """The warden of this worker, started with it; used from one event loop only.

    Args:
        loop: Where its events arrive.
        folder: The worker's private folder, which the warden removes at its end.
        on_lost: Called when the warden ends without having been closed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, folder: Path, on_lost: Callable[[], None]) -> None:
        self._loop = loop
        self._on_lost = on_lost
        self._bots: dict[int, BotProcess] = {}
        self._started = 0
        self._tails: dict[int, asyncio.Future[str]] = {}
        self._buffer = b""
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()
        # By its file and isolated: no site packages and no path of ours can slow it down or shadow its imports.
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(referee.warden.__file__)), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._events = self._process.stdout.fileno()
        os.set_blocking(self._events, False)
        loop.add_reader(self._events, self._readable)

    @property
    def pid(self) -> int:
        """The warden's own process."""
        return self._process.pid

    def start(
        self,
        spec: BotSpec,
        address: str,
        log: Path,
        limits: Limits,
        on_exit: Callable[[BotProcess], None],
    ) -> BotProcess:
        """Start a bot's program; that it cannot be started is told as its end."""
        self._started += 1
        bot = BotProcess(self._started, spec.command, on_exit)
        self._bots[bot.key] = bot
        self._idle.clear()
        command, environment = (
            spec.command,
            bot_environment(dict(spec.environment), address, bot.token, os.environ),
        )
        is_boxed = limits.sandbox == "bwrap"
        if is_boxed:
            command, environment = in_box(spec, address, environment)
        self._order(
            do="start",
            id=bot.key,
            argv=command,
            cwd=spec.folder,
            env=environment,
            log=str(log),
            log_bytes=limits.log_bytes,
            limits={
                "memory": limits.memory_bytes,
                "processes": limits.processes,
                "files": limits.open_files,
            },
            boxed=is_boxed,
        )
        return bot

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        """Let a process and its descendants use so many seconds of CPU since its start."""
        if not bot.exited:
            self._order(do="allow", id=bot.key, cpu_seconds=cpu_seconds)

    def stop(self, bot: BotProcess, seconds: float) -> None:
        """End a process with all its descendants: asked at first, after so many seconds by force."""
        if not bot.exited:
            self._order(do="stop", id=bot.key, seconds=seconds)

    async def refresh_tail(self, bot: BotProcess) -> None:
        """Bring `bot.tail` up to date while it runs; one call at a time."""
        if not bot.exited and not self._closed and not bot.is_remote:
            future: asyncio.Future[str] = self._loop.create_future()
            self._tails[bot.key] = future
            self._order(do="tail", id=bot.key)
            bot.tail = await future or bot.tail

    async def wait(self, seconds: float) -> None:
        """Wait until all bots have ended by themselves, so many seconds at the most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._idle.wait()

    def close(self) -> None:
        """End the warden and every descendant; returns when none is left."""
        self._closed = True
        self._loop.remove_reader(self._events)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _order(self, **order: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
        except BrokenPipeError:
            self._lost()

    def _readable(self) -> None:
        data = os.read(self._events, 65536)
        if not data:
            self._lost()
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            event = json.loads(line)
            if event["event"] == "tail":
                self._tails.pop(event["id"]).set_result(event["tail"])
                continue
            bot = self._bots[event["id"]]
            if event["event"] == "started":
                bot.pid = event["pid"]
            else:
                del self._bots[bot.key]
                if not self._bots:
                    self._idle.set()
                bot.ended(event["status"], event["tail"], event["error"], event["breach"])

    def _lost(self) -> None:
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._events)
            for future in self._tails.values():
                future.set_result("")
            self._tails.clear()
            self._idle.set()
            self._on_lost()


def log_path(folder: str, entrant: str, seat: int) -> Path:
    """Where the output of an entrant's process for one seat goes: one file for each worker."""
    return Path(folder) / f"{_log_name(entrant)}.{seat}.{os.getpid()}.log"


def log_files(folder: str, entrant: str, seats: Collection[int] | None = None) -> list[Path]:
    """The files of an entrant's output, of all seats or of some, oldest first.

    Args:
        folder: Where they are; it need not exist.
        entrant: Whose.
        seats: Only those of these seats.
    """
    pattern = re.compile(rf"{re.escape(_log_name(entrant))}\.(\d+)\.\d+\.log")
    found = [
        path
        for path in Path(folder).glob("*.log")
        if (match := pattern.fullmatch(path.name)) and (seats is None or int(match[1]) in seats)
    ]
    return sorted(found, key=lambda path: (path.stat().st_mtime, path.name))


def _log_name(entrant: str) -> str:
    return re.sub(r"[^\w.-]", "_", entrant)
