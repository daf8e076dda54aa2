"""A bot is charged for the time in which it owes an answer, and nobody for ours."""

from __future__ import annotations

import pytest

from referee.blocks import Limits
from referee.clock import Heartbeat, ThinkingClock, game_left, move_limit

LIMITS = Limits(first_move_seconds=10.0, move_ms=1000, margin_ms=50)


def test_an_answer_is_charged_from_its_request() -> None:
    clock = ThinkingClock()
    clock.sent(10.0)
    assert clock.answered(10.5, owes=False) == 0.5
    assert not clock.runs


def test_the_next_answer_is_charged_from_the_one_before() -> None:
    clock = ThinkingClock()
    clock.sent(10.0)
    clock.sent(10.2)
    assert clock.answered(10.5, owes=True) == 0.5
    assert clock.answered(11.5, owes=False) == 1.0


def test_idle_time_is_not_charged() -> None:
    clock = ThinkingClock()
    clock.sent(1.0)
    clock.answered(2.0, owes=False)
    assert clock.silent(50.0) == 0.0
    clock.sent(100.0)
    assert clock.silent(101.0) == 1.0


def test_time_in_which_the_referee_was_held_up_is_charged_to_nobody() -> None:
    clock = ThinkingClock()
    clock.sent(1.0)
    clock.hold_up(3.0)
    assert clock.silent(5.0) == 1.0
    assert clock.answered(6.0, owes=True) == 2.0
    assert clock.answered(7.0, owes=False) == 1.0


def test_a_hold_up_while_nothing_is_owed_does_not_count_later() -> None:
    clock = ThinkingClock()
    clock.hold_up(3.0)
    clock.sent(10.0)
    assert clock.silent(11.0) == 1.0


def test_a_stopped_clock_starts_anew() -> None:
    clock = ThinkingClock()
    clock.sent(1.0)
    clock.stop()
    clock.sent(5.0)
    assert clock.silent(6.0) == 1.0


def test_the_heartbeat_tells_each_delay_once() -> None:
    heart = Heartbeat(0.01)
    assert heart.beat(1.0, scheduled=True) == 0.0
    assert heart.beat(1.01, scheduled=True) == pytest.approx(0.0)
    assert heart.beat(3.01, scheduled=False) == pytest.approx(1.99)
    assert heart.beat(3.011, scheduled=True) == 0.0


def test_a_look_between_beats_does_not_move_the_schedule() -> None:
    heart = Heartbeat(0.01)
    heart.beat(1.0, scheduled=True)
    assert heart.beat(1.005, scheduled=False) == 0.0
    assert heart.beat(1.012, scheduled=True) == pytest.approx(0.002)


def test_the_limit_of_a_move_has_the_margin() -> None:
    assert move_limit(LIMITS, None, first=False) == pytest.approx(1.05)


def test_the_first_move_of_a_process_has_its_own_limit() -> None:
    assert move_limit(LIMITS, 0.1, first=True) == pytest.approx(10.05)
    assert move_limit(Limits(first_move_seconds=0.5, move_ms=2000), None, first=True) == pytest.approx(2.05)


def test_the_bank_of_a_game_shortens_a_move() -> None:
    assert move_limit(LIMITS, 0.3, first=False) == pytest.approx(0.35)
    assert move_limit(LIMITS, 5.0, first=False) == pytest.approx(1.05)


def test_a_bank_is_never_less_than_empty() -> None:
    assert game_left(Limits(), 100.0) is None
    assert game_left(Limits(game_seconds=10), 4.0) == 6.0
    assert game_left(Limits(game_seconds=10), 12.0) == 0.0
