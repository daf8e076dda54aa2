"""Workers on this machine: a pool of processes, spawned and never forked, that dies with its parent; or this process.

The tournament knows only `concurrent.futures.Executor`; what plays a block is `referee.worker`, which is first
imported in the worker, so that this process never loads gRPC unless it plays itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import psutil

from referee.blocks import BlockResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from types import FrameType

    from referee.blocks import BlockOrder

__all__ = [
    "ENDING_SIGNALS",
    "halt_here",
    "halt_workers",
    "in_process",
    "leave_here",
    "local_pool",
    "play",
    "stop_workers",
]

P = ParamSpec("P")
T = TypeVar("T")

#: What asks a run to end, and may reach all processes of its group.
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: What asks a worker to give back what it has finished.
_HALT = signal.SIGUSR1
#: A filter for what the resource tracker says at its end.
_LEFT_OVER = "ignore::UserWarning:multiprocessing.resource_tracker"
#: In a worker: that it was asked so.
_halted = threading.Event()
#: How long the threads of a pool whose workers were ended may take to see it, when somebody waits for us to leave,
#: and when nobody does: an exit while they tidy up may meet what they have just closed.
_SECONDS_FOR_THREADS, _SECONDS_OF_PATIENCE = 0.5, 10


def local_pool(jobs: int) -> ProcessPoolExecutor:
    """Return an executor of this many worker processes."""
    with _signals_held():
        _start_tracker()
        return _Pool(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def in_process() -> ThreadPoolExecutor:
    """Return an executor that plays in this process, one block at a time."""
    return _InProcess(1, thread_name_prefix="blocks")


def play(order: BlockOrder) -> BlockResult:
    """Play a block; runs in a worker."""
    from referee.worker import play_block

    if _halted.is_set():
        return BlockResult((), error="the worker was asked to end")
    return play_block(order)


def halt_workers() -> None:
    """Ask every worker of this process to give back what it has finished, and to play no more."""
    _signal_workers(_HALT)


def stop_workers(*, patient: bool = False) -> None:
    """End every worker of this process at once; their wardens end the bots.

    Args:
        patient: Whether the pool's threads may take their time to see it.
    """
    _signal_workers(signal.SIGKILL)
    # With them go the pool's semaphores; the resource tracker removes what is left.
    for thread in threading.enumerate():
        # The thread that manages a pool has no name of its own.
        if type(thread).__module__ == ProcessPoolExecutor.__module__ or thread.name == "QueueFeederThread":
            thread.join(_SECONDS_OF_PATIENCE if patient else _SECONDS_FOR_THREADS)


def halt_here() -> None:
    """Have the block that this process plays end with what it has finished; it plays no more."""
    _halted.set()
    worker = sys.modules.get("referee.worker")
    # While it is imported there is nothing yet that could be halted.
    if worker is not None and hasattr(worker, "halt"):
        worker.halt()


def leave_here(*, at_once: bool = False) -> None:
    """End all that this process has started to play.

    Args:
        at_once: Whether to give bots no time to leave by themselves.
    """
    worker = sys.modules.get("referee.worker")
    if worker is not None and hasattr(worker, "shutdown"):
        worker.shutdown(at_once=at_once)


def _start_tracker() -> None:
    """Start the process that removes semaphores which were left over; that some are is no news where workers are killed."""
    sys.warnoptions.append(_LEFT_OVER)
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_LEFT_OVER)


def _signal_workers(number: signal.Signals) -> None:
    for child in psutil.Process().children():
        # Another child is the resource tracker of multiprocessing, which must see us out.
        with suppress(psutil.NoSuchProcess):
            if any("multiprocessing.spawn" in word for word in child.cmdline()):
                child.send_signal(number)


class _Pool(ProcessPoolExecutor):
    """Starts its processes with the signals held back that would end them before they can decide about them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _signals_held():
            return super().submit(fn, *args, **kwargs)


class _InProcess(ThreadPoolExecutor):
    """Ends the bots with it; what is asked for without waiting is what is finished."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if not wait:
            halt_here()
        super().shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait:
            leave_here(at_once=_halted.is_set())
            _halted.clear()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back what asks the run to end; a process or thread that is started now begins so."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*ENDING_SIGNALS, _HALT))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    # Ctrl-C and the end of a terminal reach the whole foreground group; the parent decides what ends and when.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(_HALT, _halt)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (*ENDING_SIGNALS, _HALT))
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _halt(_signal: int, _frame: FrameType | None) -> None:
    halt_here()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
