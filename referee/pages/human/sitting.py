"""One game as the person at the table sees it: the last view, what has ended, and what they make for the page.

Owns what is kept of a game: the last view, the summaries of the deals that ended, the faults, the final scores. Knows
no stream and no page. What it shows follows from these alone, so that a page that is loaded again has lost nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from cardtable.catalog import game as game_of
from referee.pages.human import trix, vytrix
from referee.pages.human.choices import NoChoice, chosen, offer
from referee.pages.human.deals import missed_deal, with_action

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.pages.human.deals import Deal

__all__ = ["Sitting", "places"]


class Sitting:
    """One game at one table.

    Args:
        table: Its number.
        game: Name of the game.
        variant: What is played.
        seat: The person's.
        names: Of all seats; none where they are not shown.
        number: Which game of the evening it is, from 1.
        clock: In seconds.
    """

    def __init__(
        self,
        table: int,
        game: str,
        variant: Any,
        seat: int,
        names: Sequence[str] = (),
        *,
        number: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self.seat = seat
        self._game = game_of(game)
        self._variant = variant
        self._names = list(names)
        self._number = number
        self._clock = clock
        self._groups = self._game.groups(variant)
        self._ended: list[Deal] = []
        self._repeated = False
        self._faults: list[dict[str, object]] = []
        self._final: dict[str, object] | None = None
        self._view: Any = None
        self._turn: int | None = None
        self._until: float | None = None
        #: What was sent, while no view shows it.
        self._answered: object = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._final is not None

    # What the referee says.

    def asked(self, turn: int, view: Any) -> None:
        """A question; the same one again where the connection was lost."""
        self._turn, self._view, self._answered = turn, view, None
        left = view.clock.move_ms
        self._until = None if left is None else self._clock() + left / 1000

    def deal_ended(self, summary: Any) -> None:
        """A deal has ended."""
        if summary.game == "trix":
            deal = trix.deal_of_summary(
                summary, self._variant, self.seat, self._view, repeated=self._repeated
            )
            self._repeated = trix.repeats(summary)
        else:
            deal = vytrix.deal_of_summary(summary, self._variant, self.seat, self._view)
        self._note_missed(deal["before"])
        self._ended.append(deal)
        self._view = self._turn = self._answered = None

    def faulted(self, turn: int, cause: str, message: str) -> None:
        """The house has decided for the person."""
        self._faults.append({"turn": turn, "cause": cause, "message": message})
        if turn == self._turn:
            self._turn = None

    def closed(self, scores: Sequence[int], faults: int) -> None:
        """The game is over, or was broken off, without scores."""
        if scores:
            self._note_missed(scores)
        self._turn = self._view = None
        self._final = {
            "scores": list(scores),
            "places": places(scores, self._groups),
            "faults": faults,
        }

    def lost(self) -> None:
        """The stream has ended: the question is asked again when there is another one."""
        self._turn = None

    # What the person says.

    def choose(self, turn: int, text: str) -> Any:
        """The action of a text, for the question that is open.

        Raises:
            NoChoice: Another question is open or none, or it is not legal.
        """
        if turn != self._turn:
            raise NoChoice("this question is not open any more")
        return chosen(self._view, text)

    def answered(self, action: object) -> None:
        """The action is on its way."""
        self._answered, self._turn = action, None

    # What the page is told.

    def state(self) -> dict[str, object]:
        """All of it, as JSON."""
        view = self._view
        deals = list(self._ended)
        if view is not None:
            deal = self._deal(view)
            deals += [*self._missed(deal["before"]), deal]
        ask = clock = None
        if view is not None and self._turn is not None:
            ask = {"turn": self._turn, **offer(view)}
            if self._until is not None:
                clock = max(0, round((self._until - self._clock()) * 1000))
        return {
            "table": self.table,
            "number": self._number,
            "kind": self._game.name,
            "title": self._game.title_of(self._variant),
            "players": self._variant.players,
            "groups": [list(group) for group in self._groups],
            "seat": self.seat,
            "names": self._names,
            "scorers": len(self._scores(deals)),
            "deals": deals,
            "ask": ask,
            "clockMs": clock,
            "faults": self._faults,
            "final": self._final,
        }

    def _deal(self, view: Any) -> Deal:
        deal = (
            trix.deal_of_view(view, repeated=self._repeated)
            if view.game == "trix"
            else vytrix.deal_of_view(view)
        )
        return deal if self._answered is None else with_action(deal, self.seat, self._answered)

    def _scores(self, deals: Sequence[Deal]) -> Sequence[int]:
        if deals:
            return deals[-1]["after"]
        final: Any = self._final
        return (final and final["scores"]) or [0] * self._variant.players

    def _note_missed(self, before: Sequence[int]) -> None:
        """Keep the sheet whole where deals ended while nobody was there."""
        self._ended += self._missed(before)

    def _missed(self, before: Sequence[int]) -> list[Deal]:
        last = self._ended[-1]["after"] if self._ended else [0] * len(before)
        return [missed_deal(last, before)] if list(before) != last else []


def places(scores: Sequence[int], groups: Sequence[Sequence[int]]) -> list[int]:
    """For each seat its place, from 1; seats that score together share it, and so do those with equal scores.

    Args:
        scores: One a seat, or one a group; none for a game that was broken off.
        groups: The seats that score together.
    """
    if not scores:
        return []
    one_each = len(scores) == len(groups)
    sums = [
        scores[number] if one_each else sum(scores[seat] for seat in group)
        for number, group in enumerate(groups)
    ]
    of_seat = {
        seat: 1 + sum(other > own for other in sums)
        for own, group in zip(sums, groups, strict=True)
        for seat in group
    }
    return [of_seat[seat] for seat in sorted(of_seat)]
