"""A remote bot that does not dial in is waited for once; after that its seat is open to it, and keeps nobody waiting."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from cardtable.record import FaultCause
from cardtable.v1 import table_pb2
from referee.blocks import BotSpec
from referee.hall import Hall
from referee.seat import Phase
from tests.fuzz.quiet_hall import CULPRIT, LIMITS, SHORT, QuietHall, block

if TYPE_CHECKING:
    from referee.blocks import BlockOrder, PlayedGame
    from referee.seat import Connection

JOIN_SECONDS = 30
PATIENT = replace(LIMITS, join_seconds=JOIN_SECONDS, forfeit_after=3)


class Evening(QuietHall):
    """Blocks one after another with a remote culprit, which does nothing by itself."""

    def __init__(self) -> None:
        self._tables = count(1)
        super().__init__(self._order())

    def next_block(self) -> None:
        """Begin one more."""
        self.hall = Hall(self._order(), self._seat, self._tables)
        self.hall.begin(lambda _: "")
        self.wait(0)

    def seconds(self) -> float:
        """How long the block lasts."""
        began = self.now
        while not self.hall.finished.is_set():
            self.wait(0.5)
            assert self.now < began + 2 * JOIN_SECONDS
        return self.now - began

    def faults(self) -> set[FaultCause]:
        games: tuple[PlayedGame, ...] = self.hall.games()
        assert games
        return {fault.cause for game in games for fault in game.record.faults}

    def answer_all(self, connection: Connection) -> None:
        """Have the culprit answer all that it was asked."""
        asks, self.asks = self.asks, []
        request = table_pb2.PlayRequest(answers=[self.answer(ask, 1) for ask in asks])
        if asks:
            self.culprit.received(connection, request)

    @staticmethod
    def _order() -> BlockOrder:
        order = block(*SHORT[0], games=1, limits=PATIENT)
        tokens = tuple("a" * 16 + str(seat) for seat in range(3))
        far = BotSpec(CULPRIT, (), "/", tokens=tokens)
        return replace(order, bots=tuple(far if one.name == CULPRIT else one for one in order.bots))


@pytest.fixture
def evening() -> Evening:
    """After a block for which the remote bot did not come."""
    evening = Evening()
    assert evening.seconds() == pytest.approx(JOIN_SECONDS, abs=1)
    assert evening.faults() == {FaultCause.START}
    return evening


def test_later_blocks_do_not_wait_for_who_did_not_come(evening: Evening) -> None:
    for _ in range(3):
        evening.next_block()
        assert evening.seconds() <= PATIENT.disconnect_seconds + 1
        assert evening.faults() == {FaultCause.START}


def played(evening: Evening, connection: Connection) -> set[FaultCause]:
    """What faults there are where the culprit answers all that it is asked in this block."""
    while not evening.hall.finished.is_set():
        evening.wait(0.1)
        if evening.take(connection):
            evening.answer_all(connection)
    return evening.faults()


def test_who_comes_between_two_blocks_plays_in_the_next_one(evening: Evening) -> None:
    assert evening.culprit.token is not None
    connection = evening.join(evening.culprit)
    evening.next_block()
    assert played(evening, connection) == set()


def test_who_comes_soon_after_a_block_has_begun_plays_in_it(evening: Evening) -> None:
    evening.next_block()
    evening.wait(PATIENT.disconnect_seconds / 2)
    assert evening.culprit.phase is Phase.STARTING
    assert played(evening, evening.join(evening.culprit)) == set()


def test_who_has_come_back_is_waited_for_as_at_first(evening: Evening) -> None:
    assert evening.culprit.limits.join_seconds == JOIN_SECONDS
    evening.next_block()
    assert evening.culprit.limits.join_seconds == PATIENT.disconnect_seconds
    played(evening, evening.join(evening.culprit))
    evening.next_block()
    assert evening.culprit.limits.join_seconds == JOIN_SECONDS
