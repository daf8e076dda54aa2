"""What runs in a Dask worker: for each run of a tournament some slots, which end with the run, whatever ends it.

A run holds a lease on each worker: a task of Dask whose result the referee keeps. Dask forgets the task when the
referee has gone, and a slot does not outlive it. Owns the slots; plays nothing, and loads no gRPC.
"""

from __future__ import annotations

import asyncio
import platform
import threading
import time
from importlib.metadata import version

import distributed
from distributed.core import Status

from cardtable.version import VERSION
from cardtable.wire import PROTOCOL_VERSION
from referee.cluster.slot import Slot, SlotLost

__all__ = ["close_run", "halt_run", "open_run", "play_order", "versions"]

#: How often it is looked whether a run still holds its lease.
_LOOK_SECONDS = 0.25
#: States of a task that Dask still wants.
_HELD = frozenset({"ready", "waiting", "constrained", "executing", "long-running", "memory"})
_ALIVE = frozenset({Status.running, Status.paused, Status.closing_gracefully, Status.init})
#: How long the slots of a run that left without a word may take to end by themselves.
_LEAVE_SECONDS = 10.0


class _Run:
    """The slots of one run on this worker."""

    def __init__(self, worker: distributed.Worker, lease: str) -> None:
        self._worker = worker
        self._lease = lease
        self._lock = threading.Lock()
        self._slots: set[Slot] = set()
        self._idle: list[Slot] = []
        self._is_closed = False
        threading.Thread(target=self._watch, name="cardtable-lease", daemon=True).start()

    def play(self, order: bytes) -> bytes:
        """Play an order in a slot that is idle, or in a new one."""
        with self._lock:
            if self._is_closed:
                raise SlotLost("the run has ended")
            if not self._idle:
                self._idle.append(Slot())
                self._slots.add(self._idle[-1])
            slot = self._idle.pop()
        try:
            answer = slot.play(order)
        except SlotLost:
            with self._lock:
                self._slots.discard(slot)
            raise
        with self._lock:
            self._idle.append(slot)
        return answer

    def halt(self) -> None:
        """Ask for what is finished."""
        with self._lock:
            for slot in self._slots:
                slot.halt()

    def close(self, seconds: float) -> None:
        """End all slots; those which have not left by then are killed."""
        with self._lock:
            self._is_closed = True
            slots = list(self._slots)
            for slot in slots:
                slot.close()
        end = time.monotonic() + seconds
        for slot in slots:
            slot.wait(max(0.0, end - time.monotonic()))

    def _watch(self) -> None:
        while not self._is_closed and self._is_held():
            time.sleep(_LOOK_SECONDS)
        self.close(_LEAVE_SECONDS)
        _runs.pop(self._lease, None)

    def _is_held(self) -> bool:
        task = self._worker.state.tasks.get(self._lease)
        return self._worker.status in _ALIVE and task is not None and task.state in _HELD


#: By lease.
_runs: dict[str, _Run] = {}


def versions() -> dict[str, str]:
    """What must be the same on each machine."""
    return {
        "cardtable-referee": version("cardtable-referee"),
        "cardtable": VERSION,
        "protocol": str(PROTOCOL_VERSION),
        "Python": platform.python_version(),
        "distributed": version("distributed"),
    }


def open_run(lease: str) -> dict[str, str]:
    """Begin a run on this worker, and tell what is installed; its result is the lease."""
    worker = distributed.get_worker()
    if lease not in _runs:
        _runs[lease] = _Run(worker, lease)
    return versions()


def play_order(lease: str, order: bytes, _held: object) -> bytes:
    """Play an order; the lease itself is handed in so that Dask sees to it first.

    Raises:
        SlotLost: The process that played has ended.
    """
    run = _runs.get(lease)
    if run is None:
        raise SlotLost("the run has ended")
    return run.play(order)


async def halt_run(leases: list[str]) -> None:
    """Ask for what is finished."""
    for lease in leases:
        if (run := _runs.get(lease)) is not None:
            run.halt()


async def close_run(leases: list[str], seconds: float) -> None:
    """End the run here, and return when nothing of it is left."""
    for lease in leases:
        if (run := _runs.get(lease)) is not None:
            await asyncio.to_thread(run.close, seconds)
