"""Whatever comes over TCP, the run ends as it should, nobody else is to blame, and no token is written down."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.e2e.blocks import BOTS
from tests.e2e.test_remote import Cup, Wire

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.long


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as everything:
        yield everything


def tourney(*arguments: object) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "referee", *map(str, arguments)], capture_output=True, check=True
    )
    return done.stdout


def command_lines() -> str:
    found = []
    for process in psutil.process_iter():
        try:
            found += process.cmdline()
        except psutil.Error:
            continue
    return "\n".join(found)


def first_end(*processes: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """Whichever ends first."""
    ends = {os.pidfd_open(process.pid): process for process in processes}
    try:
        ready, _, _ = select.select(list(ends), [], [], 60)
    finally:
        for descriptor in ends:
            os.close(descriptor)
    assert ready, "both live on"
    return ends[ready[0]]


def test_a_run_outlives_churn_a_deaf_stream_and_two_bots_with_one_token(
    tmp_path: Path, stack: ExitStack
) -> None:
    clocks = "[clocks]\nmove_ms = 1500\nfirst_move_seconds = 1.5\n[faults]\ndisqualify_after = 100\n"
    cup = Cup(tmp_path, stack, tls=False, more=f"join_seconds = 120\n{clocks}")
    # While the other seats are empty no game goes on without them.
    twins = [cup.dial(1, CARDTABLE_RETRY_SECONDS="1") for _ in range(2)]
    loser = first_end(*twins)
    assert loser.wait() == 3
    assert "a live stream has joined with this token" in loser.communicate()[0]
    cup.dial(2, BOTS / "churning_bot.py", 1, 3)
    cup.dial(0, BOTS / "churning_bot.py", 100, 0)
    tokens = [one["CARDTABLE_TOKEN"] for one in cup.invitations]
    lines = command_lines()
    assert not any(token in lines for token in tokens)
    status, said = cup.end()
    assert status == 0, said
    faults = cup.faults()
    assert {bot for bot, _ in faults} == {"far"}
    assert "timeout" in {cause for _, cause in faults}
    assert {cause for _, cause in faults} <= {"timeout", "disconnect"}
    store = tmp_path / "cup.db"
    tourney("verify", store)
    tourney("report", store, "--output", tmp_path / "report.html")
    written = [tourney(*words, store, *more) for *words, more in READERS]
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "cup.tokens"]
    assert store in files
    written += [path.read_bytes() for path in files]
    assert not [token for token in tokens for text in written if token.encode() in text]


READERS = (
    ("export", ()),
    ("faults", ("--json",)),
    ("ratings", ("--json",)),
    ("games", ("--json",)),
    ("logs", ("ana",)),
)


def test_a_connection_that_does_not_come_back_in_time_is_a_fault_of_its_bot_alone(
    tmp_path: Path, stack: ExitStack
) -> None:
    cup = Cup(tmp_path, stack, tls=False, boards=4, more="[clocks]\ndisconnect_seconds = 0\n")
    wire = Wire(cup.invitations[0]["CARDTABLE_REFEREE"])
    stack.callback(wire.close)
    mark = tmp_path / "mark"
    for seat in range(3):
        cup.dial(seat, BOTS / "faulty_bot.py", "marks", 20, mark, CARDTABLE_REFEREE=wire.address)
    subprocess.run(["sh", "-c", f"until [ -e '{mark}' ]; do sleep 0.02; done"], check=True, timeout=60)
    wire.cut()
    status, said = cup.end()
    assert status == 0, said
    faults = cup.faults()
    assert ("far", "disconnect") in faults
    assert {bot for bot, _ in faults} == {"far"}
    # It dials in again, and plays on.
    assert len(faults) < 10
    tourney("verify", tmp_path / "cup.db")
