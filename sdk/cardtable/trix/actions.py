"""What a seat can do in Trix, the text of it, and lazy sets of it.

To play a card, in a trick or to the layout, is the `Card` itself. Owns the notation of records; never says what
is legal where.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from cardtable.cards import EMPTY, Card, CardSet, MalformedCard
from cardtable.engine import MalformedAction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = [
    "NOTHING",
    "PASS",
    "PASS_ONLY",
    "REDEALS",
    "Choices",
    "Contract",
    "Double",
    "Doublings",
    "Pass",
    "Redeal",
    "Step",
    "TrixAction",
    "parse_action",
]


class Step(Enum):
    """What the seat that acts has to decide."""

    #: The king names a contract (T3).
    CONTRACT = "contract"
    #: Claim a redeal or keep the hand (T4).
    REDEAL = "redeal"
    #: Name the cards to double, or none (T6).
    DOUBLE = "double"
    #: Play a card to a trick (T5).
    PLAY = "play"
    #: Lay a card, or pass (T9).
    LAYOUT = "layout"


class Contract(Enum):
    """One of the five contracts of a kingdom (T2); to name it is an action (T3)."""

    KING = "king"
    QUEENS = "queens"
    DIAMONDS = "diamonds"
    SLAPS = "slaps"
    TRIX = "trix"

    def __str__(self) -> str:
        return f"contract:{self.value}"


class Redeal(Enum):
    """The answer of a seat that has a redeal right (T4)."""

    CLAIM = "redeal"
    KEEP = "keep"

    def __str__(self) -> str:
        return self.value


class Pass(Enum):
    """No card of the hand can be laid (T9.2)."""

    PASS = "pass"  # noqa: S105 - no password

    def __str__(self) -> str:
        return self.value


PASS: Final = Pass.PASS


@dataclass(frozen=True, slots=True)
class Double:
    """Double these cards, or none (T6)."""

    cards: CardSet = EMPTY

    def __str__(self) -> str:
        return f"double:{','.join(self.cards.texts()) or 'none'}"


TrixAction: TypeAlias = Card | Contract | Redeal | Double | Pass

_FIXED: Final[dict[str, TrixAction]] = {
    str(action): action for action in (*Contract, *Redeal, *Pass, Double())
}


def parse_action(text: str) -> TrixAction:
    """Return the action of this text; a doubling may list its cards in any order.

    Raises:
        MalformedAction: The text is no action of Trix.
    """
    fixed = _FIXED.get(text)
    if fixed is not None:
        return fixed
    kind, colon, rest = text.partition(":")
    try:
        if not colon:
            return Card(text)
        if kind == "double":
            cards = [Card(word) for word in rest.split(",")]
            if len(set(cards)) < len(cards):
                raise MalformedAction(f"{text!r} names a card twice")
            return Double(CardSet.of(cards))
    except MalformedCard as error:
        raise MalformedAction(f"{text!r} is no action of Trix: {error}") from None
    raise MalformedAction(
        f"{text!r} is no action of Trix: it is a card, pass, redeal, keep, "
        "contract: and king, queens, diamonds, slaps or trix, or double: and cards or none"
    )


class Choices:
    """A legal set of a few actions, listed.

    Args:
        actions: The actions, in a fixed order.
    """

    __slots__ = ("_actions",)

    def __init__(self, *actions: TrixAction) -> None:
        self._actions = actions

    def __contains__(self, action: object) -> bool:
        return action in self._actions

    def __len__(self) -> int:
        return len(self._actions)

    def __iter__(self) -> Iterator[TrixAction]:
        return iter(self._actions)

    def sample(self, rng: Random) -> TrixAction:
        """Return one action, each with the same chance."""
        return self._actions[int(rng.random() * len(self._actions))]

    def texts(self) -> list[str]:
        """The actions' texts."""
        return [str(action) for action in self._actions]


class Doublings:
    """The legal set of a seat that is asked to double: every subset of its doublable cards (T6).

    Args:
        cards: The doublable cards that the seat holds.
    """

    __slots__ = ("_cards",)

    def __init__(self, cards: CardSet) -> None:
        self._cards = cards

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Double) and action.cards <= self._cards

    def __len__(self) -> int:
        return 1 << len(self._cards)

    def __iter__(self) -> Iterator[Double]:
        full = self._cards.mask
        subset = 0
        while True:
            yield Double(CardSet(subset))
            subset = (subset - full) & full
            if not subset:
                return

    def sample(self, rng: Random) -> Double:
        """Return one subset, each with the same chance."""
        return Double(CardSet(rng.getrandbits(52) & self._cards.mask))

    def texts(self) -> list[str]:
        """One text for all: ``double:`` and the cards that may be named, as sorted strings."""
        return ["double:" + ",".join(sorted(self._cards.texts()))]


NOTHING: Final = Choices()
PASS_ONLY: Final = Choices(PASS)
REDEALS: Final = Choices(*Redeal)
