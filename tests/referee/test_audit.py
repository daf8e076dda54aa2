"""An honest store holds, and each way to tamper with it is found by the check that is meant for it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import game as game_of
from cardtable.record import DealRecord, FaultCause, GameRecord
from cardtable.wire.records import record_from_bytes, record_to_bytes
from referee.audit.auditor import audit
from referee.audit.game import inspect_game
from referee.audit.schedule import compare
from referee.blocks import BlockOrder, BlockResult
from referee.boards import Board
from referee.cli import run
from referee.cli.records import export_identity
from referee.config import load
from referee.court import forgive, revoke, void, withdraw
from referee.errors import RefereeError
from referee.identity import committed
from referee.report.verdicts import audit_text
from referee.schedule import BoardPlan, Teams
from referee.standings import boards_of
from referee.store import Store
from referee.stored import StoredGame
from referee.table import Table
from referee.tournament import Progress, Tournament, commitment, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from referee.audit.checks import Audit
    from referee.audit.schedule import Known

BOT = Path(__file__).parents[2] / "examples" / "random_bot.py"
NAMES = ("ana", "bo", "cy", "di")
#: bo is late at these of its decisions in trix/1/2, and so forfeits; cy once in trix/0/1.
LATE = {("trix", 1, 2): ("bo", {2, 5, 9}), ("trix", 0, 1): ("cy", {4})}


class Silence:
    def progressed(self, progress: Progress) -> None:
        """Nobody listens."""

    def warned(self, message: str) -> None:
        """Nobody listens."""


class AtOnce(Executor):
    """Plays blocks where it stands, with players who choose at random."""

    def submit(self, _play: Any, order: BlockOrder) -> Future[Any]:  # type: ignore[override] # only blocks come here
        future: Future[Any] = Future()
        games = []
        for game in order.games:
            late, when = LATE.get((order.competition, game.board, game.seating), ("", set()))
            table = Table(
                0, game, game_of(order.game), order.variant, forfeit_after=order.limits.forfeit_after
            )
            rng = Random(f"{game.board} {game.seating}")
            table.start()
            while (question := table.question) is not None:
                if game.seats[question.seat] == late and question.turn in when:
                    table.fault(FaultCause.TIMEOUT, f"turn {question.turn}")
                else:
                    table.answer(question.view.legal_actions.sample(rng))
            games.append(table.played(lambda _: "{}"))
        future.set_result(BlockResult(tuple(games), seconds=20.0))
        return future


def new_cup(folder: Path, seed: str = 'public = "4 8 15"') -> Path:
    bots = [f'[[bot]]\nname = "{name}"\ncommand = ["python3", "{BOT}"]\n' for name in NAMES]
    only = 'competitions = ["trix"]\n'
    competitions = """
[[competition]]
name = "trix"
game = "trix"
boards = 2
[[competition]]
name = "pairs"
game = "vytrix"
variant = { players = 4, target = 0, max_hands = 1 }
teams = "same"
boards = 1
"""
    file = folder / "cup.toml"
    file.write_text(f"[seed]\n{seed}\n{competitions}{bots[0]}{bots[1]}{bots[2]}{only}{bots[3]}{only}")
    return file


def play_cup(file: Path) -> Path:
    config = load(file)
    store, _ = open_store(config)
    with store, store.run():
        Tournament(config, store, Silence()).run(AtOnce)
        store.reveal_seed()
    assert isinstance(config.store, Path)
    return config.store


@pytest.fixture(scope="session")
def played_cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", lambda size: bytes(range(size)))
        return play_cup(new_cup(tmp_path_factory.mktemp("cup")))


@pytest.fixture
def cup(played_cup: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played_cup, tmp_path / "cup.db"))


def change(cup: Path, *statements: str, values: Sequence[object] = ()) -> None:
    with sqlite3.connect(cup) as connection:
        for statement in statements:
            assert connection.execute(statement, values).rowcount > 0, statement
    connection.close()


def change_record(cup: Path, where: str, edit: Callable[[GameRecord], GameRecord]) -> None:
    with sqlite3.connect(cup) as connection:
        (stored,) = connection.execute(f"SELECT record FROM game WHERE {where}").fetchone()
    connection.close()
    changed = record_to_bytes(edit(record_from_bytes(stored)))
    change(cup, f"UPDATE game SET record = ? WHERE {where}", values=[changed])


def audited(cup: Path) -> Audit:
    with Store.open(cup) as store:
        return audit(store)


def found(result: Audit) -> dict[str, list[str]]:
    """The checks that do not hold, each with its findings."""
    return {check.name: [str(one) for one in check.findings] for check in result.checks if not check.ok}


def test_an_honest_store_holds_and_everything_in_it_is_compared(cup: Path) -> None:
    result = audited(cup)
    assert found(result) == {}
    assert result.ok
    assert {check.name: check.checked for check in result.checks} == {
        "commitment": 4,
        "deals": sum(check.checked for check in result.checks if check.name == "deals"),
        "games": 10,
        "scores": 10,
        "rulings": 0,
        "boards": 3,
        "schedule": 10,
        "ratings": 10,
    }
    assert result.checks[1].checked >= 8 * 20 + 2
    assert [one.boards for one in result.certificates.values()] == [2, 1]
    assert not any(check.notes for check in result.checks)


TRIX = "competition = 0 AND board = 0 AND seating = 0"


@pytest.mark.parametrize(
    ("statements", "checks", "said"),
    [
        pytest.param(
            [f"UPDATE game SET scores = '[9999, 0, 0, 0]' WHERE {TRIX}"],
            {"scores", "boards", "ratings"},
            "trix/0/0: scores are 9999 0 0 0; the record gives",
            id="score",
        ),
        pytest.param(
            [f"UPDATE game SET seats = '[1, 0, 2, 3]' WHERE {TRIX}"],
            {"games", "boards", "schedule", "ratings"},
            "trix/0/0: seats are bo ana cy di",
            id="seat",
        ),
        pytest.param(
            ["UPDATE game SET forfeits = '[]' WHERE competition = 0 AND forfeits != '[]'"],
            {"scores", "boards"},
            "trix/1/2: forfeits are none; the record gives",
            id="forfeit",
        ),
        pytest.param(
            ["UPDATE game SET faults = 0 WHERE competition = 0 AND board = 0 AND seating = 1"],
            {"scores", "boards"},
            "trix/0/1: faults are 0; the record gives 1",
            id="faults",
        ),
        pytest.param(
            [f"UPDATE game SET decisions = '[1, 1, 1, 1]' WHERE {TRIX}"],
            {"games"},
            "trix/0/0: questions asked by seat are 1 1 1 1",
            id="decisions",
        ),
        pytest.param(
            [f"DELETE FROM game WHERE {TRIX}"],
            {"schedule"},
            "trix/0: the seed is revealed, and a seating is missing",
            id="deleted game",
        ),
        pytest.param(
            ["DELETE FROM game WHERE competition = 1"],
            {"schedule"},
            "pairs/0: the seed is revealed, and the board is missing",
            id="deleted board",
        ),
        pytest.param(
            [
                "UPDATE game SET board = -1 WHERE competition = 0 AND board = 0",
                "UPDATE game SET board = 0 WHERE competition = 0 AND board = 1",
                "UPDATE game SET board = 1 WHERE competition = 0 AND board = -1",
            ],
            {"deals", "games", "schedule"},
            "trix/1/0: the record has",
            id="swapped board",
        ),
        pytest.param(
            ["UPDATE game SET board = 99 WHERE competition = 0 AND board = 1"],
            {"deals", "games", "schedule"},
            "trix/99: the plan ends with board 1",
            id="board of no plan",
        ),
        pytest.param(
            ["UPDATE game SET seating = 7 WHERE competition = 0 AND board = 0 AND seating = 3"],
            {"schedule"},
            "trix/0/7: the plan has 4 seatings",
            id="seating of no plan",
        ),
        pytest.param(
            ["""UPDATE tournament SET config = replace(config, '"boards": 2', '"boards": 1')"""],
            {"commitment", "schedule"},
            "identity: its SHA-256 is not",
            id="identity",
        ),
        pytest.param(
            ["""UPDATE tournament SET config = replace(config, 'random_bot', 'other_bot')"""],
            {"commitment"},
            "seed and bots: they give",
            id="bot",
        ),
        pytest.param(
            ["UPDATE tournament SET master_seed = zeroblob(32)"],
            {"commitment", "deals"},
            "seed and bots: they give",
            id="master seed",
        ),
        pytest.param(["UPDATE tournament SET commitment = 'ab'"], {"commitment"}, "not ab", id="commitment"),
        pytest.param(
            ["""UPDATE competition SET variant = '{"partners": true}' WHERE id = 0"""],
            {"commitment"},
            "trix: the identity has another game or variant",
            id="variant of the competition",
        ),
        pytest.param(
            ["UPDATE entrant SET name = 'zed' WHERE name = 'di'"],
            {"commitment", "games"},
            "entrants: ana, bo, cy, zed; the identity has ana, bo, cy, di",
            id="entrant",
        ),
        pytest.param(
            ["UPDATE fault SET cause = 'crash' WHERE competition = 0 AND board = 0"],
            {"games"},
            "trix/0/1: fault 0 is cy",
            id="fault",
        ),
        pytest.param(
            ["DELETE FROM fault WHERE competition = 0 AND board = 0"],
            {"games"},
            "trix/0/1: 0 faults in the table of faults; the record has 1",
            id="deleted fault",
        ),
        pytest.param(
            ["UPDATE fault SET board = 77 WHERE competition = 0 AND board = 0"],
            {"games"},
            "trix/77/1: there are faults of this game, but no such game",
            id="moved fault",
        ),
        pytest.param(
            [f"UPDATE game SET record = x'ff' WHERE {TRIX}"],
            {"games", "boards", "ratings"},
            "trix/0/0: the record is damaged",
            id="damaged record",
        ),
        pytest.param(
            [f"UPDATE game SET scores = '[1, 2]' WHERE {TRIX}"],
            {"scores", "boards", "ratings"},
            "trix: the columns make no boards",
            id="too few scores",
        ),
    ],
)
def test_a_changed_row_is_found(cup: Path, statements: list[str], checks: set[str], said: str) -> None:
    change(cup, *statements)
    findings = found(audited(cup))
    assert set(findings) >= checks
    assert set(findings) <= checks | {"boards", "ratings"}
    assert any(said in line for lines in findings.values() for line in lines), findings


def _first_action(record: GameRecord, text: str) -> GameRecord:
    first = record.deals[0]
    return replace(record, deals=(replace(first, actions=(text, *first.actions[1:])), *record.deals[1:]))


def _other_cards(record: GameRecord) -> GameRecord:
    hands = ("2S", "3S", "4S", "5S")
    return replace(record, deals=(DealRecord((), hands), *record.deals[1:]))


def _same_cards_for_others(record: GameRecord) -> GameRecord:
    """The cards of the last deal lie there in words, with two seats exchanged."""
    game = game_of(record.game)
    seen: list[Any] = []

    class Keeper:
        def dealt(self, _number: int, deal: Any, _state: Any) -> None:
            seen.append(deal)

        def acted(self, seat: int, text: str, state: Any) -> None:
            """Cards are all that is kept."""

    from cardtable.replay import replay

    replay(record, Keeper())
    assert len(game.hand_sizes(game.variant(record.variant))) == 4
    one, two, three, four = map(str, seen[0].hands)
    return replace(record, deals=(replace(record.deals[0], hands=(two, one, three, four)), *record.deals[1:]))


def _fault_at(record: GameRecord, **fields: Any) -> GameRecord:
    return replace(record, faults=(replace(record.faults[0], **fields), *record.faults[1:]))


FORFEITED = "competition = 0 AND board = 1 AND seating = 2"


@pytest.mark.parametrize(
    ("where", "edit", "checks", "said"),
    [
        (TRIX, lambda record: _first_action(record, "2C"), {"games"}, "trix/0/0: deal 0, action 0"),
        (
            TRIX,
            lambda record: replace(record, seed=bytes(32)),
            {"deals", "games"},
            "trix/0/0: the record has 000",
        ),
        (
            TRIX,
            lambda record: replace(record, seed=None),
            {"deals", "games"},
            "trix/0/0: the record has no seed",
        ),
        (TRIX, lambda record: replace(record, seats=record.seats[::-1]), {"games"}, "trix/0/0: seats are"),
        (
            TRIX,
            lambda record: replace(record, scores=(1, 2, 3, 4)),
            {"games"},
            "final scores [1, 2, 3, 4], but",
        ),
        (
            TRIX,
            lambda record: replace(record, scores=None),
            {"games"},
            "trix/0/0: the record has no final scores",
        ),
        (
            TRIX,
            lambda record: replace(record, deals=record.deals[:-1], scores=None),
            {"games"},
            "trix/0/0: the game is not over",
        ),
        (
            TRIX,
            lambda record: replace(record, variant={"partners": True}),
            {"games"},
            "trix/0/0: the record is of another game or variant",
        ),
        (
            TRIX,
            lambda record: replace(record, forfeits=(2,)),
            {"games", "scores"},
            "seat 2 has forfeited without",
        ),
        (TRIX, lambda record: replace(record, forfeits=(9,)), {"games"}, "seat 9 has forfeited without"),
        (
            FORFEITED,
            lambda record: replace(record, forfeits=()),
            {"games", "scores"},
            "has 3 faults and has not",
        ),
        (FORFEITED, lambda record: _fault_at(record, turn=50), {"games"}, "is turn 2, not 50"),
        (
            FORFEITED,
            lambda record: _fault_at(record, deal=18, action=900),
            {"games"},
            "there is no such decision",
        ),
        (FORFEITED, lambda record: replace(record, faults=()), {"games", "scores"}, "the record has 0"),
        (TRIX, _other_cards, {"games"}, "trix/0/0: deal 0: seat 0 is dealt 1 cards"),
        (
            TRIX,
            _same_cards_for_others,
            {"deals", "games"},
            "trix/0/0: deal 0: the cards are not those of the seed",
        ),
    ],
)
def test_a_changed_record_is_found(
    cup: Path, where: str, edit: Callable[[GameRecord], GameRecord], checks: set[str], said: str
) -> None:
    change_record(cup, where, edit)
    findings = found(audited(cup))
    assert set(findings) >= checks
    assert set(findings) <= checks | {"scores", "boards", "ratings"}
    assert any(said in line for lines in findings.values() for line in lines), findings


def test_a_fault_without_the_houses_action_cannot_have_been(cup: Path) -> None:
    with Store.open(cup) as store:
        record = store.record("trix", 0, 1)
        (fault,) = record.faults
        assert inspect_game(record, record.seed).doubts == ()
        doubts = []
        for deal in range(3):
            for action in range(len(record.deals[deal].actions)):
                moved = replace(record, faults=(replace(fault, deal=deal, action=action),))
                doubts.append(" ".join(inspect_game(moved, record.seed).doubts))
    assert any("the house plays" in doubt for doubt in doubts)
    assert any("was not asked there" in doubt for doubt in doubts)
    assert sum(not doubt for doubt in doubts) <= 1


def test_before_the_seed_is_revealed_all_else_is_checked(cup: Path) -> None:
    change(cup, "UPDATE tournament SET revealed = 0", f"DELETE FROM game WHERE {TRIX}")
    result = audited(cup)
    assert result.ok
    assert result.seed is None
    notes = {check.name: check.notes for check in result.checks if check.notes}
    assert set(notes) == {"commitment", "deals", "schedule"}
    assert notes["schedule"] == ("trix: 1 board unfinished: 0",)
    with Store.open(cup) as store:
        secret = store.secret_seed().hex()
        assert secret not in audit_text(cup, result)
    change_record(cup, FORFEITED, lambda record: replace(record, seed=bytes(32)))
    assert "trix/1/2: the record has 0000" in found(audited(cup))["deals"][0]


def test_a_seed_that_stands_in_the_file_is_checked_from_the_start_and_allows_more_boards(
    tmp_path: Path,
) -> None:
    cup = play_cup(new_cup(tmp_path, f'master = "{"07" * 32}"'))
    change(cup, "UPDATE tournament SET revealed = 0")
    result = audited(cup)
    assert (result.ok, result.seed) == (True, bytes([7]) * 32)
    change(cup, "UPDATE tournament SET revealed = 1", "DELETE FROM game WHERE competition = 1")
    result = audited(cup)
    assert result.ok
    assert "pairs: 1 board unfinished: 0" in audit_text(cup, result)
    change(cup, "UPDATE tournament SET master_seed = zeroblob(32)")
    assert any("which the identity gives" in line for line in found(audited(cup))["commitment"])


def test_boards_of_those_who_have_left_need_not_be_there(tmp_path: Path) -> None:
    file = new_cup(tmp_path)
    file.write_text(file.read_text() + "[faults]\ndisqualify_after = 1\n")
    cup = play_cup(file)
    # Ordered before bo had left, so that it was played, and does not count.
    change(cup, "DELETE FROM game WHERE competition = 1")
    result = audited(cup)
    assert result.ok
    assert not any(check.notes for check in result.checks)
    change(
        cup,
        "UPDATE tournament SET config = replace(config, 'disqualify_after\": 1', 'disqualify_after\": 2')",
    )
    assert "pairs/0: the seed is revealed, and the board is missing" in found(audited(cup))["schedule"]


def test_an_empty_tournament_holds(tmp_path: Path) -> None:
    config = load(new_cup(tmp_path))
    store, _ = open_store(config)
    with store:
        result = audit(store)
    assert result.ok
    assert result.certificates == {}
    assert committed(store.secret_seed(), config.identity()) == commitment(store.secret_seed(), config)
    store.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE game SET scores = 'x' WHERE competition = 0", "row of game trix/0/0 is damaged"),
        (
            f"UPDATE game SET seats = '[8, 8, 8, 8]' WHERE {FORFEITED}",
            "game trix/1/2 is damaged: there is no",
        ),
        ("UPDATE game SET seats = '[-1, 1, 2, 3]'", "there is no number -1 of 4"),
        ("UPDATE game SET scores = '[1.5, 0, 0, 0]'", "is damaged: 1.5 is no int"),
        (f"UPDATE game SET board = 'x' WHERE {FORFEITED}", "game trix/x/2 is damaged: 'x' is no int"),
        (f"UPDATE game SET seating = 1.5 WHERE {FORFEITED}", "is damaged: 1.5 is no int"),
        (f"UPDATE game SET seating = x'00' WHERE {FORFEITED}", "is no int"),
        (f"UPDATE game SET competition = -1 WHERE {FORFEITED}", "a game is damaged: there is no number -1"),
        (f"UPDATE game SET competition = 7 WHERE {FORFEITED}", "a game is damaged: there is no number 7"),
        ("UPDATE fault SET entrant = 5", "fault 1 is damaged: there is no number 5 of 4"),
        ("UPDATE fault SET competition = 'x'", "fault 1 is damaged: 'x' is no int"),
        ("UPDATE fault SET board = 'x'", "fault 1 is damaged: 'x' is no int"),
        ("UPDATE competition SET variant = 'null'", "list of competitions is damaged: None is no dict"),
        ("UPDATE competition SET variant = ''", "list of competitions is damaged"),
        ("UPDATE competition SET seatings = x'00'", "list of competitions is damaged"),
        ("UPDATE competition SET name = x'00' WHERE id = 0", "list of competitions is damaged"),
        ("UPDATE entrant SET name = x'00' WHERE id = 0", "list of entrants is damaged"),
        ("UPDATE tournament SET master_seed = '1111'", "tournament is damaged: '1111' is no bytes"),
        ("UPDATE tournament SET master_seed = x'11'", "tournament is damaged: the seed has 1 bytes"),
        ("DELETE FROM tournament", "its tournament is damaged"),
        ("UPDATE tournament SET config = '{'", "the stored identity cannot be read"),
        ("UPDATE tournament SET config = '{}'", "the stored identity cannot be read"),
        (
            "UPDATE tournament SET config = replace(config, '\"boards\": 2', '\"boards\": 1.5')",
            "the stored identity cannot be read: boards are 1.5",
        ),
        (
            "UPDATE tournament SET config = replace(config, '\"boards\": 2', '\"boards\": 1e30')",
            "the stored identity cannot be read: boards are 1e+30",
        ),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    cup: Path, statement: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(cup, statement)
    with pytest.raises(RefereeError) as raised:
        audited(cup)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    for command in (
        ["verify", cup],
        ["ratings", cup],
        ["export", cup],
        ["merge", cup.with_name("m.db"), cup, cup],
    ):
        assert run(list(map(str, command))) in ({2} if command[0] == "verify" else {0, 2})
    assert capsys.readouterr().err.count("\n") <= 4


@pytest.mark.parametrize("value", ["''", "'text'", "7", "x'ff'"])
def test_a_record_that_is_none_is_a_finding(cup: Path, value: str) -> None:
    change(cup, f"UPDATE game SET record = {value} WHERE {FORFEITED}")
    assert "trix/1/2: the record is damaged" in found(audited(cup))["games"]


def test_a_bot_that_is_said_to_be_another_is_found(cup: Path) -> None:
    change(cup, "UPDATE entrant SET files_hash = (SELECT files_hash FROM entrant WHERE name = 'bo') || 'f'")
    wrong = found(audited(cup))
    assert set(wrong) == {"commitment"}
    assert [line.split(":")[0] for line in wrong["commitment"]] == list(NAMES)


# Adaptive plans.


@dataclass
class Ladder:
    """Two tables of two; the winners of the last round meet, and so do the losers."""

    entrants: tuple[str, ...] = NAMES
    seats: int = 2
    teams: Teams = "none"
    table: int = 2
    seatings: int = 1
    is_adaptive: bool = True
    rounds: int = 3
    boards_in_round: int = 2

    def round(
        self, number: int, past: Sequence[Board] = (), absent: Collection[str] = ()
    ) -> tuple[BoardPlan, ...]:
        points = {name: sum(board.points.get(name, 0) for board in past) for name in self.entrants}
        there = sorted((name for name in self.entrants if name not in absent), key=lambda name: -points[name])
        pairs = [(there[place], there[place + 1]) for place in range(0, len(there) - 1, 2)]
        return tuple(
            BoardPlan(2 * number + group, number, group, (pair,)) for group, pair in enumerate(pairs)
        )


def ladder(*pairs: tuple[str, str]) -> tuple[list[StoredGame], list[Board]]:
    """Boards on which the first of each pair won."""
    games = [
        StoredGame("l", number, 0, pair, (1, 0), (), 0, (0.0, 0.0), (1, 1))
        for number, pair in enumerate(pairs)
    ]
    boards = [
        Board("l", number, dict(zip(pair, (1, 0), strict=True)), {}, ((pair[0],), (pair[1],)), 1)
        for number, pair in enumerate(pairs)
    ]
    return games, boards


def known(boards: Sequence[Board], left: Callable[[int], Collection[str]] = lambda _: ()) -> Known:
    return lambda first: ([board for board in boards if board.number < first], left(first))


def test_each_round_of_an_adaptive_plan_follows_from_those_before() -> None:
    games, boards = ladder(("ana", "bo"), ("cy", "di"), ("ana", "cy"), ("bo", "di"))
    result = compare("l", Ladder(), games, known(boards[::-1]), lambda _: ())  # type: ignore[arg-type] # a plan in small
    assert result.findings == []
    assert result.unfinished == [4, 5]
    result = compare("l", Ladder(), games[1:], known(boards[1:]), lambda _: ())  # type: ignore[arg-type] # a plan in small
    assert str(result.findings[0].where) == "l/0"
    assert result.findings[0].what == "is missing or incomplete, and later rounds were made from it"
    games, boards = ladder(("ana", "bo"), ("cy", "di"), ("ana", "di"), ("cy", "bo"), ("ana", "cy"))
    result = compare("l", Ladder(), games, known(boards), lambda _: ())  # type: ignore[arg-type] # a plan in small
    assert [one.where for one in result.findings] == ["l/2/0", "l/3/0"]
    assert result.notes == ["l: rounds after 1 follow from it and are not compared"]


def test_who_has_left_is_not_seated_any_more() -> None:
    games, boards = ladder(("ana", "bo"), ("cy", "di"), ("ana", "cy"), ("bo", "di"))

    def left(board: int) -> set[str]:
        return {"di"} if board >= 2 else set()

    result = compare("l", Ladder(), games, known(boards, left), left)  # type: ignore[arg-type] # a plan in small
    assert [str(one) for one in result.findings] == ["l/3: is not in the plan of its round"]


# Rulings.


def test_what_follows_from_rulings_is_recomputed(cup: Path) -> None:
    with Store.open(cup) as store:
        void(store, "trix/0/0", "seen")
        forgive(store, "trix/1/2", 1, None, "the network was down")
        withdraw(store, "di", "ill")
        (trix, _) = store.competitions
        assert [board.forfeited for board in boards_of(store, trix)] == [frozenset()]
    result = audited(cup)
    assert found(result) == {}
    counts = {check.name: check.checked for check in result.checks}
    assert (counts["rulings"], counts["boards"], counts["games"]) == (3, 2, 10)
    with Store.open(cup) as store:
        revoke(store, "2", "it was not down")
        assert [board.forfeited for board in boards_of(store, trix)] == [frozenset({"bo"})]
    assert found(audited(cup)) == {}


def test_a_withdrawal_after_a_board_that_is_not_in_the_plan_is_found(cup: Path) -> None:
    with Store.open(cup) as store:
        withdraw(store, "di", "ill")
    assert found(audited(cup)) == {}
    change(cup, "UPDATE ruling SET board = 5000")
    assert found(audited(cup))["rulings"] == ["ruling 1: the plan has no such board"]


def test_a_withdrawal_that_takes_away_what_was_played_is_found(cup: Path) -> None:
    with Store.open(cup) as store:
        ruling = withdraw(store, "di", "ill")
    change(cup, "UPDATE ruling SET competition = 0, board = -1")
    (line,) = found(audited(cup))["rulings"]
    assert line.startswith("ruling 1: di is withdrawn after trix/-1; ")
    assert line.endswith(f"it follows that it is after {ruling.competition}/{ruling.board}")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE ruling SET board = 7 WHERE id = 1", "ruling 1: there is no such game"),
        ("UPDATE ruling SET fault = 3 WHERE id = 2", "ruling 2: there is no such fault"),
        ("UPDATE ruling SET entrant = 0 WHERE id = 2", "ruling 2: there is no such fault"),
        (
            "UPDATE ruling SET marks = '[8, 3]' WHERE id = 1",
            "ruling 1: it has seen 3 games of pairs; there are 2",
        ),
        (
            "UPDATE ruling SET marks = '[7, 2]' WHERE id = 2",
            "ruling 2: it has seen 7 games of trix, the ruling",
        ),
        ("DELETE FROM ruling WHERE id = 1", "ruling 2: it stands where ruling 1 should"),
        ("UPDATE ruling SET reason = 'a' || char(10) WHERE id = 1", "ruling 1: its reason is not one line"),
    ],
)
def test_a_changed_ruling_is_found(cup: Path, statement: str, said: str) -> None:
    with Store.open(cup) as store:
        void(store, "trix/0/0", "seen")
        forgive(store, "trix/1/2", 1, None, "the network was down")
    change(cup, statement)
    assert any(line.startswith(said) for line in found(audited(cup))["rulings"])


def test_boards_that_a_ruling_took_away_need_not_be_there_when_it_is_taken_back_after_the_end(
    tmp_path: Path,
) -> None:
    config = load(new_cup(tmp_path))
    store, _ = open_store(config)
    with store:
        withdraw(store, "bo", "ill")
    cup = play_cup(tmp_path / "cup.toml")
    with Store.open(cup) as store:
        assert store.count() == 0
        assert found(audit(store)) == {}
        revoke(store, "1", "it is well")
        assert found(audit(store)) == {}
    assert play_cup(tmp_path / "cup.toml") == cup
    with Store.open(cup) as store:
        assert store.count() == 0


def test_who_is_withdrawn_after_the_end_keeps_its_boards_though_a_ruling_left_some_undone(
    tmp_path: Path,
) -> None:
    config = load(new_cup(tmp_path))
    store, _ = open_store(config)
    with store:
        withdraw(store, "bo", "ill")
    with Store.open(play_cup(tmp_path / "cup.toml")) as store:
        revoke(store, "1", "it is well")
        ruling = withdraw(store, "di", "it went home")
        last = config.competitions[-1]
        assert (ruling.competition, ruling.board) == (last.name, len(last.plan) - 1)


# The command.


def test_the_command_says_what_holds_and_what_does_not(cup: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(cup)]) == 0
    said = capsys.readouterr().out.splitlines()
    checks = ("commitment", "deals", "games", "scores", "rulings", "boards", "schedule", "ratings")
    assert [line.split()[:2] for line in said[2:10]] == [["ok", name] for name in checks]
    assert said[-1] == f"{cup} holds"
    change(
        cup, "UPDATE game SET scores = '[7, 7, 7, 7]', forfeits = '[0, 3]', faults = 7 WHERE competition = 0"
    )
    assert run(["verify", str(cup)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith("WRONG  scores") for line in said)
    assert "         and 4 more" in said
    assert "does NOT hold" in said[-1]


def test_json_is_a_verdict_on_each_record_and_then_the_audit(
    cup: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--json", str(cup)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    with Store.open(cup) as store:
        assert [line["scores"] for line in lines[:-1]] == [list(game.scores) for game in store.games()]
        seed = store.secret_seed().hex()
    whole = lines[-1]["audit"]
    assert (whole["ok"], whole["seed"]) == (True, seed)
    assert whole["certificates"]["trix"]["boards"] == 2
    change(cup, f"UPDATE game SET record = x'ff' WHERE {TRIX}")
    assert run(["verify", "--json", str(cup)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 11
    assert lines[0]["error"]["rule"] == "format"
    games = next(check for check in lines[-1]["audit"]["checks"] if check["name"] == "games")
    assert games["findings"] == [{"where": "trix/0/0", "what": "the record is damaged"}]


def test_files_of_records_are_judged_line_by_line(
    cup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store.open(cup) as store:
        record = store.record("trix", 0, 0)
    file = tmp_path / "games.jsonl"
    file.write_text(record.to_line() + "\n\n" + replace(record, scores=(9, 9, 9, 9)).to_line() + "\nno\n")
    assert run(["verify", str(file)]) == 1
    good, forged, none = capsys.readouterr().out.splitlines()
    assert good.startswith("game 0: ok, over; scores after each deal: ")
    assert forged == (
        f"game 1: wrong: final scores [9, 9, 9, 9], but the rules give {list(record.scores or ())}"
    )
    assert none.startswith("game 2: wrong: no JSON: ")
    assert run(["verify", "--json", str(file)]) == 1
    assert [json.loads(line)["ok"] for line in capsys.readouterr().out.splitlines()] == [True, False, False]


def test_a_file_without_records_is_said_and_is_no_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text("\n")
    assert run(["verify", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: no records\n"
    assert run(["verify", "--json", str(file)]) == 0
    assert capsys.readouterr().out == ""
    assert run(["verify", str(file), str(tmp_path / "gone")]) == 2


def test_anyone_can_check_the_hashes_of_the_exported_identity(cup: Path, tmp_path: Path) -> None:
    exported = tmp_path / "identity.json"
    export_identity(cup, exported)
    with Store.open(cup) as store:
        info = store.info()
    assert hashlib.sha256(exported.read_bytes()).hexdigest() == info.identity
    assert info.revealed_seed is not None
    assert committed(info.revealed_seed, json.loads(exported.read_text())) == info.commitment
