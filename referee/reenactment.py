"""A stored game up to one decision: the question that a seat was asked there, as it was asked.

Follows a record with the table's own rules of who is asked what and which turn it is, so that the view and the turn
are those of the day. Asks nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardtable.catalog import game as game_of
from cardtable.engine import MalformedAction
from cardtable.record import FaultCause
from referee.blocks import GameOrder
from referee.errors import RefereeError
from referee.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardtable.record import GameRecord, RecordedFault
    from referee.table import Question

__all__ = ["Decision", "decision_at", "decisions"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a stored game.

    Args:
        seat, turn: Whose, and the number on the wire.
        view: What the seat was shown.
        deal, action: Its place on the record, counted from 0.
        made: The action on record, which is the house's where there was a fault.
        fault: The fault there; None where the seat has decided itself.
    """

    seat: int
    turn: int
    view: Any
    deal: int
    action: int
    made: str
    fault: RecordedFault | None


def decisions(record: GameRecord, *, forfeit_after: int, ask_forced: bool) -> Iterator[Decision]:
    """All that the seats were asked, in order.

    Args:
        record: A finished game with its seed.
        forfeit_after: As the tournament had it.
        ask_forced: As the competition had it.

    Raises:
        RefereeError: The record does not follow from its seed by the rules.
    """
    if record.seed is None:
        raise RefereeError("a record without its seed cannot be followed")
    game = game_of(record.game)
    order = GameOrder(0, 0, record.seats, record.seed)
    table = Table(0, order, game, record.variant, forfeit_after=forfeit_after, ask_forced=ask_forced)
    faults = {(fault.deal, fault.action): fault for fault in record.faults}
    table.start()
    while (question := table.question) is not None:
        deal, place = table.place
        try:
            made = record.deals[deal].actions[place]
        except IndexError:
            raise RefereeError(f"the record ends in deal {deal}, before action {place}") from None
        fault = faults.get((deal, place))
        yield Decision(question.seat, question.turn, question.view, deal, place, made, fault)
        _go_on(table, question, made, fault, game.parse_action)


def _go_on(table: Table, question: Question, made: str, fault: RecordedFault | None, parse: Any) -> None:
    if fault is None:
        try:
            action = parse(made)
        except MalformedAction as malformed:
            raise RefereeError(f"{made!r} on the record: {malformed.message}") from None
        if table.answer(action) is not None:
            raise RefereeError(f"{made}, turn {question.turn} of seat {question.seat}, is illegal there")
        return
    # A bot that cannot be brought back is not asked again.
    table.fault(fault.cause, fault.message, forfeit=fault.cause is FaultCause.START)


def decision_at(
    record: GameRecord, seat: int | None, turn: int, *, forfeit_after: int, ask_forced: bool
) -> Decision:
    """The decision of a turn.

    Args:
        record: A finished game with its seed.
        seat: Whose turn; None: of the seat that was at fault at a turn of this number.
        turn: The number that `tourney faults` and comments show.
        forfeit_after: As the tournament had it.
        ask_forced: As the competition had it.

    Raises:
        RefereeError: There is no such decision, or more than one.
    """
    found, turns = [], [0] * len(record.seats)
    for one in decisions(record, forfeit_after=forfeit_after, ask_forced=ask_forced):
        turns[one.seat] = one.turn
        if one.turn == turn and (one.seat == seat or (seat is None and one.fault is not None)):
            found.append(one)
    if len(found) == 1:
        return found[0]
    if found:
        seats = ", ".join(f"{one.seat} ({record.seats[one.seat]})" for one in found)
        raise RefereeError(f"several seats were at fault at a turn {turn}: {seats}; choose one with --seat")
    if seat is None:
        places = ", ".join(f"{fault.turn} of seat {fault.seat}" for fault in record.faults)
        hint = f"the faults are at turn {places}" if places else "the game has no fault"
        raise RefereeError(f"no seat was at fault at turn {turn}: {hint}; any turn can be named with --seat")
    raise RefereeError(f"seat {seat} ({record.seats[seat]}) was asked {turns[seat]} times, not {turn}")
