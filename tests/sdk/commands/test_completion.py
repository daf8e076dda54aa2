"""`cardtable completion` and `--help`: every command and option is there, and shells understand the scripts."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sdk.commands.conftest import Command

COMMANDS = ("new", "play", "debug", "check", "completion")


@pytest.mark.parametrize("command", [(), *((one,) for one in COMMANDS)], ids=str)
def test_every_help_has_an_example(cardtable: Command, command: tuple[str, ...]) -> None:
    done = cardtable(*command, "--help")
    assert done.status == 0
    assert "Example" in done.out
    assert f"cardtable {' '.join(command)}".strip() in done.out.partition("Example")[2]


def bash(script: str, *words: str) -> set[str]:
    """What bash offers for the last of these words."""
    line = " ".join(f"'{word}'" for word in words)
    asked = (
        f'COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _cardtable; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_bash_completes_commands_options_and_their_values(cardtable: Command) -> None:
    script = cardtable("completion", "bash").out
    assert bash(script, "cardtable", "") == {*COMMANDS, "--help", "--version"}
    assert bash(script, "cardtable", "pl") == {"play"}
    assert bash(script, "cardtable", "play", "--se") == {"--seat", "--seed"}
    assert bash(script, "cardtable", "play", "--game", "") == {"trix", "vytrix"}
    assert bash(script, "cardtable", "completion", "z") == {"zsh"}
    # Files are left to bash itself.
    assert bash(script, "cardtable", "debug", "--bot", "my") == set()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_can_read_its_script(cardtable: Command, shell: str, tmp_path: Path) -> None:
    done = cardtable("completion", shell)
    for word in (*COMMANDS, "trix vytrix"):
        assert word in done.out
    if shutil.which(shell):
        (tmp_path / "script").write_text(done.out)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


def test_another_shell_is_bad_input(cardtable: Command) -> None:
    assert cardtable("completion", "tcsh").status == 2
