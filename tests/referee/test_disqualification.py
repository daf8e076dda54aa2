from __future__ import annotations

from referee.disqualification import counted, departures, known_before
from referee.rulings import Docket, Ruling, RulingKind
from referee.stored import StoredGame

NO_RULINGS = Docket((), (), ("a", "b"), 3)


def game(
    competition: str,
    board: int,
    seating: int,
    seats: tuple[str, ...] = ("ana", "bo"),
    forfeits: tuple[int, ...] = (),
) -> StoredGame:
    return StoredGame(competition, board, seating, seats, (0, 0), forfeits, 0, (0.0, 0.0), (1, 1))


def withdrawn(name: str, competition: str, board: int, seen: int = 0) -> Docket:
    marks = {"a": seen, "b": 0}
    made_at = "2026-11-28T10:00:00+00:00"
    ruling = Ruling(1, RulingKind.WITHDRAW, "ill", made_at, marks, competition, board, entrant=name)
    return Docket((ruling,), (), ("a", "b"), 3)


def test_an_entrant_leaves_at_the_end_of_the_board_of_its_last_allowed_forfeit() -> None:
    games = [
        game("a", 0, 0, forfeits=(0,)),
        game("a", 0, 1, ("bo", "ana")),
        game("a", 1, 0, forfeits=(0,)),
        game("a", 1, 1, ("bo", "ana"), forfeits=(1,)),
        game("a", 2, 0),
        game("a", 2, 1, ("bo", "cy")),
        game("b", 0, 0),
        game("b", 1, 0, ("bo", "cy")),
    ]
    assert departures(games, 2, NO_RULINGS) == {"ana": ("a", 1)}
    kept = [(one.competition, one.board, one.seating) for one in counted(games, 2, NO_RULINGS)]
    assert kept == [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", 1, 1), ("a", 2, 1), ("b", 1, 0)]


def test_forfeits_in_games_that_do_not_count_do_not_count() -> None:
    games = [
        game("a", 0, 0, forfeits=(0,)),
        game("a", 1, 0, forfeits=(1,)),
        game("a", 2, 0, ("bo", "cy")),
    ]
    assert departures(games, 1, NO_RULINGS) == {"ana": ("a", 0)}
    assert len(list(counted(games, 1, NO_RULINGS))) == 2


def test_nobody_leaves_below_the_limit() -> None:
    games = [game("a", number, 0, forfeits=(0,)) for number in range(3)]
    assert departures(games, 4, NO_RULINGS) == {}
    assert list(counted(games, 4, NO_RULINGS)) == games


def test_who_is_withdrawn_leaves_after_the_board_that_the_ruling_names_whether_it_is_there_or_not() -> None:
    games = [
        game("a", 0, 0),
        game("a", 1, 0),
        game("a", 2, 0, ("bo", "cy")),
        game("a", 4, 0),
        game("b", 0, 0),
    ]
    for board, left in ((-1, 1), (0, 2), (1, 3), (3, 3), (4, 4)):
        docket = withdrawn("ana", "a", board)
        kept = list(counted(games, 9, docket))
        assert len(kept) == left, board
        assert departures(games, 9, docket) == {"ana": ("a", board)}
    assert list(counted(games, 9, withdrawn("ana", "b", 0))) == games


def test_who_forfeits_too_often_before_it_is_withdrawn_leaves_then() -> None:
    games = [game("a", number, 0, forfeits=(0,)) for number in range(3)]
    assert departures(games, 1, withdrawn("ana", "a", 1)) == {"ana": ("a", 0)}
    assert departures(games, 2, withdrawn("ana", "a", 0)) == {"ana": ("a", 0)}


def test_a_stage_knows_the_rulings_that_were_made_before_its_first_game() -> None:
    games = [game("a", 0, 0), game("a", 1, 0), game("a", 2, 0), game("a", 3, 0)]
    in_time, late = withdrawn("ana", "a", 0, seen=2), withdrawn("ana", "a", 0, seen=3)
    assert known_before(games, ("a", 2), 9, in_time) == ([games[0]], {"ana"})
    assert known_before(games, ("a", 2), 9, late) == (games[:2], set())
    assert known_before(games, ("a", 3), 9, late) == ([games[0]], {"ana"})
    # In another competition no game was seen yet, so that everything of it knows the ruling.
    assert known_before(games, ("b", 0), 9, late) == ([], {"ana"})


def test_who_leaves_later_is_there_until_then() -> None:
    games = [game("a", number, 0) for number in range(4)]
    docket = withdrawn("ana", "a", 2)
    assert known_before(games, ("a", 2), 9, docket) == (games[:2], set())
    assert known_before(games, ("a", 3), 9, docket) == (games[:3], {"ana"})
