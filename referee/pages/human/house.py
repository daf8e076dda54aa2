"""The web server and the client of a person's seat, in a thread of their own beside the tournament.

Owns the loop, the port, the secret, and their end.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

import uvicorn

from referee.errors import RefereeError
from referee.pages.human.line import Line, channel
from referee.pages.human.room import GRACE_SECONDS, Room
from referee.pages.human.web import application

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["House"]

_HOST: Final = "127.0.0.1"
#: How long the last news may take to the page.
_LAST_WORDS_SECONDS: Final = 2


class House:
    """Serves the page and plays for who sits at it, from entering to leaving it as a context.

    Args:
        title: What is played.
        games: How many games.
        referee: ``host:port`` where the referee listens.
        tokens: Those with which the seat numbers of the person join.
        disconnect_seconds: How long the referee keeps the seat of who has left.
        port: Where the page is served on this machine; 0: any that is free.
        grace_seconds: How long a page may be away before its seat is left.

    Raises:
        RefereeError: The port cannot be had.
    """

    def __init__(
        self,
        title: str,
        games: int,
        referee: str,
        tokens: Sequence[str],
        *,
        disconnect_seconds: float,
        port: int = 0,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self.room = Room(games, disconnect_seconds, grace_seconds=grace_seconds)
        self._referee = referee
        self._tokens = tokens
        self._secret = secrets.token_urlsafe(24)
        self._socket = _listen(port)
        self._server = uvicorn.Server(
            uvicorn.Config(
                application(self.room, self._secret, title),
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                ws="none",
                timeout_graceful_shutdown=_LAST_WORDS_SECONDS,
            )
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def address(self) -> str:
        """The address of the page, with the secret: who has it may sit down."""
        return f"http://{_HOST}:{self._socket.getsockname()[1]}/{self._secret}/"

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_up.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.close({"why": "broken", "message": "", "commands": []})
        self._thread.join(2 * _LAST_WORDS_SECONDS)
        self._socket.close()

    def close(self, closing: Mapping[str, object]) -> None:
        """Tell the page that nothing more is played; what was said first holds."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                asyncio.run_coroutine_threadsafe(self._close(closing), self._loop)

    async def _close(self, closing: Mapping[str, object]) -> None:
        # What the referee said last may still be on its way; when it has ended, so have the streams.
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS_SECONDS):
                await self.room.is_quiet()
        self.room.close(closing)
        self._server.should_exit = True

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._is_up.set()
        async with channel(self._referee) as referee:
            lines = [asyncio.create_task(Line(referee, token, self.room).play()) for token in self._tokens]
            await self._server.serve(sockets=[self._socket])
            for line in lines:
                line.cancel()
            await asyncio.gather(*lines, return_exceptions=True)


def _listen(port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise RefereeError(f"--port {port}: cannot listen there: {why}") from None
    return listener
