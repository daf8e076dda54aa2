"""One stored game under the glass: what its record says beyond the scores, and whether it can have come about so.

Owns the watching of a replay: whether the cards are those of a seed, whom the referee asked, and whether the house
played where a fault says that it did. Reads no store, and knows no rule but through the game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer
from cardtable.replay import replay

if TYPE_CHECKING:
    from cardtable.engine import Deal, State
    from cardtable.record import GameRecord, RecordedFault
    from cardtable.replay import Replayed

__all__ = ["Inspection", "inspect_game", "why_wrong"]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a game's record gives.

    Args:
        replayed: The verdict of the rules.
        deals: How many deals were dealt, void ones too.
        foreign: Those whose cards do not follow from the seed, counted from 0.
        decisions: Questions that each seat must have been asked.
        doubts: What cannot have come about, one line each; only of a game that holds by the rules.
    """

    replayed: Replayed
    deals: int
    foreign: tuple[int, ...]
    decisions: tuple[int, ...]
    doubts: tuple[str, ...]


def inspect_game(
    record: GameRecord, seed: bytes | None, *, ask_forced: bool = False, forfeit_after: int | None = None
) -> Inspection:
    """Replay a game and watch it.

    Args:
        record: The game; nothing of it is trusted.
        seed: The board's seed, from which all cards must follow; None leaves the cards alone.
        ask_forced: Whether a decision with one legal action was asked.
        forfeit_after: Faults at which a seat forfeits the game; None where that is not known.
    """
    witness = _Witness(record, seed, ask_forced=ask_forced)
    replayed = replay(record, witness)
    doubts = []
    if replayed.ok:
        doubts = [*witness.doubts, *_untold(witness.faults), *_forfeits(record, forfeit_after)]
    return Inspection(
        replayed, witness.deals, tuple(witness.foreign), tuple(witness.decisions), tuple(doubts)
    )


def why_wrong(replayed: Replayed) -> str:
    """The first fault of a record for people: where, what, the rule by its number, and what is legal there."""
    error = replayed.error
    if error is None:
        return ""
    # What is no matter of the rules bears no number of theirs.
    text = str(error).removesuffix(" (rule format)")
    return f"{text}; legal there: {' '.join(replayed.legal)}" if replayed.legal else text


class _Witness:
    """Is shown a replay, and looks at each decision before it is made."""

    def __init__(self, record: GameRecord, seed: bytes | None, *, ask_forced: bool) -> None:
        self.deals = 0
        self.foreign: list[int] = []
        self.decisions = [0] * len(record.seats)
        self.doubts: list[str] = []
        #: Faults whose decision has not come yet.
        self.faults: dict[tuple[int, int], RecordedFault] = {}
        for fault in record.faults:
            if self.faults.setdefault((fault.deal, fault.action), fault) is not fault:
                self.doubts.append(f"{_place(fault)} has two faults")
        self._name = record.game
        self._seed = seed
        self._dealer: Dealer | None = None
        self._ask_forced = ask_forced
        self._forfeits = set(record.forfeits)
        #: Faults of each seat that are still to come; a seat that forfeits does so at its last one.
        self._left = Counter(fault.seat for fault in record.faults)
        self._gone: set[int] = set()
        self._at = (0, 0)
        self._house: Any = None

    def dealt(self, number: int, deal: Deal, state: State[Any, Any]) -> None:
        """Cards are on the table."""
        self.deals += 1
        if self._seed is not None:
            if self._dealer is None:
                self._dealer = Dealer(self._seed, GAMES[self._name].hand_sizes(state.variant))
            if self._dealer.deal(state.deal_key) != deal:
                self.foreign.append(number)
        self._at = (number, 0)
        self._look(state)

    def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:
        """A seat has acted; the state is the one after it."""
        deal, action = self._at
        if self._house is not None and GAMES[self._name].parse_action(text) != self._house:
            self.doubts.append(
                f"deal {deal}, action {action}: seat {seat} was at fault or had forfeited,"
                f" and the house plays {self._house} there, not {text}"
            )
        self._at = (deal, action + 1)
        self._look(state)

    def _look(self, state: State[Any, Any]) -> None:
        """Note who is asked next, and what the house must play there."""
        self._house = None
        seat = state.to_act
        if seat is None:
            return
        fault = self.faults.pop(self._at, None)
        asked = seat not in self._gone and (self._ask_forced or len(state.legal_actions()) > 1)
        self.decisions[seat] += asked
        if fault is not None:
            self._left[fault.seat] -= 1
            if fault.seat != seat or not asked:
                self.doubts.append(f"{_place(fault)}: seat {fault.seat} was not asked there")
            elif fault.turn != self.decisions[seat]:
                self.doubts.append(f"{_place(fault)} is turn {self.decisions[seat]}, not {fault.turn}")
        if seat in self._gone or (fault is not None and fault.seat == seat):
            self._house = GAMES[self._name].house_action(state.view(seat))
        if fault is not None and fault.seat in self._forfeits and not self._left[fault.seat]:
            self._gone.add(fault.seat)


def _place(fault: RecordedFault) -> str:
    return f"the fault at deal {fault.deal}, action {fault.action}"


def _untold(faults: dict[tuple[int, int], RecordedFault]) -> list[str]:
    return [f"{_place(fault)}: there is no such decision" for fault in faults.values()]


def _forfeits(record: GameRecord, forfeit_after: int | None) -> list[str]:
    """What does not fit between faults and forfeits."""
    faults = Counter(fault.seat for fault in record.faults)
    doubts = [
        f"seat {seat} has forfeited without a fault" for seat in record.forfeits if not faults.get(seat)
    ]
    if forfeit_after is not None:
        doubts += [
            f"seat {seat} has {count} faults and has not forfeited, as it does after {forfeit_after}"
            for seat, count in sorted(faults.items())
            if count >= forfeit_after and seat not in record.forfeits
        ]
        doubts += [
            f"seat {seat} has {count} faults, and is not asked any more after {forfeit_after}"
            for seat, count in sorted(faults.items())
            if count > forfeit_after
        ]
    return doubts
