"""The games that there are: the only place that knows them all. A new game is one more line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardtable import trix, vytrix

if TYPE_CHECKING:
    from cardtable.engine import Game

__all__ = ["GAMES", "UnknownGameError", "game"]

#: Every game by its name.
GAMES: Final[dict[str, Game]] = {one.name: one for one in (trix.GAME, vytrix.GAME)}


class UnknownGameError(ValueError):
    """There is no game of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown game {name!r}; the games are {', '.join(GAMES)}")


def game(name: str) -> Game:
    """Return the game of this name.

    Raises:
        UnknownGameError: There is none.
    """
    found = GAMES.get(name)
    if found is None:
        raise UnknownGameError(name)
    return found
