"""The sets of legal actions that are not sets of cards: bids, discards, and a choice between a few.

Owns how such a set is counted, sampled and searched without being listed. Which set holds when is the state's.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from cardtable.cards import CardSet
from cardtable.vytrix.actions import PASS, Bid, Call, Direction, Discard, Kitty, Name, Strain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = ["DIRECTION_NAMES", "KITTY_CHOICES", "STRAIN_NAMES", "Choices", "LegalBids", "LegalDiscards"]

_UNLIMITED: Final = 2**31 - 1
_Form = tuple[Strain | None, Direction | None]
_FULL_FORMS: Final[tuple[_Form, ...]] = tuple(
    (strain, direction) for strain in Strain for direction in Direction
)
_PARTIAL_FORMS: Final[tuple[_Form, ...]] = (
    *((strain, None) for strain in Strain),
    *((None, direction) for direction in Direction),
)


class LegalBids:
    """The legal calls of the auction (rules V2, V12): bids between two bounds, and perhaps a pass.

    Iteration gives the pass first, then the bids by points.

    Args:
        lowest: Lowest points; 0: no bid is legal.
        highest: Highest points; 0: none is too high.
        may_pass: Whether a pass is legal.
        partial: Whether a bid names either a strain or a direction (V12) instead of both.
    """

    __slots__ = ("highest", "lowest", "may_pass", "partial")

    def __init__(self, lowest: int, highest: int, may_pass: bool, partial: bool) -> None:
        self.lowest: Final = lowest
        self.highest: Final = highest
        self.may_pass: Final = may_pass
        self.partial: Final = partial

    @property
    def _forms(self) -> tuple[_Form, ...]:
        return _PARTIAL_FORMS if self.partial else _FULL_FORMS

    def __contains__(self, action: object) -> bool:
        if action is PASS:
            return self.may_pass
        if not isinstance(action, Bid) or not self.lowest or action.points < self.lowest:
            return False
        if self.highest and action.points > self.highest:
            return False
        return self._has_form(action)

    def _has_form(self, bid: Bid) -> bool:
        if self.partial:
            return (bid.strain is None) != (bid.direction is None)
        return bid.strain is not None and bid.direction is not None

    def __len__(self) -> int:
        if not self.lowest:
            return int(self.may_pass)
        if not self.highest:
            return _UNLIMITED
        return (self.highest - self.lowest + 1) * len(self._forms) + self.may_pass

    def __iter__(self) -> Iterator[Call]:
        if self.may_pass:
            yield PASS
        if not self.lowest:
            return
        points = self.lowest
        while not self.highest or points <= self.highest:
            for strain, direction in self._forms:
                yield Bid(points, strain, direction)
            points += 1

    def sample(self, rng: Random) -> Call:
        """Return one legal call, each with the same chance; without a limit, of the next 100 points."""
        if not self.lowest:
            return PASS
        forms = self._forms
        highest = self.highest or self.lowest + 99
        place = int(rng.random() * ((highest - self.lowest + 1) * len(forms) + self.may_pass)) - self.may_pass
        if place < 0:
            return PASS
        points, form = divmod(place, len(forms))
        return Bid(self.lowest + points, *forms[form])

    def texts(self) -> list[str]:
        """``bid:N+`` for all bids, N the lowest points, and ``pass``."""
        bids = [f"bid:{self.lowest}+"] if self.lowest else []
        return [*bids, "pass"] if self.may_pass else bids


class LegalDiscards:
    """Any four of these cards (rule V5.2)."""

    __slots__ = ("cards",)

    def __init__(self, cards: CardSet) -> None:
        self.cards: Final = cards

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Discard) and len(action.cards) == 4 and action.cards <= self.cards

    def __len__(self) -> int:
        return comb(len(self.cards), 4)

    def __iter__(self) -> Iterator[Discard]:
        for cards in combinations(self.cards, 4):
            yield Discard.of(cards)

    def sample(self, rng: Random) -> Discard:
        """Return one discard, each with the same chance."""
        left = self.cards.mask
        for _ in range(4):
            left ^= CardSet(left).sample(rng).bit
        return Discard(CardSet(self.cards.mask ^ left))

    def texts(self) -> list[str]:
        """``discard`` for them all."""
        return ["discard"]


_C = TypeVar("_C", Kitty, Name)


class Choices(Generic[_C]):
    """A few actions."""

    __slots__ = ("_actions",)

    def __init__(self, actions: tuple[_C, ...]) -> None:
        self._actions: tuple[_C, ...] = actions

    def __contains__(self, action: object) -> bool:
        return action in self._actions

    def __len__(self) -> int:
        return len(self._actions)

    def __iter__(self) -> Iterator[_C]:
        return iter(self._actions)

    def sample(self, rng: Random) -> _C:
        """Return one action, each with the same chance."""
        return self._actions[int(rng.random() * len(self._actions))]

    def texts(self) -> list[str]:
        """The actions' texts."""
        return [str(action) for action in self._actions]


KITTY_CHOICES: Final = Choices(tuple(Kitty))
STRAIN_NAMES: Final = Choices(tuple(Name(strain) for strain in Strain))
DIRECTION_NAMES: Final = Choices(tuple(Name(direction) for direction in Direction))
