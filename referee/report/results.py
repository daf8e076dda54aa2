"""Results as objects, for programs: what `tourney ratings --json` and `tourney games --json` print.

Owns which tables belong together, and their names. Prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.report.rulings import about_game, ruling_json
from referee.report.tables import ratings_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from referee.joining import Results, Ruled
    from referee.standings import Standings
    from referee.stored import StoredGame

__all__ = ["Views", "game_json", "results_json"]


@dataclass(frozen=True, slots=True)
class Views:
    """A table, and what it would be without some of its boards; None where that is the same.

    Args:
        whole: The table.
        clean: Without the boards that had a fault.
        staying: Without the boards of those that left.
    """

    whole: Standings
    clean: Standings | None
    staying: Standings | None

    @classmethod
    def of(cls, table: Callable[..., Standings], results: Results, whole: Standings | None = None) -> Views:
        """Make them.

        Args:
            table: Makes the table; takes `faulted` and `departed`, as `referee.standings.standings` does.
            results: What it is made of.
            whole: The whole table, where it is made already.
        """
        whole = table() if whole is None else whole
        left = {one.entrant for one in results.left}
        return cls(
            whole,
            table(faulted=False) if whole.faulted else None,
            table(departed=False) if left & set(whole.names) else None,
        )

    def to_json(self) -> dict[str, object]:
        """The table as an object, and the others in it."""
        return {
            **ratings_json(self.whole),
            "without_faults": None if self.clean is None else ratings_json(self.clean),
            "without_departed": None if self.staying is None else ratings_json(self.staying),
        }


def results_json(
    results: Results, competitions: Mapping[str, object], together: object | None
) -> dict[str, object]:
    """All tables as one object.

    Args:
        results: What they are made of.
        competitions: The table of each competition that is told.
        together: That of all competitions, where there is one.
    """
    several = len(results.sources) > 1
    return {
        "competitions": dict(competitions),
        "overall": together,
        "joined": {
            "tournaments": [{"name": one.name, "commitment": one.commitment} for one in results.sources],
            "notes": list(results.notes),
        }
        if several
        else None,
        "rulings": [ruling_json(one) for one in results.rulings if one.concerns(list(competitions))],
    }


def game_json(game: StoredGame, rulings: Iterable[Ruled]) -> dict[str, object]:
    """One finished game as an object, with the rulings that are about it."""
    return {
        "game": game.name,
        "seats": game.seats,
        "scores": game.scores,
        "forfeits": game.forfeits,
        "faults": game.faults,
        "charged_ms": game.charged_ms,
        "decisions": game.decisions,
        "rulings": [ruling_json(each) for each in about_game(game, rulings)],
    }
