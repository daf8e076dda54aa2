"""Whist designs: partners change, and everyone partners everyone else once and opposes everyone twice, where it can be.

A table is (a, b, c, d), a and c against b and d. Owns the constructions and the search where none is known; each
design is counted when it is built, and its note says what came out.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from referee.schedule.fixed import Listed
from referee.schedule.starters import DOUBLE, FIXED, STARTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["spread", "whist"]

_Table = tuple[int, ...]
_OPPOSED = ((0, 1), (1, 2), (2, 3), (3, 0))
_PARTNERED = ((0, 2), (1, 3))
#: Of a search, for each entrant; some five seconds for 200 entrants.
_STEPS = 150


def whist(entrants: int) -> Listed:
    """The best design that is known or found for so many entrants, at least four."""
    rounds: list[tuple[_Table, ...]]
    if entrants in DOUBLE:
        modulus, tables = DOUBLE[entrants]
        rounds = [(table,) for table in (t for by in range(modulus) for t in _turned(tables, by, modulus))]
        what = f"double whist design from Z_{modulus}"
    elif entrants in STARTERS:
        modulus = entrants - (entrants % 4 == 0)
        rounds = _developed(STARTERS[entrants], modulus)
        what = f"starter in Z_{modulus}"
    elif entrants % 4 == 1 and (field := _field(entrants)):
        rounds = _prime_power(field)
        what = f"whist design from GF({entrants})"
    else:
        modulus = entrants - (entrants % 4 == 0)
        rounds = _developed(_searched(entrants), modulus)
        what = f"local search in Z_{modulus}"
    partners, opponents = spread(entrants, rounds)
    fixed = entrants - 1 if entrants % 4 == 0 else entrants
    shifts = tuple(
        tuple(_shift(number, fixed in table) for table in one) for number, one in enumerate(rounds)
    )
    if entrants in DOUBLE:
        shifts = tuple((number // 3,) for number in range(len(rounds)))
    return Listed(tuple(rounds), _note(entrants, what, partners, opponents), shifts)


def _shift(number: int, is_fixed: bool) -> int:
    """Everyone takes each place of each table once, so seats are even; only who stays at one place has to be moved."""
    return number if is_fixed else 0


def spread(entrants: int, rounds: Sequence[Sequence[_Table]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Least and greatest of partnerships and of oppositions over all pairs."""
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    for table in (table for one in rounds for table in one):
        for counts, places in ((partners, _PARTNERED), (opponents, _OPPOSED)):
            for i, j in places:
                one, other = sorted((table[i], table[j]))
                counts[one, other] += 1
    pairs = list(combinations(range(entrants), 2))
    return (
        (min(partners[pair] for pair in pairs), max(partners[pair] for pair in pairs)),
        (min(opponents[pair] for pair in pairs), max(opponents[pair] for pair in pairs)),
    )


def _note(entrants: int, what: str, partners: tuple[int, int], opponents: tuple[int, int]) -> str:
    if partners == (1, 1) and opponents == (2, 2):
        return f"{what}: everyone partners everyone once and opposes everyone twice"
    if partners == (2, 2) and opponents == (4, 4):
        return f"{what}: everyone partners everyone twice and opposes everyone four times"
    none = "exists" if entrants % 4 > 1 else "is known here"
    spans = f"partners {partners[0]} to {partners[1]} times, opponents {opponents[0]} to {opponents[1]}"
    return f"no whist design for {entrants} entrants {none}; {what}: {spans} in one pass"


def _turned(tables: Sequence[_Table], by: int, modulus: int) -> tuple[_Table, ...]:
    return tuple(
        tuple(modulus if place == FIXED else (place + by) % modulus for place in table) for table in tables
    )


def _developed(starter: Sequence[_Table], modulus: int) -> list[tuple[_Table, ...]]:
    return [_turned(starter, by, modulus) for by in range(modulus)]


def _field(order: int) -> tuple[int, list[tuple[int, ...]]] | None:
    """The characteristic of the field of this order, and the powers of a generator; None if there is no such field.

    An element is its coefficients, lowest first. A polynomial is tried for each way to reduce the highest power,
    until the powers of x go through all elements but zero.
    """
    prime = next(divisor for divisor in range(2, order + 1) if order % divisor == 0)
    degree = round(math.log(order, prime))
    if prime**degree != order:
        return None
    for number in range(1, order):
        reduced = [number // prime**power % prime for power in range(degree)]
        element = tuple(int(power == 0) for power in range(degree))
        powers = [element]
        for _ in range(order - 2):
            shifted = (0, *element[:-1])
            element = tuple(
                (low + element[-1] * high) % prime for low, high in zip(shifted, reduced, strict=True)
            )
            if element == powers[0] or not any(element):
                break
            powers.append(element)
        if len(set(powers)) == order - 1:
            return prime, powers
    raise AssertionError(f"GF({order}) has a generator")


def _prime_power(field: tuple[int, list[tuple[int, ...]]]) -> list[tuple[_Table, ...]]:
    prime, powers = field
    quarter = len(powers) // 4
    rounds = []
    for by in [tuple(0 for _ in powers[0]), *powers]:

        def place(power: int, by: tuple[int, ...] = by) -> int:
            moved = [(one + other) % prime for one, other in zip(powers[power], by, strict=True)]
            return sum(digit * prime**i for i, digit in enumerate(moved))

        rounds.append(tuple(tuple(place(i + turn * quarter) for turn in range(4)) for i in range(quarter)))
    return rounds


def _searched(entrants: int) -> list[_Table]:
    """A starter by simulated annealing from a fixed seed: even distances of partners and of opponents."""
    modulus = entrants - (entrants % 4 == 0)
    chance = random.Random(entrants)
    places = list(range(modulus))
    chance.shuffle(places)
    fixed = [FIXED] if entrants % 4 == 0 else []
    seats = fixed + places
    tables = entrants // 4
    spans = ((1, 1), (2, 2)) if entrants % 4 < 2 else ((0, 1), (1, 2))
    counts = [[0] * (modulus // 2 + 1) for _ in range(2)]
    weights = [2 if 2 * distance == modulus else 1 for distance in range(modulus // 2 + 1)]

    def off(kind: int, distance: int) -> int:
        least, most = spans[kind]
        times = counts[kind][distance] * weights[distance]
        return max(least - times, times - most, 0) ** 2

    def add(table: int, sign: int) -> int:
        change = 0
        for kind, pairs in enumerate((_PARTNERED, _OPPOSED)):
            for i, j in pairs:
                one, other = seats[4 * table + i], seats[4 * table + j]
                if FIXED in {one, other}:
                    continue
                distance = min((one - other) % modulus, (other - one) % modulus)
                change -= off(kind, distance)
                counts[kind][distance] += sign
                change += off(kind, distance)
        return change

    cost = sum(off(kind, distance) for kind in (0, 1) for distance in range(1, modulus // 2 + 1))
    cost += sum(add(table, 1) for table in range(tables))
    for _ in range(_STEPS * entrants):
        if cost == 0:
            break
        first, second = (len(fixed) + int(chance.random() * modulus) for _ in range(2))
        touched = {place // 4 for place in (first, second) if place // 4 < tables}
        change = sum(add(table, -1) for table in touched)
        seats[first], seats[second] = seats[second], seats[first]
        change += sum(add(table, 1) for table in touched)
        if change > 0 and chance.random() >= math.exp(-change / 0.3):
            for table in touched:
                add(table, -1)
            seats[first], seats[second] = seats[second], seats[first]
            for table in touched:
                add(table, 1)
        else:
            cost += change
    return [tuple(seats[4 * table : 4 * table + 4]) for table in range(tables)]
