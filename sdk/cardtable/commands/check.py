"""`cardtable check`: is the bot fit for a tournament?"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from cardtable.catalog import GAMES
from cardtable.commands import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["add_to"]

_ABOUT = """\
Start the bot as the referee would and check that it joins in time, plays whole games of every game and variant that
it claims, answers batches, goes on when the house has decided for it, goes on in mid-game after a restart, and ends
with its stream. Status 0 when all checks hold, 1 when one fails, 2 for bad input."""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "check",
        help="check that a bot is fit for a tournament",
        description=_ABOUT,
        epilog="Example: cardtable check 'python my_bot.py' --game trix",
    )
    parser.add_argument("command", metavar="'COMMAND'", help="how the bot is started; no shell is used")
    parser.add_argument("--game", choices=sorted(GAMES), help="check this game only")
    parser.add_argument("--games", type=_at_least(int, 1), default=2, help="games of each variant (2)")
    parser.add_argument(
        "--start-seconds",
        type=_at_least(float, 0.1),
        default=30.0,
        help="for its Join, and for the first decision of a process (30)",
    )
    parser.add_argument("--move-ms", type=_at_least(int, 1), default=5000, help="for a decision (5000)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_check)


def _check(asked: argparse.Namespace) -> int:
    from cardtable.conformance import CommandError, Limits, check_lines, ending_lines, examine, program_of

    limits = Limits(asked.start_seconds, asked.start_seconds, asked.move_ms)
    try:
        report = examine(
            program_of(asked.command),
            limits=limits,
            game=asked.game,
            games=asked.games,
            tell=lambda check: None if asked.json else print(check_lines(check), flush=True),
        )
    except CommandError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"the bot cannot be started: {error.strerror or error}") from None
    print(json.dumps(report.as_json(), ensure_ascii=False) if asked.json else ending_lines(report))
    return 0 if report.is_ok else 1


def _at_least(kind: Callable[[str], float], least: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = kind(text)
        if not least <= number <= 1e9:
            raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
        return number

    read.__name__ = "number"
    return read
