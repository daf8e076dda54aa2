"""From finished games to boards, the unit of every statistic and of every rating.

Owns `Board` and the fold of games into complete boards, forfeits counted. Knows no rule of any game: which seats
score together is an argument. Reads no store; anything with the fields of `FinishedGame` will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Board", "FinishedGame", "Groups", "ScoredBy", "fold", "game_places", "game_points"]

ScoredBy: TypeAlias = Literal["points", "places"]
#: Seats that score together, as `Game.groups` gives them.
Groups: TypeAlias = tuple[tuple[int, ...], ...]


class FinishedGame(Protocol):
    """What the fold needs to know of a game; `referee.store.StoredGame` is one."""

    @property
    def competition(self) -> str:
        """Name of the competition."""

    @property
    def board(self) -> int:
        """Number of the board in its competition."""

    @property
    def seating(self) -> int:
        """Number of the seating of this board."""

    @property
    def seats(self) -> tuple[str, ...]:
        """Entrants by seat."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Final scores, one a seat or one a group."""

    @property
    def forfeits(self) -> tuple[int, ...]:
        """Seats whose game is forfeited."""

    @property
    def faults(self) -> int:
        """How many faults the game had."""


@dataclass(frozen=True, slots=True)
class Board:
    """One complete board: all its seatings are played.

    Args:
        competition: Name of the competition.
        number: Number of the board in its competition.
        points: Points of each entrant, summed over the games.
        places: Places of each entrant, 1 best and ties sharing their mean, summed over the games.
        groups: Entrants that scored together; a team of one entrant is a group of one.
        games: Number of games, in each of which every entrant of the board took part.
        faulted: Whether any game had a fault.
        forfeited: Entrants that forfeited a game of the board.
    """

    competition: str
    number: int
    points: Mapping[str, float]
    places: Mapping[str, float]
    groups: tuple[tuple[str, ...], ...]
    games: int
    faulted: bool = False
    forfeited: frozenset[str] = frozenset()

    def merit(self, entrant: str, scored_by: ScoredBy) -> float:
        """What an entrant has earned per game; more is better, so places count below zero."""
        if scored_by == "points":
            return self.points[entrant] / self.games
        return -self.places[entrant] / self.games


def fold(games: Iterable[FinishedGame], groups: Groups, seatings: int) -> list[Board]:
    """Sum games to boards; boards of which a seating is missing are left out.

    Args:
        games: Games of one competition, those of a board one after another.
        groups: Seats that score together.
        seatings: How many seatings a board has.
    """
    boards = []
    for (competition, number), members in groupby(games, key=lambda game: (game.competition, game.board)):
        played = list(members)
        if len({game.seating for game in played}) == seatings:
            boards.append(_board(competition, number, played, groups))
    return boards


def game_points(game: FinishedGame, groups: Groups) -> dict[str, float]:
    """Points of each entrant of one game: its group's, the mean where it holds several, and less when it forfeited.

    A forfeit gets the lower of its own points and the lowest of the others'; the others keep theirs.
    """
    points = _means(game, groups, _group_points(game, groups))
    return points | {name: min(points.values()) for name in _forfeited(game)}


def game_places(game: FinishedGame, groups: Groups) -> dict[str, float]:
    """Place of each entrant of one game, 1 best; ties share their mean place and forfeits are last.

    An entrant that holds several groups has the mean of their places.
    """
    forfeited = _forfeited(game)
    keys = []
    for group, score in zip(groups, _group_points(game, groups), strict=True):
        lost = all(game.seats[seat] in forfeited for seat in group)
        # Two forfeits are equally last, whatever they scored.
        keys.append((lost, 0 if lost else -score))
    places = _means(
        game, groups, [sum(other < key for other in keys) + (keys.count(key) + 1) / 2 for key in keys]
    )
    saved = {
        game.seats[seat] for group, key in zip(groups, keys, strict=True) if not key[0] for seat in group
    }
    return places | dict.fromkeys(forfeited & saved, float(len(groups)))


def _means(game: FinishedGame, groups: Groups, values: Sequence[float]) -> dict[str, float]:
    """The mean for each entrant over the groups that it holds."""
    held: dict[str, list[float]] = {}
    for group, value in zip(groups, values, strict=True):
        for name in {game.seats[seat] for seat in group}:
            held.setdefault(name, []).append(value)
    return {
        name: of_one[0] if len(of_one) == 1 else sum(of_one) / len(of_one) for name, of_one in held.items()
    }


def _board(competition: str, number: int, games: Sequence[FinishedGame], groups: Groups) -> Board:
    points: dict[str, float] = {}
    places: dict[str, float] = {}
    for game in games:
        for totals, of_game in ((points, game_points(game, groups)), (places, game_places(game, groups))):
            for entrant, value in of_game.items():
                totals[entrant] = totals.get(entrant, 0) + value
    sides = {tuple(sorted({games[0].seats[seat] for seat in group})) for group in groups}
    return Board(
        competition=competition,
        number=number,
        points=dict(sorted(points.items())),
        places=dict(sorted(places.items())),
        groups=tuple(sorted(sides)),
        games=len(games),
        faulted=any(game.faults for game in games),
        forfeited=frozenset(name for game in games for name in _forfeited(game)),
    )


def _group_points(game: FinishedGame, groups: Groups) -> list[int]:
    if len(game.scores) == len(groups):
        return list(game.scores)
    return [sum(game.scores[seat] for seat in group) for group in groups]


def _forfeited(game: FinishedGame) -> set[str]:
    return {game.seats[seat] for seat in game.forfeits}
