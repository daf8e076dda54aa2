"""A Dask scheduler and its workers as real processes on this machine, and runs of `tourney` that play on them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests import runs
from tests.runs import ROOT, Processes, Run, ended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RANDOM = ROOT / "examples" / "random_bot.py"
FAULTY = ROOT / "tests" / "bots" / "faulty_bot.py"
NAMES = ("ana", "bo", "cy")
#: What only a loaded machine needs.
PATIENCE_SECONDS = 60.0
#: Dask then says and looks for less.
QUIET = {"DASK_DISTRIBUTED__DASHBOARD__LINK": "", "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"}

until = partial(runs.until, seconds=PATIENCE_SECONDS)
tourney = partial(runs.tourney, seconds=4 * PATIENCE_SECONDS)


class Cluster(Processes):
    """A scheduler, and workers as they are asked for."""

    def __init__(self, folder: Path, **environment: str) -> None:
        super().__init__(QUIET | environment)
        self.folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._said(self.folder / "scheduler-0.log", "Scheduler at:").split()[-1]
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self, *more: str, threads: int = 2) -> subprocess.Popen[bytes]:
        """Start a worker, without a nanny that would start another one in its place, and wait until it has joined."""
        worker = self._start(
            "worker", self.address, "--no-nanny", "--nthreads", str(threads), "--host", "127.0.0.1",
            "--no-dashboard", "--memory-limit", "0", *more,
        )  # fmt: skip
        self._said(self.folder / f"worker-{len(self._started) - 1}.log", "Registered to:")
        self.workers.append(worker)
        return worker

    def bots(self) -> list[int]:
        """What workers have started: slots, wardens, bots."""
        mine = {process.pid for process in self._started}
        return [pid for pid in self.alive() if pid not in mine]

    def close(self) -> None:
        """End all of it."""
        while alive := self.alive():
            for pid in alive:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        for process in self._started:
            process.wait()

    def _start(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"{what}-{len(self._started)}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", *words],
                cwd=self.folder,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._started.append(process)
        return process

    def _said(self, log: Path, words: str) -> str:
        found: list[str] = []

        def look() -> bool:
            assert self._started[-1].poll() is None, log.read_text()
            found[:] = [line for line in log.read_text().splitlines() if words in line]
            return bool(found)

        until(look)
        return found[0]


class ClusterRun(Run):
    """A `tourney run` under way that may wait for a cluster."""

    def end(self, status: int = 0) -> str:
        """What it still says until its end, which has this status."""
        said = self.rest(4 * PATIENCE_SECONDS)
        assert self.process.returncode == status, said
        return said


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    with cluster_in(tmp_path) as found:
        yield found


@contextmanager
def cluster_in(folder: Path, **environment: str) -> Iterator[Cluster]:
    """A scheduler without workers; at the end nothing of it is left.

    Args:
        folder: Where their logs go.
        environment: What they, and the bots, have more in their environment.
    """
    folder = folder / "cluster"
    folder.mkdir()
    found = Cluster(folder, **environment)
    try:
        yield found
    finally:
        found.close()


@contextmanager
def run(folder: Path, cluster: Cluster | None, *more: object, file: str = "cup.toml") -> Iterator[ClusterRun]:
    """Start `tourney run` on a cluster, or here; at the end nothing of it may live."""
    words = ("--executor", "dask", "--scheduler", cluster.address) if cluster else ()
    running = ClusterRun(folder, file, *words, *more, environment=QUIET)
    with ended(running, PATIENCE_SECONDS):
        yield running


def cup(folder: Path, *words: object, boards: int = 4, competitions: int = 1, more: str = "") -> Path:
    """Write a small tournament whose bots are started with these words."""
    command = ", ".join(f'"{word}"' for word in ("python3", *words))
    file = folder / "cup.toml"
    file.write_text(
        f'[seed]\nmaster = "{"00" * 31}07"\n'
        + "".join(
            f'[[competition]]\nname = "vytrix {number}"\ngame = "vytrix"\nboards = {boards}\n'
            "variant = { target = 0, max_hands = 1 }\n"
            for number in range(competitions)
        )
        + "[clocks]\nmove_ms = 600_000\n"
        + "".join(f'[[bot]]\nname = "{name}"\ncommand = [{command}]\n' for name in NAMES)
        + more
    )
    return file
