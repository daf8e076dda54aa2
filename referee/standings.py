"""The tables: a fold over finished games, computed anew each time and kept nowhere.

Owns how a table is put together from boards, ratings and statistics. Prints nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardtable.catalog import game as game_of
from referee.joining import Results
from referee.merge import read
from referee.ratings import rate_boards
from referee.statistics import (
    contradicted,
    cross_table,
    mean_per_game,
    rank_intervals,
    rotation_gain,
    superiority,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from referee.boards import Board, Groups, ScoredBy
    from referee.joining import Contest, Departure, Ruled
    from referee.ratings import BoardRatings, Rating
    from referee.statistics import Difference, Estimate, Pair
    from referee.store import CompetitionInfo, Store
    from referee.stored import StoredGame

__all__ = [
    "Rate",
    "Row",
    "Standings",
    "boards_of",
    "counted_games",
    "finished_games",
    "groups_of",
    "inseparable",
    "overall",
    "scoring",
    "standings",
]

#: What tables are made of: a store, or what was read of one or several.
Games: TypeAlias = "Store | Results"
#: What rates boards: `rate_boards`, or a `Rater` that goes on from the last time.
Rate: TypeAlias = "Callable[[Iterable[Board], Mapping[str, ScoredBy]], BoardRatings]"


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
        games: Games of these boards.
        faults: Faults on these boards and at no table.
        faulted: How many of the boards had a fault.
        left: Entrants that forfeited too often or were withdrawn.
        partners: "none"; "fixed" where some two always play together; "changing".
        inseparable: Those that always play together.
        rotation_gain: By how much the seatings of a board divide the variance; None where boards have one seating,
            too few games, or several competitions.
        rulings: Those in force that have a say in it.
        remote: Entrants that ran elsewhere, without isolation.
    """

    title: str
    scored_by: ScoredBy | None
    rows: tuple[Row, ...]
    cross: Mapping[Pair, Difference]
    chances: Mapping[Pair, float | None]
    draw_probability: float
    boards: int
    games: int
    faults: int
    faulted: int
    left: tuple[Departure, ...]
    partners: str
    inseparable: tuple[tuple[str, ...], ...]
    rotation_gain: float | None
    rulings: tuple[Ruled, ...] = ()
    remote: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The entrants, best first."""
        return [row.entrant for row in self.rows]


def groups_of(competition: CompetitionInfo) -> Groups:
    """The seats of a competition's game that score together."""
    game = game_of(competition.game)
    return game.groups(game.variant(competition.variant))


def scoring(store: Store) -> dict[str, ScoredBy]:
    """What each competition of a store ranks by."""
    identity = json.loads(store.info().config)
    return {one["name"]: one["score"] for one in identity["competitions"]}


def boards_of(games: Games, competition: CompetitionInfo) -> list[Board]:
    """The complete boards of a competition that count."""
    return list(_results(games).contest(competition.name).boards)


def counted_games(games: Games) -> list[StoredGame]:
    """The games that count, by competition, board and seating; in a merged store by each tournament's own rule."""
    return [game for contest in _results(games).contests for game in contest.games]


def finished_games(games: Games) -> list[StoredGame]:
    """The games that count and those that only a ruling has made void, in the order of `counted_games`."""
    return [
        game
        for contest in _results(games).contests
        for game in sorted((*contest.games, *contest.void), key=lambda one: (one.board, one.seating))
    ]


def standings(
    games: Games,
    competition: CompetitionInfo,
    *,
    faulted: bool = True,
    departed: bool = True,
    rate: Rate = rate_boards,
) -> Standings:
    """The table of one competition.

    Args:
        games: A store, or what was read of one or several.
        competition: Which.
        faulted: Whether boards on which anybody had a fault count too.
        departed: Whether boards of those that left count too.
        rate: What rates the boards.
    """
    results = _results(games)
    contest = results.contest(competition.name)
    kept = _kept(contest.boards, results, faulted=faulted, departed=departed)
    cross = cross_table(kept, [one.name for one in results.entrants], contest.scored_by)
    gain = None
    if contest.info.seatings > 1:
        numbers = {board.number for board in kept}
        gain = rotation_gain((game for game in contest.games if game.board in numbers), contest.groups)
    return _table(contest.title, {contest.info.name: (contest, kept)}, results, cross, gain, rate)


def overall(
    games: Games, *, faulted: bool = True, departed: bool = True, rate: Rate = rate_boards
) -> Standings:
    """The table over all competitions, each board ranked by its competition's own scoring.

    Args:
        games: A store, or what was read of one or several.
        faulted: Whether boards on which anybody had a fault count too.
        departed: Whether boards of those that left count too.
        rate: What rates the boards.
    """
    results = _results(games)
    kept = {
        one.info.name: (one, _kept(one.boards, results, faulted=faulted, departed=departed))
        for one in results.contests
    }
    return _table("all competitions", kept, results, {}, None, rate)


def inseparable(boards: Iterable[Board]) -> tuple[tuple[str, ...], ...]:
    """Entrants that are partners on every board of theirs: no result tells them apart.

    Returns:
        Groups of at least two, sorted.
    """
    sides: dict[str, set[tuple[str, ...]]] = {}
    for board in boards:
        for group in board.groups:
            for name in group:
                sides.setdefault(name, set()).add(group)
    return tuple(
        sorted(
            {
                group
                for found in sides.values()
                for group in found
                if len(group) > 1 and all(sides[name] == {group} for name in group)
            }
        )
    )


def _results(games: Games) -> Results:
    return games if isinstance(games, Results) else read(games)


def _kept(boards: Sequence[Board], results: Results, *, faulted: bool, departed: bool) -> list[Board]:
    gone = set() if departed else {one.entrant for one in results.left}
    return [
        board for board in boards if (faulted or not board.faulted) and gone.isdisjoint(board.points.keys())
    ]


def _table(
    title: str,
    kept: Mapping[str, tuple[Contest, Sequence[Board]]],
    results: Results,
    cross: Mapping[Pair, Difference],
    gain: float | None,
    rate: Rate,
) -> Standings:
    boards = [board for _, of_one in kept.values() for board in of_one]
    faults = _faults(kept)
    scored_by = {name: contest.scored_by for name, (contest, _) in kept.items()}
    rated = rate(boards, scored_by)
    one = next(iter(scored_by.values())) if len(scored_by) == 1 else None
    order = sorted(rated.ratings, key=lambda name: (-rated.ratings[name].mu, name))
    chances = superiority({name: rated.ratings[name] for name in order}, cross)
    ranks = rank_intervals(order, chances)
    odd = contradicted(order, cross)
    played: dict[str, list[Board]] = {name: [] for name in order}
    for board in boards:
        for name in board.points:
            if name in played:
                played[name].append(board)
    together = inseparable(boards)
    paired = any(len(group) > 1 for board in boards for group in board.groups)
    return Standings(
        title=title,
        scored_by=one,
        rows=tuple(
            Row(
                rank=place,
                ranks=ranks[name],
                entrant=name,
                rating=rated.ratings[name],
                per_game=None if one is None else mean_per_game(played[name], name, one),
                games=sum(board.games for board in played[name]),
                boards=len(played[name]),
                faults=faults.get(name, 0),
                flagged=name in odd,
            )
            for place, name in enumerate(order, 1)
        ),
        cross=cross,
        chances=chances,
        draw_probability=rated.draw_probability,
        boards=len(boards),
        games=sum(board.games for board in boards),
        faults=sum(faults.values()),
        faulted=sum(board.faulted for board in boards),
        left=results.left,
        partners="fixed" if together else "changing" if paired else "none",
        inseparable=together,
        rotation_gain=gain,
        rulings=tuple(one for one in results.rulings if one.concerns(kept)),
        remote=tuple(name for name in order if name in results.remote),
    )


def _faults(kept: Mapping[str, tuple[Contest, Sequence[Board]]]) -> Counter[str]:
    """Faults of each entrant on these boards, and those at no table."""
    counts: Counter[str] = Counter()
    for contest, boards in kept.values():
        numbers = {board.number for board in boards}
        counts.update(entrant for entrant, board in contest.faults if board is None or board in numbers)
    return counts
