"""Who plays whom, where, on which board: the plan of one competition, and its certificate.

Pure and resumable: the number of a board tells everything about it, nothing is drawn and nothing remembered, so a
plan of a million games starts at once and goes on from any board. Boards go round by round: a round is one board
for each table group, so that a plan that is cut anywhere is nearly balanced. Knows no game and plays nothing.

    ScheduleError    there is no such plan: what is asked does not fit together
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import comb, factorial, gcd
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "BoardPlan",
    "Certificate",
    "Plan",
    "Rotations",
    "ScheduleError",
    "TableGroups",
    "Teams",
    "certificate",
]

Teams: TypeAlias = Literal["none", "same"]
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
        group: Number of its table group.
        seatings: Entrants by seat, for each seating.
    """

    number: int
    round: int
    group: int
    seatings: tuple[tuple[str, ...], ...]


class TableGroups:
    """All ways to choose the entrants of a table, by number, in an order that keeps everyone busy alike.

    Entrants stand in a circle. A choice and its turns around the circle follow one another, so in every n choices
    each entrant takes each place once; the few choices that come back to themselves before a whole turn stand last.
    Two at a table follow a circle's own plan (Berger): in each round everyone plays once.

    Args:
        entrants: How many there are.
        size: How many a table takes.
    """

    __slots__ = ("_entrants", "_size", "_step", "_tail", "_turned")

    def __init__(self, entrants: int, size: int) -> None:
        self._entrants, self._size = entrants, size
        self._turned: list[tuple[int, ...]] = []
        self._tail: list[tuple[int, ...]] = []
        self._step = _coprime(size, entrants)
        if size == 2:
            return
        for rest in combinations(range(1, entrants), size - 1):
            choice = (0, *rest)
            gaps = [after - before for before, after in zip(choice, (*rest, entrants), strict=True)]
            turns = [gaps[start:] + gaps[:start] for start in range(size)]
            if gaps != min(turns):
                continue
            period = next(start for start in range(1, size + 1) if turns[start % size] == gaps)
            if period == size:
                self._turned.append(choice)
            else:
                self._tail += [self._turn(choice, by) for by in range(sum(gaps[:period]))]
        stride = _coprime(round(len(self._turned) * 0.618), len(self._turned))
        self._turned = [self._turned[i * stride % len(self._turned)] for i in range(len(self._turned))]

    def __len__(self) -> int:
        return comb(self._entrants, self._size)

    def __getitem__(self, number: int) -> tuple[int, ...]:
        if not 0 <= number < len(self):
            raise IndexError(number)
        if self._size == 2:
            return self._pair(number)
        choice, by = divmod(number, self._entrants)
        if choice < len(self._turned):
            return self._turn(self._turned[choice], by)
        return self._tail[number - len(self._turned) * self._entrants]

    def _turn(self, choice: Sequence[int], by: int) -> tuple[int, ...]:
        return tuple((place + by * self._step) % self._entrants for place in choice)

    def _pair(self, number: int) -> tuple[int, ...]:
        odd = self._entrants % 2
        circle = self._entrants - 1 + odd
        turn, table = divmod(number, self._entrants // 2)
        table += odd
        pair = ((turn + table) % circle, (turn - table) % circle) if table else (turn, circle)
        # Turn and table alternate who sits first.
        return pair if (turn + table) % 2 == 0 else pair[::-1]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of one competition: a round robin over all table groups.

    Args:
        entrants: In the order of the file; at least as many as a table takes.
        seats: Seats of the game.
        boards_per_group: Boards of each table group; a greater number adds rounds and changes no board.
        teams: ``same``: one entrant holds every other seat, two play each other.
        rotations: ``cyclic``: a board is played once with every entrant in every seat.

    Raises:
        ScheduleError: There is no such plan.
    """

    entrants: tuple[str, ...]
    seats: int
    boards_per_group: int
    teams: Teams = "none"
    rotations: Rotations = "cyclic"
    _groups: TableGroups = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        twice = [name for name, times in Counter(self.entrants).items() if times > 1]
        if twice:
            raise ScheduleError(f"{twice[0]!r} stands twice among the entrants")
        if self.teams == "same" and self.seats % 2:
            raise ScheduleError(f'teams = "same" needs an even number of seats, not {self.seats}')
        if len(self.entrants) < self.table:
            raise ScheduleError(f"a table takes {self.table} entrants, there are {len(self.entrants)}")
        if self.boards_per_group < 1:
            raise ScheduleError("there must be at least one board for each table group")
        object.__setattr__(self, "_groups", TableGroups(len(self.entrants), self.table))

    @property
    def table(self) -> int:
        """How many entrants meet at a table."""
        return 2 if self.teams == "same" else self.seats

    @property
    def seatings(self) -> int:
        """How many seatings each board has."""
        return self.table if self.rotations == "cyclic" else 1

    @property
    def groups(self) -> int:
        """How many table groups there are, which is the number of boards in a round."""
        return len(self._groups)

    @property
    def games(self) -> int:
        """How many games the plan has."""
        return len(self) * self.seatings

    def __len__(self) -> int:
        """How many boards the plan has."""
        return self.groups * self.boards_per_group

    def __iter__(self) -> Iterator[BoardPlan]:
        return (self.board(number) for number in range(len(self)))

    def boards_of(self, group: int) -> range:
        """The numbers of a table group's boards."""
        return range(group, len(self), self.groups)

    def board(self, number: int) -> BoardPlan:
        """Return the board of this number.

        Raises:
            IndexError: The plan has no such board.
        """
        if not 0 <= number < len(self):
            raise IndexError(number)
        round_number, group = divmod(number, self.groups)
        table = [self.entrants[place] for place in self._groups[group]]
        return BoardPlan(number, round_number, group, self._seat(table, round_number))

    def certificate(self) -> Certificate:
        """What the whole plan gives to each entrant, without walking through it."""
        entrants, table, rounds = len(self.entrants), self.table, self.boards_per_group
        places = Counter((who, place) for group in self._places() for place, who in enumerate(group))
        seats: Counter[tuple[int, int]] = Counter()
        for first in range(min(rounds, factorial(table))):
            times = len(range(first, rounds, factorial(table)))
            for seating in self._seat(range(table), first):
                for seat, place in enumerate(seating):
                    for who in range(entrants):
                        seats[who, seat] += places[who, place] * times
        counts = [seats[who, seat] for who in range(entrants) for seat in range(self.seats)]
        meetings = comb(entrants - 2, table - 2) * rounds * self.seatings
        sit_outs = comb(entrants - 1, table) * rounds
        return Certificate(
            games=self.games,
            boards=len(self),
            meetings=(meetings, meetings),
            seats=(min(counts), max(counts)),
            sit_outs=(sit_outs, sit_outs),
        )

    def _places(self) -> Iterator[tuple[int, ...]]:
        return (self._groups[group] for group in range(self.groups))

    def _seat(self, table: Sequence[T], round_number: int) -> tuple[tuple[T, ...], ...]:
        """All seatings of a table in this round; the circular order and the first seat change by round."""
        size = len(table)
        orders = list(permutations(table[1:]))
        turn, order = round_number % size, (round_number // (1 if self.rotations == "cyclic" else size))
        circle = (table[0], *orders[order % len(orders)]) * (self.seats // size)
        return tuple(
            tuple(circle[(seat - seating - turn) % self.seats] for seat in range(self.seats))
            for seating in range(self.seatings)
        )


@dataclass(frozen=True, slots=True)
class Certificate:
    """How even a plan is: least and greatest counts.

    Args:
        games: Number of games.
        boards: Number of boards.
        meetings: Games in which two entrants meet, least and greatest over all pairs.
        seats: Games of an entrant in a seat, least and greatest over all entrants and seats.
        sit_outs: Boards without an entrant, least and greatest over all entrants.
    """

    games: int
    boards: int
    meetings: tuple[int, int]
    seats: tuple[int, int]
    sit_outs: tuple[int, int]


def certificate(entrants: Sequence[str], boards: Iterable[BoardPlan]) -> Certificate:
    """Count what some boards, such as those that were played, give to each entrant.

    Args:
        entrants: All entrants, those too that do not sit at these boards.
        boards: At least one.
    """
    meetings: Counter[tuple[str, ...]] = Counter()
    seats: Counter[tuple[str, int]] = Counter()
    present: Counter[str] = Counter()
    games = total = seat_count = 0
    for board in boards:
        total += 1
        present.update(set(board.seatings[0]))
        for seating in board.seatings:
            games += 1
            seat_count = len(seating)
            seats.update((name, seat) for seat, name in enumerate(seating))
            meetings.update(combinations(sorted(set(seating)), 2))
    met = [meetings[pair] for pair in combinations(sorted(entrants), 2)]
    seated = [seats[name, seat] for name in entrants for seat in range(seat_count)]
    out = [total - present[name] for name in entrants]
    return Certificate(games, total, (min(met), max(met)), (min(seated), max(seated)), (min(out), max(out)))


def _coprime(near: int, to: int) -> int:
    """The least number from `near` up that has no common factor with `to`; 1 where that is little."""
    number = max(near, 1)
    while gcd(number, to) > 1:
        number += 1
    return number
