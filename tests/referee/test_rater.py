"""Ratings that go on from the last time come to what all boards at once say."""

from __future__ import annotations

from random import Random

import pytest

from referee.boards import Board
from referee.ratings import BoardRatings, Rater, rate_boards

NAMES = ("ana", "bo", "cy", "di")


def _boards(count: int, seed: int = 1) -> list[Board]:
    rng = Random(seed)
    return [
        Board("trix", number, points, points, tuple((name,) for name in sorted(points)), 1)
        for number in range(count)
        for points in [{name: float(rng.randrange(8) + place) for place, name in enumerate(NAMES)}]
    ]


def _settled(rater: Rater, boards: list[Board]) -> BoardRatings:
    found = rater(boards, "points")
    for _ in range(1000):
        if rater.is_settled:
            return found
        found = rater(boards, "points")
    raise AssertionError("it does not settle")


def _same(one: BoardRatings, other: BoardRatings) -> None:
    assert one.draw_probability == other.draw_probability
    assert one.ratings.keys() == other.ratings.keys()
    for name, rating in one.ratings.items():
        assert tuple(rating) == pytest.approx(tuple(other.ratings[name]), abs=1e-4)


def test_boards_that_come_later_count_as_if_they_had_always_been_there() -> None:
    boards, rater = _boards(40), Rater(0.05)
    for count in (10, 11, 25, 40):
        rater(boards[:count], "points")
    _same(_settled(rater, boards), rate_boards(boards, "points"))


def test_boards_that_go_or_change_are_forgotten() -> None:
    boards, rater = _boards(30), Rater(0.05)
    rater(boards, "points")
    left = [*_boards(5, seed=2), *boards[5:20]]
    _same(_settled(rater, left), rate_boards(left, "points"))


def test_without_boards_nobody_is_rated() -> None:
    rater = Rater(0.05)
    assert rater([], "points").ratings == {}
    assert rater.is_settled
