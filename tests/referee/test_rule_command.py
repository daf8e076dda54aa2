"""`tourney rule`, and what all other commands say of rulings, as their user meets them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from referee.rulings import RulingKind
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]
    Tourney = Callable[..., str]

REASON = ("--reason", "the table was seen on the stream")


@pytest.fixture
def cup(make_cup: Make) -> Path:
    """A store in which the seats 1 and 3 of trix/2/1 are forfeited, after two faults and one."""
    return make_cup(
        "cup.db",
        faults=[(0, 0, 0), (2, 1, 1), (2, 1, 3), (2, 1, 1)],
        forfeits=[(2, 1, 1), (2, 1, 3)],
        forfeit_after=1,
    )


def seated(cup: Path, board: int, seating: int) -> tuple[str, ...]:
    with Store.open(cup) as store:
        return store.record("trix", board, seating).seats


def ratings(tourney: Tourney, *cups: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(tourney("ratings", *cups, "--json"))
    return found


def table_of(tourney: Tourney, *cups: Path) -> Any:
    (table,) = ratings(tourney, *cups)["competitions"].values()
    return table


def of_csv(tourney: Tourney, cup: Path, game: str) -> list[str]:
    """The forfeits of a game, by entrant."""
    rows = [line.split(",") for line in tourney("export", cup, "--format", "csv").splitlines()]
    return [row[7] for row in rows if "/".join(row[:3]) == game]


def test_a_ruling_is_said_when_it_is_made_and_listed_from_then_on(cup: Path, tourney: Tourney) -> None:
    assert tourney("rule", cup) == "no rulings\n"
    assert tourney("rule", cup, "--json") == ""
    said = tourney("rule", cup, "void", "trix/1/2", *REASON)
    assert said == "ruling 1: trix/1/2 is void: the table was seen on the stream\n"
    made = json.loads(tourney("rule", cup, "revoke", 1, "--reason", "it was another table", "--json"))
    listed = [json.loads(line) for line in tourney("rule", cup, "--json").splitlines()]
    assert listed[1] == made
    assert listed[0] == {
        "number": 1,
        "tournament": None,
        "kind": "void",
        "what": "trix/1/2 is void",
        "game": "trix/1/2",
        "fault": None,
        "bot": None,
        "last_board": None,
        "revokes": None,
        "reason": "the table was seen on the stream",
        "made_at": listed[0]["made_at"],
        "in_force": False,
    }
    assert listed[0]["made_at"].endswith("+00:00")
    lines = tourney("rule", cup).splitlines()
    assert any("trix/1/2 is void (taken back by ruling 2)" in line for line in lines)
    assert any("it was another table" in line for line in lines)


def test_the_board_of_a_void_game_counts_in_no_table(cup: Path, tourney: Tourney) -> None:
    before = table_of(tourney, cup)
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    after = table_of(tourney, cup)
    assert (before["boards"], after["boards"]) == (4, 3)
    assert {row["boards"] for row in after["rows"]} == {3}
    (cross,) = json.loads(tourney("crosstable", cup, "--json"))
    assert {pair["boards"] for pair in cross["pairs"]} == {3}
    assert [one["what"] for one in cross["rulings"]] == ["trix/1/2 is void"]
    tourney("rule", cup, "revoke", 1, "--reason", "it was another table")
    assert table_of(tourney, cup) == before


def test_a_void_game_stays_in_the_list_and_in_the_records(cup: Path, tourney: Tourney) -> None:
    exported = tourney("export", cup)
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    assert tourney("export", cup) == exported
    assert of_csv(tourney, cup, "trix/1/2") == []
    assert len(of_csv(tourney, cup, "trix/1/1")) == 4
    lines = tourney("games", cup).splitlines()
    (marked,) = [line for line in lines if "void by 1" in line]
    assert marked.split()[0] == "trix/1/2"
    assert "ruling 1: trix/1/2 is void: the table was seen on the stream" in lines
    games = {one["game"]: one for one in map(json.loads, tourney("games", cup, "--json").splitlines())}
    assert [one["number"] for one in games["trix/1/2"]["rulings"]] == [1]
    assert games["trix/1/1"]["rulings"] == []


def test_a_game_whose_faults_are_forgiven_is_no_forfeit(cup: Path, tourney: Tourney) -> None:
    seats = seated(cup, 2, 1)
    assert of_csv(tourney, cup, "trix/2/1") == ["0", "1", "0", "1"]
    before = table_of(tourney, cup)
    said = tourney("rule", cup, "forgive", "trix/2/1", 1, "--reason", "the network was down")
    assert said == f"ruling 1: fault 1 in trix/2/1, of {seats[3]}, is forgiven: the network was down\n"
    assert of_csv(tourney, cup, "trix/2/1") == ["0", "1", "0", "0"]
    said = tourney("rule", cup, "forgive", "trix/2/1", "--bot", seats[1], "--reason", "likewise")
    assert said == f"ruling 2: all faults of {seats[1]} in trix/2/1 are forgiven: likewise\n"
    assert of_csv(tourney, cup, "trix/2/1") == ["0", "0", "0", "0"]
    after = table_of(tourney, cup)
    # The faults were there all the same, and the house played.
    assert (after["faults"], after["faulted_boards"]) == (before["faults"], before["faulted_boards"])
    assert [row["per_game"] for row in after["rows"]] != [row["per_game"] for row in before["rows"]]


def test_forfeits_count_towards_leaving_only_after_forgiving(make_cup: Make, tourney: Tourney) -> None:
    cup = make_cup("cup.db", faults=[(1, 0, 2)], forfeits=[(1, 0, 2)], forfeit_after=1, disqualify_after=1)
    name = seated(cup, 1, 0)[2]
    assert table_of(tourney, cup)["left"] == [{"entrant": name, "last_board": "trix/1", "ruling": None}]
    assert table_of(tourney, cup)["boards"] == 2
    tourney("rule", cup, "forgive", "trix/1/0", 0, "--reason", "the network was down")
    assert table_of(tourney, cup)["left"] == []
    assert table_of(tourney, cup)["boards"] == 4


def test_faults_say_which_of_them_are_forgiven(cup: Path, tourney: Tourney) -> None:
    seats = seated(cup, 2, 1)
    tourney("rule", cup, "forgive", "trix/2/1", 1, "--reason", "the network was down")
    line = f"ruling 1: fault 1 in trix/2/1, of {seats[3]}, is forgiven: the network was down"
    lines = tourney("faults", cup).splitlines()
    (marked,) = [one for one in lines if "forgiven by 1" in one]
    assert marked.split()[:3] == ["trix/2/1", "1", seats[3]]
    assert line in lines
    assert f"  {line}" in tourney("faults", cup, "trix/2/1").splitlines()
    assert "ruling" not in tourney("faults", cup, "trix/0/0")
    assert line in tourney("show", cup, "trix/2/1")
    found = [json.loads(one) for one in tourney("faults", cup, "--json").splitlines()]
    assert [(one["game"], one["fault"]) for one in found if one["rulings"]] == [("trix/2/1", 1)]


def test_the_tables_name_the_rulings_that_hold(cup: Path, tourney: Tourney) -> None:
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    tourney("rule", cup, "void", "trix/3/0", "--reason", "a mistake")
    tourney("rule", cup, "revoke", 2, "--reason", "it was none")
    line = "ruling 1: trix/1/2 is void: the table was seen on the stream"
    for command in ("ratings", "crosstable"):
        said = tourney(command, cup).splitlines()
        assert line in said
        assert not any(one.startswith(("ruling 2", "ruling 3")) for one in said)
    assert [one["number"] for one in ratings(tourney, cup)["rulings"]] == [1]


def test_tables_show_with_and_without_who_is_withdrawn(make_cup: Make, tourney: Tourney) -> None:
    cup = make_cup("cup.db", bots=dict.fromkeys(("ana", "bo", "cy", "di", "eve"), ""), boards=9)
    with Store.open(cup) as store:
        store.add_ruling(RulingKind.WITHDRAW, "it went home", competition="trix", board=5, entrant="ana")
    said = tourney("ratings", cup)
    assert "ana was withdrawn by ruling 1: nothing of its tournament after trix/5 counts" in said
    assert "ruling 1: ana is withdrawn after trix/5: it went home" in said
    assert "trix: Trix, without the boards of those that left" in said
    table = table_of(tourney, cup)
    assert table["left"] == [{"entrant": "ana", "last_board": "trix/5", "ruling": 1}]
    assert "ana" in {row["entrant"] for row in table["rows"]}
    assert "ana" not in {row["entrant"] for row in table["without_departed"]["rows"]}
    assert table["without_departed"]["boards"] < table["boards"] < 9


def test_where_nothing_counts_any_more_the_rulings_are_named_too(make_cup: Make, tourney: Tourney) -> None:
    cup = make_cup("cup.db", boards=1)
    tourney("rule", cup, "void", "trix/0/0", *REASON)
    said = (
        "trix: Trix: no board is complete yet\nruling 1: trix/0/0 is void: the table was seen on the stream\n"
    )
    assert tourney("ratings", cup) == said
    assert tourney("crosstable", cup) == said


@pytest.mark.usefixtures("rate_once")
def test_rulings_go_with_their_tournament_into_several(
    make_cup: Make, cup: Path, tmp_path: Path, tourney: Tourney
) -> None:
    other = make_cup("other.db", boards=3)
    seats = seated(cup, 2, 1)
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    tourney("rule", cup, "forgive", "trix/2/1", "--bot", seats[1], "--reason", "the network was down")
    tourney("rule", other, "void", "trix/0/3", "--reason", "a mistake")
    wanted = ratings(tourney, cup, other)
    assert wanted["competitions"]["trix"]["boards"] == 5
    assert {(one["tournament"], one["number"]) for one in wanted["rulings"]} == {
        ("cup", 1),
        ("cup", 2),
        ("other", 1),
    }
    year, all_of_it = tmp_path / "year.db", tmp_path / "all.db"
    tourney("merge", year, cup, other)
    assert ratings(tourney, year) == wanted
    tourney("merge", all_of_it, year, make_cup("third.db", boards=1))
    assert ratings(tourney, all_of_it)["competitions"]["trix"]["boards"] == 6
    listed = [json.loads(line) for line in tourney("rule", all_of_it, "--json").splitlines()]
    assert sorted((one["tournament"], one["number"], one["reason"]) for one in listed) == [
        ("cup", 1, "the table was seen on the stream"),
        ("cup", 2, "the network was down"),
        ("other", 1, "a mistake"),
    ]
    games = [json.loads(line) for line in tourney("games", year, "--json").splitlines()]
    marked = [one["game"] for one in games for ruling in one["rulings"] if ruling["kind"] == "void"]
    assert sorted(marked) == sorted(one["game"] for one in wanted["rulings"] if one["kind"] == "void")
    assert "tournament" in tourney("rule", year)
    assert "merged from other stores" in tourney("rule", year, "void", "trix/0/0", *REASON, status=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["void", "trix/1/9", *REASON], "has no game trix/1/9; the nearest is trix/1/3"),
        (["void", "trix/-1/0", *REASON], "the nearest is trix/0/0"),
        (["void", f"trix/{10**30}/0", *REASON], "the nearest is trix/3/0"),
        (["void", "trx/1/0", *REASON], 'has no competition "trx"; did you mean "trix"?'),
        (["void", "trix", *REASON], '"trix" is no game: a game is COMPETITION/BOARD/SEATING'),
        (["void", *REASON], "write void GAME"),
        (["void", "trix/1/0", "trix/1/1", *REASON], "write void GAME"),
        (["void", "trix/1/0"], "a ruling needs --reason"),
        (["void", "trix/1/0", "--reason", ""], "--reason is empty"),
        (["void", "trix/1/0", "--reason", "a\nb"], "--reason contains a control character"),
        (["void", "trix/1/0", "--reason", "x" * 501], "--reason has 501 characters; 500 is the most"),
        (["viod", "trix/1/0", *REASON], '"viod" is no ruling; did you mean "void"?'),
        (["pardon", *REASON], '"pardon" is no ruling; there are void, forgive, withdraw, revoke'),
        ([*REASON], "name what is ruled"),
        (["--bot", "ana"], "name what is ruled"),
        (["forgive", "trix/2/1", *REASON], "or GAME --bot NAME for all faults of a bot"),
        (["forgive", "trix/2/1", 0, "--bot", "ana", *REASON], "write forgive GAME --bot NAME"),
        (["forgive", "trix/2/1", "x", *REASON], '"x" is no number of a fault'),
        (["forgive", "trix/2/1", 3, *REASON], "trix/2/1 has no fault 3; it has fault 0 of "),
        (["forgive", "trix/1/1", 0, *REASON], "trix/1/1 has no fault 0; it has no faults"),
        (["forgive", "trix/2/1", "--bot", "anna", *REASON], 'has no bot "anna"; did you mean "ana"?'),
        (["void", "trix/1/0", "--bot", "ana", *REASON], "--bot goes with forgive alone"),
        (["withdraw", "anna", *REASON], 'has no bot "anna"; did you mean "ana"?'),
        (["revoke", 1, *REASON], "has no ruling 1; there are none"),
        (["revoke", "x", *REASON], "has no ruling x; there are none"),
    ],
    ids=str,
)
def test_what_cannot_be_ruled_is_refused_in_one_line(
    cup: Path, tourney: Tourney, arguments: list[object], said: str
) -> None:
    assert said in tourney("rule", cup, *arguments, status=2)
    assert tourney("rule", cup) == "no rulings\n"


def test_nothing_is_ruled_twice(cup: Path, tourney: Tourney) -> None:
    name = seated(cup, 2, 1)[1]
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    tourney("rule", cup, "forgive", "trix/2/1", 0, *REASON)
    tourney("rule", cup, "forgive", "trix/2/1", "--bot", name, *REASON)
    tourney("rule", cup, "revoke", 2, *REASON)
    for again, said in (
        (("void", "trix/1/2"), "trix/1/2 is void already, by ruling 1"),
        (("void", "trix/01/2"), "is void already, by ruling 1"),
        (("forgive", "trix/2/1", 0), "forgiven already, by ruling 3"),
        (("forgive", "trix/2/1", 2), "forgiven already, by ruling 3"),
        (("forgive", "trix/2/1", "--bot", name), "forgiven already, by ruling 3"),
        (("revoke", 2), "ruling 2 is taken back already, by ruling 4"),
        (("revoke", 4), "ruling 4 took back ruling 2: what it was is to be ruled anew"),
        (("revoke", 5), "has no ruling 5; the last is ruling 4"),
    ):
        assert said in tourney("rule", cup, *again, *REASON, status=2)
    assert len(tourney("rule", cup, "--json").splitlines()) == 4


def test_while_a_run_holds_the_store_nothing_is_ruled_and_all_is_read(cup: Path, tourney: Tourney) -> None:
    with Store.open(cup) as store, store.run():
        said = tourney("rule", cup, "void", "trix/1/2", *REASON, status=2)
        assert "is being written by process" in said
        assert "rule when that run has ended" in said
        assert tourney("rule", cup) == "no rulings\n"
    tourney("rule", cup, "void", "trix/1/2", *REASON)


def test_rulings_that_are_made_at_the_same_time_are_made_or_refused_whole(
    cup: Path, tourney: Tourney
) -> None:
    command = [sys.executable, "-m", "referee", "rule", str(cup), "void"]
    both = [
        subprocess.Popen(
            [*command, f"trix/{board}/0", *REASON], stderr=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for board in range(3)
    ]
    made = 0
    for one in both:
        _, complaint = one.communicate()
        made += one.returncode == 0
        assert one.returncode == 0 or complaint.count(b"\n") == 1
    listed = [json.loads(line)["number"] for line in tourney("rule", cup, "--json").splitlines()]
    assert made >= 1
    assert listed == list(range(1, made + 1))


def test_a_reason_from_a_store_that_was_written_by_hand_cannot_steer_the_terminal(
    cup: Path, tourney: Tourney
) -> None:
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    with sqlite3.connect(cup) as connection:
        connection.execute("UPDATE ruling SET reason = char(27) || '[2Jgone' || char(10) || 'x'")
    connection.close()
    for command in ("rule", "ratings", "crosstable", "games"):
        said = tourney(command, cup)
        assert "\x1b" not in said
        assert r"\x1b[2Jgone\nx" in said


@pytest.mark.parametrize(
    "change",
    [
        "kind = 'x'",
        "board = 'x'",
        "board = -1",
        "competition = 7",
        "seating = NULL",
        "marks = '{}'",
        "marks = '[1, 2]'",
        "made_at = 'x'",
        "reason = x'00'",
    ],
)
def test_a_damaged_ruling_is_said_in_one_line(cup: Path, tourney: Tourney, change: str) -> None:
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    with sqlite3.connect(cup) as connection:
        connection.execute(f"UPDATE ruling SET {change}")
    connection.close()
    for command in ("rule", "ratings", "games"):
        assert "ruling 1 is damaged" in tourney(command, cup, status=2)


@pytest.mark.usefixtures("rate_once")
def test_the_order_in_which_games_were_stored_changes_no_byte(cup: Path, tourney: Tourney) -> None:
    tourney("rule", cup, "void", "trix/1/2", *REASON)
    tourney("rule", cup, "forgive", "trix/2/1", 1, "--reason", "the network was down")
    wanted = tourney("ratings", cup, "--json")
    with sqlite3.connect(cup) as connection:
        for table in ("game", "fault"):
            rows = connection.execute(f"SELECT * FROM {table}").fetchall()
            connection.execute(f"DELETE FROM {table}")
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows[::-1])
    connection.close()
    assert tourney("ratings", cup, "--json") == wanted
