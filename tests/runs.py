"""`tourney run` as a real process that is killed, interrupted and waited for, and what is asked of its store."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROOT = Path(__file__).parents[1]


class Processes:
    """Processes that are known by a mark in their environment, with all that they have started.

    Args:
        environment: What they have more in it.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self.mark = secrets.token_hex(8)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LC_MARK": self.mark,
            **(environment or {}),
        }

    def alive(self, word: str = "") -> list[int]:
        """Those that live and have this word in their command."""
        found = []
        for name in (place.name for place in Path("/proc").iterdir() if place.name.isdecimal()):
            with suppress(OSError):
                place = Path("/proc", name)
                if self.mark.encode() in (place / "environ").read_bytes() and (
                    word.encode() in (place / "cmdline").read_bytes()
                ):
                    found.append(int(name))
        return found

    def is_gone(self) -> bool:
        """Whether none of them lives."""
        return not self.alive()


class Run(Processes):
    """A `tourney run` under way, with these words behind `run`."""

    def __init__(self, folder: Path, *words: object, environment: Mapping[str, str] | None = None) -> None:
        super().__init__(environment)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "run", *map(str, words)],
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def press(self, number: signal.Signals = signal.SIGINT) -> None:
        """Send a signal to the whole group, as a terminal does."""
        os.killpg(self.process.pid, number)

    def until(self, word: str) -> str:
        """What it says up to the first line with this word."""
        said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            if word in line:
                return said
        raise AssertionError(said)

    def rest(self, seconds: float = 60) -> str:
        """What it still says until its end."""
        return self.process.communicate(timeout=seconds)[0]


@contextmanager
def ended(running: Run, seconds: float) -> Iterator[None]:
    """Kill it at the end, if it has not ended; nothing of it may live after so many seconds."""
    try:
        yield
    finally:
        running.process.kill()
        running.process.wait()
        assert running.process.stdout is not None
        running.process.stdout.close()
        until(running.is_gone, seconds=seconds)


def until(happened: Callable[[], object], seconds: float = 40) -> None:
    """Wait for something that no event tells of."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def tourney(*words: object, cwd: Path, status: int = 0, seconds: float = 120) -> str:
    """Run another command to its end; what it says, or its errors where it is to fail."""
    done = subprocess.run(
        [sys.executable, "-m", "referee", *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status else done.stdout


def results(folder: Path, store: str) -> tuple[str, str]:
    """The export and the ratings of a store that `verify` finds sound."""
    assert f"{store} holds" in tourney("verify", store, cwd=folder)
    return tourney("export", store, cwd=folder), tourney("ratings", store, "--json", cwd=folder)
