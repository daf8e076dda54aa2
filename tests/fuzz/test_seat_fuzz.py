"""Whatever one bot does, at whatever moment: nothing breaks in the referee, and every game comes to a sound end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardtable.v1 import table_pb2
from referee.seat import Phase
from tests.fuzz.messages import play_requests
from tests.fuzz.quiet_hall import SHORT, QuietHall, block

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.seat import Connection

pytestmark = pytest.mark.long

EVENTS = ("wait", "join", "read", "answer", "say", "leave", "exit", "refuse", "intrude", "dismiss", "haunt")
SECONDS = (0.0, 0.004, 0.02, 0.5, 1.5, 3.5)


class Culprit:
    """One bot that does what it is told, wherever that is possible.

    Args:
        house: Where it plays.
        draw: Where its messages come from.
    """

    def __init__(self, house: QuietHall, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._house = house
        self._draw = draw
        self._connection: Connection | None = None
        self._old: list[Connection] = []

    def do(self, event: str) -> None:
        """Do one thing, and let the referee do what follows from it."""
        getattr(self, event)()
        self._house.settle()
        if self._connection is not None and self._connection.is_closed:
            self.leave()  # as the server does when a stream has been closed

    def wait(self) -> None:
        """Let time pass."""
        self._house.wait(self._draw(st.sampled_from(SECONDS)))

    def join(self) -> None:
        """Join, or come back."""
        if self._house.culprit.phase in {Phase.STARTING, Phase.AWAY}:
            self._house.asks.clear()
            self._connection = self._house.join(self._house.culprit)
            self._house.settle()
            self._house.take(self._connection)

    def read(self) -> None:
        """Read what is due."""
        if self._connection is not None:
            self._house.take(self._connection)

    def answer(self) -> None:
        """Answer some questions as a bot that behaves."""
        if self._connection is not None:
            number = self._draw(st.integers(1, 3))
            asks, self._house.asks[:] = self._house.asks[:number], self._house.asks[number:]
            answers = [self._house.answer(ask, 1) for ask in asks]
            self._house.culprit.received(self._connection, table_pb2.PlayRequest(answers=answers))

    def say(self) -> None:
        """Say anything."""
        if self._connection is not None:
            self._house.culprit.received(self._connection, self._anything())

    def leave(self) -> None:
        """End the stream."""
        if self._connection is not None:
            self._house.culprit.left(self._connection)
            self._old.append(self._connection)
            self._connection = None

    def exit(self) -> None:
        """End the process; the stream ends with it, or later, or not at all."""
        process = self._house.culprit.process
        if process is not None and not process.exited:
            process.ended(self._draw(st.sampled_from([0, 1, -9, -15])), "last words", "")
            if self._draw(st.booleans()):
                self.leave()

    def refuse(self) -> None:
        """Join with what cannot be."""
        if self._house.culprit.phase in {Phase.STARTING, Phase.AWAY}:
            self._house.culprit.refused("it plays chess")

    def intrude(self) -> None:
        """Join beside the live stream, often."""
        if self._house.culprit.phase is Phase.JOINED:
            for _ in range(self._draw(st.sampled_from([1, 600]))):
                if self._house.culprit.phase is Phase.JOINED:
                    self._house.culprit.intruded()

    def dismiss(self) -> None:
        """Be told to leave."""
        self._house.culprit.dismiss()

    def haunt(self) -> None:
        """Speak and listen on streams that have ended."""
        for connection in self._old:
            self._house.culprit.received(connection, self._anything())
            assert self._house.culprit.take(connection) is None
            self._house.culprit.left(connection)

    def _anything(self) -> table_pb2.PlayRequest:
        asked = [(ask.table, ask.turn) for ask in self._house.asks]
        request: table_pb2.PlayRequest = self._draw(play_requests(asked))
        return request


def play(data: st.DataObject, game: str, variant: Mapping[str, object], games: int) -> None:
    house = QuietHall(block(game, variant, games))
    culprit = Culprit(house, data.draw)
    for event in ("join", *data.draw(st.lists(st.sampled_from(EVENTS), max_size=25))):
        culprit.do(event)
        assert house.hall.error == ""
    house.end()


def fuzzing(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )


@pytest.mark.parametrize(("game", "variant"), SHORT[:2], ids=str)
@fuzzing(100)
@given(data=st.data())
def test_whatever_a_bot_does_every_short_game_comes_to_its_end(
    game: str, variant: Mapping[str, object], data: st.DataObject
) -> None:
    play(data, game, variant, 3)


@fuzzing(10)
@given(data=st.data())
def test_whatever_a_bot_does_every_long_game_comes_to_its_end(data: st.DataObject) -> None:
    play(data, *SHORT[2], 1)
