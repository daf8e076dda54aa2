"""The decisions of a record are those that its table asked for, with the same views and turns."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import GAMES
from cardtable.dealing import board_seed
from cardtable.record import FaultCause
from referee.blocks import GameOrder
from referee.errors import RefereeError
from referee.reenactment import decision_at, decisions
from referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardtable.record import GameRecord

GAMES_TO_PLAY: list[tuple[str, dict[str, object], bool]] = [
    ("trix", {}, False),
    ("trix", {"partners": True}, True),
    ("vytrix", {"players": 3, "target": 0, "max_hands": 2}, False),
    ("vytrix", {"players": 4, "target": 0, "max_hands": 2}, False),
]
FORFEIT_AFTER = 3


def played(
    game: str, options: Mapping[str, object], *, ask_forced: bool, late: tuple[int, ...] = (1,)
) -> tuple[GameRecord, list[tuple[int, int, Any]]]:
    """A game at random, in which some are at fault now and then and seat 2 cannot be brought back; what was asked."""
    random = Random(game)
    seats = tuple("abcd"[: GAMES[game].variant(options).players])
    order = GameOrder(0, 0, seats, board_seed(b"m" * 32, "c", 0))
    table = Table(1, order, GAMES[game], options, forfeit_after=FORFEIT_AFTER, ask_forced=ask_forced)
    table.start()
    asked = []
    while (question := table.question) is not None:
        asked.append((question.seat, question.turn, question.view))
        if question.seat in late and question.turn % 5 == 0:
            table.fault(FaultCause.TIMEOUT, "late")
        elif question.seat == 2 and question.turn == 9:
            table.fault(FaultCause.START, "gone", forfeit=True)
        else:
            table.answer(question.view.legal_actions.sample(random))
    return table.played(str).record, asked


@pytest.mark.parametrize(("game", "options", "ask_forced"), GAMES_TO_PLAY)
def test_a_record_gives_every_question_again(
    game: str, options: Mapping[str, object], ask_forced: bool
) -> None:
    record, asked = played(game, options, ask_forced=ask_forced)
    found = list(decisions(record, forfeit_after=FORFEIT_AFTER, ask_forced=ask_forced))
    assert [(one.seat, one.turn, one.view) for one in found] == asked
    assert tuple(one.fault for one in found if one.fault) == record.faults
    assert record.forfeits == (1, 2)
    for one in found:
        assert record.deals[one.deal].actions[one.action] == one.made


def test_a_decision_is_named_by_its_turn_and_the_fault_or_the_seat() -> None:
    record, _ = played("vytrix", {"players": 3, "target": 0, "max_hands": 2}, ask_forced=False)
    terms: dict[str, Any] = {"forfeit_after": FORFEIT_AFTER, "ask_forced": False}
    assert decision_at(record, None, 5, **terms).seat == 1
    assert decision_at(record, None, 9, **terms).seat == 2
    other = decision_at(record, 0, 5, **terms)
    assert (other.seat, other.turn, other.fault) == (0, 5, None)
    with pytest.raises(
        RefereeError, match="no seat was at fault at turn 4: the faults are at turn 5 of seat 1"
    ):
        decision_at(record, None, 4, **terms)
    with pytest.raises(RefereeError, match=r"seat 2 \(c\) was asked 9 times, not 10"):
        decision_at(record, 2, 10, **terms)


def test_several_faults_at_turns_of_one_number_need_a_seat() -> None:
    record, _ = played("vytrix", {"players": 3, "target": 0, "max_hands": 2}, ask_forced=False, late=(0, 1))
    terms: dict[str, Any] = {"forfeit_after": FORFEIT_AFTER, "ask_forced": False}
    with pytest.raises(
        RefereeError, match=r"several seats were at fault at a turn 5: .*choose one with --seat"
    ):
        decision_at(record, None, 5, **terms)
    assert decision_at(record, 0, 5, **terms).fault is not None


def test_a_record_that_does_not_follow_from_its_seed_is_refused() -> None:
    record, _ = played("vytrix", {"players": 3, "target": 0, "max_hands": 2}, ask_forced=False)
    with pytest.raises(RefereeError):
        list(decisions(replace(record, seed=b"x" * 32), forfeit_after=FORFEIT_AFTER, ask_forced=False))
    with pytest.raises(RefereeError, match="without its seed"):
        list(decisions(replace(record, seed=None), forfeit_after=FORFEIT_AFTER, ask_forced=False))
