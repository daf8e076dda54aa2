"""Simulated tournaments: real plans and real boards, of games whose points are drawn instead of played.

A side's points in a game are its strength, the luck of its seat and cards (one value for each seat of a board, the
same at all its seatings) and a noise of its own, less the table's mean. The constants come from 432 real games of
greedy, a second greedy, counter and search, the four example bots: 60 boards of Trix (one table), 60 boards of Trix
with partners (six pairs, 10 boards each), 24 boards of Vytrix with three players (four tables, 6 boards each). Each
entrant's points were taken from its mean at the same table; what different entrants got from the same seat of the same
board was compared by one-way analysis of variance.

    trix                 luck  89, noise 180, correlation of the same seat 0.20, skew -0.08, kurtosis 2.96
    trix, partners       luck 144, noise 191, correlation of the same seat 0.36, skew  0.00, kurtosis 2.51
    vytrix, 3 players    luck 6.5, noise 11.8, correlation of the same seat 0.23, skew -0.21, kurtosis 6.48
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.boards import fold
from referee.schedule import make_plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from referee.boards import Board, Groups
    from referee.schedule import BoardPlan, Plan, Rotations, Schedule, Tables, Teams

__all__ = ["PARTNERS", "POINT", "TRIX", "VYTRIX", "Field", "Game", "Kind", "boards_of", "names", "play"]

#: Scores are whole numbers, so they count thousandths of a point: rounding then plays no part.
POINT = 1000


@dataclass(frozen=True, slots=True)
class Kind:
    """A game, as far as its points go.

    Args:
        name: What it is.
        groups: Seats that score together.
        luck: Standard deviation of what a side's seat and cards are worth, in points per game.
        noise: The same of what is left.
        tail: Games are calm or wild by the flip of a coin: their noise has the variance 1 - tail or 1 + tail.
        places: What each side's place at the table is worth by itself; 0 where absent.
    """

    name: str
    groups: Groups
    luck: float
    noise: float
    tail: float = 0.0
    places: tuple[float, ...] = ()

    @property
    def seats(self) -> int:
        """Seats of the game."""
        return sum(map(len, self.groups))


_SINGLE = ((0,), (1,), (2,), (3,))
_SIDES = ((0, 2), (1, 3))
# Where points add up to zero, part of both deviations goes into the others' points: it is put back here.
TRIX = Kind("trix", _SINGLE, luck=89 * math.sqrt(4 / 3), noise=180 * math.sqrt(4 / 3))
PARTNERS = Kind("trix, partners", _SIDES, luck=144 * math.sqrt(2), noise=191 * math.sqrt(2))
# Within a seat and board the kurtosis is 4.0, which this tail gives; the rest is the tables' unequal spread.
VYTRIX = Kind("vytrix, 3 players", _SINGLE[:3], luck=6.5, noise=11.8, tail=0.58)


@dataclass(frozen=True, slots=True)
class Game:
    """A simulated game; see `referee.boards.FinishedGame`."""

    competition: str
    board: int
    seating: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    forfeits: tuple[int, ...] = ()
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """A competition.

    Args:
        size: Number of entrants.
        kind: What they play.
        boards: As in the tournament file.
        schedule, teams, tables, rotations: The same.
    """

    size: int
    kind: Kind
    boards: int
    schedule: Schedule = "round-robin"
    teams: Teams = "none"
    tables: Tables | None = None
    rotations: Rotations = "cyclic"

    def plan(self, boards: int | None = None) -> Plan:
        """The plan that a tournament file would get, of other boards than the field's if asked."""
        return make_plan(
            self.schedule,
            names(self.size),
            self.kind.seats,
            boards or self.boards,
            teams=self.teams,
            rotations=self.rotations,
            tables=self.tables,
        )

    @property
    def label(self) -> str:
        """How it is called in tables."""
        form = "whist" if self.schedule == "whist" else self.tables or self.teams
        return f"{self.size} entrants, {self.kind.name}" + ("" if form == "none" else f" ({form})")

    @property
    def board_noise(self) -> float:
        """Standard deviation of an entrant's noise in one complete board, in points per game."""
        plan = self.plan(1)
        held = max(1.0, len(self.kind.groups) / plan.table)
        return self.kind.noise / math.sqrt(held * plan.seatings)

    @property
    def game_deviation(self) -> float:
        """Standard deviation of what one of two entrants has over the other in a single game without duplicates."""
        some = len(self.kind.groups) // 2
        others = len(self.kind.groups) - some
        return math.hypot(self.kind.luck, self.kind.noise) * math.sqrt(1 / some + 1 / others)


def names(size: int) -> tuple[str, ...]:
    """Names of so many entrants."""
    return tuple(f"bot{number:02}" for number in range(size))


def play(
    boards: Iterable[BoardPlan], strengths: Mapping[str, float], kind: Kind, rng: Random | None
) -> list[Game]:
    """Play boards.

    Args:
        boards: From a plan.
        strengths: Of the entrants, in points per game.
        kind: What is played.
        rng: Where luck and noise come from; None: there are none, and each gets what it deserves.
    """
    return [game for board in boards for game in _games(board, strengths, kind, rng)]


def boards_of(games: Iterable[Game], kind: Kind, seatings: int) -> list[Board]:
    """Fold simulated games to boards."""
    return fold(games, kind.groups, seatings)


def _games(board: BoardPlan, strengths: Mapping[str, float], kind: Kind, rng: Random | None) -> list[Game]:
    worth = kind.places or (0.0,) * len(kind.groups)
    luck = [place + (0.0 if rng is None else rng.gauss(0, kind.luck)) for place in worth]
    games = []
    for number, seats in enumerate(board.seatings):
        noise = kind.noise
        if kind.tail and rng is not None:
            noise *= math.sqrt(1 + (kind.tail if rng.random() < 0.5 else -kind.tail))
        points = [
            sum(strengths[seats[seat]] for seat in group) / len(group)
            + lot
            + (0.0 if rng is None else rng.gauss(0, noise))
            for group, lot in zip(kind.groups, luck, strict=True)
        ]
        middle = sum(points) / len(points)
        scores = tuple(round(POINT * (value - middle)) for value in points)
        games.append(Game("simulated", board.number, number, seats, scores))
    return games
