"""Whole runs of `tourney run` into a PostgreSQL database: the same bytes as in a file, and nothing lost by a kill."""

from __future__ import annotations

import signal
import socket
import sys
from typing import TYPE_CHECKING

import pytest

from referee.cli import run as command
from referee.store import Store
from tests.e2e.test_resume import FAULTY, cup, detaching, many_cups, run, thinking
from tests.runs import results, tourney, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cluster.conftest import Server

pytestmark = pytest.mark.cluster


def test_a_run_gives_the_bytes_of_one_into_a_file(tmp_path: Path, postgres_url: str) -> None:
    many_cups(tmp_path, detaching(tmp_path))
    tourney("run", "cup.toml", "--jobs", 2, cwd=tmp_path)
    said = tourney("run", "cup.toml", "--jobs", 1, "--store", postgres_url, cwd=tmp_path)
    assert f"Results go to {postgres_url}" in said
    assert results(tmp_path, postgres_url) == results(tmp_path, "cup.db")
    database = postgres_url.partition("@/")[2].partition("?")[0]
    assert f"{tmp_path}/{database}-logs/ana.0." in tourney("logs", postgres_url, "ana", cwd=tmp_path)


def test_a_run_that_is_killed_goes_on_with_nothing_lost_or_doubled(tmp_path: Path, postgres_url: str) -> None:
    many_cups(tmp_path, detaching(tmp_path), number=4)
    tourney("run", "cup.toml", "--jobs", 2, cwd=tmp_path)
    for _ in range(2):
        with run(tmp_path, "--store", postgres_url, "--jobs", 1) as running:
            running.until("games/s")
            running.process.kill()
            running.rest()
            until(running.is_gone, seconds=10)
    lines = tourney("export", postgres_url, cwd=tmp_path).splitlines()
    assert len(set(lines)) == len(lines) > 0
    tourney("run", "cup.toml", "--store", postgres_url, "--jobs", 2, cwd=tmp_path)
    assert results(tmp_path, postgres_url) == results(tmp_path, "cup.db")


def test_a_second_run_is_refused_by_name_until_the_first_is_dead(tmp_path: Path, postgres_url: str) -> None:
    cup(tmp_path, FAULTY, "hang", 1)
    with run(tmp_path, "--jobs", 1, "--store", postgres_url) as first:
        until(lambda: thinking(first))
        said = tourney("run", "cup.toml", "--store", postgres_url, cwd=tmp_path, status=2)
        assert f"is being written by process {first.process.pid} on {socket.gethostname()}" in said
        assert said.count("\n") == 1
        first.process.kill()
        until(first.is_gone, seconds=5)
    with run(tmp_path, "--jobs", 1, "--store", postgres_url) as second:
        until(lambda: thinking(second))
        second.press()
        assert "Going on with" in second.rest()


def test_a_server_that_is_gone_in_the_middle_ends_the_run_with_one_line(
    tmp_path: Path, postgres: Server, postgres_url: str
) -> None:
    many_cups(tmp_path, detaching(tmp_path), number=4)
    with run(tmp_path, "--jobs", 1, "--store", postgres_url) as running:
        running.until("games/s")
        try:
            postgres.stop(signal.SIGQUIT)
            said = running.rest()
        finally:
            postgres.start()
        assert running.process.returncode == 2, said
        until(running.is_gone, seconds=5)
    (line,) = (line for line in said.splitlines() if line.startswith("tourney: "))
    assert "what is in it is safe" in line
    assert "Traceback" not in said
    tourney("run", "cup.toml", "--store", postgres_url, "--jobs", 2, cwd=tmp_path)
    assert f"{postgres_url} holds" in tourney("verify", postgres_url, cwd=tmp_path)


def test_the_file_names_the_database_and_its_password_stays_secret(
    tmp_path: Path, postgres: Server, database: str
) -> None:
    with postgres.connect(database) as connection:
        connection.execute("DROP ROLE IF EXISTS bo")
        connection.execute("CREATE ROLE bo LOGIN PASSWORD 's3cret'")
        connection.execute("GRANT ALL ON SCHEMA public TO bo")
    file = cup(tmp_path, detaching(tmp_path), boards=1)
    url = f"postgresql+psycopg://bo:s3cret@127.0.0.1:{postgres.port}/{database}"
    file.write_text(f'[tournament]\nstore = "{url}"\n' + file.read_text())
    said = tourney("run", "cup.toml", cwd=tmp_path)
    shown = url.replace("s3cret", "***")
    assert f"Results go to {shown}" in said
    said += tourney("verify", "cup.toml", cwd=tmp_path)
    for kept in tmp_path.rglob("*"):
        if kept.is_file() and kept != file:
            said += kept.read_text()
    with Store.open(postgres.address(database, tmp_path)) as store:
        said += store.info().config
    assert "s3cret" not in said
    with postgres.connect(database) as connection:
        connection.execute("DROP OWNED BY bo")
        connection.execute("DROP ROLE bo")


def test_without_the_extra_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert command(["ratings", "postgresql+psycopg://ana@host/cup"]) == 2
    assert capsys.readouterr().err == (
        "tourney: a store in PostgreSQL needs the package psycopg: pip install 'cardtable-referee[postgres]'\n"
    )
