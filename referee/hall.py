"""The tables of one block: opens them in schedule order, brings questions to seats and answers to tables.

Everything here is synchronous and follows from what arrives; the worker lends it the loop and the ticks. It knows
no game but by its codec and its line of the catalog.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from google.protobuf.json_format import MessageToJson

from cardtable.catalog import game as game_of
from cardtable.dealing import bot_seed
from cardtable.engine import MalformedAction
from cardtable.record import FaultCause
from cardtable.v1 import table_pb2
from cardtable.wire import codec, seated_message
from referee.blocks import EntrantFault
from referee.clock import Heartbeat, game_left
from referee.seat import Asked
from referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from referee.blocks import BlockOrder, Door, PlayedGame
    from referee.bot_process import BotProcess
    from referee.seat import Seat

__all__ = ["OPEN_TABLES", "TICK_SECONDS", "Hall"]

#: Games of one worker that are played at the same time.
OPEN_TABLES = 512
#: More tables open while a question is answered within this time, its wait for a bot that is busy included.
_QUICK_SECONDS = 0.1
#: How often that is looked at; the tables may double each time.
_LOOK_SECONDS = 0.05
TICK_SECONDS = 0.01
#: Processes of one worker that may start at the same time; more only make each other late.
_STARTS = 4


class Hall:
    """Plays one block.

    Args:
        order: The block.
        seat_of: The seat for an entrant and a seat number.
        numbers: Numbers for tables, each used once in the life of the worker.
    """

    def __init__(
        self, order: BlockOrder, seat_of: Callable[[str, int], Seat], numbers: Iterator[int]
    ) -> None:
        self.finished = asyncio.Event()
        self.error = ""
        self._order = order
        self._game = game_of(order.game)
        self._variant = self._game.variant(order.variant)
        self._codec = codec(order.game)
        self._numbers = numbers
        self._seat_of = seat_of
        self._seats = {
            (entrant, number): seat_of(entrant, number)
            for game in order.games
            for number, entrant in enumerate(game.seats)
        }
        self._next_game = 0
        self._allowed = len(order.games) // max(1, len({game.board for game in order.games}))
        self._answers = 0
        self._looked_at = 0.0
        self._opens_until: float | None = None
        self._is_late = False
        self._tables: dict[int, Table] = {}
        self._closed: dict[int, Table] = {}
        self._places: dict[int, int] = {}
        self._opening = False
        self._entrant_faults: list[tuple[Seat, FaultCause, str, BotProcess]] = []
        self._heartbeat = Heartbeat(TICK_SECONDS)
        self._margin_seconds = order.limits.margin_ms / 1000

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._game.name

    @property
    def door(self) -> Door | None:
        """Where remote bots dial in."""
        return self._order.door

    @property
    def options(self) -> dict[str, object]:
        """The variant's options, defaults too."""
        return self._game.options(self._variant)

    def begin(self, why_not: Callable[[table_pb2.Join], str]) -> None:
        """Open the first tables.

        Args:
            why_not: Why a bot that has joined earlier cannot play this game; empty when it can.
        """
        specs = {spec.name: spec for spec in self._order.bots}
        for (entrant, _), seat in self._seats.items():
            seat.begin_block(specs[entrant], self, self._order.limits, self._codec, why_not)
        self._open_tables()

    def tick(self, now: float) -> None:
        """Judge what has not happened by now, and start the processes that are due."""
        late = self._heartbeat.beat(now, scheduled=True)
        starting = 0
        for seat in self._seats.values():
            if late:
                seat.hold_up(late)
            seat.tick(now)
            starting += seat.is_starting
        for seat in self._seats.values():
            if starting < _STARTS and seat.may_start(now):
                seat.start()
                starting += 1
        if now - self._looked_at >= _LOOK_SECONDS:
            self._look(now)

    def fail(self, error: BaseException) -> None:
        """Break off by a fault of our own."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        self.error = self.error or f"{type(error).__name__}: {error}"
        self.finished.set()

    def faulty_processes(self) -> Iterable[BotProcess]:
        """The processes whose last words belong to a fault, each once."""
        seen = {bot.key: bot for _, _, _, bot in self._entrant_faults}
        seen |= {
            fault.bot.key: fault.bot
            for table in self._closed.values()
            for fault in table.faults
            if fault.bot is not None
        }
        return seen.values()

    def games(self) -> tuple[PlayedGame, ...]:
        """The finished games, in the order in which they were ordered."""
        return tuple(self._closed[place].played(self._view_text) for place in sorted(self._closed))

    def entrant_faults(self) -> tuple[EntrantFault, ...]:
        """Faults at no table since the last call; some come when the block is over."""
        faults, self._entrant_faults = self._entrant_faults, []
        return tuple(
            EntrantFault(seat.entrant, seat.number, cause, message, bot.tail)
            for seat, cause, message, bot in faults
        )

    # What seats say.

    def arrival(self, now: float) -> None:
        """Charge nobody for the time in which we were held up."""
        late = self._heartbeat.beat(now, scheduled=False)
        if late:
            for seat in self._seats.values():
                seat.hold_up(late)

    def answered(self, seat: Seat, asked: Asked, answer: table_pb2.Answer, seconds: float) -> None:
        """Bring an answer to its table."""
        self._answers += 1
        table = self._tables[asked.table]
        table.charged_seconds[seat.number] += seconds
        left = asked.left_seconds
        fault = None
        if left is not None and seconds > left + self._margin_seconds:
            message = f"took {seconds * 1000:.0f} ms, and {left * 1000:.0f} ms of the game's time were left"
            fault = table.fault(FaultCause.TIMEOUT, message, seat.process)
        else:
            try:
                action = self._codec.action(answer)
            except MalformedAction as malformed:
                fault = table.fault(FaultCause.MALFORMED, malformed.message, seat.process)
            else:
                fault = table.answer(action, answer.comment, seat.process)
        if fault is not None:
            seat.tell_fault(asked.table, fault)
        self._serve(table)

    def at_fault(self, seat: Seat, asked: Asked, cause: FaultCause, message: str, bot: BotProcess) -> None:
        """Let the house decide for a seat that is at fault."""
        table = self._tables[asked.table]
        seat.tell_fault(asked.table, table.fault(cause, message, bot))
        self._serve(table)

    def given_up(self, seat: Seat, asked: Iterable[Asked]) -> None:  # noqa: ARG002 - the seat itself says why
        """Let the house play on wherever the seat was asked, and begin no board that it would only forfeit."""
        self._is_late, self._opens_until = True, 0.0
        for question in list(asked):
            self._serve(self._tables[question.table])

    def entrant_fault(self, seat: Seat, cause: FaultCause, message: str, bot: BotProcess) -> None:
        """Keep a fault at no table."""
        self._entrant_faults.append((seat, cause, message, bot))

    # Tables.

    def _open_tables(self) -> None:
        if self._opening:
            return
        self._opening = True
        games = self._order.games
        while self._next_game < len(games) and self._may_open(games[self._next_game].board):
            place, self._next_game = self._next_game, self._next_game + 1
            number = next(self._numbers)
            table = Table(
                number,
                games[place],
                self._game,
                self._order.variant,
                forfeit_after=self._order.limits.forfeit_after,
                ask_forced=self._order.ask_forced,
            )
            self._tables[number] = table
            self._places[number] = place
            self._seat_all(table)
            table.start()
            self._serve(table)
        self._opening = False
        if not self._tables:
            self.finished.set()

    def _may_open(self, board: int) -> bool:
        """Whether the next game may begin; the first board always does, and each is played to its end."""
        if not self._next_game or self._order.games[self._next_game - 1].board == board:
            return True
        return len(self._tables) < self._allowed and not self._is_late

    def _look(self, now: float) -> None:
        """Open more tables while the bots keep up, and no new board when the block has lasted long enough.

        Each table waits for one answer, so tables divided by answers per second is the time that an answer takes.
        While a process is yet to come, nobody knows how quick it is, or whether it comes at all.
        """
        spent, self._looked_at = now - self._looked_at, now
        answers, self._answers = self._answers, 0
        if answers and self._opens_until is None:
            self._opens_until = now + self._order.seconds
        self._is_late = self._opens_until is not None and now >= self._opens_until
        if any(seat.is_coming for seat in self._seats.values()):
            return
        if len(self._tables) * spent < answers * _QUICK_SECONDS:
            self._allowed = min(max(self._allowed, 2 * len(self._tables)), OPEN_TABLES)
            self._open_tables()

    def _seat_all(self, table: Table) -> None:
        order, limits = self._order, self._order.limits
        game = table.order
        for number, entrant in enumerate(game.seats):
            seated = seated_message(
                self._codec,
                self._variant,
                table=table.number,
                seat=number,
                scored_by=order.scored_by,
                bot_seed=bot_seed(game.seed, game.seating, number),
                names=game.seats if order.show_names else (),
                move_ms=limits.move_ms,
                game_ms=round((limits.game_seconds or 0) * 1000),
            )
            self._seats[entrant, number].sit(seated)

    def _serve(self, table: Table) -> None:
        """Bring what a table has to say to its seats."""
        seats = table.order.seats
        while True:
            for summary in table.take_summaries():
                ended = table_pb2.DealEnded(table=table.number)
                self._codec.set_summary(ended, summary)
                for number, entrant in enumerate(seats):
                    self._seats[entrant, number].tell_deal(ended)
            question = table.question
            if question is None:
                self._close(table)
                return
            number = question.seat
            seat = self._seats[seats[number], number]
            if not seat.why_given_up:
                left = game_left(self._order.limits, table.charged_seconds[number])
                seat.ask(Asked(table.number, question.turn, question.view, left))
                return
            table.fault(FaultCause.START, seat.why_given_up, seat.last_process, forfeit=True)

    def _close(self, table: Table) -> None:
        for number, entrant in enumerate(table.order.seats):
            closed = table_pb2.TableClosed(
                table=table.number, scores=table.scores, faults=table.fault_counts[number]
            )
            self._seats[entrant, number].rise(closed)
        del self._tables[table.number]
        self._closed[self._places.pop(table.number)] = table
        self._open_tables()

    def _view_text(self, view: Any) -> str:
        ask = table_pb2.Ask()
        self._codec.set_view(ask, view)
        return MessageToJson(ask, indent=None)
