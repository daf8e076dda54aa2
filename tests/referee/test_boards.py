from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings, strategies as st

from referee.boards import Board, fold, game_places, game_points

SINGLE = ((0,), (1,), (2,), (3,))
SIDES = ((0, 2), (1, 3))
THREE = ((0,), (1,), (2,))
#: Ana alone against two of bo, then bo alone against two of ana, in every seat.
SHARED = tuple(
    tuple(circle[(seat - turn) % 3] for seat in range(3))
    for turn in range(3)
    for circle in (("ana", "bo", "bo"), ("bo", "ana", "ana"))
)


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


ALONE = Game(("ana", "bo", "bo"), (10, 30, -40))


def test_an_entrant_that_holds_several_groups_has_the_mean_of_them() -> None:
    assert game_points(ALONE, THREE) == {"ana": 10, "bo": -5}
    assert game_places(ALONE, THREE) == {"ana": 2, "bo": 2}
    assert game_points(replace(ALONE, scores=(-40, 30, 11)), THREE) == {"ana": -40, "bo": 20.5}
    assert game_places(replace(ALONE, scores=(-40, 30, 11)), THREE) == {"ana": 3, "bo": 1.5}


def test_an_entrant_that_holds_every_other_seat_has_the_mean_of_both() -> None:
    game = replace(GAME, seats=("ana", "bo", "ana", "bo"))
    assert game_points(game, SINGLE) == {"ana": 62.5, "bo": -62.5}
    assert game_places(game, SINGLE) == {"ana": 1.5, "bo": 3.5}


def test_an_entrant_may_tie_with_itself_and_with_others() -> None:
    assert game_places(replace(ALONE, scores=(5, 7, 7)), THREE) == {"ana": 3, "bo": 1.5}
    assert game_places(replace(ALONE, scores=(7, 7, 5)), THREE) == {"ana": 1.5, "bo": 2.25}
    assert game_places(replace(ALONE, scores=(0, 0, 0)), THREE) == {"ana": 2, "bo": 2}


@pytest.mark.parametrize("seats", [(1,), (2,), (1, 2)])
def test_who_forfeits_in_any_seat_that_it_holds_forfeits_in_all(seats: tuple[int, ...]) -> None:
    game = replace(ALONE, scores=(-50, 30, 10), forfeits=seats)
    assert game_points(game, THREE) == {"ana": -50, "bo": -50}
    assert game_places(game, THREE) == {"ana": 1, "bo": 2.5}


def test_a_forfeit_is_measured_by_the_mean_of_its_groups() -> None:
    assert game_points(replace(ALONE, forfeits=(1,)), THREE) == {"ana": 10, "bo": -5}
    assert game_points(replace(ALONE, forfeits=(0,)), THREE) == {"ana": -5, "bo": -5}
    assert game_places(replace(ALONE, forfeits=(0,)), THREE) == {"ana": 3, "bo": 1.5}


def test_when_all_forfeit_nobody_is_better() -> None:
    game = replace(ALONE, forfeits=(0, 2))
    assert game_points(game, THREE) == {"ana": -5, "bo": -5}
    assert game_places(game, THREE) == {"ana": 2, "bo": 2}


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(SHARED), st.tuples(*[st.integers(-99, 99)] * 3), st.sets(st.integers(0, 2)))
def test_places_of_shared_seats_sum_to_the_same_however_many_each_holds(
    seats: tuple[str, ...], scores: tuple[int, ...], forfeits: set[int]
) -> None:
    places = game_places(Game(seats, scores, forfeits=tuple(forfeits)), THREE)
    assert sum(places[name] for name in seats) == 6


def shared_board(scores: tuple[int, ...], forfeits: int | None = None) -> list[Game]:
    """The six seatings of a board; in the one of this number the first seat forfeits."""
    return [
        Game(seats, scores, seating=seating, forfeits=(0,) if seating == forfeits else ())
        for seating, seats in enumerate(SHARED)
    ]


def test_what_a_seat_is_worth_cancels_over_a_board_of_shared_seats() -> None:
    (whole,) = fold(shared_board((30, 0, -30)), THREE, 6)
    assert whole == Board(
        competition="solo",
        number=0,
        points={"ana": 0, "bo": 0},
        places={"ana": 12, "bo": 12},
        groups=(("ana",), ("bo",)),
        games=6,
    )
    assert (whole.merit("ana", "points"), whole.merit("ana", "places")) == (0, -2)


def test_a_board_of_shared_seats_is_the_sum_of_its_means() -> None:
    # Ana gets 9 in each seat that it holds, bo 3.
    games = [
        replace(game, scores=tuple(9 if name == "ana" else 3 for name in game.seats))
        for game in shared_board((0, 0, 0))
    ]
    (whole,) = fold(games, THREE, 6)
    assert whole.points == {"ana": 54, "bo": 18}
    assert whole.places == {"ana": 3 * 1 + 3 * 1.5, "bo": 3 * 2.5 + 3 * 3}
    assert (whole.merit("ana", "points"), whole.merit("bo", "points")) == (9, 3)
    assert (whole.merit("ana", "places"), whole.merit("bo", "places")) == (-1.25, -2.75)


def test_a_forfeit_in_one_seating_changes_that_game_alone() -> None:
    (whole,) = fold(shared_board((30, 0, -30), forfeits=0), THREE, 6)
    # In seating 0 ana sat alone in the first seat and had 30; the mean of bo's seats was -15.
    assert whole.points == {"ana": -45, "bo": 0}
    assert whole.places == {"ana": 12 + 2, "bo": 12 - 1}
    assert whole.forfeited == {"ana"}


def test_a_board_of_shared_seats_needs_all_six_seatings() -> None:
    games = shared_board((30, 0, -30))
    assert fold(games[:5], THREE, 6) == []
    assert fold([*games[:5], replace(games[5], seating=4)], THREE, 6) == []


def test_boards_of_shared_seats_do_not_mix() -> None:
    games = [replace(game, board=number) for number in (4, 7) for game in shared_board((30, number, -30))]
    assert [(one.number, one.games) for one in fold(games, THREE, 6)] == [(4, 6), (7, 6)]
    other = [replace(game, competition="other") for game in shared_board((0, 0, 0))]
    assert [one.competition for one in fold(shared_board((0, 0, 0)) + other, THREE, 6)] == ["solo", "other"]
