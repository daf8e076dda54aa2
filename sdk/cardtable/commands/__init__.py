"""The commands of `cardtable`, each in a module of its own that adds its parser and does its work.

A command returns its status; what the user can mend is a `UsageError`, one line and status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from contextlib import suppress

from cardtable.version import VERSION

__all__ = ["BAD_INPUT", "INTERRUPTED", "UsageError", "main"]

#: The status of bad input, and of Ctrl-C.
BAD_INPUT, INTERRUPTED = 2, 130

_EXAMPLE = """\
Example, from nothing to a bot that plays:
  cardtable new my_bot
  cd my_bot
  cardtable play --bot ./my_bot.py --game trix
`cardtable COMMAND --help` tells the rest."""


class UsageError(ValueError):
    """Something that the user can mend; its text is one line: what is wrong, what would be right."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help whose prose is as wide as the screen, and whose examples stand as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n  " in text:
            return super()._fill_text(text, width, indent)
        return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent)


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its status."""
    from cardtable.commands import check, completion, debug, new, play

    parser = argparse.ArgumentParser(
        prog="cardtable",
        description="Tools for authors of bots for Trix and Vytrix.",
        epilog=_EXAMPLE,
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", version=f"cardtable {VERSION}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    new.add_to(commands)
    play.add_to(commands)
    debug.add_to(commands)
    check.add_to(commands)
    completion.add_to(commands)
    for command in commands.choices.values():
        command.formatter_class = _Help
    asked = parser.parse_args(arguments)
    if not hasattr(asked, "run"):
        parser.print_help()
        return BAD_INPUT
    try:
        status: int = asked.run(asked)
        sys.stdout.flush()
    except UsageError as error:
        print(f"cardtable: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough; what is left in the buffer would fail again at the end.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
