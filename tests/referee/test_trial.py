from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from referee.boards import Board
from referee.sequential import StopRule, confidence_sequence
from referee.statistics import Estimate, difference
from referee.trial import trial

RULE = StopRule("separated")


def board(number: int, new: float, old: float) -> Board:
    places = {"new": 1.0 + (new < old), "old": 1.0 + (old < new)}
    return Board("solo", number, {"new": new, "old": old}, places, (("new",), ("old",)), 1)


def boards_with(gap: float, count: int = 20) -> list[Board]:
    rng = random.Random(8)
    return [board(number, gap + rng.gauss(0, 1), rng.gauss(0, 1)) for number in range(count)]


@pytest.mark.parametrize(("gap", "verdict"), [(10, "better"), (-10, "worse"), (0, "undecided")])
def test_the_verdict_is_of_the_new_one(gap: float, verdict: str) -> None:
    found = trial(boards_with(gap), "new", "old", "points", RULE)
    assert found.verdict == verdict
    assert found.boards == 20


def test_the_gain_is_a_confidence_sequence_and_the_chance_is_that_of_the_boards_alone() -> None:
    boards = boards_with(1)
    found = trial(boards, "new", "old", "points", StopRule("separated", alpha=0.2))
    gaps = [one.points["new"] - one.points["old"] for one in boards]
    met = difference(boards, "new", "old", "points")
    assert found.gain == confidence_sequence(gaps, 0.2)
    assert met is not None
    assert found.superiority == met.superiority


def test_below_ten_boards_there_is_no_gain_and_no_verdict_but_a_chance() -> None:
    found = trial(boards_with(1000, 9), "new", "old", "points", RULE)
    assert (found.verdict, found.gain, found.boards) == ("undecided", None, 9)
    assert found.superiority is not None
    assert found.superiority > 0.99
    assert trial(boards_with(1000, 10), "new", "old", "points", RULE).verdict == "better"


def test_one_board_and_none_say_nothing() -> None:
    for count in (0, 1):
        found = trial(boards_with(5, count), "new", "old", "points", RULE)
        assert (found.verdict, found.gain, found.superiority, found.boards) == (
            "undecided",
            None,
            None,
            count,
        )


def test_those_that_are_closer_than_the_margin_are_equal() -> None:
    boards = boards_with(0)
    gain = trial(boards, "new", "old", "points", RULE).gain
    assert gain is not None
    assert gain.half_width is not None
    margin = abs(gain.mean) + gain.half_width
    assert trial(boards, "new", "old", "points", StopRule("separated", points=margin)).verdict == "equal"
    less = StopRule("separated", points=margin * 0.999)
    assert trial(boards, "new", "old", "points", less).verdict == "undecided"


def test_a_difference_that_is_certain_and_smaller_than_the_margin_is_called_equal() -> None:
    boards = boards_with(10)
    assert trial(boards, "new", "old", "points", StopRule("separated", points=5)).verdict == "better"
    assert trial(boards, "new", "old", "points", StopRule("separated", points=50)).verdict == "equal"


@pytest.mark.parametrize("gap", [0, 3])
def test_boards_that_all_say_the_same_decide_nothing(gap: float) -> None:
    boards = [board(number, number + gap, number) for number in range(30)]
    found = trial(boards, "new", "old", "points", StopRule("separated", points=100))
    assert (found.verdict, found.gain) == ("undecided", Estimate(gap, None, 30))


def test_by_places_fewer_are_better_whatever_the_points() -> None:
    boards = [
        Board(
            "solo",
            number,
            {"new": 0.0, "old": 90.0},
            {"new": 2.0 + (number % 7 == 0), "old": 4.0 - (number % 7 == 0)},
            (("new",), ("old",)),
            2,
        )
        for number in range(28)
    ]
    found = trial(boards, "new", "old", "places", RULE)
    assert found.verdict == "better"
    assert found.gain is not None
    assert found.gain.mean == pytest.approx(1 - 1 / 7)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=25),
    st.randoms(),
)
def test_it_is_the_same_in_any_order_and_the_other_way_round_with_the_names_exchanged(
    points: list[tuple[int, int]], rng: random.Random
) -> None:
    boards = [board(number, new, old) for number, (new, old) in enumerate(points)]
    rule = StopRule("separated", points=8)
    found = trial(boards, "new", "old", "points", rule)
    rng.shuffle(boards)
    assert trial(boards, "new", "old", "points", rule) == found
    back = trial(boards, "old", "new", "points", rule)
    opposite = {"better": "worse", "worse": "better"}
    assert back.verdict == opposite.get(found.verdict, found.verdict)
    assert (found.gain is None) == (back.gain is None)
    if found.gain is not None and back.gain is not None:
        assert back.gain == Estimate(-found.gain.mean, found.gain.half_width, found.gain.boards)
    if found.superiority is None:
        assert back.superiority is None
    else:
        assert back.superiority == pytest.approx(1 - found.superiority, abs=1e-12)
