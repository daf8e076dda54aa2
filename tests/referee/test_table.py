"""A table asks, takes answers, lets the house decide, and its record can be replayed."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.cards import CARDS
from cardtable.catalog import game
from cardtable.dealing import board_seed
from cardtable.record import FaultCause
from cardtable.replay import replay
from referee.blocks import GameOrder
from referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VYTRIX = {"players": 3, "target": 0, "max_hands": 3, "max_bid": 9}


def table(
    name: str, options: Mapping[str, object], *, forfeit_after: int = 3, ask_forced: bool = False
) -> Table:
    seats = ("ana", "bo", "cy", "di")[: game(name).variant(options).players]
    order = GameOrder(0, 0, seats, board_seed(b"t" * 32, name, 0))
    return Table(1, order, game(name), options, forfeit_after=forfeit_after, ask_forced=ask_forced)


def play_on(one: Table, choose: Callable[[Any], Any]) -> None:
    while one.question is not None:
        one.answer(choose(one.question.view))


def first(view: Any) -> Any:
    return next(iter(view.legal_actions))


@pytest.mark.parametrize(
    ("name", "options"), [("trix", {}), ("trix", {"partners": True}), ("vytrix", VYTRIX)]
)
def test_the_record_of_a_game_replays_to_its_scores(name: str, options: dict[str, object]) -> None:
    one, rng = table(name, options), Random(5)
    one.start()
    play_on(one, lambda view: view.legal_actions.sample(rng))
    played = one.played(str)
    rebuilt = replay(played.record)
    assert rebuilt.ok
    assert rebuilt.state is not None
    assert rebuilt.state.scores == played.record.scores == one.scores
    assert played.record.faults == ()


def test_forced_decisions_are_asked_only_on_demand_and_the_record_is_the_same() -> None:
    few, all_ = table("trix", {}), table("trix", {}, ask_forced=True)
    for one in (few, all_):
        one.start()
        play_on(one, first)
    assert few.played(str).record == all_.played(str).record
    assert sum(few.played(str).decisions) < sum(all_.played(str).decisions)


def test_turns_count_the_questions_of_one_seat() -> None:
    one = table("vytrix", VYTRIX)
    one.start()
    seen: dict[int, list[int]] = {}
    while (question := one.question) is not None:
        seen.setdefault(question.seat, []).append(question.turn)
        assert question.view.seat == question.seat
        one.answer(first(question.view))
    assert all(turns == list(range(1, len(turns) + 1)) for turns in seen.values())
    assert one.played(str).decisions == tuple(len(seen[seat]) for seat in range(3))


def test_an_illegal_action_is_a_fault_and_the_house_decides() -> None:
    one = table("vytrix", VYTRIX)
    one.start()
    question = one.question
    assert question is not None
    house = game("vytrix").house_action(question.view)
    fault = one.answer(CARDS[0])
    assert fault is not None
    assert (fault.seat, fault.cause, fault.deal, fault.action, fault.turn) == (
        question.seat,
        FaultCause.ILLEGAL,
        0,
        0,
        1,
    )
    play_on(one, first)
    played = one.played(lambda _: "what it saw")
    assert played.record.deals[0].actions[0] == str(house)
    assert played.record.faults == (fault,)
    assert played.record.forfeits == ()
    assert replay(played.record).ok
    assert played.details[0].view == "what it saw"
    assert played.details[0].entrant == played.record.seats[question.seat]


def test_a_seat_with_too_many_faults_is_not_asked_any_more() -> None:
    one = table("vytrix", VYTRIX, forfeit_after=2)
    one.start()
    while (question := one.question) is not None:
        if question.seat == 1:
            one.fault(FaultCause.TIMEOUT, "no\nanswer")
        else:
            one.answer(first(question.view))
    played = one.played(str)
    assert [fault.seat for fault in played.record.faults] == [1, 1]
    assert played.record.faults[0].message == "no answer"
    assert played.record.forfeits == (1,)
    assert played.decisions[1] == 2
    assert replay(played.record).ok


def test_a_forfeit_at_once_is_one_fault() -> None:
    one = table("trix", {})
    one.start()
    while (question := one.question) is not None:
        if question.seat == 3:
            one.fault(FaultCause.START, "never came", forfeit=True)
        else:
            one.answer(first(question.view))
    played = one.played(str)
    assert [fault.cause for fault in played.record.faults] == [FaultCause.START]
    assert played.record.forfeits == (3,)


def test_a_game_can_be_played_by_the_house_alone() -> None:
    one = table("trix", {}, forfeit_after=1)
    one.start()
    while one.question is not None:
        one.fault(FaultCause.CRASH, "all are broken")
    played = one.played(str)
    assert played.record.forfeits == (0, 1, 2, 3)
    assert replay(played.record).ok


def test_summaries_come_once_for_each_deal_that_has_ended() -> None:
    one = table("vytrix", VYTRIX)
    one.start()
    assert one.take_summaries() == []
    summaries: list[object] = []
    while (question := one.question) is not None:
        one.answer(first(question.view))
        summaries += one.take_summaries()
    assert len(summaries) == len(one.played(str).record.deals) == 3


def test_comments_stand_at_their_action_and_are_cut() -> None:
    one = table("vytrix", VYTRIX)
    one.start()
    assert one.question is not None
    one.answer(first(one.question.view), "y" * 300)
    play_on(one, first)
    (comment,) = one.played(str).record.comments
    assert (comment.deal, comment.action, comment.text) == (0, 0, "y" * 200)
