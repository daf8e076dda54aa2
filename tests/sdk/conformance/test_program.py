"""How the command of a bot is taken: split without a shell, found where the referee would find it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cardtable.conformance.program import CommandError, program_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_command_is_split_as_a_shell_would(tmp_path: Path) -> None:
    program = program_of("python 'my bot.py' --depth 3", tmp_path)
    assert program.command == (sys.executable, "my bot.py", "--depth", "3")
    assert program.folder == tmp_path


def test_a_path_counts_from_the_folder(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert program_of("./bot.sh", tmp_path).command == (str(script),)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("", "the command is empty"),
        ("python 'bot.py", "the command cannot be split as a shell would: no closing quotation"),
        ("python b\0t.py", "the command contains a NUL character"),
        ("./folder", "'./folder' is a folder, not a program"),
        ("./nothing", "there is no program './nothing'"),
        ("./plain.py", "'./plain.py' may not be executed; try chmod +x"),
        (
            "plain.py",
            "there is no program 'plain.py' on PATH; for the file in this folder write './plain.py'",
        ),
        ("no-such-program", "there is no program 'no-such-program' on PATH"),
    ],
)
def test_what_names_no_program_is_refused(tmp_path: Path, command: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain.py").touch(0o644)
    with pytest.raises(CommandError) as refused:
        program_of(command, tmp_path)
    assert str(refused.value) == said
