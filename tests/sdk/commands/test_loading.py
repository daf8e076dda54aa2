"""Bots by their file or name: the right class, the file as it is now, and one line for what is wrong."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from cardtable.commands import UsageError
from cardtable.commands.loading import load_bot
from tests.sdk.commands.bots import CHANCE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sdk.commands.conftest import Command

pytestmark = pytest.mark.usefixtures("cardtable")


def test_an_example_goes_by_its_name() -> None:
    assert load_bot("greedy").bot.name == "greedy"


def test_the_only_bot_of_a_file_is_meant(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(CHANCE)
    named = load_bot("one.py")
    assert named.bot.__name__ == "Chance"
    assert named.path is not None


def test_a_base_of_another_bot_is_not_meant_itself(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(CHANCE + "\nclass Better(Chance):\n    pass\n")
    assert load_bot("two.py").bot.__name__ == "Better"
    assert load_bot("two.py:Chance").bot.__name__ == "Chance"


def test_a_file_that_only_imports_a_bot_stands_for_it(tmp_path: Path) -> None:
    (tmp_path / "three.py").write_text("from cardtable.examples.greedy_bot import GreedyBot\n")
    assert load_bot("three.py").bot.name == "greedy"


def test_a_file_that_has_changed_is_loaded_anew_and_so_is_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "four.py").write_text("from part import NAME\n" + CHANCE.replace('"chance"', "NAME"))
    names = []
    for name in ("a", "b"):
        (tmp_path / "part.py").write_text(f"NAME = {name!r}\n")
        names.append(load_bot("four.py").bot.name)
    assert names == ["a", "b"]
    assert not (tmp_path / "__pycache__").exists()


def test_two_versions_of_a_bot_have_each_its_own_parts(tmp_path: Path) -> None:
    bots = []
    for version in ("old", "new"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "part.py").write_text(f"NAME = {version!r}\n")
        (tmp_path / version / "five.py").write_text(
            "from part import NAME\n" + CHANCE.replace('"chance"', "NAME")
        )
        bots.append(load_bot(f"{version}/five.py").bot)
    assert [one.name for one in bots] == ["old", "new"]


def test_a_file_of_the_name_of_a_module_takes_nothing_from_others(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(CHANCE)
    before = sys.modules["json"]
    assert load_bot("json.py").bot.name == "chance"
    assert sys.modules["json"] is before


@pytest.mark.parametrize(
    ("text", "named", "said"),
    [
        (
            None,
            "x.py",
            "x.py: there is no such file; a bot is a file such as ./my_bot.py, or one of random, greedy, ",
        ),
        ("", "x.js", "x.js: no file of Python; bots in other languages play in `tourney run`"),
        ("", "x.py", "x.py has no bot: no subclass of cardtable.Bot"),
        (CHANCE, "x.py:Other", "x.py has no bot 'Other': there is Chance"),
        (
            CHANCE + CHANCE.replace("Chance", "Luck"),
            "x.py",
            "x.py has several bots, Chance, Luck; name one: x.py:Chance",
        ),
        ("\nfoo(", "x.py", "x.py: cannot be loaded: line 2: SyntaxError: '(' was never closed"),
        ("\n1 / 0", "x.py", "x.py: cannot be loaded: line 2: ZeroDivisionError: division by zero"),
        (
            "raise SystemExit",
            "x.py",
            "x.py: ends the program when it is loaded; write run(...) below if __name__",
        ),
        (
            "from cardtable import Bot\nclass A(Bot): ...",
            "x.py",
            "x.py: A plays no game: it needs a method named trix",
        ),
    ],
)
def test_what_cannot_be_loaded_is_told_in_one_line(
    tmp_path: Path, text: str | None, named: str, said: str
) -> None:
    if text is not None:
        (tmp_path / named.partition(":")[0]).write_text(text)
    with pytest.raises(UsageError) as told:
        load_bot(named)
    assert str(told.value).startswith(said)
    assert "\n" not in str(told.value)


def test_bad_input_of_a_command_is_one_line_and_status_2(cardtable: Command) -> None:
    done = cardtable("play", "--bot", "nothing.py", "--game", "trix")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("cardtable: nothing.py: there is no such file")
    assert done.err.count("\n") == 1
