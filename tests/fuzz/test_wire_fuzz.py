"""Whatever bytes and messages a stream brings to the real server: nothing breaks, and the others' game is whole."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc import aio
from hypothesis import HealthCheck, given, settings, strategies as st

from cardtable.catalog import GAMES
from cardtable.replay import replay
from cardtable.v1 import table_pb2
from cardtable.wire import codec
from referee.seat import Phase
from tests.e2e.wire_house import Stream, WireHouse, bot_join, run
from tests.fuzz.messages import mutated, play_requests, well_formed
from tests.fuzz.quiet_hall import CULPRIT, SHORT, block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.bot_process import BotProcess
    from referee.seat import Seat

pytestmark = pytest.mark.long

GAME, VARIANT = SHORT[0]
#: A message with the token of the culprit in place of this one's.
JOIN = object()
Script = list[list[Any]]

_requests = play_requests([(1, 1), (2, 1), (1, 2), (2, 2)])
#: More than a message may hold.
_TOO_LONG = b"\n" + bytes(1_100_000)
_said = st.one_of(st.binary(max_size=60), mutated(_requests), _requests, _requests, st.just(_TOO_LONG))
_first = st.one_of(
    st.just(JOIN),
    st.just(JOIN),
    st.binary(max_size=40),
    mutated(well_formed(table_pb2.PlayRequest)),
    _requests,
)
_streams = st.lists(
    st.builds(lambda first, later: [first, *later], _first, st.lists(_said, max_size=4)), max_size=5
)


@contextmanager
def no_errors() -> Iterator[None]:
    """Nothing is logged as an error: an exception that gRPC has caught is one too."""
    errors: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(self.format(record))

    keeper = Keeper(logging.ERROR)
    logging.getLogger().addHandler(keeper)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(keeper)
    assert not errors


class Bots:
    """A culprit that first goes through its script, and bots that behave."""

    def __init__(self, house: WireHouse, script: Script) -> None:
        self._house = house
        self._script = script
        self._variant = GAMES[GAME].variant(VARIANT)
        self._codec = codec(GAME)

    async def play(self, seat: Seat, bot: BotProcess) -> None:
        """Be one process."""
        if seat.entrant == CULPRIT:
            while self._script and not bot.exited:
                await self._misbehave(self._script.pop(0), bot.token)
        if seat.token == bot.token:
            await self._behave(seat, bot)
        elif seat.process is bot and seat.phase is Phase.ENDING and not bot.exited:
            bot.ended(1, "", "")  # refused

    async def _misbehave(self, said: list[Any], token: str) -> None:
        stream = Stream(self._house.channel)
        with suppress(asyncio.InvalidStateError, aio.UsageError, grpc.RpcError):
            for one in said:
                if one is JOIN:
                    await stream.say(bot_join(token))
                    await stream.heard()
                else:
                    await stream.say(with_token(one, token))
            await stream.leave()
            async for _ in stream.all_heard():
                pass
        stream.break_off()

    async def _behave(self, seat: Seat, bot: BotProcess) -> None:
        while seat.phase is Phase.JOINED:  # noqa: ASYNC110 - its last stream is still there, and a seat tells nobody
            await asyncio.sleep(0)
        stream = Stream(self._house.channel)
        await stream.say(bot_join(bot.token))
        async for response in stream.all_heard():
            request = table_pb2.PlayRequest()
            for ask in response.asks:
                view = self._codec.view(ask, self._variant, seat.number)
                answer = request.answers.add(table=ask.table, turn=ask.turn)
                self._codec.set_action(answer, GAMES[GAME].house_action(view))
            if request.answers:
                await stream.say(request)


def with_token(said: Any, token: str) -> Any:
    """A join with the right token, so that more than its absence is looked at."""
    if isinstance(said, table_pb2.PlayRequest) and said.HasField("join"):
        said.join.token = token
    return said


async def play(script: Script) -> None:
    """Play two games beside a script."""
    with tempfile.TemporaryDirectory() as folder:
        async with asyncio.timeout(30), WireHouse(Path(folder)) as house, asyncio.TaskGroup() as tasks:
            bots, playing = Bots(house, script), []

            def start(seat: Seat, bot: BotProcess) -> None:
                playing.append(tasks.create_task(bots.play(seat, bot)))

            house.on_start = start
            hall = house.open_hall(block(GAME, VARIANT, 2))
            hall.begin(house.server.why_not)
            while not hall.finished.is_set():
                hall.tick(house.now())
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.01):
                        await hall.finished.wait()
            for one in playing:
                one.cancel()
        assert (hall.error, house.errors) == ("", [])
        games = hall.games()
        assert len(games) == 2
        for game in games:
            verdict = replay(game.record)
            assert verdict.ok, verdict.error
            assert {fault.seat for fault in game.record.faults} <= {1}


@pytest.fixture(autouse=True, scope="module")
def _refusals_at_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.server._REFUSAL_SECONDS", 0.0)
        yield


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(script=_streams)
def test_whatever_streams_say_the_game_of_the_others_is_whole(script: Script) -> None:
    with no_errors():
        run(play([list(one) for one in script]))
