"""`tourney check`: are the bots fit for a tournament? The checks are the library's, `cardtable.conformance`.

Owns what a tournament file means for them: whom to check, with what, and under which clocks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.catalog import GAMES
from cardtable.conformance import (
    Check,
    CommandError,
    Limits,
    Match,
    Program,
    Report,
    check_lines,
    ending_lines,
    examine,
    program_of,
)
from referee.config import load
from referee.entrants import name_key
from referee.errors import RefereeError
from referee.sandbox import check_bwrap, in_box
from referee.toml_reading import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.blocks import BotSpec
    from referee.config import Config
    from referee.entrants import Entrant

__all__ = ["Wanted", "check_bots", "program_of_spec"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for.

    Args:
        what: A tournament file, or a command.
        bot: Of a file only this one.
        game: Only this game.
        games: How many of each variant.
        start_seconds, move_ms: In place of the file's, or the defaults.
        as_json: Whether for a program.
    """

    what: str
    bot: str | None
    game: str | None
    games: int
    start_seconds: float | None
    move_ms: int | None
    as_json: bool


def check_bots(wanted: Wanted) -> int:
    """Check the bot of a command or those of a file, print what was found and return the status.

    Raises:
        RefereeError: Nothing can be checked as it was asked for.
    """
    if wanted.game is not None and wanted.game not in GAMES:
        raise RefereeError(
            f"unknown game {quoted(wanted.game)}; {nearest(wanted.game, GAMES, 'the games are')}"
        )
    if wanted.what.endswith(".toml"):
        return _check_file(wanted)
    if wanted.bot is not None:
        raise RefereeError(
            f"{quoted(wanted.bot)} names a bot of a tournament file, and {quoted(wanted.what)} is none;"
            " a command with arguments is written in quotation marks"
        )
    try:
        program = program_of(wanted.what)
    except CommandError as error:
        raise RefereeError(str(error)) from None
    report = _examine(program, wanted, _clocks(Limits(), wanted), None)
    print(json.dumps(report.as_json(), ensure_ascii=False) if wanted.as_json else ending_lines(report))
    return 0 if report.is_ok else 1


def _check_file(wanted: Wanted) -> int:
    config = load(Path(wanted.what))
    chosen = _chosen(config, wanted.bot)
    if config.limits.sandbox == "bwrap" and any(not entrant.spec.is_remote for entrant in chosen):
        check_bwrap()
    reports: dict[str, Report | None] = {}
    whys: dict[str, str] = {}
    for entrant in chosen:
        report = None
        matches = _matches(config, entrant, wanted.game)
        if entrant.spec.is_remote:
            found = "remote: its owner starts it elsewhere, so it is not checkable here; `cardtable check` is for its owner"
        elif not matches:
            found = "plays in no competition" + (f" of {wanted.game}" if wanted.game else "")
        else:
            found = ""
        if not wanted.as_json:
            print(f"{entrant.name}: {found}" if found else entrant.name, flush=True)
        if not found:
            program = program_of_spec(entrant.spec, is_boxed=config.limits.sandbox == "bwrap")
            report = _examine(program, wanted, _clocks(_limits(config), wanted), matches)
        reports[entrant.name], whys[entrant.name] = report, found
        if not wanted.as_json:
            print(f"{ending_lines(report)}\n" if report else "", flush=True)
    is_ok = all(report is None or report.is_ok for report in reports.values())
    if wanted.as_json:
        bots = [
            {"bot": name, **(report.as_json() if report else {"ok": None, "why_not": whys[name]})}
            for name, report in reports.items()
        ]
        print(json.dumps({"ok": is_ok, "bots": bots}, ensure_ascii=False))
    else:
        print(_summary(reports))
    return 0 if is_ok else 1


def _examine(program: Program, wanted: Wanted, limits: Limits, matches: Sequence[Match] | None) -> Report:
    def tell(check: Check) -> None:
        if not wanted.as_json:
            print(check_lines(check), flush=True)

    try:
        return examine(
            program, limits=limits, game=wanted.game, games=wanted.games, matches=matches, tell=tell
        )
    except OSError as error:
        raise RefereeError(f"{program.command[0]} cannot be started: {error.strerror or error}") from None


def _chosen(config: Config, bot: str | None) -> tuple[Entrant, ...]:
    if bot is None:
        return config.entrants
    chosen = tuple(one for one in config.entrants if name_key(one.name) == name_key(bot))
    if not chosen:
        names = [one.name for one in config.entrants]
        raise RefereeError(f"{config.path} has no bot {quoted(bot)}; {nearest(bot, names, 'there are')}")
    return chosen


def _matches(config: Config, entrant: Entrant, game: str | None) -> list[Match]:
    """What a bot will have to play, each variant once."""
    found: dict[tuple[object, ...], Match] = {}
    for one in config.competitions:
        if entrant.name in one.entrants and game in {None, one.game}:
            key = (one.game, one.variant, one.ask_forced, one.score, one.show_names)
            match = Match(one.game, one.options, one.ask_forced, one.score, one.show_names, title=one.name)
            found.setdefault(key, match)
    return list(found.values())


def program_of_spec(spec: BotSpec, *, is_boxed: bool) -> Program:
    """A bot of a tournament file, as the library starts programs."""
    box = partial(in_box, spec) if is_boxed else None
    return Program(spec.command, Path(spec.folder), dict(spec.environment), box)


def _limits(config: Config) -> Limits:
    clocks = config.limits
    return Limits(
        clocks.start_seconds,
        clocks.first_move_seconds,
        clocks.move_ms,
        clocks.game_seconds,
        clocks.margin_ms,
        clocks.stop_seconds,
    )


def _clocks(limits: Limits, wanted: Wanted) -> Limits:
    if wanted.start_seconds is not None:
        limits = replace(limits, start_seconds=wanted.start_seconds, first_move_seconds=wanted.start_seconds)
    return limits if wanted.move_ms is None else replace(limits, move_ms=wanted.move_ms)


def _summary(reports: dict[str, Report | None]) -> str:
    unfit = [name for name, report in reports.items() if report is not None and not report.is_ok]
    looked_at = sum(report is not None for report in reports.values())
    others = len(reports) - looked_at
    left = f" {others} not checked." if others else ""
    if unfit:
        return f"{len(unfit)} of {looked_at} bots not fit: {', '.join(unfit)}.{left}"
    return f"{looked_at} of {looked_at} bots fit.{left}"
