"""One process of the bot and its stream: what it is asked, what it owes, how long it has thought.

Plays tables as the referee does, in batches both ways. What the bot does wrong at a table is a fault, and play goes
on; that it says nothing, or is gone, is a `Shortcoming`. Every wait ends.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cardtable.conformance.bot_process import BotProcess
from cardtable.conformance.report import Shortcoming
from cardtable.engine import MalformedAction
from cardtable.record import FaultCause
from cardtable.v1 import table_pb2
from cardtable.wire import cause_to_wire, welcome_response

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from cardtable.conformance.processes import Process
    from cardtable.conformance.program import Program
    from cardtable.conformance.standin import StandIn, Stream
    from cardtable.conformance.tables import Fault, Table

__all__ = ["Limits", "Run"]

_REFEREE: Final = "cardtable-check/1"
#: How long after the end of a process its stream may still bring something, and the other way round.
_END_SECONDS: Final = 1.0
#: How long a late answer is waited for, so that slow can be told from silent.
_SLOW_SECONDS: Final = 5.0
#: How long what a process has started may outlive it.
_OUTLIVE_SECONDS: Final = 0.3
_JOIN_ADVICE: Final = "dial the address in CARDTABLE_REFEREE and send a Join with CARDTABLE_TOKEN as the first message of one stream"
_END_ADVICE: Final = (
    "keep the stream open until the referee closes it; what the bot wrote to standard error says more"
)
_SILENCE_ADVICE: Final = (
    "answer every Ask of a message, and repeat its table and turn; Ask.move_ms says how long it may take"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Clocks and patience; the referee's defaults.

    Args:
        start_seconds: From the start of a process to its Join.
        first_move_seconds: For the first decision of a process.
        move_ms: For a decision.
        game_seconds: For all decisions of a game; None: no limit.
        margin_ms: Forgiven at each decision.
        stop_seconds: From the end of the stream to that of the process.
    """

    start_seconds: float = 30.0
    first_move_seconds: float = 30.0
    move_ms: int = 5000
    game_seconds: float | None = None
    margin_ms: int = 50
    stop_seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class _Asked:
    table: Table
    turn: int
    left_seconds: float | None


class Run:
    """One process of the bot; entered it is started, and left it is ended with all that it started.

    Args:
        program: The bot's program.
        standin: Where it joins.
        limits: How long it may take.
        seat: The seat that it plays at every table.
    """

    def __init__(self, program: Program, standin: StandIn, limits: Limits, seat: int) -> None:
        self.seat = seat
        self.process: BotProcess
        self.stream: Stream
        #: From its start to its Join.
        self.join_seconds = 0.0
        #: Thinking time of each decision but the first ones.
        self.think_ms: list[float] = []
        #: Answers to questions that were not open.
        self.discarded = 0
        #: Messages with answers.
        self.messages = 0
        #: Decisions that it has made.
        self.answered = 0
        #: Whether an answer came too late, or none did.
        self.was_silent = False
        self._program = program
        self._standin = standin
        self._limits = limits
        self._open: dict[int, _Asked] = {}
        self._since: float | None = None
        self._welcomed = False

    async def __aenter__(self) -> Self:
        self.process = BotProcess(self._program, self._standin.address)
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        self.process.kill()
        await self.process.end(0)

    @property
    def owed(self) -> int:
        """How many answers it owes."""
        return len(self._open)

    async def join(self) -> table_pb2.Join:
        """Wait until it has joined.

        Raises:
            Shortcoming: It has not, in time.
        """
        process, limit = self.process, self._limits.start_seconds
        began = time.monotonic()
        joined = self._standin.expect(process.token)
        ended = asyncio.create_task(process.ended.wait())
        try:
            await asyncio.wait((joined, ended), timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
        self.join_seconds = time.monotonic() - began
        if joined.done():
            self.stream = joined.result()
            return self.stream.join
        refused = self._standin.refused
        advice = self._standin.refused_advice or _JOIN_ADVICE
        if process.ended.is_set():
            await process.settle()
            how = f"it {process.how_it_ended}"
            if not refused and process.status:
                advice = "mend what it says there; the command says the same when it is typed into a shell"
            raise Shortcoming(f"{refused}; {how}" if refused else f"{how}, before it joined", advice)
        raise Shortcoming(refused or f"it has not joined within {limit:g} s", advice)

    async def ask_once(self, tables: Iterable[Table]) -> None:
        """Open tables, ask one question at each, all in one message, and wait for the answers.

        Raises:
            Shortcoming: Not all were answered.
        """
        response = self._greeting()
        for table in tables:
            self._open_table(table, response)
        await self._send(response)
        while self._open:
            self._apply(await self._answers(), table_pb2.PlayResponse())

    async def play(
        self,
        tables: Iterable[Table],
        *,
        at_once: int,
        stop_after: int | None = None,
        late_turns: frozenset[int] = frozenset(),
    ) -> None:
        """Play games to their end.

        Args:
            tables: New ones, or such as another process has played at.
            at_once: How many are played at the same time.
            stop_after: Leave when it has given so many answers and owes more.
            late_turns: At these turns the house decides before the bot has answered.

        Raises:
            Shortcoming: It does not answer, or is gone.
        """
        waiting = deque(tables)
        playing: list[Table] = []
        response = self._greeting()
        answered = 0
        while True:
            playing = [table for table in playing if not table.is_over]
            while waiting and len(playing) < at_once:
                table = waiting.popleft()
                self._open_table(table, response)
                if not table.is_over:
                    playing.append(table)
            if response.ByteSize():
                await self._send(response)
                response = table_pb2.PlayResponse()
            if not self._open:
                return
            late = [asked for asked in self._open.values() if asked.turn in late_turns]
            if late:
                self._decide(late, response)
                continue
            if stop_after is not None and answered >= stop_after:
                return
            answers = await self._answers()
            answered += len(answers)
            for table in self._apply(answers, response):
                self._go_on(table, response)

    async def leave(self) -> tuple[bool, list[Process]]:
        """Close the stream: whether it has ended by itself in time, and what outlives it, also when it had to be ended."""
        self.stream.close()
        in_time = await self.process.wait(self._limits.stop_seconds)
        if not in_time:
            await self.process.end_alone(_END_SECONDS)
        return in_time, await self.process.left_behind(_OUTLIVE_SECONDS)

    # Messages.

    def _greeting(self) -> table_pb2.PlayResponse:
        if self._welcomed:
            return table_pb2.PlayResponse()
        self._welcomed = True
        return welcome_response(self.seat, _REFEREE)

    def _open_table(self, table: Table, response: table_pb2.PlayResponse) -> None:
        game_ms = round((self._limits.game_seconds or 0) * 1000)
        response.seated.append(table.seated(self._limits.move_ms, game_ms))
        table.start()
        self._go_on(table, response)

    def _go_on(self, table: Table, response: table_pb2.PlayResponse) -> None:
        """Say what has happened at a table: the ends of deals, and the next question or the end of the game."""
        response.deals_ended.extend(table.take_summaries())
        if table.is_over:
            response.tables_closed.add(table=table.number, scores=table.scores, faults=len(table.faults))
            return
        question = table.question
        assert question is not None
        ask = response.asks.add(table=table.number, turn=question.turn)
        table.codec.set_view(ask, question.view)
        left = self._left_seconds(table)
        ask.move_ms = max(1, round(self._limit_seconds(left) * 1000))
        if left is not None:
            ask.game_ms = max(1, round(left * 1000))
        self._open[table.number] = _Asked(table, question.turn, left)

    async def _send(self, response: table_pb2.PlayResponse) -> None:
        await self.stream.send(response)
        if self._since is None and self._open:
            self._since = time.monotonic()

    def _tell(self, table: Table, fault: Fault, response: table_pb2.PlayResponse) -> None:
        response.faults.add(
            table=table.number, turn=fault.turn, cause=cause_to_wire(fault.cause), message=fault.message
        )

    def _decide(self, late: list[_Asked], response: table_pb2.PlayResponse) -> None:
        for asked in late:
            del self._open[asked.table.number]
            fault = asked.table.fault(FaultCause.TIMEOUT, "the check has decided before the answer came")
            asked.table.faults.remove(fault)
            self._tell(asked.table, fault, response)
        for asked in late:
            self._go_on(asked.table, response)

    def _apply(
        self, answers: list[tuple[_Asked, table_pb2.Answer, float]], response: table_pb2.PlayResponse
    ) -> list[Table]:
        margin_seconds = self._limits.margin_ms / 1000
        for asked, answer, seconds in answers:
            table = asked.table
            table.charged_seconds += seconds
            fault = None
            if asked.left_seconds is not None and seconds > asked.left_seconds + margin_seconds:
                left_ms = asked.left_seconds * 1000
                message = f"took {seconds * 1000:.0f} ms, and {left_ms:.0f} ms of the game's time were left"
                fault = table.fault(FaultCause.TIMEOUT, message)
            else:
                try:
                    action = table.codec.action(answer)
                except MalformedAction as malformed:
                    fault = table.fault(FaultCause.MALFORMED, malformed.message)
                else:
                    fault = table.answer(action)
            if fault is not None:
                self._tell(table, fault, response)
        return [asked.table for asked, _, _ in answers]

    # Time.

    def _left_seconds(self, table: Table) -> float | None:
        bank = self._limits.game_seconds
        return None if bank is None else max(0.0, bank - table.charged_seconds)

    def _limit_seconds(self, left_seconds: float | None) -> float:
        seconds = self._limits.move_ms / 1000
        if not self.answered:
            return max(seconds, self._limits.first_move_seconds)
        return seconds if left_seconds is None else min(seconds, left_seconds)

    async def _answers(self) -> list[tuple[_Asked, table_pb2.Answer, float]]:
        """The answers of the next message that has any that fit, each with its share of the thinking time."""
        oldest = next(iter(self._open.values()))
        allowed = self._limit_seconds(oldest.left_seconds) + self._limits.margin_ms / 1000
        assert self._since is not None
        since = self._since
        until = since + allowed + min(allowed, _SLOW_SECONDS)
        while True:
            arrived, request = await self._request(until, allowed)
            fitting = []
            for answer in request.answers:
                asked = self._open.get(answer.table)
                if asked is None or asked.turn != answer.turn:
                    self.discarded += 1
                    continue
                del self._open[answer.table]
                fitting.append((asked, answer))
            if fitting:
                break
        seconds = max(0.0, arrived - since)
        if seconds > allowed:
            self.was_silent = True
            raise Shortcoming(
                f"an answer took {seconds * 1000:.0f} ms, and {allowed * 1000:.0f} ms are allowed",
                "think no longer than Ask.move_ms says (view.clock.move_ms with the library)",
            )
        share = seconds / len(fitting)
        if self.answered:
            self.think_ms += [share * 1000] * len(fitting)
        else:
            share = min(share, self._limits.move_ms / 1000)  # a warm-up counts as one move at most
        self._since = time.monotonic() if self._open else None
        self.messages += 1
        self.answered += len(fitting)
        return [(asked, answer, share) for asked, answer in fitting]

    async def _request(self, until: float, allowed: float) -> tuple[float, table_pb2.PlayRequest]:
        inbox = self.stream.inbox
        seconds = until - time.monotonic()
        try:
            # What has arrived in time may wait here because we were busy; but not for ever.
            if inbox.empty() or seconds <= -_SLOW_SECONDS:
                said = await asyncio.wait_for(inbox.get(), max(0.0, seconds))
            else:
                said = inbox.get_nowait()
        except TimeoutError:
            raise self._silent(allowed) from None
        if isinstance(said, str):
            raise await self._gone(said)
        return said

    def _silent(self, allowed: float) -> Shortcoming:
        self.was_silent = True
        owed = list(self._open.values())
        question = f"turn {owed[0].turn} of a game of {owed[0].table.match.game}"
        others = f", nor to {len(owed) - 1} more" if len(owed) > 1 else ""
        found = f"no answer to {question}{others}; {allowed * 1000:.0f} ms are allowed"
        if self.discarded:
            found += f" ({self.discarded} answers were to questions that were not open)"
        if self.process.ended.is_set():
            found = f"it {self.process.how_it_ended} while it owed {len(owed)} answers"
        return Shortcoming(found, _SILENCE_ADVICE)

    async def _gone(self, reason: str) -> Shortcoming:
        if await self.process.wait(_END_SECONDS):
            await self.process.settle()
            reason = f"it {self.process.how_it_ended}"
        owed = f"{self.owed} answer{'s' if self.owed > 1 else ''}"
        return Shortcoming(f"{reason} while it owed {owed}" if ";" not in reason else reason, _END_ADVICE)
