"""`tourney serve` as a process: what it refuses, whom it outlasts, how it ends, and whether it keeps up."""

from __future__ import annotations

import json
import re
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from tests.referee.pages.live import Serving, Writer
from tests.referee.pages.stores import ONE, SMALL, cup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: How long a page may take to show what comes, on a machine that is busy.
PATIENCE = 60.0
MANY = {"trix": {"game": "trix", "boards": 300}}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as everything:
        yield everything


class News:
    """A page that follows: the pieces that it has been sent, the newest of each."""

    def __init__(self, stack: ExitStack, address: str) -> None:
        found = stack.enter_context(httpx.stream("GET", f"{address}events", timeout=PATIENCE))
        self._lines = found.iter_lines()
        self._pieces: dict[str, str] = {}
        self.is_stale = False
        self.read()

    def read(self) -> None:
        """Wait for the next event."""
        for line in self._lines:
            if line == "event: reload":
                self.is_stale = True
                return
            if line.startswith("data: "):
                self._pieces |= json.loads(line.removeprefix("data: "))
                return
        raise AssertionError("the stream has ended")

    def until(self, piece: str, pattern: str) -> str:
        """Wait until a piece has it: what is in its brackets."""
        while (found := re.search(pattern, self._pieces[piece])) is None:
            self.read()
        return found[found.re.groups]


def _played(number: str) -> str:
    return rf"<strong>{number}</strong>"


def test_a_store_that_is_none_is_refused_in_one_line(
    tmp_path: Path, tourney: Callable[..., str], stack: ExitStack
) -> None:
    said = tourney("serve", tmp_path / "none.db", "--port", "0", "--no-open", status=2)
    assert said == f"tourney: there is no store {tmp_path}/none.db\n"
    (tmp_path / "text.db").write_text("no store")
    tourney("serve", tmp_path / "text.db", "--port", "0", "--no-open", status=2)
    path = cup(tmp_path / "cup.db", competitions=ONE)
    taken = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
    said = tourney("serve", path, "--port", taken, "--no-open", status=2)
    assert said == f"tourney: --host 127.0.0.1 --port {taken}: cannot listen there: Address already in use\n"
    said = tourney("serve", path, "--port", "99999", "--no-open", status=2)
    assert said == "tourney: --port 99999: a port is a number from 0 to 65535\n"
    assert "cannot listen there" in tourney("serve", path, "--host", "a host", "--no-open", status=2)


def test_ctrl_c_ends_it_with_130_whoever_listens(stack: ExitStack, tmp_path: Path) -> None:
    serving = Serving(stack, cup(tmp_path / "cup.db", competitions=ONE))
    _ = [News(stack, serving.address) for _ in range(3)]
    assert serving.interrupt() == (130, "")


def test_it_can_be_named_by_its_tournament_file(stack: ExitStack, tmp_path: Path) -> None:
    cup(tmp_path / "pages.db", competitions=ONE)
    file = tmp_path / "pages.toml"
    assert Serving(stack, file).said.startswith(f"{tmp_path}/pages.db is shown at http://127.0.0.1:")


@pytest.mark.long
def test_an_empty_store_fills_and_a_killed_run_is_noticed(stack: ExitStack, tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=MANY, most=0, over=False)
    serving = Serving(stack, path)
    news = News(stack, serving.address)
    news.until("progress", "no run has begun")
    writer = Writer(stack, path, 20)
    news.until("progress", "Running: process")
    news.until("progress", _played("[1-9][0-9]+"))
    writer.kill()
    news.until("progress", "Not running: the run of process [0-9]+ on [^ ]+ broke off")
    # Who looks now sees the same.
    assert "broke off" in httpx.get(serving.address, timeout=PATIENCE).text


@pytest.mark.long
def test_a_replaced_store_has_its_pages_loaded_anew(stack: ExitStack, tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    other = cup(tmp_path / "other.db", competitions=SMALL, names=("eva", "fay", "gil", "hal"))
    serving = Serving(stack, path)
    news = News(stack, serving.address)
    news.until("progress", _played("8"))
    path.unlink()
    news.until("progress", "there is no store cup.db")
    other.rename(path)
    while not news.is_stale:
        news.read()
    page = httpx.get(serving.address, timeout=PATIENCE).text
    assert _played("44") in page
    assert ">eva<" in page


@pytest.mark.long
def test_it_keeps_up_with_a_hundred_games_a_second_and_with_one_who_never_reads(
    stack: ExitStack, tmp_path: Path
) -> None:
    path = cup(tmp_path / "cup.db", competitions=MANY, distinct=1, most=1, over=False)
    serving = Serving(stack, path)
    host, port = re.findall(r"//(.*):(\d+)/", serving.address)[0]
    deaf = stack.enter_context(socket.create_connection((host, int(port))))
    deaf.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    news = News(stack, serving.address)
    writer = Writer(stack, path, 100)
    shown = 0
    # Every number that is shown comes in its turn, and the last one soon after the last game.
    while shown < 1200:
        news.read()
        now = int(news.until("progress", _played("([0-9,]+)")).replace(",", ""))
        assert now >= shown
        shown = now
    assert writer.finish() == 0
    news.until("progress", "All is played")
    news.until("count", "1200")
    news.until("table-1", "300 boards")
    assert "of 1,200" in httpx.get(f"{serving.address}games", timeout=PATIENCE).text
    assert psutil.Process(serving.process.pid).memory_info().rss < 1_000_000_000
    assert serving.interrupt()[0] == 130
