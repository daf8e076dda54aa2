"""A store that is followed: what is read again, what is told of boards under way, and which file it is."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

from referee.merge import read
from referee.pages.live.following import Followed
from referee.rulings import RulingKind
from referee.store import NotAStore, Store
from tests.referee.pages.live import rest_of
from tests.referee.pages.stores import ONE, SMALL, cup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LAST = "SELECT * FROM game WHERE board = 1 AND seating = 3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return cup(tmp_path / "cup.db", competitions=ONE, words="oh")


@pytest.fixture
def store(path: Path) -> Iterator[Followed]:
    with Followed.follow(path) as followed:
        yield followed


def _change(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_results_are_those_of_the_store(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=SMALL)
    with Followed.follow(path) as followed, Store.open(path) as store:
        _, results = followed.results()
        assert results == read(store)
        assert list(followed.games("vytrix")) == list(store.games("vytrix"))


def test_what_was_read_once_is_not_read_again(path: Path, store: Followed) -> None:
    _, before = store.results()
    _change(path, "UPDATE game SET scores = 'damaged' WHERE board = 0")
    with Store.open(path) as fresh, pytest.raises(NotAStore):
        read(fresh)
    store.catch_up()
    _, after = store.results()
    assert after == before


def test_what_is_written_later_is_added(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, most=1, over=False)
    with Followed.follow(path) as followed, Store.open(path) as store:
        cut, before = followed.results()
        for name, block in rest_of(path, store):
            store.add_block(name, block)
        followed.catch_up()
        # The cut stays as it was, until results are made of a later one.
        assert list(followed.games()) == list(before.sources[0].games)
        later, after = followed.results()
        assert (cut.games, later.games) == (4, 8)
        assert after == read(store)


def test_rulings_and_the_seed_are_told_as_of_the_cut(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, over=False)
    with Followed.follow(path) as followed, Store.open(path) as store:
        followed.results()
        store.add_ruling(RulingKind.VOID, "seen", competition="trix", board=0, seating=0)
        store.reveal_seed()
        followed.catch_up()
        assert (followed.rulings(), followed.info().revealed_seed) == ((), None)
        followed.results()
        assert len(followed.rulings()) == 1
        assert followed.info().revealed_seed is not None


def test_a_board_is_told_when_all_its_seatings_are_there(path: Path) -> None:
    _change(path, f"CREATE TABLE kept AS {LAST}", "DELETE FROM game WHERE board = 1 AND seating = 3")
    with Followed.follow(path) as followed:
        assert {game.board for game in followed.log} == {0}
        assert {fault.board for fault in followed.fault_log} == {None, 0}
        assert followed.find("trix", 1, 0) is None
        _change(path, "INSERT INTO game SELECT * FROM kept")
        followed.catch_up()
        assert len(followed.log) == 8
        assert {fault.board for fault in followed.fault_log} == {None, 0, 1}
        found = followed.find("trix", 1, 3)
        assert found is not None
        assert found.name == "trix/1/3"


def test_questions_and_output_of_faults_are_forgotten(store: Followed) -> None:
    assert store.fault_log
    assert {(fault.view, fault.stderr_tail) for fault in store.fault_log} == {("", "")}


def test_a_file_that_was_removed_or_replaced_is_not_there(path: Path, store: Followed) -> None:
    assert store.is_there
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.replace(path)
    assert not store.is_there
    path.unlink()
    assert not store.is_there
