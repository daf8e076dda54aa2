"""Coverage-guided fuzzing of what strangers send, for minutes or hours: `make fuzz`, never in the tests.

The first argument is the folder of the corpus, which gets a few inputs to begin with. The first byte of an input
chooses what the rest is: a script of what one bot does in a quiet hall, a message, or a file. An exception that is
not documented ends the run, and the input is kept.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# It ships no types.
atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["cardtable", "referee"]):
    import json

    from google.protobuf.message import DecodeError

    from cardtable.catalog import GAMES
    from cardtable.engine import MalformedAction
    from cardtable.record import GameRecord, RecordError
    from cardtable.replay import replay
    from cardtable.v1 import table_pb2
    from cardtable.wire import codec, join_request, record_from_bytes, record_to_bytes, unsupported
    from referee.errors import RefereeError
    from referee.rating_file import rate_file
    from referee.seat import Connection, Phase
    from tests.fuzz.quiet_hall import SHORT, QuietHall, block

#: Without trix: a game of it takes a hundred times as long as one of vytrix with one hand.
_GAMES = SHORT[:2]
_SECONDS = (0.0, 0.004, 0.02, 0.5, 1.5, 3.5)


def one_input(data: bytes) -> None:
    """Play one input."""
    kind, rest = data[:1], data[1:]
    match int.from_bytes(kind, "big") % 8:
        case 0:
            _record(rest)
        case 1:
            with suppress(RecordError):
                record_from_bytes(rest)
        case 2:
            _matches(rest)
        case 3:
            _message(rest)
        case _:
            _bot(rest)


def _record(data: bytes) -> None:
    try:
        record = GameRecord.from_line(data.decode())
    except (RecordError, UnicodeDecodeError):
        return
    json.dumps(replay(record).to_json())


def _matches(data: bytes) -> None:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return
    with suppress(RefereeError):
        rate_file(content)


def _message(data: bytes) -> None:
    try:
        request = table_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return
    for game in ("trix", "vytrix"):
        unsupported(request.join, game, {"players": 3})
        for answer in request.answers:
            with suppress(MalformedAction):
                codec(game).action(answer)


def _bot(data: bytes) -> None:
    """A bot's doings: pairs of what it does and how much of it, and messages that follow such a pair."""
    source = atheris.FuzzedDataProvider(data)
    game, variant = _GAMES[source.ConsumeIntInRange(0, 1)]
    house = QuietHall(block(game, variant, 2))
    bot = _Bot(house)
    bot.join()
    for _ in range(40):
        if not source.remaining_bytes():
            break
        bot.do(source)
        assert house.hall.error == "", house.hall.error
    house.end()


class _Bot:
    def __init__(self, house: QuietHall) -> None:
        self._house = house
        self._connection: Connection | None = None

    def join(self) -> None:
        if self._house.culprit.phase in {Phase.STARTING, Phase.AWAY}:
            self._house.asks.clear()
            self._connection = self._house.join(self._house.culprit)
            self._house.settle()
            self._house.take(self._connection)

    def do(self, source: Any) -> None:
        """Do what the input says."""
        house, seat, connection = self._house, self._house.culprit, self._connection
        match source.ConsumeIntInRange(0, 9):
            case 0:
                house.wait(_SECONDS[source.ConsumeIntInRange(0, len(_SECONDS) - 1)])
            case 1:
                self.join()
            case 2 | 3 if connection is not None:
                asks, house.asks[:] = house.asks[:2], house.asks[2:]
                answers = [house.answer(ask, 1) for ask in asks]
                seat.received(connection, table_pb2.PlayRequest(answers=answers))
            case 4 if connection is not None:
                self._connection = None
                seat.left(connection)
            case 5 if seat.process is not None and not seat.process.exited:
                seat.process.ended(source.ConsumeIntInRange(-15, 1), "", "")
            case 6 if seat.phase is Phase.JOINED:
                seat.intruded()
            case 7 | 8 | 9 if connection is not None:
                with suppress(DecodeError):
                    request = table_pb2.PlayRequest.FromString(
                        source.ConsumeBytes(source.ConsumeIntInRange(0, 60))
                    )
                    for answer, ask in zip(request.answers, house.asks, strict=False):
                        answer.table, answer.turn = ask.table, ask.turn
                    seat.received(connection, request)
            case _:
                pass
        house.settle()
        if self._connection is not None:
            house.take(self._connection)


def _seeds() -> Iterator[bytes]:
    """Inputs to begin with: each kind, as it is when nothing is wrong."""
    for game, variant in SHORT:
        house = QuietHall(block(game, variant, 1))
        (record,) = house.end()
        yield b"\0" + record.to_line().encode()
        yield b"\1" + record_to_bytes(record)
    matches = {
        "environment": {"mu": 25, "draw_probability": 0.1},
        "mode": "batch",
        "prior": {"a": [25, 8]},
        "matches": [{"groups": [["a", "b"], ["c"]], "ranks": [0, 1]}],
    }
    yield b"\2" + json.dumps(matches).encode()
    request = join_request("t", bot_name="b", bot_version="1", sdk="s", games={"vytrix": {"players": (3,)}})
    texts = {
        "trix": ("contract:king", "keep", "double:QS,QD", "double:none", "KH", "pass"),
        "vytrix": (
            "bid:4S-low",
            "bid:9NT",
            "pass",
            "kitty:take",
            "discard:2C,3D,4H,5S",
            "name:S",
            "name:low",
            "7D",
        ),
    }
    for game, actions in texts.items():
        for turn, text in enumerate(actions, 1):
            answer = request.answers.add(table=1, turn=turn, comment="why")
            codec(game).set_action(answer, GAMES[game].parse_action(text))
            yield b"\4" + bytes([turn]) * 40 + answer.SerializeToString() * 2
    yield b"\3" + request.SerializeToString()
    rng = Random(1)
    for _ in range(20):
        yield b"\5" + rng.randbytes(80)


if __name__ == "__main__":
    for folder in filter(Path.is_dir, map(Path, sys.argv[1:2])):
        for number, seed in enumerate(_seeds()):
            (folder / f"seed-{number}").write_bytes(seed)
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
