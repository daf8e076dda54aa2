"""The tables as programs are told of them: each with what it would be without some of its boards.

Owns the ratings of these lesser tables, which nobody has until somebody asks for them. Like those of the watch they go
on from what they said last, and take no more than a share of the time. One event loop uses it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from referee.pages.live.watch import RATING_SECONDS, SHARE
from referee.ratings import Rater
from referee.report.results import Views
from referee.standings import overall, standings

if TYPE_CHECKING:
    from referee.joining import Results
    from referee.pages.live.watch import Rated, Snapshot, Watch
    from referee.standings import Standings

__all__ = ["Told", "Without"]

#: How long the first tables are waited for.
_WAIT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Told:
    """What programs are told of all tables.

    Args:
        token: The store that it is of, as the watch calls it.
        tables: What it was made of.
        results: The same.
        objects: The table of each competition; of all together under None, where there are several.
        is_settled: Whether all ratings are those of `tourney ratings`.
    """

    token: str
    tables: tuple[Rated, ...]
    results: Results
    objects: Mapping[str | None, dict[str, object]]
    is_settled: bool


class Without:
    """Makes the tables when somebody asks, and keeps them until there are others.

    Args:
        watch: Makes the whole tables.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._raters: dict[tuple[str | None, bool], Rater] = {}
        self._lock = asyncio.Lock()
        self._told: Told | None = None
        self._next = 0.0

    async def told(self) -> Told | None:
        """The tables; None where they are not made in time."""
        async with self._lock:
            token, old = self._watch.token, self._told
            if old is None or old.token != token:
                now = await self._first()
            elif time.monotonic() >= self._next and _agree(self._watch.now):
                now = self._watch.now
            else:
                return old
            if now is None:
                return None
            if old is not None and old.token == token and old.tables is now.tables and old.is_settled:
                return old
            began = time.monotonic()
            self._told = await asyncio.to_thread(self._make, self._watch.token, now)
            ended = time.monotonic()
            self._next = ended + (ended - began) * (1 / SHARE - 1)
            return self._told

    async def _first(self) -> Snapshot | None:
        end = time.monotonic() + _WAIT_SECONDS
        while not _agree(self._watch.now):
            left = end - time.monotonic()
            if left <= 0 or self._watch.is_closed:
                return None
            await self._watch.news(self._watch.now.number, left)
        return self._watch.now

    def _make(self, token: str, now: Snapshot) -> Told:
        try:
            objects = {one.competition: self._object(one, now.results) for one in now.tables}
        except ArithmeticError:
            # A result too far from ratings that were on their way: they begin anew.
            self._raters.clear()
            objects = {one.competition: self._object(one, now.results) for one in now.tables}
        return Told(token, now.tables, now.results, objects, all(map(_is_settled, objects.values())))

    def _object(self, one: Rated, results: Results) -> dict[str, object]:
        name = one.competition
        whole = (
            partial(overall, results)
            if name is None
            else partial(standings, results, results.contest(name).info)
        )

        def table(*, faulted: bool = True, departed: bool = True) -> Standings:
            rater = self._raters.setdefault((name, faulted), Rater(RATING_SECONDS))
            return whole(faulted=faulted, departed=departed, rate=rater)

        found = Views.of(table, results, one.standings).to_json()
        for key, faulted in (("without_faults", False), ("without_departed", True)):
            lesser = found[key]
            if isinstance(lesser, dict):
                lesser["settled"] = self._raters[name, faulted].is_settled
        return {**found, "settled": one.is_settled}


def _is_settled(table: Mapping[str, object]) -> bool:
    lesser = (table["without_faults"], table["without_departed"])
    return all(one["settled"] for one in (table, *lesser) if isinstance(one, Mapping))


def _agree(now: Snapshot) -> bool:
    """Whether the tables are made, and of these results: each is published as soon as it is there."""
    boards = {one.info.name: len(one.boards) for one in now.results.contests}
    return bool(now.tables) and all(
        one.standings.boards == boards[one.competition] for one in now.tables if one.competition is not None
    )
