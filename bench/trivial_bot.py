"""A bot that costs next to nothing: the first legal action of whatever it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable import Bot, run

if TYPE_CHECKING:
    from cardtable.trix import TrixAction, TrixView
    from cardtable.vytrix import Action as VytrixAction, VytrixView


class TrivialBot(Bot):
    """Plays the first legal action."""

    def trix(self, view: TrixView) -> TrixAction:
        """Return the first legal action."""
        return next(iter(view.legal_actions))

    def vytrix(self, view: VytrixView) -> VytrixAction:
        """Pass when it may, else the first legal action."""
        return next(iter(view.legal_actions))


if __name__ == "__main__":
    run(TrivialBot)
