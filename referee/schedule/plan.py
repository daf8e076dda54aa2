"""What a plan is: boards by number, in rounds, each with its seatings; and how the entrants of a table are seated.

Owns the words of the package and the seatings. Chooses nobody: which entrants meet is the business of the designs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from referee.boards import Board
    from referee.schedule.counting import Certificate

__all__ = [
    "BoardPlan",
    "Plan",
    "Rotations",
    "Schedule",
    "ScheduleError",
    "Tables",
    "Teams",
    "patterns",
    "seatings",
    "seatings_of",
]

Schedule: TypeAlias = Literal["round-robin", "whist", "gauntlet", "swiss", "ladder"]
Teams: TypeAlias = Literal["none", "same", "whist"]
Tables: TypeAlias = Literal["all", "balanced"]
Rotations: TypeAlias = Literal["none", "cyclic"]
T = TypeVar("T")


class ScheduleError(RefereeError):
    """There is no such plan: what is asked does not fit together."""


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """One board: who sits where at each of its seatings.

    Args:
        number: Number of the board in its competition.
        round: Number of its round.
        group: Number of the board in its round.
        seatings: Entrants by seat, for each seating.
    """

    number: int
    round: int
    group: int
    seatings: tuple[tuple[str, ...], ...]


class Plan(Protocol):
    """The plan of one competition; nothing of it is drawn, and the same arguments give the same plan."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """All entrants, in the order of the file."""

    @property
    def seats(self) -> int:
        """Seats of the game."""

    @property
    def teams(self) -> Teams:
        """Who holds the seats of a side."""

    @property
    def table(self) -> int:
        """How many entrants meet at a table."""

    @property
    def seatings(self) -> int:
        """How many seatings, which is games, each board has."""

    @property
    def is_adaptive(self) -> bool:
        """Whether rounds depend on earlier boards."""

    @property
    def rounds(self) -> int:
        """How many rounds there are."""

    @property
    def boards_in_round(self) -> int:
        """How many boards each round has; fewer where entrants are absent from an adaptive plan."""

    @property
    def games(self) -> int:
        """How many games the plan has."""

    def __len__(self) -> int:
        """How many boards the plan has."""

    def round(
        self, number: int, past: Sequence[Board] = (), absent: Collection[str] = ()
    ) -> tuple[BoardPlan, ...]:
        """Return the boards of one round; the number of a board is round * boards_in_round + group.

        Args:
            number: Of the round, from 0.
            past: Complete boards of earlier rounds, in any order; only adaptive plans look at them.
            absent: Entrants that have left; adaptive plans do not seat them, the others do not look.

        Raises:
            IndexError: The plan has no such round.
        """

    def board(self, number: int) -> BoardPlan:
        """Return the board of this number.

        Raises:
            IndexError: The plan has no such board.
            ScheduleError: The plan is adaptive.
        """

    def certificate(self) -> Certificate:
        """What the whole plan gives to each entrant; of an adaptive plan, what holds for any course."""


def seatings_of(seats: int, teams: Teams, rotations: Rotations) -> int:
    """How many seatings a board has."""
    if rotations == "none":
        return 1
    match teams:
        case "whist":
            return 2
        case "same":
            return 2 if seats % 2 == 0 else 2 * seats
        case "none":
            return seats


def patterns(seats: int, teams: Teams, rotations: Rotations) -> int:
    """After how many patterns `seatings` comes back to the first."""
    match teams:
        case "whist":
            return 8
        case "same":
            return 2 if seats % 2 == 0 else 2 * seats
        case "none":
            orders = len(list(permutations(range(1, seats))))
            return orders if rotations == "cyclic" else orders * seats


def seatings(
    table: Sequence[T], seats: int, teams: Teams, rotations: Rotations, pattern: int
) -> tuple[tuple[T, ...], ...]:
    """All seatings of a table; the circular order and the first seat change by pattern.

    Args:
        table: Those that meet; with whist, partners stand apart by two.
        seats: Seats of the game.
        teams: Who holds the seats of a side.
        rotations: Whether everyone of the table sits in every seat.
        pattern: From 0; the number of the round, in plain plans.
    """
    count = seatings_of(seats, teams, rotations)
    if teams == "whist":
        first, second, third, fourth = table
        circle = (first, second, third, fourth) if pattern // 4 % 2 == 0 else (third, second, first, fourth)
        return tuple(_turned(circle, pattern % 4 + seating) for seating in range(count))
    if teams == "same" and seats % 2:
        one, other = table
        sides = [(alone, *[pair] * (seats - 1)) for alone, pair in ((one, other), (other, one))]
        every = [_turned(side, seat) for seat in range(seats) for side in sides]
        first_seating = pattern % len(every)
        return tuple((every[first_seating:] + every[:first_seating])[:count])
    size = len(table)
    orders = list(permutations(table[1:]))
    order = pattern // (1 if rotations == "cyclic" else size)
    whole = (table[0], *orders[order % len(orders)]) * (seats // size)
    return tuple(_turned(whole, pattern % size + seating) for seating in range(count))


def _turned(circle: Sequence[T], by: int) -> tuple[T, ...]:
    """Everyone moves up by so many seats."""
    return tuple(circle[(seat - by) % len(circle)] for seat in range(len(circle)))
