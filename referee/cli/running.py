"""`tourney run`: the plan first, then the run, then the tables."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from cardtable.catalog import game as game_of
from referee.cli import INTERRUPTED
from referee.cli.executing import check_executor, executor_text, workers_of
from referee.cli.progress import watched
from referee.cli.results import print_tables
from referee.config import MOST_JOBS, load, quick
from referee.database.address import check_place
from referee.errors import RefereeError
from referee.executor import ENDING_SIGNALS, stop_workers
from referee.remote import check_tokens, invitations, tokens_in, with_tokens
from referee.report.plan import certificate_lines
from referee.report.tables import count
from referee.sandbox import check_bwrap
from referee.tournament import Tournament, commitment, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from referee.config import Config
    from referee.database.address import StoreAddress
    from referee.sequential import StopRule
    from referee.store import Store

__all__ = ["Request", "interruptible", "options_of", "run_tournament", "with_jobs"]


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for; see the options of `tourney run`."""

    file: Path | None
    game: str | None
    bots: tuple[str, ...]
    options: tuple[str, ...]
    boards: int
    store: StoreAddress | None
    jobs: int | None
    dry_run: bool
    extend: bool
    as_json: bool
    json_progress: bool = False
    quiet: bool = False
    executor: str | None = None
    scheduler: str | None = None


def run_tournament(request: Request) -> int:
    """Run or go on, and return the status.

    Raises:
        RefereeError: Something in the file, the options or the store is wrong; nothing was started or lost.
    """
    config = _config(request)
    check_place(config.store)
    if config.limits.sandbox == "bwrap":
        check_bwrap()
    config = _with_door(config)
    _print_plan(config, as_json=request.as_json)
    if request.dry_run:
        return 0
    store, there = open_store(config, extend=request.extend)
    with store:
        with store.run():
            config = _with_invitations(config, as_json=request.as_json)
            if not request.as_json:
                print(f"{'Going on with' if there else 'Results go to'} {store.path}")
                print(f"Seed and entrants are committed to by {store.info().commitment}", flush=True)
            quiet = request.quiet or request.as_json
            interrupted = _play(config, store, quiet=quiet, as_json=request.json_progress)
            if interrupted:
                print("tourney: interrupted; the same command goes on from here", file=sys.stderr)
            else:
                seed = store.reveal_seed().hex()
                if not request.as_json:
                    print(f"The seed was {seed}")
        print_tables(store, as_json=request.as_json)
    return INTERRUPTED if interrupted else 0


def _config(request: Request) -> Config:
    if request.file is not None and (request.game or request.bots or request.options):
        raise RefereeError("a tournament file and --game, --bot or --option do not go together")
    if request.file is not None:
        config = load(request.file, store=request.store)
    elif request.game is not None:
        config = quick(request.game, request.bots, request.boards, variant=options_of(request.options))
    else:
        raise RefereeError("name a tournament file, or --game and --bot; see tourney run --help")
    config = with_jobs(config, request.jobs)
    config = check_executor(config, request.executor, request.scheduler)
    if request.store is not None and request.file is None:
        config = replace(config, store=request.store.absolute())
    return config


def _with_door(config: Config) -> Config:
    """The tournament with a door for remote bots, where there are any.

    Raises:
        RefereeError: There cannot be one.
    """
    if config.remote is None or not any(one.spec.is_remote for one in config.entrants):
        return config
    check_tokens(config.store)
    config.remote.check_certificate()
    return replace(config, door=config.remote.door())


def _with_invitations(config: Config, *, as_json: bool) -> Config:
    """The tournament with tokens for its remote bots, which are printed with all that their owners need."""
    remote = config.remote
    if remote is None or config.door is None:
        return config
    seats = {one.name: config.seats_of(one.name) for one in config.entrants}
    config = replace(config, entrants=with_tokens(config.entrants, seats, config.store))
    if as_json:
        tokens = {one.name: one.spec.tokens for one in config.entrants if one.spec.is_remote}
        print(json.dumps({"remote": {"address": remote.address, "tokens": tokens}}), flush=True)
    else:
        for line in invitations(remote, config.entrants, config.limits.join_seconds):
            print(line, flush=True)
        print(
            f"The tokens are kept in {tokens_in(config.store)}; who has one plays in that seat.", flush=True
        )
    return config


def with_jobs(config: Config, jobs: int | None) -> Config:
    """The tournament with so many workers; as it is for None.

    Raises:
        RefereeError: There cannot be so many.
    """
    if jobs is None:
        return config
    if jobs > 1 and any(one.spec.is_remote for one in config.entrants):
        raise RefereeError(f"--jobs {jobs}: with a remote bot there is one worker")
    if not 1 <= jobs <= MOST_JOBS:
        raise RefereeError(f"--jobs {jobs}: there are 1 to {MOST_JOBS} workers")
    return replace(config, jobs=jobs, given_jobs=jobs)


def options_of(texts: tuple[str, ...]) -> dict[str, object]:
    """Options of a variant from KEY=VALUE; whole numbers, true and false mean themselves."""
    options: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise RefereeError(f"--option {text}: an option is KEY=VALUE, such as players=4")
        words: dict[str, object] = {"true": True, "false": False}
        if name in options:
            raise RefereeError(f"--option {text}: {name} stands twice")
        options[name] = int(value) if value.isdecimal() and len(value) < 20 else words.get(value, value)
    return options


def _print_plan(config: Config, *, as_json: bool) -> None:
    plans = [(one, one.plan) for one in config.competitions]
    if as_json:
        entry = [
            {"competition": one.name, "game": one.game, **asdict(plan.certificate())} for one, plan in plans
        ]
        print(json.dumps({"plan": entry}), flush=True)
        return
    print(f"{config.name}: {count(len(config.entrants), 'entrant')}, {executor_text(config)}")
    for one, plan in plans:
        certificate = plan.certificate()
        title = game_of(one.game).title_of(one.variant)
        boards, games = certificate.boards, certificate.games
        if config.stop is not None and config.stop.max_boards is not None:
            boards = min(boards, config.stop.max_boards)
            games = boards * plan.seatings
        print(
            f"  {one.name}: {title}; {one.schedule}, {'at most ' if config.stop else ''}"
            f"{count(boards, 'board')} of {count(plan.seatings, 'seating')},"
            f" {count(games, 'game')}, by {one.score}"
        )
        for line in certificate_lines(certificate, changing_partners=one.teams == "whist"):
            print(f"    {line}")
    if config.stop is not None:
        print(f"  {_stop_text(config.stop)}")
    if config.limits.sandbox == "none":
        print('  Bots are held to no limits and see what you see (sandbox = "none").')
    if config.seed.master is None:
        print("  The seed is drawn here; docs/organiser.md shows how to prove that it was not drawn twice.")
    else:
        promised = commitment(config.seed.master, config)
        print(f"  The seed stands in the file: who reads the file knows the deals. Commitment {promised}")


def _stop_text(rule: StopRule) -> str:
    ends = {
        "separated": "every pair is told apart",
        "top-1": "the best is told apart from all others",
        "top-3": "the best three are told apart from all others",
        "precision": f"every pair's difference is known to {rule.points} points a game",
    }
    most = "" if rule.max_boards is None else f", or at {count(rule.max_boards, 'board')}"
    return (
        f"Each competition ends when {ends[rule.when]}{most}; wrong in at most {rule.alpha:.3g} of all cases."
    )


def _play(config: Config, store: Store, *, quiet: bool, as_json: bool) -> bool:
    """Play what is left; return whether the run was interrupted."""
    with watched(config, store, quiet=quiet, as_json=as_json) as listener:
        tournament = Tournament(config, store, listener)
        workers = workers_of(config, listener.warned)
        interrupted = interruptible(lambda: tournament.run(workers.executor, workers.halt, workers.jobs))
    if not quiet:
        for name, state in tournament.states().items():
            if state.done:
                print(f"{name}: {state.reason}")
    return interrupted


def interruptible(run: Callable[[], None]) -> bool:
    """Run until the end, or until Ctrl-C, SIGTERM or the end of the terminal, which ends the workers.

    Returns:
        Whether it was interrupted; then a second signal ends this process at once.
    """
    # What is ignored stays so: `nohup` means it.
    caught = [number for number in ENDING_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, _interrupt) for number in caught}
    try:
        run()
    except KeyboardInterrupt:
        stop_workers()
        return True
    except BaseException:
        stop_workers(patient=True)
        raise
    finally:
        for number, handler in previous.items():
            if signal.getsignal(number) is _interrupt:
                signal.signal(number, handler)
    return False


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, _leave)
    raise KeyboardInterrupt


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Leave at once: somebody pressed Ctrl-C again. What is stored is on disk already."""
    os._exit(INTERRUPTED)
