from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings, strategies as st

from referee.boards import Board
from referee.statistics import (
    board_gaps,
    contradicted,
    cross_table,
    difference,
    estimate,
    holm,
    incomplete_beta,
    mean_per_game,
    rank_intervals,
    superiority,
    t_cdf,
    t_quantile,
)
from referee.trueskill_env import Rating

MANY = 50


def board(number: int, **points: float) -> Board:
    ordered = sorted(points.values(), reverse=True)
    places = {name: float(ordered.index(value) + 1) for name, value in points.items()}
    return Board("solo", number, points, places, tuple((name,) for name in points), 1)


def random_boards(gap: float, *names: str) -> list[Board]:
    rng = random.Random(3)
    return [
        board(number, **{name: rng.gauss(gap * place, 10) for place, name in enumerate(names)})
        for number in range(MANY)
    ]


@pytest.mark.parametrize(
    ("probability", "freedom", "value"),
    [
        (0.975, 1, 12.706205),
        (0.975, 2, 4.302653),
        (0.975, 9, 2.262157),
        (0.975, 30, 2.042272),
        (0.995, 5, 4.032143),
        (0.90, 10, 1.372184),
        (0.025, 9, -2.262157),
        (0.5, 4, 0.0),
        (0.975, 1_000_000, 1.959966),
    ],
)
def test_quantiles_of_t_are_those_of_the_tables(probability: float, freedom: int, value: float) -> None:
    assert t_quantile(probability, freedom) == pytest.approx(value, abs=1e-6)


@given(st.floats(-50, 50), st.integers(1, 3))
def test_the_distribution_of_t_has_its_closed_forms(value: float, freedom: int) -> None:
    root = math.sqrt(2 + value**2)
    angle = math.atan(value / math.sqrt(3))
    closed = {
        1: 0.5 + math.atan(value) / math.pi,
        2: 0.5 + value / (2 * root),
        3: 0.5 + (angle + value / math.sqrt(3) / (1 + value**2 / 3)) / math.pi,
    }
    assert t_cdf(value, freedom) == pytest.approx(closed[freedom], abs=1e-12)


def test_the_incomplete_beta_function_has_its_known_values() -> None:
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(0.5248, abs=1e-14)
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3, abs=1e-14)
    assert (incomplete_beta(2, 3, 0), incomplete_beta(2, 3, 1)) == (0, 1)


def test_an_interval_is_student_s_over_the_values() -> None:
    found = estimate([1, 2, 3, 4, 5])
    assert found is not None
    assert found.mean == 3
    assert found.half_width == pytest.approx(2.776445 * math.sqrt(2.5 / 5), abs=1e-6)


def test_one_board_gives_a_mean_and_no_interval_and_no_board_gives_nothing() -> None:
    boards = [board(0, ana=10, bo=4)]
    found = mean_per_game(boards, "ana", "points")
    assert found is not None
    assert (found.mean, found.half_width, found.boards) == (10, None, 1)
    met = difference(boards, "ana", "bo", "points")
    assert met is not None
    assert (met.mean, met.half_width, met.p_value, met.superiority) == (6, None, None, None)
    assert mean_per_game(boards, "cy", "points") is None
    assert difference(boards, "ana", "cy", "points") is None


def test_a_mean_is_per_game_and_in_its_own_unit() -> None:
    games = Board("solo", 0, {"ana": 40, "bo": 8}, {"ana": 4, "bo": 8}, (("ana",), ("bo",)), 4)
    points, places = mean_per_game([games], "ana", "points"), mean_per_game([games], "ana", "places")
    assert points is not None
    assert places is not None
    assert (points.mean, places.mean) == (10, 1)


def test_a_difference_is_above_zero_for_the_better_one_by_points_and_by_places() -> None:
    boards = random_boards(5, "bo", "ana")
    for scored_by in ("points", "places"):
        met = difference(boards, "ana", "bo", "points" if scored_by == "points" else "places")
        assert met is not None
        assert met.mean > 0
        assert met.superiority is not None
        assert met.superiority > 0.5


def test_a_paired_interval_leaves_out_what_both_have_from_the_cards() -> None:
    rng = random.Random(1)
    luck = [rng.gauss(0, 100) for _ in range(MANY)]
    boards = [
        board(n, ana=cards + rng.gauss(1, 1), bo=cards + rng.gauss(0, 1)) for n, cards in enumerate(luck)
    ]
    met, alone = difference(boards, "ana", "bo", "points"), mean_per_game(boards, "ana", "points")
    assert met is not None
    assert alone is not None
    assert met.half_width is not None
    assert alone.half_width is not None
    assert met.half_width < alone.half_width / 20


def test_a_cross_table_has_each_pair_that_met_both_ways_round() -> None:
    boards = [*random_boards(5, "ana", "bo"), board(99, cy=1, ana=2)]
    table = cross_table(boards, ["ana", "bo", "cy"], "points")
    assert set(table) == {("ana", "bo"), ("bo", "ana"), ("ana", "cy"), ("cy", "ana")}
    there, back = table["ana", "bo"], table["bo", "ana"]
    assert there.mean == -back.mean
    assert there.p_value == back.p_value
    assert there.superiority is not None
    assert back.superiority == 1 - there.superiority
    assert table["ana", "cy"].adjusted is None
    assert there.adjusted == there.p_value


def test_holm_s_adjustment_is_that_of_the_textbook() -> None:
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert adjusted == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_s_adjustment_keeps_the_order_and_never_lowers(p_values: list[float]) -> None:
    adjusted = holm(dict(enumerate(p_values)))
    for first, p_value in enumerate(p_values):
        assert p_value <= adjusted[first] <= 1
        for second, other in enumerate(p_values):
            assert (p_value < other) <= (adjusted[first] <= adjusted[second])


def test_in_large_fields_superiority_comes_from_the_ratings() -> None:
    ratings = {"ana": Rating(27, 0.6), "bo": Rating(26, 0.8), "cy": Rating(24, 1), "di": Rating(23, 1)}
    chances = superiority(ratings, {})
    assert chances["ana", "bo"] == pytest.approx(0.841345, abs=1e-6)
    assert chances["bo", "ana"] == pytest.approx(0.158655, abs=1e-6)


@pytest.mark.parametrize("names", [("ana", "bo"), ("ana", "bo", "cy")])
def test_in_small_fields_superiority_comes_from_the_boards(names: tuple[str, ...]) -> None:
    cross = cross_table(random_boards(8, *names), names, "points")
    chances = superiority(dict.fromkeys(names, Rating(25, 1)), cross)
    assert chances["bo", "ana"] == cross["bo", "ana"].superiority
    assert chances["bo", "ana"] is not None
    assert chances["bo", "ana"] > 0.9
    assert superiority(dict.fromkeys(names, Rating(25, 1)), {})["bo", "ana"] is None


def test_rank_intervals_are_open_where_nothing_is_decided() -> None:
    chances = {("ana", "bo"): 0.9999, ("bo", "ana"): 0.0001, ("ana", "cy"): 0.9999, ("bo", "cy"): 0.6}
    assert rank_intervals(["ana", "bo", "cy"], chances) == {"ana": (1, 1), "bo": (2, 3), "cy": (2, 3)}
    assert rank_intervals(["ana", "bo"], {("ana", "bo"): None}) == {"ana": (1, 2), "bo": (1, 2)}
    assert rank_intervals(["bo", "ana"], {("bo", "ana"): 0.0001}) == {"ana": (1, 1), "bo": (2, 2)}


def test_who_leads_in_points_and_not_in_rating_is_pointed_out() -> None:
    cross = cross_table(random_boards(20, "ana", "bo"), ["ana", "bo"], "points")
    assert contradicted(["ana", "bo"], cross) == {"ana", "bo"}
    assert contradicted(["bo", "ana"], cross) == frozenset()
    noise = cross_table(random_boards(0, "ana", "bo"), ["ana", "bo"], "points")
    assert contradicted(["ana", "bo"], noise) == contradicted(["bo", "ana"], noise) == frozenset()


@given(
    st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2, max_size=20), st.randoms()
)
def test_nothing_is_nan_and_the_order_of_boards_does_not_matter(
    points: list[tuple[int, int]], rng: random.Random
) -> None:
    boards = [board(number, ana=ana, bo=bo) for number, (ana, bo) in enumerate(points)]
    met = difference(boards, "ana", "bo", "points")
    rng.shuffle(boards)
    assert met is not None
    assert met == difference(boards, "ana", "bo", "points")
    assert math.isfinite(met.mean)
    all_equal = len({ana - bo for ana, bo in points}) == 1
    for value in (met.half_width, met.p_value, met.superiority):
        assert (value is None) == all_equal
        assert value is None or math.isfinite(value)


def rotated(number: int, games: int, points: dict[str, float], places: dict[str, float]) -> Board:
    return Board("solo", number, points, places, tuple((name,) for name in points), games)


def test_gaps_are_one_a_board_in_the_order_of_boards_and_for_each_pair_in_the_order_of_the_entrants() -> None:
    boards = [board(4, ana=10, bo=4, cy=1), board(2, ana=0, bo=7, cy=7)]
    assert board_gaps(boards, ["ana", "bo", "cy"], "points") == {
        ("ana", "bo"): [6, -7],
        ("ana", "cy"): [9, -7],
        ("bo", "cy"): [3, 0],
    }
    assert board_gaps(boards, ["cy", "ana"], "points") == {("cy", "ana"): [-9, 7]}


def test_gaps_are_per_game_and_fewer_places_are_better() -> None:
    boards = [
        rotated(0, 4, {"ana": 40, "bo": 8}, {"ana": 7, "bo": 5}),
        rotated(1, 2, {"ana": 1, "bo": 4}, {"ana": 2, "bo": 4}),
    ]
    assert board_gaps(boards, ["ana", "bo"], "points") == {("ana", "bo"): [8, -1.5]}
    assert board_gaps(boards, ["ana", "bo"], "places") == {("ana", "bo"): [-0.5, 1]}


def test_only_boards_where_both_played_have_a_gap() -> None:
    boards = [board(0, ana=3, bo=1), board(1, bo=5, cy=9), board(2, ana=2, cy=2), board(3, bo=8, cy=1)]
    assert board_gaps(boards, ["ana", "bo", "cy", "di"], "points") == {
        ("ana", "bo"): [2],
        ("bo", "cy"): [-4, 7],
        ("ana", "cy"): [0],
    }
    assert board_gaps(boards, ["ana"], "points") == board_gaps(boards, [], "points") == {}
    assert board_gaps([], ["ana", "bo"], "points") == {}


@settings(max_examples=40, deadline=None)
@given(st.permutations(["ana", "bo", "cy"]), st.lists(st.tuples(*[st.integers(-99, 99)] * 3), max_size=6))
def test_another_order_of_entrants_turns_gaps_round(
    order: list[str], points: list[tuple[int, int, int]]
) -> None:
    boards = [board(number, ana=a, bo=b, cy=c) for number, (a, b, c) in enumerate(points)]
    found, sorted_gaps = (board_gaps(boards, names, "points") for names in (order, sorted(order)))
    assert len(found) == len(sorted_gaps)
    for (one, other), gaps in found.items():
        there = sorted_gaps.get((one, other))
        assert gaps == (there if there is not None else [-gap for gap in sorted_gaps[other, one]])


@pytest.mark.parametrize(
    ("gaps", "chance"),
    [
        # t is 2, and -2, with one degree of freedom
        ((1, 3), 0.5 + math.atan(2) / math.pi),
        ((-3, -1), 0.5 - math.atan(2) / math.pi),
        # the mean and the deviation are 1: t is the root of 3, with two degrees
        ((0, 1, 2), 0.5 + math.sqrt(3) / (2 * math.sqrt(5))),
        # t is the root of 3 again, with three degrees
        ((0, 0, 2, 2), 0.5 + (math.pi / 4 + 1 / 2) / math.pi),
        ((-2, 2), 0.5),
    ],
)
@pytest.mark.parametrize("field", [("ana", "bo"), ("ana", "bo", "cy")])
def test_in_small_fields_the_chance_is_student_s_of_the_paired_differences(
    gaps: tuple[float, ...], chance: float, field: tuple[str, ...]
) -> None:
    # What both have from the cards, and how the third one does, are no matter.
    boards = [
        board(number, **dict(zip(field, (1000 * number + gap, 1000 * number, 7 * number), strict=False)))
        for number, gap in enumerate(gaps)
    ]
    chances = superiority(dict.fromkeys(field, Rating(25, 1)), cross_table(boards, field, "points"))
    assert chances["ana", "bo"] == pytest.approx(chance, abs=1e-12)
    assert chances["bo", "ana"] == pytest.approx(1 - chance, abs=1e-12)
    assert len(chances) == len(field) * (len(field) - 1)


def test_in_small_fields_the_ratings_have_no_say() -> None:
    boards = [board(0, ana=1, bo=0, cy=9), board(1, ana=3, bo=0, cy=5)]
    cross = cross_table(boards, ["ana", "bo", "cy"], "points")
    even = superiority(dict.fromkeys(("ana", "bo", "cy"), Rating(25, 1)), cross)
    ratings = {"ana": Rating(10, 0.1), "bo": Rating(40, 0.1), "cy": Rating(25, 3)}
    assert superiority(ratings, cross) == even


def test_in_a_field_of_three_a_chance_comes_from_common_boards_alone() -> None:
    boards = [
        board(0, ana=1, bo=0),
        board(1, ana=3, bo=0),
        board(2, ana=0, cy=50),
        board(3, ana=0, cy=70),
        board(4, bo=5, cy=4),
    ]
    field = ["ana", "bo", "cy"]
    chances = superiority(dict.fromkeys(field, Rating(25, 1)), cross_table(boards, field, "points"))
    assert chances["ana", "bo"] == pytest.approx(0.5 + math.atan(2) / math.pi, abs=1e-12)
    # The mean is -60, its error 10.
    assert chances["ana", "cy"] == pytest.approx(0.5 - math.atan(6) / math.pi, abs=1e-12)
    assert chances["bo", "cy"] is chances["cy", "bo"] is None


def test_in_small_fields_the_chance_by_places_is_of_places() -> None:
    boards = [
        rotated(0, 2, {"ana": 0, "bo": 9}, {"ana": 2, "bo": 4}),
        rotated(1, 2, {"ana": 0, "bo": 9}, {"ana": 3, "bo": 3}),
    ]
    field = ["ana", "bo"]
    # Gaps of 1 and 0: the mean is a half and so is its error.
    chances = superiority(dict.fromkeys(field, Rating(25, 1)), cross_table(boards, field, "places"))
    assert chances["ana", "bo"] == pytest.approx(0.75, abs=1e-12)


def test_from_four_entrants_on_the_boards_have_no_say() -> None:
    names = ["ana", "bo", "cy", "di"]
    cross = cross_table(random_boards(50, *names), names, "points")
    chances = superiority(dict.fromkeys(names, Rating(25, 1)), cross)
    assert set(chances.values()) == {0.5}
