"""A store that is followed while it is written: what came after a mark, and whose run it is."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.store import Store
from tests.referee.pages.stores import cup

if TYPE_CHECKING:
    from pathlib import Path

ONE = {"trix": {"game": "trix", "boards": 2}}


def test_what_comes_after_a_mark_is_what_was_written_later(tmp_path: Path) -> None:
    with Store.open(cup(tmp_path / "cup.db", competitions=ONE, words="oh")) as store:
        games = list(store.games_after(0))
        assert sorted((game for _, game in games), key=lambda game: game.name) == list(store.games())
        assert list(store.games_after(games[2][0])) == games[3:]
        faults = list(store.faults_after(0))
        assert {fault for _, fault in faults} == set(store.faults())
        assert list(store.faults_after(faults[-1][0])) == []


def test_a_run_is_known_while_it_goes_on_and_after_its_end(tmp_path: Path) -> None:
    with Store.open(cup(tmp_path / "cup.db", competitions=ONE)) as store:
        assert store.last_run() is None
        with store.run():
            found = store.last_run()
            assert found is not None
            assert (found.pid, found.ended, found.has_lock) == (os.getpid(), None, True)
        after = store.last_run()
        assert after is not None
        assert after.ended is not None
        assert after == replace(found, ended=after.ended, has_lock=False)
