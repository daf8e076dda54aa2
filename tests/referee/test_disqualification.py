from __future__ import annotations

from dataclasses import dataclass

from referee.disqualification import counted, departures


@dataclass(frozen=True)
class Game:
    competition: str
    board: int
    seating: int
    seats: tuple[str, ...] = ("ana", "bo")
    forfeits: tuple[int, ...] = ()
    scores: tuple[int, ...] = (0, 0)
    faults: int = 0


def test_an_entrant_leaves_at_the_end_of_the_board_of_its_last_allowed_forfeit() -> None:
    games = [
        Game("a", 0, 0, forfeits=(0,)),
        Game("a", 0, 1, ("bo", "ana")),
        Game("a", 1, 0, forfeits=(0,)),
        Game("a", 1, 1, ("bo", "ana"), forfeits=(1,)),
        Game("a", 2, 0),
        Game("a", 2, 1, ("bo", "cy")),
        Game("b", 0, 0),
        Game("b", 1, 0, ("bo", "cy")),
    ]
    assert departures(games, 2) == {"ana": ("a", 1)}
    kept = [(game.competition, game.board, game.seating) for game in counted(games, 2)]
    assert kept == [("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", 1, 1), ("a", 2, 1), ("b", 1, 0)]


def test_forfeits_in_games_that_do_not_count_do_not_count() -> None:
    games = [
        Game("a", 0, 0, forfeits=(0,)),
        Game("a", 1, 0, forfeits=(1,)),
        Game("a", 2, 0, ("bo", "cy")),
    ]
    assert departures(games, 1) == {"ana": ("a", 0)}
    assert len(list(counted(games, 1))) == 2


def test_nobody_leaves_below_the_limit() -> None:
    games = [Game("a", number, 0, forfeits=(0,)) for number in range(3)]
    assert departures(games, 4) == {}
    assert list(counted(games, 4)) == games
