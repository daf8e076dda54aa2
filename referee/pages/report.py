"""`tourney report`: the results of a store as one file that works offline.

Owns what stands in the file and in which order. Reads the store and writes nothing to it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from referee.merge import read
from referee.pages.analyses import analysis_of
from referee.pages.archive import archive_of
from referee.pages.page import render
from referee.pages.results import faults_of, origins_of, plans_of, rulings_of, tables_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.pages.archive import Archive, Told
    from referee.store import Store
    from referee.stored import CompetitionInfo

__all__ = ["GENERATOR", "REPLAY_SCRIPTS", "REPLAY_STYLES", "report"]

#: What a report says of itself, so that another file of its name is not taken for one.
GENERATOR = "tourney report"
REPLAY_STYLES = ("page.css", "table.css")
#: In the order in which they need each other.
REPLAY_SCRIPTS = ("terms.js", "table.js", "archive.js", "replay.js", "sheet.js", "viewer.js", "games.js")


def report(
    store: Store, competitions: Sequence[CompetitionInfo], told: Told = lambda _what, _games: None
) -> tuple[str, Archive]:
    """The page and the games that are in it.

    Args:
        store: Any store, also one that is being written.
        competitions: Those of it that are shown.
        told: Is told of what takes long: "replays" or "analysis", and how many more games are done.
    """
    results = read(store)
    is_over = all(source.seed is not None for source in results.sources)
    archive = archive_of(store, results, competitions, comments=is_over, told=told)
    tables = tables_of(results, competitions)
    analyses = {
        one.info.name: analysis_of(store, one, table.order, told)
        for one in results.contests
        for table in tables
        if table.name == one.info.name and table.order
    }
    page = render(
        "report.html",
        styles=REPLAY_STYLES,
        scripts=REPLAY_SCRIPTS,
        generator=GENERATOR,
        program=f"cardtable-referee {version('cardtable-referee')}",
        title=results.title,
        store=store.path.name,
        is_over=is_over,
        is_merged=len(results.sources) > 1,
        joined=results.notes,
        tables=tables,
        analyses=analyses,
        faults=faults_of(store, results, competitions, archive.boards),
        rulings=rulings_of(results),
        plans=plans_of(store, results, competitions),
        origins=origins_of(store, results),
        archive=archive,
        boards=len(archive.boards),
    )
    return page, archive
