"""Plays blocks of games in the process in which it is called, one after another.

Keeps between blocks what is dear to start: an event loop in a thread of its own, the gRPC server, the warden and
the bots' processes. After a fault of our own all of them are ended, and the next block starts afresh.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import socket
import tempfile
import threading
import time
from contextlib import suppress
from itertools import count
from multiprocessing.util import Finalize
from pathlib import Path
from typing import TYPE_CHECKING

from referee.blocks import BlockResult
from referee.bot_process import BotProcess, Warden, log_path
from referee.core_wait import CoreWait
from referee.dispatch import Dispatcher
from referee.hall import TICK_SECONDS, Hall
from referee.seat import Seat
from referee.server import Server

if TYPE_CHECKING:
    from referee.blocks import BlockOrder

__all__ = ["halt", "play_block", "shutdown"]

_LOG = logging.getLogger(__name__)
#: A Unix socket's path holds 107 bytes.
_LONGEST_FOLDER = 80
#: How old a folder must be to be taken for one that was left over; a worker listens sooner.
_BEGINNING_SECONDS = 60
#: How long tasks are waited for that are not ours.
_LAST_TASKS_SECONDS = 0.5


class _Worker:
    """The loop, the server, the warden and the seats of this process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="referee", daemon=True)
        self._seats: dict[tuple[str, int], Seat] = {}
        self._numbers = count(1)
        self._dispatcher = Dispatcher(time.monotonic, self._loop.call_soon, self._loop.call_later)
        self._hall: Hall | None = None
        self._playing: asyncio.Task[None] | None = None
        self._broken: Exception | None = None
        self._log_folder = ""
        self._stop_seconds = 0.0
        parent = None if len(tempfile.gettempdir()) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108 - made private
        _remove_left_over(Path(parent or tempfile.gettempdir()))
        self._folder = Path(tempfile.mkdtemp(prefix="cardtable-", dir=parent))
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()

    @property
    def warden_pid(self) -> int:
        """The warden's process."""
        return self._warden.pid

    def play(self, order: BlockOrder) -> BlockResult:
        """Play a block from another thread than the loop's."""
        return asyncio.run_coroutine_threadsafe(self._play(order), self._loop).result()

    def halt(self) -> None:
        """Have the block under way end with what it has finished; from another thread than the loop's."""
        self._loop.call_soon_threadsafe(self._halt)

    def close(self, *, at_once: bool = False) -> None:
        """End the bots, the warden, the server and the loop."""
        if at_once:
            self._stop_seconds = 0.0
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        # The warden removes it, unless it was killed.
        shutil.rmtree(self._folder, ignore_errors=True)

    # For seats.

    def start(self, seat: Seat) -> BotProcess:
        """Start a seat's program; of a remote bot, wait for it."""
        if seat.spec.is_remote:
            return BotProcess(-next(self._numbers), (), seat.exited, seat.spec.tokens[seat.number])
        log = log_path(self._log_folder, seat.entrant, seat.number)
        return self._warden.start(seat.spec, self._server.address, log, seat.limits, seat.exited)

    def stop(self, bot: BotProcess, seconds: float) -> None:
        """End a bot's process; a remote bot is gone for us with its stream."""
        if bot.is_remote:
            self._loop.call_soon(bot.ended, 0, "", "")
        else:
            self._warden.stop(bot, seconds)

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        """Let a bot's process use so much CPU."""
        if not bot.is_remote:
            self._warden.allow(bot, cpu_seconds)

    def watch(self, bot: BotProcess, now: float) -> CoreWait | None:
        """Look from now on for how long a bot's process waits for a core; a remote one cannot be seen."""
        return CoreWait(bot.pid, now) if bot.pid else None

    # In the loop.

    async def _start(self) -> None:
        self._warden = Warden(self._loop, self._folder, self._warden_lost)
        self._server = Server(self._folder, self._seats.values, self._fail)
        await self._server.start()

    def _halt(self) -> None:
        if self._hall is not None:
            self._hall.finished.set()

    async def _stop(self) -> None:
        """Break off what is played, close the streams, and let the bots leave by themselves before they are ended."""
        if self._playing is not None:
            self._playing.cancel()
        for seat in self._seats.values():
            seat.dismiss()
        await self._warden.wait(self._stop_seconds)
        await self._server.stop()
        self._warden.close()
        # gRPC's own tasks end a moment after its server; of one that is left when the loop closes Python complains.
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=_LAST_TASKS_SECONDS)

    async def _play(self, order: BlockOrder) -> BlockResult:
        started = time.monotonic()
        self._log_folder = order.log_folder
        self._stop_seconds = order.limits.stop_seconds
        late = self._hall.entrant_faults() if self._hall is not None else ()
        try:
            hall = self._hall = Hall(order, self._seat, self._numbers)
        except (ValueError, LookupError) as error:
            return BlockResult((), error=f"{type(error).__name__}: {error}")
        try:
            async with asyncio.TaskGroup() as tasks:
                self._playing = tasks.create_task(self._play_all(hall))
        except Exception as error:  # the edge of the process: whatever it is, it is our fault
            _LOG.exception("a block broke by a fault of ours")
            hall.fail(error)
        if not hall.finished.is_set():
            hall.fail(InterruptedError("the block was broken off"))
        self._playing = None
        seconds = time.monotonic() - started
        return BlockResult(hall.games(), (*late, *hall.entrant_faults()), seconds, hall.error)

    async def _play_all(self, hall: Hall) -> None:
        if self._broken is not None:
            raise self._broken
        if hall.door is not None:
            await self._server.open(hall.door)
        self._server.play(hall.game, hall.options)
        hall.begin(self._server.why_not)
        while not hall.finished.is_set():
            hall.tick(time.monotonic())
            await asyncio.sleep(TICK_SECONDS)
        for bot in hall.faulty_processes():
            await self._warden.refresh_tail(bot)

    def _seat(self, entrant: str, number: int) -> Seat:
        seat = self._seats.get((entrant, number))
        if seat is None:
            seat = Seat(entrant, number, self, time.monotonic, self._dispatcher)
            self._seats[entrant, number] = seat
        return seat

    def _fail(self, error: Exception) -> None:
        self._broken = error
        if self._hall is not None:
            self._hall.fail(error)

    def _warden_lost(self) -> None:
        self._fail(ChildProcessError("the warden of the bots' processes has ended"))


def _remove_left_over(parent: Path) -> None:
    """Remove the folders of workers that were killed together with their wardens, where nobody listens any more."""
    for folder in parent.glob("cardtable-*"):
        with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            if time.time() - folder.stat().st_mtime < _BEGINNING_SECONDS:
                continue
            place = folder / "referee.sock"
            try:
                probe.connect(str(place))
            except ConnectionRefusedError:
                place.unlink()
            except FileNotFoundError:
                pass
            else:
                continue
            # Fails where there is something else in it, which is not ours then.
            folder.rmdir()


_worker: _Worker | None = None
#: Also a process of a pool, which runs no `atexit`, lets its bots leave by themselves.
_at_exit: Finalize | None = None


def play_block(order: BlockOrder) -> BlockResult:
    """Play all games of a block with real bot processes; a block with an error may be played again."""
    global _worker, _at_exit  # noqa: PLW0603 - one worker for each process is the meaning of this module
    if _worker is None:
        try:
            _worker = _Worker()
        except (OSError, RuntimeError) as error:
            return BlockResult((), error=f"no worker: {error}")
        _at_exit = Finalize(None, shutdown, exitpriority=0)
    result = _worker.play(order)
    if result.error:
        shutdown()
    return result


def halt() -> None:
    """Let the block under way end with what it has finished."""
    if _worker is not None:
        _worker.halt()


def shutdown(*, at_once: bool = False) -> None:
    """End everything that `play_block` has started; the next block starts afresh.

    Args:
        at_once: Whether to give bots no time to leave by themselves.
    """
    global _worker
    worker, _worker = _worker, None
    if worker is not None:
        if _at_exit is not None:
            _at_exit.cancel()
        worker.close(at_once=at_once)
