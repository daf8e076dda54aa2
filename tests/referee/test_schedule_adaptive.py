from __future__ import annotations

import random
from typing import Literal

import pytest

from referee.boards import Board
from referee.ratings import Environment, Rating
from referee.schedule import BoardPlan, Plan, Schedule, ScheduleError, certificate, make_plan

KINDS: tuple[Literal["swiss", "ladder"], ...] = ("swiss", "ladder")


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number}" for number in range(count))


def played(plan: BoardPlan, chance: random.Random) -> Board:
    there = sorted(set(plan.seatings[0]))
    points = {name: int(name[3:]) + chance.gauss(0, 2) for name in there}
    places = {name: float(sorted(points.values(), reverse=True).index(points[name]) + 1) for name in there}
    return Board("cup", plan.number, points, places, tuple((name,) for name in there), len(plan.seatings))


def course(plan: Plan, seed: int = 1) -> tuple[list[BoardPlan], list[Board]]:
    chance = random.Random(seed)
    planned: list[BoardPlan] = []
    past: list[Board] = []
    for number in range(plan.rounds):
        boards = plan.round(number, past)
        planned += boards
        past += [played(board, chance) for board in boards]
        chance.shuffle(past)
    return planned, past


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("entrants", "seats", "same"), [(3, 3, False), (7, 3, False), (10, 4, False), (9, 4, True), (5, 3, True)]
)
def test_a_round_plays_everybody_once_and_sit_outs_differ_by_one(
    kind: Schedule, entrants: int, seats: int, same: bool
) -> None:
    plan = make_plan(kind, names(entrants), seats, 11, teams="same" if same else "none")
    planned, _ = course(plan)
    assert [board.number for board in planned] == list(range(len(plan)))
    for number in range(plan.rounds):
        seated = [name for board in planned if board.round == number for name in set(board.seatings[0])]
        assert len(seated) == len(set(seated)) == entrants // plan.table * plan.table
    found, bounds = certificate(plan.entrants, planned), plan.certificate()
    assert found.sit_outs[1] - found.sit_outs[0] <= 1
    assert (found.games, found.boards, found.sit_outs) == (bounds.games, bounds.boards, bounds.sit_outs)
    for span, bound in (
        (found.meetings, bounds.meetings),
        (found.seats, bounds.seats),
        (found.follows, bounds.follows),
    ):
        assert bound[0] <= span[0] <= span[1] <= bound[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_follows_from_the_boards_before_it_alone(kind: Schedule) -> None:
    plan = make_plan(kind, names(9), 4, 8)
    planned, past = course(plan)
    fresh = make_plan(kind, names(9)[::-1], 4, 8)
    for number in (5, 2, 7, 0):
        boards = tuple(board for board in planned if board.round == number)
        assert fresh.round(number, past) == boards
        assert fresh.round(number, sorted(past, key=lambda board: -board.number)) == boards


def test_swiss_takes_no_table_twice_while_there_are_others() -> None:
    for entrants, seats, rounds in ((8, 2, 7), (6, 3, 5), (9, 4, 20)):
        planned, _ = course(make_plan("swiss", names(entrants), seats, rounds))
        tables = [frozenset(board.seatings[0]) for board in planned]
        assert len(tables) == len(set(tables))


def test_after_some_rounds_swiss_and_ladder_bring_equals_together() -> None:
    for kind in KINDS:
        planned, _ = course(make_plan(kind, names(24), 3, 10))
        apart = []
        for rounds in (range(1), range(4, 10)):
            away = [
                max(places) - min(places)
                for places in (
                    [int(name[3:]) for name in board.seatings[0]]
                    for board in planned
                    if board.round in rounds
                )
            ]
            apart.append(sum(away) / len(away))
        assert apart[1] < 0.7 * apart[0]


@pytest.mark.parametrize("kind", KINDS)
def test_who_has_left_is_not_seated(kind: Schedule) -> None:
    plan = make_plan(kind, names(8), 4, 3)
    boards = plan.round(1, [played(board, random.Random(3)) for board in plan.round(0)], {"bot5"})
    assert [board.number for board in boards] == [2]
    assert "bot5" not in boards[0].seatings[0]
    assert plan.round(0, (), names(8)[:5]) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_an_adaptive_plan_has_no_board_before_its_round(kind: Schedule) -> None:
    plan = make_plan(kind, names(8), 4, 3)
    assert plan.is_adaptive
    with pytest.raises(ScheduleError, match="ask for its round"):
        plan.board(0)
    with pytest.raises(IndexError):
        plan.round(3)


@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_entrants_are_seated(kind: Schedule) -> None:
    planned, _ = course(make_plan(kind, names(200), 4, 2))
    assert len({name for board in planned if board.round == 1 for name in board.seatings[0]}) == 200
    assert len({frozenset(board.seatings[0]) for board in planned}) == 100


def test_match_quality_is_greatest_between_equals_that_are_known() -> None:
    environment = Environment()
    new, known, better = environment.prior, Rating(25.0, 1.0), Rating(35.0, 1.0)
    assert environment.quality([[new], [new]]) == pytest.approx(0.447214, abs=1e-6)
    assert environment.quality([[known], [known]]) > environment.quality([[known], [better]])
    assert environment.quality([[known], [known], [known]]) > environment.quality([[new], [known], [known]])
