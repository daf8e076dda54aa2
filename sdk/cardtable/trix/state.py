"""A game of Trix from its first deal to its end, seen from above the table: rules T1 to T6 and T9.

Owns whose turn it is, what is legal and what an action does. Points stand in `scoring`, what a seat may see in
`view`. It does no I/O and knows no chance: cards come in as a finished deal.
"""
# ruff: noqa: SLF001 - `copy` fills the attributes of a twin

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Any, Final

from cardtable.cards import CARDS, SUIT_MASKS, Card, CardSet, Suit, mask_of
from cardtable.engine import IllegalAction, UnsoundDeal
from cardtable.tricks import SUIT_OF
from cardtable.trix.actions import (
    NOTHING,
    PASS_ONLY,
    REDEALS,
    Choices,
    Contract,
    Double,
    Doublings,
    Pass,
    Redeal,
    Step,
)
from cardtable.trix.layout import JACKS, OPENED_BY, TWOS, turns
from cardtable.trix.scoring import DOUBLABLE, PENALTIES, layout_points, trick_points
from cardtable.trix.view import TrixDealSummary, Void, make_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.engine import ActionSet, Deal
    from cardtable.trix.actions import TrixAction
    from cardtable.trix.variant import TrixVariant
    from cardtable.trix.view import TrixView

__all__ = ["HAND_SIZES", "TrixState", "redeal_right"]

#: Cards for each seat (T3).
HAND_SIZES: Final = (13, 13, 13, 13)

# Members looked up once: an enum's attributes are too slow for the innermost loop.
_PLAY: Final = Step.PLAY
_LAYOUT: Final = Step.LAYOUT
_CONTRACTS: Final = tuple(Contract)

_SEATS_FROM: Final = tuple(tuple((seat + step) & 3 for step in range(4)) for seat in range(4))

_SUIT_MASK_OF: Final = tuple(SUIT_MASKS[suit] for suit in SUIT_OF)
_SEVEN_OF_HEARTS: Final = Card("7H").bit
_HEARTS: Final = SUIT_MASKS[Suit.HEARTS]
_HIGH_HEARTS: Final = Card("AH").bit | Card("KH").bit
_DIAMONDS: Final = SUIT_MASKS[Suit.DIAMONDS]
_NEVER_ALL_TAKEN: Final = -1
_REIGNS: Final = {"right": (0, 1, 2, 3), "across": (0, 1, 3, 2)}  # Rule T2.2


def redeal_right(contract: Contract, hand: int) -> bool:
    """Whether a hand gives the right to a redeal (Rules T4.1 and T4.2).

    Args:
        contract: The contract that was named.
        hand: Mask of the 13 cards.
    """
    if contract is Contract.KING:
        hearts = hand & _HEARTS
        return bool(hearts) and not hearts & ~_HIGH_HEARTS
    if contract is Contract.TRIX:
        twos = hand & TWOS
        count = twos.bit_count()
        return count == 4 or (count == 3 and bool(hand & (TWOS ^ twos) << 1))
    return False


class TrixState:
    """A game of Trix; it starts with the need of its first deal.

    The attributes are for reading: `deal` and `apply` change them.

    Args:
        variant: The game's options.
    """

    __slots__ = (
        "_by",
        "_early",
        "_hands",
        "_led",
        "_legal",
        "_out",
        "_played",
        "_queue",
        "_reach",
        "_shown",
        "_stakes",
        "_table",
        "_taken",
        "_turns",
        "completed",
        "contract",
        "doubled",
        "doubled_by",
        "ended_by",
        "ended_void",
        "first_king",
        "is_over",
        "king",
        "kingdom",
        "needs_deal",
        "scores",
        "step",
        "to_act",
        "variant",
        "voids",
    )

    def __init__(self, variant: TrixVariant) -> None:
        self.variant = variant
        #: A seat; None when a deal is needed or the game is over.
        self.to_act: int | None = None
        self.needs_deal = True
        self.is_over = False
        self.ended_by = ""
        self.ended_void = False
        #: Points of each seat after the last completed deal.
        self.scores: tuple[int, ...] = (0, 0, 0, 0)
        #: King of the first kingdom; until the first deal the seat that deals it (T2.1).
        self.first_king = 0
        self.king = 0
        #: Kingdoms completed.
        self.kingdom = 0
        #: Contracts completed in this kingdom, in order.
        self.completed: tuple[Contract, ...] = ()
        #: Void deals since the last completed one (T4.5).
        self.voids = 0
        self.step: Step | None = None
        #: The contract of this deal; before a deal that repeats one (T9.6) it stands already.
        self.contract: Contract | None = None
        self.doubled: tuple[Card, ...] = ()
        self.doubled_by: tuple[int, ...] = ()
        #: What `summary` shows, gathered at the end of a deal and put together when somebody asks.
        self._shown: dict[str, Any] | None = None
        self._early = variant.early_end
        self._clear()

    def _clear(self) -> None:
        self.to_act = None
        self.step = None
        self.doubled = self.doubled_by = ()
        self._hands = [0, 0, 0, 0]
        self._played: list[Card] = []
        self._by: list[int] = []
        #: Cards that may be played now; 0 where no card may.
        self._legal = 0
        #: Seats still to be asked for a redeal or a doubling.
        self._queue: tuple[int, ...] = ()
        # Tricks: the suit led, what each seat took, and the penalty cards whose taking ends the deal.
        self._led = 0
        self._taken = [0, 0, 0, 0]
        self._stakes = _NEVER_ALL_TAKEN
        # Layout: cards that can be laid and that lie, turns so far, seats that are out.
        self._reach = JACKS
        self._table = 0
        self._turns = 0
        self._out: list[int] = []

    @classmethod
    def behind(cls, view: TrixView, hands: Sequence[CardSet]) -> TrixState:
        """The state that a view shows, with these cards in the hands.

        What the view does not tell is taken to be so: the seats that had to decide on a redeal or a doubling
        before the view's own seat have done it.

        Args:
            view: The view of a seat to which somebody's turn is known.
            hands: The cards in each seat's hand now.

        Raises:
            ValueError: The view does not tell whose turn it is.
        """
        if view.step is None or view.to_act is None:
            raise ValueError("the view does not tell whose turn it is")
        state = cls(view.variant)
        state.first_king, state.king, state.kingdom = view.first_king, view.king, view.kingdom
        state.completed, state.voids, state.scores = view.completed, view.voids, view.scores
        state.needs_deal, state.ended_void = False, view.voids > 0
        state.contract = view.contract
        state._hands = [hand.mask for hand in hands]
        state.doubled, state.doubled_by = view.doubled, view.doubled_by
        state._played, state._by = list(view.played), list(view.played_by)
        later = tuple((view.king + step) & 3 for step in range((view.to_act - view.king & 3) + 1, 4))
        match view.step:
            case Step.REDEAL:
                state._queue = state._holders_of_right(later)
            case Step.DOUBLE:
                state._queue = state._holders_of_doublable(later)
            case Step.PLAY:
                state._begin_tricks()
                for trick in view.tricks:
                    mask = mask_of(trick.cards)
                    state._taken[trick.winner] |= mask
                    state._stakes &= ~mask
                if view.trick is not None:
                    state._led = SUIT_MASKS[view.trick.led_suit]
            case Step.LAYOUT:
                state._table = mask_of(view.played)
                for _, card, _ in turns(view.king, view.played, view.played_by, view.to_act):
                    state._turns += 1
                    if card is not None:
                        state._reach = state._reach & ~card.bit | OPENED_BY[card.index]
                state._out = list(view.out)
            case Step.CONTRACT:
                pass
        state.step, state.to_act = view.step, view.to_act
        hand = state._hands[view.to_act]
        if view.step is Step.LAYOUT:
            state._legal = hand & state._reach
        elif view.step is Step.PLAY:
            if not view.played:
                state._legal = state._first_lead(hand)
            else:
                state._legal = hand & state._led or hand if view.trick else hand
        return state

    @property
    def deal_key(self) -> str:
        """The deal that is needed or lies on the table: kingdom, deal of the kingdom, attempt, all from 0."""
        return f"{self.kingdom}.{len(self.completed)}.{self.voids}"

    @property
    def group_scores(self) -> tuple[int, ...]:
        """One score a seat, or in partnerships one a side (T1)."""
        if self.variant.partners:
            first, second, third, fourth = self.scores
            return first + third, second + fourth
        return self.scores

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """The cards in each seat's hand."""
        return tuple(map(CardSet, self._hands))

    def deal(self, deal: Deal) -> None:
        """Take in the cards of the deal that is needed (T3).

        Raises:
            UnsoundDeal: They are not 13 cards for each seat, or no deal is needed.
        """
        if not self.needs_deal:
            raise UnsoundDeal("no deal is needed: the last one is not complete, or the game is over")
        deal.check(HAND_SIZES, "format")
        self._hands = [hand.mask for hand in deal.hands]
        self.needs_deal = False
        if not (self.kingdom or self.completed or self.voids):  # Rule T2.1
            seat = next(seat for seat, hand in enumerate(self._hands) if hand & _SEVEN_OF_HEARTS)
            self.first_king = self.king = seat
        if self.contract is not None:  # Rule T9.6: it is played again
            self._ask_for_redeals()
        else:
            self.step, self.to_act = Step.CONTRACT, self.king

    def legal_actions(self) -> ActionSet[TrixAction]:
        """The legal actions of the seat `to_act`; an empty set when there is none."""
        legal = self._legal
        if legal:
            return CardSet(legal)
        match self.step:
            case Step.LAYOUT:
                return PASS_ONLY
            case Step.CONTRACT:
                return Choices(*self._legal_contracts())
            case Step.REDEAL:
                return REDEALS
            case Step.DOUBLE:
                return Doublings(CardSet(self._doublable()))
            case _:
                return NOTHING

    def apply(self, action: TrixAction) -> None:
        """Make the seat `to_act` act.

        Raises:
            IllegalAction: The rules forbid it here; the state is unchanged.
        """
        if action.__class__ is not Card:
            self._decide(action)
            return
        bit = action.bit
        if not self._legal & bit:
            raise self._illegal(action)
        if self.step is not _PLAY:
            self._lay(action)
            return
        seat = self.to_act
        assert seat is not None
        hands, played = self._hands, self._played
        hands[seat] ^= bit
        played.append(action)
        self._by.append(seat)
        place = len(played) & 3
        if place == 1:
            self._led = _SUIT_MASK_OF[action.index]
        elif not place:
            self._take_trick()
            return
        self.to_act = seat = seat + 1 & 3
        hand = hands[seat]
        self._legal = hand & self._led or hand

    def _decide(self, action: TrixAction) -> None:
        """Make an action that is no card."""
        if isinstance(action, Pass):
            if self.step is not _LAYOUT or self._legal:
                raise self._illegal(action)
            self._turns += 1
            self._next_turn()
            return
        if action not in self.legal_actions():
            raise self._illegal(action)
        match action:
            case Contract():
                self.contract = action
                self._ask_for_redeals()
            case Redeal.CLAIM:
                self._end_void(Void.REDEAL)
            case Redeal.KEEP:
                self._ask_next()
            case Double():
                self._double(action)

    def view(self, seat: int) -> TrixView:
        """What this seat may know; nothing that it may not know has any influence on it."""
        step, to_act = self.step, self.to_act
        legal = 0
        contracts: tuple[Contract, ...] = ()
        if to_act == seat:
            legal = self._legal
            if step is Step.CONTRACT:
                contracts = self._legal_contracts()
            elif step is Step.DOUBLE:
                legal = self._doublable()
        elif step is Step.REDEAL or step is Step.DOUBLE:
            step = to_act = None  # who is asked holds certain cards
        revealed, revealed_by = self._revealed()
        return make_view(
            self.variant,
            seat,
            to_act,
            step,
            self.first_king,
            self.king,
            self.kingdom,
            self.completed,
            self.voids,
            self.scores,
            self.contract,
            CardSet(self._hands[seat]),
            CardSet(legal),
            contracts,
            self.doubled,
            self.doubled_by,
            tuple(self._played),
            tuple(self._by),
            revealed,
            revealed_by,
        )

    def summary(self) -> TrixDealSummary:
        """What the rules show everybody of the deal that ended last.

        Raises:
            ValueError: No deal has ended.
        """
        shown = self._shown
        if shown is None:
            raise ValueError("no deal has ended")
        played, played_by = tuple(shown["played"]), tuple(shown["played_by"])
        return TrixDealSummary(**shown | {"played": played, "played_by": played_by})

    def copy(self) -> TrixState:
        """An independent state that goes on from here."""
        twin = TrixState.__new__(TrixState)
        twin.variant = self.variant
        twin.to_act = self.to_act
        twin.needs_deal = self.needs_deal
        twin.is_over = self.is_over
        twin.ended_by = self.ended_by
        twin.ended_void = self.ended_void
        twin.scores = self.scores
        twin.first_king = self.first_king
        twin.king = self.king
        twin.kingdom = self.kingdom
        twin.completed = self.completed
        twin.voids = self.voids
        twin.step = self.step
        twin.contract = self.contract
        twin.doubled = self.doubled
        twin.doubled_by = self.doubled_by
        twin._hands = self._hands[:]
        twin._played = self._played[:]
        twin._by = self._by[:]
        twin._legal = self._legal
        twin._queue = self._queue
        twin._led = self._led
        twin._taken = self._taken[:]
        twin._stakes = self._stakes
        twin._reach = self._reach
        twin._table = self._table
        twin._turns = self._turns
        twin._out = self._out[:]
        twin._early = self._early
        twin._shown = self._shown
        return twin

    # -- before the first card

    def _legal_contracts(self) -> tuple[Contract, ...]:
        """Rule T3: those not yet played in this kingdom."""
        return tuple([contract for contract in _CONTRACTS if contract not in self.completed])

    def _voidable(self) -> bool:
        """Rule T4.5."""
        return self.voids < self.variant.max_voids

    def _holders_of_right(self, seats: Sequence[int]) -> tuple[int, ...]:
        contract = self.contract
        if contract is None or not (self.variant.redeals and self._voidable()):
            return ()
        return tuple(seat for seat in seats if redeal_right(contract, self._hands[seat]))

    def _holders_of_doublable(self, seats: Sequence[int]) -> tuple[int, ...]:
        if self.contract is None or not self.variant.doubling:
            return ()
        cards = DOUBLABLE.get(self.contract, 0)
        return tuple(seat for seat in seats if self._hands[seat] & cards)

    def _doublable(self) -> int:
        if self.contract is None or self.to_act is None:
            return 0
        return self._hands[self.to_act] & DOUBLABLE.get(self.contract, 0)

    def _ask_for_redeals(self) -> None:
        """Rule T4."""
        self.step = Step.REDEAL
        self._queue = self._holders_of_right(_SEATS_FROM[self.king])
        self._ask_next()

    def _ask_next(self) -> None:
        """Rules T4 and T6: the next seat with a right, then with a doublable card, then the first card."""
        if not self._queue and self.step is Step.REDEAL:
            self.step = Step.DOUBLE
            self._queue = self._holders_of_doublable(_SEATS_FROM[self.king])
        if self._queue:
            self.to_act, *rest = self._queue
            self._queue = tuple(rest)
            return
        self.to_act = self.king
        hand = self._hands[self.king]
        if self.contract is Contract.TRIX:
            self.step = Step.LAYOUT
            self._legal = hand & self._reach
        else:
            self.step = Step.PLAY
            self._begin_tricks()
            self._legal = self._first_lead(hand)

    def _double(self, action: Double) -> None:
        """Rule T6."""
        seat = self.to_act
        assert seat is not None
        self.doubled += tuple(action.cards)
        self.doubled_by += (seat,) * len(action.cards)
        self._ask_next()

    # -- tricks

    def _begin_tricks(self) -> None:
        """Rule T5, `early_end`."""
        if self._early and self.contract in PENALTIES:
            self._stakes = PENALTIES[self.contract]

    def _first_lead(self, hand: int) -> int:
        """Rule T5, `diamond_lead`."""
        if self.contract is Contract.DIAMONDS and self.variant.diamond_lead == "not_first":
            return hand & ~_DIAMONDS or hand
        return hand

    def _take_trick(self) -> None:
        played = self._played
        first, second, third, fourth = trick = played[-4:]
        mask = first.bit | second.bit | third.bit | fourth.bit
        best = CARDS[(mask & self._led).bit_length() - 1]
        winner = self._by[trick.index(best) - 4]
        self._taken[winner] |= mask
        self._stakes &= ~mask
        if len(played) == 52 or not self._stakes:
            assert self.contract is not None
            points = trick_points(self.contract, self._taken, self.doubled, self.doubled_by, self.variant)
            self._complete(points, "T5")
        else:
            self.to_act = winner
            self._legal = self._hands[winner]

    # -- layout

    def _lay(self, card: Card) -> None:
        """Rules T9.1, T9.3 and T9.6."""
        seat = self.to_act
        assert seat is not None
        self._hands[seat] ^= card.bit
        self._played.append(card)
        self._by.append(seat)
        self._turns += 1
        self._table |= card.bit
        opened = OPENED_BY[card.index]
        self._reach = self._reach ^ card.bit | opened
        if not opened and self._closes(card):
            self._end_void(Void.CLOSED_SUIT)
            return
        if not self._hands[seat]:
            self._out.append(seat)
            if len(self._out) == 3:
                self._complete(layout_points(self._out), "T9.3")
                return
        self._next_turn()

    def _closes(self, card: Card) -> bool:
        """Rule T9.6: whether an ace or a two that was just laid voids the deal."""
        suit = _SUIT_MASK_OF[card.index]
        return (
            self._table & suit == suit
            and self._table & JACKS != JACKS
            and self.variant.closed_suit == "repeat"
            and self._voidable()
        )

    def _next_turn(self) -> None:
        hands = self._hands
        seat = self.to_act
        assert seat is not None
        seat = seat + 1 & 3
        while not hands[seat]:
            seat = seat + 1 & 3
        self.to_act = seat
        self._legal = hands[seat] & self._reach

    def _revealed(self) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """Rule T9.5: the twos in hand that are public, and who holds them."""
        when = self.variant.reveal_twos
        if when == "never" or self.step is not _LAYOUT or (when == "after_first_round" and self._turns < 4):
            return (), ()
        found = [
            (card, seat) for card in CardSet(TWOS) for seat, hand in enumerate(self._hands) if hand & card.bit
        ]
        return tuple(card for card, _ in found), tuple(seat for _, seat in found)

    # -- the end of a deal

    def _complete(self, points: Sequence[int], rule: str) -> None:
        self.scores = tuple(map(add, self.scores, points))
        self._summarise(None, tuple(points))
        assert self.contract is not None
        self.completed = (*self.completed, self.contract)
        self.contract = None
        self.voids = 0
        self.ended_by, self.ended_void = rule, False
        self._clear()
        if len(self.completed) == 5:  # Rules T2 and T2.3
            self.completed = ()
            self.kingdom += 1
            if self.kingdom == 4:
                self.is_over = True
                return
            self.king = self.first_king + _REIGNS[self.variant.kingdom_order][self.kingdom] & 3
        self.needs_deal = True

    def _end_void(self, reason: Void) -> None:
        """Rules T4.3 and T9.6."""
        self._summarise(reason, (0, 0, 0, 0))
        self.voids += 1
        self.ended_void = True
        if reason is Void.REDEAL:
            self.ended_by = "T4.3"
            self.contract = None
        else:
            self.ended_by = "T9.6"
        self._clear()
        self.needs_deal = True

    def _summarise(self, void: Void | None, points: tuple[int, ...]) -> None:
        claimant = self.to_act if void is Void.REDEAL else None
        assert self.contract is not None
        self._shown = {
            "void": void,
            "king": self.king,
            "kingdom": self.kingdom,
            "contract": self.contract,
            "doubled": self.doubled,
            "doubled_by": self.doubled_by,
            "played": self._played,
            "played_by": self._by,
            "claimed_hand": CardSet(0 if claimant is None else self._hands[claimant]),
            "claimed_by": claimant,
            "points": points,
            "scores": self.scores,
        }

    # -- errors

    def _illegal(self, action: TrixAction) -> IllegalAction:
        """The rule of another step's action is that of its own step (vectors/README.md)."""
        if self.to_act is None:
            ended = self.ended_by or "T3"
            why = "the game is over" if self.is_over else "the next deal has not been dealt"
            return IllegalAction(f"{action}: {why}", ended)
        match action:
            case Contract():
                rule = "T3"
            case Redeal():
                rule = "T4"
            case Double():
                rule = "T6"
            case Card() | Pass():
                rule = _OPEN_RULES[self.step]
                if self.step is _LAYOUT:
                    rule = "T9.2" if action is Pass.PASS else "T9.1"
            case _:
                return IllegalAction(f"{action!r} is no action of Trix")
        legal = " ".join(self.legal_actions().texts())
        return IllegalAction(f"seat {self.to_act} has the choice of {legal}", rule)


_OPEN_RULES: Final[dict[Step | None, str]] = {
    Step.CONTRACT: "T3",
    Step.REDEAL: "T4",
    Step.DOUBLE: "T6",
    Step.PLAY: "T5",
    Step.LAYOUT: "T9",
}
