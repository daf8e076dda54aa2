"""`tourney rate FILE.json` as its user meets it: the reference values, cases of the same kinds, and bad files.

What is expected beside the reference values is computed here with the `trueskill` package alone.
"""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from trueskill import Rating, TrueSkill

from referee.boards import Board
from referee.cli import run
from referee.ratings import rate_boards

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Rate = Callable[[object], dict[str, tuple[float, float]]]

DEFAULTS = {"mu": 25, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw_probability": 0.10}
SURE: dict[str, object] = {"environment": {"tau": 0, "draw_probability": 0}, "mode": "batch"}
SOLO = {size: [[f"p{seat}"] for seat in range(size)] for size in range(2, 9)}
PAIRS = [["p0", "p1"], ["p2", "p3"]]

Matches: TypeAlias = "Sequence[tuple[Sequence[Sequence[str]], Sequence[float]]]"


def listed(*matches: tuple[Sequence[Sequence[str]], Sequence[float]]) -> list[dict[str, object]]:
    return [{"groups": groups, "ranks": ranks} for groups, ranks in matches]


def package(environment: Mapping[str, float]) -> Any:
    normal = (
        NormalDist()
    )  # the package's own is a short series, wrong in the fifth place of what it gives here
    return TrueSkill(**{**DEFAULTS, **environment}, backend=(normal.cdf, normal.pdf, normal.inv_cdf))


def in_sequence(
    matches: Matches, environment: Mapping[str, float], prior: Mapping[str, Sequence[float]]
) -> dict[str, tuple[float, float]]:
    """The package's own ratings, one match after another."""
    rules = package(environment)
    ratings = {name: Rating(*pair) for name, pair in prior.items()}
    for groups, ranks in matches:
        before = [{name: ratings.get(name, rules.create_rating()) for name in group} for group in groups]
        for after in rules.rate(before, list(ranks)):
            ratings.update(after)
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def all_at_once(
    matches: Matches, environment: Mapping[str, float], prior: Mapping[str, Sequence[float]]
) -> dict[str, tuple[float, float]]:
    """Expectation propagation with the package's rating of one match, until nothing moves any more."""
    rules = package({**environment, "tau": 0})
    names = [*prior, *(name for groups, _ in matches for group in groups for name in group)]
    start = {name: prior.get(name, (rules.mu, rules.sigma)) for name in names}
    total = {name: [sigma**-2, mu * sigma**-2] for name, (mu, sigma) in start.items()}
    sites = [dict.fromkeys((name for group in groups for name in group), (0.0, 0.0)) for groups, _ in matches]
    for _ in range(60):
        for (groups, ranks), site in zip(matches, sites, strict=True):
            cavity = {name: (total[name][0] - p, total[name][1] - t) for name, (p, t) in site.items()}
            before = [
                {name: Rating(cavity[name][1] / cavity[name][0], cavity[name][0] ** -0.5) for name in group}
                for group in groups
            ]
            for after in rules.rate(before, list(ranks)):
                for name, rating in after.items():
                    total[name] = [rating.sigma**-2, rating.mu * rating.sigma**-2]
                    site[name] = (total[name][0] - cavity[name][0], total[name][1] - cavity[name][1])
    return {name: (t / p, p**-0.5) for name, (p, t) in total.items()}


@pytest.fixture
def rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Rate:
    """Write a file, run the command on it and read mu and sigma from its output."""

    def rated(content: object) -> dict[str, tuple[float, float]]:
        file = tmp_path / "matches.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        assert run(["rate", str(file)]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        assert said.out.count("\n") == 1
        return {name: (one["mu"], one["sigma"]) for name, one in json.loads(said.out).items()}

    return rated


def agree(found: Mapping[str, tuple[float, float]], wanted: Mapping[str, tuple[float, float]]) -> None:
    assert found.keys() == wanted.keys()
    for name, rating in found.items():
        assert rating == pytest.approx(wanted[name], abs=1e-5), name


@pytest.mark.parametrize(
    ("groups", "ranks", "expected"),
    [
        (SOLO[2], [0, 1], [(29.395832, 7.171476), (20.604168, 7.171476)]),
        (SOLO[2], [0, 0], [(25, 6.457516)] * 2),
        (SOLO[3], [0, 1, 2], [(31.675352, 6.655986), (25, 6.207897), (18.324648, 6.655986)]),
        (SOLO[3], [0, 0, 0], [(25, 5.698668), (25, 5.695253), (25, 5.698668)]),
        (
            SOLO[4],
            [0, 1, 2, 3],
            [(33.206681, 6.348109), (27.401455, 5.787163), (22.598545, 5.787163), (16.793319, 6.348109)],
        ),
        (PAIRS, [0, 1], [(28.108322, 7.774363)] * 2 + [(21.891678, 7.774363)] * 2),
        (PAIRS, [0, 0], [(25, 7.454894)] * 4),
    ],
)
def test_the_command_prints_the_reference_value_of_one_match(
    rate: Rate, groups: list[list[str]], ranks: list[float], expected: list[tuple[float, float]]
) -> None:
    agree(
        rate({"matches": listed((groups, ranks))}),
        {f"p{seat}": value for seat, value in enumerate(expected)},
    )


@pytest.mark.parametrize(
    ("matches", "expected", "digits"),
    [
        (
            [([["a"], ["b"]], [0, 1]), ([["b"], ["c"]], [0, 1]), ([["c"], ["a"]], [0, 1])],
            dict.fromkeys("abc", (25, 5.41921)),
            5,
        ),
        *(
            (matches, {"a": (30.6996, 6.8839), "b": (25, 6.1772), "c": (19.3004, 6.8839)}, 4)
            for matches in (
                [([["a"], ["b"]], [0, 1]), ([["b"], ["c"]], [0, 1])],
                [([["b"], ["c"]], [0, 1]), ([["a"], ["b"]], [0, 1])],
            )
        ),
        (
            [
                ([["a", "b"], ["c", "d"]], [0, 1]),
                ([["a", "c"], ["b", "d"]], [0, 1]),
                ([["b", "c"], ["a", "d"]], [0, 1]),
            ],
            {**dict.fromkeys("abc", (27.8793, 6.7928)), "d": (16.3621, 6.7928)},
            4,
        ),
    ],
)
def test_the_command_prints_the_reference_values_of_a_batch_to_the_last_digit(
    rate: Rate, matches: Matches, expected: dict[str, tuple[float, float]], digits: int
) -> None:
    found = rate({"matches": listed(*matches), **SURE})
    assert {
        name: (round(mu, digits), round(sigma, digits)) for name, (mu, sigma) in found.items()
    } == expected


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("ties", ["none", "first", "last", "middle", "all", "reversed"])
def test_fields_of_two_to_eight_with_ties_anywhere_are_rated_as_by_the_package(
    rate: Rate, size: int, ties: str
) -> None:
    places: list[float] = [*range(size)]
    by_ties: dict[str, list[float]] = {
        "none": places,
        "first": [0, *places[:-1]],
        "last": [*places[:-1], size - 2],
        "middle": [min(place, size // 2) if place <= size // 2 + 1 else place for place in places],
        "all": [7] * size,
        "reversed": places[::-1],
    }
    ranks = by_ties[ties]
    agree(rate({"matches": listed((SOLO[size], ranks))}), in_sequence([(SOLO[size], ranks)], {}, {}))


TEAMS: list[tuple[list[list[str]], list[float]]] = [
    (PAIRS, [1, 0]),
    ([["p0", "p1", "p2"], ["p3", "p4", "p5"]], [0, 1]),
    ([["p0", "p1", "p2"], ["p3", "p4", "p5"]], [0, 0]),
    ([["p0", "p1"], ["p2", "p3"], ["p4", "p5"]], [2, 0, 0]),
    ([["p0"], ["p1", "p2"], ["p3", "p4", "p5"]], [0, 2.5, 1]),
    ([["p0", "p1", "p2"], ["p3"]], [1, 0]),
]
OTHER_WORLDS: list[dict[str, float]] = [
    {},
    {"draw_probability": 0.001},
    {"draw_probability": 0.6, "tau": 0},
    {"mu": 1500, "sigma": 300, "beta": 150, "tau": 3},
    {"mu": 0, "sigma": 1, "beta": 2, "tau": 0.1, "draw_probability": 0.25},
]


@pytest.mark.parametrize(("groups", "ranks"), TEAMS)
@pytest.mark.parametrize("environment", OTHER_WORLDS[:3])
def test_teams_of_one_to_three_are_rated_as_by_the_package(
    rate: Rate, groups: list[list[str]], ranks: list[float], environment: dict[str, float]
) -> None:
    found = rate({"matches": listed((groups, ranks)), "environment": environment})
    agree(found, in_sequence([(groups, ranks)], environment, {}))


@pytest.mark.parametrize("environment", OTHER_WORLDS)
@pytest.mark.parametrize("mode", ["sequence", "batch"])
def test_priors_and_environments_are_taken_in_both_modes(
    rate: Rate, environment: dict[str, float], mode: str
) -> None:
    """A prior of one who never plays stays as it is, and comes first."""
    middle, spread = environment.get("mu", 25), environment.get("sigma", 25 / 3)
    prior = {"zoe": [middle + spread, spread / 2], "p1": [middle - spread / 2, spread / 4]}
    matches: Matches = [
        (SOLO[4], [0, 1, 1, 2]),
        (SOLO[3], [2, 0, 1]),
        (PAIRS, [0, 1]),
        ([["p2"], ["p1"]], [0, 0]),
    ]
    # What plays all at once has no before, so nothing drifts.
    world = {**environment, "tau": 0} if mode == "batch" else environment
    found = rate({"matches": listed(*matches), "environment": world, "prior": prior, "mode": mode})
    assert list(found) == ["zoe", "p1", "p0", "p2", "p3"]
    assert found["zoe"] == (middle + spread, spread / 2)
    agree(found, (all_at_once if mode == "batch" else in_sequence)(matches, world, prior))


def test_a_file_of_priors_alone_gives_them_back(rate: Rate) -> None:
    assert rate({"prior": {"ana": [1301.0, 42.9]}, "matches": []}) == {"ana": (1301.0, 42.9)}


def test_the_boards_of_a_whist_of_four_have_the_ratings_of_the_reference() -> None:
    winners = ((("a", "b"), ("c", "d")), (("a", "c"), ("b", "d")), (("b", "c"), ("a", "d")))
    boards = []
    for number, (won, lost) in enumerate(winners):
        points = {**dict.fromkeys(won, 30.0), **dict.fromkeys(lost, -30.0)}
        boards.append(Board("whist", number, points, points, (won, lost), 1))
    found = rate_boards(boards, "points")
    wanted = all_at_once(
        [(groups, [0, 1]) for groups in winners], {"draw_probability": found.draw_probability}, {}
    )
    agree({name: (mu, sigma) for name, (mu, sigma) in found.ratings.items()}, dict(sorted(wanted.items())))
    # The reference is for no ties at all, the least that boards have is 0.001.
    for name, (mu, sigma) in found.ratings.items():
        assert mu == pytest.approx(16.3621 if name == "d" else 27.8793, abs=0.01)
        assert sigma == pytest.approx(6.7928, abs=0.01)


def test_the_real_command_prints_one_line_of_json_with_names_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "matches.json"
    file.write_text('{"matches": [{"groups": [["دي"], ["bo"]]}]}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "rate", str(file)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert done.stdout.count("\n") == 1
    assert done.stdout.startswith('{"دي"')
    assert done.stderr == ""
    agree(
        {name: (one["mu"], one["sigma"]) for name, one in json.loads(done.stdout).items()},
        {"دي": (29.395832, 7.171476), "bo": (20.604168, 7.171476)},
    )


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "no JSON"),
        (b"[1]", "must be an object"),
        (b'{"matches": [}', "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"{}", "matches: is missing"),
        (b'{"matches": [], "mode": "all"}', '"sequence" or "batch"'),
        (b'{"matches": [{"groups": [["a"], ["a"]]}]}', "matches[0].groups: name someone twice"),
        (b'{"matches": [{"groups": [["a"], ["b"]], "ranks": [0]}]}', "matches[0].ranks"),
        (b'{"matches": [], "prior": {"a\\nb": [1]}}', "prior.a\\nb"),
        (b'{"matches": [], "environment": {"beta": NaN}}', "environment.beta: must be finite"),
        (
            b'{"environment": {"draw_probability": 0}, "matches": [{"groups": [["a"], ["b"]], "ranks": [1, 1]}]}',
            "a tie needs a draw_probability above 0",
        ),
    ],
)
def test_a_bad_file_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, named: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    assert run(["rate", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("tourney: ")
    assert "bad.json" in said.err
    assert named in said.err


def test_a_file_that_is_missing_or_a_folder_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert run(["rate", str(path)]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert str(path) in said.err
