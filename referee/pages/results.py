"""What a page shows of results: ratings, differences, faults, rulings, the plan, the seed.

Owns which tables a page has and in which words. Every number is that of `tourney ratings` and its sisters, from the
same fold over the same games; nothing is computed here.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from referee.audit.terms import AuditError, Terms
from referee.pages.charts import bars, intervals
from referee.pages.grids import Grid, grid_of, heat_map, plain_grid
from referee.report.plan import certificate_lines
from referee.report.rulings import about_fault, rulings_words
from referee.report.tables import (
    count,
    cross_notes,
    cross_table,
    ratings_json,
    ratings_notes,
    ratings_table,
    rulings_table,
    superiority_notes,
    superiority_table,
)
from referee.schedule import BoardPlan, ScheduleError, certificate
from referee.standings import overall, standings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from markupsafe import Markup

    from referee.audit.terms import CompetitionTerms
    from referee.joining import Contest, Results
    from referee.standings import Standings
    from referee.store import Store
    from referee.stored import CompetitionInfo, StoredFault, StoredGame

__all__ = [
    "Fault",
    "Faults",
    "Origin",
    "Plan",
    "Tables",
    "faults_of",
    "origins_of",
    "plans_of",
    "rulings_of",
    "table_of",
    "tables_of",
]

#: Faults that are listed one by one; more make no one wiser.
MOST_FAULTS = 200
#: Characters of what a bot wrote last.
_TAIL = 2_000


@dataclass(frozen=True, slots=True)
class Noted:
    """A table and what must be known of it.

    Args:
        title: Its name.
        grid: None where no board is left for it.
        notes: A line each.
    """

    title: str
    grid: Grid | None
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Tables:
    """The results of one competition, or of all together.

    Args:
        name: The competition's, or "all competitions".
        title: With its game in words.
        picture: The ratings as a chart.
        points: Points or places a game as a chart; None over several competitions.
        order: The entrants, best first.
        ratings: The ratings.
        cross: The heat map; None over several competitions.
        chances: Who is better than whom.
        without: The ratings without some of the boards.
    """

    name: str
    title: str
    picture: Markup | None
    points: Markup | None
    order: list[str]
    ratings: Noted
    cross: Noted | None
    chances: Noted | None
    without: list[Noted]


def tables_of(results: Results, competitions: Sequence[CompetitionInfo]) -> list[Tables]:
    """The tables of these competitions, and of all together where all are shown and there are several."""
    names = {one.name for one in competitions}
    contests = [one for one in results.contests if one.info.name in names]
    found = [_tables(one.info.name, partial(standings, results, one.info), results) for one in contests]
    if len(contests) == len(results.contests) > 1:
        together = _tables("all competitions", partial(overall, results), results)
        if together.ratings.grid is not None:
            found.append(together)
    return found


def _tables(name: str, table: Callable[..., Standings], results: Results) -> Tables:
    whole = table()
    without = []
    if whole.boards and whole.faulted:
        without.append(_less(table(faulted=False), "without the boards that had a fault"))
    if {one.entrant for one in results.left} & set(whole.names):
        without.append(_less(table(departed=False), "without the boards of those that left"))
    return table_of(name, whole, without)


def table_of(name: str, whole: Standings, without: Sequence[Noted] = ()) -> Tables:
    """One table with its pictures.

    Args:
        name: The competition's, or "all competitions".
        whole: The table.
        without: The ratings without some of the boards.
    """
    if not whole.boards:
        nothing = Noted(whole.title, None, ["no board is complete yet"])
        return Tables(name, whole.title, None, None, [], nothing, None, None, [])
    rows = _rows(whole)
    cross = chances = None
    if whole.cross:
        caption = f"{whole.title}: difference of the row over the column"
        cross = Noted(
            whole.title, heat_map(whole, cross_table(whole, narrow=True), caption), cross_notes(whole)
        )
    if any(chance is not None for chance in whole.chances.values()):
        grid = grid_of(superiority_table(whole), f"{whole.title}: chance of being better")
        chances = Noted(whole.title, grid, superiority_notes(whole))
    return Tables(
        name,
        whole.title,
        _picture(whole.title, rows),
        _points(whole, rows),
        whole.names,
        _ratings(whole, whole.title),
        cross,
        chances,
        list(without),
    )


def _ratings(table: Standings, title: str) -> Noted:
    grid = grid_of(ratings_table(table), f"{title}: ratings", name_column=2)
    return Noted(title, grid, ratings_notes(table))


def _less(table: Standings, what: str) -> Noted:
    title = f"{table.title}, {what}"
    if not table.boards:
        return Noted(title, None, ["none is left"])
    # The rulings are named below the table that has all boards.
    return _ratings(replace(table, rulings=()), title)


def _rows(table: Standings) -> list[dict[str, Any]]:
    found = ratings_json(table)["rows"]
    assert isinstance(found, list)
    return found


def _picture(title: str, rows: Iterable[Mapping[str, Any]]) -> Markup | None:
    rated = [row for row in rows if row["mu"] is not None]
    if not rated:
        return None
    said = "; ".join(
        f"{row['entrant']} {row['mu']:.1f}, from {row['interval'][0]:.1f} to {row['interval'][1]:.1f}"
        for row in rated
    )
    return intervals(
        [(row["entrant"], row["mu"], *row["interval"]) for row in rated],
        title="mu and 95 %",
        label=f"{title}, mu with its interval of 95 %: {said}",
    )


def _points(table: Standings, rows: Iterable[Mapping[str, Any]]) -> Markup | None:
    shown = [row for row in rows if row["per_game"] is not None]
    if not shown:
        return None
    said = "; ".join(f"{row['entrant']} {row['per_game']:.2f}" for row in shown)
    ends = [
        (None, None)
        if row["half_width"] is None
        else (row["per_game"] - row["half_width"], row["per_game"] + row["half_width"])
        for row in shown
    ]
    return bars(
        [(row["entrant"], row["per_game"], low, high) for row, (low, high) in zip(shown, ends, strict=True)],
        title=f"{table.scored_by}/game and 95 %",
        label=f"{table.title}, {table.scored_by} per game: {said}",
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the list.

    Args:
        fault: As it is stored.
        tail: The end of what the bot wrote.
        ruling: What rulings make of it.
    """

    fault: StoredFault
    tail: str
    ruling: str


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a page.

    Args:
        total: How many.
        causes: Their causes by entrant; None without any.
        listed: The first of them.
    """

    total: int
    causes: Grid | None
    listed: list[Fault]


def faults_of(
    store: Store, results: Results, competitions: Sequence[CompetitionInfo], boards: set[tuple[str, int]]
) -> Faults:
    """The faults on complete boards and at no table."""
    counts: Counter[tuple[str, str]] = Counter()
    listed: list[Fault] = []
    for one in competitions:
        for fault in store.faults(one.name):
            if fault.board is not None and (fault.competition, fault.board) not in boards:
                continue
            counts[fault.entrant, fault.cause] += 1
            if len(listed) < MOST_FAULTS:
                words = rulings_words(about_fault(fault, results.rulings))
                listed.append(Fault(fault, fault.stderr_tail.strip()[-_TAIL:], words))
    if not counts:
        return Faults(0, None, [])
    causes = sorted({cause for _, cause in counts})
    names = sorted({name for name, _ in counts})
    rows = [
        [name, *(counts[name, cause] or "" for cause in causes), sum(counts[name, cause] for cause in causes)]
        for name in names
    ]
    grid = plain_grid("Faults by entrant and cause", ["entrant", *causes, "all"], rows, numbers=1)
    return Faults(counts.total(), grid, listed)


def rulings_of(results: Results) -> Grid | None:
    """All rulings, those that were taken back too; None without any."""
    if not results.rulings:
        return None
    return grid_of(rulings_table(results.rulings), "Rulings of the organiser")


@dataclass(frozen=True, slots=True)
class Plan:
    """What was planned of a competition, and what was played.

    Args:
        name: The competition's.
        planned: How it is scheduled, and the counts of the plan.
        played: The counts of the complete boards.
    """

    name: str
    planned: list[str]
    played: list[str]


def plans_of(store: Store, results: Results, competitions: Sequence[CompetitionInfo]) -> list[Plan]:
    """The plan of each competition and what was played of it; none of a store that was merged of several."""
    if len(results.sources) > 1:
        return []
    try:
        terms = Terms.of(store.info(), store.path)
    except AuditError:
        return []
    return [
        _plan(results.contest(one.name), terms.competitions[one.name], list(store.games(one.name)))
        for one in competitions
        if one.name in terms.competitions
    ]


def _plan(contest: Contest, terms: CompetitionTerms, games: Sequence[StoredGame]) -> Plan:
    name, changing = contest.info.name, contest.teams == "whist"
    try:
        plan = terms.plan()
    except (ScheduleError, KeyError, TypeError, ValueError) as error:
        return Plan(name, [f"the identity gives no plan: {error}"], [])
    planned = plan.certificate()
    head = (
        f"{terms.text['schedule']}, {count(planned.boards, 'board')} of {count(plan.seatings, 'seating')},"
        f" {count(planned.games, 'game')}, by {terms.scored_by}"
        + ("; a stop rule may end it sooner" if terms.stop is not None else "")
    )
    boards = [
        BoardPlan(number, number // plan.boards_in_round, number % plan.boards_in_round, seats)
        for number, seats in _seatings(games)
        if len(seats) == plan.seatings
    ]
    played = ["nothing yet"]
    if boards:
        try:
            counts = certificate(plan.entrants, boards, teams=plan.teams, hero=terms.hero)
        except (ScheduleError, ValueError, KeyError, IndexError):
            played = ["what was played is too far from a plan to be counted"]
        else:
            size = f"{count(counts.boards, 'board')}, {count(counts.games, 'game')}"
            played = [size, *certificate_lines(counts, changing_partners=changing)]
    return Plan(name, [head, *certificate_lines(planned, changing_partners=changing)], played)


def _seatings(games: Sequence[StoredGame]) -> list[tuple[int, tuple[tuple[str, ...], ...]]]:
    return [
        (number, tuple(game.seats for game in members))
        for number, members in groupby(games, key=lambda game: game.board)
    ]


@dataclass(frozen=True, slots=True)
class Origin:
    """A tournament that a page is made of, and how to check it.

    Args:
        name: What it is called.
        program: That played it.
        began: When its store was made, in UTC; None of a merged one.
        commitment: By which seed and entrants were promised.
        identity: Hash of all that identifies it.
        seed: The master seed once it is revealed.
        public: The text that was mixed into it.
        entrants: Names and hashes of their files.
    """

    name: str
    program: str
    began: str | None
    commitment: str
    identity: str
    seed: str | None
    public: str | None
    entrants: Grid


def origins_of(store: Store, results: Results) -> list[Origin]:
    """The tournaments of a store."""
    began = None
    if len(results.sources) == 1:
        began = datetime.fromtimestamp(store.info().created, UTC).strftime("%Y-%m-%d %H:%M")
    found = []
    for source in results.sources:
        seed = json.loads(source.config).get("seed") or {}
        rows = [[one.name, one.files_hash or "–"] for one in source.entrants]  # noqa: RUF001 - an en dash for none
        found.append(
            Origin(
                source.name,
                source.program,
                began,
                source.commitment,
                source.identity,
                source.seed,
                seed.get("public"),
                plain_grid("Entrants and the hashes of their files", ["entrant", "files"], rows, numbers=2),
            )
        )
    return found
