"""What a browser may ask `tourney serve` for: the overview, the games, a game, and the interface for programs.

Owns the addresses, what is refused, and the headers of every answer. Knows no number and keeps no state.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.pages.archive import archive_of_game
from referee.pages.live.api import routes
from referee.pages.live.drawing import COUNT
from referee.pages.live.events import MOST_STREAMS, EventStream
from referee.pages.live.listing import Wanted, found_games, place_of
from referee.pages.live.schema import ROOT
from referee.pages.page import render
from referee.pages.report import REPLAY_SCRIPTS, REPLAY_STYLES
from referee.report.game import game_text
from referee.store import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from starlette.requests import Request

    from referee.pages.live.watch import Snapshot, Watch

__all__ = ["application"]

_STYLES: Final = ("page.css", "live.css")
_SCRIPTS: Final = ("live.js",)
_GAME_STYLES: Final = (*REPLAY_STYLES, "live.css")
_GAME_SCRIPTS: Final = (*(name for name in REPLAY_SCRIPTS if name != "games.js"), "game.js")
#: What is told to programs, after the root of their addresses.
_TOLD: Final = {
    "": "the tournament, and where all else is",
    "/progress": "how far it is",
    "/ratings": "the tables, as tourney ratings --json prints them",
    "/entrants": "who plays",
    "/games": "the games, in the order in which they were stored",
    "/faults": "the faults, in the same order",
    "/rulings": "the organiser's rulings",
    "/openapi.json": "a description of all of it, which tools make clients of (OpenAPI)",
}
#: The policy of a page stands in it; what only a header can say is here.
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def application(
    watch: Watch,
    *,
    hosts: Sequence[str] | None = None,
    most_streams: int = MOST_STREAMS,
    failed: Callable[[BaseException], None] | None = None,
) -> Starlette:
    """The whole of it.

    Args:
        watch: Of the store that is shown; it is open, and is kept current as long as the application lives.
        hosts: The names that a browser may know this server by; None: any.
        most_streams: How many pages may follow at one time.
        failed: Is told when the store cannot be followed any more, through a fault of our own.
    """
    pages = _Pages(watch)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(watch.run())
        running.add_done_callback(lambda task: _report(task, failed))
        try:
            yield
        finally:
            watch.close()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    return Starlette(
        routes=[
            Route("/", pages.overview),
            Route("/events", EventStream(watch, HEADERS, most_streams), methods=["GET"]),
            Route("/games", pages.games),
            Route("/games/{name:path}", pages.game),
            Route("/favicon.ico", _nothing),
            Route("/api", pages.programs),
            *routes(watch),
        ],
        # A page of another site cannot have a name of its own stand for this machine.
        middleware=[] if hosts is None else [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))],
        exception_handlers={404: pages.missing, StoreError: _unread},
        lifespan=lifespan,
    )


def _report(task: asyncio.Task[None], failed: Callable[[BaseException], None] | None) -> None:
    if failed is not None and not task.cancelled() and (error := task.exception()) is not None:
        failed(error)


async def _nothing(_: Request) -> Response:
    return Response(status_code=204, headers=HEADERS)


async def _unread(_: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", 503, HEADERS)


@cache
def _program() -> str:
    return f"cardtable-referee {version('cardtable-referee')}"


class _Pages:
    """The pages, made of what the watch knows now."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    async def overview(self, _: Request) -> Response:
        watch = self._watch
        pieces = {
            name: Markup(text)  # noqa: S704 - made by our templates
            for name, (_, text) in watch.pieces.items()
            if name != COUNT
        }
        first = {"progress": pieces.pop("progress")}
        return self._page(
            watch.now,
            "live_overview.html",
            "/",
            since=True,
            pieces={**first, **pieces},
            competitions=[one.info.name for one in watch.now.results.contests],
        )

    def games(self, request: Request) -> Response:
        now = self._watch.now
        wanted = Wanted.of(request.query_params)
        return self._page(
            now,
            "live_games.html",
            "/games",
            since=True,
            wanted=wanted,
            found=found_games(now, wanted),
            all=len(now.games),
            competitions=[one.name for one in now.store.competitions],
            entrants=sorted(one.name for one in now.store.entrants),
        )

    def game(self, request: Request) -> Response:
        now = self._watch.now
        name = request.path_params["name"]
        place = place_of(name)
        game = None if place is None else now.find(*place)
        if game is None:
            return self._missing(
                now, "No such game", f"There is no game {name}, or its board is still played."
            )
        record = now.record(game)
        (competition,) = (one for one in now.store.competitions if one.name == game.competition)
        archive = archive_of_game(
            competition, game, record, now.as_ruled(game), now.results, comments=now.is_over
        )
        return self._page(
            now,
            "live_game.html",
            "",
            styles=_GAME_STYLES,
            scripts=_GAME_SCRIPTS,
            game=game.name,
            back=f"/games{Wanted.of(request.query_params).query}",
            archive=archive,
            text=game_text(replace(record, seats=game.seats)),
        )

    async def programs(self, _: Request) -> Response:
        return self._page(self._watch.now, "live_api.html", "/api", root=ROOT, addresses=_TOLD)

    async def missing(self, _request: Request, _error: Exception) -> Response:
        return self._missing(self._watch.now, "Nothing here", "There is no page of this address.")

    def _missing(self, now: Snapshot, heading: str, words: str) -> Response:
        return self._page(now, "live_missing.html", "", status=404, heading=heading, words=words)

    def _page(
        self,
        now: Snapshot,
        template: str,
        here: str,
        *,
        since: bool = False,
        status: int = 200,
        styles: Sequence[str] = _STYLES,
        scripts: Sequence[str] = _SCRIPTS,
        **context: object,
    ) -> Response:
        page = render(
            template,
            styles=styles,
            scripts=scripts,
            connects=since,
            asks=since,
            generator="tourney serve",
            program=_program(),
            title=now.results.title,
            store=now.store.path.name,
            here=here,
            # Read before the pieces were: what is newer among them is sent once more.
            since=f"{self._watch.token}-{now.number}" if since else "",
            **context,
        )
        return HTMLResponse(page.encode("utf-8", "replace"), status, HEADERS)
