"""`tourney run`: the plan first, then the run, then the tables."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from cardtable.catalog import game as game_of
from referee.cli import INTERRUPTED
from referee.cli.results import print_tables
from referee.config import load, quick
from referee.errors import RefereeError
from referee.executor import local_pool, stop_workers
from referee.tournament import Tournament, commitment, open_store, plan_of

if TYPE_CHECKING:
    from pathlib import Path
    from types import FrameType

    from referee.config import Config
    from referee.store import Store
    from referee.tournament import Progress

__all__ = ["Request", "run_tournament"]

#: Seconds between two lines of progress.
QUIET_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for; see the options of `tourney run`."""

    file: Path | None
    game: str | None
    bots: tuple[str, ...]
    options: tuple[str, ...]
    boards: int
    store: Path | None
    jobs: int | None
    dry_run: bool
    extend: bool
    as_json: bool


def run_tournament(request: Request) -> int:
    """Run or go on, and return the status.

    Raises:
        RefereeError: Something in the file, the options or the store is wrong; nothing was started or lost.
    """
    config = _config(request)
    if not config.store.parent.is_dir() or config.store.is_dir():
        raise RefereeError(f"{config.store} cannot be a store: it must be a file in a folder that exists")
    _print_plan(config, as_json=request.as_json)
    if request.dry_run:
        return 0
    store, there = open_store(config, extend=request.extend)
    with store:
        with store.run():
            if not request.as_json:
                print(f"{'Going on with' if there else 'Results go to'} {store.path}")
                print(f"Seed and entrants are committed to by {store.info().commitment}", flush=True)
            interrupted = _play(config, store, quiet=request.as_json)
            if not interrupted:
                seed = store.reveal_seed().hex()
                if not request.as_json:
                    print(f"The seed was {seed}")
        print_tables(store, as_json=request.as_json)
    return INTERRUPTED if interrupted else 0


def _config(request: Request) -> Config:
    if request.file is not None and (request.game or request.bots or request.options):
        raise RefereeError("a tournament file and --game, --bot or --option do not go together")
    if request.file is not None:
        config = load(request.file)
    elif request.game is not None:
        config = quick(request.game, request.bots, request.boards, variant=_options(request.options))
    else:
        raise RefereeError("name a tournament file, or --game and --bot; see tourney run --help")
    if request.jobs is not None:
        if request.jobs < 1:
            raise RefereeError(f"--jobs {request.jobs}: there must be at least one worker")
        config = replace(config, jobs=request.jobs)
    if request.store is not None:
        config = replace(config, store=request.store.absolute())
    return config


def _options(texts: tuple[str, ...]) -> dict[str, object]:
    """Options of a variant from NAME=VALUE; whole numbers, true and false mean themselves."""
    options: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise RefereeError(f"--option {text}: an option is NAME=VALUE, such as players=4")
        words: dict[str, object] = {"true": True, "false": False}
        if name in options:
            raise RefereeError(f"--option {text}: {name} stands twice")
        options[name] = int(value) if value.isdecimal() else words.get(value, value)
    return options


def _print_plan(config: Config, *, as_json: bool) -> None:
    plans = [(one, plan_of(one)) for one in config.competitions]
    if as_json:
        entry = [
            {"competition": one.name, "game": one.game, **_certificate(plan.certificate())}
            for one, plan in plans
        ]
        print(json.dumps({"plan": entry}), flush=True)
        return
    print(f"{config.name}: {len(config.entrants)} entrants, {config.jobs} workers")
    for one, plan in plans:
        certificate = plan.certificate()
        title = game_of(one.game).title_of(one.variant)
        print(
            f"  {one.name}: {title}; {certificate.boards:,} boards of {plan.seatings} seatings,"
            f" {certificate.games:,} games, by {one.score}"
        )
        print(
            f"    pairs meet {_span(certificate.meetings)} times, a seat is taken {_span(certificate.seats)} times,"
            f" boards sat out {_span(certificate.sit_outs)}"
        )
    if config.seed.master is None:
        print("  The seed is drawn here; docs/organiser.md shows how to prove that it was not drawn twice.")
    else:
        promised = commitment(config.seed.master, config)
        print(f"  The seed stands in the file: who reads the file knows the deals. Commitment {promised}")


def _certificate(certificate: object) -> dict[str, object]:
    from dataclasses import asdict

    return asdict(certificate)  # type: ignore[call-overload, no-any-return] # a dataclass


def _span(counts: tuple[int, int]) -> str:
    return f"{counts[0]:,}" if counts[0] == counts[1] else f"{counts[0]:,} to {counts[1]:,}"


def _play(config: Config, store: Store, *, quiet: bool) -> bool:
    """Play what is left; return whether the run was interrupted."""
    printer = _Printer(quiet=quiet)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        Tournament(config, store, printer).run(lambda: local_pool(config.jobs))
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, _leave)
        stop_workers()
        print("tourney: interrupted; the same command goes on from here", file=sys.stderr)
        return True
    except BaseException:
        stop_workers()
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)
    return False


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _leave(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Leave at once: somebody pressed Ctrl-C again. What is stored is on disk already."""
    os._exit(INTERRUPTED)


class _Printer:
    """Prints how the run goes on, a line every two seconds and at the end of a competition."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._last = time.monotonic()

    def progressed(self, progress: Progress) -> None:
        now = time.monotonic()
        done = progress.games == progress.planned
        if self._quiet or not progress.per_second or (now - self._last < QUIET_SECONDS and not done):
            return
        self._last = now
        left = (progress.planned - progress.games) / progress.per_second
        faults = f", {progress.faults} faults" if progress.faults else ""
        print(
            f"{progress.competition}: {progress.games:,} of {progress.planned:,} games,"
            f" {progress.per_second:.1f} games/s{faults}"
            + ("" if done else f", about {_duration(left)} left"),
            flush=True,
        )

    def warned(self, message: str) -> None:
        print(f"tourney: {message}", file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
