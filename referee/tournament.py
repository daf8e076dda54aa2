"""The run of a tournament: orders blocks from an executor and writes what comes back, the store's only writer.

Owns the order of work, its size, and what is done when a worker is lost. It plays nothing, knows no rule, imports
no gRPC, and computes no table.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Protocol

from cardtable.catalog import game as game_of
from cardtable.dealing import board_seed
from cardtable.record import FaultCause
from referee.blocks import BlockOrder, GameOrder, WorkerLost
from referee.boards import fold
from referee.course import Course, stages
from referee.disqualification import departures, known_before
from referee.errors import RefereeError
from referee.executor import play
from referee.identity import changes, committed
from referee.rulings import Docket
from referee.store import CompetitionInfo, EntrantInfo, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from concurrent.futures import Executor

    from referee.blocks import BlockResult, EntrantFault, FaultDetail
    from referee.boards import Board
    from referee.config import Competition, Config
    from referee.schedule import BoardPlan
    from referee.sequential import StopState

__all__ = ["Listener", "Progress", "RunError", "Tournament", "commitment", "open_store"]

#: A block is an offer of so many games at most; its worker begins as many of its boards as the bots' speed allows.
BLOCK_GAMES = 1024
#: How long a block begins boards: the first ones are short, so that a run which is soon killed has something to show.
FIRST_BLOCK_SECONDS = 2.0
BLOCK_SECONDS = 20.0
#: How often the same work is tried again after a fault of our own.
TRIES = 3
#: How long workers that were asked for what they have finished may take to give it back.
GATHER_SECONDS = 1.5
#: How often a run looks whether there are more workers than before.
LOOK_SECONDS = 1.0


class RunError(RefereeError):
    """The run cannot go on; what is finished is in the store."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a competition is.

    Args:
        competition: Its name.
        games: Games in the store.
        planned: Games of the plan.
        per_second: Games per second of this run; 0 before the first block.
        faults: Faults in this run.
        is_open: Whether it may end earlier.
    """

    competition: str
    games: int
    planned: int
    per_second: float
    faults: int
    is_open: bool = False


class Listener(Protocol):
    """Is told how a run goes on."""

    def progressed(self, progress: Progress) -> None:
        """Games have been stored."""

    def warned(self, message: str) -> None:
        """Something went wrong and the run goes on."""


def commitment(master: bytes, config: Config) -> str:
    """The hash that is printed before the first deal: of the master seed and of the entrants' list.

    SHA-256 over the 32 bytes of the seed and the canonical JSON of the bots, as `Config.identity` has them.
    """
    return committed(master, config.identity())


def open_store(config: Config, *, extend: bool = False) -> tuple[Store, bool]:
    """Open the tournament's store, or make it; return it and whether it was there.

    Args:
        config: The tournament.
        extend: Whether the file may ask for more boards than the stored tournament.

    Raises:
        RunError: The stored tournament is another one: what differs is said.
        StoreError: The store cannot be used.
    """
    identity = config.identity()
    text = json.dumps(identity, sort_keys=True)
    if not Store.is_at(config.store):
        master = config.seed.master or secrets.token_bytes(32)
        store = Store.create(
            config.store,
            program=f"cardtable-referee {version('cardtable-referee')}",
            config=text,
            identity=hashlib.sha256(text.encode()).hexdigest(),
            commitment=commitment(master, config),
            master_seed=master,
            competitions=[
                CompetitionInfo(one.name, one.game, one.options, one.plan.seatings)
                for one in config.competitions
            ],
            entrants=[EntrantInfo(one.name, one.sha256) for one in config.entrants],
        )
        return store, False
    store = Store.open(config.store)
    if store.is_merged:
        store.close()
        raise RunError(f"{config.store} was merged of several tournaments, and none of them goes on in it")
    stored = json.loads(store.info().config)
    differences = changes(stored, identity)
    if differences and extend and _only_more_boards(stored, identity):
        if store.info().revealed_seed is not None and config.seed.master is None:
            store.close()
            raise RunError(
                f"{config.store}: the seed is revealed, so new boards would be known beforehand;"
                " run them as a tournament of their own"
            )
        store.set_config(text, hashlib.sha256(text.encode()).hexdigest())
    elif differences:
        store.close()
        hint = "; --extend allows more boards" if _only_more_boards(stored, identity) else ""
        raise RunError(
            f"{config.store} holds another tournament: {'; '.join(differences)}"
            f" (name another store with --store, or restore the file{hint})"
        )
    return store, True


def _only_more_boards(stored: dict[str, object], wanted: dict[str, object]) -> bool:
    def split(identity: dict[str, object]) -> tuple[str, list[int]]:
        copy = json.loads(json.dumps(identity))
        boards = [competition.pop("boards") for competition in copy["competitions"]]
        return json.dumps(copy, sort_keys=True), boards

    (before, few), (after, many) = split(stored), split(wanted)
    return before == after and all(more >= less for less, more in zip(few, many, strict=True))


class Tournament:
    """One run over a store, from where the last one stopped to the end of the plan.

    Args:
        config: The tournament.
        store: Its store, held by this run.
        listener: Is told of progress.
    """

    def __init__(self, config: Config, store: Store, listener: Listener) -> None:
        self._config = config
        self._store = store
        self._listener = listener
        self._master = config.seed.mixed(store.secret_seed())
        self._told: set[tuple[str, FaultCause]] = set()
        self._jobs: Callable[[], int] = lambda: config.jobs
        #: How workers of this executor were lost, as far as it was said.
        self._told_lost: set[str] = set()
        self._stored: dict[str, int] = {}
        self._docket = Docket(
            store.rulings(),
            store.faults(),
            [one.name for one in config.competitions],
            config.limits.forfeit_after,
        )
        # Whoever knows a seed that was drawn knows all cards to come, so nothing that a ruling made later asks for.
        self._is_over = config.seed.master is None and store.info().revealed_seed is not None
        self._left = departures(store.forfeited_games(), config.disqualify_after, self._docket)
        self._courses = {one.name: self._course(one) for one in config.competitions}
        self._block_seconds = FIRST_BLOCK_SECONDS
        self._played = self._faults = 0
        self._began = time.monotonic()

    def run(
        self,
        executor_of: Callable[[], Executor],
        halt: Callable[[], None] = lambda: None,
        jobs: Callable[[], int] | None = None,
    ) -> None:
        """Play all that is left.

        Args:
            executor_of: Makes the executor; called again when all its workers were lost.
            halt: Asks its workers for what they have finished; called when the run is interrupted.
            jobs: How many blocks its workers can play at once now, where that is not `jobs` of the tournament.

        Raises:
            RunError: The same work failed three times by a fault of our own.
            StoreError: The store cannot be written.
        """
        if jobs is not None:
            self._jobs = jobs
        waiting: deque[tuple[BlockOrder, int]] = deque()
        refused = 0
        while True:
            with executor_of() as executor:
                taken = self._drive(executor, waiting, halt)
            if not waiting:
                return
            refused = 0 if taken else refused + 1
            if refused == TRIES:
                raise RunError(f"no worker could be started, {TRIES} times in a row")

    def states(self) -> dict[str, StopState]:
        """What the stop rule said last of each competition that it has looked at."""
        return {name: course.state for name, course in self._courses.items() if course.state is not None}

    def _drive(
        self, executor: Executor, waiting: deque[tuple[BlockOrder, int]], halt: Callable[[], None]
    ) -> bool:
        """Work until all is done, or until blocks are lost, which then wait for another executor.

        Args:
            executor: Plays the blocks.
            waiting: Blocks to be played again, with the number of this try.
            halt: As in `run`.

        Returns:
            Whether the executor took any work.
        """
        self._told_lost.clear()
        running: dict[Future[BlockResult], tuple[BlockOrder, int]] = {}
        lost: list[tuple[BlockOrder, int]] = []
        taken = False
        try:
            while True:
                while not lost and len(running) <= self._jobs():
                    if not waiting and (order := self._next_order()) is not None:
                        waiting.append((order, 1))
                    if not waiting:
                        break
                    try:
                        running[executor.submit(play, waiting[0][0])] = waiting[0]
                    except BrokenExecutor:
                        break
                    waiting.popleft()
                    taken = True
                if not running:
                    waiting.extendleft(reversed(lost))
                    return taken
                for future in wait(running, LOOK_SECONDS, return_when=FIRST_COMPLETED).done:
                    again = self._finish(future, *running[future])
                    del running[future]
                    if isinstance(future.exception(), WorkerLost):
                        waiting.extend(again)
                    else:
                        lost += again
        except BaseException as error:
            executor.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):
                halt()
                self._gather(running)
            raise

    def _gather(self, running: Mapping[Future[BlockResult], tuple[BlockOrder, int]]) -> None:
        """Keep what the workers of an interrupted run have finished."""
        for future in wait(running, timeout=GATHER_SECONDS).done:
            name = running[future][0].competition
            with suppress(BrokenExecutor, CancelledError, WorkerLost):
                result = future.result()
                # The run may have been interrupted right after it was written.
                if not {game.order.board for game in result.games} & self._store.finished_boards(name):
                    self._keep(name, result)

    def _finish(
        self, future: Future[BlockResult], order: BlockOrder, tries: int
    ) -> list[tuple[BlockOrder, int]]:
        result = None
        try:
            result = future.result()
        except BrokenExecutor:
            reason = "a worker was lost"
        except WorkerLost as error:
            reason = str(error)
        else:
            self._keep(order.competition, result)
            reason = result.error
            if not reason:
                self._block_seconds = min(BLOCK_SECONDS, 2 * self._block_seconds)
                course = self._courses[order.competition]
                played = {game.order.board for game in result.games}
                for board in dict.fromkeys(game.board for game in order.games):
                    if board in played:
                        course.finished(board)
                    else:
                        course.give_back(board)
                return []
        if tries == TRIES:
            raise RunError(
                f"{order.competition}: the same games failed {TRIES} times; the last time: {reason}"
            )
        # All blocks that are under way go with one worker: it is told once.
        if result is not None or reason not in self._told_lost:
            self._told_lost.add(reason)
            self._listener.warned(f"{order.competition}: {reason}; the games are played again")
        stored = self._store.finished_boards(order.competition)
        left = tuple(game for game in order.games if game.board not in stored)
        for board in {game.board for game in order.games} & stored:
            self._courses[order.competition].finished(board)
        return [(self._order(order.competition, left), tries + 1)] if left else []

    def _keep(self, name: str, result: BlockResult) -> None:
        written = self._store.add_block(name, result)
        self._stored[name] = self._stored.get(name, 0) + written
        self._played += written
        if any(game.record.forfeits for game in result.games):
            self._left = departures(
                self._store.forfeited_games(), self._config.disqualify_after, self._docket
            )
        faults: list[FaultDetail | EntrantFault] = [*result.entrant_faults]
        faults += [fault for game in result.games for fault in game.details]
        for fault in faults:
            # The first of a kind tells its reader what to mend; all of them are in the store.
            if (fault.entrant, fault.cause) not in self._told:
                self._told.add((fault.entrant, fault.cause))
                tail = fault.stderr_tail.strip()
                last = tail.splitlines()[-1] if tail else ""
                # Of an answer that was given what was written explains nothing; it may be from long before.
                explains = fault.cause != FaultCause.ILLEGAL and last not in fault.message
                said = f"; it wrote last: {last}" if explains else ""
                self._listener.warned(f"{fault.entrant}: {fault.cause}: {fault.message}{said}")
        self._faults += len(faults)
        spent = time.monotonic() - self._began
        planned = self._config.competition(name).plan.games
        is_open = self._config.stop is not None
        self._listener.progressed(
            Progress(name, self._stored[name], planned, self._played / spent, self._faults, is_open=is_open)
        )

    def _next_order(self) -> BlockOrder | None:
        """Some of what was never ordered, or was given back; None when there is nothing now."""
        for competition in self._config.competitions:
            course = self._courses[competition.name]
            boards = self._next_boards(competition, course)
            if boards:
                games = tuple(
                    GameOrder(board.number, seating, seats, seed)
                    for board in boards
                    for seed in [board_seed(self._master, competition.name, board.number)]
                    for seating, seats in enumerate(board.seatings)
                )
                return self._order(competition.name, games)
            if course.waits:
                # Who leaves in it decides whom the next competition seats.
                return None
        return None

    def _next_boards(self, competition: Competition, course: Course) -> list[BoardPlan]:
        # Asked before all else, since it looks at what the stop rule says.
        share = -(-course.left // max(1, self._jobs()))
        if self._is_over:
            return []
        most = min(share, max(1, BLOCK_GAMES // course.plan.seatings))
        boards: list[BoardPlan] = []
        while len(boards) < most and (board := course.take()) is not None:
            if self._without_purpose(competition, board):
                course.finished(board.number)
            else:
                boards.append(board)
        return boards

    def _course(self, competition: Competition) -> Course:
        plan, rule = competition.plan, self._config.stop
        finished = self._store.finished_boards(competition.name)
        self._stored[competition.name] = len(finished) * plan.seatings
        coming = stages(plan, rule, competition.score, partial(self._before, competition))
        is_staged = plan.is_adaptive or rule is not None
        return Course(plan, coming, is_staged=is_staged, finished=finished)

    def _before(self, competition: Competition, board: int) -> tuple[list[Board], Collection[str]]:
        """What was known before the first board of a stage: the complete boards that counted, and who had left."""
        here = (competition.name, board)
        kept, left = known_before(
            tuple(self._store.games()), here, self._config.disqualify_after, self._docket
        )
        groups = game_of(competition.game).groups(competition.variant)
        return fold(kept, groups, competition.plan.seatings), left

    def _without_purpose(self, competition: Competition, board: BoardPlan) -> bool:
        """Whether a board would not count, since one of its entrants left before it."""
        here = (competition.name, board.number)
        return any(
            self._docket.is_before(self._left[name], here) for name in board.seatings[0] if name in self._left
        )

    def _order(self, name: str, games: tuple[GameOrder, ...]) -> BlockOrder:
        competition = self._config.competition(name)
        seated = {entrant for game in games for entrant in game.seats}
        return BlockOrder(
            competition=name,
            game=competition.game,
            variant=game_of(competition.game).options(competition.variant),
            games=games,
            bots=tuple(one.spec for one in self._config.entrants if one.name in seated),
            limits=self._config.limits,
            log_folder=str(self._config.logs),
            scored_by=competition.score,
            ask_forced=competition.ask_forced,
            show_names=competition.show_names,
            seconds=self._block_seconds,
            door=self._config.door,
        )
