"""Plans that are known before the first deal: a design, gone through as often as asked.

Owns the numbering of boards and rounds and the count of the whole plan. A board follows from its number alone, so a
plan of a million games starts at once and goes on from any board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from referee.schedule.counting import Tally
from referee.schedule.plan import BoardPlan, Rotations, Teams, patterns, seatings, seatings_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from referee.boards import Board
    from referee.schedule.counting import Certificate
    from referee.schedule.groups import TableGroups

T = TypeVar("T")

__all__ = ["AllTables", "Design", "FixedPlan", "Listed"]


class Design(Protocol):
    """Who meets whom, in rounds; entrants are numbers from 0."""

    @property
    def rounds(self) -> int:
        """How many rounds the design has, after which it begins again."""

    @property
    def boards_in_round(self) -> int:
        """How many tables each round has."""

    @property
    def note(self) -> str:
        """What design it is."""

    def table(self, number: int, group: int) -> tuple[int, ...]:
        """Those that meet at a table of a round, in an order that matters for seats."""

    def shift(self, number: int, group: int) -> int:
        """How many patterns further this table is seated."""


@dataclass(frozen=True, slots=True)
class AllTables:
    """Every choice of entrants once: a round of them all."""

    groups: TableGroups
    note: str = ""
    rounds: int = 1

    @property
    def boards_in_round(self) -> int:
        """How many choices there are."""
        return len(self.groups)

    def table(self, number: int, group: int) -> tuple[int, ...]:  # noqa: ARG002 - every round is the same
        """The choice of this number."""
        return self.groups[group]

    def shift(self, number: int, group: int) -> int:  # noqa: ARG002
        """None: each round has its pattern."""
        return 0


@dataclass(frozen=True, slots=True)
class Listed:
    """A design that is written out, round by round.

    Args:
        tables: By round and group.
        note: What design it is.
        shifts: Of the patterns, by round and group; None: by one each round.
    """

    tables: tuple[tuple[tuple[int, ...], ...], ...]
    note: str = ""
    shifts: tuple[tuple[int, ...], ...] | None = None

    @property
    def rounds(self) -> int:
        """How many rounds are written out."""
        return len(self.tables)

    @property
    def boards_in_round(self) -> int:
        """How many tables the first round has, and so every other."""
        return len(self.tables[0])

    def table(self, number: int, group: int) -> tuple[int, ...]:
        """The table as it is written."""
        return self.tables[number][group]

    def shift(self, number: int, group: int) -> int:
        """As it is written, or the number of the round."""
        return number if self.shifts is None else self.shifts[number][group]


@dataclass(frozen=True, slots=True)
class FixedPlan:
    """A design, gone through a number of times.

    Args:
        entrants: In the order of the file.
        seats: Seats of the game.
        design: Who meets whom; its numbers are places among the entrants, or among all but the hero.
        times: How often the design is gone through; a greater number adds rounds and changes no board.
        teams: Who holds the seats of a side.
        rotations: ``cyclic``: a board is played with every entrant, or side, in every seat.
        hero: Sits at every table, beside those that the design chooses.
    """

    entrants: tuple[str, ...]
    seats: int
    design: Design
    times: int
    teams: Teams = "none"
    rotations: Rotations = "cyclic"
    hero: str | None = None

    @property
    def table(self) -> int:
        """How many entrants meet at a table."""
        return 2 if self.teams == "same" else self.seats

    @property
    def seatings(self) -> int:
        """How many seatings each board has."""
        return seatings_of(self.seats, self.teams, self.rotations)

    @property
    def is_adaptive(self) -> bool:
        """Never."""
        return False

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.design.rounds * self.times

    @property
    def boards_in_round(self) -> int:
        """How many boards each round has."""
        return self.design.boards_in_round

    @property
    def games(self) -> int:
        """How many games the plan has."""
        return len(self) * self.seatings

    def __len__(self) -> int:
        """How many boards the plan has."""
        return self.rounds * self.boards_in_round

    def __iter__(self) -> Iterator[BoardPlan]:
        return (self.board(number) for number in range(len(self)))

    def round(
        self,
        number: int,
        past: Sequence[Board] = (),  # noqa: ARG002 - the plan is fixed
        absent: Collection[str] = (),  # noqa: ARG002
    ) -> tuple[BoardPlan, ...]:
        """Return the boards of one round.

        Raises:
            IndexError: The plan has no such round.
        """
        if not 0 <= number < self.rounds:
            raise IndexError(number)
        first = number * self.boards_in_round
        return tuple(self.board(first + group) for group in range(self.boards_in_round))

    def board(self, number: int) -> BoardPlan:
        """Return the board of this number.

        Raises:
            IndexError: The plan has no such board.
        """
        if not 0 <= number < len(self):
            raise IndexError(number)
        round_number, group = divmod(number, self.boards_in_round)
        time, within = divmod(round_number, self.design.rounds)
        table = self._names(self.design.table(within, group))
        pattern = time + self.design.shift(within, group)
        return BoardPlan(number, round_number, group, self._seat(table, pattern))

    def certificate(self) -> Certificate:
        """What the whole plan gives to each entrant, counted over its different boards."""
        period = patterns(self.seats, self.teams, self.rotations)
        alike: dict[int, list[tuple[str, ...]]] = {}
        for within in range(self.design.rounds):
            for group in range(self.boards_in_round):
                shift = self.design.shift(within, group) % period
                alike.setdefault(shift, []).append(self._names(self.design.table(within, group)))
        tally = Tally(self.entrants, self.teams)
        for shift, tables in alike.items():
            by_pattern = [
                (self._seat(range(self.table), shift + time), len(range(time, self.times, period)))
                for time in range(min(self.times, period))
            ]
            tally.add_alike(tables, by_pattern)
        return tally.certificate(self.design.note, self.hero)

    def _names(self, places: Sequence[int]) -> tuple[str, ...]:
        if self.hero is None:
            return tuple(self.entrants[place] for place in places)
        field = [name for name in self.entrants if name != self.hero]
        return (self.hero, *(field[place] for place in places))

    def _seat(self, table: Sequence[T], pattern: int) -> tuple[tuple[T, ...], ...]:
        return seatings(table, self.seats, self.teams, self.rotations, pattern)
