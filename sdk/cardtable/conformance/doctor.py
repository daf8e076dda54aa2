"""The checks of one bot, one after another, each in a process of its own where the last one's state would matter.

Decides what is looked at and what a finding means; starting, asking and timing are `run`'s.
"""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final

from cardtable.catalog import GAMES
from cardtable.conformance.claims import join_problem, matches_of, options_title
from cardtable.conformance.processes import CAN_LOOK, child_peak_bytes
from cardtable.conformance.report import Check, Figures, Outcome, Report, Shortcoming
from cardtable.conformance.run import Limits, Run
from cardtable.conformance.standin import StandIn
from cardtable.conformance.tables import Table
from cardtable.record import FaultCause
from cardtable.wire import unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardtable.conformance.claims import Match
    from cardtable.conformance.program import Program
    from cardtable.v1 import table_pb2

__all__ = ["BATCH", "examine"]

#: Questions of one message, and tables that are open at once.
BATCH: Final = 16
#: After so many answers of each table the bot is ended in mid-game.
_RESTART_AFTER: Final = 12
#: Answers that are looked at when others have come late.
_AFTER_LATE: Final = 30
_LATE_TURNS: Final = frozenset({2, 5, 9})
#: A process plays one seat number; these are in games of three too.
_SEATS: Final = (1, 2, 0)
_FAULT_ADVICE: Final = {
    FaultCause.ILLEGAL: "choose among the actions that the view says are legal (view.legal_actions with the library)",
    FaultCause.MALFORMED: "set exactly one action of the table's game in each Answer, of the kind that the view's step asks for",
    FaultCause.TIMEOUT: "spread the thinking over the game: Ask.game_ms says what is left (view.clock.game_ms)",
}


def examine(
    program: Program,
    *,
    limits: Limits | None = None,
    game: str | None = None,
    games: int = 2,
    matches: Sequence[Match] | None = None,
    tell: Callable[[Check], object] = lambda _: None,
) -> Report:
    """Start a bot as the referee would and look at all that it must do; no process of it is left, whatever happens.

    Args:
        program: How it is started.
        limits: How long it may take; default: the referee's.
        game: Only this game; default: all that it says it plays.
        games: How many of each variant.
        matches: What it has to play, in place of what it says it plays.
        tell: Told each check when it is made.

    Raises:
        KeyboardInterrupt: Ctrl-C, or a SIGTERM.
        OSError: The program cannot be started.
    """
    doctor = _Doctor(program, limits or Limits(), game, games, matches, tell)
    try:
        return asyncio.run(doctor.examine())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


class _Doctor:
    def __init__(
        self,
        program: Program,
        limits: Limits,
        game: str | None,
        games: int,
        matches: Sequence[Match] | None,
        tell: Callable[[Check], object],
    ) -> None:
        self._program = program
        self._limits = limits
        self._game = game
        self._games = games
        self._given = matches
        self._tell = tell
        self._checks: list[Check] = []
        self._runs: list[Run] = []
        self._numbers = count(1)
        self._standin = StandIn()
        self._at_once = BATCH
        #: Exits after the end of the stream: whether in time, the status, and what was left behind.
        self._exits: list[tuple[bool, int | None, list[str]]] = []

    async def examine(self) -> Report:
        """Make all checks."""
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, task.cancel)
        async with self._standin:
            by_game = await self._first()
            if by_game:
                for matches in by_game.values():
                    await self._play_all(matches)
                firsts = [matches[0] for matches in by_game.values()]
                await self._late_answers(firsts)
                await self._restart(firsts)
        self._endings()
        self._outputs()
        figures = Figures.of([ms for run in self._runs for ms in run.think_ms], self._memory_mb())
        self._thinking(figures)
        return Report(self._program.command, tuple(self._checks), figures)

    # The parts, in order.

    async def _first(self) -> dict[str, list[Match]]:
        """Join and one batch; what is to be played, by game, or nothing when there is no sense in going on."""
        async with self._run(0) as run:
            try:
                join = await run.join()
            except Shortcoming as shortcoming:
                self._failed("joins", shortcoming)
                self._note("everything else", "not looked at, since it did not join")
                return {}
            by_game = self._look_at(join, run.join_seconds)
            if not by_game:
                return {}
            match = next(iter(by_game.values()))[0]
            tables = [self._table(match, run) for _ in range(BATCH)]
            try:
                await run.ask_once(tables)
            except Shortcoming as shortcoming:
                self._at_once = 1
                found = f"{run.answered} of {BATCH} questions of one message answered: {shortcoming.found}"
                self._failed("answers batches", Shortcoming(found, shortcoming.advice))
                if not run.answered:
                    self._note("everything else", "not looked at, since it answered nothing")
                    return {}
            else:
                messages = f"{run.messages} message{'s' if run.messages > 1 else ''}"
                self._ok("answers batches", f"{BATCH} questions of one message, answered in {messages}")
                await self._leave(run)
            return by_game

    async def _play_all(self, matches: list[Match]) -> None:
        """Whole games of all variants of a game, in one process."""
        name = f"plays {matches[0].game}"
        todo = list(matches)
        async with self._run(1) as run:
            try:
                await run.join()
                while todo:
                    match = todo.pop(0)
                    tables = [self._table(match, run) for _ in range(self._games)]
                    try:
                        await run.play(tables, at_once=self._at_once)
                    except Shortcoming as shortcoming:
                        found = f"{options_title(match)}: {shortcoming.found}"
                        self._failed(name, Shortcoming(found, shortcoming.advice))
                        raise
                    self._judge(name, match, tables)
                await self._leave(run)
            except Shortcoming as shortcoming:
                if run.answered == 0 and len(todo) == len(matches):
                    self._failed(name, shortcoming)
                if todo:
                    skipped = "; ".join(options_title(match) for match in todo)
                    self._note(name, f"not played after that: {skipped}")

    async def _late_answers(self, matches: list[Match]) -> None:
        name = "late answers"
        async with self._run(2) as run:
            tables = [self._table(match, run) for match in matches for _ in range(2)]
            try:
                await run.join()
                await run.play(
                    tables,
                    at_once=self._at_once,
                    stop_after=_AFTER_LATE * len(tables),
                    late_turns=_LATE_TURNS,
                )
            except Shortcoming as shortcoming:
                advice = (
                    "a FaultNotice says that the house has decided: drop that question and go on; "
                    "an answer that comes late is discarded"
                )
                self._failed(name, Shortcoming(shortcoming.found, advice))
                return
            found = f"went on after decisions that the house had made; {run.discarded} answers discarded"
            self._faults(name, tables, found)
            await self._leave(run)

    async def _restart(self, matches: list[Match]) -> None:
        name = "restart in mid-game"
        advice = "let an action follow from the view alone: a new process gets Seated and the open Ask, not what came before"
        async with self._run(0) as run:
            tables = [self._table(match, run) for match in matches]
            try:
                await run.join()
                await run.play(tables, at_once=len(tables), stop_after=_RESTART_AFTER * len(tables))
            except Shortcoming as shortcoming:
                self._note(name, f"not looked at: {shortcoming.found}")
                return
            await run.process.end(self._limits.stop_seconds)
        before = sum(table.decisions for table in tables)
        async with self._run(0) as run:
            try:
                await run.join()
                await run.play([table for table in tables if not table.is_over], at_once=len(tables))
            except Shortcoming as shortcoming:
                self._failed(name, Shortcoming(f"the new process: {shortcoming.found}", advice))
                return
            after = sum(table.decisions for table in tables) - before
            found = f"ended after {before} decisions, and a new process made the other {after}"
            self._faults(name, tables, found, advice)
            await self._leave(run)

    # What is looked at in passing.

    def _look_at(self, join: table_pb2.Join, seconds: float) -> dict[str, list[Match]]:
        """The Join; what is to be played, by game."""
        plays = ", ".join(support.game for support in join.games)
        who = " ".join(part for part in (join.bot_name, join.bot_version) if part) or "a bot without a name"
        sdk = f", {join.sdk}" if join.sdk else ""
        problem = join_problem(join)
        if problem:
            advice = (
                "correct the Join: protocols from the least to the greatest, games and options by their names"
            )
            self._failed("joins", Shortcoming(f"{who}: {problem}", advice))
        else:
            self._ok(
                "joins", f"after {seconds:.1f} s of {self._limits.start_seconds:g}: {who}{sdk}; plays {plays}"
            )
        by_game: dict[str, list[Match]] = {}
        if self._given is not None:
            for match in self._given:
                rules = GAMES[match.game]
                why_not = unsupported(join, match.game, rules.options(rules.variant(match.options)))
                if why_not:
                    found = f"{options_title(match)}: {why_not}"
                    advice = (
                        "name the game and the option's value in the Join, or do not enter that competition"
                    )
                    self._failed(f"plays {match.game}", Shortcoming(found, advice))
                else:
                    by_game.setdefault(match.game, []).append(match)
            return by_game
        wanted = list(GAMES) if self._game is None else [self._game]
        claimed = {support.game for support in join.games}
        for game in wanted:
            if game not in claimed:
                if self._game is not None:
                    found = f"its Join names {plays or 'no game'}"
                    self._failed(
                        f"plays {game}", Shortcoming(found, f"name {game} among the games of the Join")
                    )
                continue
            matches = matches_of(join, game)
            if matches:
                by_game[game] = matches
            else:
                advice = (
                    "look at the options' names and values in the Join: together they leave nothing to play"
                )
                self._failed(f"plays {game}", Shortcoming("its Join rules out every variant", advice))
        return by_game

    def _judge(self, name: str, match: Match, tables: list[Table]) -> None:
        decisions = sum(table.decisions for table in tables)
        games = f"{len(tables)} game{'s' if len(tables) > 1 else ''}"
        self._faults(name, tables, f"{options_title(match)}: {games}, {decisions:,} decisions")

    def _faults(self, name: str, tables: Iterable[Table], found: str, advice: str = "") -> None:
        """Fail where a decision was at fault, else hold."""
        faults = [fault for table in tables for fault in table.faults]
        if not faults:
            self._ok(name, found)
            return
        first = faults[0]
        others = f"; {len(faults) - 1} more faults" if len(faults) > 1 else ""
        said = f"{found.partition(':')[0]}: {first.cause.value} at turn {first.turn}: {first.message}{others}"
        self._failed(name, Shortcoming(said, advice or _FAULT_ADVICE[first.cause]))

    async def _leave(self, run: Run) -> None:
        in_time, left = await run.leave()
        self._exits.append((in_time, run.process.status, [process.title for process in left]))

    def _endings(self) -> None:
        """Exits by itself, leaves nothing behind."""
        if not self._exits:
            self._note("exits", "not looked at: no process came to an orderly end of its stream")
            self._note("leaves no process", "not looked at: all processes had to be ended")
            return
        seconds = self._limits.stop_seconds
        if not all(in_time for in_time, _, _ in self._exits):
            advice = "end the program with status 0 when the referee closes the stream; mind threads that keep it alive"
            self._failed("exits", Shortcoming(f"still running {seconds:g} s after its stream closed", advice))
        else:
            statuses = Counter(status for _, status, _ in self._exits)
            said = ", ".join(str(status) for status in sorted(statuses, key=lambda status: status or 0))
            if set(statuses) == {0}:
                self._ok("exits", "by itself when its stream closes, with status 0")
            else:
                self._note("exits", f"by itself when its stream closes, but with status {said}, not 0")
        if not CAN_LOOK:
            self._note("leaves no process", "not looked at: this needs the /proc of Linux")
            return
        left = [title for _, _, titles in self._exits for title in titles]
        if left:
            advice = "end what the bot has started before the bot ends; the referee kills what is left"
            self._failed("leaves no process", Shortcoming(f"left {left[0]}", advice))
        else:
            self._ok("leaves no process", "nothing that it started outlives it")

    def _outputs(self) -> None:
        out = sum(run.process.stdout.size for run in self._runs)
        log = sum(run.process.stderr.size for run in self._runs)
        if any(run.process.stdout.is_binary for run in self._runs):
            advice = "answers go to the gRPC stream at CARDTABLE_REFEREE; standard output is a log, so print text or nothing"
            found = f"{out:,} bytes on standard output, and they are no text"
            self._failed("no protocol on stdout", Shortcoming(found, advice))
        else:
            self._note(
                "no protocol on stdout", f"{out:,} bytes on standard output, {log:,} on standard error"
            )

    def _thinking(self, figures: Figures) -> None:
        limit = self._limits.move_ms
        if any(run.was_silent for run in self._runs):
            advice = "think no longer than Ask.move_ms says (view.clock.move_ms with the library), or find what hangs"
            self._failed(
                "think time", Shortcoming(f"silent for longer than the {limit} ms that are allowed", advice)
            )
        elif figures.think_max_ms is not None:
            self._ok("think time", f"{figures.think_max_ms:.1f} ms at the most, of {limit} that are allowed")

    def _memory_mb(self) -> float | None:
        peak = child_peak_bytes() or max((run.process.peak_bytes for run in self._runs), default=0)
        return peak / 2**20 if peak else None

    # Small things.

    def _run(self, place: int) -> Run:
        run = Run(self._program, self._standin, self._limits, _SEATS[place])
        self._runs.append(run)
        return run

    def _table(self, match: Match, run: Run) -> Table:
        return Table(next(self._numbers), match, run.seat)

    def _ok(self, name: str, found: str) -> None:
        self._add(Check(name, Outcome.OK, found))

    def _note(self, name: str, found: str) -> None:
        self._add(Check(name, Outcome.NOTE, found))

    def _failed(self, name: str, shortcoming: Shortcoming) -> None:
        self._add(Check(name, Outcome.FAILED, shortcoming.found, shortcoming.advice))

    def _add(self, check: Check) -> None:
        self._checks.append(check)
        self._tell(check)
