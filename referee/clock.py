"""How long a bot has thought, and how long it may: the arithmetic of clocks, with times handed in.

A bot is charged for the time in which it owes at least one answer, shared equally among the answers that come in
one message. Time in which the referee itself was held up is charged to nobody and added to every limit. Reads no
clock of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.blocks import Limits

__all__ = ["Heartbeat", "ThinkingClock", "game_left", "move_limit"]


class Heartbeat:
    """Measures how far the referee is behind its own schedule.

    Args:
        interval_seconds: The loop promises to beat so often.
    """

    __slots__ = ("_interval", "_last")

    def __init__(self, interval_seconds: float) -> None:
        self._interval = interval_seconds
        self._last: float | None = None

    def beat(self, now: float, *, scheduled: bool) -> float:
        """Seconds by which the loop is late since the last beat, each told once.

        Args:
            now: The monotonic clock, seconds.
            scheduled: Whether this is the promised beat; else it only looks, before some other event is judged.
        """
        if self._last is None:
            self._last = now
            return 0.0
        late = now - self._last - self._interval
        if late > 0 or scheduled:
            self._last = now
        return max(0.0, late)


class ThinkingClock:
    """Charges one process: runs while it owes an answer.

    All times are seconds of one monotonic clock.
    """

    __slots__ = ("_held_up", "_since")

    def __init__(self) -> None:
        self._since: float | None = None
        self._held_up = 0.0

    @property
    def runs(self) -> bool:
        """Whether the process owes an answer."""
        return self._since is not None

    def sent(self, now: float) -> None:
        """A question has been sent; the clock starts unless it runs."""
        if self._since is None:
            self._since, self._held_up = now, 0.0

    def answered(self, now: float, *, owes: bool) -> float:
        """Answers have arrived in one message: the seconds to be shared among them.

        Args:
            now: When they arrived.
            owes: Whether the process still owes others.
        """
        seconds = self.silent(now)
        self._since, self._held_up = (now if owes else None), 0.0
        return seconds

    def silent(self, now: float) -> float:
        """Seconds since the clock started or the last answer came, without those in which we were held up."""
        return 0.0 if self._since is None else max(0.0, now - self._since - self._held_up)

    def hold_up(self, seconds: float) -> None:
        """The referee was late by so much; nobody pays for it."""
        if self._since is not None:
            self._held_up += seconds

    def stop(self) -> None:
        """The process is gone and owes nothing."""
        self._since = None


def game_left(limits: Limits, charged_seconds: float) -> float | None:
    """What is left of a game's bank, in seconds; None where there is none."""
    return None if limits.game_seconds is None else max(0.0, limits.game_seconds - charged_seconds)


def move_limit(limits: Limits, left_seconds: float | None, *, first: bool) -> float:
    """Seconds of silence after which a decision is at fault, the forgiven margin included.

    Args:
        limits: Of the competition.
        left_seconds: What is left of the game's bank, None without one.
        first: Whether the process has not answered anything yet; its warm-up is no matter of the bank.
    """
    seconds = limits.move_ms / 1000
    if first:
        seconds = max(seconds, limits.first_move_seconds)
    elif left_seconds is not None:
        seconds = min(seconds, left_seconds)
    return seconds + limits.margin_ms / 1000
