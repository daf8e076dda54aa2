"""Rulings in the middle of a tournament whose stages follow from results, and whose runs are killed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from referee.cli import run
from tests.e2e.blocks import BOTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.long

CUP = """\
[run]
jobs = 1
[faults]
disqualify_after = 100
[[competition]]
game = "vytrix"
name = "c"
schedule = "swiss"
boards = 6
variant = { players = 3, max_bid = 6, target = 0, max_hands = 1 }
"""


@pytest.fixture
def tourney(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """`tourney` in this process: what it prints."""

    def command(*arguments: object, status: int = 0) -> str:
        capsys.readouterr()
        found = run([str(one) for one in arguments])
        said = "".join(capsys.readouterr())
        assert found == status, said
        return said

    return command


def test_what_is_ruled_between_two_runs_that_are_killed_holds(
    tmp_path: Path, tourney: Callable[..., str]
) -> None:
    file, store = tmp_path / "cup.toml", tmp_path / "cup.db"
    file.write_text(
        CUP
        + "".join(
            f'[[bot]]\nname = "{name}"\ncommand = ["python3", "{BOTS / "faulty_bot.py"}", {how}]\n'
            for name, how in [(one, '"thinks", "4"') for one in "abcde"] + [("f", '"illegal", "3"')]
        )
    )
    reason = ("--reason", "the network was down")
    for life in range(2):
        command = [sys.executable, "-m", "referee", "run", str(file), "--json", "--json-progress"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                if json.loads(line).get("progress"):
                    break
            if not life:
                assert "rule when that run has ended" in tourney(
                    "rule", store, "withdraw", "e", *reason, status=2
                )
            running.kill()
        assert "cup.db holds" in tourney("verify", store)
        if not life:
            tourney(
                "rule",
                store,
                "void",
                json.loads(tourney("games", store, "--json").splitlines()[0])["game"],
                *reason,
            )
            tourney("rule", store, "withdraw", "e", *reason)
            tourney("rule", store, "withdraw", "a", *reason)
            tourney("rule", store, "revoke", 2, *reason)
    tourney("rule", store, "revoke", 1, *reason)
    tourney("run", file, "--quiet")
    tourney("rule", store, "withdraw", "c", *reason)
    said = tourney("verify", store)
    assert "cup.db holds" in said
    assert "6 rulings" in said
