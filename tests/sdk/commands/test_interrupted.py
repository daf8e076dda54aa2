"""Ctrl-C at any moment ends a command with its status and without a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PRESSED = """\
import signal, sys

class Pressing:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Pressing())
from {place} import main
sys.argv[1:] = ["--version"]
main()
"""


@pytest.mark.parametrize(
    ("place", "module"),
    [
        ("cardtable.__main__", "cardtable.commands"),
        ("cardtable.__main__", "argparse"),
        ("cardtable.__main__", "cardtable.commands.play"),
        ("referee.cli", "referee.cli.app"),
    ],
)
def test_while_what_a_command_needs_is_imported(place: str, module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PRESSED.format(place=place, module=module)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
