"""`tourney`: the organiser's command. Bad input ends with one line and status 2, never with a traceback."""

from __future__ import annotations

import os
import sys

from typer.exceptions import TyperException

__all__ = ["main"]

#: The status of bad input, of a record that is wrong, and of Ctrl-C.
BAD_INPUT, WRONG, INTERRUPTED = 2, 1, 130


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave the process with its status."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its status."""
    from referee.cli.app import app
    from referee.errors import RefereeError

    try:
        status = app(arguments, prog_name="tourney", standalone_mode=False)
    except TyperException as error:
        message = error.format_message().replace("\n", " ")
        if message:
            print(f"tourney: {message} (tourney --help)", file=sys.stderr)
        return BAD_INPUT
    except RefereeError as error:
        print(f"tourney: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough; nothing more may be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return int(status or 0)
