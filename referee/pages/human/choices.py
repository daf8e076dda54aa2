"""What a person may choose, as JSON for the page, and what it chose, judged before the referee sees it.

Owns that form. All of it comes from the view: an action that is not offered is not legal, and each that is legal can
be made from what is offered.

    {"step": "play", "actions": ["QH", "3H"]}                  one of these texts
    {"step": "double", "cards": ["KH", "QS"]}                  ``double:`` and some of these, or none
    {"step": "discard", "cards": [...], "count": 4}            ``discard:`` and so many of these
    {"step": "bid", "lowest": 4, "highest": 100, "pass": true, "partial": false}
                                                               a bid between the two, or a pass; lowest 0: no bid
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardtable.catalog import game as game_of
from cardtable.engine import MalformedAction

if TYPE_CHECKING:
    from cardtable.engine import View

__all__ = ["MOST_POINTS", "NoChoice", "chosen", "offer"]

#: The wire bears no higher bid.
MOST_POINTS: Final = 1_000_000
_DISCARDED: Final = 4


class NoChoice(ValueError):
    """What was chosen cannot be done; the text is one line for people."""


def offer(view: Any) -> dict[str, object]:
    """What the seat of a view may do now.

    Args:
        view: Of the seat that is to act.
    """
    step: str = view.step.value
    match step:
        case "double":
            return {"step": step, "cards": view.legal.texts()}
        case "discard":
            return {"step": step, "cards": view.hand.texts(), "count": _DISCARDED}
        case "bid":
            return {
                "step": step,
                "lowest": view.lowest_bid,
                "highest": (view.highest_bid or MOST_POINTS) if view.lowest_bid else 0,
                "pass": view.may_pass,
                "partial": view.variant.partial_bidding,
            }
        case _:
            return {"step": step, "actions": [str(action) for action in view.legal_actions]}


def chosen(view: View[Any], text: str) -> Any:
    """The action of this text.

    Args:
        view: Of the seat that is to act.
        text: In the notation of records.

    Raises:
        NoChoice: It is no action, or not legal now.
    """
    game: str = getattr(view, "game", "")
    try:
        action = game_of(game).parse_action(text)
    except MalformedAction as error:
        raise NoChoice(error.message.replace("\n", " ")) from None
    if action not in view.legal_actions:
        raise NoChoice(f"{text} is not legal now")
    if getattr(action, "points", 0) > MOST_POINTS:
        raise NoChoice(f"a bid has {MOST_POINTS} points at the most")
    return action
