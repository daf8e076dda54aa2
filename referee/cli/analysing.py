"""`analyse`: why a bot lost."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from referee.analysis import as_ruled, field
from referee.cli.places import open_cup
from referee.cli.results import show
from referee.errors import RefereeError
from referee.merge import read
from referee.report.analysis import (
    analysis_json,
    analysis_notes,
    contrasts_table,
    costly_notes,
    costly_table,
    field_notes,
    field_table,
    section_table,
)
from referee.report.rulings import ruling_line
from referee.toml_reading import nearest

if TYPE_CHECKING:
    from referee.analysis import Field
    from referee.database.address import StoreAddress
    from referee.joining import Contest, Results

__all__ = ["print_analysis"]


def print_analysis(cup: StoreAddress, bot: str | None, competition: str | None, *, as_json: bool) -> None:
    """Print figures against the field on the same cards, and the costliest deals.

    Args:
        cup: A store, or the tournament file that names it.
        bot: Whose; None: of all, by contract and by role alone, or with JSON everything.
        competition: Only this one.
        as_json: Whether to print JSON.
    """
    with open_cup(cup) as store:
        results = read(store)
        names = [one.name for one in results.entrants]
        if bot is not None and bot not in names:
            raise RefereeError(f"{store.path} has no bot {bot!r}; {nearest(bot, names, 'it has')}")
        contests = results.contests if competition is None else (results.contest(competition),)
        # Who is not in a competition need not wait until its games are replayed.
        contests = tuple(
            one for one in contests if bot is None or any(bot in board.points for board in one.boards)
        )
        if bot is not None and not contests:
            where = "" if competition is None else f" of {competition}"
            raise RefereeError(f"{bot} has no complete board{where} in {store.path}")
        found = [
            (one, field(one.info, as_ruled(one.games, store.records(one.info.name)))) for one in contests
        ]
    if as_json:
        print(
            json.dumps(
                [
                    analysis_json(contest.title, one, whole)
                    for contest, whole in found
                    for name, one in whole.analyses.items()
                    if bot in {None, name}
                ],
                ensure_ascii=False,
            )
        )
        return
    for contest, whole in found:
        if bot is not None:
            _show_bot(cup, contest, whole, bot, results)
        elif whole.analyses:
            show(partial(field_table, contest.title, whole), field_notes(whole) + _rulings(contest, results))
        else:
            print(f"{contest.title}: no board is complete yet")


def _show_bot(cup: StoreAddress, contest: Contest, whole: Field, bot: str, results: Results) -> None:
    one = whole.analyses[bot]
    title = f"{bot} in {contest.info.name}"
    for section in whole.scheme.sections:
        if any(line.own is not None for line in one.lines if line.section == section.title):
            show(partial(section_table, title, section, one, whole))
    if any(line.gap is not None for line in one.contrasts):
        show(partial(contrasts_table, title, one.contrasts))
    if one.costliest:
        show(partial(costly_table, title, one.costliest))
    show_notes = [*costly_notes(cup, one.costliest), *analysis_notes(one, whole), *_rulings(contest, results)]
    print("\n".join([*show_notes, ""]))


def _rulings(contest: Contest, results: Results) -> list[str]:
    return [ruling_line(one) for one in results.rulings if one.concerns([contest.info.name])]
