"""What one seat may know of a game of Trix, and what follows from it.

Owns the view, the summary of a deal that has ended, and what a bot asks of the history: tricks, voids, passes,
cards not seen yet. No field can hold another seat's hidden cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from cardtable.cards import EMPTY, FULL_MASK, SUIT_MASKS, Card, CardSet, Rank, Suit, mask_of
from cardtable.engine import NO_LIMIT, Clock, maker
from cardtable.trix.actions import NOTHING, PASS_ONLY, REDEALS, Choices, Contract, Doublings, Step
from cardtable.trix.layout import turns
from cardtable.trix.scoring import PENALTIES, trick_points

if TYPE_CHECKING:
    from cardtable.engine import ActionSet
    from cardtable.trix.actions import TrixAction
    from cardtable.trix.variant import TrixVariant

__all__ = ["Trick", "TrixDealSummary", "TrixView", "Void", "make_view"]

_SEVEN_OF_HEARTS = Card("7H").bit


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick, from the first to the last that was played; at least one, at most four."""

    leader: int
    cards: tuple[Card, ...]

    @property
    def led_suit(self) -> Suit:
        """The suit that must be followed."""
        return self.cards[0].suit

    @property
    def seats(self) -> tuple[int, ...]:
        """Who played each card."""
        return tuple((self.leader + place) % 4 for place in range(len(self.cards)))

    @property
    def winning_card(self) -> Card:
        """The highest card of the suit led so far (T5)."""
        return max(card for card in self.cards if card.suit == self.led_suit)

    @property
    def winner(self) -> int:
        """Who takes the trick as it lies."""
        return (self.leader + self.cards.index(self.winning_card)) % 4


@dataclass(frozen=True, slots=True)
class TrixView:
    """All that one seat may know at one moment, and nothing else.

    Who is asked for a redeal or a doubling tells something of its hand, so that while another seat is asked
    `step` and `to_act` are None.

    Args:
        variant: The game's options.
        seat: Whose view this is.
        to_act: The seat that acts next; None when nobody does, or when it is not for this seat to know.
        step: What the seat to act decides; None where `to_act` is.
        first_king: The king of the first kingdom.
        king: The king of this kingdom: deals, and leads or begins.
        kingdom: Kingdoms completed.
        completed: Contracts completed in this kingdom, in order.
        voids: Void deals since the last completed one.
        scores: Points of each seat before this deal.
        contract: The contract of this deal; None while the king chooses.
        hand: The cards in this seat's hand.
        legal: The cards that may be played, or doubled; none in the layout: only a pass is legal.
        legal_contracts: The contracts that may be named.
        doubled: Doubled cards, in the order in which they were named.
        doubled_by: Who doubled each of them.
        played: All cards played in this deal, in order.
        played_by: Who played each of them.
        revealed: Twos that lie open in a hand (T9.5), this seat's own too.
        revealed_by: In whose hand each of them is.
        clock: What is left of this seat's time; no part of equality.
    """

    game: ClassVar[str] = "trix"

    variant: TrixVariant
    seat: int
    to_act: int | None
    step: Step | None
    first_king: int
    king: int
    kingdom: int
    completed: tuple[Contract, ...]
    voids: int
    scores: tuple[int, ...]
    contract: Contract | None
    hand: CardSet
    legal: CardSet = EMPTY
    legal_contracts: tuple[Contract, ...] = ()
    doubled: tuple[Card, ...] = ()
    doubled_by: tuple[int, ...] = ()
    played: tuple[Card, ...] = ()
    played_by: tuple[int, ...] = ()
    revealed: tuple[Card, ...] = ()
    revealed_by: tuple[int, ...] = ()
    clock: Clock = field(default=NO_LIMIT, compare=False)

    def with_clock(self, clock: Clock) -> TrixView:
        """The same view with another clock."""
        return replace(self, clock=clock)

    @property
    def legal_actions(self) -> ActionSet[TrixAction]:
        """The seat's legal actions; an empty set when another seat acts."""
        if self.to_act != self.seat:
            return NOTHING
        match self.step:
            case Step.PLAY:
                return self.legal
            case Step.LAYOUT:
                return self.legal or PASS_ONLY
            case Step.CONTRACT:
                return Choices(*self.legal_contracts)
            case Step.REDEAL:
                return REDEALS
            case Step.DOUBLE:
                return Doublings(self.legal)
            case None:
                return NOTHING

    @property
    def partner(self) -> int | None:
        """The seat that plays with this one; None where each plays for itself (T1)."""
        return (self.seat + 2) % 4 if self.variant.partners else None

    @property
    def contracts_left(self) -> tuple[Contract, ...]:
        """The contracts of this kingdom that are neither completed nor being played."""
        return tuple(one for one in Contract if one not in self.completed and one is not self.contract)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each seat's hand; none between two deals."""
        if self._between_deals:
            return (0, 0, 0, 0)
        return tuple(13 - self.played_by.count(seat) for seat in range(4))

    @property
    def trick(self) -> Trick | None:
        """The trick that lies open; None before a lead, and in the layout."""
        if self.contract is Contract.TRIX or not len(self.played) % 4:
            return None
        start = len(self.played) // 4 * 4
        return Trick(self.played_by[start], self.played[start:])

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The finished tricks of this deal, in order."""
        if self.contract is Contract.TRIX:
            return ()
        return tuple(
            Trick(self.played_by[start], self.played[start : start + 4])
            for start in range(0, len(self.played) // 4 * 4, 4)
        )

    @property
    def led_suit(self) -> Suit | None:
        """The suit of the trick that lies open."""
        trick = self.trick
        return None if trick is None else trick.led_suit

    @property
    def trick_winner(self) -> int | None:
        """Who takes the trick that lies open, as it lies."""
        trick = self.trick
        return None if trick is None else trick.winner

    @property
    def points_at_stake(self) -> int:
        """Points for this seat if it took the open trick as it lies, doubled cards counted (T7, T8)."""
        trick = self.trick
        if trick is None or self.contract is None:
            return 0
        if self.contract is Contract.SLAPS:  # a trick counts as soon as it is led
            return -15
        taken = [0, 0, 0, 0]
        taken[self.seat] = mask_of(trick.cards)
        points = trick_points(self.contract, taken, self.doubled, self.doubled_by, self.variant)
        return points[self.seat]

    @property
    def taken(self) -> tuple[CardSet, ...]:
        """The cards in each seat's finished tricks."""
        masks = [0, 0, 0, 0]
        for trick in self.tricks:
            masks[trick.winner] |= mask_of(trick.cards)
        return tuple(map(CardSet, masks))

    @property
    def face_up(self) -> tuple[CardSet, ...]:
        """What lies face up before each seat: taken queens and, with the option, taken diamonds (T8.5)."""
        shown = 0
        if self.contract is Contract.QUEENS or (
            self.contract is Contract.DIAMONDS and self.variant.diamonds_face_up
        ):
            shown = PENALTIES[self.contract]
        return tuple(CardSet(cards.mask & shown) for cards in self.taken)

    @property
    def played_cards(self) -> CardSet:
        """All cards played in this deal."""
        return CardSet.of(self.played)

    @property
    def table(self) -> CardSet:
        """The cards that lie in the layout; empty in the other contracts."""
        return self.played_cards if self.contract is Contract.TRIX else EMPTY

    def span(self, suit: Suit) -> tuple[Rank, Rank] | None:
        """The lowest and the highest rank of a suit that lie in the layout; None while its jack is missing."""
        ranks = [card.rank for card in self.table.of_suit(suit)]
        return (ranks[0], ranks[-1]) if ranks else None

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that have laid their last card, the first one first (T9.3)."""
        if self.contract is not Contract.TRIX:
            return ()
        left = [13] * 4
        gone = []
        for seat in self.played_by:
            left[seat] -= 1
            if not left[seat]:
                gone.append(seat)
        return tuple(gone)

    def known(self, seat: int) -> CardSet:
        """The cards that are known to be in a seat's hand.

        Its own hand; of another seat the revealed twos (T9.5), doubled cards that are not played (T6), and in
        the very first deal the king's seven of hearts (T2.1).
        """
        if seat == self.seat:
            return self.hand
        mask = 0
        for card, holder in zip(self.revealed, self.revealed_by, strict=True):
            if holder == seat:
                mask |= card.bit
        for card, holder in zip(self.doubled, self.doubled_by, strict=True):
            if holder == seat:
                mask |= card.bit
        if seat == self.king and self._first_deal:
            mask |= _SEVEN_OF_HEARTS
        return CardSet(mask & ~mask_of(self.played))

    @property
    def unseen(self) -> CardSet:
        """The cards of which this seat does not know where they are: not played, in no hand that is known."""
        if self._between_deals:
            return EMPTY
        seen = mask_of(self.played)
        for seat in range(4):
            seen |= self.known(seat).mask
        return CardSet(FULL_MASK & ~seen)

    def void_suits(self, seat: int) -> tuple[Suit, ...]:
        """The suits that a seat is known to have none of: it did not follow, or led what it only may without."""
        mask = self._void_mask(seat)
        return tuple(suit for suit in Suit if mask & SUIT_MASKS[suit])

    def missing(self, seat: int) -> CardSet:
        """The unseen cards that a seat is known not to hold: of its void suits, or what it passed on (T9.2)."""
        if seat == self.seat:
            return self.unseen
        if self.contract is not Contract.TRIX:
            return CardSet(self.unseen.mask & self._void_mask(seat))
        lacks = 0
        if self.step is Step.LAYOUT:
            for who, card, reach in turns(self.king, self.played, self.played_by, self.to_act):
                if who == seat and card is None:
                    lacks |= reach
        return CardSet(self.unseen.mask & lacks)

    @property
    def _between_deals(self) -> bool:
        return self.to_act is None and not self.hand and not self.played

    @property
    def _first_deal(self) -> bool:
        return not (self.kingdom or self.completed or self.voids or self._between_deals)

    def _void_mask(self, seat: int) -> int:
        if self.contract is None or self.contract is Contract.TRIX:
            return 0
        mask = 0
        played = self.played
        for place, by in enumerate(self.played_by):
            if by == seat:
                led = played[place & ~3].suit
                if played[place].suit != led:
                    mask |= SUIT_MASKS[led]
        if (
            self.contract is Contract.DIAMONDS
            and self.variant.diamond_lead == "not_first"
            and seat == self.king
            and played
            and played[0].suit == Suit.DIAMONDS
        ):
            mask |= FULL_MASK & ~SUIT_MASKS[Suit.DIAMONDS]  # Rule T5: it had nothing else
        return mask


make_view = maker(TrixView)


class Void(Enum):
    """Why a deal was void."""

    #: A seat claimed a redeal and showed its hand (T4.3).
    REDEAL = "redeal"
    #: A suit was closed before all jacks were out (T9.6).
    CLOSED_SUIT = "closed_suit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrixDealSummary:
    """What the rules show everybody of a deal that has ended.

    Args:
        void: Why it was void; None for a completed deal.
        king: Who was king.
        kingdom: Kingdoms completed before it.
        contract: What was played.
        doubled: Doubled cards, in the order in which they were named.
        doubled_by: Who doubled each of them.
        played: All cards that were played, in order.
        played_by: Who played each of them.
        claimed_hand: The 13 cards of the seat that claimed a redeal (T4.3); empty otherwise.
        claimed_by: That seat, or None.
        points: Points that the deal brought to each seat.
        scores: Points of each seat after it.
    """

    game: ClassVar[str] = "trix"

    void: Void | None
    king: int
    kingdom: int
    contract: Contract
    doubled: tuple[Card, ...] = ()
    doubled_by: tuple[int, ...] = ()
    played: tuple[Card, ...] = ()
    played_by: tuple[int, ...] = ()
    claimed_hand: CardSet = EMPTY
    claimed_by: int | None = None
    points: tuple[int, ...]
    scores: tuple[int, ...]
