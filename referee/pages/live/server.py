"""The web server of `tourney serve`: its port, its limits and its end.

Owns the socket and the signals. What is asked of it is `referee.pages.live.site`.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Final

import uvicorn

from referee.errors import RefereeError
from referee.pages.live.drawing import Drawing
from referee.pages.live.site import application
from referee.pages.live.watch import Watch
from referee.remote import is_loopback

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from referee.database.address import StoreAddress

__all__ = ["LiveServer"]

#: How long what is being sent may take at the end.
_LAST_WORDS_SECONDS: Final = 3
#: Connections at one time, streams and all others.
_MOST_CONNECTIONS: Final = 500
#: How long a browser may leave unread what was sent to it, before it is taken for gone.
_UNREAD_MS: Final = 30_000
_BACKLOG: Final = 128
_GREATEST_PORT: Final = 65_535
_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")


class LiveServer:
    """Serves the pages of one store until it is asked to end.

    Args:
        path: The store.
        host, port: Where it listens; port 0: any that is free.
        names: Further names that browsers may know it by, where it listens on this machine alone.
        unread_ms: How long a browser may leave unread what was sent to it.

    Raises:
        RefereeError: The store cannot be read, or the port cannot be had.
    """

    def __init__(
        self,
        path: StoreAddress,
        host: str = "127.0.0.1",
        port: int = 8000,
        *,
        names: Sequence[str] = (),
        unread_ms: int = _UNREAD_MS,
    ) -> None:
        self._socket = _listen(host, port, unread_ms)
        self._host = host
        drawing = Drawing()
        self.watch = Watch(path, quick=drawing.quick, slow=drawing.slow)
        try:
            self.watch.open()
        except BaseException:
            self._socket.close()
            raise
        # On a network any name may be right; on this machine alone no other page's may be.
        hosts = (*_LOOPBACK_NAMES, *names) if is_loopback(host) or names else None
        self._failure: BaseException | None = None
        self._server = _Server(
            uvicorn.Config(
                application(self.watch, hosts=hosts, failed=self._fail),
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=_LAST_WORDS_SECONDS,
            ),
            self.watch,
        )

    @property
    def address(self) -> str:
        """The address of the overview."""
        port = self._socket.getsockname()[1]
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{port}/"

    @property
    def loop(self) -> asyncio.AbstractEventLoop | None:
        """In which it serves, once it does."""
        return self._server.loop

    @property
    def is_public(self) -> bool:
        """Whether other machines reach it."""
        return not is_loopback(self._host)

    def serve(self) -> None:
        """Serve until a signal ends it; SIGINT is raised again then.

        Raises:
            KeyboardInterrupt: It was asked to end.
        """
        try:
            asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            self.watch.end()
            self._socket.close()
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End it from another thread."""
        self._server.stop()

    def _fail(self, error: BaseException) -> None:
        self._failure = error
        self._server.end()


class _Server(uvicorn.Server):
    """Ends the streams when it is asked to end: the end of the application comes only after theirs."""

    def __init__(self, config: uvicorn.Config, watch: Watch) -> None:
        super().__init__(config)
        self._watch = watch
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal, and end the streams."""
        super().handle_exit(sig, frame)
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._watch.close)

    def stop(self) -> None:
        """End it from another thread, or from a handler of signals."""
        if self.loop is None:
            self.should_exit = True
        else:
            self.loop.call_soon_threadsafe(self.end)

    def end(self) -> None:
        """End it from within."""
        self.should_exit = True
        self._watch.close()


def _listen(host: str, port: int, unread_ms: int) -> socket.socket:
    if not 0 <= port <= _GREATEST_PORT:
        # What follows would take its last binary digits for the port.
        raise RefereeError(f"--port {port}: a port is a number from 0 to {_GREATEST_PORT}")
    listener = None
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Connections inherit it. A browser that never reads would else hold its stream for ever.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unread_ms)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except (OSError, OverflowError, UnicodeError) as error:
        if listener is not None:
            listener.close()
        why = getattr(error, "strerror", None) or error
        raise RefereeError(f"--host {host} --port {port}: cannot listen there: {why}") from None
    return listener
