"""The referee's end of the wire for one bot at a time: a gRPC server on a private socket.

Checks first messages as the referee does and hands in what arrives, with the time of its arrival. Keeps no game.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import shutil
import socket
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from cardtable.v1 import table_pb2
from cardtable.wire import PROTOCOL_VERSION, common_protocol, refusal_response

# gRPC reads it when it is loaded; its own lines are not for the author of a bot.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from grpc import aio

from cardtable.wire.service import add_referee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import TracebackType
    from typing import Self, TypeAlias

    _Context: TypeAlias = aio.ServicerContext[table_pb2.PlayRequest, table_pb2.PlayResponse]

__all__ = ["StandIn", "Stream"]

#: A Unix socket's path holds 107 bytes.
_LONGEST_FOLDER: Final = 80


class Stream:
    """The stream of a bot that has joined.

    Args:
        join: What it says of itself.
    """

    def __init__(self, join: table_pb2.Join, context: _Context) -> None:
        self.join = join
        #: Requests with the time of their arrival, and at the end of the stream why it ended.
        self.inbox: asyncio.Queue[tuple[float, table_pb2.PlayRequest] | str] = asyncio.Queue()
        self.closing = asyncio.Event()
        self._context = context

    async def send(self, response: table_pb2.PlayResponse) -> None:
        """Send a message; a stream that has broken says so in the inbox."""
        try:
            await self._context.write(response)
        except Exception:  # gRPC has no one error for a stream that has broken
            self.inbox.put_nowait("its stream has broken")

    def close(self) -> None:
        """Close the stream, after which a bot ends."""
        self.closing.set()

    async def read(self) -> None:
        """Take in what comes, to the end."""
        while True:
            try:
                request = await self._context.read()
            except DecodeError:
                self.inbox.put_nowait("it sent what is no PlayRequest")
                return
            except Exception:  # gRPC has no one error for a stream that has broken
                self.inbox.put_nowait("its stream has broken")
                return
            if not isinstance(request, table_pb2.PlayRequest):
                self.inbox.put_nowait("it closed its stream")
                return
            if request.HasField("join"):
                self.inbox.put_nowait("it sent a second Join")
                return
            self.inbox.put_nowait((time.monotonic(), request))


class StandIn:
    """Listens while it is entered; `expect` says whose stream may come."""

    def __init__(self) -> None:
        #: Why the last stream that came was refused; empty when none was.
        self.refused = ""
        #: What the bot's author can do about it, where that is not plain.
        self.refused_advice = ""
        self.address = ""
        self._token = ""
        self._joined: asyncio.Future[Stream] | None = None
        self._live: Stream | None = None
        self._folder = ""
        self._server: aio.Server

    async def __aenter__(self) -> Self:
        self._server = aio.server()
        add_referee(self._server, self._play)
        if hasattr(socket, "AF_UNIX"):
            parent = None if len(tempfile.gettempdir()) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108 - made private
            self._folder = tempfile.mkdtemp(prefix="cardtable-", dir=parent)
            self.address = f"unix:{Path(self._folder, 'referee.sock')}"
            self._server.add_insecure_port(self.address)
        else:
            self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        await self._server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._server.stop(None)
        if self._folder:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    def expect(self, token: str) -> asyncio.Future[Stream]:
        """Let the process with this token join from now on, and no other; its stream, when it has."""
        self._token, self._live = token, None
        self.refused = self.refused_advice = ""
        self._joined = asyncio.get_running_loop().create_future()
        return self._joined

    async def _play(self, _: AsyncIterator[table_pb2.PlayRequest], context: _Context) -> None:
        try:
            first = await context.read()
        except DecodeError:
            self.refused = "its first message is no PlayRequest"
            return
        if not isinstance(first, table_pb2.PlayRequest):
            return
        refusal = self._refusal(first)
        if refusal is not None:
            self.refused = refusal.refusal.message
            await context.write(refusal)
            return
        assert self._joined is not None
        stream = self._live = Stream(first.join, context)
        self._joined.set_result(stream)
        reading = asyncio.create_task(stream.read())
        closing = asyncio.create_task(stream.closing.wait())
        try:
            await asyncio.wait((reading, closing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            closing.cancel()
            if self._live is stream:
                self._live = None

    def _refusal(self, first: table_pb2.PlayRequest) -> table_pb2.PlayResponse | None:
        if not first.HasField("join") or first.answers:
            message = "the first message of a stream is a join without answers"
            return refusal_response(table_pb2.REFUSAL_REASON_MALFORMED, message)
        join = first.join
        if not hmac.compare_digest(join.token.encode(), self._token.encode()):
            message = "no process that runs has this token (CARDTABLE_TOKEN)"
            return refusal_response(table_pb2.REFUSAL_REASON_TOKEN, message)
        if self._joined is None or self._joined.done():
            message = "a stream has joined with this token; a process has one stream, to its end"
            return refusal_response(table_pb2.REFUSAL_REASON_ALREADY_JOINED, message)
        if common_protocol(join) is None:
            message = (
                f"the bot speaks protocol {join.protocol_min} to {join.protocol_max}, "
                f"the referee {PROTOCOL_VERSION}"
            )
            self.refused_advice = (
                f"speak protocol {PROTOCOL_VERSION}; with the library: install the version of today's referee, "
                "pip install --upgrade cardtable"
            )
            return refusal_response(table_pb2.REFUSAL_REASON_PROTOCOL, message)
        return None
