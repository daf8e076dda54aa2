"""Speaks the protocol without the library's `serve`, and breaks it: `raw_bot.py HOW`."""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, Any

import grpc

from cardtable.catalog import GAMES
from cardtable.v1 import table_pb2
from cardtable.wire import codec, join_request
from cardtable.wire.service import METHOD, play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOW = sys.argv[1]


class Stream:
    """One stream; `send` puts a request on its way, and iteration gives what comes back."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._requests: queue.SimpleQueue[table_pb2.PlayRequest | None] = queue.SimpleQueue()
        self._responses: Iterator[table_pb2.PlayResponse] = play(channel)(iter(self._requests.get, None))

    def send(self, request: table_pb2.PlayRequest) -> None:
        self._requests.put(request)

    def __iter__(self) -> Iterator[table_pb2.PlayResponse]:
        return self._responses

    def close(self) -> None:
        self._requests.put(None)


def join(token: str) -> table_pb2.PlayRequest:
    return join_request(
        token,
        bot_name="raw",
        bot_version="1",
        sdk="none",
        games={} if HOW == "no-game" else {game: {} for game in GAMES},
    )


def refusal_of(channel: grpc.Channel, request: table_pb2.PlayRequest) -> str:
    stream = Stream(channel)
    stream.send(request)
    response = next(iter(stream))
    stream.close()
    return table_pb2.RefusalReason.Name(response.refusal.reason)


class Player:
    """Answers with the first legal action."""

    def __init__(self) -> None:
        self._variants: dict[int, tuple[str, Any, int]] = {}
        self.answered = 0

    def seats(self, response: table_pb2.PlayResponse) -> None:
        for seated in response.seated:
            variant = codec(seated.game).variant(seated)
            self._variants[seated.table] = seated.game, variant, seated.seat

    def sits_at(self, table: int) -> bool:
        return table in self._variants

    def answer(self, ask: table_pb2.Ask) -> table_pb2.Answer:
        game, variant, seat = self._variants[ask.table]
        view = codec(game).view(ask, variant, seat)
        answer = table_pb2.Answer(table=ask.table, turn=ask.turn)
        codec(game).set_action(answer, next(iter(view.legal_actions)))
        self.answered += 1
        return answer


def answers_to(player: Player, ask: table_pb2.Ask) -> list[table_pb2.Answer]:
    right = player.answer(ask)
    second = player.answered == 2
    match HOW:
        case "empty" if second:
            return [table_pb2.Answer(table=ask.table, turn=ask.turn)]
        case "other-game" if second:
            wrong = table_pb2.Answer(table=ask.table, turn=ask.turn)
            setattr(wrong.trix, "pass", True)
            return [wrong]
        case "unknown":
            strange = table_pb2.Answer(table=ask.table + 1000, turn=1)
            early = table_pb2.Answer(table=ask.table, turn=ask.turn + 1)
            late = table_pb2.Answer(table=ask.table, turn=ask.turn - 1)
            return [strange, early, late, right, right]
        case "twice":
            other = table_pb2.Answer(table=ask.table, turn=ask.turn)
            setattr(other.vytrix, "pass", True)
            return [right, other]
        case "other-table" if second:
            tables = (number for number in range(1, 400) if not player.sits_at(number))
            return [table_pb2.Answer(table=number, turn=turn) for number in tables for turn in (1, 2)] + [
                right
            ]
        case "strays" if second:
            return [table_pb2.Answer(table=1, turn=number) for number in range(100_000)]
        case "big" if second:
            return [table_pb2.Answer(table=ask.table, turn=ask.turn, comment="x" * (3 << 20))]
        case _:
            return [right]


def converse(channel: grpc.Channel, player: Player, leaves: Callable[[int], bool]) -> bool:
    """Play over one stream; True when the bot itself has left."""
    stream = Stream(channel)
    stream.send(join(os.environ["CARDTABLE_TOKEN"]))
    for number, response in enumerate(stream):
        if response.HasField("refusal"):
            print(f"refused: {response.refusal.message}", file=sys.stderr, flush=True)
            sys.exit(3)
        if number == 0 and HOW == "second-stream":
            print(refusal_of(channel, join(os.environ["CARDTABLE_TOKEN"])), flush=True)
        player.seats(response)
        if response.asks and leaves(player.answered):
            stream.close()
            return True
        answers = [answer for ask in response.asks for answer in answers_to(player, ask)]
        if answers:
            stream.send(table_pb2.PlayRequest(answers=answers))
        if HOW == "join-twice" and player.answered == 2:
            stream.send(join("again"))
        if HOW == "drips" and player.answered == 2:
            for _ in range(5000):
                stream.send(table_pb2.PlayRequest())
        if HOW == "knocks" and player.answered == 2:
            while True:
                refusal_of(channel, join(os.environ["CARDTABLE_TOKEN"]))
    return False


def channels(number: int) -> list[grpc.Channel]:
    """So many connections of their own."""
    address = os.environ["CARDTABLE_REFEREE"]
    return [
        grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(number)
    ]


def main() -> None:
    if HOW == "exits":
        print("no engine found", file=sys.stderr, flush=True)
        sys.exit(7)
    player = Player()
    with grpc.insecure_channel(os.environ["CARDTABLE_REFEREE"]) as channel:
        match HOW:
            case "wrong-token":
                print(refusal_of(channel, join("guessed")), flush=True)
                converse(channel, player, lambda _: False)
            case "no-join":
                print(refusal_of(channel, table_pb2.PlayRequest()), flush=True)
                converse(channel, player, lambda _: False)
            case "old-protocol":
                request = join(os.environ["CARDTABLE_TOKEN"])
                request.join.protocol_min = request.join.protocol_max = 99
                print(refusal_of(channel, request), flush=True)
            case "garbage":
                call: Any = channel.stream_stream(METHOD)
                for _ in call(
                    iter([join(os.environ["CARDTABLE_TOKEN"]).SerializeToString(), b"\xff\xff\xff"])
                ):
                    pass
            case "deaf":
                deaf = Stream(channel)
                deaf.send(join(os.environ["CARDTABLE_TOKEN"]))
                threading.Event().wait()
            case "crowds-the-door":
                streams = [play(other)(iter(queue.SimpleQueue().get, None)) for other in channels(300)]
                print(f"{len(streams)} streams that say nothing", flush=True)
                converse(channel, player, lambda _: False)
            case "leaves-once":
                left: list[bool] = []
                converse(channel, player, lambda answered: answered == 2 and not left)
                left.append(True)
                converse(channel, player, lambda _: False)
            case "leaves-always":
                while converse(channel, player, lambda answered: answered >= 2):
                    pass
            case "stays-away":
                converse(channel, player, lambda answered: answered == 2)
                threading.Event().wait()
            case _:
                converse(channel, player, lambda _: False)
                print("farewell", flush=True)


main()
