"""A bot in its box plays like any other and sees nothing of the referee, the tournament or other bots."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardtable.dealing import board_seed
from cardtable.record import FaultCause
from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.sandbox import runtime_of
from referee.worker import play_block, shutdown
from tests.e2e.blocks import BOTS, JAVASCRIPT, NODE_READY, causes, needs_bwrap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.blocks import BlockResult

pytestmark = pytest.mark.long

LIMITS = Limits(
    sandbox="bwrap",
    start_seconds=30,
    first_move_seconds=20,
    move_ms=10_000,
    stop_seconds=0.5,
    restarts=1,
    memory_bytes=400 << 20,
    processes=30,
    open_files=500,
)


@pytest.fixture(autouse=True, scope="module")
def _worker() -> Iterator[None]:
    yield
    shutdown()


def bot(name: str, folder: Path, program: str, *arguments: object) -> BotSpec:
    """A bot with a folder of its own, which is all that it may read."""
    own = folder / name
    own.mkdir(exist_ok=True)
    shutil.copy(BOTS / program, own)
    readable = (*runtime_of(sys.executable), str(own))
    return BotSpec(
        name, (sys.executable, program, *map(str, arguments)), str(own), (("LEVEL", "3"),), readable
    )


def play(folder: Path, culprit: BotSpec, limits: Limits = LIMITS, games: int = 1) -> BlockResult:
    others = [bot(name, folder, "faulty_bot.py", "none", 0) for name in ("ana", "bo")]
    seats = ("ana", culprit.name, "bo")
    orders = tuple(
        GameOrder(0, seating, seats, board_seed(b"m" * 32, "c", seating)) for seating in range(games)
    )
    variant = {"players": 3, "max_bid": 6, "target": 0, "max_hands": 1}
    logs = folder / "logs"
    order = BlockOrder("c", "vytrix", variant, orders, (others[0], culprit, others[1]), limits, str(logs))
    result = play_block(order)
    assert result.error == ""
    assert len(result.games) == games
    return result


@needs_bwrap
def test_a_bot_in_its_box_sees_its_own_folder_and_nothing_of_the_others(tmp_path: Path) -> None:
    store, secrets = tmp_path / "cup.db", tmp_path / "secrets"
    secrets.mkdir()
    for path in (store, secrets / "seed"):
        path.write_text("the seed")
    hidden = [store, secrets, tmp_path, tmp_path / "logs", tmp_path / "ana", "/proc/1/environ", "/etc/passwd"]
    hidden += ["/etc/shadow", "/root", "/home", "/var/log", f"/proc/{os.getpid()}/environ", BOTS]
    spy = bot("spy", tmp_path, "spy_bot.py", *hidden, tmp_path / "spy", "/usr")
    assert causes(play(tmp_path, spy)) == []
    (log,) = (tmp_path / "logs").glob("spy.*.log")
    said = [line for line in log.read_text().splitlines() if "Warning" not in line]
    # In its own table the first process is its box; the folder above holds nothing but its own.
    assert f"reads {tmp_path / 'spy'}" in said
    assert "reads /usr" in said
    shown = {line.removeprefix("reads ") for line in said if line.startswith("reads ")}
    assert shown - {str(tmp_path / "spy"), "/usr"} <= {str(tmp_path), "/root", "/proc/1/environ"}
    assert "sees 0 processes" in said
    assert [line for line in said if line.startswith("writes")] == ["writes /tmp", "writes /dev/shm"]
    assert "networks lo" in said


@needs_bwrap
def test_the_folder_above_shows_a_bot_only_itself(tmp_path: Path) -> None:
    (tmp_path / "cup.db").write_text("the seed")
    spy = bot("spy", tmp_path, "spy_bot.py")
    lister = replace(spy, command=(sys.executable, "-c", "import os; print(os.listdir('..'))"))
    result = play(tmp_path, lister)
    assert causes(result) == [FaultCause.START]
    assert result.games[0].details[0].stderr_tail == "['spy']\n"


@needs_bwrap
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("memory", "MB of memory, and 400 MB are allowed"),
        ("crowd", "processes, and 30 are allowed"),
        ("bomb", "processes, and 30 are allowed"),
    ],
)
def test_limits_hold_in_a_box_too(tmp_path: Path, how: str, said: str) -> None:
    # Each process of the bot has a folder of its own to write in, so all of them misbehave, and the game is lost.
    result = play(tmp_path, bot(how, tmp_path, "faulty_bot.py", how, 3), replace(LIMITS, forfeit_after=1))
    assert causes(result) == [FaultCause.RESOURCE]
    (detail,) = result.games[0].details
    assert said in detail.message


@needs_bwrap
@pytest.mark.parametrize(
    ("how", "cause", "said"),
    [
        ("exit", FaultCause.CRASH, "exited with status 3 while it owed this answer"),
        ("kill", FaultCause.CRASH, "was ended by signal 9 while it owed this answer"),
        ("children", FaultCause.TIMEOUT, "no answer within"),
    ],
)
def test_ends_in_a_box_are_told_as_outside(tmp_path: Path, how: str, cause: FaultCause, said: str) -> None:
    limits = replace(LIMITS, forfeit_after=1, move_ms=2000)
    result = play(tmp_path, bot(how, tmp_path, "faulty_bot.py", how, 3), limits)
    assert causes(result) == [cause]
    assert said in result.games[0].details[0].message


@needs_bwrap
@pytest.mark.skipif(
    not NODE_READY,
    reason="needs Node.js, and `npm ci` in examples/javascript",
)
def test_a_bot_of_node_that_reserves_far_more_than_it_uses_keeps_within_the_limits(tmp_path: Path) -> None:
    node = shutil.which("node")
    assert node is not None
    readable = (*runtime_of(node), str(JAVASCRIPT), str(JAVASCRIPT.parents[1] / "proto"))
    assert causes(play(tmp_path, BotSpec("js", (node, "bot.js"), str(JAVASCRIPT), (), readable))) == []


@needs_bwrap
def test_a_whole_tournament_is_played_in_boxes(tmp_path: Path) -> None:
    entrants = ""
    for name in ("ana", "bo", "cy"):
        bot(name, tmp_path, "faulty_bot.py")
        entrants += f'[[bot]]\nname = "{name}"\nfolder = "{name}"\ncommand = "python3 faulty_bot.py none 0"\n'
    file = tmp_path / "cup.toml"
    file.write_text(
        '[run]\nsandbox = "bwrap"\n[[competition]]\ngame = "vytrix"\nboards = 1\n'
        f"variant = {{ target = 0, max_hands = 1, players = 3 }}\n{entrants}"
    )
    done = subprocess.run(
        [sys.executable, "-m", "referee", "run", str(file)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 games" in done.stdout
    assert "fault" not in done.stderr


def test_a_box_that_this_machine_cannot_make_is_refused_before_anything_starts(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        shutil.copy(BOTS / "faulty_bot.py", tmp_path / name)
    entrants = "".join(
        f'[[bot]]\nname = "{name}"\nfolder = "{name}"\ncommand = "python3 faulty_bot.py none 0"\n'
        for name in "abc"
    )
    file = tmp_path / "cup.toml"
    file.write_text(
        f'[run]\nsandbox = "bwrap"\n[[competition]]\ngame = "vytrix"\nvariant = {{ players = 3 }}\n{entrants}'
    )
    done = subprocess.run(
        [sys.executable, "-m", "referee", "run", str(file)],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": str(tmp_path)},
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        'tourney: sandbox = "bwrap": there is no program bwrap; install the package bubblewrap\n'
    )
    assert not (tmp_path / "cup.db").exists()
