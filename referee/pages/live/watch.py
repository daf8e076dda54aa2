"""The watch over a store that is being written: what is known now, and who is told when that changes.

Owns the two tasks that keep it current: one looks each second for what was written, the other makes the tables anew,
in a thread and never for more than a share of the time. Serves nobody itself.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from referee.errors import RefereeError
from referee.pages.live.following import Followed
from referee.pages.live.progress import Meter, Progress
from referee.ratings import Rater
from referee.standings import overall, standings
from referee.store import StoreMissing, StoreUnreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardtable.record import GameRecord
    from referee.database.address import StoreAddress
    from referee.joining import Results
    from referee.pages.live.following import Cut, Key
    from referee.standings import Standings
    from referee.stored import StoredFault, StoredGame

    Draw = Callable[["Snapshot"], Mapping[str, str]]

__all__ = ["RATING_SECONDS", "SHARE", "Rated", "Snapshot", "Watch"]

#: How often it is looked for what was written.
LOOK_SECONDS: Final = 1.0
#: How much of the time tables may take, and how long ratings may go on to settle each time.
SHARE: Final = 0.4
RATING_SECONDS: Final = 1.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rated:
    """One table.

    Args:
        competition: Whose; None for all competitions together.
        standings: The table.
        is_settled: Whether its ratings are those of `tourney ratings`; else they are on their way there.
    """

    competition: str | None
    standings: Standings
    is_settled: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that is known at one moment; nobody changes it.

    Args:
        number: Grows with each, as long as the server lives.
        progress: How far the tournament is; newer than the rest, which takes longer.
        store: The store that all of it is of.
        cut: How far that was read for the results.
        results: What tables are made of.
        ruled: By competition, board and seating each game as it counts, void ones too; what is not here counts nowhere.
        tables: One for each competition, and one for all where there are several; empty before they are first made.
    """

    number: int
    progress: Progress
    store: Followed
    cut: Cut
    results: Results
    ruled: Mapping[Key, StoredGame]
    tables: tuple[Rated, ...]

    @property
    def is_over(self) -> bool:
        """Whether all seeds are revealed: before that nothing is told of what bots said."""
        return all(source.seed is not None for source in self.results.sources)

    @property
    def games(self) -> Sequence[StoredGame]:
        """The games of complete boards, in the order in which they came to be there; later ones only add to it."""
        return self.store.log[: self.cut.games]

    @property
    def faults(self) -> Sequence[StoredFault]:
        """The faults on these games and at no table, in the order of writing; later ones only add to it."""
        return self.store.fault_log[: self.cut.faults]

    def find(self, competition: str, board: int, seating: int) -> StoredGame | None:
        """The game of this name among `games`."""
        place = self.store.place(competition, board, seating)
        return None if place is None or place >= self.cut.games else self.store.log[place]

    def as_ruled(self, game: StoredGame) -> StoredGame | None:
        """The game as it counts; None where it counts nowhere."""
        return self.ruled.get((game.competition, game.board, game.seating))

    def record(self, game: StoredGame) -> GameRecord:
        """The record of a game, without what bots said while that is not to be told; reads the file.

        Raises:
            StoreError: It cannot be read, or the file is not that of this snapshot any more.
        """
        try:
            found = self.store.record(game.competition, game.board, game.seating)
        except KeyError:
            found = None
        # Looked at afterwards: whatever was read then is of the store that this snapshot is of.
        if found is None or not self.store.is_there:
            raise StoreMissing(f"{self.store.path} was removed or replaced")
        return found if self.is_over else replace(found, comments=())


class Watch:
    """Keeps an eye on a store; use it from one event loop.

    Args:
        path: The store.
        quick, slow: Make pieces of pages by name, of what is new each second, and of tables (in the thread).
        share: How much of the time tables may take.
    """

    def __init__(
        self,
        path: StoreAddress,
        *,
        quick: Draw = lambda _: {},
        slow: Draw = lambda _: {},
        share: float = SHARE,
    ) -> None:
        self.path = path
        #: Known by all pages that this server made of this store: any other page is out of date as a whole.
        self.token = ""
        #: Pieces of pages, and the snapshot in which each changed last.
        self.pieces: dict[str, tuple[int, str]] = {}
        self.is_closed = False
        self._quick, self._slow, self._share = quick, slow, share
        self._raters: dict[str | None, Rater] = {}
        self._meter = Meter()
        self._news = asyncio.Event()
        self._tables = ThreadPoolExecutor(1, "tables")
        self._looks = ThreadPoolExecutor(1, "looks")
        self._now: Snapshot | None = None
        #: Why no tables can be made of what was written last.
        self._unread = ""

    @property
    def now(self) -> Snapshot:
        """What is known."""
        assert self._now is not None, "it was not opened"
        return self._now

    @property
    def store(self) -> Followed:
        """The store as it is now: another one where its file was replaced."""
        return self.now.store

    def open(self) -> None:
        """Read the store for the first time.

        Raises:
            StoreError: There is none, or it cannot be read.
        """
        self._take(*self._first(self.path))

    def close(self) -> None:
        """Let all who wait for news go."""
        self.is_closed = True
        self._news.set()

    def end(self) -> None:
        """Give back what it holds; a table that is being made is not waited for."""
        self.close()
        for pool in (self._tables, self._looks):
            pool.shutdown(wait=False, cancel_futures=True)
        if self._now is not None:
            self._now.store.close()

    async def news(self, number: int, seconds: float) -> None:
        """Wait until there is a later snapshot than this one, or it is closed, or the time is over."""
        if self.now.number > number or self.is_closed:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    async def run(self) -> None:
        """Keep it current, until it is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look())
            tasks.create_task(self._rate())

    # What was written.

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                # Asking a server takes longer than looking for a file.
                if await self._in(self._looks, _is_there, self.store):
                    progress = await self._in(self._looks, self._measure, self.store)
                else:
                    self._take(*await self._in(self._looks, self._first, self.path))
                    continue
            except RefereeError as error:
                progress = replace(self.now.progress, per_second=None, trouble=self._words(error))
            if self._unread and not progress.trouble:
                progress = replace(progress, trouble=self._unread)
            if progress != self.now.progress:
                self._publish(replace(self.now, progress=progress), self._quick)

    def _measure(self, store: Followed) -> Progress:
        # First who plays: of a run that has ended, everything is read then.
        last = store.last_run()
        store.catch_up()
        return self._meter(store, last)

    def _first(self, path: StoreAddress) -> tuple[Snapshot, Meter, Mapping[str, str]]:
        store = Followed.follow(path)
        try:
            meter = Meter()
            last = store.last_run()
            store.catch_up()
            cut, results = store.results()
            first = Snapshot(0, meter(store, last), store, cut, results, _ruled(results), ())
            return first, meter, {**self._slow(first), **self._quick(first)}
        except BaseException:
            store.close()
            raise

    def _take(self, first: Snapshot, meter: Meter, pieces: Mapping[str, str]) -> None:
        """From now on it is about this store."""
        old = self._now
        self.token, self._meter, self._raters = secrets.token_hex(6), meter, {}
        self.pieces, self._unread = {}, ""
        self._now = replace(first, number=0 if old is None else old.number)
        self.tell(pieces)
        if old is not None:
            old.store.close()

    # What is made of it.

    async def _rate(self) -> None:
        done: tuple[str, Cut] | None = None
        is_settled = False
        while True:
            began = time.monotonic()
            store, token = self.store, self.token
            if not is_settled or done != (token, store.head):
                try:
                    if done != (token, store.head):
                        cut, results, ruled = await self._in(self._tables, _read, store)
                        done = (token, cut)
                        await self._show(token, cut=cut, results=results, ruled=ruled)
                    is_settled = await self._make_tables(token)
                except ArithmeticError:
                    # A result too far from ratings that were on their way: they begin anew.
                    self._raters, is_settled = {}, False
                except RefereeError as error:
                    done, is_settled = (token, store.head), True
                    self._unread = self._words(error)
                else:
                    self._unread = ""
            cost = time.monotonic() - began
            await asyncio.sleep(max(LOOK_SECONDS, cost * (1 / self._share - 1)))

    async def _make_tables(self, token: str) -> bool:
        tables = await self._in(self._tables, self._rated, self.now.results)
        await self._show(token, tables=tables)
        return all(one.is_settled for one in tables)

    def _rated(self, results: Results) -> tuple[Rated, ...]:
        found = []
        for one in results.contests:
            rater = self._raters.setdefault(one.info.name, Rater(RATING_SECONDS))
            found.append(Rated(one.info.name, standings(results, one.info, rate=rater), rater.is_settled))
        if len(results.contests) > 1:
            rater = self._raters.setdefault(None, Rater(RATING_SECONDS))
            found.append(Rated(None, overall(results, rate=rater), rater.is_settled))
        return tuple(found)

    async def _show(self, token: str, **changes: object) -> None:
        """Publish what was made of the store of this token, if it still is the store."""
        changed = replace(self.now, **changes)  # type: ignore[arg-type] # fields of a snapshot
        pieces = await self._in(self._tables, self._slow, changed)
        if token == self.token:
            self._now = replace(self.now, **changes)  # type: ignore[arg-type] # as above
            self.tell({**pieces, **self._quick(self.now)})

    def _words(self, error: RefereeError) -> str:
        """What went wrong, without where the store lies: that is nobody's business."""
        if isinstance(error, StoreUnreachable):
            return f"{self.path.name} cannot be reached"
        return str(error).replace(str(self.path), self.path.name)

    # Who is told.

    def _publish(self, snapshot: Snapshot, draw: Draw) -> None:
        self._now = snapshot
        self.tell(draw(snapshot))

    def tell(self, pieces: Mapping[str, str]) -> None:
        """Number what is new, and wake who waits for it."""
        number = self.now.number + 1
        self._now = replace(self.now, number=number)
        for name, text in pieces.items():
            if self.pieces.get(name, (0, None))[1] != text:
                self.pieces[name] = number, text
        news, self._news = self._news, asyncio.Event()
        if self.is_closed:
            self._news.set()
        news.set()

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)


def _is_there(store: Followed) -> bool:
    return store.is_there


def _read(store: Followed) -> tuple[Cut, Results, Mapping[Key, StoredGame]]:
    cut, results = store.results()
    return cut, results, _ruled(results)


def _ruled(results: Results) -> Mapping[Key, StoredGame]:
    return {
        (game.competition, game.board, game.seating): game
        for contest in results.contests
        for game in (*contest.games, *contest.void)
    }
