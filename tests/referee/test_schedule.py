from __future__ import annotations

import time
from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given, settings, strategies as st

from referee.schedule import Rotations, ScheduleError, Teams, certificate, make_plan
from referee.schedule.fixed import FixedPlan
from referee.schedule.groups import TableGroups


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number}" for number in range(count))


def all_tables(
    entrants: tuple[str, ...],
    seats: int,
    boards: int,
    teams: Teams = "none",
    rotations: Rotations = "cyclic",
) -> FixedPlan:
    plan = make_plan("round-robin", entrants, seats, boards, teams=teams, rotations=rotations, tables="all")
    assert isinstance(plan, FixedPlan)
    return plan


PLANS = st.builds(
    lambda table, more, boards, teams, rotations: all_tables(
        names((2 if teams == "same" else table) + more),
        4 if teams == "same" else table,
        boards,
        teams,
        rotations,
    ),
    st.integers(3, 4),
    st.integers(0, 5),
    st.integers(1, 7),
    st.sampled_from(["none", "same"]),
    st.sampled_from(["none", "cyclic"]),
)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("entrants", range(4, 13))
def test_the_table_groups_are_all_choices_once(entrants: int, size: int) -> None:
    groups = TableGroups(entrants, size)
    found = {frozenset(groups[number]) for number in range(len(groups))}
    assert found == {frozenset(choice) for choice in combinations(range(entrants), size)}
    assert len(groups) == comb(entrants, size)


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_the_certificate_of_a_plan_is_what_counting_gives(plan: FixedPlan) -> None:
    counted = certificate(plan.entrants, plan)
    assert plan.certificate() == counted
    assert counted.meetings[0] == counted.meetings[1]
    assert counted.sit_outs[0] == counted.sit_outs[1]
    assert counted.games == plan.games == len(plan) * plan.seatings


@settings(max_examples=40, deadline=None)
@given(PLANS, st.integers(1, 400))
def test_a_plan_that_is_cut_anywhere_is_nearly_balanced(plan: FixedPlan, boards: int) -> None:
    played = Counter(dict.fromkeys(plan.entrants, 0))
    for board in islice(plan, boards):
        played.update(set(board.seatings[0]))
    assert max(played.values()) - min(played.values()) <= plan.table


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_with_rotations_everyone_of_a_board_sits_everywhere_once(plan: FixedPlan) -> None:
    for board in islice(plan, 50):
        assert len(board.seatings) == plan.seatings
        if plan.rotations == "cyclic":
            for seat in range(plan.seats):
                at_seat = {seating[seat] for seating in board.seatings}
                assert at_seat == set(board.seatings[0])
                assert len(at_seat) == plan.table


@pytest.mark.parametrize(("seats", "orders"), [(3, 2), (4, 6)])
def test_the_circular_order_goes_through_all_orders(seats: int, orders: int) -> None:
    plan = all_tables(names(seats), seats, orders)
    circles = set()
    for board in plan:
        seating = board.seatings[0]
        start = seating.index("bot0")
        circles.add(seating[start:] + seating[:start])
    assert len(circles) == orders


def test_the_seatings_of_a_board_keep_one_circular_order() -> None:
    for board in all_tables(names(5), 4, 6):
        circles = set()
        for seating in board.seatings:
            start = seating.index(min(seating))
            circles.add(seating[start:] + seating[:start])
        assert len(circles) == 1


def test_without_rotations_seats_are_even_over_all_boards() -> None:
    assert all_tables(names(4), 4, 24, rotations="none").certificate().seats == (6, 6)
    least, most = all_tables(names(5), 4, 3, rotations="none").certificate().seats
    assert most - least <= 1


def test_a_team_of_one_holds_both_seats_of_a_side_and_plays_the_other_side_too() -> None:
    board = all_tables(("ana", "bo"), 4, 1, teams="same").board(0)
    assert sorted(board.seatings) == [("ana", "bo", "ana", "bo"), ("bo", "ana", "bo", "ana")]


@pytest.mark.parametrize("entrants", [4, 6, 8, 10])
def test_in_each_turn_of_a_pairs_plan_everyone_plays_once(entrants: int) -> None:
    groups = TableGroups(entrants, 2)
    for turn in range(entrants - 1):
        tables = [groups[turn * entrants // 2 + table] for table in range(entrants // 2)]
        assert sorted(place for pair in tables for place in pair) == list(range(entrants))


def test_more_boards_change_none_that_were_planned() -> None:
    short, long = all_tables(names(6), 4, 2), all_tables(names(6), 4, 5)
    assert list(short) == list(islice(long, len(short)))


def test_a_board_is_found_by_its_number_and_by_its_round() -> None:
    plan = all_tables(names(7), 3, 4)
    assert [plan.board(number) for number in range(len(plan))] == list(plan)
    assert [board for number in range(4) for board in plan.round(number)] == list(plan)
    for group in range(plan.boards_in_round):
        boards = [board for board in plan if board.group == group]
        assert len({frozenset(board.seatings[0]) for board in boards}) == 1
        assert [board.round for board in boards] == list(range(4))
    with pytest.raises(IndexError):
        plan.board(len(plan))
    with pytest.raises(IndexError):
        plan.board(-1)


def test_a_plan_of_a_million_games_starts_at_once() -> None:
    start = time.perf_counter()
    plan = all_tables(names(10), 4, 1200)
    assert plan.games > 1_000_000
    assert plan.board(len(plan) - 1).round == 1199
    assert plan.certificate().meetings == (33_600, 33_600)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    ("entrants", "seats", "boards", "teams", "message"),
    [
        (("a", "b", "c"), 4, 1, "none", "a table takes 4 entrants, there are 3"),
        (("a",), 4, 1, "same", "a table takes 2 entrants"),
        (("a", "b", "b", "c"), 4, 1, "none", "'b' stands twice"),
        (("a", "b", "c"), 3, 0, "none", "at least one board"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    entrants: tuple[str, ...], seats: int, boards: int, teams: Teams, message: str
) -> None:
    with pytest.raises(ScheduleError, match=message):
        all_tables(entrants, seats, boards, teams)


def test_a_certificate_counts_who_has_not_played_too() -> None:
    rotations: Rotations = "cyclic"
    plan = all_tables(names(5), 4, 1, rotations=rotations)
    counted = certificate(plan.entrants, islice(plan, 1))
    assert (counted.boards, counted.games) == (1, 4)
    assert counted.meetings == (0, 1)
    assert counted.seats == (0, 1)
    assert counted.sit_outs == (0, 1)


@pytest.mark.parametrize(("entrants", "orders"), [(2, 6), (4, 6)])
def test_two_share_three_seats_and_each_is_alone_in_every_seat(entrants: int, orders: int) -> None:
    plan = all_tables(names(entrants), 3, 1, "same")
    assert plan.seatings == orders
    for board in plan:
        alone = sorted(
            (name, seating.index(name))
            for seating in board.seatings
            for name in seating
            if seating.count(name) == 1
        )
        assert alone == [(name, seat) for name in sorted(set(board.seatings[0])) for seat in range(3)]
    single = all_tables(names(2), 3, 6, "same", "none")
    assert len({board.seatings for board in single}) == 6


def test_counts_follow_hand_counted_boards() -> None:
    plan = all_tables(names(3), 3, 1)
    found = plan.certificate()
    assert (found.games, found.boards, found.meetings, found.oppositions) == (3, 1, (1, 1), (1, 1))
    # One circular order: each follows one of the others in all games, and the third in none.
    assert (found.seats, found.follows, found.partnerships) == ((1, 1), (0, 3), (0, 0))
    assert all_tables(names(3), 3, 2).certificate().follows == (3, 3)


def test_too_many_tables_are_refused() -> None:
    with pytest.raises(ScheduleError, match="64,684,950 tables of 4"):
        all_tables(names(200), 4, 1)
