"""Who has left the tournament by forfeiting too often, and which games still count.

A fold over finished games in schedule order (competition, board, seating), so that neither the order in which games
ended nor the number of workers has any influence. An entrant leaves at the end of the board that held its last
allowed forfeit; boards with it that come later in the schedule are not played, or not counted.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.boards import FinishedGame

__all__ = ["counted", "departures"]

G = TypeVar("G", bound="FinishedGame")


def counted(games: Iterable[G], after: int, left: dict[str, tuple[str, int]] | None = None) -> Iterator[G]:
    """Yield the games that count.

    Args:
        games: All finished games of a tournament, in schedule order.
        after: Forfeited games at which an entrant leaves.
        left: Is filled with those that left: the competition and number of the last board of each that counts.
    """
    gone: dict[str, tuple[str, int]] = {} if left is None else left
    forfeits: Counter[str] = Counter()
    for game in games:
        here = (game.competition, game.board)
        if any(gone.get(name, here) != here for name in game.seats):
            continue
        yield game
        for name in {game.seats[seat] for seat in game.forfeits}:
            forfeits[name] += 1
            if forfeits[name] == after:
                gone[name] = here


def departures(games: Iterable[FinishedGame], after: int) -> dict[str, tuple[str, int]]:
    """Those that have left, each with the competition and number of its last board that counts."""
    left: dict[str, tuple[str, int]] = {}
    for _ in counted(games, after, left):
        pass
    return left
