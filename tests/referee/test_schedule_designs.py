from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, cast

import pytest

from referee.schedule import ScheduleError, certificate, make_plan
from referee.schedule.fixed import FixedPlan
from referee.schedule.whist import spread, whist

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.schedule import Schedule


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number}" for number in range(count))


def balanced(entrants: int, seats: int, boards: int = 1) -> FixedPlan:
    plan = make_plan("round-robin", names(entrants), seats, boards, tables="balanced")
    assert isinstance(plan, FixedPlan)
    return plan


def width(span: tuple[int, int]) -> int:
    return span[1] - span[0]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("entrants", range(4, 41))
def test_in_a_balanced_round_robin_all_meet_and_as_often_within_one(entrants: int, seats: int) -> None:
    plan = balanced(entrants, seats)
    found = plan.certificate()
    assert found == certificate(plan.entrants, plan, note=found.note)
    assert found.meetings[0] >= 1
    assert width(found.meetings) <= 1
    assert width(found.sit_outs) == 0
    assert width(found.seats) == 0
    assert len(plan) == plan.rounds * plan.boards_in_round
    assert plan.boards_in_round <= entrants


@pytest.mark.parametrize(
    ("entrants", "seats", "boards"), [(7, 3, 7), (9, 3, 12), (13, 3, 26), (7, 4, 7), (13, 4, 13)]
)
def test_exact_designs_let_all_pairs_meet_alike(entrants: int, seats: int, boards: int) -> None:
    plan = balanced(entrants, seats)
    assert len(plan) == boards
    assert width(plan.certificate().meetings) == 0


@pytest.mark.parametrize(("entrants", "seats"), [(8, 4), (11, 3), (14, 4), (22, 4)])
def test_a_balanced_design_that_is_repeated_stays_even(entrants: int, seats: int) -> None:
    # Few blocks fit a circle of eight, so counts there swing a little more.
    assert width(balanced(entrants, seats, 33).certificate().meetings) <= (3 if entrants == 8 else 2)
    long = balanced(entrants, seats, 6)
    assert width(long.certificate().meetings) <= (3 if entrants == 8 else 1)
    short = balanced(entrants, seats, 2)
    assert list(short) == list(long)[: len(short)]


@pytest.mark.parametrize("entrants", [6, 7, 12])
def test_two_at_a_table_play_in_turns(entrants: int) -> None:
    plan = make_plan("round-robin", names(entrants), 4, 2, teams="same", tables="balanced")
    assert plan.certificate().meetings == (2, 2)
    for number in range(plan.rounds):
        seen = [name for board in plan.round(number) for name in set(board.seatings[0])]
        assert len(seen) == len(set(seen)) >= entrants - 1


@pytest.mark.parametrize("entrants", range(4, 41))
def test_whist_has_its_counts(entrants: int) -> None:
    plan = make_plan("whist", names(entrants), 4, 1)
    found = plan.certificate()
    assert isinstance(plan, FixedPlan)
    assert found == certificate(plan.entrants, plan, teams="whist", note=found.note)
    if entrants in {6, 7}:
        assert (found.partnerships, found.oppositions) == ((2, 2), (4, 4))
    elif entrants % 4 < 2 and entrants != 36:
        assert (found.partnerships, found.oppositions) == ((1, 1), (2, 2))
    else:
        assert width(found.partnerships) <= (1 if entrants != 36 else 2)
        assert width(found.oppositions) <= (1 if entrants != 36 else 2)
        assert "no whist design" in found.note
    assert width(found.sit_outs) == 0
    assert found.games == 2 * found.boards
    for number in range(plan.rounds):
        seated = Counter(name for board in plan.round(number) for name in board.seatings[0])
        assert set(seated.values()) == {1}
        assert len(seated) == entrants // 4 * 4


@pytest.mark.parametrize("entrants", [49, 53, 81, 125])
def test_whist_from_a_field(entrants: int) -> None:
    assert spread(entrants, whist(entrants).tables) == ((1, 1), (2, 2))


def test_both_seatings_of_a_whist_board_keep_partners_and_exchange_cards() -> None:
    for board in make_plan("whist", names(9), 4, 3).round(0):
        first, second = board.seatings
        assert {frozenset(first[::2]), frozenset(first[1::2])} == {
            frozenset(second[::2]),
            frozenset(second[1::2]),
        }
        assert set(first[::2]) == set(second[1::2])


@pytest.mark.parametrize("seats", [3, 4])
def test_two_hundred_entrants_have_a_plan_in_seconds(seats: int) -> None:
    start = time.process_time()
    found = balanced(200, seats).certificate()
    assert time.process_time() - start < 10
    assert found.meetings[0] >= 1
    assert width(found.meetings) <= 2
    assert found.sit_outs[0] == found.sit_outs[1]


@pytest.mark.parametrize(("seats", "teams"), [(3, "none"), (4, "none"), (4, "same")])
@pytest.mark.parametrize("entrants", [4, 5, 12, 30])
def test_a_gauntlets_hero_is_at_every_table_and_meets_all_alike(
    entrants: int, seats: int, teams: str
) -> None:
    plan = make_plan(
        "gauntlet", names(entrants), seats, 1, teams="same" if teams == "same" else "none", hero="bot2"
    )
    met = Counter[str]()
    for number in range(plan.rounds):
        for board in plan.round(number):
            assert all("bot2" in seating for seating in board.seatings)
            met.update(set(board.seatings[0]) - {"bot2"})
    assert len(met) == entrants - 1
    assert len(set(met.values())) == 1
    others = [frozenset(pair) for pair in combinations(met, 2)]
    assert width(plan.certificate().meetings) <= 1 or not others


def test_what_does_not_fit_together_is_refused() -> None:
    refused: dict[str, Callable[[], object]] = {
        "whist needs four seats": lambda: make_plan("whist", names(5), 3, 1),
        'needs schedule = "whist"': lambda: make_plan("swiss", names(5), 4, 1, teams="whist"),
        "there is no schedule 'cup'": lambda: make_plan(cast("Schedule", "cup"), names(5), 4, 1),
        "a gauntlet needs a hero": lambda: make_plan("gauntlet", names(5), 4, 1),
        "the hero 'zoe' is not among": lambda: make_plan("gauntlet", names(5), 4, 1, hero="zoe"),
        "only a gauntlet has a hero": lambda: make_plan("ladder", names(5), 4, 1, hero="bot1"),
        "tables are chosen by swiss itself": lambda: make_plan("swiss", names(5), 4, 1, tables="all"),
        "a table takes 4 entrants, there are 3": lambda: make_plan("whist", names(3), 4, 1),
        "up to 400 entrants, there are 401": lambda: make_plan("whist", names(401), 4, 1),
    }
    for message, make in refused.items():
        with pytest.raises(ScheduleError, match=message):
            make()
