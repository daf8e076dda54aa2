"""Few tables at which every pair meets about as often: base blocks, developed around a circle.

A base block is a table of places on a circle; its turns make one round of n boards, in which everyone takes each place
once. How often two entrants meet depends on their distance alone, so a family of blocks is found by counting
distances: by a hill climb from fixed seeds, with the same result everywhere.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from referee.schedule.fixed import Listed
from referee.schedule.groups import TableGroups

__all__ = ["Developed", "balanced"]

#: Families that are known to be exact, each pair meeting once; the climb would miss some of them.
_EXACT = {
    (13, 4): ((0, 1, 3, 9),),
    (37, 4): ((0, 1, 3, 24), (0, 4, 26, 32), (0, 10, 18, 30)),
    (7, 3): ((0, 1, 3),),
    (13, 3): ((0, 1, 4), (0, 2, 7)),
}
#: AG(2, 3): each pair of nine meets once, each round plays everybody.
_PLANE_OF_NINE = (
    ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    ((3, 6, 0), (4, 7, 1), (5, 8, 2)),
    ((8, 0, 4), (1, 5, 6), (2, 3, 7)),
    ((0, 5, 7), (1, 3, 8), (6, 2, 4)),
)
#: Up to so many entrants each repetition of the design is another one, so that counts stay even over several.
_VARIED_UP_TO, _VARIED_TIMES = 40, 40
_SEEDS = 3


@dataclass(frozen=True, slots=True)
class Developed:
    """Base blocks and their turns; a round is one block's.

    Args:
        entrants: Places on the circle.
        blocks: One for each round.
        note: What design it is.
    """

    entrants: int
    blocks: tuple[tuple[int, ...], ...]
    note: str

    @property
    def rounds(self) -> int:
        """How many blocks there are."""
        return len(self.blocks)

    @property
    def boards_in_round(self) -> int:
        """How many turns a block has."""
        return self.entrants

    def shift(self, number: int, group: int) -> int:  # noqa: ARG002 - all turns of a block alike, so seats are even
        """Another pattern for each block."""
        return number

    def table(self, number: int, group: int) -> tuple[int, ...]:
        """A block, turned."""
        return tuple((place + group) % self.entrants for place in self.blocks[number])


def balanced(entrants: int, size: int, times: int) -> tuple[Developed | Listed, int]:
    """Find a balanced design.

    Args:
        entrants: At least as many as a table takes.
        size: How many a table takes: from 1 to 4.
        times: How often it shall be gone through.

    Returns:
        A design, and how often that is to be gone through: small ones are varied, and hold several times at once.
    """
    if size == 1:
        return Listed((tuple((place,) for place in range(entrants)),)), times
    if size == entrants:
        return Listed(((tuple(range(entrants)),),), "one table of all"), times
    if size == 2:
        return _berger(entrants), times
    if (entrants, size) == (6, 3):
        tables = [((5, by, (by + 1) % 5), (by, (by + 1) % 5, (by + 3) % 5)) for by in range(5)]
        return Listed(tuple(tables), "(6, 3, 2) design from Z_5 and one fixed"), times
    if (entrants, size) == (9, 3):
        return Listed(_PLANE_OF_NINE, "(9, 3, 1) design, the affine plane of order 3"), times
    exact = _EXACT.get((entrants, size))
    if exact:
        return Developed(entrants, exact, f"({entrants}, {size}, 1) design from Z_{entrants}"), times
    first = _first(entrants, size)
    many = _varied(entrants, first, times)
    return Developed(entrants, many, _note(entrants, size, first)), -(-times // (len(many) // len(first)))


def _note(entrants: int, size: int, blocks: tuple[tuple[int, ...], ...]) -> str:
    least, rest = divmod(len(blocks) * size * (size - 1), entrants - 1)
    if not rest:
        return f"({entrants}, {size}, {least}) design from Z_{entrants}"
    return (
        f"{len(blocks)} base block{'s' * (len(blocks) > 1)} in Z_{entrants} by hill climbing:"
        f" in one pass a pair meets {least} or {least + 1} times"
    )


def _berger(entrants: int) -> Listed:
    groups = TableGroups(entrants, 2)
    tables = entrants // 2
    return Listed(
        tuple(
            tuple(groups[turn * tables + table] for table in range(tables))
            for turn in range(len(groups) // tables)
        ),
        "Berger tables",
    )


def _first(entrants: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The fewest blocks that the climb finds."""
    count = -(-(entrants - 1) // (size * (size - 1)))
    while True:
        climb = _Climb(entrants, size, [0] * entrants)
        for seed in range(_SEEDS):
            if climb.run(count, seed):
                return climb.found
        count += 1


def _varied(entrants: int, first: tuple[tuple[int, ...], ...], times: int) -> tuple[tuple[int, ...], ...]:
    """The blocks of several repetitions, such that meetings stay even over all of them."""
    blocks = list(first)
    exact = len(first) * len(first[0]) * (len(first[0]) - 1) % (entrants - 1) == 0
    if entrants > _VARIED_UP_TO or exact:
        return first
    climb = _Climb(entrants, len(first[0]), [0] * entrants)
    climb.count(first)
    for time in range(1, min(times, _VARIED_TIMES)):
        more = first
        tries = ((seed, slack) for slack in (0, 1) for seed in range(_SEEDS))
        if any(climb.run(len(first), time * _SEEDS + seed, slack) for seed, slack in tries):
            more = climb.found
        blocks += more
        climb.count(more)
    return tuple(blocks)


@dataclass
class _Climb:
    """A hill climb for base blocks that keeps all distances within one of each other.

    Args:
        entrants: Places on the circle.
        size: Places of a block.
        met: How often entrants at each distance have met already; the distance of half a circle counts double,
            since each turn of a block comes upon such a pair from both ends.
        found: The blocks, after a run that succeeded.
    """

    entrants: int
    size: int
    met: list[int]
    found: tuple[tuple[int, ...], ...] = field(default=())

    def count(self, blocks: tuple[tuple[int, ...], ...]) -> None:
        """Count what these blocks give as met already."""
        for block in blocks:
            for place, other in ((a, b) for a in block for b in block if a < b):
                distance = self._distance(place - other)
                self.met[distance] += self._weight(distance)

    def run(self, count: int, seed: int, slack: int = 0) -> bool:
        """Look for so many blocks; with slack, counts may be off by that much."""
        n, size = self.entrants, self.size
        chance = random.Random(seed)
        met = list(self.met)
        blocks = [[0, *chance.sample(range(1, n), size - 1)] for _ in range(count)]
        distances = [self._distance(by) for by in range(n)]
        weights = [self._weight(distance) for distance in range(n)]
        for block in blocks:
            for i in range(size):
                for j in range(i):
                    distance = distances[(block[i] - block[j]) % n]
                    met[distance] += weights[distance]
        classes = range(1, n // 2 + 1)
        doubled = sum(met[distance] * (3 - weights[distance]) for distance in classes)
        least, rest = divmod(doubled, n - 1)
        most = least + (rest > 0)
        if n % 2 == 0 and least == most and least % 2 and not slack:
            return False
        least, most = least - slack, most + slack

        def off(times: int) -> int:
            return (least - times) ** 2 if times < least else (times - most) ** 2 if times > most else 0

        cost = sum(off(met[distance]) for distance in classes)
        for _ in range(4_000 if n <= 40 else 40_000):
            if cost == 0:
                self.found = tuple(tuple(block) for block in blocks)
                return True
            block = blocks[int(chance.random() * count)]
            place = 1 + int(chance.random() * (size - 1))
            new, old = 1 + int(chance.random() * (n - 1)), block[place]
            if new in block:
                continue
            change = 0
            others = [other for other in block if other != old]
            for moved, sign in ((old, -1), (new, 1)):
                for other in others:
                    distance = distances[moved - other]
                    before = met[distance]
                    met[distance] = before + sign * weights[distance]
                    change += off(met[distance]) - off(before)
            if change <= 0 or chance.random() < math.exp(-change / 0.3):
                block[place] = new
                cost += change
            else:
                for moved, sign in ((old, 1), (new, -1)):
                    for other in others:
                        distance = distances[moved - other]
                        met[distance] += sign * weights[distance]
        return False

    def _distance(self, by: int) -> int:
        return min(by % self.entrants, -by % self.entrants)

    def _weight(self, distance: int) -> int:
        return 2 if 2 * distance == self.entrants else 1
