"""Worker processes on this machine: a pool that is spawned, never forked, and that dies with its parent.

The tournament knows only `concurrent.futures.Executor`; what plays a block is `referee.worker`, which is first
imported in the worker, so that this process never loads gRPC.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from referee.blocks import BlockOrder, BlockResult

__all__ = ["ENDING_SIGNALS", "local_pool", "play", "stop_workers"]

P = ParamSpec("P")
T = TypeVar("T")

#: What asks a run to end, and may reach all processes of its group.
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: How long the threads of a pool whose workers were ended may take to see it.
_SECONDS_FOR_THREADS = 0.5


def local_pool(jobs: int) -> ProcessPoolExecutor:
    """Return an executor of this many worker processes."""
    with _signals_held():
        return _Pool(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


def play(order: BlockOrder) -> BlockResult:
    """Play a block; runs in a worker."""
    from referee.worker import play_block

    return play_block(order)


def stop_workers() -> None:
    """End every worker of this process at once; their wardens end the bots."""
    for child in psutil.Process().children():
        try:
            # Another child is the resource tracker of multiprocessing, which must see us out.
            if any("multiprocessing.spawn" in word for word in child.cmdline()):
                child.kill()
        except psutil.NoSuchProcess:
            continue
    # With them go the pool's semaphores, which the resource tracker would else complain of.
    for thread in threading.enumerate():
        if thread.name.startswith(("ExecutorManagerThread", "QueueFeederThread")):
            thread.join(_SECONDS_FOR_THREADS)


class _Pool(ProcessPoolExecutor):
    """Starts its processes with the signals held back that would end them before they can decide about them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _signals_held():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back what asks the run to end; a process or thread that is started now begins so."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    # Ctrl-C and the end of a terminal reach the whole foreground group; the parent decides what ends and when.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
