"""The stream of what is new on a page, as server-sent events.

Owns what a page is sent: the pieces that changed after what it has, the newest of each, and nothing that waits. Who
reads slowly gets fewer of them, and who does not read at all holds up nobody.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, QueryParams
from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import Receive, Scope, Send

    from referee.pages.live.watch import Watch

__all__ = ["MOST_STREAMS", "EventStream"]

#: Streams at one time.
MOST_STREAMS: Final = 200
#: So often a page hears from us, so that either side finds out when the other is gone.
ALIVE_SECONDS: Final = 15.0
#: After so long a browser whose stream broke off comes again.
_RETRY_MS: Final = 2000
_MARK: Final = re.compile(r"([0-9a-f]{1,32})-(\d{1,15})", re.ASCII)


class EventStream:
    """An ASGI application: one stream for each page.

    Args:
        watch: Whose news is told.
        headers: Of the answer.
        most: How many streams there may be at one time.
    """

    def __init__(self, watch: Watch, headers: dict[str, str], most: int = MOST_STREAMS) -> None:
        self._watch = watch
        self._headers = headers
        self._most = most
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell one page what is new, until it leaves or the server does."""
        if self._open >= self._most:
            words = f"{self._most} pages are open already; this one asks again in a while\n"
            response = PlainTextResponse(words, 503, {**self._headers, "Retry-After": "30"})
            await response(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            await Response(None, 200, self._headers, "text/event-stream")(scope, receive, send)
            return
        self._open += 1
        gone = asyncio.create_task(_gone(receive))
        telling = asyncio.create_task(self._tell(scope, send))
        try:
            await asyncio.wait((gone, telling), return_when=asyncio.FIRST_COMPLETED)
            if telling.done():
                telling.result()
        finally:
            self._open -= 1
            gone.cancel()
            telling.cancel()

    async def _tell(self, scope: Scope, send: Send) -> None:
        query = QueryParams(scope["query_string"])
        since = Headers(scope=scope).get("last-event-id") or query.get("since", "")
        only = query.get("only")
        names = None if only is None else frozenset(only.split(","))
        headers = {**self._headers, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        raw = [(key.lower().encode(), value.encode()) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        await _say(send, f"retry: {_RETRY_MS}\n\n")
        watch = self._watch
        mark = _MARK.fullmatch(since)
        token, number = (mark[1], int(mark[2])) if mark else ("", 0)
        if mark is None:
            token = watch.token
        while not watch.is_closed:
            if token != watch.token:
                await _say(send, "event: reload\ndata: {}\n\n")
                break
            now = watch.now.number
            await _say(send, _news(watch, number, names) or ": here\n\n")
            number = now
            await watch.news(number, ALIVE_SECONDS)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _news(watch: Watch, number: int, names: Collection[str] | None) -> str:
    """The pieces that changed after this snapshot; empty where there is none."""
    pieces = {
        name: text
        for name, (changed, text) in watch.pieces.items()
        if changed > number and (names is None or name in names)
    }
    if not pieces:
        return ""
    data = json.dumps(pieces, ensure_ascii=False)
    return f"id: {watch.token}-{watch.now.number}\ndata: {data}\n\n"


async def _say(send: Send, text: str) -> None:
    # A bot's name may hold half a character.
    body = text.encode("utf-8", "replace")
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
