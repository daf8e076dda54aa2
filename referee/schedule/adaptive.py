"""Plans that seat each round by what was played before: swiss and ladder.

Owns who meets whom, given standings. A round follows from the complete boards before it and from nothing else; ties
are broken by a hash of name and round, so the order of entrants and of boards has no influence.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from referee.ratings import Environment, Match, Rating, sequence
from referee.schedule.counting import Certificate
from referee.schedule.plan import BoardPlan, Rotations, ScheduleError, Teams, seatings, seatings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from referee.boards import Board, ScoredBy

__all__ = ["AdaptivePlan"]

_ENVIRONMENT = Environment(tau=0.0, draw_probability=0.1)
#: How far down the standings a table of a swiss round looks for its others, and how many tables it tries in all.
_WINDOW, _TRIES = 4, 3_000


@dataclass(frozen=True, slots=True)
class AdaptivePlan:
    """Everybody plays once a round, but for those whom no table has room for.

    Args:
        entrants: In the order of the file.
        seats: Seats of the game.
        rounds: How many rounds there are.
        kind: ``swiss``: grouped by standing, no table twice while that can be; ``ladder``: neighbours meet, where
            most is to be learned.
        teams: Who holds the seats of a side; partners never change.
        rotations: ``cyclic``: a board is played with every entrant, or side, in every seat.
        scored_by: What boards are ranked by.
    """

    entrants: tuple[str, ...]
    seats: int
    rounds: int
    kind: Literal["swiss", "ladder"]
    teams: Teams = "none"
    rotations: Rotations = "cyclic"
    scored_by: ScoredBy = "points"
    #: The boards of the last call and what they gave: rounds are asked one after another.
    _rated: list[tuple[tuple[Board, ...], dict[str, Rating]]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

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
        """Always."""
        return True

    @property
    def boards_in_round(self) -> int:
        """How many tables a round has while nobody has left."""
        return len(self.entrants) // self.table

    @property
    def games(self) -> int:
        """How many games the plan has while nobody has left."""
        return len(self) * self.seatings

    def __len__(self) -> int:
        """How many boards the plan has while nobody has left."""
        return self.rounds * self.boards_in_round

    def board(self, number: int) -> BoardPlan:
        """Adaptive plans have no board before its round.

        Raises:
            ScheduleError: Always.
        """
        raise ScheduleError(
            f"board {number} of a {self.kind} follows from the boards before it: ask for its round"
        )

    def round(
        self, number: int, past: Sequence[Board] = (), absent: Collection[str] = ()
    ) -> tuple[BoardPlan, ...]:
        """Return the boards of one round.

        Args:
            number: Of the round.
            past: Complete boards, in any order; those of this round and later ones are not looked at.
            absent: Not seated.

        Raises:
            IndexError: The plan has no such round.
        """
        if not 0 <= number < self.rounds:
            raise IndexError(number)
        first = number * self.boards_in_round
        before = tuple(sorted((one for one in past if one.number < first), key=lambda one: one.number))
        ratings = self._ratings(before)
        lots = {name: _lot(name, number) for name in self.entrants}
        busy = Counter(name for board in before for name in board.points)
        there = sorted(
            (name for name in self.entrants if name not in absent), key=lambda name: (busy[name], lots[name])
        )
        playing = there[: len(there) // self.table * self.table]
        ladder = sorted(playing, key=lambda name: (-round(ratings[name].mu, 6), lots[name]))
        if self.kind == "swiss":
            tables = _swiss(ladder, self.table, before)
        else:
            tables = _ladder(ladder, self.table, before, ratings)
        return tuple(
            BoardPlan(
                first + group,
                number,
                group,
                seatings(
                    sorted(table, key=lots.__getitem__),
                    self.seats,
                    self.teams,
                    self.rotations,
                    number + group,
                ),
            )
            for group, table in enumerate(tables)
        )

    def certificate(self) -> Certificate:
        """What holds whatever the results are, while nobody has left."""
        boards = len(self)
        least, rest = divmod(boards * self.table, len(self.entrants))
        busiest = least + (rest > 0)
        meetings = (boards, boards) if len(self.entrants) == self.table else (0, self.rounds)
        games = busiest * self.seatings
        # With rotations everyone of a board sits in every seat equally often.
        seat = (
            (least * self.seatings // self.table, games // self.table)
            if self.rotations == "cyclic"
            else (0, games)
        )
        if self.teams == "same" and self.seats % 2 and self.rotations == "cyclic":
            seat = (least * self.seats, busiest * self.seats)
        return Certificate(
            games=self.games,
            boards=boards,
            meetings=meetings,
            partnerships=(0, 0),
            oppositions=meetings,
            seats=seat,
            follows=(0, games * self.seats // 2),
            sit_outs=(boards - busiest, boards - least),
            note=f"{self.kind}: tables follow from results; these are bounds for any course without a departure",
        )

    def _ratings(self, boards: tuple[Board, ...]) -> dict[str, Rating]:
        """One pass over all boards by number; goes on from the last call where its boards come first here."""
        known, ratings = self._rated[-1] if self._rated else ((), {})
        if boards[: len(known)] != known:
            known, ratings = (), {}
        ratings = sequence(
            [_match(board, self.scored_by) for board in boards[len(known) :] if len(board.groups) > 1],
            _ENVIRONMENT,
            ratings,
        )
        self._rated[:] = [(boards, ratings)]
        return {name: ratings.get(name, _ENVIRONMENT.prior) for name in self.entrants}


def _swiss(ladder: Sequence[str], size: int, past: Iterable[Board]) -> list[tuple[str, ...]]:
    """Tables from the top: the best that is free, and others near it, by a search that takes no table twice.

    Gives up after some tries, and then takes the nearest tables whether they are new or not.
    """
    played = {frozenset(board.points) for board in past}
    met = _met(past)
    tries = 0

    def choices(left: Sequence[str]) -> list[tuple[str, ...]]:
        window = range(1, min(len(left), size + (_WINDOW if size > 2 else len(left))))
        found = [(0, *rest) for rest in combinations(window, size - 1)]
        tables = [(sum(places), tuple(left[place] for place in places)) for places in found]
        costs = sorted(
            (away + 2 * sum(met[_pair(a, b)] for a, b in combinations(table, 2)), number)
            for number, (away, table) in enumerate(tables)
        )
        return [tables[number][1] for _, number in costs]

    chosen: list[tuple[str, ...]] = []
    waiting: list[list[tuple[str, ...]]] = []
    left = list(ladder)
    while left:
        if len(waiting) == len(chosen):
            waiting.append([table for table in choices(left) if frozenset(table) not in played][::-1])
        if waiting[-1] and tries < _TRIES:
            tries += 1
            chosen.append(waiting[-1].pop())
        else:
            waiting.pop()
            if not chosen or tries >= _TRIES:
                return _nearest(ladder, choices)
            chosen.pop()
        seated = {name for table in chosen for name in table}
        left = [name for name in ladder if name not in seated]
    return chosen


def _nearest(
    ladder: Sequence[str], choices: Callable[[Sequence[str]], list[tuple[str, ...]]]
) -> list[tuple[str, ...]]:
    tables, left = [], list(ladder)
    while left:
        table = choices(left)[0]
        tables.append(table)
        left = [name for name in left if name not in table]
    return tables


def _ladder(
    ladder: Sequence[str], size: int, past: Iterable[Board], ratings: dict[str, Rating]
) -> list[tuple[str, ...]]:
    """Tables of neighbours, where most is to be learned.

    The least known that is free chooses among the runs of free neighbours around it the one with the greatest match
    quality times variance, the variance of two shared by how often they have met.
    """
    met = _met(past)
    worths: dict[tuple[str, ...], float] = {}

    def worth(table: tuple[str, ...]) -> float:
        if table not in worths:
            unknown = sum(
                (ratings[a].sigma ** 2 + ratings[b].sigma ** 2) / (1 + met[_pair(a, b)])
                for a, b in combinations(table, 2)
            )
            worths[table] = round(unknown * _ENVIRONMENT.quality([[ratings[name]] for name in table]), 6)
        return worths[table]

    tables, left = [], list(ladder)
    while left:
        seed = max(range(len(left)), key=lambda place: (round(ratings[left[place]].sigma, 6), -place))
        starts = range(max(0, seed - size + 1), min(seed, len(left) - size) + 1)
        table = max((tuple(left[start : start + size]) for start in starts), key=worth)
        tables.append(table)
        left = [name for name in left if name not in table]
    return tables


def _met(past: Iterable[Board]) -> Counter[tuple[str, str]]:
    return Counter(_pair(a, b) for board in past for a, b in combinations(board.points, 2))


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _lot(name: str, number: int) -> bytes:
    return hashlib.sha256(f"{number}\n{name}".encode()).digest()


def _match(board: Board, scored_by: ScoredBy) -> Match:
    """The board as a match; tied groups stand by lot."""
    merits = {group: sum(board.merit(name, scored_by) for name in group) for group in board.groups}
    groups = sorted(merits, key=lambda group: (-merits[group], _lot("\n".join(group), board.number)))
    return Match(
        tuple(groups), tuple(float(sum(other > merits[one] for other in merits.values())) for one in groups)
    )
