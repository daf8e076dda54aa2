from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from shutil import copy
from typing import TYPE_CHECKING

import pytest

from referee.boards import Board
from referee.cli.results import print_ratings
from referee.errors import RefereeError
from referee.merge import read
from referee.standings import boards_of, inseparable, overall, standings
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from referee.stored import StoredGame

    Make = Callable[..., Path]


def ratings(capsys: pytest.CaptureFixture[str], path: Path) -> str:
    capsys.readouterr()
    print_ratings([path], None, as_json=True)
    return capsys.readouterr().out


def board(number: int, groups: tuple[tuple[str, ...], ...]) -> Board:
    points = {name: float(place) for place, group in enumerate(groups) for name in group}
    return Board("trix", number, points, points, groups, 1)


@pytest.mark.usefixtures("rate_once")
def test_shuffling_the_stored_games_changes_no_byte(
    make_cup: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = make_cup(
        "cup.db",
        bots=dict.fromkeys(("ana", "bo", "cy", "di", "eve", "flo"), ""),
        competitions={"trix": {}, "places": {"score": "places"}},
        faults=[(1, 2, 3), (3, 0, 0)],
        forfeits=[(1, 2, 3), (2, 0, 1)],
        disqualify_after=2,
        boards=8,
    )
    wanted = ratings(capsys, whole)
    shuffled = tmp_path / "shuffled" / "cup.db"
    shuffled.parent.mkdir()
    copy(whole, shuffled)
    rng = random.Random(1)
    for _ in range(100):
        with closing(sqlite3.connect(shuffled)) as connection, connection:
            for table in ("game", "fault"):
                rows = connection.execute(f"SELECT * FROM {table}").fetchall()
                connection.execute(f"DELETE FROM {table}")
                rng.shuffle(rows)
                if table == "fault":
                    rows = [(number, *row[1:]) for number, row in enumerate(rows, 1)]
                connection.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
        assert ratings(capsys, shuffled) == wanted


def test_the_order_of_the_entrants_in_the_file_changes_nothing(
    make_cup: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_cup("cup.db", bots=dict.fromkeys(("ana", "bo", "cy", "di", "eve"), ""), boards=6)
    wanted = ratings(capsys, path)
    new = [3, 0, 4, 2, 1]
    with closing(sqlite3.connect(path)) as connection, connection:
        names = dict(connection.execute("SELECT id, name FROM entrant"))
        connection.execute("UPDATE entrant SET id = id + 100, name = name || '!'")
        for old, number in enumerate(new):
            connection.execute(
                "UPDATE entrant SET id = ?, name = ? WHERE id = ?", (number, names[old], old + 100)
            )
        for key, seats in connection.execute("SELECT rowid, seats FROM game").fetchall():
            moved = json.dumps([new[entrant] for entrant in json.loads(seats)])
            connection.execute("UPDATE game SET seats = ? WHERE rowid = ?", (moved, key))
        (config,) = connection.execute("SELECT config FROM tournament").fetchone()
        identity = json.loads(config)
        identity["bots"].reverse()
        connection.execute("UPDATE tournament SET config = ?", (json.dumps(identity),))
    with Store.open(path) as store:
        assert [info.name for info in store.entrants] == ["bo", "eve", "di", "ana", "cy"]
    assert ratings(capsys, path) == wanted


def test_the_games_of_a_store_are_read_once(make_cup: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    whole = Store.games

    def games(store: Store, competition: str | None = None) -> Iterator[StoredGame]:
        reads.append(competition)
        return whole(store, competition)

    monkeypatch.setattr(Store, "games", games)
    print_ratings([make_cup("cup.db", faults=[(0, 0, 0)])], None, los=True, as_json=False)
    assert reads == [None]


def test_a_table_counts_games_boards_and_faults_and_tells_the_gain_of_rotations(make_cup: Make) -> None:
    with Store.open(make_cup("cup.db", faults=[(0, 0, 0), (0, 1, 0)])) as store:
        one = store.competitions[0]
        whole, clean = standings(store, one), standings(store, one, faulted=False)
        assert len(boards_of(store, one)) == 4
    assert (whole.boards, whole.games, whole.faults, whole.faulted) == (4, 16, 3, 1)
    # The fault at no table belongs to no board.
    assert (clean.boards, clean.games, clean.faults, clean.faulted) == (3, 12, 1, 0)
    assert whole.rotation_gain is None, "four boards are too few"
    assert whole.partners == "none"
    with Store.open(make_cup("longer.db", boards=10)) as store:
        gain = standings(store, store.competitions[0]).rotation_gain
    assert gain is not None
    assert gain > 0


def test_without_rotations_there_is_no_gain_to_tell(make_cup: Make) -> None:
    single = {"trix": {"rotations": "none", "seatings": 1}}
    with Store.open(make_cup("cup.db", competitions=single)) as store:
        assert standings(store, store.competitions[0]).rotation_gain is None


def test_boards_of_those_that_left_can_be_kept_out(make_cup: Make) -> None:
    bots = dict.fromkeys(("ana", "bo", "cy", "di", "eve"), "")
    path = make_cup("cup.db", bots=bots, boards=12, forfeits=[(0, 0, 0), (1, 0, 1)], disqualify_after=1)
    with Store.open(path) as store:
        results = read(store)
    gone = {one.entrant for one in results.left}
    assert gone
    for table in (
        standings(results, results.contests[0].info, departed=False),
        overall(results, departed=False),
    ):
        assert gone.isdisjoint(table.names)
        assert table.boards < len(results.contests[0].boards)


def test_all_competitions_together_have_a_table_without_points(make_cup: Make) -> None:
    path = make_cup("cup.db", competitions={"trix": {}, "places": {"score": "places"}})
    with Store.open(path) as store:
        table = overall(store)
    assert (table.scored_by, table.boards, table.cross) == (None, 8, {})
    assert all(row.per_game is None for row in table.rows)


def test_an_unknown_competition_is_told(make_cup: Make) -> None:
    with Store.open(make_cup("cup.db")) as store, pytest.raises(RefereeError, match="there are trix"):
        read(store).contest("vytrix")


def test_partners_that_always_play_together_cannot_be_told_apart() -> None:
    fixed = [board(0, (("ana", "bo"), ("cy", "di"))), board(1, (("ana", "bo"), ("cy", "eve")))]
    assert inseparable(fixed) == (("ana", "bo"),)
    whist = [
        board(0, (("ana", "bo"), ("cy", "di"))),
        board(1, (("ana", "cy"), ("bo", "di"))),
        board(2, (("ana", "di"), ("bo", "cy"))),
    ]
    assert inseparable(whist) == ()
    assert inseparable([board(0, (("ana",), ("bo",)))]) == ()


def test_a_table_says_of_partners_what_it_can(make_cup: Make) -> None:
    pairs = {"trix": {"variant": {"partners": True}, "rotations": "none", "seatings": 1}}
    with Store.open(make_cup("one.db", competitions=pairs, boards=1)) as store:
        few = standings(store, store.competitions[0])
    with Store.open(make_cup("many.db", competitions=pairs, boards=30)) as store:
        many = standings(store, store.competitions[0])
    assert (few.partners, len(few.inseparable)) == ("fixed", 2)
    assert (many.partners, many.inseparable) == ("changing", ())
    assert len({row.rating for row in many.rows}) == 4
