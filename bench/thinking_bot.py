"""A bot that takes 20 ms of a core for each decision, and then does what the trivial bot does; it leaves a trace without messages."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bench.traced_bot import play_and_tell
from bench.trivial_bot import TrivialBot

if TYPE_CHECKING:
    from cardtable.trix import TrixAction, TrixView
    from cardtable.vytrix import Action as VytrixAction, VytrixView

#: Seconds of CPU for each decision.
THOUGHT = 0.02


def _think() -> None:
    until = time.thread_time() + THOUGHT
    while time.thread_time() < until:
        pass


class ThinkingBot(TrivialBot):
    """Thinks, and plays the first legal action."""

    def trix(self, view: TrixView) -> TrixAction:
        """Return the first legal action, after a while."""
        _think()
        return super().trix(view)

    def vytrix(self, view: VytrixView) -> VytrixAction:
        """Pass when it may, else the first legal action, after a while."""
        _think()
        return super().vytrix(view)


if __name__ == "__main__":
    play_and_tell(ThinkingBot)
