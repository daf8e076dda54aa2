"""What ends a run before its time, whatever it is: nothing finished is lost, nothing is doubled, nothing stays behind."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from tests.runs import ROOT, Run, ended, results, tourney, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.long

FAULTY = ROOT / "tests" / "bots" / "faulty_bot.py"
RANDOM = ROOT / "examples" / "random_bot.py"
NAMES = ("ana", "bo", "cy", "di")
MINUTES_MS = 600_000
#: A run that was asked to end does so within 3 s; on a loaded machine it may take longer.
MOST_SECONDS = 8.0


@pytest.fixture(autouse=True, scope="module")
def _heard_signals() -> None:
    """Who runs the tests by `nohup` lets them, and their runs, ignore the end of a terminal, which a run respects."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def cup(folder: Path, *words: object, boards: int = 4, move_ms: int = MINUTES_MS) -> Path:
    """Write a small tournament in which all bots are started with these words."""
    command = ", ".join(f'"{word}"' for word in (sys.executable, *words))
    file = folder / "cup.toml"
    file.write_text(
        f'[seed]\nmaster = "{"00" * 31}07"\n'
        f'[[competition]]\nname = "vytrix"\ngame = "vytrix"\nboards = {boards}\n'
        "variant = { target = 0, max_hands = 1 }\n"
        f"[clocks]\nmove_ms = {move_ms}\n"
        + "".join(f'[[bot]]\nname = "{name}"\ncommand = [{command}]\n' for name in NAMES)
    )
    return file


def detaching(folder: Path) -> Path:
    """A bot that plays the same cards each time, and has children that left its session and its tree."""
    file = folder / "detaching.py"
    file.write_text(
        "import subprocess\n"
        "from cardtable import Bot, run\n"
        'subprocess.run(["sh", "-c", "setsid sleep 1000 & trap : TERM; sleep 1001 &"], check=True)\n'
        "class DetachingBot(Bot):\n"
        "    def vytrix(self, view):\n"
        "        return next(iter(view.legal_actions))\n"
        "run(DetachingBot)\n"
    )
    return file


def many_cups(folder: Path, *words: object, number: int = 2, move_ms: int = MINUTES_MS) -> Path:
    """Write a tournament of many short competitions, so that the store is often written."""
    file = cup(folder, *words, boards=1, move_ms=move_ms)
    text = file.read_text()
    first = text[text.index("[[competition]]") : text.index("[clocks]")]
    more = (first.replace('name = "vytrix"', f'name = "vytrix {one}"') for one in range(1, number))
    file.write_text(text.replace(first, first + "".join(more)))
    return file


def games(folder: Path, store: str = "cup.db") -> set[str]:
    """The records that are in a store by now."""
    lines = tourney("export", store, cwd=folder).splitlines()
    assert len(set(lines)) == len(lines)
    return set(lines)


@contextmanager
def run(folder: Path, *more: object) -> Iterator[Run]:
    """Start `tourney run`; at the end nothing of it may live."""
    running = Run(folder, "cup.toml", *more)
    with ended(running, seconds=10):
        yield running


def thinking(running: Run) -> bool:
    """Whether the bots of a table, which has three seats, have been started."""
    return len(running.alive("faulty_bot.py")) >= 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_asked_to_end_does_so_at_once_while_its_bots_think(
    tmp_path: Path, number: signal.Signals
) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    with run(tmp_path, "--jobs", 2) as running:
        until(lambda: thinking(running))
        pressed = time.monotonic()
        running.press(number)
        said = running.rest()
        assert time.monotonic() - pressed < MOST_SECONDS
        assert running.process.returncode == 130
        until(running.is_gone, seconds=2)
    assert "the same command goes on" in said
    assert "no board is complete yet" in said
    for word in ("Traceback", "Error", "leaked"):
        assert word not in said


def test_ctrl_c_keeps_the_boards_of_the_block_under_way_that_are_finished(tmp_path: Path) -> None:
    bot = tmp_path / "stopping.py"
    bot.write_text(
        "import pathlib, time\n"
        "from cardtable import Bot, run\n"
        "class StoppingBot(Bot):\n"
        "    decisions = 0\n"
        "    def vytrix(self, view):\n"
        "        StoppingBot.decisions += 1\n"
        "        if StoppingBot.decisions == 400:\n"
        "            pathlib.Path('stopped').touch()\n"
        "            time.sleep(600)\n"
        "        return next(iter(view.legal_actions))\n"
        "run(StoppingBot)\n"
    )
    cup(tmp_path, bot, boards=400)
    with run(tmp_path, "--jobs", 1) as running:
        until((tmp_path / "stopped").exists)
        pressed = time.monotonic()
        running.press()
        said = running.rest()
        assert time.monotonic() - pressed < MOST_SECONDS
        assert running.process.returncode == 130
        until(running.is_gone, seconds=2)
    assert "points/game" in said
    kept = games(tmp_path)
    assert kept
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)


def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    with run(tmp_path, "--jobs", 2) as running:
        until(lambda: thinking(running))
        running.press()
        running.press()
        said = running.rest()
        assert running.process.returncode == 130
        until(running.is_gone, seconds=2)
    assert "Traceback" not in said


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.15, 0.3])
def test_ctrl_c_while_the_workers_start_ends_without_a_traceback(tmp_path: Path, seconds: float) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    with run(tmp_path, "--jobs", 2) as running:
        until(lambda: running.alive("multiprocessing.spawn"))
        time.sleep(seconds)
        running.press()
        said = running.rest()
        assert running.process.returncode == 130
        until(running.is_gone, seconds=2)
    assert "the same command goes on" in said
    for word in ("Traceback", "Error", "leaked"):
        assert word not in said


def test_a_run_that_is_killed_again_and_again_ends_with_the_bytes_of_one_that_was_not(tmp_path: Path) -> None:
    many_cups(tmp_path, detaching(tmp_path), number=3)
    with run(tmp_path, "--store", "whole.db", "--jobs", 2) as running:
        running.rest()
        assert running.process.returncode == 0
        until(running.is_gone, seconds=5)
    instants = random.Random(7)
    before: set[str] = set()
    for life in range(20):
        with run(tmp_path, "--jobs", 2) as running:
            with suppress(subprocess.TimeoutExpired):
                running.process.wait(timeout=instants.uniform(0.5, 2.0 + life))
            ended = running.process.poll()
            running.process.kill()
            running.rest()
            until(running.is_gone, seconds=5)
        if (tmp_path / "cup.db").exists():
            now = games(tmp_path)
            assert before <= now
            before = now
        if ended is not None:
            break
    assert ended == 0
    assert life > 1
    assert results(tmp_path, "cup.db") == results(tmp_path, "whole.db")


@pytest.mark.parametrize("word", ["multiprocessing.spawn", "warden.py"])
def test_a_worker_or_a_warden_that_is_killed_costs_nobody_a_fault(tmp_path: Path, word: str) -> None:
    many_cups(tmp_path, FAULTY, "thinks", 3)
    with run(tmp_path, "--jobs", 2) as running:
        said = running.until("games/s")
        os.kill(running.alive(word)[0], signal.SIGKILL)
        said += running.rest()
        assert running.process.returncode == 0, said
        until(running.is_gone, seconds=5)
    assert " fault" not in said
    assert "Traceback" not in said
    assert said.count("a worker was lost") == (word != "warden.py"), said
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)


def test_a_second_run_is_refused_by_name_until_the_first_is_dead(tmp_path: Path) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    with run(tmp_path, "--jobs", 1) as first:
        until(lambda: thinking(first))
        said = tourney("run", "cup.toml", cwd=tmp_path, status=2)
        assert f"is being written by process {first.process.pid} on {socket.gethostname()}" in said
        assert said.count("\n") == 1
        first.process.kill()
        until(first.is_gone, seconds=5)
    with run(tmp_path, "--jobs", 1) as second:
        until(lambda: thinking(second))
        second.press()
        assert "Going on with" in second.rest()


def test_a_store_that_is_removed_under_a_run_ends_it_with_one_line(tmp_path: Path) -> None:
    many_cups(tmp_path, FAULTY, "thinks", 3)
    store, away = tmp_path / "cup.db", tmp_path / "away.db"
    with run(tmp_path, "--jobs", 1) as running:
        running.until("games/s")
        store.rename(away)
        said = running.rest()
        assert running.process.returncode == 2
        until(running.is_gone, seconds=5)
    assert f"tourney: {store} was removed or replaced while it was written" in said
    assert "Traceback" not in said
    away.rename(store)
    assert games(tmp_path)
    tourney("run", "cup.toml", cwd=tmp_path)
    assert "cup.db holds" in tourney("verify", "cup.db", cwd=tmp_path)


def test_a_full_disk_ends_a_run_with_one_line_and_keeps_what_is_stored(tmp_path: Path) -> None:
    many_cups(tmp_path, FAULTY, "thinks", 3)
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk can be made by root only")
    try:
        with run(tmp_path, "--store", "disk/cup.db", "--jobs", 1) as running:
            running.until("games/s")
            with suppress(OSError), (disk / "more").open("wb", buffering=0) as more:
                while True:
                    more.write(bytes(4096))
            said = running.rest()
            assert running.process.returncode == 2, said
        assert "the disk is full" in said
        assert "Traceback" not in said
        (disk / "more").unlink()
        kept = games(tmp_path, "disk/cup.db")
        assert kept
        tourney("run", "cup.toml", "--store", "disk/cup.db", cwd=tmp_path)
        assert kept < games(tmp_path, "disk/cup.db")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_referee_that_is_stopped_for_longer_than_a_move_blames_nobody(tmp_path: Path) -> None:
    many_cups(tmp_path, FAULTY, "thinks", 3, move_ms=4000)
    with run(tmp_path, "--jobs", 1) as running:
        said = running.until("games/s")
        running.press(signal.SIGSTOP)
        time.sleep(6)
        running.press(signal.SIGCONT)
        said += running.rest()
        assert running.process.returncode == 0
    assert " fault" not in said


def test_a_reader_that_has_seen_enough_ends_a_run_without_a_traceback(tmp_path: Path) -> None:
    many_cups(tmp_path, RANDOM)
    with run(tmp_path, "--jobs", 1) as running:
        assert running.process.stdout is not None
        running.until("games/s")
        running.process.stdout.close()
        running.process.wait(timeout=60)
        until(running.is_gone, seconds=5)
    assert games(tmp_path)
