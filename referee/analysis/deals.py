"""From a stored game to the facts of its deals, and which of them the house had a hand in.

Owns the replay of a record for its analysis. Knows no game: what a deal tells is its game's `analysis`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardtable.replay import replay
from referee.errors import RefereeError

if TYPE_CHECKING:
    from cardtable.engine import Deal, State
    from cardtable.figures import Facts, Scheme
    from cardtable.record import GameRecord

__all__ = ["FinishedDeal", "finished_deals"]


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A deal that counts; a void one is none.

    Args:
        number: Its number in the game, void ones counted.
        key: Names its cards: all seatings of a board have the same cards for the same key.
        facts: By seat.
        house: Seats for which the house decided something in it, or has taken over before.
    """

    number: int
    key: str
    facts: tuple[Facts, ...]
    house: frozenset[int]


def finished_deals(name: str, record: GameRecord, scheme: Scheme) -> list[FinishedDeal]:
    """All deals of a game that count.

    Args:
        name: Of the game, for errors.
        record: The game.
        scheme: What its deals tell.

    Raises:
        RefereeError: The rules do not lead to the end of the record.
    """
    watcher = _Watcher(scheme, _house(record))
    verdict = replay(record, watcher)
    if verdict.error is not None:
        raise RefereeError(f"{name} cannot be analysed, its record does not replay: {verdict.error}")
    return watcher.deals


def _house(record: GameRecord) -> list[frozenset[int]]:
    """For each deal of a record the seats for which the house decided.

    Where a seat forfeits the house plays on from that fault, its last one; what it then plays is no fault any more.
    """
    seats: list[set[int]] = [set() for _ in record.deals]
    for fault in record.faults:
        if fault.deal < len(seats):
            seats[fault.deal].add(fault.seat)
    for seat in record.forfeits:
        first = max((fault.deal for fault in record.faults if fault.seat == seat), default=0)
        for later in seats[first:]:
            later.add(seat)
    return [frozenset(one) for one in seats]


class _Watcher:
    """Takes down the facts of each deal as it ends."""

    def __init__(self, scheme: Scheme, house: list[frozenset[int]]) -> None:
        self._scheme = scheme
        self._house = house
        self._number = -1
        self._key = ""
        self._deal: Deal | None = None
        self.deals: list[FinishedDeal] = []

    def dealt(self, number: int, deal: Deal, state: State[Any, Any]) -> None:
        """Remember which deal it is."""
        self._number, self._key, self._deal = number, state.deal_key, deal

    def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:  # noqa: ARG002 - as replay calls it
        """Take down a deal that has ended with this action."""
        if state.to_act is None and self._deal is not None:
            facts = self._scheme.facts(self._deal.hands, state.summary())
            if facts:
                self.deals.append(FinishedDeal(self._number, self._key, facts, self._house[self._number]))
