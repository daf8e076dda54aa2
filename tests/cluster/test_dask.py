"""A tournament on a Dask cluster: the same bytes as here, whatever is killed; and one line for what cannot work."""

from __future__ import annotations

import os
import re
import signal
import time
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tests.cluster.dask_cluster import (
    FAULTY,
    RANDOM,
    cluster,
    cluster_in,
    cup,
    run,
    tourney,
    until,
)
from tests.runs import ROOT, results

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.dask_cluster import Cluster

pytestmark = pytest.mark.cluster
__all__ = ["cluster"]

DEMO = ROOT / "examples" / "tournaments" / "demo.toml"
#: A run that was asked to end does so within 3 s; on a loaded machine it may take longer.
MOST_SECONDS = 8.0


def thinking(cluster: Cluster) -> bool:
    """Whether the bots of a table, which has three seats, have been started."""
    return len(cluster.alive("faulty_bot.py")) >= 3


def is_quiet(cluster: Cluster) -> bool:
    """Whether no worker has anything of a run."""
    return not cluster.bots()


def test_the_demo_has_the_same_bytes_in_one_process_in_a_pool_and_on_a_cluster_with_a_database(
    tmp_path: Path, cluster: Cluster, postgres_url: str
) -> None:
    text = DEMO.read_text().replace('folder = ".."', f'folder = "{ROOT / "examples"}"')
    if "CARDTABLE_WHOLE_DEMO" not in os.environ:
        text = re.sub(r"boards = \d+", "boards = 1", text)
    (tmp_path / "demo.toml").write_text(f'[seed]\nmaster = "{"07" * 32}"\n{text}')
    cluster.add_worker()
    cluster.add_worker()
    for words in (("--executor", "inline"), ("--jobs", 2)):
        tourney("run", "demo.toml", "--store", f"{words[1]}.db", *words, cwd=tmp_path)
    with run(tmp_path, cluster, "--store", postgres_url, file="demo.toml") as running:
        said = running.end()
        assert is_quiet(cluster), "its end comes after that of its bots"
    assert f"on the Dask cluster at {cluster.address}" in said
    assert results(tmp_path, postgres_url) == results(tmp_path, "inline.db") == results(tmp_path, "2.db")


def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(tmp_path: Path, cluster: Cluster) -> None:
    cup(tmp_path, FAULTY, "thinks", 3, competitions=6, boards=1)
    tourney("run", "cup.toml", "--store", "whole.db", cwd=tmp_path)
    whole = results(tmp_path, "whole.db")
    cluster.add_worker()
    for life in range(3):
        cluster.add_worker()
        with run(tmp_path, cluster, "--store", f"{life}.db") as running:
            said = running.until("games/s")
            until(lambda: cluster.alive("warden.py"))
            cluster.workers[life].kill()
            cluster.workers[life].wait()
            said += running.end()
        # It may have been between two blocks.
        assert said.count("was lost; the games are played again") <= 1, said
        assert " fault" not in said
        assert "Traceback" not in said
        until(lambda: is_quiet(cluster), seconds=10)
        assert results(tmp_path, f"{life}.db") == whole


def test_a_slot_that_is_killed_loses_nothing(tmp_path: Path, cluster: Cluster) -> None:
    cup(tmp_path, FAULTY, "thinks", 3, competitions=4, boards=1)
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        said = running.until("games/s")
        until(lambda: thinking(cluster))
        os.kill(cluster.alive("referee.cluster.slot")[0], signal.SIGKILL)
        said += running.end()
    assert "the process that played has ended with status -9; the games are played again" in said
    assert " fault" not in said
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)


def test_a_referee_that_is_killed_leaves_nothing_and_goes_on(tmp_path: Path, cluster: Cluster) -> None:
    cup(tmp_path, FAULTY, "thinks", 3, competitions=6, boards=1)
    tourney("run", "cup.toml", "--store", "whole.db", cwd=tmp_path)
    cluster.add_worker()
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        running.until("games/s")
        running.process.kill()
        until(lambda: is_quiet(cluster), seconds=10)
    with run(tmp_path, cluster) as running:
        assert "Going on with" in running.end()
    assert results(tmp_path, "cup.db") == results(tmp_path, "whole.db")


def test_a_worker_joins_and_the_run_waits_for_the_first_one(tmp_path: Path, cluster: Cluster) -> None:
    cup(tmp_path, FAULTY, "thinks", 3, competitions=60, boards=1)
    with run(tmp_path, cluster) as running:
        said = running.until("no Dask worker at")
        assert " s; waiting for one (Ctrl-C ends the run)" in said
        cluster.add_worker()
        running.until("games/s")
        cluster.add_worker()
        until(lambda: len(cluster.alive("warden.py")) == 2)
        os.killpg(running.process.pid, signal.SIGINT)
        running.end(130)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_ends_a_run_at_once_while_its_bots_think(tmp_path: Path, cluster: Cluster, times: int) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        until(lambda: thinking(cluster))
        pressed = time.monotonic()
        for _ in range(times):
            os.killpg(running.process.pid, signal.SIGINT)
        said = running.end(130)
        assert time.monotonic() - pressed < MOST_SECONDS
        until(lambda: is_quiet(cluster), seconds=10)
    assert "Traceback" not in said
    assert times == 2 or "the same command goes on" in said


def test_ctrl_c_keeps_what_is_finished_of_the_blocks_under_way(tmp_path: Path, cluster: Cluster) -> None:
    bot = tmp_path / "stopping.py"
    bot.write_text(
        "import pathlib, time\n"
        "from cardtable import Bot, run\n"
        "class StoppingBot(Bot):\n"
        "    closed = 0\n"
        "    def table_closed(self, result):\n"
        "        StoppingBot.closed += 1\n"
        "    def vytrix(self, view):\n"
        "        if StoppingBot.closed >= 20:\n"
        "            pathlib.Path('stopped').touch()\n"
        "            time.sleep(600)\n"
        "        return next(iter(view.legal_actions))\n"
        "run(StoppingBot)\n"
    )
    cup(tmp_path, bot, boards=400)
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        until((tmp_path / "stopped").exists)
        os.killpg(running.process.pid, signal.SIGINT)
        running.end(130)
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)
    assert tourney("export", "cup.db", cwd=tmp_path)


def test_a_scheduler_that_goes_ends_the_run_with_one_line(tmp_path: Path, cluster: Cluster) -> None:
    cup(tmp_path, FAULTY, "thinks", 3, competitions=4, boards=1)
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        running.until("games/s")
        cluster.scheduler.kill()
        said = running.end(2)
        until(lambda: is_quiet(cluster))
    assert f"tourney: the Dask scheduler at {cluster.address} is gone; the same command goes on" in said
    assert "Traceback" not in said
    tourney("run", "cup.toml", cwd=tmp_path)
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)


def test_a_block_that_loses_every_worker_ends_the_run(tmp_path: Path, cluster: Cluster) -> None:
    bot = tmp_path / "murderous.py"
    # What its warden is a child of is the slot; that one's parent is the Dask worker.
    bot.write_text(
        "import os, signal, time, psutil\n"
        "os.kill(psutil.Process(os.getppid()).ppid(), signal.SIGKILL)\n"
        "time.sleep(600)\n"
    )
    cup(tmp_path, bot, boards=1)
    cluster.add_worker()
    with run(tmp_path, cluster) as running:
        said = running.end(2)
        until(lambda: is_quiet(cluster), seconds=10)
    assert "the same games failed 3 times; the last time: worker" in said.splitlines()[-1]


def test_a_file_that_differs_on_a_worker_is_no_fault_of_the_bot(tmp_path: Path, cluster: Cluster) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(RANDOM.read_text())
    cup(tmp_path, bot)
    with run(tmp_path, cluster) as running:
        running.until("Results go to")
        bot.write_text(RANDOM.read_text() + "# another version\n")
        worker = cluster.add_worker()
        said = running.end(2)
    (line,) = [line for line in said.splitlines() if "differs" in line]
    assert line.startswith("tourney: worker tcp://127.0.0.1:")
    assert f'bot "ana": file "{bot}" differs from the referee\'s (SHA-256 ' in line
    bot.unlink()
    assert worker.poll() is None
    assert "Traceback" not in said
    assert tourney("export", "cup.db", cwd=tmp_path) == ""


def test_a_worker_with_another_version_ends_the_run_with_one_line(tmp_path: Path) -> None:
    cup(tmp_path, RANDOM)
    older = tmp_path / "older"
    older.mkdir()
    (older / "sitecustomize.py").write_text(
        "import importlib.metadata as metadata\n"
        "version = metadata.version\n"
        "metadata.version = lambda name: '0.0.9' if name == 'cardtable-referee' else version(name)\n"
    )
    with cluster_in(tmp_path, PYTHONPATH=f"{older}:{ROOT}") as cluster:
        cluster.add_worker()
        with run(tmp_path, cluster) as running:
            said = running.end(2)
    last = said.splitlines()[-1]
    assert last.startswith("tourney: worker tcp://127.0.0.1:")
    assert f"has cardtable-referee 0.0.9, and the referee {version('cardtable-referee')};" in last
    assert "Traceback" not in said


def test_what_a_cluster_cannot_do_is_said_in_one_line(tmp_path: Path) -> None:
    def said(*words: object) -> str:
        line = tourney("run", "cup.toml", *words, cwd=tmp_path, status=2)
        assert line.count("\n") == 1, line
        return line

    cup(tmp_path, RANDOM)
    assert "--executor dusk: it is one of pool, inline, dask" in said("--executor", "dusk")
    assert "--scheduler tcp://h:1 goes with --executor dask" in said("--scheduler", "tcp://h:1")
    assert "--executor dask needs --scheduler, such as tcp://" in said("--executor", "dask")
    assert "this file was written by no Dask scheduler" in said(
        "--executor", "dask", "--scheduler", "cup.toml"
    )
    assert "inline plays one block at a time, and jobs is 2" in said("--executor", "inline", "--jobs", 2)
    assert "no Dask scheduler at tcp://127.0.0.1:1" in said(
        "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"
    )
    cup(tmp_path, RANDOM, more='[remote]\nlisten = "127.0.0.1:7007"\n[[bot]]\nname = "far"\nremote = true\n')
    assert 'a remote bot ("far") dials in at this machine' in said("--executor", "dask")
