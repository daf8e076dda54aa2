"""A game of Vytrix from its first deal to its end (rules V1 to V12), seen from above the table.

Owns the order of play, what is legal, and the scores. Deals nothing itself, does no I/O, knows no clock.
Inside, hands are bit masks and a trick is four numbers: this is the innermost loop of every searching bot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardtable.cards import EMPTY, SUIT_MASKS, Card, CardSet
from cardtable.engine import ActionSet, Deal, IllegalAction, MalformedAction
from cardtable.tricks import SUIT_OF
from cardtable.vytrix.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Direction,
    Discard,
    Kitty,
    KittyFate,
    Name,
    Pass,
    Step,
    Strain,
)
from cardtable.vytrix.legal import DIRECTION_NAMES, KITTY_CHOICES, STRAIN_NAMES, LegalBids, LegalDiscards
from cardtable.vytrix.ranking import STRENGTHS, TRUMP_MASKS
from cardtable.vytrix.scoring import earnings
from cardtable.vytrix.view import VytrixDealSummary, make_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.vytrix.variant import VytrixVariant
    from cardtable.vytrix.view import VytrixView

__all__ = ["VytrixState"]

_NEXT: Final = {3: (1, 2, 0), 4: (1, 2, 3, 0)}
_STEP_RULE: Final = {Step.BID: "V2", Step.KITTY: "V5", Step.DISCARD: "V5", Step.NAME: "V12", Step.PLAY: "V6"}
_STEP_ASKS: Final = {
    Step.BID: "a bid or a pass",
    Step.KITTY: "kitty:take or kitty:leave",
    Step.DISCARD: "a discard of four cards",
    Step.NAME: "a name for what the bid left open",
    Step.PLAY: "a card",
}


class VytrixState:
    """A game that waits for its first deal.

    Args:
        variant: The options in force.
    """

    __slots__ = (
        "_barred",
        "_best",
        "_calls",
        "_contract",
        "_dealer",
        "_declarer",
        "_discarded",
        "_followed",
        "_hand_number",
        "_hands",
        "_hands_completed",
        "_kitty",
        "_kitty_fate",
        "_last_bid",
        "_last_bidder",
        "_legal",
        "_next",
        "_passes",
        "_played",
        "_played_by",
        "_scores",
        "_shown",
        "_step",
        "_strength",
        "_strengths",
        "_to_follow",
        "_tricks",
        "_winner",
        "ended_by",
        "ended_void",
        "is_over",
        "needs_deal",
        "to_act",
        "variant",
    )

    def __init__(self, variant: VytrixVariant) -> None:
        players = variant.players
        self.variant = variant
        self.to_act: int | None = None
        self.needs_deal = True
        self.is_over = False
        self.ended_by = ""
        self.ended_void = False
        self._next = _NEXT[players]
        self._scores: tuple[int, ...] = (0,) * len(variant.groups)
        self._hands_completed = 0
        #: What `summary` shows, gathered at the end of a hand and put together when somebody asks.
        self._shown: dict[str, Any] | None = None
        # The hand on the table; after its end it stays there until the next deal.
        self._hand_number = 0
        self._dealer = players - 1
        self._step: Step | None = None
        self._hands = [0] * players
        self._kitty = 0
        self._discarded = 0
        self._kitty_fate = KittyFate.CLOSED
        self._calls: tuple[Call, ...] = ()
        self._last_bid: Bid | None = None
        self._last_bidder = 0
        self._passes = 0
        self._declarer: int | None = None
        self._contract: Bid | None = None
        self._played: list[Card] = []
        self._played_by: list[int] = []
        self._tricks = [0] * players
        # The trick on the table. `_legal` is 0 unless a card is to be played; `_barred` is the trump suit while
        # it may not be led (V9); `_to_follow` counts the cards that the trick still waits for, 0 before the lead.
        self._legal = 0
        self._barred = 0
        self._to_follow = 0
        self._followed = 0
        self._best = 0
        self._winner = 0
        self._strengths: tuple[tuple[int, ...], ...] = ()
        self._strength: tuple[int, ...] = ()

    @property
    def deal_key(self) -> str:
        """The number of the hand, from 0, that is needed or lies on the table."""
        return str(self._hands_completed)

    @property
    def scores(self) -> tuple[int, ...]:
        """One a seat, with four players one a side (seats 0 and 2 first); a price counts at once (V3)."""
        return self._scores

    @property
    def group_scores(self) -> tuple[int, ...]:
        """The same as `scores`: what is scored is what is ranked."""
        return self._scores

    def deal(self, deal: Deal) -> None:
        """Take in the cards of the next hand (rule V1).

        Raises:
            UnsoundDeal: They are no deal of this variant.
            ValueError: No deal is needed now.
        """
        if not self.needs_deal:
            raise ValueError("the game is over" if self.is_over else "the hand on the table is not complete")
        variant = self.variant
        deal.check(variant.hand_sizes, "V1")
        players = variant.players
        self._hand_number = self._hands_completed
        self._dealer = (self._hand_number - 1) % players
        self._hands = [hand.mask for hand in deal.hands]
        self._kitty = deal.kitty.mask
        self._discarded = 0
        self._kitty_fate = KittyFate.CLOSED
        self._calls = ()
        self._last_bid = None
        self._passes = 0
        self._declarer = None
        self._contract = None
        self._played = []
        self._played_by = []
        self._tricks = [0] * players
        self._legal = self._barred = self._to_follow = 0
        self.needs_deal = False
        self._step = Step.BID
        self.to_act = self._next[self._dealer]

    def legal_actions(self) -> ActionSet[Action]:
        """The legal actions of the seat `to_act`; an empty set when there is none."""
        legal = self._legal
        if legal:
            return CardSet(legal)
        match self._step:
            case Step.BID:
                return LegalBids(*self._bid_bounds(), self.variant.partial_bidding)
            case Step.KITTY:
                return KITTY_CHOICES
            case Step.DISCARD:
                assert self.to_act is not None
                return LegalDiscards(CardSet(self._hands[self.to_act]))
            case Step.NAME:
                assert self._contract is not None
                return STRAIN_NAMES if self._contract.strain is None else DIRECTION_NAMES
            case _:
                return EMPTY

    def _bid_bounds(self) -> tuple[int, int, bool]:
        """Lowest and highest legal bid, and whether a pass is legal (rules V2, V2.1, V2.4)."""
        highest = self.variant.max_bid
        if self._last_bid is None:
            return 1, highest, False
        lowest = self._last_bid.points + 1
        if highest and lowest > highest:
            return 0, 0, True
        return lowest, highest, True

    def apply(self, action: Action) -> None:
        """Make the seat `to_act` act.

        Raises:
            IllegalAction: The rules forbid it here; the state is unchanged.
            MalformedAction: It is no action of Vytrix at all.
        """
        if action.__class__ is not Card:
            self._decide(action)
            return
        bit = action.bit
        if not self._legal & bit:
            raise self._refusal(action)
        seat = self.to_act
        assert seat is not None
        hands = self._hands
        hands[seat] ^= bit
        self._played.append(action)
        self._played_by.append(seat)
        if bit & self._barred:
            self._barred = 0
        to_follow = self._to_follow
        if not to_follow:
            index = action.index
            suit = SUIT_OF[index]
            self._followed = followed = SUIT_MASKS[suit]
            self._strength = strength = self._strengths[suit]
            self._best = strength[index]
            self._winner = seat
            self._to_follow = len(hands) - 1
        else:
            value = self._strength[action.index]
            if value > self._best:
                self._best = value
                self._winner = seat
            self._to_follow = to_follow - 1
            if to_follow == 1:
                winner = self._winner
                self._tricks[winner] += 1
                self.to_act = winner
                hand = hands[winner]
                # V9: a hand of trumps alone may lead them.
                self._legal = hand & ~self._barred or hand
                if not hand:
                    self._complete_hand(winner)
                return
            followed = self._followed
        self.to_act = seat = self._next[seat]
        hand = hands[seat]
        self._legal = hand & followed or hand

    def _decide(self, action: Action) -> None:
        """Make an action that is no card."""
        match action:
            case Bid() | Pass():
                self._require(action, "V2", Step.BID)
                self._call(action)
            case Kitty():
                self._require(action, "V5", Step.KITTY)
                self._settle_kitty(action)
            case Discard():
                self._require(action, "V5", Step.DISCARD)
                self._discard(action)
            case Name():
                self._require(action, "V12", Step.NAME)
                self._name(action)
            case _:
                raise MalformedAction(f"{action!r} is no action of Vytrix")

    def _require(self, action: Action, rule: str, step: Step) -> None:
        if self._step is None:
            raise self._refusal(action)
        if self._step is not step:
            raise IllegalAction(f"{action}: seat {self.to_act} owes {_STEP_ASKS[self._step]}", rule)

    def _refusal(self, action: Action) -> IllegalAction:
        """Why this card, or this action where nobody is to act, is illegal."""
        step = self._step
        if step is None:
            why = "the game is over" if self.is_over else "the cards are not dealt"
            return IllegalAction(f"{action}: {why}", self.ended_by or "V1")
        if step is not Step.PLAY or not isinstance(action, Card):
            return IllegalAction(f"{action}: seat {self.to_act} owes {_STEP_ASKS[step]}", _STEP_RULE[step])
        assert self.to_act is not None
        hand = self._hands[self.to_act]
        if not hand & action.bit:
            return IllegalAction(f"{action}: seat {self.to_act} does not hold this card", "V6")
        if self._to_follow:
            return IllegalAction(f"{action}: seat {self.to_act} can follow the suit led and must", "V6")
        return IllegalAction(f"{action}: trumps are not broken, and seat {self.to_act} has other cards", "V9")

    def _call(self, call: Call) -> None:
        """Rule V2: a bid or a pass."""
        assert self.to_act is not None
        if isinstance(call, Bid):
            self._check_bid(call)
            self._last_bid = call
            self._last_bidder = self.to_act
            self._passes = 0
        else:
            if self._last_bid is None:
                raise IllegalAction("pass: the seat after the dealer must open with a bid", "V2")
            self._passes += 1
        self._calls = (*self._calls, call)
        if self._last_bid is not None and self._passes == self.variant.players - 1:
            self._end_auction(self._last_bid)
        else:
            self.to_act = self._next[self.to_act]

    def _check_bid(self, bid: Bid) -> None:
        parts = (bid.strain is not None) + (bid.direction is not None)
        if self.variant.partial_bidding:
            if parts != 1:
                raise IllegalAction(f"{bid}: a bid names either a strain or a direction", "V12")
        elif parts != 2:
            raise IllegalAction(f"{bid}: a bid names a strain and a direction", "V2")
        if bid.points < 1:
            raise IllegalAction(f"{bid}: a bid is at least 1 point", "V2")
        if self._last_bid is not None and bid.points <= self._last_bid.points:
            raise IllegalAction(f"{bid}: the last bid is {self._last_bid.points}; bid more or pass", "V2.1")
        if 0 < self.variant.max_bid < bid.points:
            raise IllegalAction(f"{bid}: the highest bid is {self.variant.max_bid}", "V2.4")

    def _end_auction(self, bid: Bid) -> None:
        """Rules V2.3 and V3: the last bidder is declarer and pays at once."""
        declarer = self._declarer = self._last_bidder
        self._contract = bid
        group = self._group(declarer)
        self._scores = tuple(
            score - bid.points if place == group else score for place, score in enumerate(self._scores)
        )
        if self.variant.players == 3:
            self._step = Step.KITTY
            self.to_act = declarer
        elif self.variant.partial_bidding:
            self._step = Step.NAME
            self.to_act = (declarer + 2) % 4
        else:
            self._begin_play()

    def _group(self, seat: int) -> int:
        """The place of a seat's score."""
        return seat if self.variant.players == 3 else seat & 1

    def _settle_kitty(self, choice: Kitty) -> None:
        """Rule V5."""
        if choice is Kitty.LEAVE:
            self._kitty_fate = KittyFate.LEFT
            self._begin_play()
            return
        assert self.to_act is not None
        self._kitty_fate = KittyFate.TAKEN
        self._hands[self.to_act] |= self._kitty
        self._step = Step.DISCARD

    def _discard(self, discard: Discard) -> None:
        """Rule V5.2."""
        assert self.to_act is not None
        mask = discard.cards.mask
        if mask.bit_count() != 4:
            raise IllegalAction(f"{discard}: {mask.bit_count()} cards; discard four", "V5.2")
        if mask & ~self._hands[self.to_act]:
            raise IllegalAction(f"{discard}: seat {self.to_act} does not hold all of these cards", "V5.2")
        self._hands[self.to_act] ^= mask
        self._discarded = mask
        self._begin_play()

    def _name(self, name: Name) -> None:
        """Rule V12: declarer's partner completes the contract."""
        bid = self._contract
        assert bid is not None
        match name.part:
            case Strain() if bid.strain is None:
                self._contract = Bid(bid.points, name.part, bid.direction)
            case Direction() if bid.direction is None:
                self._contract = Bid(bid.points, bid.strain, name.part)
            case _:
                missing = "strain" if bid.strain is None else "direction"
                raise IllegalAction(f"{name}: the {missing} is to be named", "V12")
        self._begin_play()

    def _begin_play(self) -> None:
        """Rule V6: the seat after declarer leads."""
        declarer, bid = self._declarer, self._contract
        assert declarer is not None
        assert bid is not None
        assert bid.strain is not None
        assert bid.direction is not None
        self._step = Step.PLAY
        self._strengths = STRENGTHS[bid.strain, bid.direction]
        if self.variant.breaking_trump:
            self._barred = TRUMP_MASKS[bid.strain]
        self.to_act = leader = self._next[declarer]
        hand = self._hands[leader]
        self._legal = hand & ~self._barred or hand

    def _complete_hand(self, last_winner: int) -> None:
        """Rules V7 and V8: score the hand, and end the game or wait for the next deal."""
        variant, declarer, bid = self.variant, self._declarer, self._contract
        assert declarer is not None
        assert bid is not None
        assert bid.strain is not None
        earned = earnings(
            variant, bid.strain, declarer, self._tricks, last_winner, self._kitty_fate is KittyFate.LEFT
        )
        self._scores = tuple(map(int.__add__, self._scores, earned))
        group = self._group(declarer)
        self._shown = {
            "hand_number": self._hand_number,
            "dealer": self._dealer,
            "calls": self._calls,
            "declarer": declarer,
            "contract": bid,
            "kitty": self._kitty_fate,
            "played": self._played,
            "played_by": self._played_by,
            "tricks": tuple(self._tricks),
            "points": tuple(got - bid.points if place == group else got for place, got in enumerate(earned)),
            "scores": self._scores,
        }
        self._step = self.to_act = None
        self._hands_completed += 1
        self.ended_by = "V6"
        self.is_over = (0 < variant.target <= max(self._scores)) or (
            0 < variant.max_hands <= self._hands_completed
        )
        self.needs_deal = not self.is_over

    def summary(self) -> VytrixDealSummary:
        """What the rules show everybody of the hand that ended last.

        Raises:
            ValueError: No hand has ended.
        """
        shown = self._shown
        if shown is None:
            raise ValueError("no hand has ended")
        played, played_by = tuple(shown["played"]), tuple(shown["played_by"])
        return VytrixDealSummary(**shown | {"played": played, "played_by": played_by})

    def view(self, seat: int) -> VytrixView:
        """What this seat may know; nothing that it may not know has any influence on it."""
        step = self._step
        acts = seat == self.to_act
        lowest, highest, may_pass = self._bid_bounds() if acts and step is Step.BID else (0, 0, False)
        took = seat == self._declarer and self._kitty_fate is KittyFate.TAKEN
        return make_view(
            self.variant,
            seat,
            self.to_act,
            step,
            self._hand_number,
            self._dealer,
            self._scores,
            self._calls,
            self._declarer,
            self._contract,
            self._kitty_fate,
            CardSet(self._hands[seat]),
            CardSet(self._legal) if acts else EMPTY,
            lowest,
            highest,
            may_pass,
            CardSet(self._kitty) if took else EMPTY,
            CardSet(self._discarded) if took else EMPTY,
            tuple(self._played),
            tuple(self._played_by),
        )

    def copy(self) -> VytrixState:
        """An independent state that goes on from here."""
        other: VytrixState = object.__new__(VytrixState)
        other._barred = self._barred
        other._best = self._best
        other._calls = self._calls
        other._contract = self._contract
        other._dealer = self._dealer
        other._declarer = self._declarer
        other._discarded = self._discarded
        other._followed = self._followed
        other._hand_number = self._hand_number
        other._hands = self._hands[:]
        other._hands_completed = self._hands_completed
        other._kitty = self._kitty
        other._kitty_fate = self._kitty_fate
        other._last_bid = self._last_bid
        other._last_bidder = self._last_bidder
        other._legal = self._legal
        other._next = self._next
        other._passes = self._passes
        other._played = self._played[:]
        other._played_by = self._played_by[:]
        other._scores = self._scores
        other._step = self._step
        other._strength = self._strength
        other._strengths = self._strengths
        other._shown = self._shown
        other._to_follow = self._to_follow
        other._tricks = self._tricks[:]
        other._winner = self._winner
        other.ended_by = self.ended_by
        other.ended_void = self.ended_void
        other.is_over = self.is_over
        other.needs_deal = self.needs_deal
        other.to_act = self.to_act
        other.variant = self.variant
        return other

    @classmethod
    def of_view(cls, view: VytrixView) -> VytrixState:
        """A state with all that a view knows, in which nobody else holds a card yet (see `hold`).

        Args:
            view: A view of a moment at which some seat acts.
        """
        state = cls(view.variant)
        state.to_act = view.to_act
        state.needs_deal = False
        state.ended_by = "V6" if view.hand_number else ""
        state._scores = view.scores
        state._hands_completed = state._hand_number = view.hand_number
        state._dealer = view.dealer
        state._step = view.step
        state._calls = view.calls
        state._last_bid = view.last_bid
        state._last_bidder = view.last_bidder or 0
        for call in reversed(view.calls):
            if call is not PASS:
                break
            state._passes += 1
        state._declarer = view.declarer
        state._contract = view.contract
        state._kitty_fate = view.kitty
        if view.step is Step.PLAY:
            state._restore_tricks(view)
        return state

    def _restore_tricks(self, view: VytrixView) -> None:
        contract = view.contract
        assert contract is not None
        assert contract.strain is not None
        assert contract.direction is not None
        self._strengths = STRENGTHS[contract.strain, contract.direction]
        self._played = list(view.played)
        self._played_by = list(view.played_by)
        self._tricks = list(view.tricks_won)
        if self.variant.breaking_trump and not view.trump_broken:
            self._barred = TRUMP_MASKS[contract.strain]
        led, winner = view.led_suit, view.trick_winner
        if led is not None and winner is not None:
            self._followed = SUIT_MASKS[led]
            self._strength = self._strengths[led]
            self._best = max(self._strength[play.card.index] for play in view.trick)
            self._winner = winner
            self._to_follow = view.variant.players - len(view.trick)

    def hold(self, hands: Sequence[int], kitty: int, discarded: int) -> None:
        """Put the cards of the hand on the table where they are.

        Args:
            hands: Mask of each seat's hand.
            kitty: Mask of the cards that were dealt to the kitty; 0 without one.
            discarded: Mask of declarer's discards.
        """
        self._hands = list(hands)
        self._kitty = kitty
        self._discarded = discarded
        if self._step is Step.PLAY and self.to_act is not None:
            hand = self._hands[self.to_act]
            lead = hand & ~self._barred or hand
            self._legal = hand & self._followed or hand if self._to_follow else lead
