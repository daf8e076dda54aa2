"""`tourney test`: is the new version of a bot better than the old one?"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.catalog import game as game_of
from referee.boards import fold
from referee.cli import INTERRUPTED
from referee.cli.running import interruptible, options_of, with_jobs
from referee.config import quick
from referee.errors import RefereeError
from referee.executor import halt_workers, local_pool
from referee.report.tables import count
from referee.sequential import LEAST_BOARDS, StopRule, StopRuleError
from referee.standings import counted_games
from referee.tournament import Tournament, open_store
from referee.trial import trial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.config import Config
    from referee.database.address import StoreAddress
    from referee.sequential import Sprt
    from referee.store import Store
    from referee.tournament import Progress
    from referee.trial import Trial

__all__ = ["Question", "test_bots"]

_OPTION_OF = {"alpha": "--alpha", "points": "--margin", "max_boards": "--max-boards"}


@dataclass(frozen=True, slots=True)
class Question:
    """What the user asked for; see the options of `tourney test`."""

    new: str
    old: str
    game: str
    options: tuple[str, ...]
    alpha: float
    margin: float | None
    max_boards: int
    jobs: int | None
    store: StoreAddress | None
    as_json: bool


def test_bots(question: Question) -> int:
    """Play until the difference is certain, print the verdict and return the status.

    Raises:
        RefereeError: Something in the options is wrong; nothing was started.
    """
    rule = _rule(question)
    options = options_of(question.options)
    if "teams" in options:
        raise RefereeError(
            '--option teams: the two bots share each table, as with teams = "same", and not otherwise'
        )
    config = quick(
        question.game,
        [_command(question.new), _command(question.old)],
        question.max_boards,
        variant={**options, "teams": "same"},
    )
    config = replace(with_jobs(config, question.jobs), stop=rule)
    new, old = (one.name for one in config.entrants)
    (competition,) = config.competitions
    with _place(question.store) as path:
        config = replace(config, store=path)
        store, _ = open_store(config)
        with store:
            if not question.as_json:
                title = game_of(competition.game).title_of(competition.variant)
                print(
                    f"{new} against {old}: {title}, boards of {count(competition.plan.seatings, 'seating')},"
                    f" at most {count(question.max_boards, 'board')}",
                    flush=True,
                )
            with store.run():
                told = _Told(quiet=question.as_json)
                tournament = told.tournament = Tournament(config, store, told)
                interrupted = interruptible(
                    lambda: tournament.run(lambda: local_pool(config.jobs), halt_workers)
                )
            _print(question, config, store, new, old)
    return INTERRUPTED if interrupted else 0


def _rule(question: Question) -> StopRule:
    most = question.max_boards
    if most < LEAST_BOARDS:
        raise RefereeError(f"--max-boards {most}: nothing is decided by fewer than {LEAST_BOARDS} boards")
    try:
        return StopRule("separated", question.alpha, most, question.margin)
    except StopRuleError as error:
        raise RefereeError(f"{_OPTION_OF[error.field]} {error.problem}") from None


def _command(text: str) -> str:
    """A command as it is; one word that is no program stands for a script of that name."""
    if " " in text.strip() or "/" in text or shutil.which(text):
        return text
    tried = [
        Path(folder) / f"{text}{ending}" for folder in (".", "examples") for ending in (".py", "_bot.py")
    ]
    for script in tried:
        if script.is_file():
            return f"python3 {script}"
    raise RefereeError(
        f"{text!r} is no command, and there is no script {', '.join(map(str, tried[:-1]))} or {tried[-1]}"
    )


@contextmanager
def _place(store: StoreAddress | None) -> Iterator[StoreAddress]:
    if store is not None:
        yield store.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="tourney-test-") as folder:
        yield Path(folder) / "test.db"


def _print(question: Question, config: Config, store: Store, new: str, old: str) -> None:
    (competition,) = config.competitions
    games = counted_games(store)
    groups = game_of(competition.game).groups(competition.variant)
    boards = fold(games, groups, competition.plan.seatings)
    assert config.stop is not None
    found = trial(boards, new, old, competition.score, config.stop)
    times: dict[str, list[float]] = {new: [0.0, 0.0], old: [0.0, 0.0]}
    for game in games:
        for name, charged, decisions in zip(game.seats, game.charged_ms, game.decisions, strict=True):
            times[name][0] += charged
            times[name][1] += decisions
    per_move = {
        name: charged / decisions if decisions else None for name, (charged, decisions) in times.items()
    }
    faults = {name: sum(fault.entrant == name for fault in store.faults()) for name in (new, old)}
    if question.as_json:
        print(
            json.dumps(
                {
                    "new": new,
                    "old": old,
                    **asdict(found),
                    "games": len(games),
                    "alpha": question.alpha,
                    "margin": question.margin,
                    "ms_per_move": per_move,
                    "faults": faults,
                },
                ensure_ascii=False,
            )
        )
        return
    unit = "points" if competition.score == "points" else "places"
    print(_sentence(found, new, old, unit, question.margin))
    print("  " + "; ".join(_of_bot(name, per_move[name], faults[name]) for name in (new, old)))
    if found.sprt is not None:
        print(f"  {_of_sprt(found.sprt, question.margin, unit)}")
    if question.store is not None:
        print(f"  The games are in {question.store}.")


def _sentence(found: Trial, new: str, old: str, unit: str, margin: float | None) -> str:
    over = f"over {count(found.boards, 'board')}"
    if found.gain is None or found.gain.half_width is None:
        return f"Undecided: too little is known {over}."
    gain = f"{found.gain.mean:+.2f} ± {found.gain.half_width:.2f} {unit} a game {over}"
    chance = "" if found.superiority is None else f", chance of being better {found.superiority:.1%}"
    match found.verdict:
        case "equal":
            return f"Equal: {new} and {old} differ by less than {margin:g} {unit} a game: {gain}."
        case "undecided":
            return f"Undecided: {new} {gain}{chance}."
        case word:
            return f"{word.capitalize()}: {new} is {word} than {old}: {gain}{chance}."


def _of_bot(name: str, per_move: float | None, faults: int) -> str:
    time = "asked nothing" if per_move is None else f"{per_move:.2f} ms a move"
    return f"{name}: {time}" + (f", {count(faults, 'fault')}" if faults else "")


def _of_sprt(test: Sprt, margin: float | None, unit: str) -> str:
    ends = {None: "open", 0: "accepts 0", 1: f"accepts {margin:+g}"}[test.accepted]
    return (
        f"SPRT of {margin:+g} against 0 {unit} a game: LLR {test.ratio:+.2f} between {test.lower:.2f} and"
        f" {test.upper:+.2f}, {ends}"
    )


class _Told:
    """Prints what is known so far, each time more is looked at."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._boards = 0
        self.tournament: Tournament | None = None

    def progressed(self, progress: Progress) -> None:
        """Games have been stored."""
        if self._quiet or self.tournament is None:
            return
        for state in self.tournament.states().values():
            for known in state.intervals.values():
                if known.boards > self._boards and known.half_width is not None:
                    self._boards = known.boards
                    print(
                        f"  {count(known.boards, 'board')}: {known.mean:+.2f} ± {known.half_width:.2f},"
                        f" {progress.per_second:.1f} games/s",
                        flush=True,
                    )

    def warned(self, message: str) -> None:
        """Something went wrong and the run goes on."""
        print(f"tourney: {message}", file=sys.stderr, flush=True)
