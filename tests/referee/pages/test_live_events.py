"""The stream of news: what a page is sent after what it has, and what it is not."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from referee.pages.live.events import EventStream
from referee.pages.live.watch import Watch
from tests.referee.pages.stores import ONE, cup

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from pathlib import Path

    Message = MutableMapping[str, Any]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cup(tmp_path_factory.mktemp("cup") / "cup.db", competitions=ONE)


@contextmanager
def _watch(path: Path) -> Iterator[Watch]:
    watch = Watch(
        path, quick=lambda _: {"progress": "<p>4 games</p>"}, slow=lambda _: {"seed": "<p>none</p>"}
    )
    watch.open()
    try:
        yield watch
    finally:
        watch.end()


class _Page:
    """The other end of a stream."""

    def __init__(self, stream: EventStream, query: str = "", last: str = "") -> None:
        headers = [(b"last-event-id", last.encode())] if last else []
        scope = {"type": "http", "method": "GET", "query_string": query.encode(), "headers": headers}
        self.sent: list[Message] = []
        self._left = asyncio.Event()
        self._came = asyncio.Event()
        self.task = asyncio.create_task(stream(scope, self._receive, self._send))

    @property
    def text(self) -> str:
        return b"".join(one.get("body", b"") for one in self.sent).decode()

    @property
    def events(self) -> list[dict[str, str]]:
        """The fields of each event."""
        blocks = [block.splitlines() for block in self.text.split("\n\n") if "data: " in block]
        return [dict(line.split(": ", 1) for line in lines) for lines in blocks]

    async def until(self, text: str) -> None:
        async with asyncio.timeout(60):
            while text not in self.text:
                self._came.clear()
                await self._came.wait()

    async def leave(self) -> None:
        self._left.set()
        await self.task

    async def _receive(self) -> Message:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self.sent.append(message)
        self._came.set()


def test_a_page_is_sent_the_newest_of_what_changed_after_what_it_has(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            stream = EventStream(watch, {})
            page = _Page(stream, f"since={watch.token}-{watch.now.number}")
            await page.until(": here")
            watch.tell({"progress": "five", "seed": "<p>none</p>"})
            watch.tell({"progress": "six"})
            await page.until("six")
            assert [json.loads(one["data"]) for one in page.events] == [{"progress": "six"}]
            assert page.events[0]["id"] == f"{watch.token}-{watch.now.number}"
            await page.leave()

    asyncio.run(look())


def test_what_a_browser_had_last_counts_for_more_than_the_address(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(
                EventStream(watch, {}), f"since={watch.token}-0", f"{watch.token}-{watch.now.number}"
            )
            await page.until(": here")
            assert page.events == []
            await page.leave()

    asyncio.run(look())


def test_a_page_may_ask_for_some_pieces_only(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(EventStream(watch, {}), f"since={watch.token}-0&only=seed,count")
            await page.until("none")
            assert [json.loads(one["data"]) for one in page.events] == [{"seed": "<p>none</p>"}]
            await page.leave()

    asyncio.run(look())


@pytest.mark.parametrize("since", ["", "nonsense", "-1", "x" * 9999])
def test_who_says_nothing_sensible_is_sent_everything(path: Path, since: str) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(EventStream(watch, {}), f"since={since}")
            await page.until("4 games")
            await page.leave()

    asyncio.run(look())


def test_a_page_of_another_store_is_told_to_load_anew(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(EventStream(watch, {}), "since=0123abcd-7")
            await page.task
            assert page.events == [{"event": "reload", "data": "{}"}]

    asyncio.run(look())


def test_streams_end_when_the_watch_does(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(EventStream(watch, {}), f"since={watch.token}-0")
            await page.until("4 games")
            watch.close()
            async with asyncio.timeout(60):
                await page.task
            assert page.sent[-1]["more_body"] is False

    asyncio.run(look())


def test_there_are_only_so_many_streams(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            stream = EventStream(watch, {}, most=1)
            first = _Page(stream)
            await first.until("4 games")
            second = _Page(stream)
            await second.task
            assert second.sent[0]["status"] == 503
            await first.leave()
            third = _Page(stream)
            await third.until("4 games")
            await third.leave()

    asyncio.run(look())


def test_half_a_character_in_a_name_ends_no_stream(path: Path) -> None:
    async def look() -> None:
        with _watch(path) as watch:
            page = _Page(EventStream(watch, {}))
            await page.until("4 games")
            watch.tell({"progress": "\udc80 leads"})
            await page.until(" leads")
            await page.leave()

    asyncio.run(look())
