"""Whose message goes next: with a fake clock, and seats that only note that they may send."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.dispatch import BUSY, PATIENCE_SECONDS, Dispatcher

if TYPE_CHECKING:
    from collections.abc import Callable


class Desk:
    """A dispatcher, its clock, and what it has called for."""

    def __init__(self) -> None:
        self.now = 10.0
        self.due: list[tuple[float, Callable[[], None]]] = []
        self.sent: list[str] = []
        self.dispatcher = Dispatcher(lambda: self.now, lambda call: self._at(0.0, call), self._at)

    def _at(self, seconds: float, call: Callable[[], None]) -> None:
        self.due.append((self.now + seconds, call))

    def run(self, seconds: float = 0.0) -> list[str]:
        """Let time pass; returns who has sent meanwhile."""
        until = self.now + seconds
        self.sent.clear()
        for _ in range(1000):
            ready = [one for one in self.due if one[0] <= until + 1e-9]
            if not ready:
                self.now = until
                return list(self.sent)
            first = min(ready, key=lambda one: one[0])
            self.due.remove(first)
            self.now = max(self.now, first[0])
            first[1]()
        pytest.fail("it spins")


class FakeSeat:
    """A seat with so many questions waiting."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name, self.questions = desk, name, 0

    def ask(self, questions: int = 1) -> None:
        self.questions += questions
        self.desk.dispatcher.wants(self)

    def send(self) -> None:
        self.desk.sent.append(self.name)
        asked, self.questions = self.questions, 0
        self.desk.dispatcher.taken(self, owes=bool(asked))

    def answered(self) -> None:
        self.desk.dispatcher.rests(self)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_idle_bots_are_asked_at_once_the_fullest_first(desk: Desk) -> None:
    a, b, c, d = (FakeSeat(desk, name) for name in "abcd")
    a.ask(2)
    b.ask(7)
    c.ask(1)
    d.ask(5)
    assert desk.run() == ["b", "d"]
    a.ask(1)
    c.ask(9)
    assert desk.run() == []
    b.answered()
    assert desk.run() == ["c"]
    d.answered()
    assert desk.run() == ["a"]
    assert BUSY == 2


def test_a_bot_that_thinks_holds_up_nobody(desk: Desk) -> None:
    seats = [FakeSeat(desk, name) for name in "abcdef"]
    for seat in seats:
        seat.ask()
    assert desk.run() == ["a", "b"]
    assert desk.run(PATIENCE_SECONDS) == ["c", "d"]
    assert desk.run(PATIENCE_SECONDS) == ["e", "f"]


def test_a_bot_that_thinks_is_asked_more_after_a_while(desk: Desk) -> None:
    seat = FakeSeat(desk, "a")
    seat.ask()
    assert desk.run() == ["a"]
    seat.ask()
    assert desk.run(PATIENCE_SECONDS / 2) == []
    assert desk.run(PATIENCE_SECONDS / 2) == ["a"]


def test_notices_wait_for_a_question_or_until_they_are_old(desk: Desk) -> None:
    told, asked = FakeSeat(desk, "told"), FakeSeat(desk, "asked")
    told.ask(0)
    asked.ask(0)
    assert desk.run(PATIENCE_SECONDS / 2) == []
    asked.ask(1)
    assert desk.run() == ["asked"]
    assert desk.run(PATIENCE_SECONDS / 2) == ["told"]
    assert desk.run(1.0) == []


def test_who_has_lost_its_stream_makes_room(desk: Desk) -> None:
    a, b, c = (FakeSeat(desk, name) for name in "abc")
    for seat in (a, b, c):
        seat.ask()
    assert desk.run() == ["a", "b"]
    b.ask()
    desk.dispatcher.forget(b)
    assert desk.run() == ["c"]
    assert desk.run(1.0) == []


def test_nothing_is_left_to_do_when_nobody_wants(desk: Desk) -> None:
    seat = FakeSeat(desk, "a")
    seat.ask()
    assert desk.run() == ["a"]
    seat.answered()
    assert desk.run(1.0) == []
    assert desk.due == []
