"""From the first released schema to the newest with data in it: nothing is lost, and all is as in a store made today."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from referee import migrations
from referee.cli import run
from referee.rulings import RulingKind
from referee.store import Store
from tests.referee.copies import copy
from tests.referee.old_stores import COMMANDS, EXPORT, TABLES, make_first, rows_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return make_first(tmp_path / "cup.db")


def test_every_row_of_the_first_schema_is_there_after_all_steps(first: Path) -> None:
    with closing(sqlite3.connect(first)) as connection:
        before = {table: rows_of(table, connection.execute) for table in TABLES}
    assert all(before.values())
    Store.open(first).close()
    with closing(sqlite3.connect(first)) as connection:
        assert {table: rows_of(table, connection.execute) for table in TABLES} == before
        version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert version == [(migrations.newest(),)]


def test_an_upgraded_store_has_the_tables_of_one_that_is_made_today(first: Path, tmp_path: Path) -> None:
    copy(first, tmp_path / "new.db")
    with (
        closing(sqlite3.connect(first)) as upgraded,
        closing(sqlite3.connect(tmp_path / "new.db")) as made,
    ):
        tables = [name for (name,) in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in tables:
            info = f"PRAGMA table_info({name})"
            assert upgraded.execute(info).fetchall() == made.execute(info).fetchall()
            indices = f"PRAGMA index_list({name})"
            assert upgraded.execute(indices).fetchall() == made.execute(indices).fetchall()


@pytest.mark.long
def test_commands_print_of_an_upgraded_store_what_they_print_of_one_that_is_made_today(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(first)]) == 0
    assert capsys.readouterr().out == EXPORT
    (tmp_path / "new").mkdir()
    copy(first, tmp_path / "new" / "cup.db")
    for words in COMMANDS:
        found = []
        for place in (first, tmp_path / "new" / "cup.db"):
            status = run([str(place) if word == "CUP" else word for word in words])
            assert status == 0 or words[0] == "verify"
            found.append((status, capsys.readouterr().out.replace(str(place), "CUP")))
        assert found[0] == found[1]
        assert found[0][1]


def test_an_upgraded_store_takes_what_is_new(first: Path) -> None:
    with Store.open(first) as store, store.run():
        ruling = store.add_ruling(RulingKind.VOID, "seen", competition="trix", board=0, seating=0)
        assert store.rulings() == (ruling,)
