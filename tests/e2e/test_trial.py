"""`tourney test` by the command, with real processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RANDOM = f"{sys.executable} {ROOT / 'examples' / 'random_bot.py'}"
GREEDY = f"{sys.executable} {ROOT / 'examples' / 'greedy_bot.py'}"
#: The shortest games: one hand of Vytrix in partnerships.
SHORT = ("--game", "vytrix", "--option", "players=4", "--option", "target=0", "--option", "max_hands=1")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "referee", "test", *map(str, arguments)]


def ask(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )


def test_two_of_the_same_stay_open_and_the_names_of_scripts_are_enough(tmp_path: Path) -> None:
    """Names stand for scripts in the folder or its `examples`."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = ask("random", "random", *SHORT, "--max-boards", 10, "--margin", 1, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "random_bot against random_bot-2: Vytrix, 4 players, boards of 2 seatings, at most 10 boards"
    )
    assert lines[-3].startswith("Undecided: random_bot ")
    assert "over 10 boards, chance of being better " in lines[-3]
    assert lines[-2].count(" ms a move") == 2
    assert lines[-1].startswith("  SPRT of +1 against 0 points a game: LLR ")
    assert "between -2.94 and +2.94, " in lines[-1]
    assert "nan" not in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["examples"]


def test_a_clear_difference_ends_the_trial_early_and_its_json_says_all(tmp_path: Path) -> None:
    store = tmp_path / "trial.db"
    asked = (GREEDY, RANDOM, *SHORT, "--max-boards", 200, "--jobs", 1, "--store", store)
    done = ask(*asked, "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert (found["new"], found["old"], found["verdict"]) == ("greedy_bot", "random_bot", "better")
    assert (found["alpha"], found["margin"]) == (0.05, None)
    assert found["gain"]["mean"] > found["gain"]["half_width"] > 0
    assert 10 <= found["boards"] < 200
    assert found["games"] >= 2 * found["boards"]
    assert found["superiority"] > 0.99
    assert found["faults"] == {"greedy_bot": 0, "random_bot": 0}
    assert all(per_move > 0 for per_move in found["ms_per_move"].values())
    # The same command finds its answer in the store and plays nothing.
    again = ask(*asked, cwd=tmp_path)
    assert again.returncode == 0
    assert f"Better: greedy_bot is better than random_bot: {found['gain']['mean']:+.2f} ± " in again.stdout
    assert f"over {found['boards']} boards" in again.stdout
    assert again.stdout.endswith(f"The games are in {store}.\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("nosuch", RANDOM), "nosuch_bot.py"),
        ((GREEDY, RANDOM, "--alpha", 0), "--alpha is from 1e-06 to 0.5, not 0"),
        ((GREEDY, RANDOM, "--alpha", "nan"), "--alpha is from 1e-06 to 0.5, not nan"),
        ((GREEDY, RANDOM, "--margin", 0), "--margin is a number above 0, not 0"),
        ((GREEDY, RANDOM, "--margin", "inf"), "--margin is a number above 0, not inf"),
        ((GREEDY, RANDOM, "--max-boards", 9), "--max-boards 9: nothing is decided by fewer than 10 boards"),
        ((GREEDY, RANDOM, "--jobs", 0), "--jobs 0: there are 1 to 1024 workers"),
        ((GREEDY, RANDOM, "--jobs", -1), "--jobs -1: there are 1 to 1024 workers"),
        ((GREEDY, RANDOM, "--jobs", 10**6), "--jobs 1000000"),
        ((GREEDY, RANDOM, "--option", "teams=whist"), "--option teams"),
        ((GREEDY, RANDOM, "--game", "trxi"), "trix"),
        ((GREEDY, RANDOM, "--option", "partner=true"), "partners"),
        ((GREEDY,), "OLD"),
    ],
)
def test_bad_input_is_one_line_and_status_2_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[object, ...], named: str
) -> None:
    from referee.cli import run

    store = tmp_path / "trial.db"
    assert run(["test", *map(str, arguments), "--store", str(store)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert named in said.err
    assert not list(tmp_path.iterdir())


def test_ctrl_c_prints_what_is_known_and_the_status_is_130(tmp_path: Path) -> None:
    """Two of the same do not differ, and so small an alpha lets no chance end the trial before it is told to."""
    running = subprocess.Popen(
        command(RANDOM, RANDOM, *SHORT, "--alpha", 1e-6, "--max-boards", 100_000, "--jobs", 1),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    for line in running.stdout:
        if "games/s" in line:
            break
    os.killpg(running.pid, signal.SIGINT)
    rest, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in rest
    assert "random_bot-2" in rest
    assert " points a game over " in rest
    assert not list(tmp_path.iterdir())
