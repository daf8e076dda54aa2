"""Uniform random deals of unseen cards among places that are known not to hold some of them.

Cards that the same places may hold are exchangeable, so the deals are counted group by group, exactly, and one is
drawn in proportion to the counts. Knows no game: who can hold what is an argument.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING

from cardtable.cards import CARDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

__all__ = ["NoDealError", "UnseenDeals"]


class NoDealError(ValueError):
    """No deal of these cards is possible."""


class UnseenDeals:
    """All ways to deal some cards to places; draw any number of samples from one object.

    Args:
        cards: Mask of the cards to deal.
        sizes: Cards that each place takes; their sum is the number of cards.
        excluded: For each place the mask of cards that it does not hold.

    Raises:
        NoDealError: There is no such deal.
    """

    __slots__ = ("_cards", "_groups", "_ways", "count", "sizes")

    def __init__(self, cards: int, sizes: Sequence[int], excluded: Sequence[int]) -> None:
        if cards.bit_count() != sum(sizes):
            raise NoDealError(f"{cards.bit_count()} cards for places of {tuple(sizes)}")
        by_places: dict[tuple[int, ...], list[int]] = {}
        for card in (1 << index for index in range(len(CARDS)) if cards >> index & 1):
            places = tuple(place for place, mask in enumerate(excluded) if not mask & card)
            by_places.setdefault(places, []).append(card)
        # The freest group comes last, where it takes what is left: the count's recursion is shallow and short.
        self._groups = sorted(by_places.items(), key=lambda item: (len(item[0]), item[0]))
        self._cards = cards
        self.sizes = tuple(sizes)
        self._ways = _counter(self._groups)
        #: How many deals there are.
        self.count = self._ways(0, self.sizes)
        if not self.count:
            raise NoDealError("what is known of the cards contradicts itself")

    def sample(self, rng: Random) -> tuple[int, ...]:
        """Return the mask of each place's cards, every possible deal with the same chance."""
        masks = [0] * len(self.sizes)
        room = self.sizes
        for number, (places, cards) in enumerate(self._groups):
            if number == len(self._groups) - 1:
                split = tuple(room[place] for place in places)
            else:
                split = self._draw_split(number, places, len(cards), room, rng)
            shuffled = rng.sample(cards, len(cards)) if len(places) > 1 else cards
            start = 0
            left = list(room)
            for place, size in zip(places, split, strict=True):
                masks[place] |= sum(shuffled[start : start + size])
                start += size
                left[place] -= size
            room = tuple(left)
        return tuple(masks)

    def _draw_split(
        self, number: int, places: tuple[int, ...], size: int, room: tuple[int, ...], rng: Random
    ) -> tuple[int, ...]:
        ticket = rng.randrange(self._ways(number, room))
        for split, ways, left in _splits(places, size, room):
            ticket -= ways * self._ways(number + 1, left)
            if ticket < 0:
                return split
        raise AssertionError("the ways of the splits add up to those of the group")


def _counter(
    groups: Sequence[tuple[tuple[int, ...], list[int]]],
) -> Callable[[int, tuple[int, ...]], int]:
    @cache
    def ways(number: int, room: tuple[int, ...]) -> int:
        if number == len(groups):
            return int(not any(room))
        places, cards = groups[number]
        return sum(here * ways(number + 1, left) for _, here, left in _splits(places, len(cards), room))

    return ways


def _splits(
    places: tuple[int, ...], size: int, room: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """Yield how many cards each place takes, the ways to choose them, and the room that is left."""
    if not places:
        if not size:
            yield (), 1, room
        return
    place, rest = places[0], places[1:]
    most = min(size, room[place])
    least = size if not rest else max(0, size - sum(room[other] for other in rest))
    for taken in range(least, most + 1):
        left = (*room[:place], room[place] - taken, *room[place + 1 :])
        for split, ways, after in _splits(rest, size - taken, left):
            yield (taken, *split), comb(size, taken) * ways, after
