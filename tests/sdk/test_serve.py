"""A bot's connection, against a scripted referee on a Unix socket."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc
import pytest

from cardtable.bot import Bot, FaultNotice, Seating, TableResult
from cardtable.cards import Card
from cardtable.catalog import GAMES
from cardtable.engine import Deal
from cardtable.record import FaultCause
from cardtable.serve import Outbox, run, serve
from cardtable.trix import Contract, TrixVariant
from cardtable.v1 import table_pb2
from cardtable.wire import codec, refusal_response, welcome_response
from cardtable.wire.service import add_referee

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardtable.engine import View

    Script: TypeAlias = Callable[[Iterator[table_pb2.PlayRequest]], Iterator[table_pb2.PlayResponse]]

#: A test that waits longer for anything has failed.
PATIENCE_SECONDS = 20
WELCOME = welcome_response(0, "scripted/1")
EXAMPLES = Path(__file__).parents[2] / "examples"


class Referee:
    """A referee that does what a test's script says, one stream after the other.

    Args:
        folder: Where its socket is.
    """

    def __init__(self, folder: Path) -> None:
        self.address = f"unix:{folder}/referee"
        self.errors: list[BaseException] = []

    @contextmanager
    def playing(self, script: Script) -> Iterator[str]:
        """Serve the script; gives the address, and raises at the end what the script raised."""

        def behaviour(
            requests: Iterator[table_pb2.PlayRequest], context: grpc.ServicerContext
        ) -> Iterator[table_pb2.PlayResponse]:
            patience = threading.Timer(PATIENCE_SECONDS, context.cancel)
            patience.start()
            try:
                yield from script(requests)
            except Exception as error:
                self.errors.append(error)
                raise
            finally:
                patience.cancel()

        with ThreadPoolExecutor(max_workers=4) as threads:
            server = grpc.server(threads)
            add_referee(server, behaviour)
            server.add_insecure_port(self.address)
            server.start()
            try:
                yield self.address
            finally:
                server.stop(grace=None).wait()
        for error in self.errors:
            raise error

    def serve(self, script: Script, bot: type[Bot]) -> int:
        """Let a bot of this process play; returns its exit code."""
        with self.playing(script) as address:
            return serve(bot, address, "secret")

    @contextmanager
    def process(self, script: Script, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        """Start a program to play."""
        with self.playing(script) as address:
            environment = {**os.environ, "CARDTABLE_REFEREE": address, "CARDTABLE_TOKEN": "secret"}
            with subprocess.Popen(
                [sys.executable, *arguments],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            ) as process:
                try:
                    yield process
                finally:
                    process.kill()


@pytest.fixture
def referee(tmp_path: Path) -> Referee:
    return Referee(tmp_path)


class RandomBot(Bot):
    name = "random"
    version = "3"

    def trix(self, view: Any) -> Any:
        return view.legal_actions.sample(self.random)


def _view() -> View[Any]:
    state = GAMES["trix"].new_state(TrixVariant())
    state.deal(Deal.shuffled((13, 13, 13, 13), Random(1)))
    assert state.to_act is not None
    view: View[Any] = state.view(state.to_act)
    return view


VIEW = _view()


def _seated(*tables: int) -> table_pb2.PlayResponse:
    response = table_pb2.PlayResponse()
    for table in tables:
        seated = response.seated.add(
            table=table, seat=VIEW.seat, scored_by=table_pb2.SCORED_BY_PLACES, bot_seed=table, move_ms=500
        )
        codec("trix").set_variant(seated, TrixVariant())
    return response


def _asked(*asks: tuple[int, int]) -> table_pb2.PlayResponse:
    response = table_pb2.PlayResponse()
    for table, turn in asks:
        codec("trix").set_view(response.asks.add(table=table, turn=turn), VIEW)
    return response


def _answers(requests: Iterator[table_pb2.PlayRequest], count: int) -> list[table_pb2.Answer]:
    answers: list[table_pb2.Answer] = []
    while len(answers) < count:
        answers.extend(next(requests).answers)
    return answers


def _no_answer(requests: Iterator[table_pb2.PlayRequest]) -> None:
    """Wait until the bot has left without an answer."""
    with suppress(grpc.RpcError):
        assert list(requests) == []


def _one_question(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
    """Welcome a bot, ask it once, and wait for what it does."""
    next(requests)
    yield WELCOME
    yield _seated(1)
    yield _asked((1, 1))
    _answers(requests, 1)


def test_the_first_message_says_who_joins(referee: Referee) -> None:
    joins: list[table_pb2.Join] = []

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        joins.append(next(requests).join)
        yield WELCOME

    assert referee.serve(script, RandomBot) == 0
    (join,) = joins
    assert (join.token, join.bot_name, join.bot_version) == ("secret", "random", "3")
    assert (join.protocol_min, join.protocol_max) == (1, 1)
    assert [support.game for support in join.games] == ["trix"]
    assert join.sdk.startswith("cardtable")


def test_every_question_of_a_batch_is_answered_once_with_a_legal_action(referee: Referee) -> None:
    answers: list[table_pb2.Answer] = []

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(*range(8))
        yield _asked(*((table, 5) for table in range(8)))
        answers.extend(_answers(requests, 8))

    assert referee.serve(script, RandomBot) == 0
    assert [(answer.table, answer.turn) for answer in answers] == [(table, 5) for table in range(8)]
    assert all(codec("trix").action(answer) in VIEW.legal_actions for answer in answers)


def test_a_finished_answer_does_not_wait_for_a_long_search(referee: Referee) -> None:
    first_arrived = threading.Event()

    class Slow(RandomBot):
        def trix(self, view: Any) -> Any:
            if self.table.bot_seed == 2:
                assert first_arrived.wait(PATIENCE_SECONDS)
            return super().trix(view)

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1, 2)
        yield _asked((1, 1), (2, 1))
        assert [answer.table for answer in _answers(requests, 1)] == [1]
        first_arrived.set()
        assert [answer.table for answer in _answers(requests, 1)] == [2]

    assert referee.serve(script, Slow) == 0


def test_a_new_question_is_taken_in_while_the_bot_thinks(referee: Referee) -> None:
    both_sent = threading.Event()

    class Slow(RandomBot):
        def trix(self, view: Any) -> Any:
            assert both_sent.wait(PATIENCE_SECONDS)
            return super().trix(view)

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1, 2)
        yield _asked((1, 1))
        yield _asked((2, 1))
        both_sent.set()
        assert [answer.table for answer in _answers(requests, 2)] == [1, 2]

    assert referee.serve(script, Slow) == 0


def test_a_bot_that_starts_again_answers_as_it_would_have(referee: Referee) -> None:
    runs: list[dict[int, str]] = []

    def script(turns: range) -> Script:
        def play(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
            next(requests)
            yield WELCOME
            yield _seated(1)
            yield _asked(*((1, turn) for turn in turns))
            runs.append({a.turn: str(codec("trix").action(a)) for a in _answers(requests, len(turns))})

        return play

    referee.serve(script(range(1, 30)), RandomBot)
    referee.serve(script(range(15, 30)), RandomBot)
    whole, rest = runs
    assert {turn: whole[turn] for turn in rest} == rest
    assert len(set(whole.values())) > 1


def test_a_bot_is_told_what_happens_at_its_table(referee: Referee) -> None:
    told: list[object] = []

    class Listener(RandomBot):
        def seated(self) -> None:
            told.append(self.table)

        def faulted(self, notice: FaultNotice) -> None:
            told.append(notice)

        def deal_ended(self, summary: Any) -> None:
            told.append(summary)

        def table_closed(self, result: TableResult) -> None:
            told.append(result)

    state = GAMES["trix"].new_state(TrixVariant())
    rng = Random(2)
    state.deal(Deal.shuffled((13, 13, 13, 13), rng))
    while state.to_act is not None:
        state.apply(state.legal_actions().sample(rng))

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1)
        response = table_pb2.PlayResponse()
        response.faults.add(table=1, turn=3, cause=table_pb2.FAULT_CAUSE_ILLEGAL, message="no")
        codec("trix").set_summary(response.deals_ended.add(table=1), state.summary())
        response.tables_closed.add(table=1, scores=[-1, 0, 0, 1], faults=1)
        yield response

    assert referee.serve(script, Listener) == 0
    assert told == [
        Seating("trix", TrixVariant(), VIEW.seat, 4, "places", bot_seed=1, move_ms=500),
        FaultNotice(3, FaultCause.ILLEGAL, "no"),
        state.summary(),
        TableResult((-1, 0, 0, 1), faults=1),
    ]


@pytest.mark.parametrize(("bot", "code"), [(RandomBot, 0), (None, 5)])
def test_of_a_deal_is_read_only_what_the_bot_wants_to_hear(
    referee: Referee, bot: type[Bot] | None, code: int
) -> None:
    class Listener(RandomBot):
        def deal_ended(self, summary: Any) -> None:
            raise AssertionError(summary)

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1)
        response = table_pb2.PlayResponse()
        response.deals_ended.add(table=1).trix.played.append(99)  # type: ignore[arg-type] # no card at all
        yield response

    assert referee.serve(script, bot or Listener) == code


def test_an_illegal_action_is_for_the_referee_to_judge_and_a_comment_is_cut(referee: Referee) -> None:
    class Bold(RandomBot):
        def trix(self, _: Any) -> Any:
            self.comment("x" * 500)
            return Card("2S")

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1)
        yield _asked((1, 1))
        (answer,) = _answers(requests, 1)
        assert codec("trix").action(answer) is Card("2S")
        assert answer.comment == "x" * 200

    assert referee.serve(script, Bold) == 0


def test_what_is_no_action_is_the_bots_error(referee: Referee) -> None:
    class Odd(RandomBot):
        def trix(self, _: Any) -> Any:
            return "KH"

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1)
        yield _asked((1, 1))
        _no_answer(requests)

    with pytest.raises(TypeError, match=r"Odd\.trix returned 'KH', which is no action of trix"):
        referee.serve(script, Odd)


def test_a_refusal_is_one_line_and_code_3(referee: Referee, capsys: pytest.CaptureFixture[str]) -> None:
    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield refusal_response(table_pb2.REFUSAL_REASON_TOKEN, "unknown token")

    assert referee.serve(script, RandomBot) == 3
    assert capsys.readouterr().err == "cardtable: the referee refuses this bot: unknown token\n"


def test_nobody_at_the_address_is_one_line_and_code_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"unix:{tmp_path}/nobody"
    assert serve(RandomBot, address, "secret", connect_seconds=0.1) == 4
    assert capsys.readouterr().err == f"cardtable: no referee answers at {address} (tried for 0.1 s)\n"


def test_a_stream_that_ends_before_its_welcome_is_one_line_and_code_4(
    referee: Referee, capsys: pytest.CaptureFixture[str]
) -> None:
    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield from ()

    assert referee.serve(script, RandomBot) == 4
    assert capsys.readouterr().err == "cardtable: the connection to the referee is lost: it hung up\n"


@pytest.mark.parametrize(
    ("responses", "reason"),
    [
        ([_seated(1)], "neither a welcome nor a refusal"),
        ([table_pb2.PlayResponse(welcome=table_pb2.Welcome(protocol=9))], "protocol 9, not 1"),
        ([WELCOME, _asked((4, 1))], "no seat at table 4"),
        ([WELCOME, table_pb2.PlayResponse(seated=[table_pb2.Seated(game="whist")])], "'whist' is no game"),
        ([WELCOME, table_pb2.PlayResponse(seated=[table_pb2.Seated(game="trix")])], "no variant of trix"),
        ([WELCOME, _seated(1), table_pb2.PlayResponse(asks=[table_pb2.Ask(table=1)])], "no view of trix"),
        (
            [WELCOME, _seated(1), table_pb2.PlayResponse(tables_closed=[{"table": 1}]), _asked((1, 1))],
            "no seat at table 1",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line_and_code_5(
    referee: Referee,
    capsys: pytest.CaptureFixture[str],
    responses: list[table_pb2.PlayResponse],
    reason: str,
) -> None:
    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield from responses
        _no_answer(requests)

    assert referee.serve(script, RandomBot) == 5
    line = capsys.readouterr().err
    assert line.startswith("cardtable: the referee sent what this version of cardtable cannot read: ")
    assert reason in line


def test_without_a_referee_run_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CARDTABLE_REFEREE", raising=False)
    monkeypatch.delenv("CARDTABLE_TOKEN", raising=False)
    with pytest.raises(SystemExit) as ended:
        run(RandomBot)
    line = capsys.readouterr().err
    assert ended.value.code == 2
    assert line.count("\n") == 1
    for word in ("CARDTABLE_REFEREE", "CARDTABLE_TOKEN", "tourney run", "cardtable.local.play"):
        assert word in line


def test_the_random_example_plays_as_a_process_and_ends_quietly(referee: Referee) -> None:
    with referee.process(_one_question, str(EXAMPLES / "random_bot.py")) as process:
        assert process.communicate(timeout=PATIENCE_SECONDS) == ("", "")
        assert process.returncode == 0


def _program(folder: Path, decision: str) -> str:
    program = folder / "bot.py"
    program.write_text(
        "import threading\n"
        "from cardtable import Bot, run\n"
        "class Mine(Bot):\n"
        "    def trix(self, view):\n"
        f"        {decision}\n"
        "if __name__ == '__main__':\n"
        "    run(Mine)\n"
    )
    return str(program)


def test_a_bot_that_raises_ends_at_once_with_its_traceback(referee: Referee, tmp_path: Path) -> None:
    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1)
        yield _asked((1, 1))
        _no_answer(requests)

    with referee.process(script, _program(tmp_path, "raise KeyError('lost')")) as process:
        _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert errors.startswith("Traceback")
    assert errors.endswith("KeyError: 'lost'\n")


def test_a_bot_that_never_decides_ends_when_the_referee_hangs_up(referee: Referee, tmp_path: Path) -> None:
    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        yield WELCOME
        yield _seated(1, 2)
        yield _asked((1, 1), (2, 1))
        _answers(requests, 1)

    decision = (
        "return min(view.legal_actions, key=str) if self.table.bot_seed == 1 else threading.Event().wait()"
    )
    with referee.process(script, _program(tmp_path, decision)) as process:
        assert process.communicate(timeout=PATIENCE_SECONDS) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_bot_quietly(referee: Referee, number: signal.Signals) -> None:
    joined, ended = threading.Event(), threading.Event()

    def script(requests: Iterator[table_pb2.PlayRequest]) -> Iterator[table_pb2.PlayResponse]:
        next(requests)
        joined.set()
        yield WELCOME
        assert ended.wait(PATIENCE_SECONDS)

    with referee.process(script, str(EXAMPLES / "random_bot.py")) as process:
        assert joined.wait(PATIENCE_SECONDS)
        process.send_signal(number)
        output = process.communicate(timeout=PATIENCE_SECONDS)
        ended.set()
    assert output == ("", "")
    assert process.returncode == 128 + number


class _Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def _outbox(clock: _Clock, hold_seconds: float) -> tuple[Outbox, Iterator[table_pb2.PlayRequest]]:
    outbox = Outbox(table_pb2.PlayRequest(), hold_seconds=hold_seconds, clock=clock)
    requests = iter(outbox)
    next(requests)
    return outbox, requests


def _add(outbox: Outbox, turn: int) -> None:
    outbox.add(table_pb2.Ask(table=1, turn=turn), Contract.KING, "", codec("trix"))


def test_answers_gather_until_the_bot_has_nothing_else_to_do() -> None:
    outbox, requests = _outbox(_Clock(), hold_seconds=1e6)
    for turn in (1, 2, 3):
        _add(outbox, turn)
    outbox.flush()
    assert [answer.turn for answer in next(requests).answers] == [1, 2, 3]
    _add(outbox, 4)
    outbox.flush()
    assert [answer.turn for answer in next(requests).answers] == [4]


def test_answers_go_when_the_oldest_has_waited_long_enough() -> None:
    clock = _Clock()
    outbox, requests = _outbox(clock, hold_seconds=0.005)
    _add(outbox, 1)
    clock.seconds = 0.003
    _add(outbox, 2)
    clock.seconds = 0.005
    assert [answer.turn for answer in next(requests).answers] == [1, 2]


def test_nothing_is_sent_when_there_is_nothing_to_send() -> None:
    outbox, requests = _outbox(_Clock(), hold_seconds=1e6)
    outbox.flush()
    outbox.close()
    assert list(requests) == []


def test_an_action_that_the_protocol_has_no_room_for_is_a_type_error_and_leaves_nothing_behind() -> None:
    outbox, requests = _outbox(_Clock(), hold_seconds=1e6)
    with pytest.raises(TypeError, match="cannot be sent as an action of vytrix"):
        outbox.add(table_pb2.Ask(), GAMES["vytrix"].parse_action(f"bid:{2**40}S-low"), "", codec("vytrix"))
    _add(outbox, 1)
    outbox.flush()
    assert len(next(requests).answers) == 1
