from __future__ import annotations

import random
import subprocess
import sys
from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st

from referee.boards import Board
from referee.rating_file import RatingFileError, rate_file
from referee.ratings import Environment, Match, Rating, batch, rate_boards, sequence, tie_share

A, B, C, D = ["a"], ["b"], ["c"], ["d"]
SURE: dict[str, object] = {"environment": {"tau": 0, "draw_probability": 0}, "mode": "batch"}


def rated(*matches: tuple[list[list[str]], list[int]], **more: object) -> list[tuple[float, float]]:
    listed = [{"groups": groups, "ranks": ranks} for groups, ranks in matches]
    ratings = rate_file({"matches": listed, **more})
    return [(rating["mu"], rating["sigma"]) for _, rating in sorted(ratings.items())]


def board(number: int, points: dict[str, float], groups: tuple[tuple[str, ...], ...] = ()) -> Board:
    return Board("solo", number, points, points, groups or tuple((name,) for name in sorted(points)), 1)


def random_boards(count: int, rng: random.Random, spread: float = 10) -> list[Board]:
    names = ["ana", "bo", "cy", "di", "eve", "flo"]
    return [
        board(
            number,
            {name: round(rng.gauss(names.index(name), spread)) for name in sorted(rng.sample(names, 4))},
        )
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("groups", "ranks", "expected"),
    [
        ([A, B], [0, 1], [(29.395832, 7.171476), (20.604168, 7.171476)]),
        ([A, B], [0, 0], [(25, 6.457516), (25, 6.457516)]),
        ([A, B, C], [0, 1, 2], [(31.675352, 6.655986), (25, 6.207897), (18.324648, 6.655986)]),
        ([A, B, C], [0, 0, 0], [(25, 5.698668), (25, 5.695253), (25, 5.698668)]),
        (
            [A, B, C, D],
            [0, 1, 2, 3],
            [(33.206681, 6.348109), (27.401455, 5.787163), (22.598545, 5.787163), (16.793319, 6.348109)],
        ),
        ([["a", "b"], ["c", "d"]], [0, 1], [(28.108322, 7.774363)] * 2 + [(21.891678, 7.774363)] * 2),
        ([["a", "b"], ["c", "d"]], [0, 0], [(25, 7.454894)] * 4),
    ],
)
def test_one_match_has_its_reference_values(
    groups: list[list[str]], ranks: list[int], expected: list[tuple[float, float]]
) -> None:
    for found, wanted in zip(rated((groups, ranks)), expected, strict=True):
        assert found == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("matches", "expected", "tolerance"),
    [
        ([([A, B], [0, 1]), ([B, C], [0, 1]), ([C, A], [0, 1])], [(25, 5.41921)] * 3, 1e-5),
        ([([A, B], [0, 1]), ([B, C], [0, 1])], [(30.6996, 6.8839), (25, 6.1772), (19.3004, 6.8839)], 5e-5),
        ([([B, C], [0, 1]), ([A, B], [0, 1])], [(30.6996, 6.8839), (25, 6.1772), (19.3004, 6.8839)], 5e-5),
        (
            [
                ([["a", "b"], ["c", "d"]], [0, 1]),
                ([["a", "c"], ["b", "d"]], [0, 1]),
                ([["b", "c"], ["a", "d"]], [0, 1]),
            ],
            [(27.8793, 6.7928)] * 3 + [(16.3621, 6.7928)],
            5e-5,
        ),
    ],
)
def test_a_batch_has_its_reference_values(
    matches: list[tuple[list[list[str]], list[int]]], expected: list[tuple[float, float]], tolerance: float
) -> None:
    for found, wanted in zip(rated(*matches, **SURE), expected, strict=True):
        assert found == pytest.approx(wanted, abs=tolerance)


def test_in_sequence_a_match_starts_from_what_the_last_one_left() -> None:
    environment = Environment()
    first, second = Match((("a",), ("b",)), (0, 1)), Match((("b",), ("a",)), (0, 1))
    left = sequence([first], environment)
    assert sequence([first, second], environment) == sequence([second], environment, left)


def test_a_prior_of_a_file_is_where_its_entrant_starts() -> None:
    ratings = rate_file({"prior": {"ana": [1301.0, 42.9], "zoe": [30, 2]}, "matches": []})
    assert ratings == {"ana": {"mu": 1301.0, "sigma": 42.9}, "zoe": {"mu": 30.0, "sigma": 2.0}}
    found = rate_file(
        {"prior": {"ana": [30, 2]}, "matches": [{"groups": [["ana"], ["bo"]], "ranks": [0, 1]}]}
    )
    assert found["ana"]["mu"] > 30
    assert found["ana"]["sigma"] < 2.01
    assert list(found) == ["ana", "bo"]


def test_ranks_that_are_absent_are_the_order_of_the_groups() -> None:
    assert rate_file({"matches": [{"groups": [A, B]}]}) == rate_file(
        {"matches": [{"groups": [A, B], "ranks": [0, 1]}]}
    )


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ([], "the file"),
        ({}, "matches"),
        ({"matches": 3}, "matches"),
        ({"matches": [], "match": []}, "the file"),
        ({"matches": [], "mode": "both"}, "mode"),
        ({"matches": [], "mode": ["batch"]}, "mode"),
        ({"matches": [], "environment": {"gamma": 1}}, "environment"),
        ({"matches": [], "environment": {"sigma": 0}}, "environment.sigma"),
        ({"matches": [], "environment": {"tau": -1}}, "environment.tau"),
        ({"matches": [], "environment": {"mu": True}}, "environment.mu"),
        ({"matches": [], "environment": {"mu": 10**400}}, "environment.mu"),
        ({"matches": [], "environment": {"mu": float("nan")}}, "environment.mu"),
        ({"matches": [], "environment": {"draw_probability": 1}}, "environment.draw_probability"),
        ({"matches": [], "environment": {"draw_probability": 1 - 1e-16}}, "environment.draw_probability"),
        ({"matches": [{"groups": [A, B]}], "prior": {"a": [0, 1], "b": [1e9, 1]}}, "matches"),
        ({"matches": [], "prior": {"ana": [25]}}, "prior.ana"),
        ({"matches": [], "prior": {"ana": [25, 0]}}, "prior.ana"),
        ({"matches": [{"groups": [A]}]}, "matches[0].groups"),
        ({"matches": [{"groups": [A, []]}]}, "matches[0].groups[1]"),
        ({"matches": [{"groups": [A, A]}]}, "matches[0].groups"),
        ({"matches": [{"groups": [A, B]}, {"groups": [A, B], "ranks": [0]}]}, "matches[1].ranks"),
        ({"matches": [{"groups": [A, B], "ranks": [0, "1"]}]}, "matches[0].ranks"),
        ({"matches": ["a beats b"]}, "matches[0]"),
    ],
)
def test_a_file_that_is_wrong_is_told_where(content: object, key: str) -> None:
    with pytest.raises(RatingFileError) as refused:
        rate_file(content)
    assert refused.value.key == key
    assert str(refused.value).startswith(key)


def test_a_tie_is_refused_where_ties_have_no_chance() -> None:
    with pytest.raises(RatingFileError, match="draw_probability above 0"):
        rate_file({"environment": {"draw_probability": 0}, "matches": [{"groups": [A, B], "ranks": [0, 0]}]})


def test_the_ratings_of_boards_are_centred_and_in_the_order_of_names() -> None:
    found = rate_boards(random_boards(30, random.Random(1)), "points")
    assert sum(rating.mu for rating in found.ratings.values()) / 6 == pytest.approx(25)
    assert list(found.ratings) == sorted(found.ratings)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_games_has_no_influence_on_a_rating(seed: int, rng: random.Random) -> None:
    boards = random_boards(12, random.Random(seed), spread=2)
    shuffled = [
        Board(
            old.competition,
            old.number,
            dict(rng.sample(sorted(old.points.items()), len(old.points))),
            old.places,
            tuple(rng.sample(old.groups, len(old.groups))),
            old.games,
        )
        for old in rng.sample(boards, len(boards))
    ]
    assert rate_boards(shuffled, "points") == rate_boards(boards, "points")


def test_other_sweeps_through_the_same_matches_come_to_the_same_ratings() -> None:
    matches = [
        Match((("a",), ("b",)), (0, 1)),
        Match((("b",), ("c",)), (0, 1)),
        Match((("c",), ("a",)), (0, 0)),
    ]
    environment = Environment(tau=0)
    first, _ = batch(matches, environment)
    for order in permutations(matches):
        ratings, sweeps = batch(order, environment)
        assert sweeps < 20
        for name, rating in ratings.items():
            assert rating == pytest.approx(first[name], abs=1e-5)


def test_centring_changes_no_difference_and_saves_sweeps() -> None:
    boards = random_boards(12, random.Random(0), spread=2)
    matches = [
        Match(tuple((name,) for name in old.points), tuple(-points for points in old.points.values()))
        for old in boards
    ]
    environment = Environment(tau=0)
    (centred, few), (slow, many) = batch(matches, environment, centred=True), batch(matches, environment)
    assert few <= 10 < many
    assert sum(rating.mu for rating in centred.values()) / 6 == pytest.approx(25, abs=1e-6)
    shift = centred["ana"].mu - slow["ana"].mu
    for name, rating in centred.items():
        assert rating.mu - slow[name].mu == pytest.approx(shift, abs=1e-4)
        assert rating.sigma == pytest.approx(slow[name].sigma, abs=1e-4)


def test_the_chance_of_a_tie_is_taken_from_the_boards_and_is_never_nothing() -> None:
    tied = [board(0, {"ana": 3, "bo": 3, "cy": 1}), board(1, {"ana": 3, "bo": 2, "cy": 1})]
    assert rate_boards(tied, "points").draw_probability == 0.25
    assert rate_boards(tied[1:], "points").draw_probability == 0.001
    assert rate_boards(tied, "points", 0.5).draw_probability == 0.5
    assert tie_share([]) == 0


def test_boards_that_are_all_ties_can_be_rated() -> None:
    found = rate_boards([board(number, {"ana": 0, "bo": 0}) for number in range(20)], "points")
    assert found.ratings["ana"].mu == pytest.approx(25)
    assert found.ratings["bo"].mu == pytest.approx(25)


def test_fewer_places_are_better() -> None:
    boards = [board(number, {"ana": 1, "bo": 2}) for number in range(3)]
    by_points, by_places = rate_boards(boards, "points").ratings, rate_boards(boards, "places").ratings
    assert by_points["bo"].mu > 25 > by_points["ana"].mu
    assert by_places["ana"].mu > 25 > by_places["bo"].mu


def test_partners_are_rated_as_a_group_of_two() -> None:
    groups = (("ana", "bo"), ("cy", "di"))
    found = rate_boards([board(0, {"ana": 9, "bo": 9, "cy": 1, "di": 1}, groups)], "points", 0.1).ratings
    wanted = batch([Match(groups, (0, 1))], Environment(tau=0))[0]
    for name, rating in found.items():
        assert rating == pytest.approx(wanted[name])
    assert found["ana"] == found["bo"]


def test_no_board_gives_no_rating() -> None:
    assert rate_boards([], "points").ratings == {}
    assert rate_boards([board(0, {"ana": 3})], "points").ratings == {}


def test_an_entrant_without_end_of_wins_can_be_rated() -> None:
    ratings = rate_boards([board(number, {"ana": 1, "bo": 0}) for number in range(300)], "points").ratings
    assert ratings["ana"].mu > ratings["bo"].mu
    assert isinstance(ratings["ana"], Rating)


def test_only_one_module_knows_the_package_and_ratings_need_no_tables_bots_or_wire() -> None:
    program = (
        "import sys, referee.boards, referee.ratings, referee.rating_file, referee.schedule, referee.statistics,"
        " referee.store\n"
        "print([name for name in ('grpc', 'google.protobuf', 'cardtable.wire', 'referee.table') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "[]\n"
