"""What one seat of Vytrix may know: its view, and what the rules show everybody when a hand has ended.

A view has no field that could hold another seat's hidden cards. Everything that a bot may want to know of a trick,
of who can still hold what, and of points is worked out from the view's own fields, and only when asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cardtable.cards import ALL_CARDS, EMPTY, FULL_MASK, SUIT_MASKS, Card, CardSet, Suit
from cardtable.engine import NO_LIMIT, ActionSet, Clock, maker
from cardtable.vytrix.actions import Action, Bid, Call, KittyFate, Step
from cardtable.vytrix.legal import DIRECTION_NAMES, KITTY_CHOICES, STRAIN_NAMES, LegalBids, LegalDiscards
from cardtable.vytrix.ranking import STRENGTHS, TRUMP_MASKS
from cardtable.vytrix.scoring import trick_value

if TYPE_CHECKING:
    from cardtable.vytrix.variant import VytrixVariant

__all__ = ["Play", "Trick", "VytrixDealSummary", "VytrixView", "make_view"]


class Play(NamedTuple):
    """A card and the seat that played it."""

    seat: int
    card: Card


class Trick(NamedTuple):
    """A finished trick: its cards in order, and the seat that won it."""

    plays: tuple[Play, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class VytrixView:
    """All that one seat may know at one moment.

    Args:
        variant: The options in force.
        seat: Whose view this is.
        to_act: The seat that acts next; None between hands and after the game.
        step: What it has to decide; None when nobody acts.
        hand_number: Number of the hand on the table, from 0.
        dealer: The seat that dealt it.
        scores: One a seat, with four players one a side (seats 0 and 2 first); a price counts at once (V3).
        calls: The auction so far; the seat after the dealer made the first call, the others follow in turn.
        declarer: The seat that won the auction; None before.
        contract: What is played, without the part that is still to be named (V12); None before.
        kitty: What became of the kitty.
        hand: This seat's cards, for declarer with the kitty between taking it and discarding.
        legal: The cards that this seat may play now.
        lowest_bid: Points of the lowest legal bid of this seat now; 0: it may not bid.
        highest_bid: Points of the highest legal bid; 0: no limit, or it may not bid.
        may_pass: Whether this seat may pass now.
        kitty_cards: The kitty, for declarer that took it; else empty.
        discarded: What this seat discarded; else empty.
        played: All cards played in this hand, in order.
        played_by: The seat that played each.
        clock: What is left of the seat's time.
    """

    game: ClassVar[str] = "vytrix"

    variant: VytrixVariant
    seat: int
    to_act: int | None
    step: Step | None
    hand_number: int
    dealer: int
    scores: tuple[int, ...]
    calls: tuple[Call, ...] = ()
    declarer: int | None = None
    contract: Bid | None = None
    kitty: KittyFate = KittyFate.CLOSED
    hand: CardSet = EMPTY
    legal: CardSet = EMPTY
    lowest_bid: int = 0
    highest_bid: int = 0
    may_pass: bool = False
    kitty_cards: CardSet = EMPTY
    discarded: CardSet = EMPTY
    played: tuple[Card, ...] = ()
    played_by: tuple[int, ...] = ()
    clock: Clock = field(default=NO_LIMIT, compare=False)

    def with_clock(self, clock: Clock) -> VytrixView:
        """The same view with another clock; clocks are no part of equality."""
        return replace(self, clock=clock)

    @property
    def legal_actions(self) -> ActionSet[Action]:
        """The seat's legal actions; an empty set when another seat acts."""
        if self.to_act != self.seat:
            return EMPTY
        match self.step:
            case Step.BID:
                partial = self.variant.partial_bidding
                return LegalBids(self.lowest_bid, self.highest_bid, self.may_pass, partial)
            case Step.KITTY:
                return KITTY_CHOICES
            case Step.DISCARD:
                return LegalDiscards(self.hand)
            case Step.NAME:
                assert self.contract is not None
                return STRAIN_NAMES if self.contract.strain is None else DIRECTION_NAMES
            case _:
                return self.legal

    @property
    def last_bid(self) -> Bid | None:
        """The bid that stands; None before the first."""
        for call in reversed(self.calls):
            if isinstance(call, Bid):
                return call
        return None

    @property
    def last_bidder(self) -> int | None:
        """The seat whose bid stands; None before the first."""
        for place in range(len(self.calls) - 1, -1, -1):
            if isinstance(self.calls[place], Bid):
                return (self.dealer + 1 + place) % self.variant.players
        return None

    @property
    def partner(self) -> int | None:
        """The seat opposite with four players; None with three."""
        return (self.seat + 2) % 4 if self.variant.players == 4 else None

    def on_declarer_side(self, seat: int) -> bool:
        """Whether this seat is declarer or, with four players, declarer's partner; false before the auction ends."""
        if self.declarer is None:
            return False
        return seat == self.declarer or (self.variant.players == 4 and (seat - self.declarer) % 2 == 0)

    @property
    def is_declarer_side(self) -> bool:
        """Whether the view's own seat is on declarer's side."""
        return self.on_declarer_side(self.seat)

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in no trump, and while it is not known."""
        if self.contract is None or self.contract.strain is None:
            return None
        return self.contract.strain.suit

    @property
    def trump_broken(self) -> bool:
        """Whether a trump has been played to a trick (rule V9)."""
        return bool(self._trump_mask & self.played_cards.mask)

    @property
    def _trump_mask(self) -> int:
        if self.contract is None or self.contract.strain is None:
            return 0
        return TRUMP_MASKS[self.contract.strain]

    def strength(self, card: Card, led: Suit | None = None) -> int:
        """How good a card is in a trick (rule V4): more wins, -1 cannot win.

        Args:
            card: Any card.
            led: The suit led; without it that of the trick on the table, or the card's own when there is none.

        Raises:
            ValueError: Strain or direction is not known yet.
        """
        contract = self.contract
        if contract is None or contract.strain is None or contract.direction is None:
            raise ValueError("which card is better is not known before the contract is complete")
        if led is None:
            led = self.led_suit
        return STRENGTHS[contract.strain, contract.direction][card.suit if led is None else led][card.index]

    def beats(self, card: Card, other: Card) -> bool:
        """Whether a card wins over another one that leads the trick so far: a trump, or of the suit led."""
        return self.strength(card, other.suit) > self.strength(other, other.suit)

    @property
    def trick(self) -> tuple[Play, ...]:
        """The cards of the trick on the table, in order."""
        start = len(self.played) - len(self.played) % self.variant.players
        return tuple(map(Play, self.played_by[start:], self.played[start:]))

    @property
    def led_suit(self) -> Suit | None:
        """The suit led to the trick on the table; None when there is none."""
        place = len(self.played) % self.variant.players
        return self.played[-place].suit if place else None

    @property
    def trick_winner(self) -> int | None:
        """The seat that wins the trick on the table as it stands; None when there is none."""
        trick = self.trick
        return self._winner(trick) if trick else None

    def _winner(self, plays: tuple[Play, ...]) -> int:
        led = plays[0].card.suit
        return max(plays, key=lambda play: self.strength(play.card, led)).seat

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks of this hand, in order."""
        size = self.variant.players
        finished = []
        for start in range(0, len(self.played) - size + 1, size):
            end = start + size
            plays = tuple(map(Play, self.played_by[start:end], self.played[start:end]))
            finished.append(Trick(plays, self._winner(plays)))
        return tuple(finished)

    @property
    def tricks_won(self) -> tuple[int, ...]:
        """Finished tricks that each seat won in this hand."""
        won = [0] * self.variant.players
        for trick in self.tricks:
            won[trick.winner] += 1
        return tuple(won)

    def trick_value(self, seat: int) -> int:
        """What the trick on the table brings the player or side of this seat if it wins it (V7, V10)."""
        if self.contract is None or self.contract.strain is None:
            return 0
        size = self.variant.players
        last = len(self.played) // size == self.variant.hand_sizes[0] - 1
        return trick_value(self.variant, self.contract.strain, self.on_declarer_side(seat), last)

    @property
    def points_at_stake(self) -> int:
        """What the trick on the table brings the seat that wins it as it stands; 0 when there is none."""
        winner = self.trick_winner
        return 0 if winner is None else self.trick_value(winner)

    @property
    def played_cards(self) -> CardSet:
        """All cards played in this hand."""
        return CardSet.of(self.played)

    @property
    def unseen(self) -> CardSet:
        """The cards that lie where this seat has not seen them: other hands, kitty, another's discards."""
        return ALL_CARDS - self.hand - self.discarded - self.played_cards

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each seat's hand."""
        sizes = list(self.variant.hand_sizes)
        if self.step is None and not self.played:
            return (0,) * len(sizes)
        for seat in self.played_by:
            sizes[seat] -= 1
        if self.step is Step.DISCARD and self.declarer is not None:
            sizes[self.declarer] += 4
        return tuple(sizes)

    def voids(self, seat: int) -> frozenset[Suit]:
        """The suits of which everybody knows that this seat has none left in its hand.

        Who did not follow has none of the suit led; who led a trump before it was broken (V9) had nothing else.
        """
        mask = self.void_masks[seat]
        return frozenset(suit for suit in Suit if mask & SUIT_MASKS[suit])

    @property
    def void_masks(self) -> tuple[int, ...]:
        """For each seat, the masks of the suits of `voids`."""
        size = self.variant.players
        voids = [0] * size
        trump = self._trump_mask
        barred = trump if self.variant.breaking_trump else 0
        followed = 0
        for place, (seat, card) in enumerate(zip(self.played_by, self.played, strict=True)):
            bit = card.bit
            if place % size == 0:
                followed = SUIT_MASKS[card.suit]
                if bit & barred:
                    voids[seat] |= FULL_MASK ^ trump
            elif not bit & followed:
                voids[seat] |= followed
            if bit & barred:
                barred = 0
        return tuple(voids)


make_view = maker(VytrixView)


@dataclass(frozen=True, slots=True)
class VytrixDealSummary:
    """What the rules show everybody of a hand that has ended; a kitty left and discards stay hidden (V5).

    Args:
        hand_number: Number of the hand, from 0.
        dealer: The seat that dealt it.
        calls: The auction; the seat after the dealer made the first call.
        declarer: The seat that won it.
        contract: What was played, complete.
        kitty: What became of the kitty.
        played: All cards played, in order.
        played_by: The seat that played each.
        tricks: Tricks that each seat won.
        points: What the hand brought, the price included; one a seat or one a side.
        scores: The scores after it.
    """

    game: ClassVar[str] = "vytrix"

    hand_number: int
    dealer: int
    calls: tuple[Call, ...]
    declarer: int
    contract: Bid
    kitty: KittyFate
    played: tuple[Card, ...]
    played_by: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
