"""How far a tournament is: whose run is alive, games and time that are left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psutil
import pytest

from referee.pages.live.drawing import pace_words, run_words
from referee.pages.live.following import Followed
from referee.pages.live.progress import Meter, RunState, run_of
from referee.store import Store
from referee.stored import RunInfo
from tests.referee.pages.live import Writer, rest_of
from tests.referee.pages.stores import ONE, cup

if TYPE_CHECKING:
    from pathlib import Path

HERE = socket.gethostname()


def _run(
    pid: int, *, started: float | None = None, ended: float | None = None, host: str = HERE, lock: bool = True
) -> RunInfo:
    return RunInfo(pid, host, time.time() if started is None else started, ended, lock)


def _dead() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize(
    ("run", "state"),
    [
        (None, RunState.NONE),
        (_run(os.getpid()), RunState.RUNNING),
        (_run(os.getpid(), ended=5.0, lock=False), RunState.ENDED),
        # It left its lock, but not itself.
        (_run(_dead()), RunState.KILLED),
        (_run(os.getpid(), lock=False), RunState.KILLED),
        # Another process has its number now.
        (_run(os.getpid(), started=psutil.Process().create_time() - 100), RunState.KILLED),
        # On another machine the lock is all that is known.
        (_run(_dead(), host="elsewhere"), RunState.RUNNING),
    ],
)
def test_a_run_is_alive_when_its_process_is(run: RunInfo | None, state: RunState) -> None:
    assert run_of(run).state is state


def test_a_process_that_waits_for_its_parent_is_dead() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
        os.sched_yield()
    assert run_of(_run(process.pid)).state is RunState.KILLED
    process.wait()


def test_games_pace_and_time_left_are_told(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions={"trix": {"game": "trix", "boards": 3}}, most=1, over=False)
    now = [0.0]
    meter = Meter(lambda: now[0])
    with Followed.follow(path) as followed, Store.open(path) as store, store.run():
        first = meter(followed, followed.last_run())
        assert (first.games, first.planned, first.left) == (4, 12, 8)
        assert (first.run.state, first.per_second, first.seconds_left) == (RunState.RUNNING, None, None)
        name, block = next(rest_of(path, store))
        store.add_block(name, block)
        followed.catch_up()
        now[0] = 8.0
        second = meter(followed, followed.last_run())
        assert (second.games, second.per_second, second.seconds_left) == (8, 0.5, 8.0)
        assert pace_words(second) == ["0.5 a second", "about 10 s left", "0 faults"]
        # Nothing came for so long that the pace is not known any more.
        now[0] = 100.0
        assert meter(followed, followed.last_run()).per_second is None


def test_nobody_plays_after_the_end(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    with Store.open(path) as store, store.run():
        pass
    with Followed.follow(path) as followed:
        found = Meter()(followed, followed.last_run())
        assert (found.run.state, found.left, found.per_second) == (RunState.ENDED, 0, None)
        assert run_words(found.run, found.left).startswith("All is played: the last run ended at ")


def test_a_killed_run_is_known(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, most=1, over=False)
    with Followed.follow(path) as followed, ExitStack() as stack:
        writer = Writer(stack, path, 0.01)
        assert Meter()(followed, followed.last_run()).run.state is RunState.RUNNING
        writer.kill()
        found = Meter()(followed, followed.last_run())
        assert found.run.state is RunState.KILLED
        assert run_words(found.run, found.left).startswith("Not running: the run of process ")


def test_a_store_that_does_not_say_its_plan_has_no_end(tmp_path: Path) -> None:
    from referee.merge import merge_stores

    paths = [cup(tmp_path / f"{name}.db", competitions=ONE) for name in ("spring", "autumn")]
    merge_stores(tmp_path / "year.db", paths)
    with Followed.follow(tmp_path / "year.db") as followed:
        found = Meter()(followed, followed.last_run())
        assert (found.games, found.planned, found.left, found.seconds_left) == (16, None, None, None)
