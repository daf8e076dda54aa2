"""All ways to choose the entrants of a table, in an order that keeps everyone busy alike."""

from __future__ import annotations

from itertools import combinations
from math import comb, gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TableGroups"]


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


def _coprime(near: int, to: int) -> int:
    """The least number from `near` up that has no common factor with `to`; 1 where that is little."""
    number = max(near, 1)
    while gcd(number, to) > 1:
        number += 1
    return number
