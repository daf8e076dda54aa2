"""A decision of a stored game is put to its bot again, alone, by the command."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.blocks import BOTS
from tests.e2e.test_tournament import tourney

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament in which one bot plays an illegal card at its third decision, always."""
    folder = tmp_path_factory.mktemp("cup")
    shutil.copy(BOTS / "faulty_bot.py", folder)
    entrants = "".join(
        f'[[bot]]\nname = "{name}"\ncommand = "python3 faulty_bot.py {how}"\n'
        for name, how in (("ana", "none 0"), ("bad", f"illegal 3 {folder}/mark"), ("cy", "none 0"))
    )
    file = folder / "cup.toml"
    file.write_text(
        '[[competition]]\ngame = "vytrix"\nboards = 1\n'
        f"variant = {{ players = 3, target = 0, max_hands = 1 }}\n{entrants}"
    )
    tourney("run", file, cwd=folder)
    return file


def fault_of(cup: Path) -> dict[str, Any]:
    (line,) = tourney("faults", cup, "--json", cwd=cup.parent).splitlines()
    fault: dict[str, Any] = json.loads(line)
    return fault


def test_the_question_is_that_of_the_fault_and_the_bot_answers_it_again(cup: Path) -> None:
    fault = fault_of(cup)
    again = json.loads(
        tourney("reproduce", cup, fault["game"], "--turn", fault["turn"], "--json", cwd=cup.parent)
    )
    assert (again["bot"], again["fault"]["cause"]) == ("bad", "illegal")
    assert again["question"]["vytrix"] == fault["view"]["vytrix"]
    # Its first decision in this process is no third one.
    assert again["again"]["trouble"] is None
    assert again["again"]["action"]


def test_a_bot_that_is_at_fault_again_is_status_1_with_all_that_it_wrote(cup: Path) -> None:
    fault = fault_of(cup)
    program = f"{sys.executable} {BOTS / 'faulty_bot.py'}"
    said = tourney(
        *("reproduce", cup, fault["game"], "--turn", fault["turn"], "--command", f"{program} exit 1"),
        cwd=cup.parent,
        status=1,
    )
    assert "on record     illegal: " in said
    assert "asked again   nothing, a fault: while it owed this answer it exited with status 3" in said
    assert "  about to leave" in said
    said = tourney(
        *("reproduce", cup, fault["game"], "--turn", fault["turn"], "--command", f"{program} illegal 1"),
        cwd=cup.parent,
        status=1,
    )
    assert "is illegal there" in said


def test_the_question_alone_needs_no_bot_and_no_tournament_file(cup: Path) -> None:
    said = tourney(
        "reproduce", cup.with_suffix(".db"), "vytrix/0/0", "--turn", 1, "--seat", 0, "--view", cwd=cup.parent
    )
    assert said.startswith("vytrix/0/0, turn 1 of ana (seat 0), deal 0:\n{")
    assert "it played     " in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["vytrix/0/0", "--turn", "1", "--seat", "7"], "--seat 7: vytrix/0/0 has the seats 0 to 2"),
        (["vytrix/0/0", "--turn", "0", "--seat", "1"], "--turn 0: turns count from 1"),
        (["vytrix/0/0", "--turn", "99", "--seat", "1"], "times, not 99"),
        (["vytrix/9/0", "--turn", "1"], "has no game vytrix/9/0"),
        (["vytrix/0/0", "--turn", "1", "--seat", "0", "--command", "no-such-program"], "--command: "),
    ],
)
def test_what_is_not_there_is_one_line(cup: Path, arguments: list[str], said: str) -> None:
    error = tourney("reproduce", cup, *arguments, cwd=cup.parent, status=2)
    assert said in error
    assert len(error.splitlines()) == 1


def test_a_store_does_not_say_how_a_bot_is_started(cup: Path) -> None:
    store = cup.with_suffix(".db")
    error = tourney("reproduce", store, "vytrix/0/0", "--turn", 1, "--seat", 0, cwd=cup.parent, status=2)
    assert "does not say how ana is started: name the tournament file, or --command" in error
