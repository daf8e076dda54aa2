from __future__ import annotations

import json
import sqlite3
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from referee.cli.results import merge_cups, print_crosstable, print_games, print_ratings
from referee.errors import RefereeError
from referee.joining import Departure, JoinError
from referee.merge import merge_stores, read, sources_of
from referee.rulings import RulingKind
from referee.standings import counted_games, standings
from referee.store import NotAStore, Store, StoreError, StoreExists

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from referee.joining import Results

    Make = Callable[..., Path]

OTHER = {"ana": "", "bo": "new files", "cy": "", "flo": ""}


def read_all(*paths: Path) -> Results:
    stores = [Store.open(path) for path in paths]
    results = read(*stores)
    for store in stores:
        store.close()
    return results


def ratings(capsys: pytest.CaptureFixture[str], *paths: Path) -> str:
    capsys.readouterr()
    print_ratings(paths, None, as_json=True)
    return capsys.readouterr().out


def test_the_same_entrant_has_the_same_name_and_the_same_hash(make_cup: Make) -> None:
    results = read_all(make_cup("one.db"), make_cup("two.db", bots=OTHER))
    assert [info.name for info in results.entrants] == ["ana", "bo (one)", "bo (two)", "cy", "di", "flo"]
    assert len(results.notes) == 2
    assert results.notes[0].startswith("bo (one) is bo of one")


def test_names_are_unique_also_without_case_and_beside_a_name_that_looks_like_one_made_here(
    make_cup: Make,
) -> None:
    results = read_all(
        make_cup("one.db"),
        make_cup("two.db", bots={"Ana": "", "bo": "", "cy": "", "di": ""}),
        make_cup("three.db", bots={"ana (ONE)": "", "bo": "", "cy": "", "di": ""}),
    )
    names = [info.name for info in results.entrants]
    assert names == ["Ana (two)", "ana (ONE)", "ana (one)-2", "bo", "cy", "di"]
    assert len({name.casefold() for name in names}) == len(names)


def test_files_of_the_same_name_are_told_apart(make_cup: Make) -> None:
    results = read_all(make_cup("x/cup.db", seed="x"), make_cup("y/cup.db", seed="y", bots=OTHER))
    assert {source.name for source in results.sources} == {"cup", "cup-2"}
    assert {"bo (cup)", "bo (cup-2)"} < {info.name for info in results.entrants}


def test_competitions_of_the_same_terms_are_joined_whatever_they_are_called(make_cup: Make) -> None:
    one, two = make_cup("one.db", boards=3), make_cup("two.db", competitions={"hearts": {}}, boards=2)
    results = read_all(one, two)
    assert [contest.info.name for contest in results.contests] == ["hearts"]
    assert [board.number for board in results.contests[0].boards] == [0, 1, 2, 3, 4]
    assert results.notes == ()


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"score": "places"}, 'score "places" and "points"'),
        ({"variant": {"max_voids": 0}}, "max_voids"),
        ({"rotations": "none", "seatings": 1}, 'seatings 1 and 4, rotations "none" and "cyclic"'),
        ({"teams": "whist"}, "teams"),
    ],
)
def test_competitions_of_other_terms_are_kept_apart_and_it_is_said_why(
    make_cup: Make, terms: dict[str, object], said: str
) -> None:
    results = read_all(make_cup("two.db"), make_cup("one.db", competitions={"trix": terms}))
    assert [contest.info.name for contest in results.contests] == ["trix (one)", "trix (two)"]
    assert results.notes[0].startswith("trix (one) and trix (two) are kept apart: ")
    assert said in results.notes[0] or said.replace("1 and 4", "4 and 1") in results.notes[0]


def test_two_competitions_of_one_tournament_are_never_joined_to_each_other(make_cup: Make) -> None:
    both: dict[str, dict[str, object]] = {"morning": {}, "evening": {}}
    results = read_all(make_cup("one.db", competitions=both), make_cup("two.db", competitions=both))
    assert [contest.info.name for contest in results.contests] == ["evening", "morning"]
    assert [len(contest.boards) for contest in results.contests] == [8, 8]


def test_a_single_store_keeps_its_names_numbers_and_order(make_cup: Make) -> None:
    path = make_cup("one.db", competitions={"trix": {}, "second": {"score": "places"}})
    results = read_all(path)
    assert [contest.info.name for contest in results.contests] == ["trix", "second"]
    with Store.open(path) as store:
        assert counted_games(results) == list(store.games())


@pytest.mark.usefixtures("rate_once")
def test_ratings_of_stores_are_those_of_the_merged_store_in_any_order(
    make_cup: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cups = (
        make_cup("one.db", forfeits=[(0, 0, 0), (0, 1, 1), (1, 1, 2)], disqualify_after=1),
        make_cup("two.db", bots=OTHER, faults=[(0, 0, 0), (2, 3, 1)]),
        make_cup("three.db", competitions={"trix": {}, "by places": {"score": "places"}}),
    )
    wanted = ratings(capsys, *cups)
    assert json.loads(wanted)["competitions"]["trix"]["left"]
    for number, order in enumerate(permutations(cups)):
        assert ratings(capsys, *order) == wanted
        merge_stores(tmp_path / f"merged{number}.db", order)
        assert ratings(capsys, tmp_path / f"merged{number}.db") == wanted
    merge_stores(tmp_path / "half.db", cups[:2])
    assert ratings(capsys, tmp_path / "half.db", cups[2]) == wanted
    merge_stores(tmp_path / "again.db", [cups[2], tmp_path / "half.db"])
    assert ratings(capsys, tmp_path / "again.db") == wanted


def test_a_merged_store_keeps_records_byte_for_byte_and_where_they_came_from(
    make_cup: Make, tmp_path: Path
) -> None:
    cups = [make_cup("one.db"), make_cup("two.db", bots=OTHER, faults=[(0, 0, 0)])]
    with Store.open(cups[0]) as store:
        store.reveal_seed()
    merged = tmp_path / "merged.db"
    results = merge_stores(merged, cups)
    rows = {}
    for cup in (*cups, merged):
        with sqlite3.connect(cup) as connection:
            rows[cup.stem] = {
                (board, seating): bytes(record)
                for board, seating, record in connection.execute("SELECT board, seating, record FROM game")
            }
        connection.close()
    names = [source.name for source in results.sources]
    for part in results.parts:
        for (board, seating), record in rows[names[part.source]].items():
            assert rows["merged"][board + part.first, seating] == record
    assert len(rows["merged"]) == len(rows["one"]) + len(rows["two"])
    with Store.open(merged) as store:
        back = {source.name: source for source in sources_of(store)}
    for cup in cups:
        with Store.open(cup) as store:
            (source,) = sources_of(store)
        found = back[cup.stem]
        assert (found.commitment, found.seed, found.config) == (source.commitment, source.seed, source.config)
        assert (found.games, found.entrants) == (source.games, source.entrants)
        assert set(found.faults) == set(source.faults)
    assert back["one"].seed == bytes(32).hex()
    assert back["two"].seed is None


def test_the_same_tournament_is_never_counted_twice(make_cup: Make, tmp_path: Path) -> None:
    one, two = make_cup("one.db"), make_cup("two.db")
    copy = make_cup("x/copy.db", seed="one", boards=2)
    with pytest.raises(JoinError, match="hold the same tournament"):
        read_all(one, copy)
    merge_stores(tmp_path / "merged.db", [one, two])
    with pytest.raises(JoinError, match="twice"):
        merge_stores(tmp_path / "again.db", [tmp_path / "merged.db", copy])
    assert not [path.name for path in tmp_path.iterdir() if "again" in path.name]


def test_who_left_one_tournament_still_counts_in_another(make_cup: Make) -> None:
    gone = make_cup("gone.db", forfeits=[(0, seating, 0) for seating in range(4)], disqualify_after=1)
    results = read_all(gone, make_cup("stays.db", boards=3))
    (contest,) = results.contests
    assert {departure.entrant for departure in results.left} == {"ana", "bo", "cy", "di"}
    assert len(contest.boards) == 1 + 3


def test_who_is_withdrawn_from_one_tournament_still_counts_in_another(make_cup: Make, tmp_path: Path) -> None:
    one, two = make_cup("one.db"), make_cup("two.db")
    with Store.open(one) as store:
        store.add_ruling(RulingKind.WITHDRAW, "ill", competition="trix", board=1, entrant="ana")
    with Store.open(two) as store:
        store.add_ruling(RulingKind.WITHDRAW, "never came", competition="trix", board=-1, entrant="bo")
    results = read_all(one, two)
    by = {source.name: number for number, source in enumerate(results.sources)}
    first = {source.name: results.parts[by[source.name]].first for source in results.sources}
    assert results.left == (
        Departure("ana", "trix", first["one"] + 1, 1),
        Departure("bo", "trix", None, 1),
    )
    assert {board.number for board in results.contests[0].boards} == {first["one"], first["one"] + 1}
    said = {one.tournament: one.ruling.what for one in results.rulings}
    assert said == {
        "one": f"ana is withdrawn after trix/{first['one'] + 1}",
        "two": "bo is withdrawn before its first board",
    }
    merge_stores(tmp_path / "both.db", [two, one])
    merged = read_all(tmp_path / "both.db")
    assert (merged.left, merged.rulings) == (results.left, results.rulings)
    assert merged.sources[by["two"]].rulings == results.sources[by["two"]].rulings


@pytest.mark.parametrize(
    "change",
    [{"competition": "none"}, {"entrant": "zoe"}, {"kind": "x"}, {"number": "1"}, {"marks": None}, {"x": 1}],
)
def test_a_damaged_ruling_of_a_merged_store_is_said_in_one_line(
    make_cup: Make, tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "both.db"
    one = make_cup("one.db")
    with Store.open(one) as store:
        store.add_ruling(RulingKind.WITHDRAW, "ill", competition="trix", board=1, entrant="ana")
    merge_stores(path, [one, make_cup("two.db")])
    with Store.open(path) as store:
        identity = json.loads(store.info().config)
        for source in identity["sources"]:
            for ruling in source["rulings"]:
                ruling.update(change)
        store.set_config(json.dumps(identity), "")
    with pytest.raises(NotAStore, match="its identity is damaged"):
        read_all(path)


def test_a_merged_store_of_before_there_were_rulings_has_none(make_cup: Make, tmp_path: Path) -> None:
    path = tmp_path / "both.db"
    merge_stores(path, [make_cup("one.db"), make_cup("two.db")])
    with Store.open(path) as store:
        identity = json.loads(store.info().config)
        for source in identity["sources"]:
            assert source.pop("rulings") == []
        store.set_config(json.dumps(identity), "")
    assert read_all(path).rulings == ()


def test_a_merged_store_is_read_by_all_commands_and_played_into_by_none(
    make_cup: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cups, merged = [make_cup("one.db", boards=1), make_cup("two.db", bots=OTHER)], tmp_path / "merged.db"
    merge_cups(merged, cups)
    assert "trix: Trix: 5 boards, 20 games" in capsys.readouterr().out
    print_crosstable(merged, "trix", as_json=False)
    print_games(merged, None, as_json=False)
    shown = capsys.readouterr().out
    assert "bo (two)" in shown
    assert "Joined of one, two" in shown
    with Store.open(merged) as store:
        assert store.is_merged
        assert store.record("trix", 4, 3).seats
        assert counted_games(store) == list(store.games())
        assert standings(store, store.competitions[0]).boards == 5
        with pytest.raises(StoreError, match="merged"), store.run():
            pass
    with pytest.raises(StoreExists):
        merge_stores(merged, cups)
    with pytest.raises(RefereeError, match="at least two"):
        merge_stores(tmp_path / "alone.db", cups[:1])
    with Store.open(cups[0]) as store:
        assert not store.is_merged
