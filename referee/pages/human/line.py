"""A person's line to the referee: the stream of one seat number, with what any other bot says on it.

Owns dialling in, joining, and leaving when nobody is at the page. Looks into no view and judges no action.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, Protocol

# gRPC reads these when it is loaded; its own words are of no use to a person at a table.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

from grpc import aio

from cardtable.catalog import GAMES
from cardtable.v1 import table_pb2
from cardtable.wire import PROTOCOL_VERSION, WireError, cause_from_wire, codec, join_request
from cardtable.wire.service import METHOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.wire import Codec

__all__ = ["Host", "Line", "channel"]

_LOG = logging.getLogger(__name__)
#: Between two attempts to join: the games of a seat begin when they begin.
_PAUSE_SECONDS: Final = 0.3
#: Refusals that may pass: no game of this seat has begun, or the referee has not noticed that the last stream ended.
_PASSING: Final = frozenset({table_pb2.REFUSAL_REASON_TOKEN, table_pb2.REFUSAL_REASON_ALREADY_JOINED})
_OPTIONS: Final = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
)


class Host(Protocol):
    """Who sits at the end of the line."""

    #: Set while somebody is there to play.
    present: asyncio.Event
    #: Set while nobody is.
    absent: asyncio.Event

    def seated(
        self, line: Line, table: int, game: str, variant: Any, seat: int, names: Sequence[str]
    ) -> None:
        """There is a seat at a table; the same one again where the stream was lost."""

    def asked(self, table: int, turn: int, view: Any) -> None:
        """A decision has to be made."""

    def faulted(self, table: int, turn: int, cause: str, message: str) -> None:
        """The house has made a decision."""

    def deal_ended(self, table: int, summary: Any) -> None:
        """A deal has ended."""

    def closed(self, table: int, scores: Sequence[int], faults: int) -> None:
        """A game has ended."""

    def lost(self, line: Line) -> None:
        """The stream has ended; open questions are asked again on the next one."""

    def refused(self, message: str) -> None:
        """The referee will not have this client, now or later."""


def channel(address: str) -> aio.Channel:
    """A connection to the referee, for all lines."""
    return aio.insecure_channel(address, options=_OPTIONS)


class Line:
    """The stream of one seat number.

    Args:
        referee: The connection.
        token: Who this is.
        host: Who plays.
    """

    def __init__(self, referee: aio.Channel, token: str, host: Host) -> None:
        self._referee = referee
        self._token = token
        self._host = host
        self._call: Any = None
        self._tables: dict[int, tuple[Codec, Any, int]] = {}

    @property
    def is_open(self) -> bool:
        """Whether an answer would reach the referee."""
        return self._call is not None

    async def play(self) -> None:
        """Join whenever somebody is there, and leave when nobody is; ends only when it is cancelled or refused."""
        while True:
            await self._host.present.wait()
            try:
                if not await self._stream():
                    return
            except (aio.AioRpcError, asyncio.InvalidStateError) as error:
                _LOG.debug("the stream has ended: %s", error)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def answer(self, table: int, turn: int, action: object) -> None:
        """Send the answer to a question.

        Raises:
            ConnectionError: The stream has just been lost.
        """
        request = table_pb2.PlayRequest()
        answer = request.answers.add(table=table, turn=turn)
        self._tables[table][0].set_action(answer, action)
        try:
            await self._call.write(request)
        except (aio.AioRpcError, asyncio.InvalidStateError, AttributeError) as error:
            raise ConnectionError("the connection to the referee is lost") from error

    async def _stream(self) -> bool:
        """One stream from its join to its end; whether another one may be tried."""
        method = self._referee.stream_stream(
            METHOD,
            request_serializer=table_pb2.PlayRequest.SerializeToString,
            response_deserializer=table_pb2.PlayResponse.FromString,
        )
        call = method()
        leaving = asyncio.create_task(self._host.absent.wait())
        try:
            await call.write(self._join())
            while True:
                reading = asyncio.ensure_future(call.read())
                await asyncio.wait((reading, leaving), return_when=asyncio.FIRST_COMPLETED)
                if not reading.done():
                    reading.cancel()
                    return True
                response = reading.result()
                if not isinstance(response, table_pb2.PlayResponse):
                    return True
                if response.HasField("refusal"):
                    return self._take_refusal(response.refusal)
                if response.HasField("welcome"):
                    self._call = call
                self._tell(response)
        except WireError as error:
            self._host.refused(f"the referee sent what this version cannot read: {error}")
            return False
        finally:
            leaving.cancel()
            was_open, self._call = self._call is not None, None
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call.code()
            if was_open:
                self._host.lost(self)

    def _join(self) -> table_pb2.PlayRequest:
        program = f"cardtable-referee {version('cardtable-referee')}"
        return join_request(
            self._token,
            bot_name="human",
            bot_version=str(PROTOCOL_VERSION),
            sdk=program,
            games={name: {} for name in GAMES},
        )

    def _take_refusal(self, refusal: table_pb2.Refusal) -> bool:
        if refusal.reason in _PASSING:
            return True
        self._host.refused(refusal.message)
        return False

    def _tell(self, response: table_pb2.PlayResponse) -> None:
        host = self._host
        for seated in response.seated:
            game = codec(seated.game)
            variant = game.variant(seated)
            self._tables[seated.table] = game, variant, seated.seat
            host.seated(self, seated.table, seated.game, variant, seated.seat, list(seated.names))
        for fault in response.faults:
            host.faulted(fault.table, fault.turn, cause_from_wire(fault.cause).value, fault.message)
        for ended in response.deals_ended:
            host.deal_ended(ended.table, self._tables[ended.table][0].summary(ended))
        for closed in response.tables_closed:
            host.closed(closed.table, list(closed.scores), closed.faults)
        for ask in response.asks:
            game, variant, seat = self._tables[ask.table]
            host.asked(ask.table, ask.turn, game.view(ask, variant, seat))
