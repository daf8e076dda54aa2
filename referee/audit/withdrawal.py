"""The board after which a withdrawn entrant is gone: for the ruling when it is made, and for whoever redoes it later.

Owns what "before its first board that is yet to be played" means where stages follow from one another and others
have left. Judges nothing.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from referee.boards import fold
from referee.course import stages
from referee.disqualification import departures, known_before
from referee.standings import groups_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from referee.audit.terms import Terms
    from referee.boards import Board
    from referee.rulings import Docket, Place
    from referee.stored import CompetitionInfo, StoredGame

__all__ = ["games_at", "last_board"]


def games_at(marks: Mapping[str, int], written: Mapping[str, Sequence[StoredGame]]) -> Iterator[StoredGame]:
    """The games that a ruling saw.

    Args:
        marks: How many of each competition.
        written: Of each competition its games in the order in which they were written.
    """
    for name, games in written.items():
        yield from islice(games, marks.get(name, 0))


def last_board(
    terms: Terms,
    competitions: Sequence[CompetitionInfo],
    games: Sequence[StoredGame],
    docket: Docket,
    bot: str,
    *,
    is_over: bool,
) -> Place:
    """The last board before the first one with this bot that is still to be played; board -1 for none.

    Args:
        terms: Of the tournament.
        competitions: All of it.
        games: Those that are played.
        docket: What is ruled before.
        bot: Who is withdrawn.
        is_over: Whether nothing more is played.
    """
    left = departures(games, terms.disqualify_after, docket)
    last: Place = (competitions[0].name, -1)
    for info in competitions:
        end = None if is_over else _end_in(info, bot, terms, games, docket, left)
        if end is not None:
            return last if end < 0 else (info.name, end)
        last = (info.name, len(terms.competitions[info.name].plan()) - 1)
    return last


def _end_in(
    info: CompetitionInfo,
    bot: str,
    terms: Terms,
    games: Sequence[StoredGame],
    docket: Docket,
    left: dict[str, Place],
) -> int | None:
    """The same within one competition; None where all of the bot's boards are played."""
    own = terms.competitions[info.name]
    plan = own.plan()
    if bot not in plan.entrants:
        return None
    stored = {game.board for game in games if game.competition == info.name}
    newest = max(stored, default=-1)
    is_staged = plan.is_adaptive or own.stop is not None

    def before(board: int) -> tuple[Sequence[Board], Collection[str]]:
        kept, gone = known_before(games, (info.name, board), terms.disqualify_after, docket)
        return fold(kept, groups_of(info), info.seatings), gone

    for stage in stages(plan, own.stop, own.scored_by, before):
        if is_staged and stage.boards and stage.boards[-1].number < newest:
            continue  # a later stage has begun: what was left out of it stays out
        waiting = [
            board
            for board in stage.boards
            if board.number not in stored
            and not any(
                name in left and docket.is_before(left[name], (info.name, board.number))
                for name in board.seatings[0]
            )
        ]
        for board in waiting:
            if bot in board.seatings[0]:
                return board.number - 1
        if is_staged and waiting:
            # Nobody knows yet whom the next stage seats; it is to be seated without this one.
            return (stage.boards[-1].round + 1) * plan.boards_in_round - 1
    return None
