"""Why a bot lost: figures by contract, role and decision against the field on the same cards, and its costliest deals.

Knows records and boards: neither tables nor bots, and no game but by its scheme (`cardtable.figures`). The board is
the unit of every error. Deals in which the house decided for any seat are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.analysis.estimates import LEAST_BOARDS, Gap, Value
from referee.analysis.findings import Analysis, ContrastLine, CostlyDeal, Field, Line
from referee.analysis.ledger import COSTLIEST, Ledger
from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardtable.record import GameRecord
    from referee.stored import CompetitionInfo, StoredGame

__all__ = [
    "COSTLIEST",
    "LEAST_BOARDS",
    "Analysis",
    "ContrastLine",
    "CostlyDeal",
    "Field",
    "Gap",
    "Ledger",
    "Line",
    "Value",
    "analyse",
    "as_ruled",
    "field",
]


def as_ruled(
    games: Iterable[StoredGame], records: Iterable[tuple[StoredGame, GameRecord]]
) -> Iterator[tuple[StoredGame, GameRecord]]:
    """Pair the games of a competition that count, as ruled, with their records, in the order of the records.

    Args:
        games: Those that count.
        records: All finished games as they are stored, with their records.
    """
    ruled = {(game.board, game.seating): game for game in games}
    for stored, record in records:
        game = ruled.get((stored.board, stored.seating))
        if game is not None:
            yield game, record


def field(competition: CompetitionInfo, games: Iterable[tuple[StoredGame, GameRecord]]) -> Field:
    """Analyse all entrants of a competition in one pass.

    Args:
        competition: Which.
        games: Its games that count, as ruled, with their records; those of a board one after another.

    Raises:
        RefereeError: A record does not replay.
    """
    ledger = Ledger(competition)
    for game, record in games:
        ledger.add(game, record)
    return ledger.close()


def analyse(
    competition: CompetitionInfo, games: Iterable[tuple[StoredGame, GameRecord]], entrant: str
) -> Analysis:
    """Analyse one entrant of a competition; it costs what `field` does.

    Args:
        competition: Which.
        games: Its games that count, as ruled, with their records; those of a board one after another.
        entrant: Its name.

    Raises:
        RefereeError: A record does not replay, or the entrant has no complete board.
    """
    found = field(competition, games).analyses.get(entrant)
    if found is None:
        raise RefereeError(f"{entrant} has no complete board of {competition.name}")
    return found
