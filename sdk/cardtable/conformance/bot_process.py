"""One run of a bot's program: its start, its output, its memory, its end and that of all it started.

Judges nothing; what an end means is the checks' business.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from cardtable.conformance import guardian
from cardtable.conformance.processes import kill, memory_bytes, tree

if TYPE_CHECKING:
    from cardtable.conformance.processes import Process
    from cardtable.conformance.program import Program

__all__ = ["BotProcess", "Output"]

_TAIL_BYTES: Final = 4096
_SAMPLE_SECONDS: Final = 0.25
_POLL_SECONDS: Final = 0.02
#: How long the guardian may take to end all, before that is done without it.
_GUARDIAN_SECONDS: Final = 5.0
#: How often what still lives is killed again: a process may start another one while it is being killed.
_KILLS: Final = 200
_KILL_SECONDS: Final = 0.002
#: How long the end of the output is waited for when all that could write it has been ended.
_DRAIN_SECONDS: Final = 0.5


class Output:
    """What a process writes on one of its streams: counted, its end kept, and whether it can be text."""

    def __init__(self) -> None:
        self.size = 0
        self.is_binary = False
        self._tail = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def add(self, data: bytes) -> None:
        """Take in what was read; at the end of the stream nothing."""
        self.size += len(data)
        self._tail = (self._tail + data)[-_TAIL_BYTES:]
        try:
            self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:
            self.is_binary = True
            self._decoder.reset()
        self.is_binary |= b"\0" in data

    @property
    def tail(self) -> str:
        """The end of it."""
        return self._tail.decode("utf-8", "replace")

    @property
    def last_line(self) -> str:
        """The last line that is not empty."""
        return self.tail.strip().rpartition("\n")[2].strip()[-300:]


class BotProcess:
    """A process that has been started.

    Args:
        program: What runs.
        address: Where it is to join.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(self, program: Program, address: str) -> None:
        self.token = secrets.token_urlsafe(24)
        self.stdout, self.stderr = Output(), Output()
        #: Set when the process has ended; what it started may live on.
        self.ended = asyncio.Event()
        #: The most that it and all that it started had in memory; 0 where nobody can know.
        self.peak_bytes = 0
        #: Its exit status; None while it runs. A box says of an end by a signal: status 128 + signal.
        self.status: int | None = None
        self._is_boxed = program.boxed is not None
        command, environment = program.start_of(address, self.token)
        events, told = os.pipe()
        # By its file and isolated: no site packages and no path of the bot's can slow it down or shadow its imports.
        self._guardian = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(guardian.__file__)), str(told)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            pass_fds=(told,),
        )
        os.close(told)
        assert self._guardian.stdin is not None
        assert self._guardian.stdout is not None
        assert self._guardian.stderr is not None
        self._events = os.fdopen(events, "rb", buffering=0)
        #: The process's number.
        self.pid = self._started(self._guardian.stdin, command, str(program.folder), environment)
        self._threads = [
            threading.Thread(target=_read, args=(self._guardian.stdout, self.stdout), daemon=True),
            threading.Thread(target=_read, args=(self._guardian.stderr, self.stderr), daemon=True),
        ]
        self._loop = asyncio.get_running_loop()
        for thread in (*self._threads, threading.Thread(target=self._wait, daemon=True)):
            thread.start()
        self._sampling = asyncio.create_task(self._sample())

    @property
    def how_it_ended(self) -> str:
        """A few words, with the last line that it wrote."""
        status = self.status
        assert status is not None
        how = f"was ended by signal {-status}" if status < 0 else f"exited with status {status}"
        wrote = self.stderr.last_line or self.stdout.last_line
        return how + (f"; it wrote last: {wrote}" if wrote else "")

    def alive(self) -> list[Process]:
        """Its processes that live, detached ones too."""
        mine = self._guardian.pid
        if self._guardian.returncode is not None:
            return tree(self.pid, self.token)
        # The guardian adopts what is detached, so that all is below it.
        return [process for process in tree(mine) if process.pid != mine]

    async def wait(self, seconds: float) -> bool:
        """Wait for its end, so long at the most; whether it has ended."""
        try:
            async with asyncio.timeout(seconds):
                await self.ended.wait()
        except TimeoutError:
            return False
        return True

    async def left_behind(self, seconds: float) -> list[Process]:
        """What still lives so long after its end."""
        until = self._loop.time() + seconds
        while (left := self.alive()) and self._loop.time() < until:  # noqa: ASYNC110 - the end of others tells nobody
            await asyncio.sleep(_POLL_SECONDS)
        return left

    async def end(self, seconds: float) -> None:
        """End it and all that it started as the referee does: asked at first, after so many seconds by force."""
        if not self.ended.is_set():
            kill(self.pid, self.alive(), signal.SIGTERM)
            await self.wait(seconds)
        self.kill()
        await self.ended.wait()
        await self.settle()

    async def end_alone(self, seconds: float) -> None:
        """End the process and nothing that it started: asked at first, after so many seconds by force."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
            if await self.wait(seconds):
                return

    def kill(self) -> None:
        """End it and all that it started, by force and at once."""
        self._sampling.cancel()
        if self._guardian.returncode is not None:
            return
        self._dismiss()
        for _ in range(_KILLS):
            left = self.alive()
            if not left:
                break
            kill(self.pid, left, signal.SIGKILL)
            time.sleep(_KILL_SECONDS)

    async def settle(self) -> None:
        """Wait until what it wrote before its end has been read."""
        await asyncio.to_thread(self._drain)

    def _drain(self) -> None:
        for thread in self._threads:
            thread.join(_DRAIN_SECONDS)

    def _started(self, orders: IO[bytes], command: tuple[str, ...], folder: str, environment: object) -> int:
        """Have the guardian start it; the process's number."""
        order = {"argv": command, "cwd": folder, "env": environment}
        with suppress(BrokenPipeError):
            left = memoryview(json.dumps(order).encode() + b"\n")
            while left:
                left = left[orders.write(left) :]
        line = self._events.readline()
        event: dict[str, Any] = json.loads(line) if line else {"errno": 0, "error": "its guardian has ended"}
        if "pid" not in event:
            self._dismiss()
            self._events.close()
            for stream in (self._guardian.stdout, self._guardian.stderr):
                assert stream is not None
                stream.close()
            raise OSError(event["errno"], event["error"])
        pid: int = event["pid"]
        return pid

    def _dismiss(self) -> None:
        """Tell the guardian to end all, and wait until it has."""
        assert self._guardian.stdin is not None
        self._guardian.stdin.close()
        try:
            self._guardian.wait(_GUARDIAN_SECONDS)
        except subprocess.TimeoutExpired:
            self._guardian.kill()
            self._guardian.wait()

    def _wait(self) -> None:
        with self._events:
            line = self._events.readline()
        # Without a word the guardian has ended it, or was ended.
        status: int = json.loads(line)["status"] if line else -signal.SIGKILL
        self.status = 128 - status if self._is_boxed and status > 128 else status
        try:
            self._loop.call_soon_threadsafe(self.ended.set)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more

    async def _sample(self) -> None:
        while True:
            self.peak_bytes = max(self.peak_bytes, memory_bytes(self.alive()))
            await asyncio.sleep(_SAMPLE_SECONDS)


def _read(stream: IO[bytes], output: Output) -> None:
    with stream:
        while data := stream.read(65536):
            output.add(data)
    output.add(b"")
