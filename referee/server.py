"""The referee's end of the wire: one gRPC server, one stream for each bot process.

Checks first messages (token, protocol, games) and carries messages between streams and seats. Keeps no game and
judges no answer.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc
from google.protobuf.message import DecodeError
from grpc import aio

from cardtable.v1 import table_pb2
from cardtable.wire import PROTOCOL_VERSION, common_protocol, refusal_response, unsupported
from cardtable.wire.service import add_referee
from referee.seat import Connection, Phase

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from referee.blocks import Door
    from referee.seat import Seat

    _Context: TypeAlias = aio.ServicerContext[table_pb2.PlayRequest, table_pb2.PlayResponse]

__all__ = ["Server"]

_LOG = logging.getLogger(__name__)
#: A message holds an answer with a comment for every open table many times over.
_MESSAGE_BYTES = 1 << 20
#: A bot needs one; some more while one of them ends.
_STREAMS_OF_A_CONNECTION = 8
_OPTIONS = (
    ("grpc.max_receive_message_length", _MESSAGE_BYTES),
    ("grpc.max_concurrent_streams", _STREAMS_OF_A_CONNECTION),
    # Two referees never share a port, and a connection that is dead is found out, so that its bot can come back.
    ("grpc.so_reuseport", 0),
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
)
#: How long a last message may take to a bot that does not read.
_LAST_WORDS_SECONDS = 1.0
#: Streams that have not joined: the oldest goes when one more comes, and each when it has waited so long.
_MOST_WAITING = 64
_JOIN_SECONDS = 10.0
#: Who has no right to be here waits for the refusal, so that guessing and knocking are slow.
_REFUSAL_SECONDS = 0.5
_STRANGERS = frozenset(
    {
        table_pb2.REFUSAL_REASON_MALFORMED,
        table_pb2.REFUSAL_REASON_TOKEN,
        table_pb2.REFUSAL_REASON_ALREADY_JOINED,
    }
)


class Server:
    """Listens on a Unix socket in the worker's private folder, and at a door for remote bots where there are any.

    Args:
        folder: The private folder.
        seats: The seats of this worker, whenever asked.
        on_error: Told of an exception of our own; no bot is to blame.
    """

    def __init__(
        self, folder: Path, seats: Callable[[], Iterable[Seat]], on_error: Callable[[Exception], None]
    ) -> None:
        self.address = f"unix:{folder / 'referee.sock'}"
        self._seats = seats
        self._on_error = on_error
        self._plays: tuple[str, Mapping[str, object]] | None = None
        #: Those that have not joined, oldest first.
        self._waiting: list[asyncio.Timeout] = []
        self._server = self._new()
        self._front: aio.Server | None = None

    async def start(self) -> None:
        """Listen."""
        self._server.add_insecure_port(self.address)
        await self._server.start()

    async def open(self, door: Door) -> None:
        """Listen to remote bots too, from now on.

        Raises:
            RuntimeError: The address cannot be had.
        """
        if self._front is not None:
            return
        front = self._new()
        if door.certificate is None or door.key is None:
            front.add_insecure_port(door.listen)
        else:
            identity = (door.key, door.certificate)
            front.add_secure_port(door.listen, grpc.ssl_server_credentials([identity]))
        await front.start()
        self._front = front

    async def stop(self) -> None:
        """End all streams and listen no more."""
        for server in (self._server, self._front):
            if server is not None:
                await server.stop(None)

    def _new(self) -> aio.Server:
        server = aio.server(options=_OPTIONS)
        add_referee(server, self._play)
        return server

    def play(self, game: str, options: Mapping[str, object]) -> None:
        """From now on bots have to play this game with these options, defaults too."""
        self._plays = game, options

    async def _play(
        self,
        _: AsyncIterator[table_pb2.PlayRequest],
        context: _Context,
    ) -> None:
        try:
            joined = await self._wait_for_join(context)
        except Exception as error:  # the edge of the process: whatever it is, it is our fault
            _LOG.exception("a stream broke by a fault of ours before it had joined")
            self._on_error(error)
            return
        if joined is None:
            return
        admitted, join = joined
        connection = Connection()
        try:
            admitted.joined(connection, join)
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(_read(admitted, connection, context))
                writing = tasks.create_task(_write(admitted, connection, context))
                await connection.over.wait()
                await asyncio.wait([writing], timeout=_LAST_WORDS_SECONDS)
                reading.cancel()
                writing.cancel()
            if connection.is_broken_off:
                context.set_code(grpc.StatusCode.ABORTED)
                context.set_details("the referee has ended this stream after a fault; join again")
        except Exception as error:  # the edge of the process: whatever it is, it is our fault
            _LOG.exception("the stream of %s broke by a fault of ours", admitted.title)
            self._on_error(error)
        finally:
            admitted.left(connection)

    async def _wait_for_join(self, context: _Context) -> tuple[Seat, table_pb2.Join] | None:
        """The seat of a stream and what it said; None when it said nothing in time, or was refused."""
        if len(self._waiting) >= _MOST_WAITING:
            with suppress(RuntimeError):  # it is going already
                self._waiting.pop(0).reschedule(0)
        patience = asyncio.timeout(_JOIN_SECONDS)
        self._waiting.append(patience)
        try:
            async with patience:
                return await self._first(context)
        except (TimeoutError, DecodeError):
            return None
        finally:
            self._waiting = [one for one in self._waiting if one is not patience]

    async def _first(self, context: _Context) -> tuple[Seat, table_pb2.Join] | None:
        first = await context.read()
        if not isinstance(first, table_pb2.PlayRequest):
            return None
        admitted = self._admit(first)
        if not isinstance(admitted, table_pb2.PlayResponse):
            return admitted, first.join
        if admitted.refusal.reason in _STRANGERS:
            await asyncio.sleep(_REFUSAL_SECONDS)
        await context.write(admitted)
        return None

    def _admit(self, first: table_pb2.PlayRequest) -> Seat | table_pb2.PlayResponse:
        """The seat of whoever sent this first message, or the refusal."""
        if not first.HasField("join") or first.answers:
            message = "the first message of a stream is a join without answers"
            return refusal_response(table_pb2.REFUSAL_REASON_MALFORMED, message)
        join = first.join
        token = join.token.encode()
        found = None
        for seat in self._seats():
            if (expected := seat.token) is not None and hmac.compare_digest(expected.encode(), token):
                found = seat
        if found is None:
            message = "no process that this referee has started has this token (CARDTABLE_TOKEN)"
            return refusal_response(table_pb2.REFUSAL_REASON_TOKEN, message)
        if found.phase is Phase.JOINED:
            found.intruded()
            message = "a live stream has joined with this token; a process has one stream"
            return refusal_response(table_pb2.REFUSAL_REASON_ALREADY_JOINED, message)
        if common_protocol(join) is None:
            message = (
                f"the bot speaks protocol {join.protocol_min} to {join.protocol_max}, "
                f"the referee {PROTOCOL_VERSION}"
            )
            found.refused(message)
            return refusal_response(table_pb2.REFUSAL_REASON_PROTOCOL, message)
        message = self.why_not(join)
        if message:
            found.refused(message)
            return refusal_response(table_pb2.REFUSAL_REASON_GAME, message)
        return found

    def why_not(self, join: table_pb2.Join) -> str:
        """Why a bot cannot play what is played now; empty when it can."""
        return unsupported(join, *self._plays) if self._plays else ""


async def _read(seat: Seat, connection: Connection, context: _Context) -> None:
    """Hand in what the bot says until it leaves, or says what is no request; then the stream is closed."""
    while isinstance(said := await _next(seat, context), table_pb2.PlayRequest):
        seat.received(connection, said)
    seat.left(connection)
    connection.close(said)


async def _next(seat: Seat, context: _Context) -> table_pb2.PlayRequest | table_pb2.PlayResponse | None:
    """The next request; the refusal of what is none; None at the end of the stream."""
    try:
        request = await context.read()
    except DecodeError as error:
        return refusal_response(table_pb2.REFUSAL_REASON_MALFORMED, f"no request: {error}")
    except Exception:  # gRPC has no one error for a stream that has broken
        _LOG.debug("the stream of %s has broken", seat.title, exc_info=True)
        return None
    if not isinstance(request, table_pb2.PlayRequest):
        return None
    if request.HasField("join"):
        message = "a stream has one join, its first message"
        return refusal_response(table_pb2.REFUSAL_REASON_MALFORMED, message)
    return request


async def _write(seat: Seat, connection: Connection, context: _Context) -> None:
    """Send what is pending whenever the seat says that it is time."""
    while True:
        await connection.due.wait()
        connection.due.clear()
        response = connection.last if connection.is_closed else seat.take(connection)
        if response is not None:
            try:
                await context.write(response)
            except Exception:  # gRPC has no one error for a stream that has broken; the reader sees it too
                _LOG.debug("the stream of %s has broken", seat.title, exc_info=True)
                return
        if connection.is_closed:
            return
