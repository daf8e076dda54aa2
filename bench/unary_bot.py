"""The other way to ask a bot: it listens, and each decision is one unary round trip. For comparison only."""

from __future__ import annotations

import sys
import threading
from concurrent import futures

import grpc

from cardtable.catalog import GAMES
from cardtable.v1 import table_pb2
from cardtable.wire import codec

VARIANT = GAMES["trix"].variant({})
CODEC = codec("trix")


def decide(ask: table_pb2.Ask, _context: grpc.ServicerContext) -> table_pb2.Answer:
    """Answer with the first legal action, by the same view and codec as a real bot."""
    view = CODEC.view(ask, VARIANT, 0)
    answer = table_pb2.Answer(table=ask.table, turn=ask.turn)
    CODEC.set_action(answer, next(iter(view.legal_actions)))
    return answer


def main() -> None:
    """Serve until the parent goes away."""
    server = grpc.server(futures.ThreadPoolExecutor(4))
    handler = grpc.unary_unary_rpc_method_handler(
        decide,
        request_deserializer=table_pb2.Ask.FromString,
        response_serializer=table_pb2.Answer.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Bot", {"Decide": handler}),))
    server.add_insecure_port(sys.argv[1])
    server.start()
    print("ready", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), server.stop(0)), daemon=True).start()
    server.wait_for_termination()


if __name__ == "__main__":
    main()
