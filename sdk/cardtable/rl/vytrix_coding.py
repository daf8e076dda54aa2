"""Vytrix in numbers: what an observation shows of a `VytrixView`, and which number is which action.

A bid is two numbers, its points and then its form, and a discard is four cards one after the other; every other
action is one number. Players are told by how many places they sit after one's own seat, so that a policy plays alike
in every seat; with three players what belongs to a fourth is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from cardtable.cards import CARDS, Card
from cardtable.rl.coding import Block, Field, Fields, cards_to_bits, clipped, one_hot, relative
from cardtable.vytrix.actions import PASS, Bid, Direction, Discard, Kitty, KittyFate, Name, Pass, Step, Strain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.rl.coding import Array, Mask
    from cardtable.vytrix.actions import Action
    from cardtable.vytrix.view import VytrixView

__all__ = ["BID_CAP", "CODING", "VytrixCoding"]

#: The most points that a bid can have here; more than any hand can pay (V2.4).
BID_CAP: Final = 100

_STRAINS: Final = tuple(Strain)
_DIRECTIONS: Final = tuple(Direction)
_FATES: Final = tuple(KittyFate)
_KITTY: Final = tuple(Kitty)
_Form = tuple[Strain | None, Direction | None]
_FULL: Final[tuple[_Form, ...]] = tuple((strain, direction) for strain in Strain for direction in Direction)
_STRAIN_ALONE: Final[tuple[_Form, ...]] = tuple((strain, None) for strain in Strain)
_DIRECTION_ALONE: Final[tuple[_Form, ...]] = tuple((None, direction) for direction in Direction)
_FORMS: Final = (*_FULL, *_STRAIN_ALONE, *_DIRECTION_ALONE)

_PASS: Final = 52
_TAKE: Final = 53
_POINTS: Final = 55
_FORM: Final = _POINTS + BID_CAP
_STRAIN: Final = _FORM + len(_FULL)
_DIRECTION: Final = _STRAIN + len(_STRAIN_ALONE)
_END: Final = _DIRECTION + len(_DIRECTION_ALONE)

#: Where numbers have no bound of their own, what lies beyond is shown as this, in hundreds.
_MOST: Final = 50.0
_NO_CALL: Final = (0.0,) * 8


class VytrixCoding:
    """See `cardtable.rl.coding.Coding`; there is one, `CODING`."""

    actions: Final = _END

    blocks: Final = (
        Block(
            0,
            52,
            "`2S` … `AC`",
            "play a card, or lay one more away of the four of a discard (V6, V5.2): by card index, S H D C, two to ace",
        ),
        Block(_PASS, 1, "`pass`", "in the auction (V2.1)"),
        Block(_TAKE, 2, "`kitty:take`, `kitty:leave`", "declarer's choice (V5)"),
        Block(
            _POINTS,
            BID_CAP,
            "`bid:1` … `bid:100`",
            "points of a bid (V2): 54 + points; its form is asked next, of the same seat",
        ),
        Block(
            _FORM,
            len(_FULL),
            "`S-high`, `S-low` … `NT-low`",
            "form of a bid: strain S H D C NT, each high and low",
        ),
        Block(
            _STRAIN,
            len(_STRAIN_ALONE),
            "`S` `H` `D` `C` `NT`",
            "form of a partial bid, or what declarer's partner names (V12)",
        ),
        Block(
            _DIRECTION, len(_DIRECTION_ALONE), "`high` `low`", "form of a partial bid, or what is named (V12)"
        ),
    )

    fields: Final = Fields(
        Field("hand", (52,), "one's own cards; while discarding without those that are chosen"),
        Field(
            "may_hold",
            (3, 52),
            "the player 1, 2, 3 places after can have the card, as far as one knows: unseen, and of no suit that it "
            "is known to have none of",
        ),
        Field("played", (4, 52), "the player 0, 1, 2, 3 places after has played the card in this hand"),
        Field("trick", (4, 52), "each player's card in the open trick"),
        Field("kitty_cards", (52,), "the kitty, for declarer that took it"),
        Field("discarded", (52,), "what one has laid away, and chosen to lay away"),
        Field(
            "step",
            (6,),
            "what is decided: points of a bid or a pass, a bid's form, kitty, discard, name, card",
        ),
        Field("to_act", (4,), "who acts, in places after oneself"),
        Field("dealer", (4,), "who dealt"),
        Field("declarer", (4,), "who won the auction; all 0 before"),
        Field("leader", (4,), "who led the open trick; all 0 without one"),
        Field("led_suit", (4,), "the suit led to it: S, H, D, C"),
        Field("trump_broken", (1,), "a trump was played to a trick"),
        Field("last_bidder", (4,), "whose bid stands"),
        Field(
            "contract",
            (8,),
            "the bid that stands, and what is played: points in hundreds, then strain S H D C NT and high, low as "
            "0 or 1",
            "100 points; yes",
            0,
            _MOST,
        ),
        Field(
            "bids",
            (4, 8),
            "each player's last bid of this auction, as in `contract`",
            "100 points; yes",
            0,
            _MOST,
        ),
        Field("passes", (1,), "passes since the last bid", "4 passes"),
        Field("bidding", (1,), "points of the bid whose form one is asked for", "100 points"),
        Field("kitty", (3,), "the kitty is closed or there is none, was taken, was left"),
        Field("tricks_won", (4,), "tricks that each player won in this hand", "16 tricks"),
        Field("scores", (4,), "of each player, or of its side", "100 points", -_MOST, _MOST),
        Field("target", (1,), "the score that ends the game; 0: none", "100 points", 0, _MOST),
        Field(
            "hands_left",
            (1,),
            "hands that may follow this one, at most 100 shown; 0: none, or no limit",
            "100 hands",
        ),
        Field(
            "variant",
            (7,),
            "four `players`; `max_bid` in hundreds, 1 for no limit; `breaking_trump`; `last_trick` replace, bonus; "
            "`defensive_partnerships`; `partial_bidding`",
        ),
    )

    def observe(self, view: VytrixView, chosen: Sequence[int] = ()) -> Array:
        """What the view's seat knows, as one row of numbers."""
        own, variant = view.seat, view.variant
        players = variant.players
        order = [(own + place) % players for place in range(players)]
        none = [0] * (4 - players)
        played = [0] * players
        for card, seat in zip(view.played, view.played_by, strict=True):
            played[seat] |= card.bit
        trick = view.trick
        open_cards = [0] * players
        for play in trick:
            open_cards[play.seat] = play.card.bit
        unseen, voids = view.unseen.mask, view.void_masks
        laid_away = sum(1 << number for number in chosen) if view.step is Step.DISCARD else 0
        won = view.tricks_won
        leader = None if not trick else trick[0].seat
        bids, passes = _calls(view)
        numbers = [
            *one_hot(_step(view, chosen), 6),
            *(one_hot(relative(view.to_act, own, players), 4)),
            *(one_hot(relative(view.dealer, own, players), 4)),
            *(one_hot(relative(view.declarer, own, players), 4)),
            *(one_hot(relative(leader, own, players), 4)),
            *one_hot(view.led_suit, 4),
            float(view.trump_broken),
            *(one_hot(relative(view.last_bidder, own, players), 4)),
            *_call(view.contract or view.last_bid),
            *(number for seat in order for number in bids[seat]),
            *_NO_CALL * (4 - players),
            passes / 4,
            (chosen[0] - _POINTS + 1) / 100 if chosen and view.step is Step.BID else 0.0,
            *one_hot(_FATES.index(view.kitty), 3),
            *(won[seat] / 16 for seat in order),
            *none,
            *(clipped(view.scores[seat % len(view.scores)] / 100, -_MOST, _MOST) for seat in order),
            *none,
            min(variant.target / 100, _MOST),
            clipped((variant.max_hands - view.hand_number - 1) / 100, 0, 1),
            float(players == 4),
            min(variant.max_bid, BID_CAP) / 100 if variant.max_bid else 1.0,
            float(variant.breaking_trump),
            float(variant.last_trick == "replace"),
            float(variant.last_trick == "bonus"),
            float(variant.defensive_partnerships),
            float(variant.partial_bidding),
        ]
        row = np.empty(self.fields.size, np.float32)
        cut = self.fields.slice_of("step").start
        row[:cut] = cards_to_bits(
            (
                view.hand.mask & ~laid_away,
                *(unseen & ~voids[seat] for seat in order[1:]),
                *none,
                *(played[seat] for seat in order),
                *none,
                *(open_cards[seat] for seat in order),
                *none,
                view.kitty_cards.mask,
                view.discarded.mask | laid_away,
            )
        )
        row[cut:] = numbers
        return row

    def mask(self, view: VytrixView, chosen: Sequence[int] = ()) -> Mask:
        """Which numbers may come next; none when another seat acts."""
        mask = np.zeros(self.actions, np.int8)
        if view.to_act != view.seat:
            return mask
        match view.step:
            case Step.BID:
                if chosen:
                    if view.variant.partial_bidding:
                        mask[_STRAIN:_END] = 1
                    else:
                        mask[_FORM:_STRAIN] = 1
                else:
                    mask[_PASS] = view.may_pass
                    if view.lowest_bid:
                        highest = min(view.highest_bid or BID_CAP, BID_CAP)
                        mask[_POINTS + view.lowest_bid - 1 : _POINTS + highest] = 1
            case Step.KITTY:
                mask[_TAKE : _TAKE + 2] = 1
            case Step.DISCARD:
                mask[:52] = cards_to_bits((view.hand.mask,))
                mask[list(chosen)] = 0
            case Step.NAME:
                assert view.contract is not None
                if view.contract.strain is None:
                    mask[_STRAIN:_DIRECTION] = 1
                else:
                    mask[_DIRECTION:_END] = 1
            case _:
                mask[:52] = cards_to_bits((view.legal.mask,))
        return mask

    def encode(self, action: Action) -> tuple[int, ...]:
        """The numbers that make an action: two for a bid, four in any order for a discard, else one.

        Raises:
            ValueError: It is a bid of more than 100 points, or one that can be legal nowhere.
        """
        match action:
            case Bid(points, strain, direction):
                if not 1 <= points <= BID_CAP or (strain, direction) == (None, None):
                    raise ValueError(f"{action} has no numbers: a bid has 1 to {BID_CAP} points and a form")
                return _POINTS + points - 1, _FORM + _FORMS.index((strain, direction))
            case Pass():
                return (_PASS,)
            case Kitty():
                return (_TAKE + _KITTY.index(action),)
            case Discard(cards):
                if len(cards) != 4:
                    raise ValueError(f"{action} has no numbers: a discard is of four cards")
                return tuple(card.index for card in cards)
            case Name(Strain() as part):
                return (_STRAIN + _STRAINS.index(part),)
            case Name(Direction() as part):
                return (_DIRECTION + _DIRECTIONS.index(part),)
            case Card():
                return (action.index,)
            case _:
                raise ValueError(f"{action!r} has no numbers: it can be legal nowhere")

    def decode(self, chosen: Sequence[int], view: VytrixView) -> Action | None:
        """The action that these numbers make; None while there must follow more.

        Raises:
            ValueError: They make no action at this view.
        """
        match view.step, tuple(chosen):
            case Step.BID, (number,) if number == _PASS:
                return PASS
            case Step.BID, (number,) if _POINTS <= number < _FORM:
                return None
            case Step.BID, (number, form) if _POINTS <= number < _FORM <= form < _END:
                return Bid(number - _POINTS + 1, *_FORMS[form - _FORM])
            case Step.KITTY, (number,) if _TAKE <= number < _POINTS:
                return _KITTY[number - _TAKE]
            case Step.DISCARD, numbers if len(set(numbers)) == len(numbers) <= 4 and all(
                0 <= number < 52 for number in numbers
            ):
                return Discard.of(CARDS[number] for number in numbers) if len(numbers) == 4 else None
            case Step.NAME, (number,) if _STRAIN <= number < _DIRECTION:
                return Name(_STRAINS[number - _STRAIN])
            case Step.NAME, (number,) if _DIRECTION <= number < _END:
                return Name(_DIRECTIONS[number - _DIRECTION])
            case Step.PLAY, (number,) if 0 <= number < 52:
                return CARDS[number]
        step = "nothing" if view.step is None else view.step.value
        raise ValueError(f"{tuple(chosen)} makes no action where {step} is asked")


def _step(view: VytrixView, chosen: Sequence[int]) -> int | None:
    match view.step:
        case None:
            return None
        case Step.BID:
            return 1 if chosen else 0
        case Step.KITTY:
            return 2
        case Step.DISCARD:
            return 3
        case Step.NAME:
            return 4
        case Step.PLAY:
            return 5


def _call(bid: Bid | None) -> tuple[float, ...]:
    if bid is None:
        return _NO_CALL
    return (
        min(bid.points / 100, _MOST),
        *one_hot(None if bid.strain is None else _STRAINS.index(bid.strain), 5),
        *one_hot(None if bid.direction is None else _DIRECTIONS.index(bid.direction), 2),
    )


def _calls(view: VytrixView) -> tuple[list[tuple[float, ...]], int]:
    """The last bid of each seat, and the passes since the last one."""
    players = view.variant.players
    last: list[Bid | None] = [None] * players
    passes = 0
    for place, call in enumerate(view.calls):
        if isinstance(call, Bid):
            last[(view.dealer + 1 + place) % players] = call
            passes = 0
        else:
            passes += 1
    return [_call(bid) for bid in last], passes


#: Vytrix in numbers.
CODING: Final = VytrixCoding()
