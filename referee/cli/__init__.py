"""`tourney`: the organiser's command. Bad input ends with one line and status 2, never with a traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["main"]

#: The status of bad input, of a record that is wrong, and of Ctrl-C.
BAD_INPUT, WRONG, INTERRUPTED = 2, 1, 130
#: After so long Python has left what cannot be interrupted.
_AGAIN_SECONDS = 0.02


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave the process with its status."""
    sys.unraisablehook = _press_again
    try:
        status = run(arguments)
    except KeyboardInterrupt:  # while what a command needs is imported
        status = INTERRUPTED
    if status == INTERRUPTED:
        # Ctrl-C can leave a lock of the pool's threads taken for ever, and an orderly end would wait for them.
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)
    sys.exit(status)


def _press_again(unraisable: UnraisableHookArgs) -> None:
    """Have a Ctrl-C heard that came within a callback of the garbage collector, where Python drops what is raised."""
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)
        return
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    again = threading.Timer(_AGAIN_SECONDS, signal.pthread_kill, (main_thread, signal.SIGINT))
    again.daemon = True
    again.start()


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its status."""
    if sys.stdout is None:  # it was closed by whoever started us
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115 - lives as long as the process
    from typer.exceptions import TyperException

    from referee.cli.app import app
    from referee.database.address import is_url, masked
    from referee.errors import RefereeError

    try:
        status = app(arguments, prog_name="tourney", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        message = error.format_message()
        for word in sys.argv[1:] if arguments is None else arguments:
            # Of whatever is wrong with an address, its password is not shown.
            message = message.replace(word, masked(word)) if is_url(word) else message
        if message:
            context = getattr(error, "ctx", None)
            help_of = context.command_path if context else "tourney"
            print("tourney:", message.replace("\n", " "), f"({help_of} --help)", file=sys.stderr)
        return BAD_INPUT
    except RefereeError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough.
        _silence()
        return 0
    except OSError as error:
        _silence()
        return _refuse(f"{error.filename or 'the output'}: {error.strerror or error}")
    return int(status or 0)


def _refuse(message: str) -> int:
    print("tourney:", message.replace("\n", "\\n"), file=sys.stderr)
    return BAD_INPUT


def _silence() -> None:
    """Write nothing more: what is left in the buffer would fail again when the process ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
