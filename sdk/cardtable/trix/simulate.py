"""From a view to a whole game that could be behind it.

Owns what a seat can conclude about the others' cards; the draw itself is `cardtable.sampling`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.cards import CardSet
from cardtable.sampling import UnseenDeals
from cardtable.trix.state import TrixState

if TYPE_CHECKING:
    from random import Random

    from cardtable.trix.view import TrixView

__all__ = ["simulate", "unseen_deals"]


def unseen_deals(view: TrixView) -> UnseenDeals:
    """Return all deals of the unseen cards that agree with what the view's seat knows; places are seats."""
    sizes = [size - len(view.known(seat)) for seat, size in enumerate(view.hand_sizes)]
    return UnseenDeals(view.unseen.mask, sizes, [view.missing(seat).mask for seat in range(4)])


def simulate(view: TrixView, rng: Random) -> TrixState:
    """Return a state that the view's seat cannot tell from the true one, each deal with the same chance.

    Args:
        view: A view that tells whose turn it is, as that of every seat that is asked does.
        rng: Where the chance comes from.

    Raises:
        ValueError: The view does not tell whose turn it is.
    """
    masks = unseen_deals(view).sample(rng)
    return TrixState.behind(view, [CardSet(mask | view.known(seat).mask) for seat, mask in enumerate(masks)])
