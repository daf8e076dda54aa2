"""`tourney faults` and `tourney logs`, as their user meets them."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest

from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]
    Tourney = Callable[..., str]


@pytest.fixture
def cup(make_cup: Make) -> Path:
    """A store with faults in trix/0/0, trix/2/1 and at no table."""
    return make_cup("cup.db", faults=[(0, 0, 0), (0, 0, 3), (2, 1, 2)])


def culprit(cup: Path, board: int, seating: int, seat: int) -> str:
    with Store.open(cup) as store:
        (name,) = [
            game.seats[seat] for game in store.games() if (game.board, game.seating) == (board, seating)
        ]
    return name


def test_every_fault_is_listed_with_game_bot_cause_and_turn(cup: Path, tourney: Tourney) -> None:
    lines = tourney("faults", cup).splitlines()
    rows = [line.split() for line in lines if " timeout " in line or " disconnect " in line]
    assert rows == [
        ["trix", "ana", "0", "disconnect", "gone"],
        ["trix/0/0", "0", culprit(cup, 0, 0, 0), "0", "timeout", "0", "1", "late"],
        ["trix/0/0", "1", culprit(cup, 0, 0, 3), "3", "timeout", "0", "1", "late"],
        ["trix/2/1", "0", culprit(cup, 2, 1, 2), "2", "timeout", "0", "1", "late"],
    ]
    assert any(line.startswith("4 faults in 2 games; ") for line in lines)


def test_of_one_game_the_questions_and_the_last_words_are_shown(cup: Path, tourney: Tourney) -> None:
    said = tourney("faults", cup, "trix/2/1")
    assert said.splitlines() == [
        f"trix/2/1, fault 0: {culprit(cup, 2, 1, 2)}, seat 2, deal 0, turn 1: timeout",
        "  late",
        "  It was asked:",
        "    {}",
        "  It wrote last:",
        "    log",
    ]
    assert tourney("faults", cup, "trix/1/0") == "no faults\n"


def test_json_has_a_line_for_each_fault_with_all_that_is_known(cup: Path, tourney: Tourney) -> None:
    away, first, *_ = [json.loads(line) for line in tourney("faults", cup, "--json").splitlines()]
    assert (away["game"], away["competition"], away["turn"], away["view"]) == (None, "trix", None, None)
    assert first == {
        "game": "trix/0/0",
        "fault": 0,
        "competition": "trix",
        "bot": culprit(cup, 0, 0, 0),
        "seat": 0,
        "cause": "timeout",
        "deal": 0,
        "action": 1,
        "turn": 1,
        "message": "late",
        "view": {},
        "stderr_tail": "log",
        "rulings": [],
    }


def test_faults_of_one_bot_or_one_competition_are_asked_for(cup: Path, tourney: Tourney) -> None:
    name = culprit(cup, 2, 1, 2)
    bots = {json.loads(line)["bot"] for line in tourney("faults", cup, "--bot", name, "--json").splitlines()}
    assert bots == {name}
    assert "did you mean" in tourney("faults", cup, "--bot", name + "x", status=2)
    assert "no competition" in tourney("faults", cup, "-c", "none", status=2)
    assert "is no game" in tourney("faults", cup, "x", status=2)
    assert "no game trix/9/9" in tourney("faults", cup, "trix/9/9", status=2)
    assert "no game none/0/0" in tourney("faults", cup, "none/0/0", status=2)
    assert "no game trix/0/" in tourney("faults", cup, f"trix/0/{10**30}", status=2)


def test_a_question_that_is_no_json_is_said_in_one_line(cup: Path, tourney: Tourney) -> None:
    with sqlite3.connect(cup) as connection:
        connection.execute("UPDATE fault SET view = '{' WHERE board = 2")
    connection.close()
    assert "the question of a fault is damaged" in tourney("faults", cup, "--json", status=2)


def test_logs_of_a_bot_are_printed_oldest_first_and_those_of_a_game_by_its_seat(
    cup: Path, tourney: Tourney
) -> None:
    folder = cup.with_name("cup-logs")
    assert "holds no output of ana" in tourney("logs", cup, "ana", status=2)
    folder.mkdir()
    for age, (name, text) in enumerate(
        [("ana.1.77.log", b"new\n"), ("ana.0.99.log", b"old \xff\n"), ("anax.0.1.log", b"other\n")]
    ):
        (folder / name).write_bytes(text)
        os.utime(folder / name, (1000 - age, 1000 - age))
    said = tourney("logs", cup, "ana")
    assert said == f"==> {folder}/ana.0.99.log <==\nold \ufffd\n\n==> {folder}/ana.1.77.log <==\nnew\n\n"
    with Store.open(cup) as store:
        seat_of = {(game.board, game.seating): game.seats.index("ana") for game in store.games()}
    (board, seating) = next(place for place, seat in seat_of.items() if seat == 1)
    assert tourney("logs", cup, "ana", f"trix/{board}/{seating}").count("==>") == 1
    assert "did you mean" in tourney("logs", cup, "anna", status=2)


def test_the_tournament_file_says_where_the_logs_are(cup: Path, tourney: Tourney) -> None:
    file = cup.with_suffix(".toml")
    file.write_text('[run]\nlogs = "elsewhere"\n')
    folder = cup.with_name("elsewhere")
    folder.mkdir()
    (folder / "ana.0.1.log").write_text("here\n")
    assert "here" in tourney("logs", file, "ana")
