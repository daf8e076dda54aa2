"""A process that plays one block at a time for a Dask worker, and both ends of the pipes between them.

A Dask worker runs its tasks in threads, may be a process that must not have children of `multiprocessing`, and lives
longer than a run. So blocks are played in a process of their own, as in the pool of one machine: a gRPC server, a
warden, and bots that live from block to block. It ends when the pipe to it closes, whatever killed the Dask worker,
and the warden then ends the bots.

    to the slot      "P" and a pickle: Python of the referee, what plays, order      play
                     "H"                                                             give back what is finished
    from the slot    a pickle: why the order was refused, or "", and the result
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from referee.blocks import BlockResult
from referee.cluster.fitting import fitted
from referee.errors import RefereeError
from referee.executor import ENDING_SIGNALS, halt_here, leave_here

__all__ = ["Slot", "SlotLost", "main"]

_LENGTH = struct.Struct("!Q")
_PLAY, _HALT = b"P", b"H"


class SlotLost(Exception):
    """The process of a slot has ended in mid-block."""


class Slot:
    """The process of a slot, from the side of the Dask worker that started it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.cluster.slot"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._writing = threading.Lock()

    def play(self, order: bytes) -> bytes:
        """Have an order played, and return what the slot answers.

        Raises:
            SlotLost: It ended before it had answered.
        """
        assert self._process.stdout is not None
        try:
            self._write(_PLAY + order)
            answer = _read(self._process.stdout)
        except (OSError, ValueError):
            answer = None
        if answer is None:
            raise SlotLost(f"the process that played has ended with status {self._process.wait()}")
        return answer

    def halt(self) -> None:
        """Ask for what is finished of the order under way."""
        with suppress(OSError, ValueError):
            self._write(_HALT)

    def close(self) -> None:
        """Have it end: in order when it is idle, else at once."""
        assert self._process.stdin is not None
        with self._writing, suppress(OSError):
            self._process.stdin.close()

    def wait(self, seconds: float) -> None:
        """Wait for its end, and after so many seconds no longer; then nothing is left of it but what its warden ends."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self, frame: bytes) -> None:
        assert self._process.stdin is not None
        with self._writing:
            _write(self._process.stdin, frame)


def main() -> None:
    """Play what comes by standard input until it ends."""
    # It ends with its Dask worker, and not with what asks that one to end.
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    with os.fdopen(os.dup(0), "rb", 0) as orders, os.fdopen(os.dup(1), "wb", 0) as answers:
        # Whatever prints here must not get into an answer.
        os.dup2(2, 1)
        waiting: SimpleQueue[bytes | None] = SimpleQueue()
        idle = threading.Event()
        idle.set()
        threading.Thread(target=_receive, args=(orders, waiting, idle), daemon=True).start()
        while (order := waiting.get()) is not None:
            answer = _answer(order)
            # Before it is given, since the next order may follow at once.
            idle.set()
            try:
                _write(answers, answer)
            except BrokenPipeError:
                break
        leave_here()


def _receive(orders: IO[bytes], waiting: SimpleQueue[bytes | None], idle: threading.Event) -> None:
    while (frame := _read(orders)) is not None:
        if frame == _HALT:
            halt_here()
        else:
            idle.clear()
            waiting.put(frame[1:])
    if not idle.is_set():
        # Nobody waits for this block any more; the warden ends the bots.
        os._exit(1)
    waiting.put(None)


def _answer(order: bytes) -> bytes:
    refused, result = "", None
    try:
        python, play, block = pickle.loads(order)  # noqa: S301 - of our own referee
        result = play(fitted(block, python))
    except RefereeError as error:
        refused = str(error)
    except Exception as error:  # the edge of the process: whatever it is, it is our fault
        result = BlockResult((), error=f"{type(error).__name__}: {error}")
    return pickle.dumps((refused, result))


def _write(pipe: IO[bytes], frame: bytes) -> None:
    rest = memoryview(_LENGTH.pack(len(frame)) + frame)
    while rest:
        rest = rest[pipe.write(rest) :]


def _read(pipe: IO[bytes]) -> bytes | None:
    """The next frame; None at the end."""
    head = _exactly(pipe, _LENGTH.size)
    return None if head is None else _exactly(pipe, *_LENGTH.unpack(head))


def _exactly(pipe: IO[bytes], length: int) -> bytes | None:
    found = bytearray()
    while len(found) < length:
        part = pipe.read(length - len(found))
        if not part:
            return None
        found += part
    return bytes(found)


if __name__ == "__main__":
    main()
