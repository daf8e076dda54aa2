"""What a user mistypes is named for what it is: names of games, numbers, commands that need a shell, damaged rows."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from referee.config import ConfigError, load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]
    Tourney = Callable[..., str]

REASON = ("--reason", "the table was seen on the stream")


@pytest.fixture
def cup(make_cup: Make) -> Path:
    return make_cup("cup.db", faults=[(2, 1, 1)])


@pytest.mark.parametrize(
    "name", ["trix/ 2/1", "trix/2/1 ", "trix/2/\u0661", "trix/+2/1", "trix/2_0/1", "trix/2"]
)
def test_a_game_is_named_with_plain_digits_and_no_blanks(cup: Path, tourney: Tourney, name: str) -> None:
    for command in (
        ("rule", cup, "void", name, *REASON),
        ("faults", cup, name),
        ("show", cup, name),
        ("reproduce", cup, name, "--turn", 1),
    ):
        assert "is no game: a game is COMPETITION/BOARD/SEATING" in tourney(*command, status=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["forgive", "trix/2/1", "-1"],
            '"-1" is no number of a fault, which count from 0; `tourney faults CUP GAME`',
        ),
        (["forgive", "trix/2/1", "\u0660"], "is no number of a fault, which count from 0"),
        (["revoke", "-1"], "has no ruling -1; there are none"),
        (["revoke", "\u0661"], "has no ruling \u0661; there are none"),
    ],
)
def test_a_number_below_the_first_is_a_number_and_no_option(
    cup: Path, tourney: Tourney, arguments: list[str], said: str
) -> None:
    assert said in tourney("rule", cup, *arguments, *REASON, status=2)


def test_an_option_that_nobody_knows_is_still_none(cup: Path, tourney: Tourney) -> None:
    assert "No such option: --raeson" in tourney("rule", cup, "revoke", 1, "--raeson", "x", status=2)


def test_a_damaged_row_is_named_wherever_it_is_read(cup: Path, tourney: Tourney) -> None:
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    with sqlite3.connect(cup) as connection:
        connection.execute("UPDATE ruling SET kind = 'x'")
    connection.close()
    for command in ("rule", "ratings", "games"):
        said = tourney(command, cup, status=2)
        assert "ruling 1 is damaged" in said
        assert "identity" not in said


def test_a_command_that_needs_a_shell_is_told_that_none_runs(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    (tmp_path / "a.py").touch()
    file.write_text(
        '[[competition]]\ngame = "vytrix"\nvariant = { players = 3 }\n'
        '[[bot]]\nname = "a"\ncommand = "python a.py 2>log | tee"\n'
    )
    with pytest.raises(ConfigError, match=r'cup.toml:6: .*"command": has "2>log", and no shell runs it'):
        load(file)
