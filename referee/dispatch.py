"""Which seat's message goes next: few bots at a time, the one with most to answer first.

A message costs far more than a question in it. So while some bots are busy, the questions for the others gather, and
a bot that becomes idle makes room for the seat that by then has the most. A bot that has been silent for a moment is
thinking, not queueing, and holds up nobody. Owns that choice; what a message holds is the seat's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BUSY", "PATIENCE_SECONDS", "Dispatcher", "Sender"]

#: Bots that are kept busy at the same time: one works while the answers of another are judged.
BUSY = 2
#: How long a busy bot holds up others, and how long notices wait for a question that they can go with.
PATIENCE_SECONDS = 0.005


class Sender(Protocol):
    """A seat, as far as the order of sending goes."""

    @property
    def questions(self) -> int:
        """How many questions the next message would hold."""

    def send(self) -> None:
        """Send what is pending; the dispatcher is told by `Dispatcher.rests` when nothing is owed any more."""


class Dispatcher:
    """Lets the seats of one worker send.

    Args:
        now: The monotonic clock, seconds.
        soon: Calls a function when all that has arrived is dealt with, as `loop.call_soon`.
        later: Calls a function after so many seconds, as `loop.call_later`.
    """

    __slots__ = ("_busy", "_later", "_now", "_soon", "_timed", "_waking", "_wanting")

    def __init__(
        self,
        now: Callable[[], float],
        soon: Callable[[Callable[[], None]], object],
        later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self._now = now
        self._soon = soon
        self._later = later
        #: Seats with something to send, and since when.
        self._wanting: dict[Sender, float] = {}
        #: Seats whose bot owes answers, and when it was last sent something.
        self._busy: dict[Sender, float] = {}
        self._waking = self._timed = False

    def wants(self, seat: Sender) -> None:
        """The seat has something to send."""
        if seat not in self._wanting:
            self._wanting[seat] = self._now()
        self._wake()

    def taken(self, seat: Sender, *, owes: bool) -> None:
        """All that the seat had is on its way; its bot owes answers, or does not."""
        self._wanting.pop(seat, None)
        if not owes:
            self.rests(seat)

    def rests(self, seat: Sender) -> None:
        """The seat's bot owes nothing."""
        if self._busy.pop(seat, None) is not None and self._wanting:
            self._wake()

    def forget(self, seat: Sender) -> None:
        """The seat has no stream any more."""
        self.taken(seat, owes=False)

    def _wake(self) -> None:
        if not self._waking:
            self._waking = True
            self._soon(self._send)

    def _send(self) -> None:
        self._waking = False
        now = self._now()
        working = {seat: since for seat, since in self._busy.items() if now - since < PATIENCE_SECONDS}
        room = BUSY - len(working)
        ready = [seat for seat in self._wanting if seat not in working]
        for seat in sorted(ready, key=lambda one: one.questions, reverse=True):
            if seat.questions and room > 0:
                room -= 1
                self._busy[seat] = working[seat] = now
            elif seat.questions or now - self._wanting[seat] < PATIENCE_SECONDS:
                continue
            del self._wanting[seat]
            seat.send()
        if self._wanting and not self._timed:
            self._timed = True
            notices = [since for seat, since in self._wanting.items() if not seat.questions]
            first = min([*working.values(), *notices], default=now)
            self._later(max(0.0, first + PATIENCE_SECONDS - now), self._time_is_up)

    def _time_is_up(self) -> None:
        self._timed = False
        if self._wanting:
            self._wake()
