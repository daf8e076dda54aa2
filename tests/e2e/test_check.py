"""`cardtable check` with real processes: who behaves passes, and what is wrong is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "tests" / "bots"


def check(bot: str, *arguments: object) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "cardtable", "check", f"{sys.executable} {bot}", "--json"]
    command += ["--game", "vytrix", "--games", "1", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    report: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, report


def failures(report: dict[str, Any]) -> dict[str, str]:
    failed = [one for one in report["checks"] if one["outcome"] == "failed"]
    assert all(one["advice"] for one in failed)
    return {one["name"]: one["found"] for one in failed}


def test_a_bot_that_behaves_passes() -> None:
    status, report = check(str(ROOT / "examples" / "random_bot.py"))
    assert (status, failures(report)) == (0, {})
    assert report["figures"]["decisions"] > 100


@pytest.mark.parametrize(
    ("bot", "name", "words"),
    [
        ("raw_bot.py exits", "joins", "no engine found"),
        ("raw_bot.py old-protocol", "joins", "protocol 99"),
        ("raw_bot.py no-game", "joins", "no game"),
        ("raw_bot.py empty", "plays vytrix", "malformed"),
        ("faulty_bot.py illegal 3", "plays vytrix", "illegal"),
        ("faulty_bot.py exit 20", "plays vytrix", "exited with status 3"),
    ],
)
def test_what_is_wrong_is_found(bot: str, name: str, words: str) -> None:
    status, report = check(str(BOTS / bot))
    assert status == 1
    assert words in failures(report)[name]


def test_a_bot_that_hangs_is_told_in_seconds() -> None:
    status, report = check(f"{BOTS / 'faulty_bot.py'} hang 20", "--move-ms", 300)
    assert status == 1
    assert "think time" in failures(report)


def test_a_command_that_is_none_is_one_line() -> None:
    command = [sys.executable, "-m", "cardtable", "check", "no-such-program"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
