"""Trix in numbers: what an observation shows of a `TrixView`, and which number is which action.

Every action is one number. Players are told by how many places they sit after one's own seat, so that a policy plays
alike in every seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cardtable.cards import CARDS, Card, CardSet
from cardtable.rl.coding import Block, Field, Fields, cards_to_bits, clipped, one_hot, relative
from cardtable.trix.actions import Contract, Double, Pass, Redeal, Step
from cardtable.trix.scoring import trick_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.rl.coding import Array, Mask
    from cardtable.trix.actions import TrixAction
    from cardtable.trix.variant import TrixVariant
    from cardtable.trix.view import TrixView

__all__ = ["CODING", "TrixCoding"]

_STEPS: Final = tuple(Step)
_CONTRACTS: Final = tuple(Contract)
_QUEENS: Final = tuple(Card(text) for text in ("QS", "QH", "QD", "QC"))
_DOUBLABLE: Final = (Card("KH"), *_QUEENS)
_REVEALS: Final = ("never", "after_first_round", "at_start")
_PLACES: Final = (200, 150, 100)
#: Points beyond these are shown as these, in hundreds; no game comes near.
_MOST: Final = 50.0


def _doublings() -> tuple[Double, ...]:
    subsets = [
        CardSet.of(card for place, card in enumerate(_QUEENS) if number >> place & 1) for number in range(16)
    ]
    return tuple(map(Double, (*subsets, CardSet.of([Card("KH")]))))


_ACTIONS: Final[tuple[TrixAction, ...]] = (*CARDS, *Pass, *Contract, *Redeal, *_doublings())
_NUMBERS: Final = {action: number for number, action in enumerate(_ACTIONS)}


class TrixCoding:
    """See `cardtable.rl.coding.Coding`; there is one, `CODING`."""

    actions: Final = len(_ACTIONS)

    blocks: Final = (
        Block(0, 52, "`2S` … `AC`", "play a card, or lay it (T5, T9): by card index, S H D C, two to ace"),
        Block(52, 1, "`pass`", "no card can be laid (T9.2)"),
        Block(53, 5, "`contract:` …", "name king, queens, diamonds, slaps, trix (T3), in this order"),
        Block(58, 2, "`redeal`, `keep`", "the answer of a seat with a right (T4)"),
        Block(
            60,
            16,
            "`double:none` … `double:QS,QH,QD,QC`",
            "60 + 1 for QS + 2 for QH + 4 for QD + 8 for QC (T6); 60 doubles nothing, in king of hearts too",
        ),
        Block(76, 1, "`double:KH`", "double the king of hearts (T6)"),
    )

    fields: Final = Fields(
        Field("hand", (52,), "one's own cards"),
        Field(
            "may_hold",
            (3, 52),
            "the player 1, 2, 3 places after can have the card, as far as one knows: cards known to be in a hand, "
            "and unseen ones of which nothing forbids it (suits not followed, passes in the layout)",
        ),
        Field("played", (4, 52), "the player 0, 1, 2, 3 places after has played the card in this deal"),
        Field("trick", (4, 52), "each player's card in the open trick"),
        Field("taken", (4, 52), "the cards in each player's finished tricks"),
        Field("doubled", (4, 5), "each player has doubled KH, QS, QH, QD, QC"),
        Field(
            "step", (5,), "what is decided: a contract, a redeal, a doubling, a card to a trick, the layout"
        ),
        Field(
            "contract", (5,), "of this deal: king, queens, diamonds, slaps, trix; all 0 before it is named"
        ),
        Field("completed", (5,), "the contracts completed in this kingdom, in the same order"),
        Field("to_act", (4,), "who acts, in places after oneself; all 0 where it is not known"),
        Field("king", (4,), "the king of this kingdom"),
        Field("first_king", (4,), "the king of the first kingdom"),
        Field("leader", (4,), "who led the open trick; all 0 without one"),
        Field("led_suit", (4,), "the suit led to it: S, H, D, C"),
        Field("cards_left", (4,), "cards in each player's hand", "13 cards"),
        Field("kingdom", (1,), "kingdoms completed", "4 kingdoms"),
        Field("voids", (1,), "void deals since the last completed one, at most 20 shown", "20 deals"),
        Field(
            "deal_points",
            (4,),
            "points that each player has so far in this deal",
            "100 points",
            -_MOST,
            _MOST,
        ),
        Field("scores", (4,), "each player's points before this deal", "100 points", -_MOST, _MOST),
        Field(
            "variant",
            (12,),
            "`partners`; `kingdom_order` across; `redeals`; a deal can still be void (`max_voids`); `early_end`; "
            "`diamond_lead` not_first; `doubling`; `own_double` double; `diamonds_face_up`; `reveal_twos` "
            "after_first_round, at_start; `closed_suit` repeat",
        ),
    )

    def observe(self, view: TrixView, chosen: Sequence[int] = ()) -> Array:
        """What the view's seat knows, as one row of numbers."""
        del chosen  # every action is one number
        own = view.seat
        order = [(own + place) & 3 for place in range(4)]
        played = [0, 0, 0, 0]
        for card, seat in zip(view.played, view.played_by, strict=True):
            played[seat] |= card.bit
        trick = view.trick
        open_cards = [0, 0, 0, 0]
        if trick is not None:
            for seat, card in zip(trick.seats, trick.cards, strict=True):
                open_cards[seat] = card.bit
        taken = [cards.mask for cards in view.taken]
        unseen = view.unseen.mask
        may_hold = [view.known(seat).mask | unseen & ~_missing(view, seat) for seat in order[1:]]
        doubled = [[0.0] * 5 for _ in range(4)]
        for card, seat in zip(view.doubled, view.doubled_by, strict=True):
            doubled[seat][_DOUBLABLE.index(card)] = 1.0
        sizes = view.hand_sizes
        points = _points(view, taken)
        contract = None if view.contract is None else _CONTRACTS.index(view.contract)
        numbers = [
            *(number for seat in order for number in doubled[seat]),
            *one_hot(None if view.step is None else _STEPS.index(view.step), 5),
            *one_hot(contract, 5),
            *(float(one in view.completed) for one in _CONTRACTS),
            *one_hot(relative(view.to_act, own, 4), 4),
            *one_hot(relative(view.king, own, 4), 4),
            *one_hot(relative(view.first_king, own, 4), 4),
            *one_hot(None if trick is None else relative(trick.leader, own, 4), 4),
            *one_hot(None if trick is None else trick.led_suit, 4),
            *(sizes[seat] / 13 for seat in order),
            view.kingdom / 4,
            min(view.voids, 20) / 20,
            *(points[seat] / 100 for seat in order),
            *(clipped(view.scores[seat] / 100, -_MOST, _MOST) for seat in order),
            *_variant(view.variant, view.voids),
        ]
        row = np.empty(self.fields.size, np.float32)
        cut = self.fields.slice_of("doubled").start
        row[:cut] = cards_to_bits(
            (
                view.hand.mask,
                *may_hold,
                *(played[seat] for seat in order),
                *(open_cards[seat] for seat in order),
                *(taken[seat] for seat in order),
            )
        )
        row[cut:] = numbers
        return row

    def mask(self, view: TrixView, chosen: Sequence[int] = ()) -> Mask:
        """Which numbers may come next; none when another seat acts."""
        del chosen  # every action is one number
        mask = np.zeros(self.actions, np.int8)
        if view.to_act != view.seat:
            return mask
        legal = view.legal_actions
        if isinstance(legal, CardSet):
            mask[:52] = cards_to_bits((legal.mask,))
        else:
            for action in legal:
                mask[_NUMBERS[action]] = 1
        return mask

    def encode(self, action: TrixAction) -> tuple[int, ...]:
        """The one number of an action.

        Raises:
            ValueError: It is a doubling of cards that nobody can double.
        """
        number = _NUMBERS.get(action)
        if number is None:
            raise ValueError(f"{action} has no number: it can be legal nowhere")
        return (number,)

    def decode(self, chosen: Sequence[int], view: TrixView) -> TrixAction:
        """The action of this one number.

        Raises:
            ValueError: There is no such number, or not one.
        """
        del view  # a number means the same everywhere
        if len(chosen) != 1 or not 0 <= chosen[0] < self.actions:
            raise ValueError(f"an action of Trix is one number, 0 to {self.actions - 1}, not {tuple(chosen)}")
        return _ACTIONS[chosen[0]]


def _missing(view: TrixView, seat: int) -> int:
    """The same as `TrixView.missing` where it counts, among the unseen cards; in tricks the suits are enough."""
    if view.contract is Contract.TRIX:
        return view.missing(seat).mask
    mask = 0
    for suit in view.void_suits(seat):
        mask |= suit.mask
    return mask


def _points(view: TrixView, taken: Sequence[int]) -> list[int]:
    """Points of each seat so far in this deal."""
    if view.contract is None:
        return [0, 0, 0, 0]
    if view.contract is Contract.TRIX:
        points = [0, 0, 0, 0]
        for seat, place in zip(view.out, _PLACES, strict=False):
            points[seat] = place
        return points
    return trick_points(view.contract, taken, view.doubled, view.doubled_by, view.variant)


def _variant(variant: TrixVariant, voids: int) -> tuple[float, ...]:
    flags: tuple[Any, ...] = (
        variant.partners,
        variant.kingdom_order == "across",
        variant.redeals,
        voids < variant.max_voids,
        variant.early_end,
        variant.diamond_lead == "not_first",
        variant.doubling,
        variant.own_double == "double",
        variant.diamonds_face_up,
        variant.reveal_twos == "after_first_round",
        variant.reveal_twos == "at_start",
        variant.closed_suit == "repeat",
    )
    return tuple(map(float, flags))


#: Trix in numbers.
CODING: Final = TrixCoding()
