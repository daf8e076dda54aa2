"""What Linux says of how long processes waited for a core, with real ones that are held to one core."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from referee.core_wait import CoreWait

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="needs the schedstat of Linux's /proc"
)

SPIN = "while True: pass"


@contextmanager
def held_to_one_core(*programs: str) -> Iterator[list[int]]:
    """Python programs that all have one core together; their numbers."""
    core = min(os.sched_getaffinity(0))
    started = [
        subprocess.Popen(
            [
                sys.executable,
                "-S",
                "-c",
                f"import os; os.sched_setaffinity(0, [{core}])\nprint(flush=True)\n{one}",
            ],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        for one in programs
    ]
    try:
        for one in started:
            assert one.stdout is not None
            one.stdout.readline()
        yield [one.pid for one in started]
    finally:
        for one in started:
            os.killpg(one.pid, signal.SIGKILL)
            one.communicate()


def test_who_shares_a_core_waits_for_it() -> None:
    with held_to_one_core(SPIN, SPIN, SPIN) as (pid, *_):
        begin = time.monotonic()
        wait = CoreWait(pid, begin)
        waited = 0.0
        was_waiting = False
        while waited < 0.3 or not was_waiting:
            assert time.monotonic() < begin + 30, (waited, was_waiting)
            time.sleep(0.005)
            waited += wait.look(time.monotonic())
            was_waiting |= wait.is_waiting
        # Never more than the time that it did not run.
        assert waited < time.monotonic() - begin


def test_who_sleeps_does_not_wait() -> None:
    with held_to_one_core("import time; time.sleep(60)") as (pid,):
        time.sleep(0.05)
        wait = CoreWait(pid, time.monotonic())
        time.sleep(0.3)
        assert wait.look(time.monotonic()) < 0.1
        wait.look(time.monotonic())
        assert not wait.is_waiting


def test_processes_of_one_bot_that_keep_each_other_waiting_win_nothing() -> None:
    crowd = f"import subprocess, sys\nfor _ in range(3): subprocess.Popen([sys.executable, '-S', '-c', {SPIN!r}])\n{SPIN}"
    with held_to_one_core(crowd) as (pid,):
        begin = time.monotonic()
        wait = CoreWait(pid, begin)
        cpu = cpu_of_children(pid)
        while (used := cpu_of_children(pid) - cpu) < 0.5:
            assert time.monotonic() < begin + 30
            time.sleep(0.01)
        waited = wait.look(time.monotonic())
        assert waited <= time.monotonic() - begin - used + 0.05


def test_what_a_descendant_waits_counts() -> None:
    below = f"import subprocess, sys\nsubprocess.run([sys.executable, '-S', '-c', {SPIN!r}])"
    with held_to_one_core(below, SPIN, SPIN) as (pid, *_):
        begin = time.monotonic()
        wait = CoreWait(pid, begin)
        waited = 0.0
        while waited < 0.3:
            assert time.monotonic() < begin + 30
            time.sleep(0.01)
            waited += wait.look(time.monotonic())


def test_a_process_that_is_gone_waits_for_nothing() -> None:
    with held_to_one_core(SPIN) as (pid,):
        pass
    wait = CoreWait(pid, 0.0)
    assert wait.look(1.0) == 0.0
    assert not wait.is_waiting


def cpu_of_children(pid: int) -> float:
    """CPU seconds of a process and of those below it."""
    total = 0.0
    for one in [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]:
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total
