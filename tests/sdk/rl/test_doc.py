"""docs/rl.md: its programs run, and what they print where the seed decides it is what it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOC = (Path(__file__).parents[3] / "docs" / "rl.md").read_text(encoding="utf-8")


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.DOTALL)
    assert match is not None
    return match[1]


def program(name: str) -> str:
    """The first block of Python after the file's name."""
    return found(r"```python\n(.*?)```", DOC[DOC.index(f"`{name}`") :])


def shown(name: str) -> str:
    return found(rf"```console\n\$ python {name}[^\n]*\n(.*?)```", DOC)


def run(folder: Path, name: str, *arguments: str) -> str:
    (folder / name).write_text(program(name), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, name, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["random_game.py", "look.py"])
def test_a_program_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    assert run(tmp_path, name) == shown(name)


@pytest.mark.long
def test_a_policy_is_trained_and_plays_as_a_bot(tmp_path: Path) -> None:
    (tmp_path / "linear_bot.py").write_text(program("linear_bot.py"), encoding="utf-8")
    assert run(tmp_path, "train.py", "3000") == ""
    assert re.fullmatch(r"-?\d+ points a game, standard error \d+\n", run(tmp_path, "try_it.py"))
