"""A store in a PostgreSQL database: what holds of every store, the lock of a run, and what a server refuses."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlmodel import SQLModel

from referee.blocks import BlockResult
from referee.database import postgres as postgres_module
from referee.database.address import DatabaseUrl
from referee.pages.live.following import Followed
from referee.store import (
    NotAStore,
    Store,
    StoreError,
    StoreExists,
    StoreLocked,
    StoreMissing,
    StoreTooNew,
    StoreUnreachable,
    StoreUnwritable,
)
from tests.referee.test_store import (  # noqa: F401 - these are run here too, with our `place`
    new_store,
    played,
    test_a_draft_that_ends_badly_never_was,
    test_a_game_is_never_written_twice_and_the_whole_block_is_refused,
    test_a_killed_run_loses_no_block_and_holds_no_lock,
    test_a_missing_store_is_not_made,
    test_a_new_store_says_what_it_was_made_with,
    test_a_second_run_is_refused_and_told_who_runs,
    test_a_store_is_made_once,
    test_an_error_in_a_run_passes_as_it_is_and_ends_the_lock,
    test_faults_are_numbered_by_game,
    test_faults_keep_their_details_and_those_at_no_table_have_no_board,
    test_games_come_back_in_order_with_their_records,
    test_numbers_may_be_as_great_as_a_database_has_them,
    test_reading_goes_on_while_another_block_is_written,
    test_rulings_come_back_in_order_with_what_they_had_seen,
    test_texts_come_back_with_every_character,
    test_the_games_of_a_board_that_was_broken_off_are_not_kept,
    test_the_master_seed_is_told_only_after_it_is_revealed,
    test_what_is_finished_is_known_by_game_and_by_board,
    whole_board,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cluster.conftest import Server

pytestmark = pytest.mark.cluster
SAFE = "what is in it is safe"


@pytest.fixture
def place(postgres: Server, database: str, tmp_path: Path) -> DatabaseUrl:
    return postgres.address(database, tmp_path)


@pytest.fixture
def store(place: DatabaseUrl) -> Iterator[Store]:
    with new_store(place) as made:
        yield made


def test_the_migrations_make_the_tables_of_today(place: DatabaseUrl) -> None:
    with new_store(place) as made, made._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, SQLModel.metadata)
    # What counts the games as they are written is SQLite's own, and so in no model.
    assert [one for one in found if "rowid" not in str(one[-1].name)] == []


def test_what_is_written_later_has_a_later_mark(store: Store) -> None:
    store.add_block("solo", BlockResult((*whole_board(7), *whole_board(3))))
    first = list(store.games_after(0))
    assert [game.board for _, game in first] == [7, 7, 3, 3]
    store.add_block("solo", BlockResult(whole_board(1)))
    assert [game.board for _, game in store.games_after(first[-1][0])] == [1, 1]


def test_a_run_is_known_while_it_goes_on_and_when_it_was_killed(store: Store) -> None:
    assert store.last_run() is None
    with store.run():
        found = store.last_run()
        assert found is not None
        assert (found.pid, found.ended, found.has_lock) == (os.getpid(), None, True)
        with store._base.writing() as connection:
            connection.exec_driver_sql("UPDATE run SET ended = NULL")
    with store._base.writing() as connection:
        connection.exec_driver_sql("UPDATE run SET ended = NULL")
    killed = store.last_run()
    assert killed is not None
    assert (killed.ended, killed.has_lock) == (None, False)


def test_a_followed_store_sees_what_another_connection_writes(store: Store) -> None:
    store.add_block("solo", BlockResult((played(1, 0, fault=True), played(1, 1))))
    with Followed.follow(store.path) as followed:
        assert (len(followed.log), len(followed.fault_log)) == (2, 1)
        store.add_block("solo", BlockResult(whole_board(2)))
        followed.catch_up()
        assert [game.board for game in followed.log] == [1, 1, 2, 2]
        assert followed.is_there


def test_what_a_run_writes_goes_through_the_connection_that_holds_it(
    store: Store, postgres: Server, database: str
) -> None:
    with pytest.raises(StoreUnreachable, match=f"connection was ended by the server.*{SAFE}"):  # noqa: PT012, SIM117 - the run is held before
        with store.run():
            store.add_block("solo", BlockResult(whole_board(1)))
            end_connections(postgres, database)
            store.add_block("solo", BlockResult(whole_board(2)))
    assert store.finished_boards("solo") == {1}


def test_a_run_that_lost_its_connection_writes_nothing_more_while_another_runs(
    store: Store, postgres: Server, database: str
) -> None:
    with pytest.raises(StoreUnwritable, match="the hold on the store with it"):  # noqa: PT012, SIM117 - as above
        with store.run():
            end_connections(postgres, database)
            with pytest.raises(StoreUnreachable):
                store.add_block("solo", BlockResult(whole_board(1)))
            with Store.open(store.path) as other, other.run():
                other.add_block("solo", BlockResult(whole_board(1)))
                store.add_block("solo", BlockResult(whole_board(2)))
    assert store.finished_boards("solo") == {1}


def test_a_server_that_dies_in_the_middle_of_a_run_is_one_clear_line_and_loses_nothing(
    store: Store, postgres: Server
) -> None:
    try:
        with pytest.raises(StoreUnreachable, match=SAFE) as refused:  # noqa: PT012, SIM117 - as above
            with store.run():
                store.add_block("solo", BlockResult(whole_board(1)))
                postgres.stop(signal.SIGQUIT)
                store.add_block("solo", BlockResult(whole_board(2)))
        with pytest.raises(StoreUnreachable, match="no server listens at"):
            store.count()
    finally:
        postgres.start()
    assert "\n" not in str(refused.value)
    assert store.finished_boards("solo") == {1}
    with store.run():
        store.add_block("solo", BlockResult(whole_board(2)))


def test_who_makes_a_store_at_the_same_time_finds_it_made(place: DatabaseUrl) -> None:
    with ThreadPoolExecutor(4) as threads:
        tries = [threads.submit(new_store, place) for _ in range(4)]
        errors = [one.exception() for one in tries]
    made = [one.result() for one, error in zip(tries, errors, strict=True) if error is None]
    for one in made:
        one.close()
    assert len(made) == 1
    assert {type(error) for error in errors if error} == {StoreExists}


def test_a_database_with_other_tables_is_refused_and_stays_as_it_is(
    place: DatabaseUrl, postgres: Server, database: str
) -> None:
    with postgres.connect(database) as connection:
        connection.execute("CREATE TABLE song (title TEXT)")
    for attempt in (Store.open, Store.is_at, new_store):
        with pytest.raises(NotAStore, match=r"not a store of this program: it has a table 'song'"):
            attempt(place)
    with postgres.connect(database) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert found == [("song",)]


def test_a_view_of_the_organiser_s_beside_our_tables_is_no_matter(
    store: Store, postgres: Server, database: str
) -> None:
    with postgres.connect(database) as connection:
        connection.execute("CREATE VIEW busy AS SELECT board FROM game")
    with Store.open(store.path) as again:
        assert again.count() == 0


def test_two_stores_may_lie_in_two_schemas_of_a_database_and_be_held_at_once(
    postgres: Server, database: str, tmp_path: Path
) -> None:
    stores = []
    with postgres.connect(database) as connection:
        for name in ("spring", "autumn"):
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
            url = postgres.url(database, more=f"&options=-csearch_path%3D{name}")
            stores.append(new_store(DatabaseUrl.read(url, tmp_path)))
    spring, autumn = stores
    with spring, autumn, spring.run(), autumn.run():
        spring.add_block("solo", BlockResult(whole_board(1)))
        assert (spring.count(), autumn.count()) == (2, 0)


def test_a_store_of_a_later_version_is_refused(store: Store) -> None:
    with store._base.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreTooNew, match=r"schema 9999.*install a later version"):
        Store.open(store.path)


def test_a_store_that_is_removed_or_replaced_while_it_is_written_takes_nothing_more(
    store: Store, postgres: Server, database: str
) -> None:
    empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
    with postgres.connect(database) as connection:
        connection.execute(empty)
    with pytest.raises(StoreMissing, match="no store any more"):
        store.add_block("solo", BlockResult(whole_board(1)))
    with new_store(store.path) as other:
        with pytest.raises(StoreUnwritable, match="removed or replaced"):
            store.add_block("solo", BlockResult(whole_board(1)))
        assert other.count() == 0


def test_who_may_only_read_can_read_and_is_told_so_when_it_writes(
    store: Store, postgres: Server, database: str, tmp_path: Path
) -> None:
    store.add_block("solo", BlockResult(whole_board(1)))
    with postgres.connect(database) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
        connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    url = DatabaseUrl.read(postgres.url(database, user="reader"), tmp_path)
    with Store.open(url) as read_only:
        assert len(list(read_only.games())) == 2
        with pytest.raises(StoreUnwritable, match="may not be used like that by this user"), read_only.run():
            pass
    with postgres.connect(database) as connection:
        connection.execute("DROP OWNED BY reader")
        connection.execute("DROP ROLE reader")


def test_a_read_only_database_is_one_clear_line(store: Store, postgres: Server, database: str) -> None:
    with postgres.connect() as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(
                sql.Identifier(database)
            )
        )
    with (
        Store.open(store.path) as again,
        pytest.raises(StoreUnwritable, match=f"is read-only.*{SAFE}"),
        again.run(),
    ):
        pass


def test_a_store_that_another_program_holds_is_one_clear_line(
    store: Store, postgres: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres_module._SETTINGS, "lock_timeout", "50ms")
    with postgres.connect(database) as connection, connection.transaction():
        connection.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        with Store.open(store.path) as other, pytest.raises(StoreLocked, match=f"another program.*{SAFE}"):
            other.add_block("solo", BlockResult(whole_board(1)))
    assert store.count() == 0


def test_a_database_that_cannot_hold_every_name_is_refused(postgres: Server, tmp_path: Path) -> None:
    name = postgres.make_database("narrow", encoding="SQL_ASCII")
    with pytest.raises(StoreError, match="encoding UTF8"):
        new_store(postgres.address(name, tmp_path))
    postgres.drop_database(name)


def test_what_is_not_there_is_named(postgres: Server, tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="no such database; `createdb` makes one"):
        Store.open(postgres.address("nowhere", tmp_path))
    closed = DatabaseUrl.read("postgresql://ana:secret@127.0.0.1:1/cup", tmp_path)
    with pytest.raises(
        StoreUnreachable, match=r"^postgresql://ana:\*\*\*@127.0.0.1:1/cup cannot be reached: .*refused"
    ):
        Store.open(closed)


def test_a_password_is_taken_from_where_libpq_finds_it_and_never_shown(
    postgres: Server, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.connect(database) as connection:
        connection.execute("DROP ROLE IF EXISTS ana")
        connection.execute("CREATE ROLE ana LOGIN PASSWORD 's3cret'")
        connection.execute("GRANT ALL ON SCHEMA public TO ana")
    url = f"postgresql+psycopg://ana@127.0.0.1:{postgres.port}/{database}"
    with pytest.raises(StoreUnreachable, match="asks for a password: set PGPASSWORD"):
        Store.open(DatabaseUrl.read(url, tmp_path))
    wrong = DatabaseUrl.read(url.replace("ana@", "ana:mellon@"), tmp_path)
    with pytest.raises(StoreUnreachable, match="wrong password") as refused:
        Store.open(wrong)
    assert "mellon" not in f"{refused.value}{wrong}{wrong!r}"
    with new_store(DatabaseUrl.read(url.replace("ana@", "ana:s3cret@"), tmp_path)) as made:
        assert "s3cret" not in f"{made.path}{made._engine!r}"
    monkeypatch.setenv("PGPASSWORD", "s3cret")
    Store.open(DatabaseUrl.read(url, tmp_path)).close()
    monkeypatch.delenv("PGPASSWORD")
    passwords = tmp_path / "passwords"
    passwords.write_text(f"127.0.0.1:{postgres.port}:*:ana:s3cret\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    Store.open(DatabaseUrl.read(url, tmp_path)).close()
    with postgres.connect(database) as connection:
        connection.execute("DROP OWNED BY ana")
        connection.execute("DROP ROLE ana")


def end_connections(postgres: Server, database: str) -> None:
    """End what is connected to a database, as its master may."""
    with postgres.connect() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [database]
        )
