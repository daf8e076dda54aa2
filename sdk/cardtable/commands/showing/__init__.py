"""A view as a person reads it: one function for each game, by the game's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardtable.commands.showing import trix, vytrix
from cardtable.commands.showing.ink import Ink

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Ink", "action_text", "legal_text", "view_lines"]

_LINES: Final[dict[str, Callable[[Any, Sequence[str], Ink], list[str]]]] = {
    "trix": trix.lines,
    "vytrix": vytrix.lines,
}
_ACTIONS: Final[dict[str, Callable[[Any, Ink], str]]] = {
    "trix": trix.action_text,
    "vytrix": vytrix.action_text,
}
#: Actions that are listed one by one.
_MOST: Final = 16


def view_lines(view: Any, names: Sequence[str], ink: Ink) -> list[str]:
    """What a seat sees.

    Args:
        view: Its view.
        names: What each seat is called.
        ink: How to write.
    """
    return _LINES[view.game](view, names, ink)


def action_text(game: str, action: Any, ink: Ink) -> str:
    """An action; a text for what is none."""
    return _ACTIONS[game](action, ink)


def legal_text(view: Any, ink: Ink) -> str:
    """The legal actions of a view."""
    legal = view.legal_actions
    if len(legal) <= _MOST:
        return "  ".join(action_text(view.game, one, ink) for one in legal)
    return vytrix.many_text(view, ink) if view.game == "vytrix" else "  ".join(legal.texts())
