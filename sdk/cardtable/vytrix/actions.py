"""What a player of Vytrix can do, and how it is written.

Owns the actions and their text notation. To play a card, the action is the `Card` itself. Whether an action is
legal is decided elsewhere: text that is no action at all is malformed, anything else may still be illegal.

    bid:4S-low  bid:15NT-high   a bid of points, strain and direction (V2)
    bid:17-high  bid:17S        with partial bidding (V12)
    pass                        in the auction
    kitty:take  kitty:leave     declarer's choice (V5)
    discard:2C,3D,4H,5S         after taking (V5.2)
    name:S  name:NT  name:low   what the partner's bid left open (V12)
    7D                          a card played
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from cardtable.cards import CARDS, Card, CardSet, MalformedCard, Suit
from cardtable.engine import MalformedAction

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "PASS",
    "Action",
    "Bid",
    "Call",
    "Direction",
    "Discard",
    "Kitty",
    "KittyFate",
    "Name",
    "Pass",
    "Step",
    "Strain",
    "parse_action",
]


class Strain(Enum):
    """A suit as trump, or no trump (rule V4); the value is its text."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    NO_TRUMP = "NT"

    @property
    def suit(self) -> Suit | None:
        """The trump suit; None for no trump."""
        return _SUIT_OF_STRAIN[self]

    @classmethod
    def of_suit(cls, suit: Suit) -> Strain:
        """The strain in which this suit is trump."""
        return _STRAIN_OF_SUIT[suit]


_STRAIN_OF_SUIT: Final = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS)
_SUIT_OF_STRAIN: Final[dict[Strain, Suit | None]] = {
    Strain.SPADES: Suit.SPADES,
    Strain.HEARTS: Suit.HEARTS,
    Strain.DIAMONDS: Suit.DIAMONDS,
    Strain.CLUBS: Suit.CLUBS,
    Strain.NO_TRUMP: None,
}


class Direction(Enum):
    """High: A K Q ... 2, low: A 2 3 ... K, from best to worst (rule V4); the value is its text."""

    HIGH = "high"
    LOW = "low"


class Step(Enum):
    """What the seat that acts has to decide."""

    BID = "bid"
    KITTY = "kitty"
    DISCARD = "discard"
    NAME = "name"
    PLAY = "play"


class KittyFate(Enum):
    """What became of the kitty (rule V5)."""

    #: Not decided yet, or there is none.
    CLOSED = "closed"
    TAKEN = "taken"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid of the auction (rule V2), and what is played when the auction is over.

    Args:
        points: A whole number, 1 or more in a legal bid.
        strain: None with partial bidding, where a direction is bid (V12).
        direction: None with partial bidding, where a strain is bid (V12).
    """

    points: int
    strain: Strain | None = None
    direction: Direction | None = None

    def __post_init__(self) -> None:
        if type(self.points) is not int or self.points < 0:
            raise ValueError(f"the points of a bid are a whole number, not {self.points!r}")

    def __str__(self) -> str:
        strain = "" if self.strain is None else self.strain.value
        direction = "" if self.direction is None else f"-{self.direction.value}"
        return f"bid:{self.points}{strain}{direction}"


class Pass(Enum):
    """No bid this time; it is not final (rule V2.2)."""

    PASS = "pass"  # noqa: S105 - a call of the auction

    def __str__(self) -> str:
        return "pass"


#: The only `Pass`.
PASS: Final = Pass.PASS


class Kitty(Enum):
    """Declarer takes the kitty or leaves it (rule V5)."""

    TAKE = "kitty:take"
    LEAVE = "kitty:leave"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Discard:
    """The cards that declarer lays away after it took the kitty (rule V5.2); four in a legal discard."""

    cards: CardSet

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Discard:
        """Return the discard of these cards."""
        return cls(CardSet.of(cards))

    def __str__(self) -> str:
        return "discard:" + ",".join(card.text for card in sorted(self.cards))


@dataclass(frozen=True, slots=True)
class Name:
    """What declarer's partner names: the part that the bid left open (rule V12)."""

    part: Strain | Direction

    def __str__(self) -> str:
        return f"name:{self.part.value}"


Call: TypeAlias = Bid | Pass
Action: TypeAlias = Bid | Pass | Kitty | Discard | Name | Card

_WORDS: Final[dict[str, Action]] = {
    **{card.text: card for card in CARDS},
    **{str(word): word for word in (PASS, *Kitty)},
    **{str(name): name for name in (Name(part) for part in (*Strain, *Direction))},
}
_BID: Final = re.compile(r"bid:(0|[1-9][0-9]*)(S|H|D|C|NT)?(?:-(high|low))?")


def parse_action(text: str) -> Action:
    """Return the action that this text denotes; it may be illegal.

    Raises:
        MalformedAction: The text is no action of Vytrix.
    """
    word = _WORDS.get(text)
    if word is not None:
        return word
    if text.startswith("discard:"):
        return _parse_discard(text)
    bid = _BID.fullmatch(text)
    if bid is None:
        raise MalformedAction(
            f"{text!r} is no action of Vytrix: those are a bid such as bid:4S-low, pass, kitty:take, "
            "kitty:leave, discard: and four cards, name: and a strain or direction, or a card"
        )
    points, strain, direction = bid.groups()
    try:
        number = int(points)
    except ValueError as too_long:
        raise MalformedAction(f"a bid of {len(points)} digits cannot be read") from too_long
    return Bid(number, Strain(strain) if strain else None, Direction(direction) if direction else None)


def _parse_discard(text: str) -> Discard:
    mask = 0
    for word in text.removeprefix("discard:").split(","):
        try:
            bit = Card(word).bit
        except MalformedCard as error:
            raise MalformedAction(f"{text!r}: {error}") from error
        if mask & bit:
            raise MalformedAction(f"{text!r}: {word} stands twice")
        mask |= bit
    return Discard(CardSet(mask))
