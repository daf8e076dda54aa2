"""What every game is to the code that drives it, and the errors that its rules raise.

Owns the protocols `State`, `View` and `ActionSet`, the finished `Deal` that a state takes in, the clock that a
view carries, and `Game`, the one value by which a game is known. Never plays: no rule stands here.

    RuleError
    ├── MalformedAction   the text is no action of this game
    ├── IllegalAction     the action is well formed and the rules forbid it here
    └── UnsoundDeal       the cards are not a deal of this game
    VariantError          an option or its value is unknown, or does not fit the others
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeVar, cast

from cardtable.cards import EMPTY, FULL_MASK, CardSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from cardtable.figures import Scheme

__all__ = [
    "NO_LIMIT",
    "ActionSet",
    "Clock",
    "Deal",
    "Game",
    "IllegalAction",
    "MalformedAction",
    "RuleError",
    "State",
    "UnsoundDeal",
    "Variant",
    "VariantError",
    "View",
    "maker",
]

#: The bit of each card index; `1 << index` is too slow for a whole deck.
_BITS: Final = tuple(1 << index for index in range(52))
#: The places of a deck that a shuffle fills, the last one first, and the random bits that name one up to there.
_SWAPS: Final = tuple((last, (last + 1).bit_length()) for last in range(51, 0, -1))


class RuleError(ValueError):
    """Something that the rules do not allow.

    Args:
        message: What is wrong and what would be right.
        rule: Number of the rule that is broken, such as ``T9.2``; ``format`` where the text is unreadable.
    """

    def __init__(self, message: str, rule: str = "format") -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule


class MalformedAction(RuleError):
    """The text is no action of this game."""


class IllegalAction(RuleError):
    """The action is well formed and the rules forbid it here."""


class UnsoundDeal(RuleError):
    """The cards are not a deal of this game."""


class VariantError(ValueError):
    """An option or its value is unknown, or does not fit the others.

    Args:
        message: What is wrong and what would be right.
        option: Name of the option.
    """

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.message = message
        self.option = option


P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
V_co = TypeVar("V_co", covariant=True)


def maker(cls: Callable[P, T]) -> Callable[P, T]:
    """What makes values of a frozen dataclass with slots, given its arguments by place, in an eighth of the time.

    A frozen class needs a call for each field. Here a twin that is not frozen is filled, which then is of the class.
    """
    assert isinstance(cls, type)
    columns: list[Any] = [
        (one.name, one.type) if one.default is MISSING else (one.name, one.type, field(default=one.default))
        for one in fields(cls)
    ]
    twin = make_dataclass(
        cls.__name__, columns, init=True, repr=False, eq=False, match_args=False, slots=True
    )

    def make(*values: P.args, **named: P.kwargs) -> T:
        made = twin(*values, **named)
        made.__class__ = cls
        return cast("T", made)

    return make


class ActionSet(Protocol[A_co]):
    """A lazy set of legal actions; none of its methods but iteration lists it."""

    def __contains__(self, action: object) -> bool:
        """Whether the action is legal."""

    def __len__(self) -> int:
        """How many actions are legal; 2**31 - 1 stands for bids without a limit."""

    def __iter__(self) -> Iterator[A_co]:
        """All legal actions, in a fixed order."""

    def sample(self, rng: Random) -> A_co:
        """Return one legal action, each with the same chance (without a limit, among the next 100 bids)."""

    def texts(self) -> list[str]:
        """The set in the notation of `tourney verify`: ``bid:4+`` and ``discard`` stand for all of theirs."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of one deal, finished: seats 0..n-1, and the kitty where there is one."""

    hands: tuple[CardSet, ...]
    kitty: CardSet = EMPTY

    @classmethod
    def of_deck(cls, deck: Sequence[int], sizes: Sequence[int]) -> Deal:
        """Cut a permutation of the card indices 0..51 into hands and, from what is left, the kitty.

        Args:
            deck: A permutation of 0..51.
            sizes: Cards for each seat; seat 0 takes the first ones.
        """
        return cls._cut([_BITS[index] for index in deck], sizes)

    @classmethod
    def shuffled(cls, sizes: Sequence[int], rng: Random) -> Deal:
        """Deal a shuffled deck; a tournament deals by `cardtable.dealing.Dealer` instead."""
        bits, random_bits = list(_BITS), rng.getrandbits
        # What `rng.shuffle` does, to the same numbers, in half the time.
        for last, width in _SWAPS:
            place = random_bits(width)
            while place > last:
                place = random_bits(width)
            bits[last], bits[place] = bits[place], bits[last]
        return cls._cut(bits, sizes)

    @classmethod
    def _cut(cls, bits: Sequence[int], sizes: Sequence[int]) -> Deal:
        hands, start, kitty = [], 0, FULL_MASK
        for size in sizes:
            mask = sum(bits[start : start + size])
            hands.append(CardSet(mask))
            kitty ^= mask
            start += size
        return cls(tuple(hands), CardSet(kitty))

    def check(self, sizes: Sequence[int], rule: str) -> None:
        """Refuse cards that are no deal.

        Raises:
            UnsoundDeal: A hand has another size, or a card is missing or stands twice.
        """
        if len(self.hands) != len(sizes):
            raise UnsoundDeal(f"{len(self.hands)} hands for {len(sizes)} seats", rule)
        union = self.kitty.mask
        for seat, (hand, size) in enumerate(zip(self.hands, sizes, strict=True)):
            if hand.mask.bit_count() != size:
                raise UnsoundDeal(f"seat {seat} is dealt {len(hand)} cards, not {size}", rule)
            union |= hand.mask
        if len(self.kitty) + sum(sizes) != 52 or union != FULL_MASK:
            raise UnsoundDeal("hands and kitty are not the 52 cards, each once", rule)


@dataclass(frozen=True, slots=True)
class Clock:
    """What is left of a seat's time when it is asked; None where there is no limit.

    Args:
        move_ms: For this decision.
        game_ms: For all decisions of the rest of this game.
    """

    move_ms: int | None = None
    game_ms: int | None = None


NO_LIMIT = Clock()


class View(Protocol[A_co]):
    """All that one seat may know at one moment, and nothing else."""

    @property
    def seat(self) -> int:
        """Whose view this is."""

    @property
    def to_act(self) -> int | None:
        """The seat that acts next."""

    @property
    def legal_actions(self) -> ActionSet[A_co]:
        """The seat's legal actions; an empty set when another seat acts."""

    @property
    def clock(self) -> Clock:
        """What is left of the seat's time."""

    def with_clock(self, clock: Clock) -> View[A_co]:
        """The same view with another clock; clocks are no part of equality."""


class State(Protocol[A, V_co]):
    """A game from its first deal to its end, seen from above the table.

    It does no I/O and reads neither clock nor global random. A driver deals when `needs_deal`, else applies an
    action of the seat `to_act`, until `is_over`.
    """

    #: The options that are played, a frozen dataclass of the game's.
    variant: Any
    #: A seat; None when a deal is needed or the game is over.
    to_act: int | None
    #: The game waits for `deal()`.
    needs_deal: bool
    #: The game has ended.
    is_over: bool
    #: The number of the rule that ended the last deal, such as ``T9.3``.
    ended_by: str
    #: Whether the last deal that ended was void.
    ended_void: bool

    @property
    def deal_key(self) -> str:
        """Names the deal that is needed or lies on the table; the cards follow from it and the board's seed."""

    @property
    def scores(self) -> tuple[int, ...]:
        """As a record writes them: one a seat, or one a side where the game scores sides."""

    @property
    def group_scores(self) -> tuple[int, ...]:
        """One for each group of `Game.groups`, those that are ranked against each other."""

    def deal(self, deal: Deal) -> None:
        """Take in the cards of the deal that is needed.

        Raises:
            UnsoundDeal: They are no deal of this variant.
        """

    def legal_actions(self) -> ActionSet[A]:
        """The legal actions of the seat `to_act`; an empty set when there is none."""

    def apply(self, action: A) -> None:
        """Make the seat `to_act` act.

        Raises:
            IllegalAction: The rules forbid it here; the state is unchanged.
        """

    def view(self, seat: int) -> V_co:
        """What this seat may know; nothing that it may not know has any influence on it."""

    def summary(self) -> object:
        """What the rules show everybody of the deal that ended last (`deal_ended` of a bot)."""

    def copy(self) -> State[A, V_co]:
        """An independent state that goes on from here."""


class Variant(Protocol):
    """A game's options: a frozen dataclass of named options, validated on construction."""

    @property
    def players(self) -> int:
        """Number of seats."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game, as the code that does not know its rules sees it: a line of the catalog.

    Args:
        name: As in files and on the wire: lower case.
        title: For people.
        variant: From a mapping of options, all optional, to the variant; raises `VariantError`.
        options: A variant's options as a mapping, in the order of the rulebook, defaults too.
        new_state: A game that waits for its first deal.
        parse_action: From the text notation; raises `MalformedAction`.
        hand_sizes: Cards for each seat; what is left of 52 is the kitty.
        groups: Seats that score together; one rank for each group.
        house_action: What the house plays for a seat that does not, from that seat's view.
        simulate: A state that is consistent with a view: unseen cards dealt at random among what is possible.
        title_of: A short name of a variant for people, such as ``Trix, partners``.
        analysis: What finished deals of a variant tell of how a seat has played.
    """

    name: str
    title: str
    variant: Callable[[Mapping[str, object]], Any]
    options: Callable[[Any], dict[str, object]]
    new_state: Callable[[Any], State[Any, Any]]
    parse_action: Callable[[str], Any]
    hand_sizes: Callable[[Any], tuple[int, ...]]
    groups: Callable[[Any], tuple[tuple[int, ...], ...]]
    house_action: Callable[[Any], Any]
    simulate: Callable[[Any, Random], State[Any, Any]]
    title_of: Callable[[Any], str]
    analysis: Callable[[Any], Scheme]
