"""Every kind of fault at a table can be looked at again: the question as it was, and what the bot says to it now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli import run
from tests.e2e.blocks import BOTS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long

FAULTY, RAW = BOTS / "faulty_bot.py", BOTS / "raw_bot.py"
#: In partnerships, and where what is forced is asked too.
CUP = """\
[clocks]
move_ms = 800
first_move_seconds = 20
disconnect_seconds = 0.3
stop_seconds = 0.2
[faults]
forfeit_after = 2
restarts = 0
[run]
jobs = 1
[[competition]]
game = "vytrix"
name = "solo"
boards = 1
rotations = "none"
ask_forced = true
variant = { players = 3, max_bid = 6, target = 0, max_hands = 1 }
[[competition]]
game = "vytrix"
name = "pairs"
boards = 1
rotations = "none"
teams = "same"
variant = { players = 4, max_bid = 6, target = 0, max_hands = 1 }
"""
ENTRANTS = {
    "hang": ("solo", FAULTY, "hang", 3),
    "bad": ("solo", RAW, "empty"),
    "gone": ("solo", RAW, "leaves-always"),
    "nostart": ("pairs", RAW, "exits"),
    "illegal": ("pairs", FAULTY, "illegal", 4),
}


def test_of_each_kind_the_question_is_put_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.toml"
    bots = ""
    for name, (competition, *command) in ENTRANTS.items():
        words = json.dumps(["python3", *map(str, command)])
        bots += f'[[bot]]\nname = "{name}"\ncommand = {words}\ncompetitions = ["{competition}"]\n'
    file.write_text(CUP + bots)
    assert run(["run", str(file), "--quiet"]) == 0
    capsys.readouterr()
    assert run(["faults", str(file), "--json"]) == 0
    faults = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    first = {(one["bot"], one["cause"]): one for one in reversed(faults) if one["game"] is not None}
    kinds = {("hang", "timeout"), ("bad", "malformed"), ("gone", "disconnect"), ("nostart", "start")}
    assert set(first) >= {*kinds, ("illegal", "illegal")}
    for (bot, cause), fault in first.items():
        place = [fault["game"], "--turn", fault["turn"], "--seat", fault["seat"]]
        status = run(["reproduce", str(file), *map(str, place), "--json"])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert (found["bot"], found["fault"]["cause"]) == (bot, cause)
        game = fault["game"].partition("/")[0].replace("solo", "vytrix").replace("pairs", "vytrix")
        assert found["question"][game] == fault["view"][game]
        # A bot that cannot be started fails again; the others did wrong later in their lives.
        assert (status, found["again"]["trouble"] is None) == ((1, False) if bot == "nostart" else (0, True))
