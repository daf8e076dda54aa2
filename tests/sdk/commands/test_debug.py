"""`cardtable debug`: each decision of a seat is shown, and the person at the terminal says how to go on."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cardtable.cards import Card, CardSet
from cardtable.commands.showing import Ink
from cardtable.local import play
from tests.sdk.commands.bots import CHANCE, RAISES, TALKS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.sdk.commands.conftest import Command

TRIX = ("--game", "trix", "--against", "random", "--compare", "greedy")


def headings(text: str) -> list[str]:
    return re.findall(r"^── (deal \d+, turn \d+): ", text, re.MULTILINE)


def test_one_turn_shows_the_view_what_is_legal_and_all_answers(cardtable: Command, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(TALKS)
    done = cardtable("debug", "--bot", "bot.py", *TRIX, "--seat", 2, "--turn", 20)
    assert done.status == 0
    assert len(headings(done.out)) == 1
    lines = done.out.splitlines()
    assert lines[1].startswith("── deal 2, turn 20: chance in seat 2 (Trix, seed 0) ──")
    words = [line.split()[0] for line in lines[2:] if line and line[0] != " "]
    assert words[:2] == ["contract", "scores"]
    assert words[-3:] == ["hand", "legal", "answers"]
    own, other = lines[-2:]
    assert own.startswith("  chance  ")
    assert own.endswith('"as luck has it"')
    assert other.startswith("  greedy  ")
    assert "\033" not in done.out


def test_a_deal_and_a_game_are_shown_whole(cardtable: Command) -> None:
    options = ("--bot", "greedy", "--game", "vytrix", "--compare", "none", "--option", "max_hands=2")
    whole = cardtable("debug", *options, "--seat", 1)
    second = cardtable("debug", *options, "--seat", 1, "--deal", 1)
    assert headings(second.out) == [one for one in headings(whole.out) if one.startswith("deal 1")]
    assert {one.split(",")[0] for one in headings(whole.out)} == {"deal 0", "deal 1"}
    assert "Deal 0 is over: points counter" in whole.out
    assert "The game is over: " in whole.out


@pytest.mark.parametrize(
    "variant",
    [
        ("trix",),
        ("trix", "partners=true", "reveal_twos=at_start", "diamonds_face_up=true"),
        ("vytrix", "max_hands=3", "last_trick=bonus"),
        ("vytrix", "max_hands=3", "players=4", "partial_bidding=true"),
        ("vytrix", "max_hands=2", "max_bid=0", "defensive_partnerships=true"),
    ],
    ids=str,
)
def test_every_step_of_every_kind_can_be_shown(cardtable: Command, variant: tuple[str, ...]) -> None:
    game, *options = variant
    words = [word for one in options for word in ("--option", one)]
    done = cardtable("debug", "--bot", "counter", "--game", game, *words, "--compare", "greedy")
    assert done.status == 0
    assert "object at" not in done.out
    steps = {
        "trix": ["slaps", "double", "laid", "layout", "tricks"],
        "vytrix": ["high", "pass", "calls", "tricks"],
    }
    for word in steps[game]:
        assert word in done.out


def test_what_the_bot_does_wrong_is_shown_and_the_house_plays(cardtable: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(RAISES)
    done = cardtable("debug", "--bot", "bad.py", *TRIX, "--deal", 1)
    assert done.status == 1
    assert '  File "bad.py", line 9, in trix' in done.out
    assert re.search(r"^chance in seat 0, deal \d+, turn \d+: KeyError: 0$", done.out, re.MULTILINE)
    assert re.search(r"^  the house +\S+ +plays for it$", done.out, re.MULTILINE)


def test_a_place_that_there_is_not_is_bad_input(cardtable: Command) -> None:
    done = cardtable("debug", "--bot", "random", *TRIX, "--turn", 9999)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("cardtable: --turn 9999: seat 0 decides nothing there; the game has ")
    done = cardtable("debug", "--bot", "random", "--against", "random")
    assert (done.status, done.err) == (2, "cardtable: --game is missing: trix or vytrix\n")


# -- recorded games


@pytest.fixture
def export(tmp_path: Path, cardtable: Command) -> Path:  # noqa: ARG001 - in its folder
    """Two games of the bot in `bot.py`, in seats 1 and 3, as `tourney export` writes them."""
    from cardtable.commands.loading import load_bot
    from cardtable.examples import example

    (tmp_path / "bot.py").write_text(CHANCE)
    own, other = load_bot("bot.py").bot, example("greedy")
    games = [
        play("trix", [other, own, other, other], seed=8)[0],
        play("trix", [other, other, other, own], seed=9)[0],
    ]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(f"{one.to_line()}\n" for one in games))
    return file


def test_a_recorded_game_is_followed_whatever_the_bot_answers(cardtable: Command, export: Path) -> None:
    options = ("--record", export, "--line", 2, "--compare", "none")
    same = cardtable("debug", "--bot", "bot.py", *options)
    assert same.status == 0
    assert "chance in seat 3 (Trix, " in same.out
    recorded = re.findall(r"^  in the record .*$", same.out, re.MULTILINE)
    assert len(recorded) == len(headings(same.out))
    # The same seed and the same bot: what it did then it does now.
    assert all(line.endswith("the same") for line in recorded)
    other = cardtable("debug", "--bot", "greedy", "--seat", 3, *options)
    assert headings(other.out) == headings(same.out)
    assert other.out.splitlines()[-1] == same.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--line", "3"], "--line 3: games.jsonl has 2"),
        (["--game", "vytrix"], "--game vytrix: the game of games.jsonl is trix"),
        (
            ["--bot", "random"],
            "--seat is missing: no seat of this game is called as the bot; they are 0 greedy, ",
        ),
        (["--seat", "4"], "--seat 4: the seats are 0 to 3"),
        (["--record", "bot.py"], "bot.py, line 1: no JSON: "),
        (["--record", "nothing"], "nothing: cannot be read: "),
    ],
)
@pytest.mark.usefixtures("export")
def test_a_record_that_will_not_do_is_bad_input(cardtable: Command, options: list[str], said: str) -> None:
    done = cardtable("debug", "--bot", "bot.py", "--record", "games.jsonl", *options)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"cardtable: {said}")
    assert done.err.count("\n") == 1


# -- at a terminal


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardtable", "debug", *arguments],
            cwd=folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"} | {"NO_COLOR": ""},
        )
        os.close(theirs)

    def until(self, what: str, seconds: float = 30) -> str:
        """What is printed up to this."""
        text = ""
        while what not in text:
            ready, _, _ = select.select([self._ours], [], [], seconds)
            assert ready, f"no {what!r} in {text!r}"
            try:
                text += os.read(self._ours, 4096).decode()
            except OSError:
                break
        assert what in text
        return text

    def say(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    (tmp_path / "bot.py").write_text(TALKS)
    found = Terminal(tmp_path, "--bot", "bot.py", *TRIX, "--seat", "1", "--deal", "1")
    yield found
    found.close()


def test_a_person_goes_on_by_decision_trick_and_deal_and_leaves(terminal: Terminal) -> None:
    prompt = "q quit] > "
    first = terminal.until(prompt)
    assert "\033[31m" in first
    turn = int(re.findall(r"turn (\d+)", first)[-1])
    terminal.say("")
    assert f"turn {turn + 1}:" in terminal.until(prompt)
    terminal.say("n")
    assert "deal 1, turn" in terminal.until(prompt)
    terminal.say("a")
    assert "0 random" in terminal.until(prompt)
    terminal.say("what")
    assert "next deal" in terminal.until(prompt)
    terminal.say("d")
    later = terminal.until(prompt)
    assert "Deal 1 is over" in later
    assert "deal 2, turn" in later
    terminal.say("q")
    assert terminal.process.wait(30) == 0


def test_a_bot_is_asked_again_after_its_file_has_changed(terminal: Terminal, tmp_path: Path) -> None:
    prompt = "q quit] > "
    assert "as luck has it" in terminal.until(prompt)
    (tmp_path / "bot.py").write_text("nothing(")
    terminal.say("r")
    assert "cannot be loaded: line 1" in terminal.until(prompt)
    (tmp_path / "bot.py").write_text(TALKS.replace("as luck has it", "better now"))
    terminal.say("r")
    assert "better now" in terminal.until(prompt)
    terminal.say("q")
    assert terminal.process.wait(30) == 0


# -- how it is written


def test_suits_have_symbols_colours_or_letters() -> None:
    hand = CardSet.parse("AS TH 2H")
    assert Ink().hand(hand) == "♠ A   ♥ T 2   ♦ -   ♣ -"
    assert Ink(symbols=False).card(Card("QD")) == "QD"
    assert Ink(colour=True).card(Card("QH")) == "\033[31mQ♥\033[0m"
    assert Ink(colour=True).columns([["a", "b"], [Ink(colour=True).card(Card("QH")), "c"]]) == [
        "a   b",
        "\033[31mQ♥\033[0m  c",
    ]


def test_what_no_encoding_can_write_is_not_written(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="ascii") as file:
        assert Ink.of(file, {}).card(Card("QD")) == "QD"
