"""The room in which a person plays: the games of an evening, the one page that shows them, and who is there.

Owns which page has the seat (the newest), when nobody is there, and what the page is told. All of it runs in one
event loop; `close` and `fail` alone are called from elsewhere, by way of that loop.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any, Final

from referee.pages.human.choices import NoChoice
from referee.pages.human.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.pages.human.line import Line

__all__ = ["Page", "Room"]

#: How long a page may be away, as when it is loaded again, before the seat is left.
GRACE_SECONDS: Final = 8.0
#: A page shows a game and the end of the one before.
_KEPT: Final = 2


class Page:
    """A page that is open; `news` says that there is something to tell it."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.news.set()
        #: Whether another page has the seat now.
        self.is_displaced = False


class Room:
    """Where a person sits.

    Args:
        games: How many games are to be played.
        disconnect_seconds: How long the referee keeps the seat of who has left.
        grace_seconds: How long a page may be away before its seat is left.
    """

    def __init__(
        self, games: int, disconnect_seconds: float, *, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self.present = asyncio.Event()
        self.absent = asyncio.Event()
        self.absent.set()
        #: Set when the first page has come; for another thread.
        self.has_begun = threading.Event()
        self._games = games
        self._disconnect_seconds = disconnect_seconds
        self._grace_seconds = grace_seconds
        self._page: Page | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self._sittings: list[Sitting] = []
        self._lines: dict[int, Line] = {}
        self._seen = 0
        self._closing: Mapping[str, object] | None = None
        self._quiet = asyncio.Event()

    # Pages.

    def enter(self) -> Page:
        """A page has come; one that was there loses the seat to it."""
        if self._page is not None:
            self._page.is_displaced = True
            self._page.news.set()
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None
        self._page = page = Page()
        self.absent.clear()
        self.present.set()
        self.has_begun.set()
        return page

    def leave(self, page: Page) -> None:
        """A page has gone; if no other one comes soon, the seat is left."""
        if page is not self._page:
            return
        self._page = None
        loop = asyncio.get_running_loop()
        self._leaving = loop.call_later(self._grace_seconds, self._go)

    def _go(self) -> None:
        self._leaving = None
        self.present.clear()
        self.absent.set()

    @property
    def is_closed(self) -> bool:
        """Whether all is over."""
        return self._closing is not None

    async def is_quiet(self) -> None:
        """Wait until there is no stream to the referee."""
        while any(line.is_open for line in self._lines.values()):
            self._quiet.clear()
            await self._quiet.wait()

    def state(self) -> dict[str, object]:
        """All that a page shows, as JSON."""
        return {
            "games": self._games,
            "patience": {"grace": self._grace_seconds, "disconnect": self._disconnect_seconds},
            "sittings": [one.state() for one in self._sittings],
            "isConnected": any(line.is_open for line in self._lines.values()),
            "closing": self._closing,
        }

    async def choose(self, table: int, turn: int, text: str) -> None:
        """Send what the person chose.

        Raises:
            NoChoice: It cannot be done now.
        """
        sitting, line = self._sitting(table), self._lines.get(table)
        if sitting is None or line is None:
            raise NoChoice("this game is not being played any more")
        action = sitting.choose(turn, text)
        if not line.is_open:
            raise NoChoice("the connection to the referee is lost; it is dialled again")
        sitting.answered(action)
        try:
            await line.answer(table, turn, action)
        except ConnectionError as error:
            raise NoChoice(f"{error}; it is dialled again") from None
        self._tell()

    # What the line says.

    def seated(
        self, line: Line, table: int, game: str, variant: Any, seat: int, names: Sequence[str]
    ) -> None:
        """Take a seat, for the first time or again."""
        self._lines[table] = line
        if self._sitting(table) is None:
            self._seen += 1
            # One that was broken off by a fault of the referee's is played again, and its end is not told.
            kept = [one for one in self._sittings if one.is_over]
            self._seen -= len(self._sittings) - len(kept)
            sitting = Sitting(table, game, variant, seat, names, number=self._seen)
            self._sittings = [*kept, sitting][-_KEPT:]
        self._tell()

    def asked(self, table: int, turn: int, view: Any) -> None:
        """Show a question."""
        if (sitting := self._sitting(table)) is not None:
            sitting.asked(turn, view)
        self._tell()

    def faulted(self, table: int, turn: int, cause: str, message: str) -> None:
        """Show that the house has decided."""
        if (sitting := self._sitting(table)) is not None:
            sitting.faulted(turn, cause, message)
        self._tell()

    def deal_ended(self, table: int, summary: Any) -> None:
        """Show the end of a deal."""
        if (sitting := self._sitting(table)) is not None:
            sitting.deal_ended(summary)
        self._tell()

    def closed(self, table: int, scores: Sequence[int], faults: int) -> None:
        """Show the end of a game."""
        if (sitting := self._sitting(table)) is not None:
            sitting.closed(scores, faults)
        self._tell()

    def lost(self, line: Line) -> None:
        """Nothing can be answered until there is a stream again."""
        for sitting in self._sittings:
            if self._lines.get(sitting.table) is line:
                sitting.lost()
        self._quiet.set()
        self._tell()

    def refused(self, message: str) -> None:
        """The referee will not have us: all is over."""
        self.close({"why": "refused", "message": message, "commands": []})

    def close(self, closing: Mapping[str, object]) -> None:
        """Tell the page that nothing more is played, and why.

        Args:
            closing: ``why`` (``over``, ``interrupted``, ``broken``, ``refused``), ``message`` and ``commands``.
        """
        if self._closing is None:
            self._closing = closing
        self._tell()

    def _sitting(self, table: int) -> Sitting | None:
        return next((one for one in self._sittings if one.table == table), None)

    def _tell(self) -> None:
        if self._page is not None:
            self._page.news.set()
