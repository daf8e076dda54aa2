"""`reproduce`: one decision of a stored game, put to its bot again."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf.json_format import MessageToDict

from cardtable.catalog import game as game_of
from cardtable.conformance import CommandError, Limits, Program, program_of
from cardtable.conformance.report import Shortcoming
from cardtable.conformance.run import Run
from cardtable.conformance.standin import StandIn
from cardtable.dealing import bot_seed
from cardtable.engine import MalformedAction
from cardtable.v1 import table_pb2
from cardtable.wire import codec, seated_message, welcome_response
from referee.cli.checking import program_of_spec
from referee.cli.places import game_name, is_tournament_file, open_cup
from referee.config import load
from referee.errors import RefereeError
from referee.reenactment import decision_at
from referee.rulings import legible
from referee.sandbox import check_bwrap
from referee.store_errors import sound

if TYPE_CHECKING:
    from cardtable.record import GameRecord
    from referee.database.address import StoreAddress
    from referee.reenactment import Decision

__all__ = ["Wanted", "reproduce_decision"]

_TABLE = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asked for; see the options of `tourney reproduce`."""

    cup: StoreAddress
    game: str
    turn: int
    seat: int | None
    command: str | None
    view_only: bool
    as_json: bool


@dataclass(frozen=True, slots=True)
class _Terms:
    """How the game was played, as the store says."""

    forfeit_after: int
    ask_forced: bool
    show_names: bool
    scored_by: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the bot did this time.

    Args:
        action: As text; empty where there was none that can be read.
        trouble: Why it would be a fault; empty when the answer is legal and in time.
        comment: What it said with it.
        seconds: How long it took.
        output: The end of what it wrote.
    """

    action: str
    trouble: str
    comment: str
    seconds: float
    output: str


def reproduce_decision(wanted: Wanted) -> int:
    """Print the question and what the bot answers now; return the status.

    Raises:
        RefereeError: There is no such game, decision or program.
    """
    with open_cup(wanted.cup) as store:
        if store.is_merged:
            raise RefereeError(f"{store.path} was merged: take the store that the game was played in")
        competition, board, seating = game_name(store, wanted.game)
        record = store.record(competition, board, seating)
        with sound(store.path, "its tournament"):
            terms = _terms(json.loads(store.info().config), competition)
    if wanted.seat is not None and not 0 <= wanted.seat < len(record.seats):
        raise RefereeError(f"--seat {wanted.seat}: {wanted.game} has the seats 0 to {len(record.seats) - 1}")
    if wanted.turn < 1:
        raise RefereeError(f"--turn {wanted.turn}: turns count from 1")
    decision = decision_at(
        record, wanted.seat, wanted.turn, forfeit_after=terms.forfeit_after, ask_forced=terms.ask_forced
    )
    ask = _question(record, decision, terms)
    program = None if wanted.view_only else _program(wanted, record.seats[decision.seat])
    if not wanted.as_json:
        _print_question(wanted.game, record, decision, ask)
    answer = None
    if program is not None:
        seated = _seated(record, decision, terms, seating)
        answer = asyncio.run(_put(program, record, decision, terms, seated, ask))
    if wanted.as_json:
        print(json.dumps(_as_json(wanted.game, record, decision, ask, answer), ensure_ascii=False))
    elif answer is not None:
        _print_answer(answer)
    return 1 if answer is not None and answer.trouble else 0


def _terms(identity: dict[str, Any], name: str) -> _Terms:
    (one,) = (one for one in identity["competitions"] if one["name"] == name)
    clocks = identity["clocks"]
    limits = Limits(
        start_seconds=clocks["start_seconds"],
        first_move_seconds=clocks["first_move_seconds"],
        move_ms=clocks["move_ms"],
        margin_ms=clocks["margin_ms"],
        stop_seconds=clocks["stop_seconds"],
    )
    return _Terms(
        identity["faults"]["forfeit_after"], one["ask_forced"], one["show_names"], one["score"], limits
    )


def _program(wanted: Wanted, bot: str) -> Program:
    if wanted.command is not None:
        try:
            return program_of(wanted.command)
        except CommandError as error:
            raise RefereeError(f"--command: {error}") from None
    if not is_tournament_file(wanted.cup):
        raise RefereeError(
            f"{wanted.cup} does not say how {bot} is started: name the tournament file, or --command;"
            " --view prints the question alone"
        )
    config = load(wanted.cup)
    specs = {one.name: one.spec for one in config.entrants}
    if bot not in specs:
        raise RefereeError(f"{wanted.cup} has no bot {bot} any more; name its program with --command")
    spec = specs[bot]
    if spec.is_remote:
        raise RefereeError(f"{bot} runs elsewhere; name its program with --command")
    is_boxed = config.limits.sandbox == "bwrap"
    if is_boxed:
        check_bwrap()
    return program_of_spec(spec, is_boxed=is_boxed)


def _question(record: GameRecord, decision: Decision, terms: _Terms) -> table_pb2.Ask:
    ask = table_pb2.Ask(table=_TABLE, turn=decision.turn, move_ms=terms.limits.move_ms)
    codec(record.game).set_view(ask, decision.view)
    return ask


def _seated(record: GameRecord, decision: Decision, terms: _Terms, seating: int) -> table_pb2.Seated:
    assert record.seed is not None
    return seated_message(
        codec(record.game),
        game_of(record.game).variant(record.variant),
        table=_TABLE,
        seat=decision.seat,
        scored_by=terms.scored_by,
        bot_seed=bot_seed(record.seed, seating, decision.seat),
        names=record.seats if terms.show_names else (),
        move_ms=terms.limits.move_ms,
    )


async def _put(
    program: Program,
    record: GameRecord,
    decision: Decision,
    terms: _Terms,
    seated: table_pb2.Seated,
    ask: table_pb2.Ask,
) -> _Answer:
    """Start the bot, seat it, ask it, and end it."""
    began = time.monotonic()
    async with StandIn() as standin, Run(program, standin, terms.limits, decision.seat) as run:
        action, comment = "", ""
        try:
            await run.join()
            response = welcome_response(decision.seat, "cardtable-referee")
            response.seated.append(seated)
            response.asks.append(ask)
            began = time.monotonic()
            await run.stream.send(response)
            answer = await _answer(run, decision, terms.limits)
            comment = answer.comment
            made = codec(record.game).action(answer)
            action = str(made)
            trouble = "" if made in decision.view.legal_actions else f"{action} is illegal there"
        except Shortcoming as shortcoming:
            trouble = shortcoming.found
        except MalformedAction as malformed:
            trouble = f"malformed: {malformed.message}"
        seconds = time.monotonic() - began
        run.process.kill()
        await run.process.wait(terms.limits.stop_seconds)
        await run.process.settle()
        written = run.process.stdout.tail + run.process.stderr.tail
    return _Answer(action, trouble, comment, seconds, written)


async def _answer(run: Run, decision: Decision, limits: Limits) -> table_pb2.Answer:
    """The answer to the question; the first decision of a process has the time of one."""
    allowed = max(limits.first_move_seconds, limits.move_ms / 1000) + limits.margin_ms / 1000
    try:
        async with asyncio.timeout(allowed):
            while not isinstance(said := await run.stream.inbox.get(), str):
                for answer in said[1].answers:
                    if (answer.table, answer.turn) == (_TABLE, decision.turn):
                        return answer
    except TimeoutError:
        raise Shortcoming(f"no answer within {allowed:g} s", "") from None
    if await run.process.wait(1.0):
        await run.process.settle()
        said = f"it {run.process.how_it_ended}"
    raise Shortcoming(f"while it owed this answer {said}", "")


def _print_question(game: str, record: GameRecord, decision: Decision, ask: table_pb2.Ask) -> None:
    bot = record.seats[decision.seat]
    print(f"{game}, turn {decision.turn} of {bot} (seat {decision.seat}), deal {decision.deal}:")
    print(json.dumps(MessageToDict(ask), ensure_ascii=False))
    if decision.fault is None:
        print(f"it played     {decision.made}")
    else:
        fault = decision.fault
        print(f"on record     {fault.cause}: {legible(fault.message)}; the house played {decision.made}")


def _print_answer(answer: _Answer) -> None:
    said = answer.action or "nothing"
    verdict = f"a fault: {legible(answer.trouble)}" if answer.trouble else "legal"
    print(f"asked again   {said}, {verdict} ({answer.seconds * 1000:.0f} ms, its warm-up included)")
    if answer.comment:
        print(f"its comment   {legible(answer.comment)}")
    if answer.output.strip():
        print("it wrote")
        print("\n".join(f"  {legible(line)}" for line in answer.output.rstrip().splitlines()))


def _as_json(
    game: str, record: GameRecord, decision: Decision, ask: table_pb2.Ask, answer: _Answer | None
) -> dict[str, object]:
    fault = decision.fault
    return {
        "game": game,
        "bot": record.seats[decision.seat],
        "seat": decision.seat,
        "turn": decision.turn,
        "deal": decision.deal,
        "action": decision.action,
        "question": MessageToDict(ask),
        "made": decision.made,
        "fault": None if fault is None else {"cause": fault.cause, "message": fault.message},
        "again": None
        if answer is None
        else {
            "action": answer.action or None,
            "trouble": answer.trouble or None,
            "comment": answer.comment,
            "ms": round(answer.seconds * 1000),
            "output": answer.output,
        },
    }
