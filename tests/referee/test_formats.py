"""Each format and stop rule through a whole run: interrupted anywhere it gives the same games, and it can be verified."""

from __future__ import annotations

import sqlite3
from concurrent.futures import Executor, Future
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import game as game_of
from referee.audit.auditor import audit
from referee.blocks import BlockOrder, BlockResult
from referee.config import load
from referee.store import Store
from referee.table import Table
from referee.tournament import Progress, Tournament, open_store

if TYPE_CHECKING:
    from referee.sequential import StopState

BOT = Path(__file__).parents[2] / "examples" / "random_bot.py"
SHORT = 'game = "vytrix"\nvariant = { target = 0, max_hands = 1 }\n'
FORMATS = {
    "swiss": (7, SHORT + 'schedule = "swiss"\nboards = 3\n'),
    "ladder": (5, SHORT + 'schedule = "ladder"\nboards = 4\n'),
    "gauntlet": (5, SHORT + 'schedule = "gauntlet"\nhero = "b2"\nboards = 1\n'),
    "balanced": (7, SHORT + 'tables = "balanced"\nboards = 1\n'),
    "whist": (
        5,
        'game = "vytrix"\nvariant = { players = 4, target = 0, max_hands = 1 }\nteams = "whist"\nboards = 1\n',
    ),
    "two at three seats": (3, SHORT + 'teams = "same"\nboards = 1\n'),
    "two at single seats": (2, 'game = "trix"\nteams = "same"\nboards = 1\n'),
    "stop": (3, SHORT + 'teams = "same"\n[stop]\nwhen = "separated"\nmax_boards = 33\n'),
    "stopped swiss": (6, SHORT + 'schedule = "swiss"\n[stop]\nwhen = "top-1"\nmax_boards = 16\n'),
}


class Silence:
    def progressed(self, progress: Progress) -> None:
        """Nobody listens."""

    def warned(self, message: str) -> None:
        """Nobody listens."""


class Playing(Executor):
    """Plays blocks where it stands, one board of each, and is interrupted after some.

    b0 always does the first thing that is legal, which is bad; the others choose at random.
    """

    def __init__(self, blocks: int | None) -> None:
        self._blocks = blocks

    def submit(self, _play: Any, order: BlockOrder) -> Future[Any]:  # type: ignore[override] # only blocks come here
        if self._blocks == 0:
            raise KeyboardInterrupt
        if self._blocks is not None:
            self._blocks -= 1
        games = []
        for game in order.games:
            if game.board != order.games[0].board:
                break
            table = Table(
                0, game, game_of(order.game), order.variant, forfeit_after=order.limits.forfeit_after
            )
            rng = Random(f"{game.board} {game.seating}")
            table.start()
            while (question := table.question) is not None:
                legal = question.view.legal_actions
                first = game.seats[question.seat] == "b0"
                table.answer(next(iter(legal)) if first else legal.sample(rng))
            games.append(table.played(lambda _: "{}"))
        future: Future[Any] = Future()
        future.set_result(BlockResult(tuple(games)))
        return future


def write(folder: Path, name: str) -> Path:
    bots, competition = FORMATS[name]
    file = folder / "cup.toml"
    seed = f'[seed]\nmaster = "{"0d" * 32}"\n'
    tables = "".join(f'[[bot]]\nname = "b{one}"\ncommand = ["python3", "{BOT}"]\n' for one in range(bots))
    file.write_text(f"{seed}[[competition]]\n{competition}{tables}")
    return file


def go_on(file: Path, blocks: int | None = None) -> dict[str, StopState]:
    config = load(file)
    store, _ = open_store(config)
    with store, store.run():
        tournament = Tournament(config, store, Silence())
        tournament.run(lambda: Playing(blocks))
        store.reveal_seed()
        return tournament.states()


def stored(file: Path) -> list[tuple[int, int, tuple[str, ...], tuple[int, ...]]]:
    with Store.open(load(file).store) as store:
        return [(game.board, game.seating, game.seats, game.scores) for game in store.games()]


@pytest.mark.parametrize("name", FORMATS)
def test_a_run_gives_the_same_games_however_often_it_is_interrupted(tmp_path: Path, name: str) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    go_on(write(whole, name))
    file = write(broken, name)
    for blocks in (1, 2, 5):
        try:
            go_on(file, blocks)
        except KeyboardInterrupt:
            continue
    go_on(file)
    assert stored(file) == stored(whole / "cup.toml")
    assert len(stored(file)) > 0


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_played_can_be_verified(tmp_path: Path, name: str) -> None:
    file = write(tmp_path, name)
    go_on(file)
    config = load(file)
    with Store.open(config.store) as store:
        result = audit(store)
    assert [(check.name, check.findings) for check in result.checks if check.findings] == []
    plan = config.competitions[0].plan
    if config.stop is None and not plan.is_adaptive:
        assert len(stored(file)) == plan.games


def test_the_stop_rule_ends_it_early_and_says_why(tmp_path: Path) -> None:
    file = write(tmp_path, "stop")
    states = go_on(file)
    boards = {game[0] for game in stored(file)}
    assert len(boards) <= 33
    assert states["vytrix"].done
    assert states["vytrix"].reason
    assert ("b0", "b1") not in states["vytrix"].open_pairs


def test_a_board_that_the_stop_rule_did_not_ask_for_is_found(tmp_path: Path) -> None:
    file = write(tmp_path, "stop")
    go_on(file)
    text = file.read_text().replace("max_boards = 33", "max_boards = 12")
    other = tmp_path / "other"
    other.mkdir()
    (other / "cup.toml").write_text(text)
    go_on(other / "cup.toml")
    with Store.open(load(other / "cup.toml").store) as shorter, Store.open(load(file).store) as longer:
        few, many = shorter.info(), longer.info()
        longer.set_config(few.config, few.identity)
        result = audit(longer)
        assert many.identity != few.identity
    wrong = {check.name: check.findings for check in result.checks if check.findings}
    assert set(wrong) == {"schedule"}
    assert all("the stop rule asks for no such board" in finding.what for finding in wrong["schedule"])


def test_a_board_that_is_missing_where_later_ones_follow_from_it_is_the_first_finding(tmp_path: Path) -> None:
    file = write(tmp_path, "stop")
    go_on(file)
    with sqlite3.connect(load(file).store) as connection:
        connection.execute("DELETE FROM game WHERE board = 0 AND seating = 0")
    connection.close()
    with Store.open(load(file).store) as store:
        result = audit(store)
    (wrong,) = [check for check in result.checks if check.findings]
    assert [(one.where, one.what) for one in wrong.findings] == [
        ("vytrix/0", "is missing or incomplete, and later stages were made from it")
    ]
    assert any("not compared" in note for note in wrong.notes)
