from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, strategies as st

from referee.boards import Board, fold, game_places, game_points

SINGLE = ((0,), (1,), (2,), (3,))
SIDES = ((0, 2), (1, 3))


@dataclass(frozen=True)
class Game:
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    board: int = 0
    seating: int = 0
    competition: str = "solo"
    forfeits: tuple[int, ...] = ()
    faults: int = 0


GAME = Game(("ana", "bo", "cy", "di"), (100, -50, 25, -75))


def test_an_entrant_has_the_score_of_its_seat() -> None:
    assert game_points(GAME, SINGLE) == {"ana": 100, "bo": -50, "cy": 25, "di": -75}
    assert game_places(GAME, SINGLE) == {"ana": 1, "cy": 2, "bo": 3, "di": 4}


def test_ties_share_their_mean_place() -> None:
    game = replace(GAME, scores=(10, 10, -5, 10))
    assert game_places(game, SINGLE) == {"ana": 2, "bo": 2, "di": 2, "cy": 4}


def test_partners_have_the_sum_of_their_seats() -> None:
    assert game_points(GAME, SIDES) == {"ana": 125, "cy": 125, "bo": -125, "di": -125}
    assert game_places(GAME, SIDES) == {"ana": 1, "cy": 1, "bo": 2, "di": 2}


def test_an_entrant_that_holds_a_whole_side_counts_it_once() -> None:
    game = replace(GAME, seats=("ana", "bo", "ana", "bo"))
    assert game_points(game, SIDES) == {"ana": 125, "bo": -125}
    assert game_points(replace(game, scores=(7, 9)), SIDES) == {"ana": 7, "bo": 9}


@pytest.mark.parametrize(
    ("scores", "points", "places"),
    [
        (
            (100, -50, 25, -75),
            {"ana": -75, "bo": -50, "cy": 25, "di": -75},
            {"cy": 1, "bo": 2, "di": 3, "ana": 4},
        ),
        (
            (-90, -50, 25, -75),
            {"ana": -90, "bo": -50, "cy": 25, "di": -75},
            {"cy": 1, "bo": 2, "di": 3, "ana": 4},
        ),
    ],
)
def test_a_forfeit_gets_the_lower_of_its_own_points_and_the_lowest_of_the_others_and_is_last(
    scores: tuple[int, ...], points: dict[str, float], places: dict[str, float]
) -> None:
    game = replace(GAME, scores=scores, forfeits=(0,))
    assert game_points(game, SINGLE) == points
    assert game_places(game, SINGLE) == places


def test_two_forfeits_are_equally_last() -> None:
    places = game_places(replace(GAME, forfeits=(0, 3)), SINGLE)
    assert places == {"cy": 1, "bo": 2, "ana": 3.5, "di": 3.5}


def test_a_partner_of_a_forfeit_keeps_what_it_scored() -> None:
    game = replace(GAME, forfeits=(0,))
    assert game_points(game, SIDES) == {"ana": -125, "cy": 125, "bo": -125, "di": -125}
    assert game_places(game, SIDES) == {"ana": 2, "cy": 1, "bo": 2, "di": 2}


def test_a_board_sums_its_games_and_an_incomplete_one_is_left_out() -> None:
    turned = replace(GAME, seats=("bo", "cy", "di", "ana"), seating=1, faults=1, forfeits=(3,))
    boards = fold(
        [GAME, turned, replace(GAME, board=1), replace(GAME, board=2), replace(turned, board=2)], SINGLE, 2
    )
    assert [board.number for board in boards] == [0, 2]
    assert boards[0] == Board(
        competition="solo",
        number=0,
        points={"ana": 25, "bo": 50, "cy": -25, "di": -50},
        places={"ana": 5, "bo": 4, "cy": 5, "di": 6},
        groups=(("ana",), ("bo",), ("cy",), ("di",)),
        games=2,
        faulted=True,
        forfeited=frozenset({"ana"}),
    )
    assert boards[0].merit("bo", "points") == 25
    assert boards[0].merit("bo", "places") == -2


def test_partners_form_the_groups_of_a_board() -> None:
    assert fold([GAME], SIDES, 1)[0].groups == (("ana", "cy"), ("bo", "di"))
    assert fold([replace(GAME, seats=("ana", "bo", "ana", "bo"))], SIDES, 1)[0].groups == (("ana",), ("bo",))


@given(
    st.lists(st.integers(-500, 500), min_size=4, max_size=4),
    st.sets(st.integers(0, 3)),
)
def test_places_always_sum_to_the_same(scores: list[int], forfeits: set[int]) -> None:
    places = game_places(replace(GAME, scores=tuple(scores), forfeits=tuple(forfeits)), SINGLE)
    assert sum(places.values()) == 10
