"""The referee's own hall, seats and dispatcher without a wire, a loop or a clock: everything happens when it is said.

One seat is in the hands of whoever fuzzes it; the others are filled by bots that behave, and at the end it can be
left to itself, so that every game must come to its end.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.replay import replay
from cardtable.v1 import table_pb2
from cardtable.wire import codec, join_request
from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.bot_process import BotProcess
from referee.dispatch import Dispatcher
from referee.hall import TICK_SECONDS, Hall
from referee.seat import Connection, Phase, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardtable.record import GameRecord

__all__ = ["CULPRIT", "SHORT", "QuietHall", "block"]

CULPRIT = "eve"
_NAMES = ("ana", CULPRIT, "bo", "cy")
LIMITS = Limits(
    start_seconds=3,
    first_move_seconds=2,
    move_ms=1000,
    game_seconds=30,
    stop_seconds=1,
    disconnect_seconds=2,
    restarts=1,
    forfeit_after=40,
)
#: Games with every kind of question that do not last.
SHORT: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("vytrix", {"target": 0, "max_hands": 1}),
    ("vytrix", {"players": 4, "partial_bidding": True, "target": 0, "max_hands": 1}),
    ("trix", {}),
)
#: No game lasts so long when nobody answers.
_MOST_SECONDS = 5000


def block(game: str, variant: Mapping[str, object], games: int, limits: Limits = LIMITS) -> BlockOrder:
    """Some games with the culprit in seat 1."""
    seats = _NAMES[: GAMES[game].variant(variant).players]
    return BlockOrder(
        "cup",
        game,
        variant,
        tuple(GameOrder(0, number, seats, bytes([number]) * 32) for number in range(games)),
        tuple(BotSpec(name, ("fake",), "/") for name in seats),
        limits,
        "/",
    )


class QuietHall:
    """A hall whose time passes only in `wait`.

    Args:
        order: The games.
    """

    def __init__(self, order: BlockOrder) -> None:
        self.now = 1000.0
        self._soon: list[Callable[[], None]] = []
        self._later: list[tuple[float, Callable[[], None]]] = []
        self._keys = count(1)
        self._seats: dict[tuple[str, int], Seat] = {}
        self._connections: dict[Seat, Connection] = {}
        self._ends: list[tuple[BotProcess, int]] = []
        self._game = GAMES[order.game]
        self._variant = self._game.variant(order.variant)
        self._codec = codec(order.game)
        self._dispatcher = Dispatcher(lambda: self.now, self._soon.append, self._call_later)
        self._games = len(order.games)
        #: What the culprit is asked and has not answered.
        self.asks: list[table_pb2.Ask] = []
        self.hall = Hall(order, self._seat, count(1))
        self.hall.begin(lambda _: "")
        self.culprit = self._seats[CULPRIT, 1]
        self.wait(0)

    # The starter.

    def start(self, seat: Seat) -> BotProcess:
        """Start a process."""
        return BotProcess(next(self._keys), ("fake",), seat.exited)

    def stop(self, bot: BotProcess, seconds: float) -> None:  # noqa: ARG002 - it ends with the next tick
        """End a process."""
        self._ends.append((bot, -15))

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        """Nothing is used here."""

    def watch(self, bot: BotProcess, now: float) -> None:
        """Nothing waits here."""

    # What happens.

    def wait(self, seconds: float) -> None:
        """Let time pass, and everybody but the culprit do what is to be done."""
        if self.hall.finished.is_set():
            return
        until = self.now + seconds
        while True:
            ends, self._ends = self._ends, []
            for bot, status in ends:
                if not bot.exited:
                    bot.ended(status, "", "")
            self.hall.tick(self.now)
            self.settle()
            if self.now >= until or self.hall.finished.is_set():
                return
            # The referee is never late, or it would hold itself responsible for the time.
            self.now = min(until, self.now + TICK_SECONDS)

    def settle(self) -> None:
        """Do all that is due by now."""
        due = True
        while due:
            due = False
            while self._soon:
                self._soon.pop(0)()
            for when, call in [one for one in self._later if one[0] <= self.now]:
                self._later.remove((when, call))
                call()
                due = True
            for seat in self._seats.values():
                if seat is self.culprit:
                    continue
                if seat.phase is Phase.STARTING:
                    self._connections[seat] = self.join(seat)
                due |= self._play_well(seat)

    def join(self, seat: Seat) -> Connection:
        """Have the process of a seat join."""
        assert seat.process is not None
        connection = Connection()
        request = join_request(seat.process.token, bot_name="b", bot_version="1", sdk="s", games={})
        seat.joined(connection, request.join)
        return connection

    def take(self, connection: Connection) -> bool:
        """Have the culprit read what is due to it; whether there was anything."""
        if not connection.due.is_set():
            return False
        connection.due.clear()
        response = self.culprit.take(connection)
        self.asks += response.asks if response is not None else ()
        return response is not None

    def answer(self, ask: table_pb2.Ask, seat: int) -> table_pb2.Answer:
        """The answer of a bot that behaves."""
        answer = table_pb2.Answer(table=ask.table, turn=ask.turn)
        self._codec.set_action(answer, self._game.house_action(self._codec.view(ask, self._variant, seat)))
        return answer

    def end(self) -> list[GameRecord]:
        """Leave the culprit to itself until all games are over; the games, each of them sound."""
        for _ in range(_MOST_SECONDS):
            if self.hall.finished.is_set():
                break
            if self.culprit.phase is Phase.JOINED and self.culprit.process is not None:
                self._ends.append((self.culprit.process, 1))
                self.wait(2)
            self.wait(1)
        assert self.hall.finished.is_set(), f"a table is left hanging: {self.culprit.phase}"
        assert self.hall.error == ""
        assert not self.culprit._open
        assert not self.culprit._waiting
        records = [game.record for game in self.hall.games()]
        assert len(records) == self._games
        for record in records:
            verdict = replay(record)
            assert verdict.ok, verdict.error
            assert verdict.state is not None
            assert verdict.state.is_over
            assert {fault.seat for fault in record.faults} <= {1}
        return records

    def _seat(self, entrant: str, number: int) -> Seat:
        if (entrant, number) not in self._seats:
            starter: Any = self
            seat = Seat(entrant, number, starter, lambda: self.now, self._dispatcher)
            self._seats[entrant, number] = seat
        return self._seats[entrant, number]

    def _call_later(self, seconds: float, call: Callable[[], None]) -> None:
        self._later.append((self.now + seconds, call))

    def _play_well(self, seat: Seat) -> bool:
        connection = self._connections.get(seat)
        if connection is None or not connection.due.is_set():
            return False
        connection.due.clear()
        response = seat.take(connection)
        if response is not None and response.asks:
            answers = [self.answer(ask, seat.number) for ask in response.asks]
            seat.received(connection, table_pb2.PlayRequest(answers=answers))
        return response is not None
