"""`cardtable play`: who sits where, what is summed up, and what is said of a bot that fails."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from cardtable.commands.lineup import Lineup, lineup_of
from cardtable.local import play, seat_points
from cardtable.trix import Contract
from tests.sdk.commands.bots import CHANCE, CHEATS, RAISES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.sdk.commands.conftest import Command


def lineup(game: str, against: str, *variant: str) -> Lineup:
    from argparse import Namespace

    return lineup_of(Namespace(bot="random", game=game, against=against, option=list(variant), seed=0))


def test_the_bot_sits_in_each_seat_with_the_same_others_after_it() -> None:
    found = lineup("trix", "greedy,counter,search")
    assert [found.by_seat(0, place) for place in range(4)] == [
        (0, 1, 2, 3),
        (3, 0, 1, 2),
        (2, 3, 0, 1),
        (1, 2, 3, 0),
    ]


def test_opponents_take_turns_where_there_are_more_or_less_than_seats() -> None:
    three = lineup("vytrix", "greedy,counter,search")
    assert [three.by_seat(board, 0) for board in range(3)] == [(0, 1, 2), (0, 2, 3), (0, 3, 1)]
    assert lineup("trix", "greedy").by_seat(5, 2) == (1, 1, 0, 1)


def test_partners_are_the_same_bot() -> None:
    for found in (lineup("trix", "greedy,counter", "partners=true"), lineup("vytrix", "greedy", "players=4")):
        assert [found.by_seat(0, place) for place in range(2)] == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_points_per_deal_are_those_of_the_same_games_elsewhere(cardtable: Command) -> None:
    done = cardtable(
        "play",
        "--bot",
        "random",
        "--game",
        "trix",
        "--against",
        "greedy",
        "--boards",
        2,
        "--seed",
        5,
        "--json",
    )
    found = json.loads(done.out)
    from cardtable.examples import example

    points = 0
    for seed in (5, 6):
        for seat in range(4):
            seats = [example("greedy")] * 4
            seats[seat] = example("random")
            (record,) = play("trix", seats, seed=seed)
            points += seat_points(record)[seat]
    me, other = found["bots"]
    assert (me["name"], me["deals"], other["deals"]) == ("random", 160, 480)
    assert me["points_per_deal"]["mean"] == pytest.approx(points / 160)
    # All points of a game of Trix add up to nothing.
    assert other["points_per_deal"]["mean"] == pytest.approx(-points / 480)
    assert other["behind"]["mean"] == pytest.approx(points / 160 + points / 480)
    assert {(one["contract"], one["as"]) for one in found["kinds"]} == {
        (contract.value, role) for contract in Contract for role in ("king", "other")
    }
    assert sum(one["deals"] for one in found["kinds"]) == 160
    gains = [one["points_per_game"] for one in found["kinds"]]
    assert gains == sorted(gains)


def test_the_tables_are_for_people(cardtable: Command) -> None:
    done = cardtable("play", "--bot", "greedy", "--game", "vytrix", "--against", "counter", "--boards", 2)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "Vytrix, 3 players: 2 boards of 3, 6 games, seeds 0 to 1"
    assert lines[2].split("  ")[0] == "bot"
    assert [lines[4].split()[0], lines[5].split()[0]] == ["greedy", "counter"]
    assert "Where greedy loses and gains" in done.out
    assert any(line.startswith("defender") for line in lines)


def test_in_one_seat_it_plays_there_alone(cardtable: Command) -> None:
    options = ("--game", "vytrix", "--against", "counter", "--boards", 1, "--seat", 2, "--json")
    found = json.loads(cardtable("play", "--bot", "greedy", *options).out)
    assert found["games"] == 1
    assert found["bots"][0]["points_per_deal"]["standard_error"] is None


@pytest.mark.parametrize(("text", "said"), [(RAISES, "KeyError: "), (CHEATS, " is illegal: seat ")])
def test_a_failure_names_its_place_and_the_command_that_shows_it_again(
    cardtable: Command, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "bad.py").write_text(text)
    done = cardtable(
        "play", "--bot", "./bad.py", "--game", "trix", "--against", "greedy", "--option", "redeals=false"
    )
    assert (done.status, done.out) == (1, "")
    *trace, told, again = done.err.splitlines()
    assert told.startswith("cardtable: seed 0: chance in seat 0, deal 0, turn ")
    assert said in told
    assert bool(trace) == (text is RAISES)
    if trace:
        assert trace[:2] == ["Traceback (most recent call last):", '  File "bad.py", line 9, in trix']
    words = shlex.split(again.removeprefix("See it again: cardtable "))
    shown = cardtable(*words)
    assert shown.status == 1
    assert f"turn {words[-1]}: chance in seat 0" in shown.out
    assert said.partition(":")[0] in shown.out
    assert "the house" in shown.out


def test_a_failure_of_an_opponent_is_shown_from_its_seat(cardtable: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(RAISES)
    done = cardtable("play", "--bot", "greedy", "--game", "trix", "--against", "random,./bad.py", "--json")
    assert done.status == 1
    failure = json.loads(done.out)["failure"]
    assert (failure["bot"], failure["message"][:9]) == ("chance", "KeyError:")
    shown = cardtable(*shlex.split(failure["again"])[1:])
    assert f"turn {failure['turn']}: chance in seat {failure['seat']}" in shown.out


def test_an_error_in_what_a_bot_is_told_is_one_too(cardtable: Command, tmp_path: Path) -> None:
    told = "    def deal_ended(self, summary):\n        summary.nothing\n\n    def vytrix"
    (tmp_path / "bad.py").write_text(CHANCE.replace("    def vytrix", told))
    done = cardtable("play", "--bot", "bad.py", "--game", "trix")
    assert done.status == 1
    assert "a bot, told of deal 0: AttributeError: " in done.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--option", "partner=true"], "--option: Trix has no option 'partner'; did you mean 'partners'?"),
        (["--option", "partners"], "--option partners: an option is KEY=VALUE, such as players=4"),
        (["--option", "a=1", "--option", "a=2"], "--option a=2: a stands twice"),
        (["--seat", "4"], "--seat 4: the seats are 0 to 3"),
        (
            ["--against", "greedy,"],
            "a bot without a name; a bot is a file such as ./my_bot.py, or one of random, ",
        ),
        (
            ["--against", "limited.py"],
            "limited.py does not play trix with partners=False: its `plays` says so",
        ),
    ],
)
def test_what_will_not_do_is_told_in_one_line(
    cardtable: Command, tmp_path: Path, options: list[str], said: str
) -> None:
    (tmp_path / "limited.py").write_text(
        CHANCE.replace('    name = "chance"', '    plays = {"trix": {"partners": [True]}}')
    )
    done = cardtable("play", "--bot", "random", "--game", "trix", *options)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
