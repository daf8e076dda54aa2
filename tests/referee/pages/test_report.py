"""`tourney report` without a browser: what is in the page, what is not, and how it is written."""

from __future__ import annotations

import base64
import json
import re
import shutil
import sqlite3
import sys
import zlib
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli import run
from tests.referee.pages.stores import HOSTILE, ONE, cup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = "a comment </script> of a bot"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of both games, with faults and comments."""
    return cup(tmp_path_factory.mktemp("cup") / "cup.db", words=WORDS)


@pytest.fixture(scope="module")
def page(store: Path) -> str:
    """Its report."""
    return _report(store)


def _report(store: Path, *options: str) -> str:
    folder = store.parent / "report"
    assert run(["report", str(store), "-o", str(folder), *options]) == 0
    return (folder / "index.html").read_text(encoding="utf-8")


def _index(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="index">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    index: dict[str, Any] = json.loads(found[1])
    return index


def _chunks(page: str) -> list[dict[str, Any]]:
    packed = re.findall(r'<script type="text/plain" data-chunk="\d+">(.*?)</script>', page)
    return [json.loads(zlib.decompress(base64.b64decode(one))) for one in packed]


def test_the_command_says_what_it_wrote(store: Path, tourney: Callable[..., str]) -> None:
    said = tourney("report", store, "-o", store.parent / "said")
    assert re.fullmatch(
        r"\S+/said/index\.html: 44 games, \d\.\d MB; it needs no other file and no network\n", said
    )


def test_numbers_are_those_of_tourney_ratings(page: str, store: Path, tourney: Callable[..., str]) -> None:
    cells = {unescape(cell) for cell in re.findall(r"<t[dh][^>]*>(?:<bdi>)?([^<]*)", page)}
    for table in json.loads(tourney("ratings", store, "--json"))["competitions"].values():
        for row in table["rows"]:
            assert row["entrant"] in cells
            assert f"{row['mu']:.2f}" in cells
            assert f"{row['sigma']:.2f}" in cells
            assert f"{row['interval'][0]:.1f} to {row['interval'][1]:.1f}" in cells


def test_the_same_store_gives_the_same_page(page: str, store: Path) -> None:
    assert _report(store) == page


def test_it_refers_to_no_other_file_or_host(page: str) -> None:
    assert re.findall(r'(?:src|href|action|data)="(?!#)[^"]*"', page) == []
    assert re.findall(r"url\(|@import|https?://(?!www\.w3\.org/)", page) == []


def test_a_browser_may_run_and_reach_nothing_else(page: str) -> None:
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert found is not None
    policy = dict(part.strip().split(" ", 1) for part in unescape(found[1]).split(";"))
    assert policy["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", policy["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/]{43}='", policy["style-src"])
    assert "connect-src" not in policy
    assert re.search(r"<[^>]*\s(style|on\w+)=", page.partition("<body>")[2].partition("<script")[0]) is None


def test_what_bots_write_is_text(tmp_path: Path) -> None:
    page = _report(cup(tmp_path / "cup.db", competitions=ONE, names=HOSTILE, words=HOSTILE[1]))
    body = page.partition("<body>")[2]
    assert HOSTILE[0] not in body
    assert HOSTILE[1] not in body
    assert "{{ 7 * 7 }}" in body
    assert "49" not in re.findall(r"<bdi>([^<]*)</bdi>", body)
    assert _index(page)["entrants"] == sorted(HOSTILE)


def test_every_game_of_complete_boards_is_there_and_no_other(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, over=False)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM game WHERE board = 1 AND seating = 2 AND competition = 0")
    page = _report(path)
    index = _index(page)
    assert {row[1] for row in index["games"] if row[0] == 0} == {0}
    chunks = _chunks(page)
    assert len(index["firsts"]) == len(chunks)
    assert sum(len(chunk["games"]) for chunk in chunks) == len(index["games"])
    assert 'href="#game=trix/1/' not in page


def test_a_tournament_that_has_only_begun_has_a_report_too(tmp_path: Path) -> None:
    page = _report(cup(tmp_path / "cup.db", competitions=ONE, most=0, over=False))
    assert "no board is complete yet" in page
    assert _index(page)["games"] == []


def test_before_the_end_neither_seed_nor_comments_are_told(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, words=WORDS, over=False)
    with sqlite3.connect(path) as connection:
        (seed,) = connection.execute("SELECT master_seed FROM tournament").fetchone()
    page = _report(path)
    assert seed.hex() not in page
    assert "not revealed before the last game" in page
    assert "The tournament is not over:" in page
    assert not any("c" in game for chunk in _chunks(page) for game in chunk["games"])


def test_after_the_end_seed_and_comments_are_told(page: str) -> None:
    assert "not revealed before the last game" not in page
    assert next(game["c"] for chunk in _chunks(page) for game in chunk["games"] if "c" in game)[0][2] == WORDS


def test_faults_lead_to_their_place(page: str) -> None:
    assert re.search(r'<a href="#game=trix/0/0&amp;deal=0&amp;move=\d+&amp;seat=\d">trix/0/0</a>', page)
    assert "at no table" in page


def test_rulings_are_named(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    shutil.copy(store, path)
    assert run(["rule", str(path), "void", "trix/0/1", "--reason", "its cards were <b>seen</b>"]) == 0
    page = _report(path)
    assert "its cards were &lt;b&gt;seen&lt;/b&gt;" in page
    assert [row[7] for row in _index(page)["games"] if row[:3] == [0, 0, 1]] == ["void by 1"]


def test_one_competition_alone(store: Path) -> None:
    page = _report(store, "-c", "vytrix")
    assert [one["name"] for one in _index(page)["competitions"]] == ["vytrix"]
    assert "all competitions" not in page


def test_a_game_with_another_score_than_its_record_is_pointed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE game SET scores = '[1, 2, 3, 4]' WHERE competition = 0 AND board = 0 AND seating = 0"
        )
    page = _report(path)
    assert "Games that do not replay to their scores: 1" in page
    assert capsys.readouterr().out.startswith("WRONG  trix/0/0: ")


def test_a_merged_store_names_its_tournaments(tmp_path: Path) -> None:
    first, second = (
        cup(tmp_path / "spring.db", competitions=ONE),
        cup(tmp_path / "autumn.db", competitions=ONE),
    )
    year = tmp_path / "year.db"
    assert run(["merge", str(year), str(first), str(second)]) == 0
    page = _report(year)
    assert "<bdi>spring</bdi>" in page
    assert "<bdi>autumn</bdi>" in page
    assert len(_index(page)["games"]) == 16


def test_a_report_that_is_there_is_replaced_and_other_files_stay(store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    for _ in range(2):
        assert run(["report", str(store), "-o", str(folder)]) == 0
        (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert sorted(one.name for one in folder.iterdir()) == ["index.html", "notes.txt"]


def test_another_page_is_not_overwritten(store: Path, tmp_path: Path, tourney: Callable[..., str]) -> None:
    (tmp_path / "index.html").write_text("<p>my page</p>", encoding="utf-8")
    said = tourney("report", store, "-o", tmp_path, status=2)
    assert "is no report of tourney" in said
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "<p>my page</p>"


def test_bad_places_and_names_are_one_line(store: Path, tmp_path: Path, tourney: Callable[..., str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert "is no folder" in tourney("report", store, "-o", file, status=2)
    assert "cannot be written" in tourney("report", store, "-o", file / "under", status=2)
    assert "no competition 'chess'" in tourney("report", store, "-o", tmp_path / "r", "-c", "chess", status=2)
    assert "there is no store" in tourney("report", tmp_path / "no.db", "-o", tmp_path / "r", status=2)
    assert not (tmp_path / "r").exists()


def test_without_the_extra_it_says_how_to_install_it(
    store: Path, tmp_path: Path, tourney: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("referee.pages.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    said = tourney("report", store, "-o", tmp_path / "r", status=2)
    assert "pip install 'cardtable-referee[pages]'" in said
