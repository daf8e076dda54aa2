"""The own arithmetic of one match is that of the `trueskill` package."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st

from referee import ratings
from referee.leaps import Leaps
from referee.ratings import Environment, Match, Rating, RatingFailed, batch

Group = list[tuple[float, float]]

skills = st.tuples(
    st.one_of(st.floats(0, 50), st.floats(-1000, 1000)),
    st.one_of(st.floats(0.3, 9), st.floats(0.01, 100)),
)
groups_of_skills = st.lists(st.lists(skills, min_size=1, max_size=3), min_size=2, max_size=4)
chances = st.one_of(st.sampled_from([0.001, 0.1, 0.99]), st.floats(0.001, 0.99))


def by_package(groups: list[Group], ranks: list[int], environment: Environment) -> list[Rating] | None:
    try:
        rated = environment.rate([[Rating(*one) for one in group] for group in groups], ranks)
    except RatingFailed:
        return None
    return [one for group in rated for one in group]


def by_kernel(groups: list[Group], ranks: list[int], environment: Environment) -> list[Rating] | None:
    known = [_known(*skill) for group in groups for skill in group]
    ties = [one == other for one, other in pairwise(ranks)]
    try:
        said = environment.opinions(known, [len(group) for group in groups], ties)
    except RatingFailed:
        return None
    return [
        Rating((weighted + more_weighted) / (precision + more), math.sqrt(1 / (precision + more)))
        for (precision, weighted), (more, more_weighted) in zip(known, said, strict=True)
    ]


def _known(mu: float, sigma: float) -> tuple[float, float]:
    """Precision and weighted mean, rounded as often as in the package: a digit can decide when it stops."""
    precision = sigma**-2
    mean = precision * mu / precision
    precision = math.sqrt(math.sqrt(1 / precision) ** 2 + 0.0**2) ** -2
    return precision, precision * mean


def same(groups: list[Group], ranks: list[int], environment: Environment) -> None:
    found, wanted = by_kernel(groups, ranks, environment), by_package(groups, ranks, environment)
    if found is None or wanted is None:
        assert found == wanted
        return
    for one, other in zip(found, wanted, strict=True):
        assert tuple(one) == pytest.approx(tuple(other), rel=1e-12, abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(groups_of_skills, st.lists(st.integers(0, 2), min_size=4, max_size=4), chances)
@example([[(25.0, 25 / 3)], [(25.0, 25 / 3)]], [0, 0, 0, 0], 0.1)
@example([[(25.0, 25 / 3)]] * 4, [0, 0, 0, 0], 0.001)
@example([[(0.0, 0.5)], [(30.0, 0.5)]], [0, 1, 1, 1], 0.1)
@example([[(0.0, 0.5)], [(150.0, 0.5)], [(300.0, 0.5)]], [0, 1, 2, 2], 0.1)
@example([[(1000.0, 0.5)], [(0.0, 0.5)], [(-1000.0, 0.5)]], [0, 1, 2, 2], 0.1)
@example([[(0.0, 0.5)], [(1000.0, 0.5)]], [0, 0, 0, 0], 0.1)
@example([[(0.0, 100.0)] * 3, [(0.0, 0.01)], [(1.0, 50.0)] * 2, [(5.0, 0.1)]], [0, 0, 1, 1], 0.5)
def test_a_match_says_what_the_package_says(groups: list[Group], marks: list[int], chance: float) -> None:
    same(groups, sorted(marks[: len(groups)]), Environment(tau=0.0, draw_probability=chance))


def test_it_says_so_of_ordinary_matches_of_all_kinds() -> None:
    rng = Random(6)
    for _ in range(300):
        sizes = rng.choice([(1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 2), (1, 2), (2, 2, 1)])
        groups = [[(rng.gauss(25, 6), rng.uniform(0.2, 8)) for _ in range(size)] for size in sizes]
        ranks = sorted(rng.randrange(4) for _ in sizes)
        same(groups, ranks, Environment(tau=0.0, draw_probability=rng.uniform(0.001, 0.4)))


def test_it_fails_where_the_package_fails() -> None:
    environment = Environment(tau=0.0)
    for gap in (-1000.0, 1000.0):
        groups = [[(25 + gap, 0.5)], [(25.0, 0.5)]]
        assert by_kernel(groups, [0, 1], environment) is None
        assert by_package(groups, [0, 1], environment) is None


def test_groups_may_stand_in_any_order_and_skills_may_drift() -> None:
    match = Match((("a",), ("b", "c"), ("d",)), (2, 0, 1))
    for tau in (0.0, 0.5):
        environment = Environment(tau=tau)
        prior = {name: Rating(20.0 + place, 1.0 + place) for place, name in enumerate("abcd")}
        found, _ = batch([match], environment, prior)
        wanted = environment.rate([[prior[name] for name in group] for group in match.groups], match.ranks)
        for group, rated in zip(match.groups, wanted, strict=True):
            for name, rating in zip(group, rated, strict=True):
                assert tuple(found[name]) == pytest.approx(tuple(rating), abs=1e-9)


def test_equal_matches_that_speak_together_say_what_they_say_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = Random(3)
    few = [
        Match(tuple((name,) for name in rng.sample(("ana", "bo", "cy", "di"), 4)), (0, 1, 2, 2))
        for _ in range(10)
    ]
    many = [match for match in few for _ in range(30)]
    environment = Environment(tau=0.0, draw_probability=0.1)
    apart, _ = batch(many, environment, centred=True)
    monkeypatch.setattr(ratings, "_MATCHES_ONE_BY_ONE", 20)
    together, _ = batch(many, environment, centred=True)
    for name, rating in together.items():
        assert tuple(rating) == pytest.approx(tuple(apart[name]), abs=1e-4)


def test_entrants_that_are_worlds_apart_are_rated_in_few_sweeps() -> None:
    rng = Random(1)
    pairs = ("ana", "bo"), ("cy", "di")
    matches = [
        Match(tuple((name,) for pair in pairs for name in rng.sample(pair, 2)), (0, 1, 2, 3))
        for _ in range(100)
    ]
    environment = Environment(tau=0.0, draw_probability=0.001)
    leaping, few = batch(matches, environment, centred=True)
    creeping, many = batch(matches, environment)
    assert few < 40 < many
    shift = leaping["ana"].mu - creeping["ana"].mu
    for name, rating in leaping.items():
        assert rating.mu - creeping[name].mu == pytest.approx(shift, abs=1e-3)
        assert rating.sigma == pytest.approx(creeping[name].sigma, abs=1e-3)


def test_leaps_find_the_end_of_what_creeps() -> None:
    def step(here: list[float]) -> list[float]:
        return [0.95 * here[0] + 0.04 * here[1], 0.9 * here[1] + 1]

    leaps, here = Leaps(), [0.0, 0.0]
    for _ in range(14):
        here = leaps.beyond(here, step(here))
    assert here == pytest.approx([8, 10], abs=1e-6)


def test_leaps_stay_where_nothing_moves() -> None:
    leaps = Leaps()
    for _ in range(20):
        assert leaps.beyond([1.0, 2.0], [1.0, 2.0]) == [1.0, 2.0]
    assert all(map(math.isfinite, leaps.beyond([1.0, 2.0], [1.0, 3.0])))
