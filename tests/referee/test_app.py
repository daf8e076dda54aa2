"""What every command of `tourney` owes to who asks it for help."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.main import get_command

from referee.cli import run
from referee.cli.app import app
from referee.cli.results import show
from referee.report.tables import plain_table

if TYPE_CHECKING:
    from rich.table import Table

COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined] # a group has commands


@pytest.mark.parametrize("asks", ["--help", "-h"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example_of_it(
    command: str, asks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, asks]) == 0
    said = capsys.readouterr().out
    assert re.search(rf"Examples?:\s+tourney {command}\b", said), said
    assert "<bool>" not in said


def test_the_help_of_all_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert re.search(r"Examples:\s+tourney run cup.toml *\n tourney ratings", capsys.readouterr().out)


def test_a_table_has_no_blanks_at_the_ends_of_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    def made(*, narrow: bool) -> Table:
        table = plain_table("a title", narrow=narrow)
        table.add_column("entrant", min_width=20)
        table.add_row("ana")
        return table

    show(made, ["a note"])
    lines = capsys.readouterr().out.split("\n")
    assert (lines[0], lines[-3:]) == ("a title", ["a note", "", ""])
    assert " ana" in lines
    assert lines == [line.rstrip() for line in lines]


def completing(shell: str, **words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "referee"],
        env={**os.environ, "_TOURNEY_COMPLETE": shell, **words},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_a_shell_completes_the_commands() -> None:
    said = completing("complete_bash", COMP_WORDS="tourney ", COMP_CWORD="1")
    assert sorted(said.split()) == COMMANDS


@pytest.mark.parametrize(
    ("shell", "line"), [("bash", "complete -o"), ("zsh", "#compdef tourney"), ("fish", "complete")]
)
def test_every_shell_gets_a_script_of_its_own(shell: str, line: str) -> None:
    assert line in completing(f"source_{shell}")
