"""Tables that are kept: the same letters, never after a change, and never in the way."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli import kept, results
from referee.merge import read
from referee.rulings import RulingKind
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from referee.joining import Results

    Tourney = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept tables; the smallest are kept in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept, "LEAST_GAMES", 0)
    return tmp_path / "cache" / "cardtable" / "tables"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grows with every table that is made and not found."""
    count: list[None] = []

    def counted(*stores: Store) -> Results:
        count.append(None)
        return read(*stores)

    monkeypatch.setattr(results, "read", counted)
    return count


@pytest.fixture
def cup(make_cup: Callable[..., Path], folder: Path) -> Path:  # noqa: ARG001 - before anything is printed
    return make_cup("cup.db", boards=6, faults=[(0, 0, 1)], forfeits=[(1, 0, 2)])


@pytest.mark.parametrize("options", [(), ("--json",), ("--los",), ("-c", "trix", "--los")])
def test_a_kept_table_is_the_table_to_the_letter(
    cup: Path, tourney: Tourney, made: list[None], options: tuple[str, ...]
) -> None:
    first = tourney("ratings", cup, *options)
    assert len(made) == 1
    assert tourney("ratings", cup, *options) == first
    assert len(made) == 1
    assert tourney("ratings", cup, *options, "--no-cache") == first
    assert len(made) == 2


def test_each_question_has_its_own_table(cup: Path, tourney: Tourney, made: list[None]) -> None:
    texts = {tourney("ratings", cup, *options) for options in ((), ("--json",), ("--los",))}
    assert len(texts) == len(made) == 3


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        (RulingKind.VOID, {"competition": "trix", "board": 2, "seating": 0}),
        (RulingKind.FORGIVE, {"competition": "trix", "board": 0, "seating": 0, "entrant": "bo"}),
        (RulingKind.WITHDRAW, {"competition": "trix", "board": 1, "entrant": "di"}),
    ],
)
def test_every_ruling_makes_a_new_table(
    cup: Path, tourney: Tourney, made: list[None], kind: RulingKind, parts: dict[str, Any]
) -> None:
    before = tourney("ratings", cup)
    with Store.open(cup) as store, store.run():
        store.add_ruling(kind, "so be it", **parts)
    after = tourney("ratings", cup)
    assert after != before
    assert len(made) == 2
    assert tourney("ratings", cup, "--no-cache") == after


def test_another_store_beside_it_and_a_score_that_is_changed_by_hand_make_new_tables(
    cup: Path, make_cup: Callable[..., Path], tourney: Tourney, made: list[None]
) -> None:
    first = tourney("ratings", cup)
    tourney("ratings", cup, make_cup("other.db"))
    assert len(made) == 2
    with sqlite3.connect(cup) as connection:
        connection.execute("UPDATE game SET scores = '[900, 0, 0, 0]' WHERE board = 0")
    connection.close()
    assert tourney("ratings", cup) != first
    assert len(made) == 3


def test_other_code_makes_new_tables(
    cup: Path, tourney: Tourney, made: list[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tourney("ratings", cup)
    monkeypatch.setattr(kept, "_code", lambda: ["later"])
    assert tourney("ratings", cup) == first
    assert len(made) == 2


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\xff\xfe\n\x00", b"0" * 64 + b"\nforged\n"])
def test_a_damaged_table_is_made_anew(
    cup: Path, tourney: Tourney, made: list[None], folder: Path, damage: bytes
) -> None:
    first = tourney("ratings", cup)
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert tourney("ratings", cup) == first
    assert tourney("ratings", cup) == first
    assert len(made) == 2


def test_a_folder_that_cannot_be_written_is_no_trouble(
    cup: Path, tourney: Tourney, made: list[None], folder: Path
) -> None:
    folder.parent.mkdir(parents=True)
    folder.touch()
    assert tourney("ratings", cup) == tourney("ratings", cup)
    assert len(made) == 2


def test_old_tables_make_room(
    cup: Path, tourney: Tourney, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_TABLES", 2)
    for options in ((), ("--json",), ("--los",)):
        tourney("ratings", cup, *options)
    assert len(list(folder.iterdir())) == 2


def test_nothing_is_kept_of_few_games(
    cup: Path, tourney: Tourney, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "LEAST_GAMES", 25)
    tourney("ratings", cup)
    assert not list(folder.iterdir())


def test_what_cannot_be_made_is_not_kept(cup: Path, tourney: Tourney, folder: Path) -> None:
    for _ in range(2):
        assert "no competition" in tourney("ratings", cup, "-c", "bridge", status=2)
    assert not list(folder.iterdir())
