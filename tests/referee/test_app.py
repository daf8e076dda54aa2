"""What every command of `tourney` owes to who asks it for help."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.main import get_command

from referee.cli import run
from referee.cli.app import app

COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined] # a group has commands


@pytest.mark.parametrize("asks", ["--help", "-h"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example_of_it(
    command: str, asks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, asks]) == 0
    said = capsys.readouterr().out
    assert re.search(rf"Examples?: tourney {command}\b", said), said


def test_a_shell_completes_the_commands() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee"],
        env={
            **os.environ,
            "_TOURNEY_COMPLETE": "complete_bash",
            "COMP_WORDS": "tourney ",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(done.stdout.split()) == COMMANDS


def test_the_completion_of_a_shell_can_be_shown(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["--show-completion", "bash"])
    assert "complete -o default -F" in capfd.readouterr().out
