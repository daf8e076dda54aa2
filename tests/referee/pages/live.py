"""`tourney serve`, running, and a program that writes the store meanwhile as a run would."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from referee.config import load
from referee.store import Store
from tests.referee.pages.stores import _blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from referee.blocks import BlockResult

__all__ = ["Serving", "Writer", "rest_of"]

_ROOT = Path(__file__).parents[3]


class Serving:
    """`tourney serve` of a store, in a process of its own."""

    def __init__(self, stack: ExitStack, store: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "serve", store, "--port", "0", "--no-open", *words],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        stack.callback(_end, self.process)
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break
        found = re.search(r"http://\S+", self.said)
        assert found is not None, self.process.communicate()
        self.address = found[0]

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C: the status, and what was printed since."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out + err


class Writer:
    """A process that holds the store as a run does, and writes the rest of its plan at a pace.

    Args:
        stack: At its end the process is killed.
        store: Made by `tests.referee.pages.stores.cup`.
        per_second: So many games.
    """

    def __init__(self, stack: ExitStack, store: Path, per_second: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, store, str(per_second)],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        stack.callback(_end, self.process)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "running\n"

    def kill(self) -> None:
        """As when the power fails."""
        _end(self.process)

    def finish(self) -> int:
        """Wait until all is written: the status."""
        return self.process.wait(timeout=300)


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def rest_of(path: Path, store: Store) -> Iterator[tuple[str, BlockResult]]:
    """The boards that are not yet in a store, copies of its first one; each with its competition."""
    for one in load(path.with_suffix(".toml"), store=path).competitions:
        done = store.finished_boards(one.name)
        for block in _blocks(one, store.secret_seed(), 1, ""):
            if block.games[0].order.board not in done:
                yield one.name, block


def _write(path: Path, per_second: float) -> None:
    with Store.open(path) as store, store.run():
        print("running", flush=True)
        began, games = time.monotonic(), 0
        for name, block in rest_of(path, store):
            games += store.add_block(name, block)
            time.sleep(max(0.0, began + games / per_second - time.monotonic()))


if __name__ == "__main__":
    _write(Path(sys.argv[1]), float(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)
