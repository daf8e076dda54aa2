"""Who has left the tournament, by forfeiting too often or by a ruling, and which games still count.

A fold over finished games in schedule order (competition, board, seating), so that neither the order in which games
ended nor the number of workers has any influence. An entrant leaves at the end of the board that held its last
allowed forfeit, or after the board that a ruling names; boards with it that come later in the schedule are not
played, or not counted. All that reads games reads them here, as ruled.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.rulings import Docket, Place
    from referee.stored import StoredGame

__all__ = ["counted", "departures", "known_before"]


def counted(
    games: Iterable[StoredGame],
    after: int,
    docket: Docket,
    left: dict[str, Place] | None = None,
    void: list[StoredGame] | None = None,
) -> Iterator[StoredGame]:
    """Yield the games that count, as ruled.

    Args:
        games: All finished games of a tournament, in schedule order.
        after: Forfeited games at which an entrant leaves.
        docket: The rulings.
        left: Is filled with those that left: the competition and number of the last board of each that counts.
        void: Is filled with the games that would count, were they not void.
    """
    gone: dict[str, Place] = {} if left is None else left
    gone.update(docket.withdrawn)
    forfeits: Counter[str] = Counter()
    for game in games:
        here = (game.competition, game.board)
        if any(name in gone and docket.is_before(gone[name], here) for name in game.seats):
            continue
        ruled = docket.as_ruled(game)
        if ruled is None:
            if void is not None:
                void.append(game)
            continue
        yield ruled
        for name in {ruled.seats[seat] for seat in ruled.forfeits}:
            forfeits[name] += 1
            if forfeits[name] == after:
                gone[name] = here


def departures(games: Iterable[StoredGame], after: int, docket: Docket) -> dict[str, Place]:
    """Those that have left, each with the competition and number of its last board that counts.

    Games that nobody forfeited may be left out: they change nothing.
    """
    left: dict[str, Place] = {}
    for _ in counted(games, after, docket, left):
        pass
    return left


def known_before(
    games: Sequence[StoredGame], here: Place, after: int, docket: Docket
) -> tuple[list[StoredGame], set[str]]:
    """What was known when a stage of a competition was decided: by the rulings that had been made then.

    All games of earlier stages are stored before the first one of a stage is, so a ruling was made in time exactly
    when it had not seen more games of the competition than these.

    Args:
        games: All finished games of a tournament, in schedule order.
        here: The competition and the first board of the stage.
        after: Forfeited games at which an entrant leaves.
        docket: All rulings.

    Returns:
        The earlier games of the competition that counted, and who had left.
    """
    competition = here[0]
    earlier = [game for game in games if docket.is_before((game.competition, game.board), here)]
    then = docket.when(competition, sum(game.competition == competition for game in earlier))
    left: dict[str, Place] = {}
    kept = [game for game in counted(earlier, after, then, left) if game.competition == competition]
    return kept, {name for name, place in left.items() if docket.is_before(place, here)}
