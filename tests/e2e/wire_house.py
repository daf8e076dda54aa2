"""The referee's own hall, seats, dispatcher, codec and gRPC server on a Unix socket, with streams in place of bots.

Only what lies beyond the wire is fake: nobody starts a process, and the clock of the seats stands still.
"""

from __future__ import annotations

import asyncio
import atexit
import time
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from google.protobuf.unknown_fields import UnknownFieldSet
from grpc import aio

from cardtable.v1 import table_pb2
from cardtable.wire import codec, join_request
from cardtable.wire.service import METHOD
from referee.bot_process import BotProcess
from referee.dispatch import Dispatcher
from referee.hall import Hall
from referee.seat import Phase, Seat
from referee.server import Server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
    from pathlib import Path
    from typing import Self

    from google.protobuf.message import Message

    from referee.blocks import BlockOrder

__all__ = ["NOW", "Event", "Stream", "WireHouse", "bot_join", "events", "run"]

T = TypeVar("T")
#: What the seats' clock shows, always.
NOW = 100.0
_GAMES: dict[str, dict[str, tuple[object, ...]]] = {"trix": {}, "vytrix": {}}
#: What a stream has been told of one table: the kind of the message, and the message.
Event: TypeAlias = tuple[str, Any]


@cache
def _runner() -> asyncio.Runner:
    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


def run(game: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in the one loop of all these tests: gRPC's queue belongs to a process, and outlives a loop."""
    return _runner().run(game)


def bot_join(token: str) -> table_pb2.PlayRequest:
    """The first message of a bot that plays everything."""
    return join_request(token, bot_name="b", bot_version="1", sdk="test", games=_GAMES)


def events(response: table_pb2.PlayResponse) -> Iterable[Event]:
    """What one message says of tables, in the order in which it is to be read."""
    for field in ("seated", "faults", "deals_ended", "tables_closed", "asks"):
        for said in getattr(response, field):
            yield field, said


class Stream:
    """One stream, as a bot without our library would have it; a message may also be handed in as bytes."""

    def __init__(self, channel: aio.Channel) -> None:
        self._call = channel.stream_stream(
            METHOD, request_serializer=_to_bytes, response_deserializer=bytes
        )()

    async def say(self, message: table_pb2.PlayRequest | bytes) -> None:
        """Send a message."""
        await self._call.write(message)

    async def heard(self) -> table_pb2.PlayResponse | None:
        """The next message; None when the referee has closed the stream."""
        told = await self._call.read()
        if not isinstance(told, bytes):
            return None
        response = table_pb2.PlayResponse.FromString(told)
        assert not len(UnknownFieldSet(response)), "the referee says what its protocol does not"
        return response

    async def all_heard(self) -> AsyncIterator[table_pb2.PlayResponse]:
        """All messages until the stream is closed."""
        while (response := await self.heard()) is not None:
            yield response

    async def leave(self) -> None:
        """Say that nothing more will be said."""
        await self._call.done_writing()

    def break_off(self) -> None:
        """Be gone."""
        self._call.cancel()


def _to_bytes(message: Message | bytes) -> bytes:
    return message if isinstance(message, bytes) else message.SerializeToString()


class WireHouse:
    """One server and the seats that were last asked for; used with ``async with``.

    Args:
        folder: Where the socket lies; its path is short.
        now: The clock of the seats.
    """

    def __init__(self, folder: Path, now: Callable[[], float] = lambda: NOW) -> None:
        self.errors: list[BaseException] = []
        self.seats: dict[tuple[str, int], Seat] = {}
        #: Called with the seat for which a process would have been started.
        self.on_start: Callable[[Seat, BotProcess], None] = lambda _, __: None
        self.server = Server(folder, self.seats.values, self._fail)
        self.now = now
        self._keys = count(1)
        self._hall: Hall | None = None

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._dispatcher = Dispatcher(time.monotonic, loop.call_soon, loop.call_later)
        await self.server.start()
        self.channel = aio.insecure_channel(self.server.address, options=[("grpc.enable_http_proxy", 0)])
        return self

    async def __aexit__(self, *_: object) -> None:
        for seat in self.seats.values():
            seat.dismiss()
        await self.channel.close()
        await self.server.stop()

    def seat(self, entrant: str, number: int) -> Seat:
        """The seat of a worker, made when it is first asked for."""
        if (entrant, number) not in self.seats:
            self.seats[entrant, number] = Seat(entrant, number, self, self.now, self._dispatcher)
        return self.seats[entrant, number]

    def open_hall(self, order: BlockOrder) -> Hall:
        """A hall that will play this block; it is still to begin, and its ticks start processes."""
        self._hall = hall = Hall(order, self.seat, count(1))
        self.server.play(hall.game, hall.options)
        return hall

    def start_all(self, order: BlockOrder, hall: Hall) -> None:
        """Start all processes before the hall begins, as they are after another block.

        What a deal shows at its end is told to those alone that have joined by then.
        """
        for (name, _), seat in self.seats.items():
            spec = next(spec for spec in order.bots if spec.name == name)
            seat.begin_block(spec, hall, order.limits, codec(order.game), lambda _: "")
            seat.phase = Phase.QUEUED
            seat.start()

    # The starter of the seats.

    def start(self, seat: Seat) -> BotProcess:
        """Pretend to start a process."""
        bot = BotProcess(next(self._keys), ("fake",), seat.exited)
        self.on_start(seat, bot)
        return bot

    def stop(self, bot: BotProcess, seconds: float) -> None:  # noqa: ARG002 - it ends at once
        """End it; the news of it comes later, as from a warden."""
        if not bot.exited:
            asyncio.get_running_loop().call_soon(bot.ended, -15, "", "")

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        """Nothing is used here."""

    def watch(self, bot: BotProcess, now: float) -> None:
        """Nothing waits here."""

    def _fail(self, error: Exception) -> None:
        self.errors.append(error)
        if self._hall is not None:
            self._hall.fail(error)
