"""One entrant's seat number in this worker: its process, its stream, what it is asked and what it owes.

Owns the life of the process (started when first needed, kept from block to block, started again after its end),
the outbox that makes one message of all that is pending, and the judgement of silence, ends and broken streams.
Never looks into a question or an answer: what an action is worth is the table's business.

    ABSENT ──ask──> QUEUED ──start──> STARTING ──join──> JOINED <──> AWAY (the stream ended, the process lives)
       ^                                  │                 │          │
       └───────────── exit ───────────────┴──── ENDING <────┴──────────┘
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cardtable.record import FaultCause
from referee.clock import ThinkingClock, move_limit
from referee.inquiry import Inquiry
from referee.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardtable.record import RecordedFault
    from cardtable.v1 import table_pb2
    from cardtable.wire import Codec
    from referee.blocks import BotSpec, Limits
    from referee.bot_process import BotProcess
    from referee.core_wait import CoreWait
    from referee.dispatch import Dispatcher

__all__ = ["Asked", "Connection", "Host", "Phase", "Seat", "Starter"]

#: How long after a process's end its stream may still bring answers.
_STREAM_END_SECONDS = 1.0
_FIRST_BACKOFF_SECONDS = 0.1
#: Messages and answers that nobody asked for, and streams beside the live one, before a bot is stopped.
_MOST_STRAYS = 1000
#: From which part of a limit on a process is watched for waiting for a core, and how many times its limit it is
#: given for that at the most: a process that hangs must be ended, however busy the machine is.
_WATCHED_FROM, _MOST_FORGIVEN = 0.25, 3.0
_REFEREE = "cardtable-referee/0.1.0"


class Phase(Enum):
    """Where the process of a seat is."""

    ABSENT = auto()
    QUEUED = auto()
    STARTING = auto()
    JOINED = auto()
    AWAY = auto()
    ENDING = auto()


class Connection:
    """One stream of one process; `due` says that it is time to send, `over` that it has been closed."""

    __slots__ = ("due", "is_broken_off", "last", "over")

    def __init__(self) -> None:
        self.due = asyncio.Event()
        self.over = asyncio.Event()
        self.is_broken_off = False
        self.last: table_pb2.PlayResponse | None = None

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is to be said."""
        return self.over.is_set()

    def close(self, last: table_pb2.PlayResponse | None = None, *, broken_off: bool = False) -> None:
        """End the stream.

        Args:
            last: A last message.
            broken_off: The bot is to come back; else it has finished.
        """
        if not self.is_closed:
            self.last, self.is_broken_off = last, broken_off
            self.over.set()
            self.due.set()


class Asked(NamedTuple):
    """A decision that the seat has to make.

    Args:
        table: Number of the table.
        turn: As on the wire.
        view: What the seat may know.
        left_seconds: What is left of the game's bank; None without one.
    """

    table: int
    turn: int
    view: Any
    left_seconds: float | None = None


class Host(Protocol):
    """Who holds the tables that a seat plays at."""

    def arrival(self, now: float) -> None:
        """Something has arrived and will be judged by this time."""

    def answered(self, seat: Seat, asked: Asked, answer: table_pb2.Answer, seconds: float) -> None:
        """An answer to an open question, and the thinking time that it is charged."""

    def at_fault(self, seat: Seat, asked: Asked, cause: FaultCause, message: str, bot: BotProcess) -> None:
        """The seat is at fault at this decision, which is open no more."""

    def given_up(self, seat: Seat, asked: Iterable[Asked]) -> None:
        """The process cannot be brought back; these decisions were open."""

    def entrant_fault(self, seat: Seat, cause: FaultCause, message: str, bot: BotProcess) -> None:
        """A fault at no table."""


class Starter(Protocol):
    """Who starts and ends processes."""

    def start(self, seat: Seat) -> BotProcess:
        """Start the seat's program; its end is told to `Seat.exited`."""

    def stop(self, bot: BotProcess, seconds: float) -> None:
        """End it, by force after so many seconds."""

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        """Let it use so many seconds of CPU since its start."""

    def watch(self, bot: BotProcess, now: float) -> CoreWait | None:
        """Look from now on for how long it waits for a core; None where that cannot be seen."""


class Seat:
    """One seat number of one entrant.

    Args:
        entrant: Its name.
        number: The seat number, the same at every table.
        starter: Starts and ends its processes.
        now: The monotonic clock, seconds.
        dispatcher: Says when it is time to send.
    """

    def __init__(
        self,
        entrant: str,
        number: int,
        starter: Starter,
        now: Callable[[], float],
        dispatcher: Dispatcher,
    ) -> None:
        self.entrant = entrant
        self.number = number
        self.phase = Phase.ABSENT
        self.process: BotProcess | None = None
        #: The last process that was started.
        self.last_process: BotProcess | None = None
        #: Why the house plays on for this seat in this block; empty while it does not.
        self.why_given_up = ""
        #: Late and unknown answers.
        self.discarded = 0
        self._starter = starter
        self._now = now
        self._dispatcher = dispatcher
        self.spec: BotSpec
        self._host: Host
        self._limits: Limits
        self._codec: Codec
        self._waiting: dict[int, Asked] = {}
        self._open: dict[int, Asked] = {}
        self._outbox = Outbox()
        self._connection: Connection | None = None
        self._join: table_pb2.Join | None = None
        self._thinking = ThinkingClock()
        self._patience = ThinkingClock()
        self._warm = False
        self._answered_since_join = False
        self._failed_starts = 0
        self._ready_at = 0.0
        self._start_failure = ""
        self._hopeless = False
        #: Games that the process has sat at since its start, and what it has sent in vain since its last answer.
        self._games = 0
        self._strays = 0
        #: Of the time for its open questions, what went by while its stream was lost.
        self._lost_seconds = 0.0
        #: Set while the process is slow: what it waits for a core, and how much of that does not count yet.
        self._core_wait: CoreWait | None = None
        self._forgivable = 0.0
        self._inquiry: Inquiry | None = None

    @property
    def title(self) -> str:
        """For logs and messages."""
        return f"{self.entrant}, seat {self.number}"

    @property
    def token(self) -> str | None:
        """What its process joins with; None while no process may join."""
        if self.process is None or self.phase not in {Phase.STARTING, Phase.JOINED, Phase.AWAY}:
            return None
        return self.process.token

    @property
    def is_starting(self) -> bool:
        """Whether its process is starting on this machine."""
        return self.phase is Phase.STARTING and not self.spec.is_remote

    @property
    def is_coming(self) -> bool:
        """Whether its first process is to start, or to join."""
        return self._join is None and self.phase in {Phase.QUEUED, Phase.STARTING}

    @property
    def limits(self) -> Limits:
        """Clocks and patience of this block."""
        return self._limits

    # What the host says.

    def begin_block(
        self,
        spec: BotSpec,
        host: Host,
        limits: Limits,
        codec: Codec,
        why_not: Callable[[table_pb2.Join], str],
    ) -> None:
        """Play for this host from now on.

        Args:
            spec: How to start processes from now on; a change ends the one that runs.
            host: Holds the tables.
            limits: Clocks and patience.
            codec: Of the game that is played.
            why_not: Why a bot that has joined cannot play this game; empty when it can.
        """
        if self.why_given_up and spec.is_remote and self.phase not in {Phase.JOINED, Phase.AWAY}:
            # It has had its time to join, and could do so ever since: the others do not wait for it again.
            seconds = min(limits.join_seconds, limits.disconnect_seconds)
            limits = replace(limits, join_seconds=seconds)
        self._host, self._limits, self._codec = host, limits, codec
        self.why_given_up = ""
        self._failed_starts, self._ready_at = 0, 0.0
        changed = self.process is not None and spec != self.spec
        self.spec = spec
        if changed:
            self._end_process()
        elif self.phase in {Phase.JOINED, Phase.AWAY} and self._join is not None:
            self.why_given_up = why_not(self._join)
        self._await_remote()

    def sit(self, seated: table_pb2.Seated) -> None:
        """Take the seat at one more table."""
        self._outbox.sit(seated)
        if self.process is not None:
            self._games += 1
            self._allow_cpu(self.process)
        self._rouse()

    def ask(self, asked: Asked) -> None:
        """Put a question to the bot."""
        self._waiting[asked.table] = asked
        self._rouse()

    def tell_fault(self, table: int, fault: RecordedFault) -> None:
        """Tell the bot that the house has decided for it."""
        self._outbox.fault(table, fault)
        self._rouse()

    def tell_deal(self, ended: table_pb2.DealEnded) -> None:
        """Tell the bot what the rules show at the end of a deal."""
        self._outbox.deal(ended)
        self._rouse()

    def rise(self, closed: table_pb2.TableClosed) -> None:
        """Leave a table whose game is over."""
        self._outbox.rise(closed)
        self._rouse()

    def start(self) -> None:
        """Start the process of a seat that waits for it."""
        assert self.phase is Phase.QUEUED
        self.phase = Phase.STARTING
        self._start_failure, self._hopeless = "", False
        self._warm = False
        self._patience.stop()
        self._patience.sent(self._now())
        self.process = self.last_process = self._starter.start(self)
        self._games, self._strays = self._outbox.tables, 0
        self._allow_cpu(self.process)

    def may_start(self, now: float) -> bool:
        """Whether it waits to be started, and has waited long enough after a failure."""
        return self.phase is Phase.QUEUED and now >= self._ready_at

    def hold_up(self, seconds: float) -> None:
        """The referee was late by so much; no clock runs for it."""
        self._thinking.hold_up(seconds)
        self._patience.hold_up(seconds)

    def tick(self, now: float) -> None:
        """Judge what has not happened by now."""
        match self.phase:
            case Phase.JOINED if self.process is not None and self.process.exited:
                if self._patience.silent(now) > _STREAM_END_SECONDS:
                    self._crashed()
            case Phase.JOINED:
                self._is_late(now)
            case Phase.STARTING:
                limit = self._limits.join_seconds if self.spec.is_remote else self._limits.start_seconds
                if self._is_over(self._patience, limit, now):
                    self._start_failure = f"did not join within {limit:g} s"
                    self._hopeless = self.spec.is_remote
                    self._end_process()
            case Phase.AWAY if self._is_late(now):
                pass
            case Phase.AWAY:
                if self._patience.silent(now) > self._limits.disconnect_seconds:
                    self._stayed_away()
            case Phase.ENDING:
                if self._patience.silent(now) > self._limits.stop_seconds:
                    self._end_process()
            case _:
                pass

    def dismiss(self) -> None:
        """Close the stream, so that the bot leaves; what it has not been told yet, such as final scores, goes first."""
        if self._connection is not None:
            self._connection.close(self._outbox.take() if self._outbox.pending else None)

    # What the server says.

    def joined(self, connection: Connection, join: table_pb2.Join) -> None:
        """The process has joined, or has come back."""
        came_back = self.phase is Phase.AWAY
        # Its clock has run on while it was away.
        self._lost_seconds = self._thinking.silent(self._now()) if came_back else 0.0
        owed = self._take_back(keep_clock=came_back)
        self.phase = Phase.JOINED
        self._connection = connection
        self._join = join
        self._failed_starts = 0
        self._patience.stop()
        self._outbox.open_stream(self.number, _REFEREE)
        fruitless = came_back and not self._answered_since_join
        self._answered_since_join = False
        if owed and fruitless:
            self._fault(
                owed[0], FaultCause.DISCONNECT, "its stream ended again before it had answered anything"
            )
        connection.due.set()

    def refused(self, message: str) -> None:
        """The process that has just tried to join may not play, and no other will do better."""
        if self.phase is Phase.STARTING:
            self._start_failure, self._hopeless = message, True
            self.phase = Phase.ENDING
            self._patience.stop()
            self._patience.sent(self._now())

    def intruded(self) -> None:
        """Somebody has tried to join with the token of the live stream, and was refused."""
        self._strayed(1, "streams beside its own")

    def left(self, connection: Connection) -> None:
        """The stream has ended."""
        if connection is not self._connection:
            return
        assert self.process is not None
        self._connection = None
        self._dispatcher.forget(self)
        if self.process.exited:
            self._crashed()
            return
        self.phase = Phase.AWAY
        self._patience.stop()
        self._patience.sent(self._now())

    def received(self, connection: Connection, request: table_pb2.PlayRequest) -> None:
        """Answers have arrived in one message."""
        if connection is not self._connection:
            return
        now = self._now()
        self._host.arrival(now)
        open_ = self._open
        answered = []
        if len(request.answers) <= len(open_) + _MOST_STRAYS:
            for answer in request.answers:
                asked = open_.get(answer.table)
                if asked is None or asked.turn != answer.turn:
                    continue
                del open_[answer.table]
                answered.append((asked, answer))
        strays = len(request.answers) - len(answered)
        self.discarded += strays
        if not answered:
            self._strayed(max(1, strays), "answers that nobody asked for")
            return
        self._strays = 0
        self._forgive_waiting(self._thinking, now)
        self._core_wait = None
        seconds = self._thinking.answered(now, owes=bool(open_))
        if not self._warm:
            # The warm-up of a process uses up no game's bank, and counts as one move at most.
            left = [asked.left_seconds for asked, _ in answered if asked.left_seconds is not None]
            seconds = min(seconds, self._limits.move_ms / 1000, *left)
        self._warm = self._answered_since_join = True
        self._lost_seconds = 0.0
        share = seconds / len(answered)
        if not open_:
            self._dispatcher.rests(self)
        for asked, answer in answered:
            if self._inquiry is not None:
                self._settle(asked.table, guilty=False)
            self._host.answered(self, asked, answer, share)
        if self._waiting:
            self._rouse()

    def take(self, connection: Connection) -> table_pb2.PlayResponse | None:
        """All that is pending, as one message; what it asks is open from now on."""
        if connection is not self._connection:
            return None
        batch = self._waiting
        if self._inquiry is not None:
            batch = {} if self._open else {self._inquiry.next: batch.pop(self._inquiry.next)}
        else:
            self._waiting = {}
        self._dispatcher.taken(self, owes=bool(batch or self._open))
        if not batch and not self._outbox.pending:
            return None
        response = self._outbox.take()
        if not batch:
            return response
        margin_seconds = self._limits.margin_ms / 1000
        for asked in batch.values():
            ask = response.asks.add(table=asked.table, turn=asked.turn)
            self._codec.set_view(ask, asked.view)
            limit = move_limit(self._limits, asked.left_seconds, first=not self._warm)
            ask.move_ms = max(1, round((limit - margin_seconds - self._lost_seconds) * 1000))
            if asked.left_seconds is not None:
                ask.game_ms = max(1, round(asked.left_seconds * 1000))
        self._open.update(batch)
        self._thinking.sent(self._now())
        return response

    # What the dispatcher says.

    @property
    def questions(self) -> int:
        """How many questions the next message would hold."""
        if self._inquiry is not None:
            return int(not self._open)
        return len(self._waiting)

    def send(self) -> None:
        """It is time to send."""
        if self._connection is not None:
            self._connection.due.set()

    # What the warden says.

    def exited(self, bot: BotProcess) -> None:
        """A process of this seat has ended."""
        if bot is not self.process:
            return
        match self.phase:
            case Phase.STARTING | Phase.ENDING:
                failure = self._start_failure
                if self.phase is Phase.STARTING:
                    failure = failure or f"{bot.how_it_ended} before it joined"
                self._gone()
                if failure:
                    self._not_started(failure, bot)
            case Phase.AWAY:
                self._crashed()
            case Phase.JOINED:
                # What it has sent may still be on its way; the end of its stream tells that all is here.
                self._patience.stop()
                self._patience.sent(self._now())
            case _:
                pass

    # What follows from it.

    def _is_late(self, now: float) -> bool:
        """End a process whose oldest decision has had its time, at home or away."""
        if not self._open:
            return False
        oldest = next(iter(self._open.values()))
        limit = move_limit(self._limits, oldest.left_seconds, first=not self._warm)
        if not self._is_over(self._thinking, limit, now):
            return False
        bot = self.process
        assert bot is not None
        self._end_process()
        self._fault(oldest, FaultCause.TIMEOUT, f"no answer within {limit * 1000:.0f} ms", bot)
        return True

    def _is_over(self, clock: ThinkingClock, limit: float, now: float) -> bool:
        """Whether a limit is over; what the process waited for a core does not count, up to a bound."""
        silent = clock.silent(now)
        if silent <= limit * _WATCHED_FROM:
            return False
        if self._core_wait is None:
            assert self.process is not None
            self._core_wait = self._starter.watch(self.process, now)
            self._forgivable = limit * _MOST_FORGIVEN
        if silent <= limit:
            return False
        self._forgive_waiting(clock, now)
        is_waiting = self._core_wait is not None and self._core_wait.is_waiting
        return clock.silent(now) > limit + (self._forgivable if is_waiting else 0.0)

    def _forgive_waiting(self, clock: ThinkingClock, now: float) -> None:
        if self._core_wait is not None:
            waited = min(self._core_wait.look(now), self._forgivable)
            self._forgivable -= waited
            clock.hold_up(waited)

    def _stayed_away(self) -> None:
        self._end_with(
            FaultCause.DISCONNECT,
            f"its stream ended and did not come back within {self._limits.disconnect_seconds:g} s",
        )

    def _strayed(self, number: int, what: str) -> None:
        """Count what nobody wants; too much in a row is a fault, since it takes the others' time."""
        self._strays += number
        if self._strays > _MOST_STRAYS and self.phase is Phase.JOINED:
            self._strays = 0
            self._end_with(FaultCause.MALFORMED, f"sent more than {_MOST_STRAYS:,} {what}")

    def _end_with(self, cause: FaultCause, message: str) -> None:
        """End the process by a fault at its oldest open decision, or at none."""
        bot = self.process
        assert bot is not None
        owed = self._end_process()
        if owed:
            self._fault(owed[0], cause, message, bot)
        else:
            self._host.entrant_fault(self, cause, message, bot)

    def _crashed(self) -> None:
        bot = self.process
        assert bot is not None
        owed = self._take_back()
        self._connection = None
        if len(owed) > 1:
            self._inquiry = Inquiry(bot, (asked.table for asked in owed))
        self._gone()
        if not owed:
            self._host.entrant_fault(self, bot.cause, f"{bot.how_it_ended} while it owed no answer", bot)
        elif len(owed) == 1:
            self._fault(owed[0], bot.cause, f"{bot.how_it_ended} while it owed this answer", bot)

    def _await_remote(self) -> None:
        """Let a remote bot in whenever it comes: nobody knows when it dials in, so its token holds at once."""
        if self.spec.is_remote and self.phase is Phase.ABSENT:
            self.phase = Phase.QUEUED
            self.start()

    def _not_started(self, failure: str, bot: BotProcess) -> None:
        self._failed_starts += 1
        if not self._hopeless and not bot.error and self._failed_starts <= self._limits.restarts:
            self._ready_at = self._now() + _FIRST_BACKOFF_SECONDS * 2 ** (self._failed_starts - 1)
            return
        wrote = bot.tail.strip().rpartition("\n")[2][-300:]
        message = f"{' '.join(bot.command) or self.title}: {failure}" + (
            f"; it wrote last: {wrote}" if wrote else ""
        )
        self.why_given_up = message
        self.phase = Phase.ABSENT
        self._inquiry = None
        asked, self._waiting = self._waiting, {}
        self._host.given_up(self, asked.values())
        self._await_remote()

    def _end_process(self) -> list[Asked]:
        """End the process; what it owed is asked anew of the next one."""
        assert self.process is not None
        owed = self._take_back()
        if self._connection is not None:
            self._connection.close(broken_off=True)
        self._connection = None
        self.phase = Phase.ENDING
        self._patience.stop()
        self._starter.stop(self.process, self._limits.stop_seconds)
        if self.process.exited:
            self._gone()
        return owed

    def _allow_cpu(self, process: BotProcess) -> None:
        """Let the process use what its start and each of its games may cost."""
        if self._limits.cpu_seconds:
            seconds = self._limits.start_seconds + self._limits.cpu_seconds * self._games
            self._starter.allow(process, seconds)

    def _gone(self) -> None:
        """There is no process any more; the next one starts when there is something to ask."""
        self.process = self._core_wait = None
        self.phase = Phase.ABSENT
        self._warm = False
        self._patience.stop()
        self._rouse()

    def _take_back(self, *, keep_clock: bool = False) -> list[Asked]:
        """The stream has ended: what it owed is to be asked anew, in schedule order. Returns it, oldest first."""
        owed = list(self._open.values())
        if owed:
            self._waiting.update(self._open)
            self._waiting = dict(sorted(self._waiting.items()))
            self._open = {}
        if not keep_clock:
            self._thinking.stop()
            self._core_wait = None
        self._outbox.close_stream()
        self._dispatcher.forget(self)
        return owed

    def _fault(self, asked: Asked, cause: FaultCause, message: str, bot: BotProcess | None = None) -> None:
        bot = bot or self.process
        assert bot is not None
        self._waiting.pop(asked.table, None)
        if self._inquiry is not None:
            self._settle(asked.table, guilty=True)
        self._host.at_fault(self, asked, cause, message, bot)

    def _settle(self, table: int, *, guilty: bool) -> None:
        """A decision is open no more; when all that were open at a crash are settled, the crash is too."""
        inquiry = self._inquiry
        assert inquiry is not None
        if inquiry.settle(table, guilty=guilty):
            self._inquiry = None
            if not inquiry.culprit_found:
                message = (
                    f"{inquiry.bot.how_it_ended} while it owed several answers, "
                    "and gave them all when it was asked one by one"
                )
                self._host.entrant_fault(self, inquiry.bot.cause, message, inquiry.bot)

    def _rouse(self) -> None:
        """Bring what is pending on its way."""
        if self.phase is Phase.ABSENT and self._waiting and not self.why_given_up:
            self.phase = Phase.QUEUED
        elif self._connection is not None and (self._waiting or self._outbox.pending):
            self._dispatcher.wants(self)
