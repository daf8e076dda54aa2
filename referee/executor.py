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
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from referee.blocks import BlockOrder, BlockResult

__all__ = ["local_pool", "play", "stop_workers"]


def local_pool(jobs: int) -> ProcessPoolExecutor:
    """Return an executor of this many worker processes."""
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


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


def _begin() -> None:
    # Ctrl-C reaches the whole foreground group; the parent decides what ends and when.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
