"""`tourney report`: a store's results and games as one page in a folder."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.cli.extras import pages_extra
from referee.cli.places import competitions_of, open_cup
from referee.errors import RefereeError
from referee.report.tables import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from referee.database.address import StoreAddress
    from referee.pages.archive import Archive, Told
    from referee.store import Store
    from referee.stored import CompetitionInfo

__all__ = ["write_report"]

PAGE = "index.html"
#: Bytes in which the mark of a report stands.
_HEAD = 4096


def write_report(cup: StoreAddress, folder: Path, competition: str | None) -> None:
    """Write the report of a store, and say where it is.

    Args:
        cup: The store, or the tournament file that names it.
        folder: Is made where there is none; an earlier report in it is replaced, and nothing else is touched.
        competition: Only this one.

    Raises:
        RefereeError: The folder cannot be used, or what makes pages is not installed.
    """
    report, generator = _maker()
    page = folder / PAGE
    _check(folder, page, generator)
    with open_cup(cup) as store:
        shown = competitions_of(store, competition)
        games = sum(store.count(one.name) for one in shown)
        # It is opened before the minutes that it may take, so that a folder that will not do is named at once.
        with _draft_of(page) as file, _progress() as progress:
            tasks = {what: progress.add_task(what, total=games) for what in ("replays", "analysis")}
            text, archive = report(store, shown, lambda what, done: progress.advance(tasks[what], done))
            file.write(text)
    for wrong in archive.wrong:
        print(f"WRONG  {wrong}")
    size = page.stat().st_size / 1e6
    print(
        f"{page}: {count(len(archive.games), 'game')}, {size:.1f} MB; it needs no other file and no network"
    )


def _progress() -> Progress:
    """Shown while minutes go by, on a terminal alone."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def _maker() -> tuple[Callable[[Store, Sequence[CompetitionInfo], Told], tuple[str, Archive]], str]:
    """What makes a report, and what it says of itself."""
    with pages_extra("reports need"):
        from referee.pages.report import GENERATOR, report
    return report, GENERATOR


def _check(folder: Path, page: Path, generator: str) -> None:
    if folder.exists() and not folder.is_dir():
        raise RefereeError(f"{folder} is no folder; a report is written to a folder")
    if not page.exists():
        return
    with suppress(OSError), page.open("rb") as file:
        if f'content="{generator}"'.encode() in file.read(_HEAD):
            return
    raise RefereeError(f"{page} is there and is no report of tourney; name another folder")


@contextmanager
def _draft_of(page: Path) -> Iterator[TextIO]:
    """The page appears under its name only when it is whole."""
    draft = page.with_name(f".{page.name}.new")
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(page)
    except OSError as error:
        raise RefereeError(f"{page} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
