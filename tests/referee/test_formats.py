"""Each format and stop rule through a whole run: interrupted anywhere it gives the same games, and it can be verified.

So it can with rulings that are made between runs.
"""

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
from referee.court import revoke, void, withdraw
from referee.standings import boards_of
from referee.store import Store
from referee.table import Table
from referee.tournament import Progress, Tournament, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.rulings import Ruling
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
    with sqlite3.connect(str(load(file).store)) as connection:
        connection.execute("DELETE FROM game WHERE board = 0 AND seating = 0")
    connection.close()
    with Store.open(load(file).store) as store:
        result = audit(store)
    (wrong,) = [check for check in result.checks if check.findings]
    assert [(one.where, one.what) for one in wrong.findings] == [
        ("vytrix/0", "is missing or incomplete, and later stages were made from it")
    ]
    assert any("not compared" in note for note in wrong.notes)


# Rulings between runs: what was decided before them stays decided.


def go_on_for(file: Path, blocks: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        go_on(file, blocks)


def ruled(file: Path, make: Callable[..., Ruling], *what: str) -> Ruling:
    with Store.open(load(file).store) as store:
        return make(store, *what, "a reason")


def pairings(file: Path, *boards: int) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(board, seating, seats) for board, seating, seats, _ in stored(file) if board in boards]


def findings(file: Path) -> list[str]:
    with Store.open(load(file).store) as store:
        return [f"{check.name} {one}" for check in audit(store).checks for one in check.findings]


def change(file: Path, statement: str) -> None:
    with sqlite3.connect(str(load(file).store)) as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


def test_each_round_of_a_swiss_follows_from_the_rulings_that_had_been_made_when_it_began(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, "swiss")
    go_on_for(file, 2)
    plain, again = tmp_path / "plain", tmp_path / "again"
    for folder in (plain, again):
        folder.mkdir()
    go_on(write(plain, "swiss"))
    ruled(file, void, "vytrix/0/1")
    go_on_for(file, 1)
    second = pairings(file, 2)
    assert second != pairings(plain / "cup.toml", 2)
    # In the middle of the round: its other board is known already.
    ruled(file, revoke, "1")
    ruled(file, void, "vytrix/1/1")
    go_on_for(file, 1)
    ruled(file, void, "vytrix/2/0")
    go_on(file)
    assert pairings(file, 2) == second
    assert len(stored(file)) == 6 * 3
    assert findings(file) == []
    change(file, "UPDATE ruling SET marks = '[6]' WHERE id < 4")
    assert any("schedule vytrix/2/0: seats are" in line for line in findings(file))


def test_who_is_withdrawn_is_seated_no_more_and_comes_back_with_the_next_round(tmp_path: Path) -> None:
    file = write(tmp_path, "ladder")
    go_on_for(file, 1)
    whole = tmp_path / "whole"
    whole.mkdir()
    go_on(write(whole, "ladder"))
    away = max(pairings(whole / "cup.toml", 1)[0][2])
    assert ruled(file, withdraw, away).board == 0
    go_on_for(file, 1)
    assert all(away not in seats for _, _, seats in pairings(file, 1))
    ruled(file, revoke, "1")
    go_on(file)
    assert {board for board, *_ in stored(file)} == {0, 1, 2, 3}
    assert any(away in seats for _, _, seats in pairings(file, 2, 3))
    assert findings(file) == []


def test_a_board_that_was_left_out_of_a_round_stays_out_when_a_later_one_has_begun(tmp_path: Path) -> None:
    file = write(tmp_path, "swiss")
    go_on_for(file, 3)
    whole = tmp_path / "whole"
    whole.mkdir()
    go_on(write(whole, "swiss"))
    missing = {name for _, _, seats in pairings(whole / "cup.toml", 3) for name in seats}
    away = min(missing)
    assert ruled(file, withdraw, away).board == 2
    go_on(file)
    assert {board for board, *_ in stored(file)} == {0, 1, 2, 4, 5}
    ruled(file, revoke, "1")
    go_on(file)
    assert {board for board, *_ in stored(file)} == {0, 1, 2, 4, 5}
    assert findings(file) == []


@pytest.mark.parametrize("name", ["swiss", "stop", "stopped swiss", "balanced"])
@pytest.mark.parametrize("drawn", [False, True])
def test_what_is_ruled_in_the_midst_or_after_the_end_can_be_verified(
    tmp_path: Path, name: str, drawn: bool
) -> None:
    file = write(tmp_path, name)
    if drawn:
        file.write_text(file.read_text().replace('master = "', 'public = "'))
    go_on_for(file, 3)
    ruled(file, void, "vytrix/0/1")
    go_on_for(file, 2)
    ruled(file, withdraw, "b0")
    go_on(file)
    assert findings(file) == []
    before = stored(file)
    ruled(file, revoke, "1")
    ruled(file, revoke, "2")
    assert findings(file) == []
    ruled(file, void, "vytrix/1/0")
    assert findings(file) == []
    go_on(file)
    if drawn:
        assert stored(file) == before
    assert findings(file) == []


def test_a_void_game_is_not_played_again(tmp_path: Path) -> None:
    file = write(tmp_path, "balanced")
    go_on_for(file, 2)
    ruled(file, void, "vytrix/0/1")
    go_on(file)
    whole = tmp_path / "whole"
    whole.mkdir()
    go_on(write(whole, "balanced"))
    assert stored(file) == stored(whole / "cup.toml")
    with Store.open(load(file).store) as store:
        counting = {board.number for board in boards_of(store, store.competitions[0])}
        assert counting == {board for board, *_ in stored(file)} - {0}


def test_who_is_withdrawn_leaves_before_its_first_board_that_is_not_stored(tmp_path: Path) -> None:
    file = write(tmp_path, "balanced")
    whole = tmp_path / "whole"
    whole.mkdir()
    go_on(write(whole, "balanced"))
    boards = {board: set(seats) for board, _, seats, _ in stored(whole / "cup.toml")}
    go_on_for(file, 3)
    there = {board for board, *_ in stored(file)}
    gone: set[str] = set()
    ends: list[tuple[str, int]] = []
    for name in ("b0", "b3", "b6"):
        # A board with somebody who has left is not to be played.
        waiting = [board for board in boards if board not in there and boards[board].isdisjoint(gone)]
        first = min(board for board in waiting if name in boards[board])
        gone.add(name)
        assert ruled(file, withdraw, name).board == first - 1
        ends.append((name, first - 1))
    go_on(file)
    played = {board for board, *_ in stored(file)}
    assert played - there == {
        board for board in boards if board not in there and boards[board].isdisjoint(gone)
    }
    assert findings(file) == []
    tried: set[int] = set()
    for number, (name, end) in enumerate(ends, 1):
        theirs = {board for board in played if name in boards[board]}
        for forged in (-1, max(boards)):
            # Another place tells of a forger where a board that the bot played lies between.
            between = {board for board in theirs if min(forged, end) < board <= max(forged, end)}
            change(file, f"UPDATE ruling SET board = {forged} WHERE id = {number}")
            found = any(f"rulings ruling {number}: {name} is withdrawn" in line for line in findings(file))
            assert found == bool(between)
            tried |= between
        change(file, f"UPDATE ruling SET board = {end} WHERE id = {number}")
    assert tried
    # After the end there is nothing to leave, but the tables can be had without it.
    assert ruled(file, withdraw, "b1").board == max(boards)
    assert findings(file) == []
