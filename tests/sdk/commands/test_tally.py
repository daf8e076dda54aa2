"""Points per deal, and how sure they are."""

from __future__ import annotations

import random
from math import sqrt
from statistics import mean as average, stdev

import pytest

from cardtable.commands.tally import Sums, difference, mean


def sums(*boards: tuple[float, int]) -> Sums:
    found = Sums()
    for board, (points, deals) in enumerate(boards):
        found.add(board, points, deals)
    return found


def test_with_as_many_deals_on_each_board_the_error_is_that_of_a_mean() -> None:
    points = [10.0, -4.0, 7.0, 1.0]
    found = mean(sums(*((one * 20, 20) for one in points)))
    assert found is not None
    assert found.mean == pytest.approx(average(points))
    assert found.error == pytest.approx(stdev(points) / sqrt(4))


def test_boards_with_more_deals_count_for_more() -> None:
    found = mean(sums((10, 1), (0, 9)))
    assert found is not None
    assert found.mean == 1


def test_one_board_says_nothing_of_the_error_and_no_deal_nothing_at_all() -> None:
    found = mean(sums((10, 5)))
    assert found is not None
    assert (found.mean, found.error, str(found)) == (2, None, "2.00")
    assert mean(Sums()) is None
    assert difference(sums((1, 1)), Sums()) is None


def test_what_boards_bring_to_both_says_nothing_of_their_difference() -> None:
    luck = random.Random(1)
    boards = [luck.gauss(0, 100) for _ in range(30)]
    found = difference(sums(*((one + 3, 1) for one in boards)), sums(*((one, 1) for one in boards)))
    assert found is not None
    assert found.mean == pytest.approx(3)
    assert found.error == pytest.approx(0, abs=1e-9)
