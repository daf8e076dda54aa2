"""From a view to a whole state that could be behind it: the base of every determinised search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES

if TYPE_CHECKING:
    from random import Random

    from cardtable.engine import State

__all__ = ["simulate"]


def simulate(view: Any, rng: Random) -> State[Any, Any]:
    """Return a state that the view's seat cannot tell from the true one.

    The unseen cards are dealt at random, each deal that agrees with what the seat knows (voids, passes, revealed
    and doubled cards, the kitty) with the same chance. The state plays on to the end of the deal, where it needs
    the next one.

    Args:
        view: A view of any game.
        rng: Where the chance comes from.
    """
    return GAMES[view.game].simulate(view, rng)
