from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from referee.boards import Board
from referee.course import Course, Stage, stages
from referee.schedule import BoardPlan, Plan, Schedule, Teams, make_plan
from referee.sequential import StopRule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

FOUR = ("ana", "bo", "cy", "di")
NULL = dict.fromkeys(FOUR, 0.0)
CLEAR = {"ana": 300.0, "bo": 200.0, "cy": 100.0, "di": 0.0}
SEPARATED = StopRule("separated")


class Played:
    """Boards that nobody plays: points are an entrant's strength and noise that follows from the board's number.

    Args:
        strengths: Of all entrants.
        leave: By entrant the number of the first board that does not count if it sits there.
    """

    def __init__(self, strengths: Mapping[str, float], leave: Mapping[str, int] | None = None) -> None:
        self.strengths = strengths
        self.leave = leave or {}
        self.boards: list[Board] = []
        self.looks: list[int] = []

    def before(self, number: int) -> tuple[Sequence[Board], Collection[str]]:
        self.looks.append(number)
        absent = {name for name, first in self.leave.items() if first <= number}
        past = [
            board
            for board in self.boards
            if board.number < number
            and not any(board.number >= self.leave[name] for name in absent & board.points.keys())
        ]
        return past, absent

    def play(self, boards: Iterable[BoardPlan]) -> None:
        for plan in boards:
            noise = random.Random(plan.number)
            there = sorted(set(plan.seatings[0]))
            points = {name: self.strengths[name] + noise.gauss(0, 1) for name in there}
            places = {name: 1.0 + sum(points[name] < other for other in points.values()) for name in there}
            groups = tuple((name,) for name in there)
            self.boards.append(Board("cup", plan.number, points, places, groups, 1))

    def stages(self, plan: Plan, rule: StopRule | None) -> list[Stage]:
        """Play all stages."""
        found = []
        for stage in stages(plan, rule, "points", self.before):
            found.append(stage)
            self.play(stage.boards)
        return found


def table_of_four(boards: int) -> Plan:
    return make_plan("round-robin", FOUR, 4, boards)


def sizes(found: Iterable[Stage]) -> list[int]:
    return [len(stage.boards) for stage in found]


def numbers(found: Iterable[Stage]) -> list[int]:
    return [board.number for stage in found for board in stage.boards]


def reason(stage: Stage) -> str:
    assert stage.state is not None
    return stage.state.reason


def test_without_a_rule_a_fixed_plan_has_a_round_a_stage_and_nobody_looks_at_results() -> None:
    plan = make_plan("round-robin", ("ana", "bo", "cy", "di", "ed"), 4, 3)
    played = Played({})
    found = list(stages(plan, None, "points", played.before))
    assert [stage.boards for stage in found] == [plan.round(number) for number in range(3)]
    assert all(stage.state is None for stage in found)
    assert played.looks == []


@pytest.mark.parametrize("schedule", ["swiss", "ladder"])
def test_without_a_rule_an_adaptive_plan_looks_at_results_before_each_round(schedule: Schedule) -> None:
    strengths = {f"bot{number}": 10.0 * number for number in range(8)}
    plan = make_plan(schedule, tuple(strengths), 4, 5)
    played = Played(strengths)
    found = played.stages(plan, None)
    assert sizes(found) == [2] * 5
    assert played.looks == [0, 2, 4, 6, 8]
    past: list[Board] = []
    for number, stage in enumerate(found):
        assert stage.boards == plan.round(number, past)
        past = [board for board in played.boards if board.number < 2 * (number + 1)]


def test_with_a_rule_the_first_stage_has_ten_boards_and_later_ones_four_or_a_tenth() -> None:
    found = Played(NULL).stages(table_of_four(75), StopRule("separated", 1e-6))
    assert sizes(found) == [10, *[4] * 10, 5, 5, 6, 6, 3, 0]
    assert numbers(found) == list(range(75))


def test_a_stage_is_made_of_whole_rounds() -> None:
    names = ("ana", "bo", "cy", "di", "ed")
    found = Played(dict.fromkeys(names, 0.0)).stages(make_plan("round-robin", names, 4, 4), SEPARATED)
    # Five tables a round: two rounds for ten boards, then one for four.
    assert sizes(found) == [10, 5, 5, 0]


def test_with_a_rule_an_adaptive_plan_still_has_a_round_a_stage() -> None:
    strengths = dict.fromkeys((f"bot{number}" for number in range(8)), 0.0)
    found = Played(strengths).stages(make_plan("swiss", tuple(strengths), 4, 6), SEPARATED)
    assert sizes(found) == [*[2] * 6, 0]


def test_a_look_is_at_all_boards_before_the_stage() -> None:
    played = Played(NULL)
    found = played.stages(table_of_four(20), SEPARATED)
    assert sizes(found) == [10, 4, 4, 2, 0]
    assert played.looks == [0, 10, 14, 18, 20]


def test_what_is_decided_ends_with_a_stage_without_boards_that_says_why() -> None:
    found = Played(CLEAR).stages(table_of_four(1000), SEPARATED)
    assert sizes(found) == [10, 0]
    assert reason(found[0]) == ""
    assert reason(found[1]) == "every pair is told apart, after 10 boards"


def test_what_is_decided_by_the_last_boards_of_a_plan_is_said() -> None:
    found = Played(CLEAR).stages(table_of_four(10), SEPARATED)
    assert sizes(found) == [10, 0]
    assert reason(found[1]) == "every pair is told apart, after 10 boards"


def test_the_end_of_a_plan_leaves_open_what_is_open() -> None:
    last = Played(NULL).stages(table_of_four(12), SEPARATED)[-1]
    assert last.boards == ()
    assert last.state is not None
    assert last.state.reason == (
        "no more boards after 12 boards; open: ana and bo, ana and cy, ana and di and 3 more pairs"
    )
    assert len(last.state.open_pairs) == 6


@pytest.mark.parametrize(
    ("most", "expected"), [(1, [1, 0]), (9, [9, 0]), (10, [10, 0]), (11, [10, 1, 0]), (17, [10, 4, 3, 0])]
)
def test_no_more_boards_are_planned_than_the_greatest_number(most: int, expected: list[int]) -> None:
    found = Played(NULL).stages(table_of_four(1000), StopRule("separated", max_boards=most))
    assert sizes(found) == expected
    unit = "board" if most == 1 else "boards"
    assert reason(found[-1]) == (
        f"stopped at {most} {unit}; open: ana and bo, ana and cy, ana and di and 3 more pairs"
    )


def test_the_greatest_number_may_cut_a_round() -> None:
    names = ("ana", "bo", "cy", "di", "ed")
    rule = StopRule("separated", max_boards=12)
    found = Played(dict.fromkeys(names, 0.0)).stages(make_plan("round-robin", names, 4, 9), rule)
    assert sizes(found) == [10, 2, 0]
    assert numbers(found) == list(range(12))


def test_only_boards_at_which_an_open_pair_meets_are_planned() -> None:
    strengths = {"ana": 100.0, "bo": 0.0, "cy": 0.0}
    plan = make_plan("round-robin", tuple(strengths), 4, 30, teams="same")
    found = Played(strengths).stages(plan, StopRule("separated", 1e-6))
    # Three pairs a round; below ten boards each all are open.
    assert sizes(found)[:5] == [12, 6, 6, 6, 4]
    for stage in found:
        assert stage.state is not None
        for board in stage.boards:
            assert tuple(sorted(set(board.seatings[0]))) in stage.state.open_pairs
    later = [board for stage in found[4:] for board in stage.boards]
    assert {frozenset(board.seatings[0]) for board in later} == {frozenset({"bo", "cy"})}
    assert [board.round for board in later] == list(range(10, 30))


def test_who_has_left_is_neither_seated_nor_judged() -> None:
    names = ("ana", "bo", "cy", "di", "ed")
    played = Played(dict.fromkeys(names, 0.0), leave={"bo": 10})
    found = played.stages(make_plan("round-robin", names, 4, 12), SEPARATED)
    assert any("bo" in board.seatings[0] for board in found[0].boards)
    for stage in found[1:]:
        assert stage.state is not None
        assert all("bo" not in board.seatings[0] for board in stage.boards)
        assert all("bo" not in pair for pair in stage.state.open_pairs)
    # One of five tables is without bo.
    assert sizes(found) == [10, 4, 4, 2, 0]


@pytest.mark.parametrize("schedule", ["swiss", "ladder"])
def test_an_adaptive_plan_seats_nobody_that_has_left(schedule: Schedule) -> None:
    strengths = {f"bot{number}": float(number) for number in range(9)}
    played = Played(strengths, leave={"bot3": 4, "bot7": 6})
    found = played.stages(make_plan(schedule, tuple(strengths), 4, 5), None)
    assert sizes(found) == [2, 2, 2, 1, 1]
    for stage in found:
        for board in stage.boards:
            assert "bot3" not in board.seatings[0] or board.number < 4
            assert "bot7" not in board.seatings[0] or board.number < 6


@pytest.mark.parametrize("rule", [SEPARATED, StopRule("top-1", max_boards=50)])
def test_nothing_is_played_any_more_when_one_is_left_alone(rule: StopRule) -> None:
    played = Played(NULL, leave=dict.fromkeys(FOUR[1:], 10))
    found = played.stages(table_of_four(1000), rule)
    assert sizes(found) == [10, 0]
    assert found[-1].state is not None
    assert found[-1].state.done


def test_too_few_for_a_table_play_nothing_and_stay_open() -> None:
    played = Played(NULL, leave={"di": 10})
    found = played.stages(table_of_four(40), SEPARATED)
    assert sizes(found)[0] == 10
    assert sizes(found)[1:] == [0, 0]
    assert found[-1].state is not None
    assert found[-1].state.reason == "no more boards after 10 boards; open: ana and bo, ana and cy, bo and cy"


@pytest.mark.parametrize("schedule", ["swiss", "ladder"])
def test_an_adaptive_plan_ends_when_too_few_are_left_for_a_table(schedule: Schedule) -> None:
    played = Played(NULL, leave={"di": 3})
    found = played.stages(make_plan(schedule, tuple(NULL), 4, 1000), None)
    assert sizes(found) == [1] * 3
    assert len(played.looks) == 4


def test_boards_that_do_not_count_are_no_reason_to_go_on_for_ever() -> None:
    """Who leaves takes the boards away that were played with it; the greatest number counts them all the same."""
    played = Played(dict.fromkeys(("ana", "bo", "cy", "di", "ed"), 0.0), leave={"ed": 5})
    plan = make_plan("round-robin", ("ana", "bo", "cy", "di", "ed"), 4, 5000)
    found = played.stages(plan, StopRule("separated", max_boards=20))
    assert sum(sizes(found)) == 20
    assert sizes(found)[-1] == 0
    assert len(found) < 10
    assert found[-1].state is not None
    assert found[-1].state.done


@pytest.mark.parametrize(
    ("schedule", "teams"),
    [("round-robin", "none"), ("round-robin", "same"), ("swiss", "none"), ("ladder", "none")],
)
@pytest.mark.parametrize("stop", [3, 10, 17])
def test_a_run_that_goes_on_plays_the_boards_that_one_run_would_have_played(
    schedule: Schedule, teams: Teams, stop: int
) -> None:
    strengths = {"ana": 4.0, "bo": 0.0, "cy": 2.0, "di": 0.3, "ed": 90.0}
    plan = make_plan(schedule, tuple(strengths), 4, 15, teams=teams)
    rule = StopRule("top-1" if schedule == "swiss" else "separated", max_boards=40)
    whole = Played(strengths)
    expected = numbers(whole.stages(plan, rule))

    halves = Played(strengths)
    first = _run(_course(plan, rule, halves), halves, most=stop)
    finished = {board.number for board in halves.boards}
    again = _course(plan, rule, halves, finished)
    second = _run(again, halves)
    assert first + second == expected
    assert sorted(halves.boards, key=lambda board: board.number) == whole.boards


def test_a_course_without_stages_gives_all_boards_at_once() -> None:
    plan = table_of_four(12)
    course = Course(plan, stages(plan, None, "points", Played({}).before), is_staged=False, finished={0, 3})
    assert course.left == 10
    taken = [course.take() for _ in range(10)]
    assert [board.number for board in taken if board is not None] == [1, 2, *range(4, 12)]
    assert (course.take(), course.left, course.waits, course.state) == (None, 0, False, None)


def test_a_course_without_stages_gives_back_what_was_not_played() -> None:
    plan = table_of_four(3)
    course = Course(plan, stages(plan, None, "points", Played({}).before), is_staged=False, finished=())
    boards = [course.take() for _ in range(3)]
    assert course.left == 0
    course.give_back(1)
    course.finished(0)
    assert course.left == 1
    assert course.take() == boards[1]
    assert course.take() is None


def test_a_course_waits_until_its_stage_is_played() -> None:
    played = Played(NULL)
    course = _course(table_of_four(16), SEPARATED, played)
    assert (course.waits, course.left) == (False, 10)
    first = [board for _ in range(10) if (board := course.take()) is not None]
    assert len(first) == 10
    assert (course.waits, course.left, course.take()) == (True, 0, None)
    for board in first[:-1]:
        played.play([board])
        course.finished(board.number)
    assert (course.waits, course.left, course.take()) == (True, 0, None)
    assert played.looks == [0]
    played.play(first[-1:])
    course.finished(first[-1].number)
    assert (course.waits, course.left) == (False, 4)
    assert played.looks == [0, 10]


def test_a_course_gives_a_board_of_its_stage_again_before_the_next_stage() -> None:
    played = Played(NULL)
    course = _course(table_of_four(16), SEPARATED, played)
    first = [board for _ in range(10) if (board := course.take()) is not None]
    for board in first[1:]:
        course.finished(board.number)
    course.give_back(0)
    assert (course.waits, course.left) == (False, 1)
    assert course.take() == first[0]
    assert course.take() is None
    course.finished(0)
    assert course.left == 4


def test_a_board_that_will_never_be_played_holds_nothing_up() -> None:
    played = Played(NULL)
    course = _course(table_of_four(14), SEPARATED, played)
    for _ in range(10):
        board = course.take()
        assert board is not None
        course.finished(board.number)
    assert course.left == 4


def test_a_course_says_what_its_rule_said_last() -> None:
    played = Played(CLEAR)
    course = _course(table_of_four(1000), SEPARATED, played)
    assert course.state is None
    _run(course, played)
    assert (course.left, course.waits) == (0, False)
    assert course.state is not None
    assert course.state.reason == "every pair is told apart, after 10 boards"


def test_a_course_of_which_all_is_played_has_nothing_left() -> None:
    played = Played(CLEAR)
    plan = table_of_four(1000)
    _run(_course(plan, SEPARATED, played), played)
    again = _course(plan, SEPARATED, played, {board.number for board in played.boards})
    assert (again.left, again.take(), again.waits) == (0, None, False)
    assert again.state is not None
    assert again.state.done


def _course(plan: Plan, rule: StopRule | None, played: Played, finished: Collection[int] = ()) -> Course:
    return Course(plan, stages(plan, rule, "points", played.before), is_staged=True, finished=finished)


def _run(course: Course, played: Played, most: int = 10_000) -> list[int]:
    """Play one board after another; return their numbers."""
    taken: list[int] = []
    while len(taken) < most and (board := course.take()) is not None:
        played.play([board])
        course.finished(board.number)
        taken.append(board.number)
    return taken
