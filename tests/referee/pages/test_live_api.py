"""The JSON interface of `tourney serve`, as a program meets it: what is told, what is refused, and following."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from referee.cli import run
from referee.config import load
from referee.pages.live import without
from referee.pages.live.schema import MOST_AT_ONCE, ROOT
from referee.store import Store
from tests.referee.pages import stores
from tests.referee.pages.serving import NAMES, eventful, served
from tests.referee.pages.stores import HOSTILE, ONE, cup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

    Client = httpx.Client

SECRET = ("stderr_tail", "view")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return eventful(tmp_path_factory.mktemp("api") / "cup.db", over=False)


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[Client]:
    with served(store) as (found, _):
        yield found


def told(client: Client, path: str, **parameters: object) -> Any:
    response = client.get(ROOT + path, params={name: str(value) for name, value in parameters.items()})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    return response.json()


def refused(response: httpx.Response, status: int) -> tuple[str, str]:
    """The line of a refusal, and what it is about."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    assert response.headers["cache-control"] == "no-cache"
    assert "etag" not in response.headers
    error = response.json()["error"]
    assert set(error) == {"message", "where"}
    assert error["message"].isprintable()
    return error["message"], error["where"]


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What `tourney` prints."""
    capsys.readouterr()
    assert run([str(word) for word in words]) == 0
    return capsys.readouterr().out


def settled(client: Client, path: str = "/ratings") -> Any:
    """The tables, when all ratings in them have come to rest."""

    def at_rest() -> Any:
        found = told(client, path)
        return None if '"settled": false' in json.dumps(found) else found

    return until(at_rest)


def until(ask: Callable[[], Any]) -> Any:
    """What is answered when it is anything at last."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if found := ask():
            return found
    raise AssertionError("it does not come")


def rested(value: Any) -> Any:
    """The same with numbers that ratings which went on from others have in common with those made at once."""
    if isinstance(value, dict):
        return {key: rested(one) for key, one in value.items() if key != "settled"}
    if isinstance(value, list):
        return [rested(one) for one in value]
    return pytest.approx(value, abs=1e-3) if isinstance(value, float) else value


# What is told.


def test_the_index_leads_to_everything(client: Client) -> None:
    found = told(client, "")
    links = found["links"]
    game = told(client, "/games")["games"][0]["game"]
    addresses = [
        *(links[name] for name in links if isinstance(links[name], str)),
        *links["ratings_of"].values(),
    ]
    for address in addresses:
        assert client.get(address.replace("{game}", game)).status_code == 200, address
    assert found["tournament"]["name"] == "cup"
    assert found["tournament"]["seed"] is None
    assert [one["competition"] for one in found["tournament"]["competitions"]] == list(links["ratings_of"])


def test_ratings_are_those_that_the_command_prints_with_the_same_names(
    client: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = settled(client)
    wanted = json.loads(printed(capsys, "ratings", store, "--json"))
    assert list(found) == list(wanted)
    assert rested(wanted) == rested_as_told(found)
    trix = found["competitions"]["trix"]
    assert list(trix) == [*wanted["competitions"]["trix"], "settled"]
    assert trix["without_faults"] is not None
    assert trix["without_departed"]["settled"] is True
    for name, table in found["competitions"].items():
        assert told(client, "/ratings/" + name.replace("%", "%25")) == table


def rested_as_told(value: Any) -> Any:
    """Without what only the interface tells."""
    if isinstance(value, dict):
        return {key: rested_as_told(one) for key, one in value.items() if key != "settled"}
    return [rested_as_told(one) for one in value] if isinstance(value, list) else value


def test_games_are_those_that_the_command_prints_but_for_incomplete_boards(
    client: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in printed(capsys, "games", store, "--json").splitlines()]
    games = told(client, "/games")["games"]
    assert [game.pop("mark") for game in games] == list(range(1, len(games) + 1))
    by_name = {line["game"]: line for line in lines}
    assert {name for name in by_name if name.startswith("trix/2/")} == {"trix/2/0", "trix/2/1", "trix/2/2"}
    assert {game["game"]: game for game in games} == {
        name: line for name, line in by_name.items() if not name.startswith("trix/2/")
    }
    assert any(game["rulings"] for game in games)


def test_faults_are_those_that_the_command_prints_without_questions_and_output(
    client: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in printed(capsys, "faults", store, "--json").splitlines()]
    faults = told(client, "/faults")["faults"]
    assert [fault.pop("mark") for fault in faults] == list(range(1, len(faults) + 1))
    open_ones = {"trix/2/0"}
    wanted = [
        {key: value for key, value in line.items() if key not in SECRET}
        for line in lines
        if line["game"] not in open_ones
    ]
    assert len(wanted) < len(lines)
    assert sorted(map(json.dumps, faults)) == sorted(map(json.dumps, wanted))


def test_nothing_but_the_descriptions_of_secrets_has_their_names(client: Client) -> None:
    for path in ("", "/progress", "/ratings", "/entrants", "/games", "/faults", "/rulings"):
        text = client.get(ROOT + path).text
        assert not [name for name in SECRET if f'"{name}"' in text], path


def test_rulings_are_those_that_the_command_prints_also_those_taken_back(
    client: Client, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in printed(capsys, "rule", store, "--json").splitlines()]
    assert told(client, "/rulings")["rulings"] == lines
    assert [line["in_force"] for line in lines] == [True, True, True, False, False]


def test_entrants_say_who_left_and_by_which_ruling(client: Client) -> None:
    entrants = told(client, "/entrants")["entrants"]
    assert [one["entrant"] for one in entrants] == list(NAMES)
    assert [len(one["left"]) for one in entrants] == [0, 0, 0, 1]
    assert entrants[3]["left"][0]["ruling"] == 3


def test_progress_counts_complete_boards_and_knows_the_plan(client: Client) -> None:
    found = told(client, "/progress")
    parts = {part["competition"]: part for part in found["competitions"]}
    assert (parts["trix"]["games"], parts["trix"]["planned"]) == (8, 12)
    assert found["games"] == sum(part["games"] for part in parts.values())
    assert found["left"] == found["planned"] - found["games"] == 4
    assert found["run"]["state"] == "ended"
    assert found["trouble"] is None


def test_a_record_is_that_of_an_export_without_comments_until_the_end(
    client: Client, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = printed(capsys, "export", store).splitlines(keepends=True)
    by_seats = {line: json.loads(line) for line in exported}
    silent = [line for line, record in by_seats.items() if "comments" not in record]
    assert 0 < len(silent) < len(exported)
    names = [game["game"] for game in told(client, "/games")["games"]]
    records = [client.get(f"{ROOT}/games/{name.replace('%', '%25')}/record").text for name in names]
    assert not [record for record in records if "comments" in json.loads(record)]
    assert [record for record in records if record in silent]
    over = eventful(tmp_path / "over.db", over=True)
    with served(over) as (found, _):
        assert told(found, "")["tournament"]["is_over"]
        exported = printed(capsys, "export", over).splitlines(keepends=True)
        telling = [line for line in exported if "comments" in json.loads(line)]
        records = [found.get(f"{ROOT}/games/{name.replace('%', '%25')}/record").text for name in names]
        assert set(records) <= set(exported)
        assert set(telling) & set(records)


def test_one_game_is_told_as_in_the_list(client: Client) -> None:
    for game in told(client, "/games")["games"]:
        assert told(client, "/games/" + game["game"].replace("%", "%25")) == game
    assert told(client, "/games/trix/000/1")["game"] == "trix/0/1"
    whole = client.get(f"{ROOT}/games/short%2Fvytrix%20100%20%25/0/0")
    assert whole.json()["game"] == "short/vytrix 100 %/0/0"


def test_games_and_faults_of_one_entrant_or_competition_keep_their_marks(client: Client) -> None:
    everything = told(client, "/games")["games"]
    for name in NAMES:
        found = told(client, "/games", entrant=name)
        assert found["games"] == [game for game in everything if name in game["seats"]]
        assert (found["next"], found["more"]) == (len(everything), False)
    found = told(client, "/games", competition="trix", limit=3, after=1)
    assert [game["mark"] for game in found["games"]] == [
        game["mark"] for game in everything[1:] if game["game"].startswith("trix/")
    ][:3]
    faults = told(client, "/faults")["faults"]
    culprit = faults[0]["bot"]
    assert told(client, "/faults", entrant=culprit)["faults"] == [
        fault for fault in faults if fault["bot"] == culprit
    ]


# What is refused.


def test_a_game_of_an_incomplete_board_is_refused_like_one_that_never_was(client: Client) -> None:
    def said(name: str) -> set[str]:
        return {
            refused(client.get(f"{ROOT}/games/{name}{more}"), 404)[0].replace(name, "GAME")
            for more in ("", "/record")
        }

    (line,) = said("trix/2/0")
    assert line == 'there is no game "GAME": a game is told when all games of its board are over'
    assert said("trix/2/3") == said("trix/9/9") == said("trix/999999999/0") == {line}


@pytest.mark.parametrize(
    "name", ["trix", "trix/0", "trix/0/x", "trix/0/-1", "trix/0/1e1", "trix/0/٣", "trix/0/" + "1" * 5000, ""]
)
def test_what_is_no_name_of_a_game_is_refused(client: Client, name: str) -> None:
    message, where = refused(client.get(f"{ROOT}/games/{name}"), 404)
    assert where == "game"
    assert message == "this is no game: a game is COMPETITION/BOARD/SEATING, such as trix/12/0"


@pytest.mark.parametrize(
    ("query", "message", "where"),
    [
        ("limt=5", 'unknown parameter "limt"; did you mean "limit"?', "limt"),
        ("x=5", 'unknown parameter "x"; here are after, limit, entrant, competition', "x"),
        ("=5", 'unknown parameter ""; here are after, limit, entrant, competition', ""),
        (
            "%00%E2%80%AE%0A=",
            'unknown parameter "\\u0000\\u202e\\n"; here are after, limit, entrant, competition',
            r"\x00\u202e\n",
        ),
        ("after=1&after=1", "after is given more than once: give it once", "after"),
        ("after=-1", 'after is a whole number from 0 to 999999999, not "-1"', "after"),
        ("after=", 'after is a whole number from 0 to 999999999, not ""', "after"),
        ("after=1%0A", 'after is a whole number from 0 to 999999999, not "1\\n"', "after"),
        ("after=%D9%A3", 'after is a whole number from 0 to 999999999, not "٣"', "after"),
        ("after=1_0", 'after is a whole number from 0 to 999999999, not "1_0"', "after"),
        ("limit=0", f'limit is a whole number from 1 to {MOST_AT_ONCE}, not "0"', "limit"),
        ("limit=1001", f'limit is a whole number from 1 to {MOST_AT_ONCE}, not "1001"', "limit"),
        ("limit=x", f'limit is a whole number from 1 to {MOST_AT_ONCE}, not "x"', "limit"),
        ("entrant=anna", 'there is no entrant "anna"; did you mean "ana"?', "entrant"),
        ("competition=x", 'there is no competition "x"; there are trix, short/vytrix 100 %', "competition"),
        ("after=99", "after is the mark of a game that was told: the last one is 20, not 99", "after"),
    ],
)
def test_a_wrong_parameter_is_one_clear_line(client: Client, query: str, message: str, where: str) -> None:
    assert refused(client.get(f"{ROOT}/games?{query}"), 400) == (message, where)


def test_a_long_wrong_value_is_cut(client: Client) -> None:
    message, _ = refused(client.get(f"{ROOT}/games?after={'9' * 5000}"), 400)
    assert len(message) < 200
    message, where = refused(client.get(f"{ROOT}/games?{'x' * 5000}=1"), 400)
    assert len(message) + len(where) < 300


def test_what_takes_no_parameter_says_so(client: Client) -> None:
    for path in ("", "/progress", "/ratings", "/ratings/trix", "/entrants", "/rulings", "/openapi.json"):
        message, where = refused(client.get(f"{ROOT}{path}?after=1"), 400)
        assert (message, where) == ('unknown parameter "after"; there are none', "after")


def test_an_unknown_address_names_the_nearest_one(client: Client) -> None:
    assert refused(client.get(f"{ROOT}/rating"), 404) == (
        f'there is no address "{ROOT}/rating"; did you mean "{ROOT}/ratings"?',
        "address",
    )
    assert refused(client.get(f"{ROOT}/"), 404)[0].endswith(f'did you mean "{ROOT}"?')
    assert refused(client.get(f"{ROOT}/ratings/trixx"), 404) == (
        'there is no competition "trixx"; did you mean "trix"?',
        "competition",
    )
    assert refused(client.get(f"{ROOT}/games/trixx/0/0"), 404)[1] == "competition"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "STRANGE"])
@pytest.mark.parametrize("path", ["", "/games", "/games/trix/0/0", "/openapi.json"])
def test_every_other_method_is_refused(client: Client, method: str, path: str) -> None:
    response = client.request(method, ROOT + path)
    message, where = refused(response, 405)
    assert message == f'"{method}" is not understood: this interface tells and is told nothing; use GET'
    assert where == "method"
    assert response.headers["allow"] == "GET, HEAD"


def test_a_damaged_record_is_said_and_the_others_are_told(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE game SET record = x'ff' WHERE board = 0 AND seating = 0")
    connection.close()
    with served(path) as (client, _):
        assert refused(client.get(f"{ROOT}/games/trix/0/0/record"), 500) == (
            "what the store has of this is damaged",
            "store",
        )
        assert client.get(f"{ROOT}/games/trix/0/1/record").status_code == 200


def test_a_store_that_is_away_is_said_without_where_it_lay(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    with served(path) as (client, _):
        for name in ("cup.db", "cup.db-wal", "cup.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        response = client.get(f"{ROOT}/games/trix/0/0/record")
        assert refused(response, 503) == ("the store cannot be read just now: ask again", "store")
        assert response.headers["retry-after"] == "5"
        trouble = until(lambda: told(client, "/progress")["trouble"])
        assert "cup.db" in trouble
        assert str(tmp_path) not in trouble


def test_tables_that_are_not_made_yet_are_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(without, "_WAIT_SECONDS", 0.0)
    with served(cup(tmp_path / "cup.db", competitions=ONE), follows=False) as (client, _):
        for path in ("/ratings", "/ratings/trix"):
            response = client.get(ROOT + path)
            assert refused(response, 503) == ("the tables are being made: ask again", "store")
            assert response.headers["retry-after"] == "2"
        assert told(client, "/games")["games"]


def test_a_table_that_has_not_come_to_rest_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(without, "RATING_SECONDS", 0.0)
    path = cup(tmp_path / "cup.db", competitions={"trix": {"game": "trix", "boards": 6}}, words="oh", most=6)
    make_clean(path)
    with served(path) as (client, _):
        table = until(lambda: (found := told(client, "/ratings/trix"))["settled"] and found)
        assert table["without_faults"]["boards"] == 5
        assert table["without_faults"]["settled"] is False


def make_clean(path: Path) -> None:
    """Leave the faults of the first board alone."""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE game SET faults = 0 WHERE board > 0")
    connection.close()


# Asking again.


def test_what_has_not_changed_is_not_sent_again(client: Client) -> None:
    for path in ("", "/games?limit=2", "/games/trix/0/0", "/games/trix/0/0/record", "/openapi.json"):
        first = client.get(ROOT + path)
        tag = first.headers["etag"]
        assert first.headers["cache-control"] == "no-cache"
        for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = client.get(ROOT + path, headers={"If-None-Match": known})
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
        assert client.get(ROOT + path, headers={"If-None-Match": '"other"'}).status_code == 200
        assert client.get(ROOT + path, headers={"If-None-Match": tag.strip('"')}).status_code == 200


def test_head_tells_what_get_would_without_content(client: Client) -> None:
    for path in ("", "/games", "/games/trix/0/0/record", "/nothing", "/games?x=1"):
        get, head = client.get(ROOT + path), client.head(ROOT + path)
        assert head.content == b""
        assert head.status_code == get.status_code
        for name in ("content-length", "content-type", "etag", "cache-control"):
            assert head.headers.get(name) == get.headers.get(name), (path, name)


@pytest.mark.parametrize("limit", [1, 2, 7, MOST_AT_ONCE])
@pytest.mark.parametrize("kind", ["games", "faults"])
def test_pages_of_any_size_make_up_the_whole(client: Client, kind: str, limit: int) -> None:
    found: list[object] = []
    after, more = 0, True
    while more:
        page = told(client, f"/{kind}", after=after, limit=limit)
        found += page[kind]
        after, more = page["next"], page["more"]
    assert found == told(client, f"/{kind}")[kind]
    assert told(client, f"/{kind}", after=after) == {kind: [], "next": after, "more": False}


def test_who_follows_a_writer_gets_every_game_and_fault_once_also_over_a_restart(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions={"trix": {"game": "trix", "boards": 24}}, most=0, over=False)
    planned = 24 * 4
    blocks = _blocks(path)
    seen: dict[str, list[Any]] = {"games": [], "faults": []}
    marks = {"games": 0, "faults": 0}

    def write() -> None:
        with Store.open(path) as store:
            for block in blocks:
                store.add_block("trix", block)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for until in (planned // 2, planned):
            with served(path) as (client, _):
                while len(seen["games"]) < until or len(seen["faults"]) < until // 2:
                    for kind, after in marks.items():
                        page = told(client, f"/{kind}", after=after, limit=5)
                        seen[kind] += page[kind]
                        marks[kind] = page["next"]
    finally:
        writer.join()
    with Store.open(path) as store:
        games = [game.name for _, game in store.games_after(0)]
        faults = [(fault.game, fault.number) for _, fault in store.faults_after(0)]
    assert [game["game"] for game in seen["games"]] == games
    assert [(fault["game"], fault["fault"]) for fault in seen["faults"]] == faults
    for found in seen.values():
        assert all(one["mark"] + 1 == other["mark"] for one, other in pairwise(found))


def _blocks(path: Path) -> list[Any]:
    """A block for each board, with a fault on each and one at no table."""
    config = load(path.with_suffix(".toml"), store=path)
    with Store.open(path) as store:
        return list(stores._blocks(config.competitions[0], store.secret_seed(), 2, "oh"))


def test_names_that_would_harm_a_page_are_told_as_they_are(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", names=HOSTILE, competitions=ONE, words=HOSTILE[1])
    with served(path) as (client, _):
        assert {one["entrant"] for one in told(client, "/entrants")["entrants"]} == set(HOSTILE)
        for name in HOSTILE:
            assert told(client, "/games", entrant=name)["games"]
        assert client.get(f"{ROOT}/faults").headers["x-content-type-options"] == "nosniff"


def test_a_merged_store_says_of_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [cup(tmp_path / f"{name}.db", competitions=ONE, over=name == "a") for name in ("a", "b")]
    merged = tmp_path / "both.db"
    printed(capsys, "merge", merged, *parts)
    with served(merged) as (client, _):
        tournament = told(client, "")["tournament"]
        assert [one["name"] for one in tournament["merged_of"]] in (["a", "b"], ["b", "a"])
        assert not tournament["is_over"]
        found = settled(client)
        assert found["joined"] == json.loads(printed(capsys, "ratings", merged, "--json"))["joined"]
        progress = told(client, "/progress")
        assert (progress["games"], progress["planned"], progress["left"]) == (16, None, None)
