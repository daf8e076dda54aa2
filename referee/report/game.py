"""A game, deal by deal, as text for a reader.

It shows what the rules made of the record; a card a column, a turn of the table a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardtable.catalog import game as game_of
from cardtable.replay import Replayed, replay

if TYPE_CHECKING:
    from cardtable.engine import Deal, State
    from cardtable.record import GameRecord

__all__ = ["game_text"]


def game_text(record: GameRecord) -> str:
    """The whole record, readable: cards, every action with its seat, scores after each deal, faults."""
    writer = _Writer(record)
    verdict = replay(record, writer)
    writer.finish(verdict)
    return "\n".join(writer.lines)


class _Writer:
    """Turns what it observes into lines."""

    def __init__(self, record: GameRecord) -> None:
        self._record = record
        game = game_of(record.game)
        self._width = max(len(name) for name in record.seats)
        self._row: list[tuple[int, str]] = []
        self._before: tuple[int, ...] | None = None
        self._deal = -1
        self._action = 0
        self.lines = [game.title_of(game.variant(record.variant))]
        self.lines += [f"  seat {seat}  {name}" for seat, name in enumerate(record.seats)]

    def dealt(self, number: int, deal: Deal, state: State[Any, Any]) -> None:
        """Begin a deal: whose cards are which."""
        self._deal, self._action = number, 0
        self._before = tuple(state.scores)
        self.lines += ["", f"Deal {number}"]
        self.lines += [f"  {self._name(seat)}  {hand}" for seat, hand in enumerate(deal.hands)]
        if deal.kitty:
            self.lines.append(f"  {'kitty':<{self._width}}  {deal.kitty}")

    def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:
        """Take in one action; words stand on lines of their own, cards in rows of a turn of the table."""
        place = (self._deal, self._action)
        marked = text + "".join(
            f"  [{fault.cause}: played by the house]"
            for fault in self._record.faults
            if (fault.deal, fault.action) == place
        )
        comments = [c.text for c in self._record.comments if (c.deal, c.action) == place]
        if ":" in text or text in {"redeal", "keep"} or marked != text or comments:
            self._flush()
            said = "".join(f"  “{comment}”" for comment in comments)
            self.lines.append(f"    {self._name(seat)}  {marked}{said}")
        else:
            self._row.append((seat, text))
            if len(self._row) == len(self._record.seats):
                self._flush()
        self._action += 1
        if state.to_act is None:
            self._flush()
            self.lines.append("  " + self._result(state))

    def finish(self, verdict: Replayed) -> None:
        """Add the end: final scores, or where and why the record stops."""
        self._flush()
        self.lines.append("")
        if verdict.error is not None:
            self.lines.append(f"The record breaks off: {verdict.error}")
        elif verdict.state is not None:
            word = "Final scores" if verdict.state.is_over else "Scores so far"
            self.lines.append(f"{word}: {self._scores(tuple(verdict.state.scores))}")
        self.lines += [f"Forfeited by {self._record.seats[seat]}" for seat in self._record.forfeits]

    def _result(self, state: State[Any, Any]) -> str:
        if state.ended_void:
            return f"void (rule {state.ended_by})"
        before = self._before or tuple(0 for _ in state.scores)
        won = tuple(after - earlier for earlier, after in zip(before, state.scores, strict=True))
        return f"points {self._scores(won, sign=True)}   scores {self._scores(tuple(state.scores))}"

    def _scores(self, scores: tuple[int, ...], *, sign: bool = False) -> str:
        return " ".join(f"{score:+d}" if sign else str(score) for score in scores)

    def _name(self, seat: int) -> str:
        return f"{self._record.seats[seat]:<{self._width}}"

    def _flush(self) -> None:
        if self._row:
            first = self._row[0][0]
            cells = "  ".join(f"{seat}:{text}" for seat, text in self._row)
            self.lines.append(f"    {self._name(first)}  {cells}")
            self._row = []
