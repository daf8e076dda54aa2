"""What was played against the plan that follows from the tournament's identity.

Owns the walk through the plan, round by round. An adaptive plan is made again from the boards of the rounds before,
so that each round can be seen to follow from what was known when it began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from referee.audit.checks import Finding
from referee.course import stages
from referee.schedule import BoardPlan, ScheduleError, certificate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from referee.boards import Board, ScoredBy
    from referee.course import Stage
    from referee.schedule import Certificate, Plan
    from referee.sequential import StopRule
    from referee.stored import StoredGame

__all__ = ["PlayedSchedule", "compare"]

#: See `compare`.
Known: TypeAlias = "Callable[[int], tuple[Sequence[Board], Collection[str]]]"

#: By seating, the entrants by seat.
_Seats = dict[int, tuple[str, ...]]


@dataclass
class PlayedSchedule:
    """How what was played stands to the plan.

    Args:
        findings: What is there and should not be, and what should be there.
        unfinished: Boards that were planned and are not there, or not with all their seatings.
        notes: What could not be compared.
        certificate: Of the complete boards; None without any.
    """

    findings: list[Finding] = field(default_factory=list)
    unfinished: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    certificate: Certificate | None = None


def compare(
    name: str,
    plan: Plan,
    games: Iterable[StoredGame],
    known: Known,
    left_before: Callable[[int], Collection[str]],
    *,
    hero: str | None = None,
    stop: StopRule | None = None,
    scored_by: ScoredBy = "points",
) -> PlayedSchedule:
    """Hold the games of a competition against its plan.

    Args:
        name: The competition.
        plan: Made from the identity.
        games: All stored games of the competition.
        known: Gives for the first board of a stage what it was decided from: the complete boards before it that
            counted then, and who had left. Is asked only where stages depend on results.
        left_before: Who may have left the tournament before this board; boards with them need not be there.
        hero: Whom a gauntlet is about.
        stop: The rule that may have ended it before its plan.
        scored_by: What is ranked.
    """
    seats: dict[int, _Seats] = {}
    for game in games:
        seats.setdefault(game.board, {})[game.seating] = game.seats
    result = PlayedSchedule()
    last = plan.rounds * plan.boards_in_round
    for number in sorted(number for number in seats if not 0 <= number < last):
        result.findings.append(Finding(f"{name}/{number}", f"the plan ends with board {last - 1}"))
    if stop is None:
        _walk(name, plan, seats, known, left_before, result)
    else:
        _walk_stages(name, stages(plan, stop, scored_by, known), seats, left_before, result)
    complete = [
        BoardPlan(number, number // plan.boards_in_round, number % plan.boards_in_round, tuple(played))
        for number, played in _complete(seats, plan.seatings)
    ]
    if complete:
        try:
            result.certificate = certificate(plan.entrants, complete, teams=plan.teams, hero=hero)
        except (ScheduleError, ValueError, KeyError, IndexError):
            # Seats that no plan has are findings already.
            result.notes.append(f"{name}: what was played is too far from a plan to be counted")
    return result


def _walk(
    name: str,
    plan: Plan,
    seats: dict[int, _Seats],
    known: Known,
    left_before: Callable[[int], Collection[str]],
    result: PlayedSchedule,
) -> None:
    newest = max(seats, default=-1)
    for number in range(plan.rounds):
        first = number * plan.boards_in_round
        past, absent = known(first) if plan.is_adaptive else ((), ())
        try:
            planned = plan.round(number, past, absent)
        except ScheduleError as error:
            result.findings.append(
                Finding(f"{name}, round {number}", f"does not follow from the last: {error}")
            )
            return
        if plan.is_adaptive and first > newest:
            # A round without a board ends the competition: too few are left for a table.
            if planned:
                result.unfinished += range(first, plan.rounds * plan.boards_in_round)
            return
        before, missing = len(result.findings), len(result.unfinished)
        _round(name, planned, seats, left_before, result)
        if plan.is_adaptive and newest >= first + plan.boards_in_round:
            _hole(name, result, missing, "later rounds")
        beyond = {board.number for board in planned}
        for board in range(first, first + plan.boards_in_round):
            if board in seats and board not in beyond:
                result.findings.append(Finding(f"{name}/{board}", "is not in the plan of its round"))
        if plan.is_adaptive and len(result.findings) > before and newest >= first + plan.boards_in_round:
            result.notes.append(f"{name}: rounds after {number} follow from it and are not compared")
            return


def _walk_stages(
    name: str,
    coming: Iterator[Stage],
    seats: dict[int, _Seats],
    left_before: Callable[[int], Collection[str]],
    result: PlayedSchedule,
) -> None:
    """Hold what was played against what the stop rule asked for, as far as all earlier boards are there."""
    planned: set[int] = set()
    for stage in coming:
        before = len(result.unfinished)
        _round(name, stage.boards, seats, left_before, result)
        planned |= {board.number for board in stage.boards}
        if len(result.unfinished) > before:
            if seats.keys() - planned:
                _hole(name, result, before, "later stages")
                result.notes.append(f"{name}: boards of later stages follow from it and are not compared")
                return
            break
    for number in sorted(seats.keys() - planned):
        result.findings.append(Finding(f"{name}/{number}", "the stop rule asks for no such board"))


def _hole(name: str, result: PlayedSchedule, since: int, later: str) -> None:
    """What is missing, from this place of the list on, is wrong: it was complete before anything later was planned."""
    holes, result.unfinished = result.unfinished[since:], result.unfinished[:since]
    result.findings += [
        Finding(f"{name}/{number}", f"is missing or incomplete, and {later} were made from it")
        for number in holes
    ]


def _round(
    name: str,
    planned: Iterable[BoardPlan],
    seats: dict[int, _Seats],
    left_before: Callable[[int], Collection[str]],
    result: PlayedSchedule,
) -> None:
    for board in planned:
        played = seats.get(board.number, {})
        for seating, there in sorted(played.items()):
            where = f"{name}/{board.number}/{seating}"
            if not 0 <= seating < len(board.seatings):
                result.findings.append(Finding(where, f"the plan has {len(board.seatings)} seatings"))
            elif there != board.seatings[seating]:
                expected = " ".join(board.seatings[seating])
                result.findings.append(
                    Finding(where, f"seats are {' '.join(there)}, the plan has {expected}")
                )
        missing = len(board.seatings) - len(played)
        if missing > 0 and (played or not set(board.seatings[0]) & set(left_before(board.number))):
            result.unfinished.append(board.number)


def _complete(seats: dict[int, _Seats], seatings: int) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
    for number, played in sorted(seats.items()):
        if len(played) == seatings:
            yield number, [there for _, there in sorted(played.items())]
