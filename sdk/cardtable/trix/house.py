"""What the house plays for a seat that does not: always the first in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardtable.trix.actions import PASS, Contract, Double, Redeal, Step

if TYPE_CHECKING:
    from cardtable.trix.actions import TrixAction
    from cardtable.trix.view import TrixView

__all__ = ["house_action"]

_ORDER: Final = (Contract.SLAPS, Contract.DIAMONDS, Contract.QUEENS, Contract.KING, Contract.TRIX)


def house_action(view: TrixView) -> TrixAction:
    """Return the house's action: the lowest legal card or a pass, keep, no doubling, the first contract left.

    Args:
        view: The view of the seat that acts.

    Raises:
        ValueError: Another seat acts.
    """
    if view.to_act != view.seat:
        raise ValueError(f"seat {view.seat} is not asked")
    match view.step:
        case Step.CONTRACT:
            return next(contract for contract in _ORDER if contract in view.legal_contracts)
        case Step.REDEAL:
            return Redeal.KEEP
        case Step.DOUBLE:
            return Double()
        case _:
            return min(view.legal, default=PASS)
