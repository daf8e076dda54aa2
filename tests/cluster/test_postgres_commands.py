"""Every command on a store in a PostgreSQL database prints what it prints of the same store in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.cli import run
from referee.pages.live.watch import Watch
from referee.store import Store
from tests.referee.copies import copy
from tests.referee.pages.stores import cup

if TYPE_CHECKING:
    from pathlib import Path

    from referee.database.address import DatabaseUrl, StoreAddress
    from tests.cluster.conftest import Server

pytestmark = pytest.mark.cluster

COMPETITIONS = {
    "trix": {"game": "trix", "boards": 2},
    "pairs": {
        "game": "vytrix",
        "boards": 1,
        "teams": "same",
        "variant": {"players": 4, "target": 0, "max_hands": 1},
    },
}
#: What a bot wrote: a database has no text with its first character.
WORDS = "\0oh\x100 مها"
READING = (
    ("ratings", "CUP", "--los"),
    ("crosstable", "CUP", "--json"),
    ("games", "CUP"),
    ("games", "CUP", "--json"),
    ("faults", "CUP"),
    ("faults", "CUP", "--json"),
    ("faults", "CUP", "trix/0/0"),
    ("analyse", "CUP"),
    ("analyse", "CUP", "ana"),
    ("rule", "CUP"),
    ("rule", "CUP", "--json"),
    ("show", "CUP", "trix/1/2"),
    ("export", "CUP"),
    ("export", "CUP", "--format", "csv"),
    ("export", "CUP", "--identity"),
    ("verify", "CUP"),
    ("reproduce", "CUP", "trix/0/0", "--turn", "2", "--seat", "0", "--view"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return cup(tmp_path / "cup.db", competitions=COMPETITIONS, words=WORDS)


@pytest.fixture
def url(postgres: Server, database: str, tmp_path: Path) -> DatabaseUrl:
    return postgres.address(database, tmp_path)


def said(capsys: pytest.CaptureFixture[str], place: StoreAddress, *words: str) -> tuple[int, str, str]:
    """What a command prints, and its status; the store is called CUP in it, and lines broken elsewhere are equal."""
    capsys.readouterr()
    status = run([str(place) if word == "CUP" else word for word in words])
    found = capsys.readouterr()
    out, err = (text.replace(str(place), "CUP") for text in found)
    return status, out.replace("\n", " "), err


def test_what_commands_print_does_not_depend_on_where_the_store_is(
    file: Path, url: DatabaseUrl, capsys: pytest.CaptureFixture[str]
) -> None:
    ruling = ("rule", "CUP", "void", "trix/1/0", "--reason", "seen on the stream")
    assert said(capsys, file, *ruling)[0] == 0
    copy(file, url)
    for words in READING:
        of_file = said(capsys, file, *words)
        assert of_file[0] == 0 or words[0] == "verify", of_file
        assert said(capsys, url, *words) == of_file


def test_a_ruling_is_made_in_a_database_as_in_a_file(
    file: Path, url: DatabaseUrl, capsys: pytest.CaptureFixture[str]
) -> None:
    copy(file, url)
    for words in (
        ("void", "trix/1/0", "--reason", "seen"),
        ("forgive", "trix/0/0", "0", "--reason", "the network"),
        ("withdraw", "di", "--reason", "ill"),
        ("revoke", "1", "--reason", "a mistake"),
        ("void", "trix/99999999999999999999/0", "--reason", "x"),
    ):
        of_file, of_url = (said(capsys, place, "rule", "CUP", *words) for place in (file, url))
        assert of_url == of_file
    assert said(capsys, url, "ratings", "CUP") == said(capsys, file, "ratings", "CUP")


def test_a_report_has_the_bytes_of_that_of_the_file(
    file: Path, url: DatabaseUrl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy(file, url)
    for place, folder in ((file, "one"), (url, "two")):
        assert said(capsys, place, "report", "CUP", "-o", str(tmp_path / folder))[0] == 0
    one, two = ((tmp_path / folder / "index.html").read_text() for folder in ("one", "two"))
    assert two.replace(url.name, "cup") == one.replace("cup.db", "cup")


def test_a_database_is_watched_as_a_file_is(file: Path, url: DatabaseUrl) -> None:
    copy(file, url)
    seen = []
    for place in (file, url):
        watch = Watch(place)
        watch.open()
        try:
            seen.append((watch.now.games, watch.now.faults, watch.now.progress))
            assert watch.store.is_there
        finally:
            watch.end()
    assert seen[0] == seen[1]


@pytest.mark.parametrize("into_database", [True, False])
def test_stores_of_both_kinds_are_merged_into_either(
    file: Path,
    url: DatabaseUrl,
    postgres: Server,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    into_database: bool,
) -> None:
    other = cup(tmp_path / "other.db", competitions=COMPETITIONS)
    copy(other, url)
    # Of a database of another name the tournament would have another one, too.
    other.rename(tmp_path / f"{url.name}.db")
    both: StoreAddress = tmp_path / "both.db"
    name = postgres.make_database()
    into = postgres.address(name, tmp_path) if into_database else tmp_path / "into.db"
    run(["merge", str(both), str(file), str(tmp_path / f"{url.name}.db")])
    assert said(capsys, into, "merge", "CUP", str(file), str(url))[0] == 0
    for words in (("ratings", "CUP"), ("export", "CUP"), ("faults", "CUP", "--json"), ("verify", "CUP")):
        assert said(capsys, into, *words) == said(capsys, both, *words)
    assert said(capsys, into, "merge", "CUP", str(file), str(url)) == (2, "", "tourney: CUP exists already\n")
    postgres.drop_database(name)


def test_a_merge_that_fails_leaves_an_empty_database(
    file: Path, url: DatabaseUrl, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = said(capsys, url, "merge", "CUP", str(file), str(file))
    assert (status, error.count("\n")) == (2, 1)
    assert not Store.is_at(url)


def test_what_a_command_cannot_use_is_one_line_without_the_password(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for address, why in (
        ("mysql://ana:secret@host/cup", "a store is a file, or a database postgresql+psycopg://"),
        ("postgresql://ana:secret@127.0.0.1:1/cup", "cannot be reached"),
        ("postgresql://ana:secret@host:port/cup", "is no address of a database"),
        ("postgresql://ana:se cret@host", "names no database"),
        ("postgresql:///cup?host=/nowhere&password=secret", "no server listens at /nowhere/"),
    ):
        for words in (("ratings", address), ("run", "cup.toml", address), ("verify", address)):
            capsys.readouterr()
            assert run(list(words)) == 2
            error = capsys.readouterr().err
            assert error.count("\n") == 1
            assert "secret" not in error
            assert "cret@" not in error
            assert why in error or "extra argument" in error
