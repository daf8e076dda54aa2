"""From what the tournament file asks to a plan; refuses what does not fit together."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING, Literal, get_args

from referee.schedule.adaptive import AdaptivePlan
from referee.schedule.balanced import balanced
from referee.schedule.fixed import AllTables, FixedPlan
from referee.schedule.groups import TableGroups
from referee.schedule.plan import Schedule, ScheduleError
from referee.schedule.whist import whist

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.boards import ScoredBy
    from referee.schedule.plan import Plan, Rotations, Tables, Teams

__all__ = ["make_plan"]

#: Up to so many entrants, all tables are played unless the file says otherwise.
ALL_TABLES_UP_TO = 10
#: More table groups are refused.
MOST_TABLES = 100_000
#: Beyond, the search for a design would take longer than anyone waits.
MOST_SEARCHED = 400


def make_plan(
    schedule: Schedule,
    entrants: Sequence[str],
    seats: int,
    boards: int,
    *,
    teams: Teams = "none",
    rotations: Rotations = "cyclic",
    tables: Tables | None = None,
    hero: str | None = None,
    scored_by: ScoredBy = "points",
) -> Plan:
    """Make the plan of one competition.

    Args:
        schedule: Its format.
        entrants: In the order of the file.
        seats: Seats of the game.
        boards: Over all tables: boards of each table group. Balanced tables and whist: how often the whole design is
            gone through. Swiss and ladder: the number of rounds.
        teams: ``same``: two entrants share the seats of a table; ``whist``: partners change.
        rotations: ``cyclic``: a board is played with every entrant, or side, in every seat; ``none``: once.
        tables: Of round robin and gauntlet: ``all`` choices, or a ``balanced`` few; None: all up to 10 entrants.
        hero: The entrant whom a gauntlet is about.
        scored_by: What adaptive formats rank by.

    Raises:
        ScheduleError: There is no such plan.
    """
    names = tuple(entrants)
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise ScheduleError(f"{twice[0]!r} stands twice among the entrants")
    table = 2 if teams == "same" else seats
    _check(schedule, names, seats, teams, tables, hero)
    if len(names) < table:
        raise ScheduleError(f"a table takes {table} entrants, there are {len(names)}")
    if boards < 1:
        raise ScheduleError("there must be at least one board for each table group")
    if schedule in {"swiss", "ladder"}:
        kind: Literal["swiss", "ladder"] = "swiss" if schedule == "swiss" else "ladder"
        return AdaptivePlan(names, seats, boards, kind, teams, rotations, scored_by)
    if schedule == "whist":
        _check_searched(len(names))
        return FixedPlan(names, seats, whist(len(names)), boards, "whist", rotations)
    chosen = tables or ("all" if len(names) <= ALL_TABLES_UP_TO else "balanced")
    field, places = (len(names) - 1, table - 1) if schedule == "gauntlet" else (len(names), table)
    if chosen == "all" and places > 1:
        return FixedPlan(names, seats, _all_tables(field, places), boards, teams, rotations, hero)
    _check_searched(field)
    design, times = balanced(field, places, boards)
    return FixedPlan(names, seats, design, times, teams, rotations, hero)


def _check(
    schedule: Schedule,
    entrants: tuple[str, ...],
    seats: int,
    teams: Teams,
    tables: Tables | None,
    hero: str | None,
) -> None:
    if schedule not in get_args(Schedule):
        raise ScheduleError(f"there is no schedule {schedule!r}, but {', '.join(get_args(Schedule))}")
    if schedule == "whist" and (seats != 4 or teams == "same"):
        raise ScheduleError("whist needs four seats, and partners that change: it goes without teams")
    if schedule != "whist" and teams == "whist":
        raise ScheduleError(f'teams = "whist" needs schedule = "whist", not "{schedule}"')
    if schedule == "gauntlet" and hero is None:
        raise ScheduleError("a gauntlet needs a hero, the entrant that meets the field")
    if schedule != "gauntlet" and hero is not None:
        raise ScheduleError(f"only a gauntlet has a hero, not {schedule}")
    if hero is not None and hero not in entrants:
        raise ScheduleError(f"the hero {hero!r} is not among the entrants")
    if tables is not None and schedule not in {"round-robin", "gauntlet"}:
        raise ScheduleError(f"tables are chosen by {schedule} itself")


def _check_searched(entrants: int) -> None:
    if entrants > MOST_SEARCHED:
        raise ScheduleError(f"designs are searched for up to {MOST_SEARCHED} entrants, there are {entrants}")


def _all_tables(entrants: int, table: int) -> AllTables:
    if comb(entrants, table) > MOST_TABLES:
        raise ScheduleError(
            f"{entrants} entrants have {comb(entrants, table):,} tables of {table}, at most {MOST_TABLES:,} can be"
            ' planned; tables = "balanced" needs far fewer'
        )
    return AllTables(TableGroups(entrants, table))
