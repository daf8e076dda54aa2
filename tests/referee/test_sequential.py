from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from referee.boards import Board
from referee.schedule import BoardPlan
from referee.sequential import (
    LEAST_BOARDS,
    StopRule,
    StopRuleError,
    StopState,
    When,
    are_equal,
    confidence_sequence,
    judge,
    sequence_half_width,
    sprt,
    worth_playing,
)
from referee.statistics import Estimate, board_gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

WHENS: tuple[When, ...] = ("separated", "top-1", "top-3", "precision")


def board(number: int, **points: float) -> Board:
    ordered = sorted(points.values(), reverse=True)
    places = {name: float(ordered.index(value) + 1) for name, value in points.items()}
    return Board("solo", number, points, places, tuple((name,) for name in points), 1)


def played(boards: int, first: int = 0, /, **strengths: float) -> list[Board]:
    """Boards from number `first` on, with points that are an entrant's strength and noise of deviation 1."""
    rng = random.Random(f"{sorted(strengths)} {first}")
    return [
        board(number, **{name: strength + rng.gauss(0, 1) for name, strength in strengths.items()})
        for number in range(first, first + boards)
    ]


def noise_of(boards: int) -> list[float]:
    rng = random.Random(5)
    return [rng.gauss(0, 1) for _ in range(boards)]


def normal_deviate(boards: int, alpha: float, best_at: int) -> float:
    """By how many standard errors the sequence of the paper reaches to each side."""
    rho_squared = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / best_at
    inside = 2 * (boards * rho_squared + 1) / (boards**2 * rho_squared)
    half = math.sqrt(inside * math.log(math.sqrt(boards * rho_squared + 1) / alpha))
    return half * math.sqrt(boards)


def student_tail(value: float, freedom: int) -> float:
    """The chance of more than a value, by the finite sum that an odd freedom has."""
    angle = math.atan(value / math.sqrt(freedom))
    term, total = math.cos(angle), 0.0
    for even in range(2, freedom + 1, 2):
        total += term
        term *= even / (even + 1) * math.cos(angle) ** 2
    return 0.5 - (angle + math.sin(angle) * total) / math.pi


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.005])
@pytest.mark.parametrize("boards", [4, 10, 24, 50, 120])
def test_the_half_width_is_the_t_deviate_as_rare_as_the_normal_one_of_the_paper(
    boards: int, alpha: float
) -> None:
    half = sequence_half_width(3.0, boards, alpha)
    reached = half * math.sqrt(boards) / 3.0
    rare = math.erfc(normal_deviate(boards, alpha, 50) / math.sqrt(2)) / 2
    assert student_tail(reached, boards - 1) == pytest.approx(rare, rel=1e-6)


@pytest.mark.parametrize("alpha", [0.05, 0.005])
def test_with_many_boards_the_half_width_is_the_formula_of_the_paper(alpha: float) -> None:
    for boards, within in ((2_000, 5e-3), (200_000, 1e-4)):
        paper = 2.5 * normal_deviate(boards, alpha, 50) / math.sqrt(boards)
        assert sequence_half_width(2.5, boards, alpha) == pytest.approx(paper, rel=within)
        assert sequence_half_width(2.5, boards, alpha) > paper


def test_the_half_width_grows_with_the_deviation_and_with_certainty_and_shrinks_with_boards() -> None:
    assert sequence_half_width(6, 20, 0.05) == pytest.approx(2 * sequence_half_width(3, 20, 0.05))
    assert sequence_half_width(3, 20, 0.01) > sequence_half_width(3, 20, 0.05)
    widths = [sequence_half_width(3, boards, 0.05) for boards in range(2, 60)]
    assert widths == sorted(widths, reverse=True)


def test_a_sequence_is_narrowest_near_the_number_of_boards_that_it_is_made_for() -> None:
    tried = {best_at: sequence_half_width(1, 400, 0.05, best_at) for best_at in (10, 100, 400, 1600, 16000)}
    assert min(tried, key=tried.__getitem__) == 400


def test_nothing_is_known_below_ten_boards() -> None:
    gaps = noise_of(LEAST_BOARDS)
    assert LEAST_BOARDS == 10
    assert confidence_sequence([], 0.05) is None
    assert confidence_sequence(gaps[:9], 0.05) is None
    assert confidence_sequence(gaps, 0.05) is not None


def test_a_sequence_has_the_mean_and_the_deviation_of_its_gaps() -> None:
    gaps = [3.0, -1.0] * 6
    found = confidence_sequence(gaps, 0.05, best_at=80)
    assert found == Estimate(1.0, sequence_half_width(math.sqrt(48 / 11), 12, 0.05, 80), 12)


@pytest.mark.parametrize("gap", [0.0, 4.0, -0.5, 1e9])
def test_equal_gaps_have_a_mean_and_no_half_width(gap: float) -> None:
    assert confidence_sequence([gap] * 30, 0.05) == Estimate(gap, None, 30)


@pytest.mark.parametrize("scale", [1e-3, 1e9, 1e150])
def test_the_unit_of_points_does_not_matter(scale: float) -> None:
    one, scaled = (confidence_sequence([gap * unit for gap in noise_of(15)], 0.05) for unit in (1, scale))
    assert one is not None
    assert one.half_width is not None
    assert scaled is not None
    assert scaled.mean == pytest.approx(one.mean * scale)
    assert scaled.half_width == pytest.approx(one.half_width * scale)


def test_equals_are_told_apart_in_few_null_tournaments_however_often_one_looks() -> None:
    rng = random.Random(2024)
    reach = {boards: sequence_half_width(1, boards, 0.05) for boards in range(LEAST_BOARDS, 201)}
    tournaments, alarms = 400, 0
    for _ in range(tournaments):
        total = squares = 0.0
        for boards in range(1, 201):
            gap = rng.gauss(0, 1)
            total += gap
            squares += gap * gap
            if boards < LEAST_BOARDS:
                continue
            mean = total / boards
            deviation = math.sqrt((squares - boards * mean * mean) / (boards - 1))
            if abs(mean) > reach[boards] * deviation:
                alarms += 1
                break
    assert alarms / tournaments <= 0.08


def test_a_small_difference_is_found_when_there_are_boards_enough() -> None:
    gaps = [0.5 + gap for gap in noise_of(200)]
    found = [confidence_sequence(gaps[:boards], 0.05) for boards in range(LEAST_BOARDS, 201)]
    apart = [one.half_width is not None and one.mean > one.half_width for one in found if one is not None]
    assert not apart[0]
    assert apart[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"when": "separated", "alpha": 0.0}, "alpha is from 1e-06 to 0.5, not 0"),
        ({"when": "separated", "alpha": 0.51}, "alpha is from 1e-06 to 0.5, not 0.51"),
        ({"when": "separated", "alpha": -0.05}, "alpha is from 1e-06 to 0.5, not -0.05"),
        ({"when": "separated", "alpha": math.nan}, "alpha is from 1e-06 to 0.5, not nan"),
        ({"when": "top-1", "max_boards": 0}, "max_boards is at least 1, not 0"),
        ({"when": "top-3", "max_boards": -7}, "max_boards is at least 1, not -7"),
        ({"when": "separated", "alpha": 1e-7}, "alpha is from 1e-06 to 0.5, not 1e-07"),
        ({"when": "top-2"}, "when is one of separated, top-1, top-3, precision, not top-2"),
        ({"when": "precision"}, 'points is missing; "precision" needs the half width to reach'),
        ({"when": "precision", "points": 0}, "points is a number above 0, not 0"),
        ({"when": "top-1", "points": -2.5}, "points is a number above 0, not -2.5"),
        ({"when": "top-1", "points": math.nan}, "points is a number above 0, not nan"),
        ({"when": "top-1", "points": math.inf}, "points is a number above 0, not inf"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(StopRuleError) as refused:
        StopRule(**arguments)
    assert str(refused.value) == message


def test_a_rule_may_be_as_lax_and_as_short_as_its_bounds_say() -> None:
    rule = StopRule("precision", 0.5, 1, 0.001)
    assert (rule.alpha, rule.max_boards, rule.points) == (0.5, 1, 0.001)


def test_separated_is_done_when_every_pair_is_told_apart() -> None:
    state = judge(played(20, ana=100, bo=50, cy=0), ["ana", "bo", "cy"], "points", StopRule("separated"))
    assert (state.done, state.reason) == (True, "every pair is told apart, after 20 boards")
    assert state.open_pairs == frozenset()


def test_separated_goes_on_for_those_that_are_not_told_apart() -> None:
    boards = played(20, ana=100, bo=0, cy=0)
    state = judge(boards, ["ana", "bo", "cy"], "points", StopRule("separated"))
    assert (state.done, state.reason, state.open_pairs) == (False, "", frozenset({("bo", "cy")}))


def test_nothing_is_decided_by_nine_boards_however_clear_they_are() -> None:
    for when in WHENS[:2]:
        state = judge(played(9, ana=1000, bo=0), ["ana", "bo"], "points", StopRule(when))
        assert (state.done, state.open_pairs) == (False, frozenset({("ana", "bo")}))
        assert state.intervals == {}
        assert judge(played(10, ana=1000, bo=0), ["ana", "bo"], "points", StopRule(when)).done


def test_top_1_is_done_when_the_best_is_known_whatever_the_others_are() -> None:
    boards = played(20, ana=0, bo=100, cy=0, di=0)
    state = judge(boards, ["ana", "bo", "cy", "di"], "points", StopRule("top-1"))
    assert (state.done, state.reason) == (True, "bo is the best, after 20 boards")


def test_top_1_goes_on_for_those_that_may_be_the_best_alone() -> None:
    boards = played(20, ana=100, bo=100, cy=0, di=0)
    state = judge(boards, ["ana", "bo", "cy", "di"], "points", StopRule("top-1"))
    assert (state.done, state.open_pairs) == (False, frozenset({("ana", "bo")}))


def test_top_3_is_done_when_three_are_better_than_all_others_whatever_they_are_among_themselves() -> None:
    boards = played(20, ana=100, bo=0, cy=100, di=100)
    state = judge(boards, ["ana", "bo", "cy", "di"], "points", StopRule("top-3"))
    assert (state.done, state.reason) == (True, "ana, cy and di are the best three, after 20 boards")


def test_top_3_goes_on_for_those_that_may_be_third() -> None:
    boards = played(20, ana=300, bo=200, cy=100, di=100, ed=0)
    state = judge(boards, ["ana", "bo", "cy", "di", "ed"], "points", StopRule("top-3"))
    assert (state.done, state.open_pairs) == (False, frozenset({("cy", "di")}))


@pytest.mark.parametrize("names", [("ana", "bo"), ("ana", "bo", "cy")])
def test_the_best_three_of_two_or_three_need_no_boards(names: tuple[str, ...]) -> None:
    state = judge([], names, "points", StopRule("top-3"))
    assert (state.done, state.open_pairs) == (True, frozenset())
    assert not judge([], [*names, "di", "ed"], "points", StopRule("top-3")).done


def test_how_the_best_three_are_ordered_among_themselves_does_not_matter() -> None:
    boards = played(20, ana=200, bo=200, cy=100, di=100, ed=0)
    state = judge(boards, ["ana", "bo", "cy", "di", "ed"], "points", StopRule("top-3"))
    assert (state.done, state.open_pairs) == (False, frozenset({("cy", "di")}))


def ring(boards: int) -> list[Board]:
    """Boards of two, at which each of three loses to another of them."""
    return [
        board(3 * number + place, **{one: 50 + gap, other: 0, "di": -100})
        for number, gap in enumerate(noise_of(boards))
        for place, (one, other) in enumerate((("ana", "bo"), ("bo", "cy"), ("cy", "ana")))
    ]


@pytest.mark.parametrize("when", ["top-1", "separated"])
def test_a_ring_of_winners_is_told_and_does_not_go_on_for_ever(when: When) -> None:
    state = judge(ring(20), ["ana", "bo", "cy", "di"], "points", StopRule(when))
    said = {
        "top-1": "there is no best one: ana, bo and cy beat each other in a ring, after 60 boards",
        "separated": "every pair is told apart, after 60 boards",
    }
    assert (state.done, state.reason) == (True, said[when])


@pytest.mark.parametrize("value", [1 / 3, 0.1, 1e6 / 3])
def test_differences_that_are_equal_but_for_rounding_decide_nothing(value: float) -> None:
    gaps = [value + 1000 * number - 1000 * number for number in range(20)]
    found = confidence_sequence([gap / 3 * 3 for gap in gaps], 0.05)
    assert found is not None
    assert found.half_width is None
    assert sprt(gaps, 0, 1).accepted is None


def test_precision_is_done_when_every_half_width_is_small_enough() -> None:
    boards, names = played(30, ana=0, bo=0, cy=40), ["ana", "bo", "cy"]
    widths = [
        known.half_width or math.inf
        for known in judge(boards, names, "points", StopRule("separated")).intervals.values()
    ]
    enough = judge(boards, names, "points", StopRule("precision", points=max(widths)))
    assert enough.done
    assert (
        enough.reason == f"every pair's difference is known to {max(widths):g} points a game, after 30 boards"
    )
    short = judge(boards, names, "points", StopRule("precision", points=max(widths) * 0.999))
    assert not short.done
    assert len(short.open_pairs) == 1


def test_precision_counts_pairs_without_boards_and_pairs_of_equal_gaps_as_open() -> None:
    boards = [board(number, ana=number % 3 + 2, bo=number % 3) for number in range(20)]
    state = judge(boards, ["ana", "bo", "cy"], "points", StopRule("precision", points=1000))
    assert state.open_pairs == set(combinations(("ana", "bo", "cy"), 2))
    assert state.intervals == {("ana", "bo"): Estimate(2.0, None, 20)}


@pytest.mark.parametrize("when", ["separated", "top-1"])
def test_equal_gaps_tell_nobody_apart(when: When) -> None:
    boards = [board(number, ana=number % 3 + 2, bo=number % 3) for number in range(20)]
    state = judge(boards, ["ana", "bo"], "points", StopRule(when, points=1000))
    assert (state.done, state.open_pairs) == (False, frozenset({("ana", "bo")}))


def test_those_that_differ_by_less_than_the_margin_are_settled_as_equal() -> None:
    boards, names = played(20, ana=100, bo=100, cy=0), ["ana", "bo", "cy"]
    assert not judge(boards, names, "points", StopRule("separated")).done
    apart = judge(boards, names, "points", StopRule("separated", points=5))
    assert apart.reason == "every pair is told apart, as far as 5 points a game matter, after 20 boards"
    best = judge(boards, names, "points", StopRule("top-1", points=5))
    assert best.reason == "ana and bo are the best, as far as 5 points a game matter, after 20 boards"


def test_a_margin_that_nobody_needed_is_not_spoken_of() -> None:
    state = judge(played(20, ana=100, bo=0), ["ana", "bo"], "points", StopRule("top-1", points=5))
    assert state.reason == "ana is the best, after 20 boards"


def test_the_margin_is_for_the_whole_interval() -> None:
    assert are_equal(Estimate(1.0, 0.5, 12), 1.5)
    assert are_equal(Estimate(-1.0, 0.5, 12), 1.5)
    assert not are_equal(Estimate(1.0, 0.5, 12), 1.499)
    assert not are_equal(Estimate(-1.0, 0.5, 12), 1.499)


def test_nobody_is_equal_without_an_interval_or_without_a_margin() -> None:
    assert not are_equal(None, 1.0)
    assert not are_equal(Estimate(0.0, None, 12), 1.0)
    assert not are_equal(Estimate(0.0, 0.1, 12), None)


def test_it_ends_at_the_greatest_number_of_boards_and_says_what_is_open() -> None:
    names = ["ana", "bo", "cy", "di", "ed"]
    boards = played(12, **dict.fromkeys(names, 0.0))
    assert not judge(boards[:11], names, "points", StopRule("separated", max_boards=12)).done
    state = judge(boards, names, "points", StopRule("separated", max_boards=12))
    assert state.done
    assert state.reason == ("stopped at 12 boards; open: ana and bo, ana and cy, ana and di and 7 more pairs")
    assert len(state.open_pairs) == 10


@pytest.mark.parametrize("when", ["separated", "top-1", "precision"])
def test_one_board_may_be_the_greatest_number(when: When) -> None:
    state = judge(played(1, ana=9, bo=0), ["ana", "bo"], "points", StopRule(when, max_boards=1, points=1))
    assert (state.done, state.reason) == (True, "stopped at 1 board; open: ana and bo")


def test_what_is_decided_at_the_greatest_number_of_boards_is_decided() -> None:
    boards = played(1000, ana=9, bo=0)
    state = judge(boards, ["ana", "bo"], "points", StopRule("top-1", max_boards=1000))
    assert state.reason == "ana is the best, after 1,000 boards"


def test_who_is_better_than_a_better_one_need_not_have_met() -> None:
    boards = [*played(12, ana=0, bo=100), *played(12, 12, bo=0, cy=100)]
    state = judge(boards, ["ana", "bo", "cy"], "points", StopRule("separated"))
    assert state.done
    assert set(state.intervals) == {("ana", "bo"), ("bo", "cy")}
    best = judge(boards, ["ana", "bo", "cy"], "points", StopRule("top-1"))
    assert best.reason == "cy is the best, after 24 boards"


@pytest.mark.parametrize("order", [("ana", "bo", "cy", "di", "ed"), ("di", "bo", "ed", "ana", "cy")])
def test_a_chain_of_better_ones_is_followed_to_its_end(order: tuple[str, ...]) -> None:
    boards = [
        one
        for number, (worse, better) in enumerate(pairwise(order))
        for one in played(12, 12 * number, **{worse: 0, better: 100})
    ]
    state = judge(boards, sorted(order), "points", StopRule("separated"))
    assert (state.done, state.open_pairs) == (True, frozenset())


def test_each_pair_has_its_share_of_alpha() -> None:
    boards, names = played(15, ana=1, bo=0, cy=2), ["ana", "bo", "cy"]
    state = judge(boards, names, "points", StopRule("separated", alpha=0.06))
    gaps = board_gaps(boards, names, "points")
    assert state.intervals == {pair: confidence_sequence(gaps[pair], 0.06 / 3) for pair in gaps}


def test_places_are_judged_by_who_has_fewer() -> None:
    boards = []
    for number in range(40):
        winner, loser = ("ana", "bo") if number % 10 == 3 else ("bo", "ana")
        boards.append(
            Board("solo", number, {"ana": 9.0, "bo": 0.0}, {winner: 1.0, loser: 2.0}, (("ana",), ("bo",)), 1)
        )
    state = judge(boards, ["ana", "bo"], "places", StopRule("top-1"))
    assert state.reason == "bo is the best, after 40 boards"
    assert state.intervals["ana", "bo"].mean < 0


def test_only_those_that_are_still_in_it_are_judged() -> None:
    boards = played(20, ana=100, bo=0, cy=0)
    state = judge(boards, ["ana", "cy"], "points", StopRule("separated"))
    assert state.done
    assert set(state.intervals) == {("ana", "cy")}


@pytest.mark.parametrize("when", WHENS)
def test_one_that_is_left_alone_is_decided(when: When) -> None:
    state = judge(played(3, ana=0, bo=0), ["ana"], "points", StopRule(when, points=1))
    assert (state.done, state.open_pairs, state.intervals) == (True, frozenset(), {})
    assert judge([], ["ana"], "points", StopRule("top-1")).reason == "only ana is left, after 0 boards"


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(WHENS),
    st.lists(
        st.tuples(*[st.sampled_from([-90.5, -0.1, 0.0, 1 / 3, 7.0, 80.0])] * 3), min_size=8, max_size=24
    ),
    st.randoms(),
)
def test_neither_the_order_of_boards_nor_that_of_entrants_matters(
    when: When, points: list[tuple[float, ...]], rng: random.Random
) -> None:
    names = ["ana", "bo", "cy"]
    boards = [board(number, **dict(zip(names, row, strict=True))) for number, row in enumerate(points)]
    rule = StopRule(when, 0.2, 20, 60.0)
    state = judge(boards, names, "points", rule)
    rng.shuffle(boards)
    rng.shuffle(names)
    assert judge(boards, names, "points", rule) == state


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(WHENS), st.integers(0, 14), st.integers(1, 5), st.integers(1, 20))
def test_who_is_done_says_why_and_who_is_not_has_open_pairs(
    when: When, boards: int, entrants: int, most: int
) -> None:
    names = ["ana", "bo", "cy", "di", "ed"][:entrants]
    rule = StopRule(when, max_boards=most, points=2.0)
    state = judge(
        played(boards, **{name: 3.0 * place for place, name in enumerate(names)}), names, "points", rule
    )
    assert state.done == bool(state.reason)
    assert state.done or state.open_pairs
    assert not (state.done and state.open_pairs) or boards >= most
    assert all(one < other for one, other in state.open_pairs)


def plan_of(*seatings: tuple[str, ...]) -> BoardPlan:
    return BoardPlan(0, 0, 0, seatings)


def test_a_board_is_worth_playing_when_an_open_pair_meets_at_it() -> None:
    state = StopState(False, "", frozenset({("bo", "cy")}), {})
    assert worth_playing(plan_of(("cy", "ana", "bo"), ("ana", "bo", "cy")), state)
    assert worth_playing(plan_of(("cy", "bo", "cy", "bo")), state)
    assert not worth_playing(plan_of(("ana", "bo", "di"), ("bo", "di", "ana")), state)
    assert not worth_playing(plan_of(("ana", "di", "ana", "di")), state)


def test_no_board_is_worth_playing_when_no_pair_is_open() -> None:
    state = judge(played(20, ana=100, bo=0), ["ana", "bo"], "points", StopRule("separated"))
    assert not worth_playing(plan_of(("ana", "bo")), state)


def test_the_sequential_test_has_wald_s_bounds() -> None:
    found = sprt(noise_of(12), 0, 1, alpha=0.01, beta=0.2)
    assert found.lower == pytest.approx(math.log(0.2 / 0.99))
    assert found.upper == pytest.approx(math.log(0.8 / 0.01))


def test_the_sequential_test_s_ratio_is_its_formula() -> None:
    gaps = [3.0, -1.0, 2.0, 0.0] * 3
    # The mean is 1, the squares of what is left add up to 30.
    assert sprt(gaps, 0.5, 2.0).ratio == pytest.approx(12 * 1.5 * (2 * 1 - 2.5) / (2 * 30 / 11))
    assert sprt(gaps, 2.0, 0.5).ratio == pytest.approx(-sprt(gaps, 0.5, 2.0).ratio)
    assert sprt(gaps, 0.0, 2.0).ratio == 0


@pytest.mark.parametrize(("mean", "accepted"), [(0.0, 0), (1.0, 1), (-5.0, 0), (5.0, 1)])
def test_the_sequential_test_accepts_what_explains_the_boards(mean: float, accepted: int) -> None:
    found = sprt([mean + gap for gap in noise_of(60)], 0, 1)
    assert found.accepted == accepted
    assert (found.ratio >= found.upper) == (accepted == 1)
    assert (found.ratio <= found.lower) == (accepted == 0)


@pytest.mark.parametrize("gaps", [[], [3.0], [3.0] * 40, [9.0, 9.5] * 4 + [9.0], [0.0, 1.0] * 20])
def test_the_sequential_test_is_open_without_boards_enough_or_a_deviation_or_a_difference(
    gaps: Sequence[float],
) -> None:
    assert sprt(gaps, 0, 1).accepted is None


def test_the_sequential_test_decides_at_ten_boards_at_the_earliest() -> None:
    gaps = [9.0, 9.5] * 5
    assert sprt(gaps[:9], 0, 1).ratio > sprt(gaps[:9], 0, 1).upper
    assert sprt(gaps[:9], 0, 1).accepted is None
    assert replace(sprt(gaps, 0, 1), ratio=0.0).accepted == 1
