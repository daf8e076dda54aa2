"""The tables: a fold over what a store holds, computed anew each time and kept nowhere.

Owns how a table is put together from boards, ratings and statistics. Prints nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardtable.catalog import game as game_of
from referee.boards import fold
from referee.disqualification import counted, departures
from referee.ratings import rate_boards
from referee.statistics import (
    contradicted,
    cross_table,
    mean_per_game,
    rank_intervals,
    superiority,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.boards import Board, Groups, ScoredBy
    from referee.ratings import Rating
    from referee.statistics import Difference, Estimate, Pair
    from referee.store import CompetitionInfo, Store

__all__ = [
    "Row",
    "Standings",
    "boards_of",
    "disqualify_after",
    "groups_of",
    "overall",
    "scoring",
    "standings",
]


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant in a table.

    Args:
        rank: From 1, by mu.
        ranks: The ranks it may truly have, best and worst, at 95 % for the whole table.
        entrant: Its name.
        rating: Mu and sigma; None without a rated board.
        per_game: Points (or place) per game with the half width of its 95 % interval; None over several games.
        games, boards: How many it played, complete boards only.
        faults: How many it had on these boards.
        flagged: Whether points gainsay its place by more than the noise.
    """

    rank: int
    ranks: tuple[int, int]
    entrant: str
    rating: Rating | None
    per_game: Estimate | None
    games: int
    boards: int
    faults: int
    flagged: bool


@dataclass(frozen=True, slots=True)
class Standings:
    """One table.

    Args:
        title: What is rated.
        scored_by: What is ranked; None over several competitions.
        rows: By mu, best first.
        cross: What each has over each other; empty over several competitions.
        chances: Chance that the first of a pair is better.
        draw_probability: Chance of a tie between equals, estimated from the boards.
        boards: Complete boards.
        faulted: How many of them had a fault.
        left: Entrants that forfeited too often, with the competition and number of their last board that counts.
    """

    title: str
    scored_by: ScoredBy | None
    rows: tuple[Row, ...]
    cross: Mapping[Pair, Difference]
    chances: Mapping[Pair, float | None]
    draw_probability: float
    boards: int
    faulted: int
    left: Mapping[str, tuple[str, int]]


def groups_of(competition: CompetitionInfo) -> Groups:
    """The seats of a competition's game that score together."""
    game = game_of(competition.game)
    return game.groups(game.variant(competition.variant))


def scoring(store: Store) -> dict[str, ScoredBy]:
    """What each competition of a store ranks by."""
    identity = json.loads(store.info().config)
    return {one["name"]: one["score"] for one in identity["competitions"]}


def disqualify_after(store: Store) -> int:
    """After how many forfeited games an entrant leaves a stored tournament."""
    return int(json.loads(store.info().config)["faults"]["disqualify_after"])


def boards_of(store: Store, competition: CompetitionInfo) -> list[Board]:
    """The complete boards of a competition that count."""
    games = (
        game
        for game in counted(store.games(), disqualify_after(store))
        if game.competition == competition.name
    )
    return fold(games, groups_of(competition), competition.seatings)


def standings(store: Store, competition: CompetitionInfo, *, faulted: bool = True) -> Standings:
    """The table of one competition.

    Args:
        store: Where it is stored.
        competition: Which.
        faulted: Whether boards on which anybody had a fault count too.
    """
    boards = boards_of(store, competition)
    scored_by = scoring(store)[competition.name]
    kept = boards if faulted else [board for board in boards if not board.faulted]
    game = game_of(competition.game)
    title = f"{competition.name}: {game.title_of(game.variant(competition.variant))}"
    cross = cross_table(kept, _entrants(store), scored_by)
    faults = _faults(store, [competition], {competition.name: kept})
    return _table(store, title, kept, {competition.name: scored_by}, cross, faults)


def overall(store: Store) -> Standings:
    """The table over all competitions, each board ranked by its competition's own scoring."""
    by_competition = {one.name: boards_of(store, one) for one in store.competitions}
    boards = [board for of_one in by_competition.values() for board in of_one]
    faults = _faults(store, store.competitions, by_competition)
    return _table(store, "all competitions", boards, scoring(store), {}, faults)


def _entrants(store: Store) -> list[str]:
    return sorted(one.name for one in store.entrants)


def _faults(
    store: Store, competitions: Sequence[CompetitionInfo], boards: Mapping[str, Sequence[Board]]
) -> Counter[str]:
    """Faults of each entrant on these boards, and those at no table."""
    counts: Counter[str] = Counter()
    for one in competitions:
        numbers = {board.number for board in boards[one.name]}
        for fault in store.faults(one.name):
            if fault.board is None or fault.board in numbers:
                counts[fault.entrant] += 1
    return counts


def _table(
    store: Store,
    title: str,
    boards: Sequence[Board],
    scored_by: Mapping[str, ScoredBy],
    cross: Mapping[Pair, Difference],
    faults: Mapping[str, int],
) -> Standings:
    rated = rate_boards(boards, scored_by)
    one = next(iter(scored_by.values())) if len(scored_by) == 1 else None
    present = [name for name in _entrants(store) if name in rated.ratings]
    present.sort(key=lambda name: (-rated.ratings[name].mu, name))
    chances = superiority({name: rated.ratings[name] for name in present}, cross)
    ranks = rank_intervals(present, chances)
    odd = contradicted(present, cross)
    rows = []
    for place, name in enumerate(present, 1):
        played = [board for board in boards if name in board.points]
        rows.append(
            Row(
                rank=place,
                ranks=ranks[name],
                entrant=name,
                rating=rated.ratings[name],
                per_game=None if one is None else mean_per_game(played, name, one),
                games=sum(board.games for board in played),
                boards=len(played),
                faults=faults.get(name, 0),
                flagged=name in odd,
            )
        )
    return Standings(
        title=title,
        scored_by=one,
        rows=tuple(rows),
        cross=cross,
        chances=chances,
        draw_probability=rated.draw_probability,
        boards=len(boards),
        faulted=sum(board.faulted for board in boards),
        left=departures(store.games(), disqualify_after(store)),
    )
