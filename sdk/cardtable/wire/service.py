"""Typed bindings of the protocol's one call, for a client and for a server; no generated gRPC code is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import grpc

from cardtable.v1 import table_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from typing import TypeAlias

    from grpc import aio

    #: A referee's side of one stream: a coroutine that reads and writes through the context, or a generator.
    PlayBehaviour: TypeAlias = Callable[
        [
            AsyncIterator[table_pb2.PlayRequest],
            aio.ServicerContext[table_pb2.PlayRequest, table_pb2.PlayResponse],
        ],
        Awaitable[None] | AsyncIterator[table_pb2.PlayResponse],
    ]
    #: The same for a server with threads.
    SyncPlayBehaviour: TypeAlias = Callable[
        [Iterator[table_pb2.PlayRequest], grpc.ServicerContext], Iterator[table_pb2.PlayResponse]
    ]

__all__ = ["METHOD", "PlayCall", "add_referee", "play"]

_SERVICE: Final = "cardtable.v1.RefereeService"
#: The call's full name.
METHOD: Final = f"/{_SERVICE}/Play"

if TYPE_CHECKING:
    #: What `play` returns: called with an iterator of requests it gives the iterator of responses.
    PlayCall: TypeAlias = grpc.StreamStreamMultiCallable[table_pb2.PlayRequest, table_pb2.PlayResponse]


def play(channel: grpc.Channel) -> PlayCall:
    """The call on a channel with threads."""
    return channel.stream_stream(
        METHOD,
        request_serializer=table_pb2.PlayRequest.SerializeToString,
        response_deserializer=table_pb2.PlayResponse.FromString,
    )


def add_referee(server: aio.Server | grpc.Server, behaviour: PlayBehaviour | SyncPlayBehaviour) -> None:
    """Make a server answer the call.

    Args:
        server: A server that has not started yet.
        behaviour: Called once for each stream; asynchronous for a `grpc.aio` server.
    """
    handler = grpc.stream_stream_rpc_method_handler(
        behaviour,
        request_deserializer=table_pb2.PlayRequest.FromString,
        response_serializer=table_pb2.PlayResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {"Play": handler}),))
