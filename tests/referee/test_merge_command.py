"""`tourney merge` and `tourney ratings` of several stores, as their user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]
    Tourney = Callable[..., str]

OTHER = {"ana": "", "bo": "new files", "cy": "", "flo": ""}


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_merge_says_what_is_in_the_new_store_and_where_it_is(
    make_cup: Make, tmp_path: Path, tourney: Tourney
) -> None:
    year = tmp_path / "year.db"
    said = tourney("merge", year, make_cup("spring.db", boards=3), make_cup("autumn.db", boards=1))
    assert said.splitlines() == [
        "trix: Trix: 4 boards, 16 games that count",
        "Joined of autumn, spring",
        f"Written to {year}",
    ]
    assert files(tmp_path) == {"spring.db", "autumn.db", "year.db"}


def test_merge_names_entrants_that_are_not_the_same(make_cup: Make, tmp_path: Path, tourney: Tourney) -> None:
    said = tourney("merge", tmp_path / "year.db", make_cup("one.db"), make_cup("two.db", bots=OTHER))
    assert "bo (one) is bo of one" in said
    assert "bo (two) is bo of two" in said


@pytest.mark.usefixtures("rate_once")
def test_ratings_of_two_stores_are_those_of_the_merged_one(
    make_cup: Make, tmp_path: Path, tourney: Tourney
) -> None:
    one, two = make_cup("one.db"), make_cup("two.db", bots=OTHER)
    tourney("merge", tmp_path / "both.db", one, two)
    wanted = tourney("ratings", tmp_path / "both.db", "--los")
    assert "8 boards, 32 games" in wanted
    assert "likelihood of superiority" in wanted
    assert "chance in % that the row is better than the column, from the ratings" in wanted
    assert "Joined of one, two" in wanted
    assert tourney("ratings", one, two, "--los") == wanted
    assert tourney("ratings", two, one, "--los") == wanted


@pytest.mark.usefixtures("rate_once")
def test_json_of_joined_stores_tells_which_tournaments_they_are(make_cup: Make, tourney: Tourney) -> None:
    one, two = make_cup("one.db"), make_cup("two.db", bots=OTHER)
    found: dict[str, Any] = json.loads(tourney("ratings", one, two, "--json"))
    assert {source["name"] for source in found["joined"]["tournaments"]} == {"one", "two"}
    assert all(len(source["commitment"]) == 64 for source in found["joined"]["tournaments"])
    assert len(found["joined"]["notes"]) == 2
    (table,) = found["competitions"].values()
    names = {row["entrant"] for row in table["rows"]}
    assert names == {"ana", "bo (one)", "bo (two)", "cy", "di", "flo"}
    assert table["superiority"].keys() == names
    for first, chances in table["superiority"].items():
        for second, chance in chances.items():
            assert chance + table["superiority"][second][first] == pytest.approx(1)
    assert sum(row["mu"] for row in table["rows"]) == pytest.approx(25 * 6)
    assert json.loads(tourney("ratings", one, "--json"))["joined"] is None


def test_a_competition_is_asked_for_by_its_joined_name(make_cup: Make, tourney: Tourney) -> None:
    one = make_cup("one.db")
    two = make_cup("two.db", competitions={"trix": {"score": "places"}})
    assert "trix (two)" in tourney("ratings", one, two, "-c", "trix (two)")
    assert "trix (one), trix (two)" in tourney("ratings", one, two, "-c", "trix", status=2)


def test_the_merged_store_can_be_exported_shown_and_merged_again(
    make_cup: Make, tmp_path: Path, tourney: Tourney
) -> None:
    both, year = tmp_path / "both.db", tmp_path / "year.db"
    tourney("merge", both, make_cup("one.db", boards=1), make_cup("two.db", boards=2))
    assert tourney("export", both).count("\n") == 12
    said = tourney("merge", year, both, make_cup("three.db", boards=1))
    assert "trix: Trix: 4 boards, 16 games that count" in said
    assert "Joined of one, three, two" in said
    with Store.open(year) as store:
        assert store.is_merged


def test_what_cannot_be_merged_is_refused_in_one_line_and_leaves_no_file(
    make_cup: Make, tmp_path: Path, tourney: Tourney
) -> None:
    one, two = make_cup("one.db"), make_cup("two.db")
    copy = make_cup("copy.db", seed="one")
    (tmp_path / "text.db").write_text("no store")
    before = files(tmp_path)
    bytes_of_two = two.read_bytes()
    for arguments, named in (
        ((tmp_path / "out.db", one), "at least two"),
        ((tmp_path / "out.db", one, one), "one"),
        ((tmp_path / "out.db", one, copy), "hold the same tournament"),
        ((tmp_path / "out.db", one, tmp_path / "none.db"), "none.db"),
        ((tmp_path / "out.db", one, tmp_path / "text.db"), "text.db"),
        ((tmp_path / "none" / "out.db", one, two), "out.db"),
        ((two, one, copy), ""),
        ((two, one, two), ""),
        ((tmp_path / "out.db",), "CUP"),
    ):
        assert named in tourney("merge", *arguments, status=2), arguments
        assert files(tmp_path) == before, arguments
    assert two.read_bytes() == bytes_of_two


def test_the_same_tournament_is_not_rated_twice(make_cup: Make, tmp_path: Path, tourney: Tourney) -> None:
    one, two = make_cup("one.db"), make_cup("two.db")
    tourney("merge", tmp_path / "both.db", one, two)
    assert "twice" in tourney("ratings", tmp_path / "both.db", one, status=2)
    assert "none.db" in tourney("ratings", one, tmp_path / "none.db", "--json", status=2)


def test_a_disk_that_becomes_full_is_said_of_the_new_store_and_leaves_nothing(
    make_cup: Make, tmp_path: Path
) -> None:
    one, other = make_cup("one.db", boards=20), make_cup("two.db", boards=20, bots=OTHER)
    limit = 100
    # A limit on the size of files stands for the disk: writing beyond it fails as on a full one.
    done = subprocess.run(
        [
            "sh",
            "-c",
            f"ulimit -f {limit}; exec {sys.executable} -m referee merge {tmp_path}/year.db {one} {other}",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"tourney: {tmp_path}/year.db")
    assert "the disk is full" in done.stderr
    assert done.stderr.count("\n") == 1
    assert files(tmp_path) == {"one.db", "two.db"}
