"""From a view to whole states that could be behind it (the base of every determinised search).

Owns which unseen cards can lie where: a seat's known voids, the kitty, declarer's discards. What players meant by
their bids and plays is a bot's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.cards import CardSet
from cardtable.sampling import UnseenDeals
from cardtable.vytrix.actions import KittyFate, Step
from cardtable.vytrix.state import VytrixState

if TYPE_CHECKING:
    from random import Random

    from cardtable.vytrix.view import VytrixView

__all__ = ["Worlds", "simulate"]


class Worlds:
    """All states that the view's seat cannot tell from the true one; draw any number of samples from one object.

    Args:
        view: A view of a moment at which some seat acts.

    Raises:
        ValueError: Nobody acts: the hand is over, or not dealt.
        NoDealError: The view contradicts itself.
    """

    __slots__ = ("_base", "_deals", "_others", "_view")

    def __init__(self, view: VytrixView) -> None:
        if view.to_act is None:
            raise ValueError("there is no hand to play on")
        self._view = view
        self._base = VytrixState.of_view(view)
        self._others = tuple(seat for seat in range(view.variant.players) if seat != view.seat)
        sizes, voids = view.hand_sizes, view.void_masks
        # One more place than hands: the kitty or, once it is taken and known to declarer alone, its discards.
        aside = view.unseen.mask.bit_count() - sum(sizes[seat] for seat in self._others)
        self._deals = UnseenDeals(
            view.unseen.mask,
            (*(sizes[seat] for seat in self._others), aside),
            (*(voids[seat] for seat in self._others), 0),
        )

    @property
    def count(self) -> int:
        """How many ways there are to deal the unseen cards."""
        return self._deals.count

    def sample(self, rng: Random) -> VytrixState:
        """Return one of the states; each deal of the unseen cards has the same chance.

        Args:
            rng: Where the chance comes from.
        """
        view = self._view
        *masks, aside = self._deals.sample(rng)
        hands = [view.hand.mask] * view.variant.players
        for seat, mask in zip(self._others, masks, strict=True):
            hands[seat] = mask
        kitty, discarded = aside, 0
        if view.kitty is KittyFate.TAKEN:
            if view.seat == view.declarer:
                kitty, discarded = view.kitty_cards.mask, view.discarded.mask
            else:
                discarded = 0 if view.step is Step.DISCARD else aside
                kitty = self._some_kitty(hands, discarded, rng)
        state = self._base.copy()
        state.hold(hands, kitty, discarded)
        return state

    def _some_kitty(self, hands: list[int], discarded: int, rng: Random) -> int:
        """Four of declarer's twenty cards: any of them can have been the kitty."""
        view = self._view
        assert view.declarer is not None
        mask = hands[view.declarer] | discarded
        for seat, card in zip(view.played_by, view.played, strict=True):
            if seat == view.declarer:
                mask |= card.bit
        return sum(card.bit for card in rng.sample(list(CardSet(mask)), 4))


def simulate(view: VytrixView, rng: Random) -> VytrixState:
    """Return a state that the view's seat cannot tell from the true one; see `Worlds` for many of one view."""
    return Worlds(view).sample(rng)
