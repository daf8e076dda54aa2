from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from sqlalchemy import create_engine
from sqlmodel import SQLModel

from cardtable.record import Comment, DealRecord, FaultCause, GameRecord, RecordedFault
from referee import store_tables
from referee.blocks import BlockResult, EntrantFault, FaultDetail, GameOrder, PlayedGame
from referee.rulings import RulingKind
from referee.store import (
    CompetitionInfo,
    EntrantInfo,
    NotAStore,
    Store,
    StoreError,
    StoreExists,
    StoreLocked,
    StoreMissing,
    StoreTooNew,
    StoreUnwritable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.database.address import StoreAddress

NAMES = ("ana", "bo", "cy", "di")
SEED = bytes(range(32))


def new_store(path: StoreAddress) -> Store:
    return Store.create(
        path,
        program="cardtable-referee 0.1.0",
        config="[tournament]\n",
        identity="abc",
        commitment="def",
        master_seed=SEED,
        competitions=[
            CompetitionInfo("solo", "trix", {"partners": False}, 2),
            CompetitionInfo("pairs", "trix", {"partners": True}, 1),
        ],
        entrants=[EntrantInfo(name, f"hash of {name}") for name in NAMES],
    )


def played(
    board: int, seating: int, scores: tuple[int, ...] = (100, 50, -25, 0), fault: bool = False
) -> PlayedGame:
    seats = NAMES[seating:] + NAMES[:seating]
    record = GameRecord(
        game="trix",
        variant={"partners": False},
        seats=seats,
        deals=(DealRecord(("contract:king", "2C")),),
        seed=SEED,
        scores=scores,
        faults=(RecordedFault(1, FaultCause.TIMEOUT, 0, 1, 1, "late"),) if fault else (),
        comments=(Comment(0, 1, "ho"),),
        forfeits=(1,) if fault else (),
    )
    return PlayedGame(
        order=GameOrder(board, seating, seats, SEED),
        record=record,
        details=(FaultDetail(seats[1], 1, FaultCause.TIMEOUT, 0, 1, 1, "late", "{}", "log"),)
        if fault
        else (),
        charged_ms=(1.5, 2.0, 0.25, 3.0),
        decisions=(3, 4, 5, 6),
    )


def whole_board(number: int) -> tuple[PlayedGame, ...]:
    return played(number, 0), played(number, 1)


@pytest.fixture
def place(tmp_path: Path) -> StoreAddress:
    """Where stores are made; elsewhere the tests that use nothing else are run for another kind of place."""
    return tmp_path / "cup.db"


@pytest.fixture
def store(place: StoreAddress) -> Iterator[Store]:
    with new_store(place) as made:
        yield made


def test_a_new_store_says_what_it_was_made_with(store: Store) -> None:
    info = store.info()
    assert (info.config, info.identity, info.commitment) == ("[tournament]\n", "abc", "def")
    assert info.program == "cardtable-referee 0.1.0"
    assert store.competitions[0] == CompetitionInfo("solo", "trix", {"partners": False}, 2)
    assert [entrant.name for entrant in store.entrants] == list(NAMES)


def test_the_master_seed_is_told_only_after_it_is_revealed(store: Store) -> None:
    assert store.info().revealed_seed is None
    assert store.secret_seed() == SEED
    assert store.reveal_seed() == SEED
    assert store.info().revealed_seed == SEED


def test_games_come_back_in_order_with_their_records(store: Store) -> None:
    store.add_block("pairs", BlockResult((played(0, 0),)))
    store.add_block("solo", BlockResult(whole_board(7)))
    store.add_block("solo", BlockResult(whole_board(2)))
    keys = [(game.competition, game.board, game.seating) for game in store.games()]
    assert keys == [("solo", 2, 0), ("solo", 2, 1), ("solo", 7, 0), ("solo", 7, 1), ("pairs", 0, 0)]
    game = next(store.games("pairs"))
    assert (game.seats, game.scores) == (NAMES, (100, 50, -25, 0))
    assert (game.charged_ms, game.decisions) == ((1.5, 2.0, 0.25, 3.0), (3, 4, 5, 6))
    assert store.record("solo", 7, 1) == whole_board(7)[1].record
    assert [record for _, record in store.records("solo")] == [
        played(board, seating).record for board in (2, 7) for seating in (0, 1)
    ]


def test_what_is_finished_is_known_by_game_and_by_board(store: Store) -> None:
    store.add_block("solo", BlockResult(whole_board(3) + whole_board(1)))
    assert store.finished_boards("solo") == {1, 3}
    assert store.finished_boards("pairs") == set()
    assert store.has("solo", 3, 1)
    assert not store.has("solo", 2, 0)
    assert (store.count(), store.count("solo"), store.count("pairs")) == (4, 4, 0)


def test_the_games_of_a_board_that_was_broken_off_are_not_kept(store: Store) -> None:
    written = store.add_block("solo", BlockResult((*whole_board(1), played(2, 0)), error="lost a worker"))
    assert written == 2
    assert store.finished_boards("solo") == {1}


def test_a_game_is_never_written_twice_and_the_whole_block_is_refused(store: Store) -> None:
    store.add_block("solo", BlockResult(whole_board(1)))
    with pytest.raises(StoreError, match="stored already"):
        store.add_block("solo", BlockResult(whole_board(2) + whole_board(1)))
    assert store.finished_boards("solo") == {1}


def test_faults_keep_their_details_and_those_at_no_table_have_no_board(store: Store) -> None:
    fault = EntrantFault("di", 3, FaultCause.START, "did not start", "Traceback")
    store.add_block("solo", BlockResult((played(1, 0, fault=True), played(1, 1)), (fault,)))
    first, second = store.faults()
    assert (first.entrant, first.cause, first.board, first.stderr_tail) == ("di", "start", None, "Traceback")
    assert (second.entrant, second.board, second.seating, second.turn) == ("bo", 1, 0, 1)
    assert (second.view, second.message) == ("{}", "late")
    assert next(store.games("solo")).forfeits == (1,)
    assert list(store.faults("pairs")) == []


def test_faults_are_numbered_by_game(store: Store) -> None:
    away = EntrantFault("ana", 0, FaultCause.DISCONNECT, "gone", "")
    games = [played(1, seating, fault=True) for seating in (0, 1)]
    games[0] = replace(games[0], details=games[0].details * 2)
    store.add_block("solo", BlockResult(tuple(games), (away, away)))
    numbers = [(fault.game, fault.number) for fault in store.faults()]
    assert numbers == [(None, None), (None, None), ("solo/1/0", 0), ("solo/1/0", 1), ("solo/1/1", 0)]


def test_rulings_come_back_in_order_with_what_they_had_seen(store: Store) -> None:
    store.add_block("solo", BlockResult(whole_board(1)))
    void = store.add_ruling(RulingKind.VOID, "seen", competition="solo", board=1, seating=0)
    store.add_block("solo", BlockResult(whole_board(2)))
    store.add_block("pairs", BlockResult((played(0, 0),)))
    pardon = store.add_ruling(
        RulingKind.FORGIVE, "late", competition="pairs", board=0, seating=0, fault=2, entrant="cy"
    )
    away = store.add_ruling(RulingKind.WITHDRAW, "ill", competition="solo", board=-1, entrant="di")
    back = store.add_ruling(RulingKind.REVOKE, "well", revokes=3)
    assert store.rulings() == (void, pardon, away, back)
    assert [one.number for one in store.rulings()] == [1, 2, 3, 4]
    assert [dict(one.marks) for one in (void, pardon)] == [{"solo": 2, "pairs": 0}, {"solo": 4, "pairs": 1}]
    with Store.open(store.path) as again:
        assert again.rulings() == store.rulings()


def test_a_full_disk_keeps_a_ruling_out_whole(store: Store) -> None:
    store.add_ruling(RulingKind.WITHDRAW, "ill", competition="solo", board=0, entrant="ana")
    with store._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreUnwritable, match="the disk is full"):
        store.add_ruling(RulingKind.WITHDRAW, "x" * 100_000, competition="solo", board=0, entrant="bo")
    assert [one.entrant for one in store.rulings()] == ["ana"]


def test_reading_goes_on_while_another_block_is_written(store: Store) -> None:
    store.add_block("solo", BlockResult(whole_board(1)))
    reading = store.games()
    next(reading)
    store.add_block("solo", BlockResult(whole_board(2)))
    assert len(list(reading)) == 1
    assert store.count() == 4


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=4, max_size=4), min_size=1, max_size=20))
def test_scores_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, scores: list[list[int]]
) -> None:
    games = tuple(played(board, 0, tuple(of_game)) for board, of_game in enumerate(scores))
    with new_store(tmp_path_factory.mktemp("store") / "cup.db") as store:
        store.add_block("pairs", BlockResult(games))
        assert [list(game.scores) for game in store.games("pairs")] == scores
        assert [record for _, record in store.records("pairs")] == [game.record for game in games]


def test_a_reopened_store_has_everything(tmp_path: Path) -> None:
    with new_store(tmp_path / "cup.db") as store:
        store.add_block("solo", BlockResult(whole_board(1)))
        store.set_config("[tournament]\nboards = 2\n", "abc")
    with Store.open(tmp_path / "cup.db") as again:
        assert again.finished_boards("solo") == {1}
        assert again.info().config == "[tournament]\nboards = 2\n"
    assert not list(tmp_path.glob(".*"))


def test_a_new_store_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "cup.db").write_text("precious")
    with pytest.raises(StoreExists, match="exists already"):
        new_store(tmp_path / "cup.db")
    assert (tmp_path / "cup.db").read_text() == "precious"


def test_a_name_with_any_letters_will_do(tmp_path: Path) -> None:
    path = tmp_path / "a ?#%41 cup.db"
    with new_store(path) as store:
        store.add_block("solo", BlockResult(whole_board(1)))
    assert path.is_file()


def test_a_missing_store_is_not_made(place: StoreAddress) -> None:
    assert not Store.is_at(place)
    with pytest.raises(StoreMissing, match="there is no store"):
        Store.open(place)
    assert not Store.is_at(place)


def test_a_store_is_made_once(store: Store) -> None:
    assert Store.is_at(store.path)
    with pytest.raises(StoreExists, match="exists already"):
        new_store(store.path)
    assert [entrant.name for entrant in store.entrants] == list(NAMES)


def test_a_draft_that_ends_badly_never_was(place: StoreAddress) -> None:
    made = {
        "program": "cardtable-referee 0.1.0",
        "config": "",
        "identity": "",
        "commitment": "",
        "master_seed": SEED,
        "competitions": [CompetitionInfo("solo", "trix", {}, 1)],
        "entrants": [EntrantInfo(name) for name in NAMES],
    }
    with pytest.raises(LookupError), Store.draft(place, **made) as draft:  # type: ignore[arg-type] # noqa: PT012 - the draft is the block
        draft.add_block("solo", BlockResult((played(0, 0),)))
        assert draft.count() == 1
        raise LookupError
    assert not Store.is_at(place)
    with Store.draft(place, **made) as draft:  # type: ignore[arg-type] # a dict of all of them
        draft.add_block("solo", BlockResult((played(0, 0),)))
    with Store.open(place) as store:
        assert store.count() == 1


def test_texts_come_back_with_every_character(store: Store) -> None:
    words = "a\0\x100\x101\x10\0\0 مها\x7f\u2028🂡\x10"
    fault = EntrantFault("di", 3, FaultCause.START, words, words)
    store.add_block("solo", BlockResult((), (fault,)))
    ruling = store.add_ruling(RulingKind.WITHDRAW, words, competition="solo", board=0, entrant="ana")
    (found,) = store.faults()
    assert (found.message, found.stderr_tail) == (words, words)
    assert store.rulings() == (ruling,)


def test_numbers_may_be_as_great_as_a_database_has_them(store: Store) -> None:
    games = tuple(played(2**40, seating, fault=True) for seating in (0, 1))
    late = replace(games[0].details[0], turn=2**40, deal=2**35)
    store.add_block("solo", BlockResult((replace(games[0], details=(late,)), games[1])))
    assert store.finished_boards("solo") == {2**40}
    assert store.has("solo", 2**40, 1)
    assert not store.has("solo", 2**63 - 1, 2**63 - 1)
    assert not store.has("solo", 10**40, 0)
    assert [(one.turn, one.deal) for one in store.faults()] == [(2**40, 2**35), (1, 0)]


def test_a_text_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "cup.db").write_text("this is a text file, longer than a header of a database\n" * 30)
    with pytest.raises(NotAStore, match="no store"):
        Store.open(tmp_path / "cup.db")


def test_another_program_s_database_is_no_store_and_stays_as_it_is(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "cup.db")
    connection.execute("CREATE TABLE song (title TEXT)")
    connection.close()
    before = (tmp_path / "cup.db").read_bytes()
    with pytest.raises(NotAStore, match="not a store"):
        Store.open(tmp_path / "cup.db")
    assert (tmp_path / "cup.db").read_bytes() == before


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    new_store(tmp_path / "cup.db").close()
    connection = sqlite3.connect(tmp_path / "cup.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreTooNew, match=r"schema 9999.*install a later version"):
        Store.open(tmp_path / "cup.db")


def test_the_migrations_make_the_tables_of_today(tmp_path: Path) -> None:
    new_store(tmp_path / "cup.db").close()
    assert store_tables.GameRow is not None
    model = create_engine("sqlite://")
    SQLModel.metadata.create_all(model)
    with model.connect() as connection:
        wanted = {
            name: connection.exec_driver_sql(f"PRAGMA table_info({name})").fetchall()
            for name in SQLModel.metadata.tables
        }
    model.dispose()
    migrated = sqlite3.connect(tmp_path / "cup.db")
    for name, columns in wanted.items():
        assert migrated.execute(f"PRAGMA table_info({name})").fetchall() == [
            tuple(column) for column in columns
        ]
    migrated.close()


def test_a_store_of_before_there_were_rulings_is_upgraded_with_all_that_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    with new_store(path) as store:
        store.add_block("solo", BlockResult((played(1, 0, fault=True), played(1, 1))))
        before = [*store.records(), *store.faults(), store.info()]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE ruling")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    with Store.open(path) as store:
        assert [*store.records(), *store.faults(), store.info()] == before
        assert store.rulings() == ()
        ruling = store.add_ruling(RulingKind.VOID, "seen", competition="solo", board=1, seating=0)
        assert store.rulings() == (ruling,)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0002",)]


def test_an_old_store_is_upgraded_while_another_program_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    new_store(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE ruling")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as threads:
            opened = [threads.submit(Store.open, path) for _ in range(3)]
            connection.execute("UPDATE tournament SET revealed = 1")
            connection.execute("COMMIT")
            for one in opened:
                with one.result() as store:
                    assert store.rulings() == ()
                    assert store.info().revealed_seed == SEED


def test_a_full_disk_is_one_clear_line_and_loses_nothing(store: Store) -> None:
    store.add_block("solo", BlockResult(whole_board(1)))
    with store._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    many = tuple(game for board in range(2, 200) for game in whole_board(board))
    with pytest.raises(StoreUnwritable, match="the disk is full"):
        store.add_block("solo", BlockResult(many))
    assert store.finished_boards("solo") == {1}


def test_a_folder_that_is_not_there_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritable, match="cannot be written"):
        new_store(tmp_path / "nowhere" / "cup.db")


def test_a_read_only_store_is_one_clear_line(store: Store) -> None:
    with store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(StoreUnwritable, match="read-only"):
        store.add_block("solo", BlockResult(whole_board(1)))


def test_a_second_run_is_refused_and_told_who_runs(place: StoreAddress) -> None:
    with new_store(place) as store, Store.open(place) as other:
        with store.run():
            with pytest.raises(StoreLocked, match=f"process {os.getpid()}") as refused, other.run():
                pass
            assert refused.value.pid == os.getpid()
            assert other.count() == 0
        with other.run():
            pass


def test_a_store_that_is_removed_or_replaced_while_it_is_written_takes_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    with new_store(path) as store:
        store.add_block("solo", BlockResult(whole_board(0)))
        away = path.rename(tmp_path / "away.db")
        with pytest.raises(StoreUnwritable, match="removed or replaced"):
            store.add_block("solo", BlockResult(whole_board(1)))
        path.write_bytes(b"another")
        with pytest.raises(StoreUnwritable, match="removed or replaced"), store.run():
            pass
        away.rename(path)
        store.add_block("solo", BlockResult(whole_board(1)))
        assert store.count() == 4


def test_the_lock_of_a_run_is_gone_with_it_and_none_is_held_twice(tmp_path: Path) -> None:
    path, lock = tmp_path / "cup.db", tmp_path / "cup.db-run"
    with new_store(path) as store, Store.open(path) as other:
        # As a run leaves it that was killed.
        lock.touch()
        with store.run():
            with pytest.raises(StoreLocked, match=f"process {os.getpid()} on "), other.run():
                pass
            assert lock.exists()
        assert not lock.exists()
        with other.run(), pytest.raises(StoreLocked), store.run():
            pass
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_store_that_another_program_writes_is_one_clear_line_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cup.db"
    monkeypatch.setattr("referee.database.sqlite._BUSY_MS", 50)
    with new_store(path) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            with pytest.raises(StoreLocked, match="another program that writes it; what is in it is safe"):  # noqa: PT012, SIM117 - the run is held before
                with store.run():
                    writer.execute("BEGIN IMMEDIATE")
                    store.add_block("solo", BlockResult(whole_board(0)))
            writer.execute("ROLLBACK")
        with store.run():
            store.add_block("solo", BlockResult(whole_board(0)))
        assert store.count() == 2


def test_an_error_in_a_run_passes_as_it_is_and_ends_the_lock(store: Store) -> None:
    with pytest.raises(FileNotFoundError), store.run():
        raise FileNotFoundError("a bot")
    with store.run():
        pass


def test_a_killed_run_loses_no_block_and_holds_no_lock(place: StoreAddress) -> None:
    new_store(place).close()
    program = f"""
        import sys
        sys.path[:0] = {sys.path!r}
        import importlib.util
        from referee.database.address import address_of
        spec = importlib.util.spec_from_file_location("test_store", {__file__!r})
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        store = module.Store.open(address_of({str(place)!r}))
        with store.run():
            store.add_block("solo", module.BlockResult(module.whole_board(5)))
            print("written", flush=True)
            sys.stdin.read()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        with Store.open(place) as store:
            with pytest.raises(StoreLocked) as refused, store.run():
                pass
            assert refused.value.pid == process.pid
        process.send_signal(signal.SIGKILL)
    with Store.open(place) as store, store.run():
        assert store.finished_boards("solo") == {5}
