"""The live pages without a browser: what is shown of which games, and who is refused."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import threading
import time
from contextlib import contextmanager
from html import unescape
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from referee.pages.live.listing import LINES, Wanted, place_of
from referee.pages.live.server import LiveServer
from referee.remote import is_loopback
from referee.rulings import RulingKind
from referee.store import Store
from tests.referee.pages.stores import HOSTILE, ONE, cup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.pages.live.following import Followed
    from referee.pages.live.progress import Progress

WORDS = "a comment </script> of a bot"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament of both games, with faults and comments."""
    return cup(tmp_path_factory.mktemp("cup") / "cup.db", names=HOSTILE, words=WORDS)


@contextmanager
def _served(path: Path, *names: str) -> Iterator[httpx.Client]:
    server = LiveServer(path, port=0, names=names)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            yield client
    finally:
        server.stop()
        thread.join(60)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def client(path: Path) -> Iterator[httpx.Client]:
    with _served(path) as client:
        yield client


def _games(page: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'<th scope="row"><a href="[^"]*"><bdi>(.*?)</bdi>', page)]


def test_every_answer_says_what_a_browser_may_do_with_it(client: httpx.Client) -> None:
    for address in ("/", "/games", "/games/trix/0/0", "/api", "/nothing", "/favicon.ico"):
        headers = client.get(address).headers
        assert headers["cache-control"] == "no-store", address
        assert headers["content-security-policy"] == "frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"


def test_who_asks_for_the_head_of_the_stream_gets_no_stream(client: httpx.Client) -> None:
    found = client.head("/events")
    assert (found.status_code, found.text) == (200, "")
    assert client.post("/events").status_code == 405


def test_pages_refer_to_no_other_host(client: httpx.Client) -> None:
    for address in ("/", "/games", "/games/trix/0/0", "/api", "/nothing"):
        page = client.get(address).text
        assert re.findall(r'(?:src|href|action|data)="(?![#/])[^"]*"', page) == [], address
        assert '="//' not in page


def test_names_and_words_of_bots_are_text(client: httpx.Client) -> None:
    for address in ("/", "/games", "/games/trix/0/0"):
        page = client.get(address).text
        assert "alert(1)</script>" not in page
        assert "<img" not in page


def test_the_list_has_the_latest_first(client: httpx.Client) -> None:
    found = _games(client.get("/games").text)
    assert len(found) == 44
    assert found[0] == "pairs/5/1"
    assert found[-1] == "trix/0/0"


@pytest.mark.parametrize(
    ("query", "games"),
    [
        ("competition=trix", 8),
        ("competition=trix&board=1", 4),
        ("competition=none", 0),
        ("entrant=", 44),
        ("board=&marked=", 44),
        ("board=-1&page=x&unknown=1", 44),
        ("board=99999999999999999999", 44),
        ("competition=trix&marked=1", 2),
        ("page=77&competition=vytrix", 12),
    ],
)
def test_games_are_filtered_by_the_address(client: httpx.Client, query: str, games: int) -> None:
    assert len(_games(client.get(f"/games?{query}").text)) == games


def test_games_of_an_entrant_are_found_whatever_its_name(client: httpx.Client) -> None:
    page = client.get("/games", params={"entrant": HOSTILE[3], "competition": "vytrix"}).text
    assert 0 < len(_games(page)) < 12


def test_a_long_list_has_pages(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions={"trix": {"game": "trix", "boards": 15}}, distinct=1)
    with _served(path) as client:
        first = client.get("/games?entrant=ana").text
        assert len(_games(first)) == LINES
        assert 'rel="prev"' not in first
        address = re.search(r'href="([^"]*)" rel="next"', first)
        assert address is not None
        second = client.get(unescape(address[1])).text
        assert _games(second)[-1] == "trix/0/0"
        assert 'rel="next"' not in second
        assert not set(_games(first)) & set(_games(second))


def test_what_an_address_asks_for_is_written_as_it_was_read() -> None:
    asked = Wanted("a & b", "<script>", 3, marked=True, page=2)
    assert asked.query == "?competition=a+%26+b&entrant=%3Cscript%3E&board=3&marked=1&page=2"
    assert Wanted().query == ""
    query = {"competition": "a & b", "entrant": "<script>", "board": "3", "marked": "1", "page": "2"}
    assert Wanted.of(query) == asked


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("trix/0/3", ("trix", 0, 3)),
        ("a/b/7/1", ("a/b", 7, 1)),
        ("trix/0", None),
        ("trix/0/x", None),
        ("trix/\u0661/0", None),
        (f"trix/{'9' * 5000}/0", None),
        ("", None),
    ],
)
def test_a_name_says_a_game_or_nothing(name: str, place: object) -> None:
    assert place_of(name) == place


@pytest.mark.parametrize(
    "name", ["trix/9/0", "trix/0/9", "none/0/0", "trix", "", "trix/0/0/0", "..%2F..%2Fetc"]
)
def test_a_game_that_is_not_there_is_not_found(client: httpx.Client, name: str) -> None:
    found = client.get(f"/games/{name}")
    assert found.status_code == 404
    assert "No such game" in found.text


def test_comments_are_told_only_when_the_seed_is(path: Path, tmp_path: Path) -> None:
    with _served(path) as client:
        assert "a comment" in client.get("/games/trix/0/0").text
    going_on = cup(tmp_path / "cup.db", competitions=ONE, words="oh my", over=False)
    with _served(going_on) as client:
        page = client.get("/games/trix/0/0").text
        text = re.search(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
        assert text is not None
        # A fault is told, what the bot said is not.
        assert "played by the house" in text[1]
        assert "“oh my”" not in unescape(text[1])
        assert "neither is what bots said" in client.get("/").text


def test_boards_under_way_are_nowhere(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "cup.db"
    shutil.copy(path, copy)
    with sqlite3.connect(copy) as connection:
        connection.execute("DELETE FROM game WHERE competition = 0 AND board = 1 AND seating = 3")
    connection.close()
    with _served(copy) as client:
        assert client.get("/games/trix/1/0").status_code == 404
        assert not [name for name in _games(client.get("/games").text) if name.startswith("trix/1/")]
        assert "trix/1/" not in client.get("/").text


def test_rulings_are_marked_and_listed(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    with Store.open(path) as store:
        store.add_ruling(RulingKind.VOID, "seen <b>", competition="trix", board=0, seating=1)
    with _served(path) as client:
        assert _games(client.get("/games?marked=1").text) == ["trix/0/1"]
        assert "void by 1" in client.get("/games").text
        assert "seen &lt;b&gt;" in client.get("/").text


def test_a_browser_that_asks_for_another_name_is_refused(path: Path) -> None:
    with _served(path, "cup.example") as client:
        for host, status in (
            ("127.0.0.1:8000", 200),
            ("localhost", 200),
            ("[::1]:8000", 200),
            ("cup.example", 200),
            ("evil.example", 400),
        ):
            assert client.get("/api", headers={"Host": host}).status_code == status, host


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("cup.example", False)],
)
def test_whether_other_machines_can_listen_is_known(host: str, is_here: bool) -> None:
    assert is_loopback(host) is is_here


def _is_connected(server: int, client: int) -> bool:
    """Whether a server in this process has a connection with this client."""
    return any(
        (one.laddr.port, one.raddr.port) == (server, client)
        for one in psutil.Process().net_connections("tcp")
        if one.raddr
    )


def test_who_never_reads_is_dropped(path: Path) -> None:
    server = LiveServer(path, port=0, unread_ms=500)
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        port = httpx.URL(server.address).port or 0
        with socket.create_connection(("127.0.0.1", port), timeout=60) as deaf:
            deaf.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert b"200 OK" in deaf.recv(64)
            assert _is_connected(port, deaf.getsockname()[1])
            loop = server.loop
            assert loop is not None
            # More than all buffers on the way hold; no look at the store replaces a piece of this name.
            loop.call_soon_threadsafe(server.watch.tell, {"much": "x" * 50_000_000})
            # The system drops it without a word, even to us.
            until = time.monotonic() + 60
            while _is_connected(port, deaf.getsockname()[1]):
                assert time.monotonic() < until
                time.sleep(0.05)
            # Others are served all the while.
            assert httpx.get(f"{server.address}games", timeout=60).status_code == 200
    finally:
        server.stop()
        thread.join(60)
    assert not thread.is_alive()


def test_a_fault_of_our_own_ends_the_server_and_is_not_hidden(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_store: Followed) -> Progress:
        raise ZeroDivisionError("ours")

    server = LiveServer(path, port=0)
    monkeypatch.setattr(server.watch, "_measure", broken)
    with pytest.raises(ExceptionGroup) as raised:
        server.serve()
    assert raised.group_contains(ZeroDivisionError, match="ours")


def test_programs_are_shown_where_their_interface_is(client: httpx.Client) -> None:
    addresses = re.findall(r'href="(/api/[^"]*)"', client.get("/api").text)
    assert len(addresses) == 8
    for address in addresses:
        if not address.endswith("/ratings"):
            assert client.get(address).status_code == 200, address
