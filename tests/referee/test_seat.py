"""A seat with a fake clock, a fake starter and a fake host: what it sends, charges and judges."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.record import FaultCause, RecordedFault
from cardtable.v1 import table_pb2
from cardtable.wire import join_request
from referee.blocks import BotSpec, Limits
from referee.bot_process import BotProcess
from referee.dispatch import PATIENCE_SECONDS, Dispatcher
from referee.seat import Asked, Connection, Phase, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SPEC = BotSpec("ana", ("ana-bot", "--quick"), "/")
LIMITS = Limits(
    start_seconds=10,
    first_move_seconds=5,
    move_ms=1000,
    margin_ms=0,
    stop_seconds=2,
    disconnect_seconds=5,
    restarts=2,
)


class FakeCodec:
    """Writes no view at all."""

    name = "trix"

    def set_view(self, ask: table_pb2.Ask, view: Any) -> None:
        pass


class FakeCoreWait:
    """Says what the test puts there."""

    def __init__(self) -> None:
        self.watched_at: list[float] = []
        self.waited = 0.0
        self.is_waiting = False

    def look(self, now: float) -> float:
        assert now > self.watched_at[-1]
        waited, self.waited = self.waited, 0.0
        return waited


class Room:
    """Host, starter and clock of one seat, and what they were told."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.now = 100.0
        self.deferred: list[Callable[[], None]] = []
        self.answers: list[tuple[int, int, object]] = []
        self.faults: list[tuple[int, FaultCause, str]] = []
        self.entrant_faults: list[tuple[FaultCause, str]] = []
        self.given_up_at: list[int] = []
        self.stopped: list[BotProcess] = []
        self.allowed: list[tuple[int, float]] = []
        self.started = 0
        self.seated: set[int] = set()
        #: Set where it can be seen what processes wait for a core.
        self.core_wait: FakeCoreWait | None = None
        dispatcher = Dispatcher(lambda: self.now, self._defer, lambda _, call: self._defer(call))
        self.seat = Seat("ana", 2, self, lambda: self.now, dispatcher)
        self.begin(limits)

    def begin(self, limits: Limits = LIMITS, why_not: str = "", spec: BotSpec = SPEC) -> None:
        codec: Any = FakeCodec()
        self.seat.begin_block(spec, self, limits, codec, lambda _: why_not)

    # The starter.

    def start(self, seat: Seat) -> BotProcess:
        self.started += 1
        return BotProcess(self.started, SPEC.command, seat.exited)

    def stop(self, bot: BotProcess, seconds: float) -> None:
        assert seconds == LIMITS.stop_seconds
        self.stopped.append(bot)

    def allow(self, bot: BotProcess, cpu_seconds: float) -> None:
        self.allowed.append((bot.key, cpu_seconds))

    def watch(self, bot: BotProcess, now: float) -> Any:
        assert bot is self.process
        assert now == self.now
        if self.core_wait is not None:
            self.core_wait.watched_at.append(now)
        return self.core_wait

    # The host.

    def arrival(self, now: float) -> None:
        assert now == self.now

    def answered(self, seat: Seat, asked: Asked, answer: table_pb2.Answer, seconds: float) -> None:
        assert seat is self.seat
        assert answer.table == asked.table
        self.answers.append((asked.table, asked.turn, pytest.approx(seconds)))

    def at_fault(self, seat: Seat, asked: Asked, cause: FaultCause, message: str, bot: BotProcess) -> None:
        assert bot.command == SPEC.command
        self.faults.append((asked.table, cause, message))
        seat.tell_fault(asked.table, RecordedFault(2, cause, 0, 0, asked.turn))

    def given_up(self, seat: Seat, asked: Iterable[Asked]) -> None:
        assert seat.why_given_up
        self.given_up_at += [one.table for one in asked]

    def entrant_fault(self, seat: Seat, cause: FaultCause, message: str, bot: BotProcess) -> None:
        assert seat is self.seat
        self.entrant_faults.append((cause, f"{bot.tail}: {message}"))

    # What tests do.

    def settle(self) -> None:
        """Let the dispatcher do what is due by now; its timers fire each time."""
        for _ in range(2):
            calls, self.deferred = self.deferred, []
            for call in calls:
                call()

    def _defer(self, call: Callable[[], None]) -> None:
        self.deferred.append(call)

    @property
    def process(self) -> BotProcess:
        assert self.seat.process is not None
        return self.seat.process

    def ask(self, *tables: int, turn: int = 1, left_seconds: float | None = None) -> None:
        for table in tables:
            if table not in self.seated:
                self.seated.add(table)
                self.seat.sit(table_pb2.Seated(table=table))
            self.seat.ask(Asked(table, turn, None, left_seconds))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.seat.tick(self.now)

    def start_process(self) -> None:
        assert self.seat.may_start(self.now)
        self.seat.start()

    def join(self) -> Connection:
        connection = Connection()
        request = join_request(self.process.token, bot_name="b", bot_version="1", sdk="s", games={"trix": {}})
        self.seat.joined(connection, request.join)
        return connection

    def playing(self, *tables: int) -> Connection:
        """A process that has joined, been asked at these tables, and answered once before (table 99)."""
        self.ask(99)
        self.start_process()
        connection = self.join()
        self.seat.take(connection)
        self.reply(connection, (99, 1))
        self.answers.clear()
        self.ask(*tables)
        self.seat.take(connection)
        return connection

    def reply(self, connection: Connection, *answers: tuple[int, int]) -> None:
        request = table_pb2.PlayRequest(answers=[table_pb2.Answer(table=t, turn=n) for t, n in answers])
        self.seat.received(connection, request)

    def take(self, connection: Connection) -> table_pb2.PlayResponse:
        response = self.seat.take(connection)
        assert response is not None
        return response

    def asked(self, connection: Connection) -> list[int]:
        response = self.seat.take(connection)
        return [] if response is None else [ask.table for ask in response.asks]

    def crash(self, connection: Connection, tail: str = "") -> None:
        self.process.ended(3, tail, "")
        self.seat.left(connection)


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_process_starts_when_it_is_first_needed(room: Room) -> None:
    assert room.seat.phase is Phase.ABSENT
    assert not room.seat.may_start(room.now)
    room.ask(1)
    room.start_process()
    assert room.seat.is_starting
    assert room.seat.token == room.process.token


def test_the_first_message_welcomes_seats_and_asks(room: Room) -> None:
    room.ask(1, 2)
    room.start_process()
    response = room.take(room.join())
    assert (response.welcome.seat, response.welcome.protocol) == (2, 1)
    assert [seated.table for seated in response.seated] == [1, 2]
    assert [(ask.table, ask.turn, ask.move_ms, ask.game_ms) for ask in response.asks] == [
        (1, 1, 5000, 0),
        (2, 1, 5000, 0),
    ]


def test_all_that_is_pending_is_one_message_and_nothing_is_none(room: Room) -> None:
    connection = room.playing(1)
    assert room.seat.take(connection) is None
    room.seat.tell_deal(table_pb2.DealEnded(table=1))
    room.ask(2, 3)
    response = room.take(connection)
    assert len(response.deals_ended) == 1
    assert [ask.table for ask in response.asks] == [2, 3]


def test_an_idle_bot_is_asked_at_once_and_a_busy_one_when_it_has_answered_or_thinks(room: Room) -> None:
    connection = room.playing()
    room.settle()
    connection.due.clear()
    room.ask(1)
    room.settle()
    assert connection.due.is_set()
    room.take(connection)
    connection.due.clear()
    room.ask(2)
    room.ask(3)
    room.settle()
    assert not connection.due.is_set()
    room.now += 2 * PATIENCE_SECONDS
    room.settle()
    assert connection.due.is_set()


def test_the_next_questions_go_when_the_last_are_answered(room: Room) -> None:
    connection = room.playing()
    room.ask(1)
    room.settle()
    room.take(connection)
    connection.due.clear()
    room.ask(2)
    room.reply(connection, (1, 1))
    room.settle()
    assert connection.due.is_set()


def test_a_notice_alone_waits_for_a_question_but_not_for_long(room: Room) -> None:
    connection = room.playing()
    room.settle()
    connection.due.clear()
    room.seat.tell_deal(table_pb2.DealEnded(table=99))
    room.settle()
    assert not connection.due.is_set()
    room.now += 2 * PATIENCE_SECONDS
    room.settle()
    assert connection.due.is_set()


def test_answers_of_one_message_share_the_time(room: Room) -> None:
    connection = room.playing(1, 2, 3)
    room.now += 0.4
    room.reply(connection, (1, 1), (2, 1))
    room.now += 0.1
    room.reply(connection, (3, 1))
    assert room.answers == [(1, 1, 0.2), (2, 1, 0.2), (3, 1, 0.1)]


def test_the_warm_up_is_charged_as_one_move_at_most(room: Room) -> None:
    room.ask(1)
    room.start_process()
    connection = room.join()
    room.seat.take(connection)
    room.now += 4.0
    room.reply(connection, (1, 1))
    assert room.answers == [(1, 1, 1.0)]


def test_the_warm_up_uses_up_no_bank(room: Room) -> None:
    room.ask(1, left_seconds=0.5)
    room.start_process()
    connection = room.join()
    room.seat.take(connection)
    room.now += 4.0
    room.reply(connection, (1, 1))
    assert room.answers == [(1, 1, 0.5)]


def test_late_unknown_and_early_answers_are_discarded(room: Room) -> None:
    connection = room.playing(1)
    room.ask(2)
    room.reply(connection, (1, 2), (7, 1), (2, 1), (1, 1), (1, 1))
    assert [answer[0] for answer in room.answers] == [1]
    assert room.seat.discarded == 4


def test_the_cpu_that_a_process_may_use_grows_with_the_games_that_it_sits_at() -> None:
    room = Room(replace(LIMITS, start_seconds=3, cpu_seconds=0.5))
    connection = room.playing(1, 2)
    assert room.allowed == [(1, 3.5), (1, 4.0), (1, 4.5)]
    room.allowed.clear()
    room.crash(connection)
    room.wait(0)
    room.start_process()
    assert room.allowed == [(2, 4.5)]
    assert Room().allowed == []


def test_silence_is_a_timeout_at_the_oldest_decision_alone(room: Room) -> None:
    connection = room.playing(5, 1)
    room.wait(0.9)
    assert room.faults == []
    room.wait(0.2)
    assert room.faults == [(5, FaultCause.TIMEOUT, "no answer within 1000 ms")]
    assert room.stopped == [room.process]
    assert room.seat.token is None
    room.reply(connection, (1, 1))
    assert room.answers == []
    room.process.ended(-15, "", "")
    room.start_process()
    response = room.take(room.join())
    assert [ask.table for ask in response.asks] == [1]
    assert [(notice.table, notice.cause) for notice in response.faults] == [
        (5, table_pb2.FAULT_CAUSE_TIMEOUT)
    ]


def test_each_answer_gives_time_for_the_next(room: Room) -> None:
    connection = room.playing(1, 2)
    room.wait(0.9)
    room.reply(connection, (1, 1))
    room.wait(0.9)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[0] for fault in room.faults] == [2]


def test_time_in_which_we_were_held_up_is_added_to_the_limit(room: Room) -> None:
    room.playing(1)
    room.seat.hold_up(3.0)
    room.wait(3.9)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[1] for fault in room.faults] == [FaultCause.TIMEOUT]


def test_what_a_slow_process_waited_for_a_core_is_added_to_the_limit(room: Room) -> None:
    wait = room.core_wait = FakeCoreWait()
    connection = room.playing(1, 2)
    room.wait(0.2)
    assert wait.watched_at == []
    room.wait(0.1)
    assert wait.watched_at == [room.now]
    wait.waited = 0.6
    room.wait(0.8)
    assert room.faults == []
    wait.waited = 0.1
    room.wait(0.2)
    room.reply(connection, (1, 1))
    # 1.3 s, of which 0.7 s were none of its own.
    assert room.answers == [(1, 1, pytest.approx(0.6))]
    room.wait(0.9)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[0] for fault in room.faults] == [2]


def test_nothing_is_judged_while_a_process_waits_for_a_core(room: Room) -> None:
    wait = room.core_wait = FakeCoreWait()
    room.playing(1)
    room.wait(0.3)
    wait.is_waiting = True
    room.wait(2.5)
    assert room.faults == []
    wait.is_waiting, wait.waited = False, 1.9
    room.wait(0.01)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[1] for fault in room.faults] == [FaultCause.TIMEOUT]


@pytest.mark.parametrize("how", ["waits", "has waited"])
def test_a_process_is_given_three_times_its_limit_for_waiting_at_the_most(room: Room, how: str) -> None:
    wait = room.core_wait = FakeCoreWait()
    room.playing(1)
    room.wait(0.3)
    wait.is_waiting, wait.waited = how == "waits", 100.0 if how == "has waited" else 0.0
    room.wait(3.6)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[1] for fault in room.faults] == [FaultCause.TIMEOUT]


def test_a_start_may_wait_for_a_core_too(room: Room) -> None:
    wait = room.core_wait = FakeCoreWait()
    room.ask(1)
    room.start_process()
    room.wait(LIMITS.start_seconds / 2)
    wait.waited = LIMITS.start_seconds / 4
    room.wait(LIMITS.start_seconds * 0.7)
    assert room.stopped == []
    room.wait(LIMITS.start_seconds * 0.1)
    assert room.stopped == [room.process]


def test_the_first_decision_of_a_process_has_its_own_limit(room: Room) -> None:
    room.ask(1)
    room.start_process()
    room.seat.take(room.join())
    room.wait(4.9)
    assert room.faults == []
    room.wait(0.2)
    assert room.faults == [(1, FaultCause.TIMEOUT, "no answer within 5000 ms")]


def test_what_is_left_of_a_bank_is_told_and_limits(room: Room) -> None:
    connection = room.playing()
    room.ask(1, left_seconds=0.3)
    (ask,) = room.take(connection).asks
    assert (ask.move_ms, ask.game_ms) == (300, 300)
    room.wait(0.31)
    assert [fault[0] for fault in room.faults] == [1]


def test_a_crash_with_one_open_decision_is_a_fault_there(room: Room) -> None:
    connection = room.playing(1)
    room.crash(connection)
    assert room.faults == [(1, FaultCause.CRASH, "exited with status 3 while it owed this answer")]


def test_a_crash_is_judged_when_the_stream_has_ended_too(room: Room) -> None:
    connection = room.playing(1)
    room.process.ended(0, "", "")
    room.reply(connection, (1, 1))
    room.seat.left(connection)
    assert room.faults == []
    assert [answer[0] for answer in room.answers] == [1]
    assert [cause for cause, _ in room.entrant_faults] == [FaultCause.CRASH]


def test_a_stream_that_does_not_end_with_its_process_is_not_waited_for_long(room: Room) -> None:
    room.playing(1)
    room.process.ended(1, "", "")
    room.wait(0.9)
    assert room.faults == []
    room.wait(0.2)
    assert [fault[1] for fault in room.faults] == [FaultCause.CRASH]


def test_after_a_crash_decisions_are_asked_one_at_a_time_in_schedule_order(room: Room) -> None:
    connection = room.playing(3, 1, 2)
    room.crash(connection, "first")
    assert room.faults == []
    room.start_process()
    connection = room.join()
    assert room.asked(connection) == [1]
    room.ask(9)
    assert room.asked(connection) == []
    room.reply(connection, (1, 1))
    assert room.asked(connection) == [2]
    room.crash(connection)
    assert [fault[:2] for fault in room.faults] == [(2, FaultCause.CRASH)]
    room.start_process()
    connection = room.join()
    assert room.asked(connection) == [3]
    room.reply(connection, (3, 1))
    assert room.asked(connection) == [9]
    assert room.entrant_faults == []


def test_a_crash_that_does_not_come_again_is_the_entrants(room: Room) -> None:
    room.crash(room.playing(1, 2), "last words")
    room.start_process()
    connection = room.join()
    for table in (1, 2):
        assert room.asked(connection) == [table]
        room.reply(connection, (table, 1))
    assert room.faults == []
    ((cause, message),) = room.entrant_faults
    assert cause is FaultCause.CRASH
    assert message.startswith("last words: exited with status 3 while it owed several answers")


@pytest.mark.parametrize("tables", [(), (1,), (1, 2)])
def test_a_process_that_was_ended_for_a_limit_is_no_crash(room: Room, tables: tuple[int, ...]) -> None:
    connection = room.playing(*tables)
    room.process.ended(-9, "", "", "had 70 processes, and 64 are allowed")
    room.seat.left(connection)
    if len(tables) > 1:
        room.start_process()
        connection = room.join()
        for table in tables:
            assert room.asked(connection) == [table]
            room.reply(connection, (table, 1))
    told = [(cause, message) for _, cause, message in room.faults] + room.entrant_faults
    ((cause, message),) = told
    assert cause is FaultCause.RESOURCE
    assert "had 70 processes, and 64 are allowed while it owed" in message


def test_a_process_that_never_joins_is_ended_and_after_its_restarts_given_up(room: Room) -> None:
    room.ask(4)
    for number, pause in enumerate((0.1, 0.2, None), 1):
        room.start_process()
        room.wait(9.9)
        assert len(room.stopped) == number - 1
        room.wait(0.2)
        room.process.ended(-9, "warming up\nstill loading\n", "")
        if pause is not None:
            room.wait(pause - 0.01)
            assert not room.seat.may_start(room.now)
            room.wait(0.02)
    assert room.given_up_at == [4]
    assert room.seat.why_given_up == "ana-bot --quick: did not join within 10 s; it wrote last: still loading"
    assert not room.seat.may_start(room.now + 100)


def test_an_exit_before_joining_counts_as_a_failed_start(room: Room) -> None:
    room.ask(4)
    for _ in range(3):
        room.now += 1
        room.start_process()
        room.process.ended(7, "", "")
    assert room.seat.why_given_up == "ana-bot --quick: exited with status 7 before it joined"


def test_a_join_makes_earlier_failures_forgotten(room: Room) -> None:
    room.ask(1)
    for _ in range(6):
        for _ in range(2):
            room.now += 1
            room.start_process()
            room.process.ended(7, "", "")
        room.now += 1
        room.start_process()
        connection = room.join()
        room.seat.take(connection)
        room.crash(connection)
        room.ask(1)
    assert room.seat.why_given_up == ""


def test_a_command_that_cannot_be_started_is_given_up_at_once(room: Room) -> None:
    room.ask(4)
    room.start_process()
    room.process.ended(127, "", "No such file")
    assert room.given_up_at == [4]
    assert "could not be started: No such file" in room.seat.why_given_up


def test_a_refused_bot_is_given_up_when_it_has_left(room: Room) -> None:
    room.ask(4)
    room.start_process()
    room.seat.refused("it plays nothing")
    assert room.seat.token is None
    assert room.given_up_at == []
    room.wait(2.1)
    assert room.stopped == [room.process]
    room.process.ended(-15, "", "")
    assert room.given_up_at == [4]
    assert "it plays nothing" in room.seat.why_given_up


def test_a_new_block_gives_another_chance(room: Room) -> None:
    room.ask(4)
    room.start_process()
    room.process.ended(127, "", "No such file")
    room.begin()
    room.ask(5)
    assert room.seat.may_start(room.now)


def test_a_process_that_does_not_play_the_next_block_is_not_asked(room: Room) -> None:
    room.playing()
    room.begin(why_not="it plays no vytrix")
    assert room.seat.why_given_up == "it plays no vytrix"
    assert room.stopped == []


def test_a_changed_command_ends_the_old_process(room: Room) -> None:
    room.playing()
    room.begin(spec=replace(SPEC, command=("other",)))
    assert room.stopped == [room.process]


def test_a_stream_that_comes_back_is_asked_again_without_a_fault() -> None:
    room = Room(replace(LIMITS, move_ms=20_000))
    connection = room.playing(1, 2)
    room.seat.left(connection)
    assert room.seat.phase is Phase.AWAY
    room.wait(4.9)
    response = room.take(room.join())
    assert [ask.table for ask in response.asks] == [1, 2]
    assert [seated.table for seated in response.seated] == [99, 1, 2]
    assert room.faults == []


def test_the_clock_runs_on_while_a_stream_is_away(room: Room) -> None:
    assert LIMITS.move_ms == 1000
    room.seat.left(room.playing(1, 2))
    room.wait(0.6)
    connection = room.join()
    assert [ask.move_ms for ask in room.take(connection).asks] == [400, 400]
    room.wait(0.3)
    room.reply(connection, (1, 1))
    assert room.faults == []
    room.wait(0.9)
    assert room.faults == []
    room.wait(0.3)
    assert [fault[:2] for fault in room.faults] == [(2, FaultCause.TIMEOUT)]


def test_a_bot_that_is_away_for_longer_than_its_decision_may_take_is_late(room: Room) -> None:
    room.seat.left(room.playing(1, 2))
    room.wait(1.2)
    assert [fault[:2] for fault in room.faults] == [(1, FaultCause.TIMEOUT)]
    assert room.stopped == [room.process]


def test_a_bot_that_owes_nothing_may_be_away_at_no_cost(room: Room) -> None:
    connection = room.playing(1)
    room.reply(connection, (1, 1))
    room.seat.left(connection)
    room.wait(4)
    connection = room.join()
    room.ask(1, turn=2)
    assert [ask.move_ms for ask in room.take(connection).asks] == [1000]


def test_a_bot_that_is_ended_is_told_that_its_stream_was_broken_off(room: Room) -> None:
    connection = room.playing(1)
    room.wait(1.2)
    assert connection.is_closed
    assert connection.is_broken_off


def test_a_stream_that_stays_away_is_a_disconnect_and_the_process_is_ended() -> None:
    room = Room(replace(LIMITS, move_ms=20_000))
    room.seat.left(room.playing(1, 2))
    room.wait(5.1)
    assert [fault[:2] for fault in room.faults] == [(1, FaultCause.DISCONNECT)]
    assert room.stopped == [room.process]


def test_a_stream_that_comes_and_goes_without_an_answer_is_a_disconnect(room: Room) -> None:
    room.seat.left(room.playing(1))
    connection = room.join()
    room.seat.take(connection)
    room.seat.left(connection)
    assert room.faults == []
    room.join()
    assert [fault[:2] for fault in room.faults] == [(1, FaultCause.DISCONNECT)]


def test_an_exit_while_away_is_a_crash(room: Room) -> None:
    room.seat.left(room.playing(1))
    room.process.ended(-11, "", "")
    assert room.faults == [(1, FaultCause.CRASH, "was ended by signal 11 while it owed this answer")]


def test_an_old_stream_can_neither_answer_nor_take(room: Room) -> None:
    old = room.playing(1)
    room.seat.left(old)
    room.take(room.join())
    room.reply(old, (1, 1))
    assert room.answers == []
    assert room.seat.take(old) is None


def test_a_table_that_is_closed_is_told_once_and_not_seated_again(room: Room) -> None:
    connection = room.playing(1)
    room.seat.rise(table_pb2.TableClosed(table=99))
    assert [closed.table for closed in room.take(connection).tables_closed] == [99]
    room.crash(connection)
    room.ask(1, turn=2)
    room.start_process()
    assert [seated.table for seated in room.take(room.join()).seated] == [1]
