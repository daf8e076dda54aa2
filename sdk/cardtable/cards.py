"""Cards, suits, ranks and immutable sets of cards.

Owns the 52 cards, their text (rank then suit: ``AS``, ``TH``, ``7D``) and their place in a bit mask
(bit = suit * 13 + rank index). Knows no rule of any game: which card beats which is a game's business.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

__all__ = [
    "ALL_CARDS",
    "CARDS",
    "EMPTY",
    "FULL_MASK",
    "SUIT_MASKS",
    "Card",
    "CardSet",
    "MalformedCard",
    "Rank",
    "Suit",
    "mask_of",
]


class MalformedCard(ValueError):
    """The text is no card."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no card: a card is a rank of 23456789TJQKA and a suit of SHDC")
        self.text = text


class Suit(IntEnum):
    """A suit; the value is its place in a mask."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """``S``, ``H``, ``D`` or ``C``."""
        return "SHDC"[self]

    @property
    def mask(self) -> int:
        """The 13 bits of this suit."""
        return SUIT_MASKS[self]


class Rank(IntEnum):
    """A rank; the value is its place in its suit's 13 bits, two lowest."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        """One of ``23456789TJQKA``."""
        return "23456789TJQKA"[self]


class Card:
    """One of the 52 cards; ``Card("KH")`` and every other way to get it give the same object.

    Cards order by rank, two lowest, then by suit in the order S H D C.

    Raises:
        MalformedCard: The text is no card.
    """

    __slots__ = ("bit", "index", "order", "rank", "suit", "text")

    #: ``suit * 13 + rank``, 0..51
    index: int
    #: ``1 << index``
    bit: int
    suit: Suit
    rank: Rank
    #: rank then suit, such as ``KH``
    text: str
    #: ``rank * 4 + suit``, 0..51: the place in the order of cards
    order: int

    def __new__(cls, text: str) -> Card:  # noqa: PYI034 - always one of the 52
        """Return the card of this text."""
        found = _BY_TEXT.get(text)
        if found is None:
            raise MalformedCard(text)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card cannot change: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a card cannot change: {name}")

    def __lt__(self, other: Card) -> bool:
        return self.order < other.order

    def __le__(self, other: Card) -> bool:
        return self.order <= other.order

    def __gt__(self, other: Card) -> bool:
        return self.order > other.order

    def __ge__(self, other: Card) -> bool:
        return self.order >= other.order

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f'Card("{self.text}")'

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


_BY_TEXT: dict[str, Card] = {}


def _make(index: int) -> Card:
    card = object.__new__(Card)
    suit, rank = Suit(index // 13), Rank(index % 13)
    fields = {
        "index": index,
        "bit": 1 << index,
        "suit": suit,
        "rank": rank,
        "text": rank.letter + suit.letter,
        "order": rank * 4 + suit,
    }
    for name, value in fields.items():
        object.__setattr__(card, name, value)
    _BY_TEXT[card.text] = card
    return card


#: The 52 cards by index: spades two to ace, then hearts, diamonds, clubs.
CARDS: Final[tuple[Card, ...]] = tuple(_make(index) for index in range(52))
SUIT_MASKS: Final[tuple[int, int, int, int]] = (0x1FFF, 0x1FFF << 13, 0x1FFF << 26, 0x1FFF << 39)
FULL_MASK: Final[int] = (1 << 52) - 1


def mask_of(cards: Iterable[Card]) -> int:
    """Return the bit mask of these cards."""
    mask = 0
    for card in cards:
        mask |= card.bit
    return mask


class CardSet:
    """An immutable set of cards, held as a 52-bit mask.

    It is also the set of legal actions where an action is to play a card.
    Iteration goes suit by suit (S H D C), from the two up to the ace.

    Args:
        mask: One bit for each card, bit = suit * 13 + rank index.
    """

    __slots__ = ("mask",)

    mask: Final[int]

    def __init__(self, mask: int = 0) -> None:
        self.mask = mask

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """Return the set of these cards."""
        return cls(mask_of(cards))

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Return the set named by card texts apart by white space.

        Raises:
            MalformedCard: A word is no card, or stands twice.
        """
        mask = 0
        for word in text.split():
            bit = Card(word).bit
            if mask & bit:
                raise MalformedCard(f"{word} (twice)")
            mask |= bit
        return cls(mask)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & card.bit)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return self.mask != 0

    def __iter__(self) -> Iterator[Card]:
        mask = self.mask
        while mask:
            low = mask & -mask
            yield CARDS[low.bit_length() - 1]
            mask ^= low

    def sample(self, rng: Random) -> Card:
        """Return one card, each with the same chance."""
        mask = self.mask
        skip = int(rng.random() * mask.bit_count())
        while skip:
            mask &= mask - 1
            skip -= 1
        return CARDS[(mask & -mask).bit_length() - 1]

    def texts(self) -> list[str]:
        """The cards' texts, in the order of iteration."""
        return [card.text for card in self]

    def of_suit(self, suit: Suit) -> CardSet:
        """The cards of one suit."""
        return CardSet(self.mask & SUIT_MASKS[suit])

    def of_rank(self, rank: Rank) -> CardSet:
        """The cards of one rank."""
        return CardSet(self.mask & (_RANK_MASK << rank))

    @property
    def suits(self) -> tuple[Suit, ...]:
        """The suits that have a card here."""
        return tuple(suit for suit in Suit if self.mask & SUIT_MASKS[suit])

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & other.mask)

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask | other.mask)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.mask & ~other.mask)

    def __le__(self, other: CardSet) -> bool:
        return self.mask & ~other.mask == 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __str__(self) -> str:
        return " ".join(card.text for card in sorted(self, key=lambda card: (card.suit, -card.rank)))

    def __repr__(self) -> str:
        return f'CardSet.parse("{self}")'


_RANK_MASK = 1 | 1 << 13 | 1 << 26 | 1 << 39
EMPTY: Final[CardSet] = CardSet(0)
ALL_CARDS: Final[CardSet] = CardSet(FULL_MASK)
