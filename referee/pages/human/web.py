"""What a browser may ask of the room: the page, its news, and the answers that it brings.

Owns the addresses, all of them under a secret, and what is refused. Keeps no state.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.pages.human.choices import NoChoice
from referee.pages.page import render

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from referee.pages.human.room import Page, Room

__all__ = ["application"]

_STYLES: Final = ("page.css", "table.css", "human.css")
_SCRIPTS: Final = (
    "terms.js",
    "table.js",
    "replay.js",
    "sheet.js",
    "human-terms.js",
    "human-ask.js",
    "human.js",
)
#: So often a page hears from us, so that either side finds out when the other is gone.
_ALIVE_SECONDS: Final = 5.0
_MOST_BYTES: Final = 4096
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_STRANGER: Final = "This is not the address that tourney human has printed: it ends with a secret.\n"


def application(room: Room, secret: str, title: str) -> Starlette:
    """The whole of it.

    Args:
        room: Where the person plays.
        secret: Who knows it may sit down.
        title: What is played.
    """
    page = render(
        "human.html", styles=_STYLES, scripts=_SCRIPTS, connects=True, title=title, generator="tourney human"
    )

    def is_guest(scope: Scope) -> bool:
        given: str = scope["path_params"].get("secret", "")
        return hmac.compare_digest(given.encode(), secret.encode())

    async def show(request: Request) -> Response:
        if not is_guest(request.scope):
            return PlainTextResponse(_STRANGER, 403, _HEADERS)
        if not request.url.path.endswith("/"):
            return RedirectResponse(f"/{secret}/", headers=_HEADERS)
        return HTMLResponse(page, headers=_HEADERS)

    async def answer(request: Request) -> Response:
        if not is_guest(request.scope):
            return PlainTextResponse(_STRANGER, 403, _HEADERS)
        try:
            table, turn, text = _asked_for(await _body(request))
        except ValueError as error:
            return PlainTextResponse(f"{error}\n", 400, _HEADERS)
        try:
            await room.choose(table, turn, text)
        except NoChoice as error:
            return PlainTextResponse(f"{error}\n", 409, _HEADERS)
        return Response(status_code=204, headers=_HEADERS)

    class News:
        """What is new, as server-sent events, until one of the two ends leaves."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            if not is_guest(scope):
                await PlainTextResponse(_STRANGER, 403, _HEADERS)(scope, receive, send)
                return
            headers = {**_HEADERS, "Content-Type": "text/event-stream"}
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [(key.lower().encode(), value.encode()) for key, value in headers.items()],
                }
            )
            here = room.enter()
            gone = asyncio.create_task(_gone(receive))
            try:
                await _tell_all(room, here, gone, send)
            finally:
                gone.cancel()
                room.leave(here)

    async def nothing(_: Request) -> Response:
        return Response(status_code=204)

    return Starlette(
        routes=[
            Route("/favicon.ico", nothing),
            Route("/{secret}", show),
            Route("/{secret}/", show),
            Route("/{secret}/news", News()),
            Route("/{secret}/answer", answer, methods=["POST"]),
        ],
        # A page of another site cannot have a name of its own stand for this machine.
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])],
    )


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise ValueError(f"an answer has {_MOST_BYTES} bytes at the most")
    return body


def _asked_for(body: bytes) -> tuple[int, int, str]:
    """The table, the turn and the action of an answer.

    Raises:
        ValueError: It is none.
    """
    try:
        said = json.loads(body)
        table, turn, text = said["table"], said["turn"], said["action"]
    except (ValueError, RecursionError, TypeError, LookupError):
        raise ValueError('an answer is {"table": 1, "turn": 1, "action": "QH"}') from None
    if type(table) is not int or type(turn) is not int or not isinstance(text, str):
        raise ValueError("table and turn of an answer are whole numbers, its action is a text")
    return table, turn, text


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _tell_all(room: Room, here: Page, gone: asyncio.Task[None], send: Send) -> None:
    """Send what is new, as long as somebody listens and there is something to come."""

    async def say(text: str, *, more: bool = True) -> None:
        await send({"type": "http.response.body", "body": text.encode(), "more_body": more})

    while not gone.done():
        if here.news.is_set():
            here.news.clear()
            if here.is_displaced:
                await say("event: displaced\ndata: {}\n\n", more=False)
                return
            last = room.is_closed
            await say(f"data: {json.dumps(room.state(), ensure_ascii=False)}\n\n", more=not last)
            if last:
                return
        else:
            # A comment: whether the other end is still there.
            await say(": here\n\n")
        news = asyncio.create_task(here.news.wait())
        await asyncio.wait((news, gone), timeout=_ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
