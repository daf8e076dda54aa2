"""A store whose JSON interface is served to a test over a real socket, and followed a hundred times a second."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
import threading
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from referee.cli import run
from referee.pages.live import watch as watching
from referee.pages.live.api import routes
from referee.pages.live.watch import Watch
from referee.store import Store
from tests.referee.pages.stores import cup

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from pathlib import Path

__all__ = ["NAMES", "eventful", "served", "take_away"]

NAMES = ("ana", "bo", "cy", "di")
_COMPETITIONS: Mapping[str, Mapping[str, object]] = {
    "trix": {"game": "trix", "boards": 3},
    "short/vytrix 100 %": {"game": "vytrix", "boards": 1, "variant": {"target": 0, "max_hands": 2}},
}
_RULINGS = (
    ("void", "trix/0/1"),
    ("forgive", "trix/0/0", "0"),
    ("withdraw", "di"),
    ("void", "trix/1/1"),
    ("revoke", "4"),
)


def eventful(path: Path, *, over: bool) -> Path:
    """A store with all that may be in one: faults, comments, rulings, who is withdrawn, and an incomplete board."""
    with pytest.MonkeyPatch.context() as patch:
        # Cards on which no two are equal: between equals the last digits decide who stands first.
        patch.setattr("secrets.token_bytes", lambda size: bytes([13]) * size)
        cup(path, names=NAMES, competitions=_COMPETITIONS, words='it said "é"', over=False)
    for words in _RULINGS:
        assert run(["rule", str(path), *words, "--reason", "it was seen"]) == 0
    take_away(path, "trix/2/3")
    if over:
        with Store.open(path) as store:
            store.reveal_seed()
    return path


def take_away(path: Path, game: str) -> None:
    """Make the board of a game incomplete, which no run ever leaves."""
    competition, board, seating = game.rsplit("/", 2)
    with sqlite3.connect(path) as connection:
        done = connection.execute(
            "DELETE FROM game WHERE board = ? AND seating = ? AND competition ="
            " (SELECT id FROM competition WHERE name = ?)",
            (int(board), int(seating), competition),
        )
        assert done.rowcount == 1
    connection.close()


@contextmanager
def served(path: Path, *, follows: bool = True) -> Iterator[tuple[httpx.Client, Watch]]:
    """The interface of a store, and the watch behind it; one that does not follow makes no tables."""
    with pytest.MonkeyPatch.context() as patch, socket.socket() as listener:
        patch.setattr(watching, "LOOK_SECONDS", 0.01)
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # who connects before the server is up waits for it
        watch = Watch(path, share=1.0)
        watch.open()

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            following = asyncio.create_task(watch.run() if follows else watch.news(0, 60))
            yield
            watch.close()
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

        app = Starlette(routes=routes(watch), lifespan=lifespan)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
        # A browser's tests may have left a loop in this thread.
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        try:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with httpx.Client(base_url=address, timeout=30, trust_env=False) as client:
                client.get("/api/v1")
                yield client, watch
        finally:
            server.should_exit = True
            thread.join()
            watch.end()
