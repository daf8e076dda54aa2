"""What the house plays for a seat that does not: the first action in a fixed order, with no thought behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.vytrix.actions import PASS, Action, Bid, Direction, Discard, Kitty, Name, Step, Strain

if TYPE_CHECKING:
    from cardtable.vytrix.view import VytrixView

__all__ = ["house_action"]


def house_action(view: VytrixView) -> Action:
    """Return the house's action: pass or open with the lowest bid, leave the kitty, play the lowest card.

    Args:
        view: The view of the seat that acts.

    Raises:
        ValueError: Another seat acts, or none.
    """
    if view.to_act != view.seat:
        raise ValueError(f"seat {view.seat} does not act here")
    match view.step:
        case Step.BID:
            if view.may_pass:
                return PASS
            direction = None if view.variant.partial_bidding else Direction.LOW
            return Bid(view.lowest_bid, Strain.CLUBS, direction)
        case Step.KITTY:
            return Kitty.LEAVE
        case Step.DISCARD:
            return Discard.of(sorted(view.hand)[:4])
        case Step.NAME:
            assert view.contract is not None
            return Name(Strain.CLUBS if view.contract.strain is None else Direction.LOW)
        case _:
            return min(view.legal)
