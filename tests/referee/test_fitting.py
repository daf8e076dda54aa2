"""Whether a machine has a bot as the referee has it."""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any

import pytest

from referee.blocks import BlockOrder, BotSpec, Limits
from referee.cluster.fitting import fitted
from referee.errors import RefereeError

if TYPE_CHECKING:
    from pathlib import Path

ELSEWHERE = "/opt/referee/bin/python"


def order(folder: Path, sandbox: Any = "none", **more: Any) -> BlockOrder:
    """An order for one bot, which is `bot.py` in this folder."""
    given: dict[str, Any] = {
        "command": (ELSEWHERE, "bot.py"),
        "files": (("bot.py", hashlib.sha256(b"pass").hexdigest()),),
        **more,
    }
    spec = BotSpec("ana", folder=str(folder), **given)
    return BlockOrder("trix", "trix", {}, (), (spec,), Limits(sandbox=sandbox), str(folder / "logs"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the bot."""
    (tmp_path / "bot.py").write_text("pass")
    return tmp_path


def test_a_bots_python_is_the_one_that_runs_the_worker(folder: Path) -> None:
    assert fitted(order(folder), ELSEWHERE).bots[0].command == (sys.executable, "bot.py")
    other = order(folder, command=("/bin/sh", "bot.py"))
    assert fitted(other, ELSEWHERE) == other


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"files": (("bot.py", "00" * 32),)}, r'bot "ana": file ".*bot.py" differs from the referee\'s'),
        ({"files": (("no.py", "00" * 32),)}, r'bot "ana": there is no file ".*no.py"'),
        ({"command": ("/no/program",)}, r'bot "ana": there is no program "/no/program"'),
    ],
)
def test_what_is_not_the_same_is_refused(folder: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(RefereeError, match=said):
        fitted(order(folder, **more), ELSEWHERE)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r'bot "ana": there is no folder ".*nowhere"'):
        fitted(order(tmp_path / "nowhere"), ELSEWHERE)


def test_a_file_that_is_written_again_is_read_again(folder: Path) -> None:
    fitted(order(folder), ELSEWHERE)
    (folder / "bot.py").write_text("pass  # another")
    with pytest.raises(RefereeError, match="differs"):
        fitted(order(folder), ELSEWHERE)
