"""The executor that gives a tournament the workers of a Dask cluster, as they come and go.

Owns which block goes to which Dask worker, and what it means when one is lost. Plays nothing and stores nothing: a
block's result is told once, to the future of whoever ordered it, however often Dask may have tried.

All that talks to Dask is a coroutine in a thread of its own, so that Ctrl-C never comes in between.
"""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
import secrets
import sys
import threading
import time
import warnings
from collections import deque
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dask
import distributed
from distributed.scheduler import KilledWorker
from distributed.versions import VersionMismatchWarning

from referee.blocks import BlockResult, WorkerLost
from referee.cluster.machine import close_run, halt_run, open_run, play_order, versions
from referee.cluster.slot import SlotLost
from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from referee.blocks import BlockOrder

__all__ = ["THREADS_OF_A_BLOCK", "ClusterError", "DaskExecutor", "address_of"]

#: A worker and its bots keep two cores busy, and Dask takes a thread for a core.
THREADS_OF_A_BLOCK = 2
#: How long a scheduler may take to answer at the start, and afterwards.
_CONNECT_SECONDS, _SILENT_SECONDS = 10.0, 30.0
#: How often it is looked who is there.
_LOOK_SECONDS = 0.5
#: When it is first said that no worker is there; then each time the wait has doubled.
_WAITING_SECONDS = 5.0
#: How long bots beyond `stop_seconds` are waited for at the end, and how long the end of an interrupted run may take.
_MORE_SECONDS, _AT_ONCE_SECONDS = 3.0, 0.7


class ClusterError(RefereeError):
    """The cluster cannot play, or can no longer; what is finished is in the store."""


@dataclass(slots=True)
class _Block:
    """A block that was ordered.

    Args:
        future: Is told what became of it.
        payload: What the slot gets.
        task: Dask's future, while it is played.
        worker: Where.
    """

    future: Future[BlockResult]
    payload: bytes
    task: Any = None
    worker: str = ""


@dataclass(slots=True)
class _Machine:
    """A Dask worker.

    Args:
        lease: The name of the lease that the run holds there.
        slots: How many blocks it plays at once.
        held: Dask's future of the lease.
        is_ready: Whether it was found to have what we have.
        takes_work: Whether Dask gives it work now.
        blocks: What it plays.
    """

    lease: str
    slots: int
    held: Any = None
    is_ready: bool = False
    takes_work: bool = True
    blocks: list[_Block] = field(default_factory=list)


def address_of(scheduler: str | None) -> str:
    """Where the scheduler is.

    Args:
        scheduler: ``tcp://host:8786`` or ``tls://host:8786``; a file that a scheduler wrote
            (``dask scheduler --scheduler-file``); None: what Dask's own configuration says.

    Raises:
        ClusterError: Nothing says so, or the file is none of a scheduler.
    """
    if scheduler is None:
        found = dask.config.get("scheduler-address", None)
        if not found:
            raise ClusterError("--executor dask needs --scheduler, such as tcp://192.168.1.10:8786")
        return str(found)
    path = Path(scheduler)
    if "://" in scheduler or not path.is_file():
        return scheduler
    try:
        return str(json.loads(path.read_text())["address"])
    except (OSError, ValueError, LookupError, TypeError):
        raise ClusterError(f"--scheduler {scheduler}: this file was written by no Dask scheduler") from None


class DaskExecutor(Executor):
    """Plays blocks on the workers of a Dask cluster.

    Args:
        scheduler: Its address.
        tell: Is told what the user should know, from another thread.
        most: How many blocks are played at once; None: as many as the workers can.
        stop_seconds: What bots get to leave by themselves.

    Raises:
        ClusterError: There is no scheduler.
    """

    def __init__(
        self,
        scheduler: str,
        tell: Callable[[str], None],
        *,
        most: int | None = None,
        stop_seconds: float = 2.0,
    ) -> None:
        self._scheduler = scheduler
        self._tell = tell
        self._most = sys.maxsize if most is None else most
        self._stop_seconds = stop_seconds
        self._run = secrets.token_hex(8)
        self._numbers = count(1)
        self._machines: dict[str, _Machine] = {}
        self._queue: deque[_Block] = deque()
        self._error: ClusterError | None = None
        self._is_halted = self._is_closing = self._is_closed = False
        self._waiting_since = time.monotonic()
        self._tell_at = _WAITING_SECONDS
        self._client: Any = None
        self._tasks: set[asyncio.Task[None]] = set()
        _silence()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cluster", daemon=True)
        self._thread.start()
        try:
            self._soon(self._connect()).result()
        except BaseException:
            self._loop.call_soon_threadsafe(self._loop.stop)
            raise

    # For the tournament's thread.

    @property
    def slots(self) -> int:
        """How many blocks can be played at once now."""
        machines = list(self._machines.values())
        return min(self._most, sum(one.slots for one in machines if one.is_ready and one.takes_work))

    def submit(  # type: ignore[override] # only blocks come here
        self, play: Callable[[BlockOrder], BlockResult], order: BlockOrder, /
    ) -> Future[BlockResult]:
        """Have a block played."""
        block = _Block(Future(), pickle.dumps((sys.executable, play, order)))
        self._loop.call_soon_threadsafe(self._ordered, block)
        return block.future

    def halt(self) -> None:
        """Ask for what is finished of all blocks under way."""
        self._is_halted = True
        self._soon(self._halt())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the run on all workers; blocks that are still played then are broken off.

        Args:
            wait: Whether to end it now. Else nothing new is begun, and what was begun goes on.
            cancel_futures: Whether blocks that were not begun are cancelled.
        """
        if self._is_closed:
            return
        if not wait:
            self._loop.call_soon_threadsafe(self._close_queue, cancel_futures)
            return
        self._is_closed = True
        with suppress(Exception):
            self._soon(self._close()).result(self._stop_seconds + _MORE_SECONDS + 2 * _AT_ONCE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_AT_ONCE_SECONDS)

    def _soon(self, coroutine: Coroutine[Any, Any, None]) -> Future[None]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    # In the loop.

    async def _connect(self) -> None:
        try:
            client = self._client = distributed.Client(  # type: ignore[no-untyped-call] # it has no types
                self._scheduler,
                asynchronous=True,
                set_as_default=False,
                timeout=_CONNECT_SECONDS,
                name="cardtable",
            )
            await client
        except Exception as error:
            if self._client is not None:
                with suppress(Exception):
                    await self._client.close()
            raise ClusterError(f"no Dask scheduler at {self._scheduler}: {_line(error)}") from None
        self._spawn(self._look())
        self._spawn(self._guard())

    def _ordered(self, block: _Block) -> None:
        if self._error is not None:
            block.future.set_exception(self._error)
        elif self._is_closing:
            _cancel(block.future)
        else:
            self._queue.append(block)
            self._dispatch()

    def _close_queue(self, cancel: bool) -> None:
        self._is_closing = True
        while cancel and self._queue:
            _cancel(self._queue.popleft().future)

    async def _halt(self) -> None:
        with suppress(Exception):
            await self._client.run(halt_run, self._leases(), workers=list(self._machines), on_error="ignore")

    async def _close(self) -> None:
        self._is_closing = True
        is_idle = self._error is None and not self._is_halted and not self._blocks()
        seconds = self._stop_seconds + _MORE_SECONDS if is_idle else 0.0
        with suppress(Exception):
            async with asyncio.timeout(seconds + _AT_ONCE_SECONDS):
                await self._client.run(
                    close_run, self._leases(), seconds, workers=list(self._machines), on_error="ignore"
                )
        with suppress(Exception):
            async with asyncio.timeout(_AT_ONCE_SECONDS):
                # Without its client Dask forgets the leases, so also workers that did not answer end what they hold.
                await self._client.close()
        for task in self._tasks:
            task.cancel()
        for block in (*self._blocks(), *self._queue):
            _cancel(block.future)

    def _leases(self) -> list[str]:
        return [machine.lease for machine in self._machines.values()]

    def _blocks(self) -> list[_Block]:
        return [block for machine in self._machines.values() for block in machine.blocks]

    async def _guard(self) -> None:
        """Watch the connection to the scheduler; Dask would make another one, to a scheduler that knows nothing."""
        while self._client.status == "running":  # noqa: ASYNC110 - it tells nobody when it changes
            await asyncio.sleep(_LOOK_SECONDS)
        self._fail(f"the Dask scheduler at {self._scheduler} is gone")

    async def _look(self) -> None:
        """Follow who is there."""
        try:
            while True:
                async with asyncio.timeout(_SILENT_SECONDS):
                    threads = await self._client.scheduler.ncores()
                    ready = await self._client.scheduler.ncores_running()
                for address in [*self._machines]:
                    if address not in threads:
                        self._lost(address)
                for address, number in threads.items():
                    if address not in self._machines:
                        self._found(address, number)
                    self._machines[address].takes_work = address in ready
                self._dispatch()
                self._tell_of_waiting()
                await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            self._fail(
                f"the Dask scheduler at {self._scheduler} has not answered for {_SILENT_SECONDS:.0f} s"
            )
        except OSError:
            self._fail(f"the Dask scheduler at {self._scheduler} is gone")
        except Exception as error:  # Dask's transports raise what they like when a peer has gone
            self._fail(f"the Dask scheduler at {self._scheduler} is gone: {_line(error)}")

    def _fail(self, message: str) -> None:
        """Tell all who wait, once."""
        if self._error is not None or self._is_closed:
            return
        message += "; the same command goes on from what is stored"
        self._error = ClusterError(message)
        for block in (*self._blocks(), *self._queue):
            _resolve(block.future, self._error)
        self._queue.clear()

    def _found(self, address: str, threads: int) -> None:
        name = f"cardtable-{self._run}-{next(self._numbers)}"
        machine = _Machine(name, max(1, threads // THREADS_OF_A_BLOCK))
        self._machines[address] = machine
        machine.held = self._client.submit(open_run, name, key=name, workers=[address], pure=False)
        self._spawn(self._inspect(address, machine))

    async def _inspect(self, address: str, machine: _Machine) -> None:
        """See whether a worker has what we have."""
        try:
            theirs = await machine.held
        except (CancelledError, asyncio.CancelledError, KilledWorker):
            return
        except Exception as error:  # what was raised while it looked for our package
            if self._machines.get(address) is machine:
                self._fail(
                    f"worker {address}, or the scheduler, cannot load cardtable-referee: {_line(error.__cause__ or error)}"
                )
            return
        for what, mine in versions().items():
            if theirs.get(what) != mine:
                self._fail(f"worker {address} has {what} {theirs.get(what)}, and the referee {mine}")
        machine.is_ready = True
        self._dispatch()

    def _lost(self, address: str) -> None:
        machine = self._machines.pop(address)
        for block in machine.blocks:
            _resolve(block.future, WorkerLost(f"worker {address} was lost"))
            # Dask would try it again as soon as a worker with this address joins.
            self._spawn(self._forget(block.task))
        self._spawn(self._forget(machine.held))

    async def _forget(self, task: Any) -> None:
        with suppress(Exception):
            await self._client.cancel([task], force=True)

    def _dispatch(self) -> None:
        """Give waiting blocks to the workers that have most room."""
        while self._queue and self._error is None and not self._is_closing:
            free = {
                address: one.slots - len(one.blocks)
                for address, one in self._machines.items()
                if one.is_ready and one.takes_work and len(one.blocks) < one.slots
            }
            if not free or len(self._blocks()) >= self._most:
                return
            block = self._queue.popleft()
            if not block.future.set_running_or_notify_cancel():
                continue
            block.worker = max(free, key=lambda address: free[address])
            machine = self._machines[block.worker]
            machine.blocks.append(block)
            block.task = self._client.submit(
                play_order,
                machine.lease,
                block.payload,
                machine.held,
                key=f"{machine.lease}-{next(self._numbers)}",
                workers=[block.worker],
                pure=False,
            )
            self._spawn(self._await(block, machine))

    async def _await(self, block: _Block, machine: _Machine) -> None:
        lost = WorkerLost(f"worker {block.worker} was lost")
        try:
            answer = await block.task
        except (SlotLost, KilledWorker) as error:
            _resolve(block.future, WorkerLost(f"worker {block.worker}: {_line(error)}"))
        except (CancelledError, asyncio.CancelledError):
            # The scheduler has gone, which `_look` finds out, or somebody has ended our work; a worker that was lost
            # has been told of by now.
            await asyncio.sleep(_LOOK_SECONDS)
            if self._client.status == "running":
                _resolve(block.future, lost)
        except Exception as error:  # whatever it was, it is no fault of a bot
            _resolve(block.future, BlockResult((), error=f"worker {block.worker}: {_line(error)}"))
        else:
            refused, result = pickle.loads(answer)  # noqa: S301 - of our own worker
            if refused:
                self._fail(f"worker {block.worker}: {refused}")
            else:
                _resolve(block.future, result)
        block.task = None
        if block in machine.blocks:
            machine.blocks.remove(block)
        self._dispatch()

    def _tell_of_waiting(self) -> None:
        now = time.monotonic()
        if not self._queue or any(one.takes_work for one in self._machines.values()):
            self._waiting_since, self._tell_at = now, _WAITING_SECONDS
        elif now - self._waiting_since >= self._tell_at:
            self._tell(
                f"no Dask worker at {self._scheduler} has taken work for {_duration(now - self._waiting_since)};"
                " waiting for one (Ctrl-C ends the run)"
            )
            self._tell_at *= 2

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _resolve(future: Future[BlockResult], what: BlockResult | Exception) -> None:
    """Tell what became of a block, once."""
    if future.done():
        return
    if isinstance(what, Exception):
        future.set_exception(what)
    else:
        future.set_result(what)


def _cancel(future: Future[BlockResult]) -> None:
    if future.cancel():
        # Only then does whoever waits for it see that.
        future.set_running_or_notify_cancel()


def _silence() -> None:
    """Whatever Dask would say in the middle of our lines is said by us."""
    warnings.simplefilter("ignore", VersionMismatchWarning)
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] in {"distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
