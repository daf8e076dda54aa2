"""From the first schema to the newest in a PostgreSQL database with data in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from referee import migrations
from referee.cli import run
from referee.database.base import base_of
from referee.store import Store
from tests.referee.old_stores import COMMANDS, EXPORT, TABLES, make_first, rows_of

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from referee.database.address import DatabaseUrl
    from tests.cluster.conftest import Server

pytestmark = pytest.mark.cluster


@pytest.fixture
def url(postgres: Server, database: str, tmp_path: Path) -> DatabaseUrl:
    return postgres.address(database, tmp_path)


def make_first_in(url: DatabaseUrl, file: Path) -> None:
    """The same store as the one in the file, of the first schema, in a database."""
    base = base_of(url)
    with base.drafted() as draft, draft.writing() as connection:
        migrations.upgrade(connection, "0001")
        source = base_of(file)
        with source.reading() as reading:
            for table in TABLES:
                order = " ORDER BY rowid" if table == "game" else ""
                for row in reading.exec_driver_sql(f"SELECT * FROM {table}{order}").mappings():
                    values = {
                        name: bool(value) if name == "revealed" else value for name, value in row.items()
                    }
                    places = ", ".join(f"%({name})s" for name in values)
                    connection.exec_driver_sql(
                        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", values
                    )
        source.close()
    base.close()


def rows(connection: Connection) -> dict[str, list[Any]]:
    return {table: rows_of(table, lambda query: connection.exec_driver_sql(query).all()) for table in TABLES}


def test_a_database_of_the_first_schema_is_upgraded_with_all_that_is_in_it(
    url: DatabaseUrl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = make_first(tmp_path / "cup.db")
    make_first_in(url, file)
    base = base_of(url)
    with base.reading() as connection:
        assert migrations.current(connection) == "0001"
        before = rows(connection)
    with Store.open(url) as store, store._base.reading() as connection:
        assert migrations.current(connection) == migrations.newest()
        assert rows(connection) == before
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        found = compare_metadata(context, SQLModel.metadata)
        assert [one for one in found if "rowid" not in str(one[-1].name)] == []
    base.close()
    assert run(["export", str(url)]) == 0
    assert capsys.readouterr().out == EXPORT
    for words in COMMANDS:
        said = []
        for place in (file, url):
            status = run([str(place) if word == "CUP" else word for word in words])
            said.append((status, capsys.readouterr().out.replace(str(place), "CUP")))
        assert said[0] == said[1]
