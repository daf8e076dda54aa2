"""The trivial bot, which writes down what goes over its wire, and what time of the CPU it took.

The folder comes from BENCH_TRACES; each process writes one trace when its stream has ended.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.traces import Trace, write_trace
from bench.trivial_bot import TrivialBot
from cardtable import serve
from cardtable.v1 import table_pb2
from cardtable.wire.service import METHOD

if TYPE_CHECKING:
    import grpc

    from cardtable import Bot
    from cardtable.wire.service import PlayCall

_messages: list[tuple[bool, bytes]] = []


def _sent(request: table_pb2.PlayRequest) -> bytes:
    data = request.SerializeToString()
    _messages.append((True, data))
    return data


def _received(data: bytes) -> table_pb2.PlayResponse:
    _messages.append((False, data))
    return table_pb2.PlayResponse.FromString(data)


def _play(channel: grpc.Channel) -> PlayCall:
    return channel.stream_stream(METHOD, request_serializer=_sent, response_deserializer=_received)


def play_and_tell(bot: type[Bot]) -> None:
    """Play until the referee closes the stream, then write what it was; ends the process."""
    address = os.environ["CARDTABLE_REFEREE"]
    code = serve.serve(bot, address, os.environ["CARDTABLE_TOKEN"])
    path = Path(os.environ["BENCH_TRACES"], f"{os.getpid()}.trace")
    write_trace(path, Trace(address, time.process_time(), _messages))
    os._exit(code)


def main() -> None:
    """Play, and keep every message."""
    setattr(serve, "play", _play)  # noqa: B010 - in place of its own binding
    play_and_tell(TrivialBot)


if __name__ == "__main__":
    main()
