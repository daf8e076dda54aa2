"""How a bot's program is started: its command, its folder, its whole environment. Starts nothing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from cardtable.command_line import split_command
from cardtable.environment import bot_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Boxing", "CommandError", "Program", "program_of"]

#: Programs that mean the Python that runs this, as with the referee.
_PYTHON: Final = frozenset({"python", "python3"})
#: From the referee's address and the bot's environment to the command and the environment that are really used.
Boxing: TypeAlias = Callable[[str, dict[str, str]], tuple[tuple[str, ...], dict[str, str]]]


class CommandError(ValueError):
    """The command names nothing that could be started."""


@dataclass(frozen=True, slots=True)
class Program:
    """A bot's program.

    Args:
        command: Program, found, and arguments.
        folder: Where it runs; absolute.
        environment: Its own variables.
        boxed: Puts the command into a sandbox, when it is started: the one place where a command may get a prefix.
    """

    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    boxed: Boxing | None = None

    def start_of(self, address: str, token: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """The command and the whole environment of a process that joins there with this token."""
        environment = bot_environment(self.environment, address, token, os.environ)
        return (self.command, environment) if self.boxed is None else self.boxed(address, environment)


def program_of(text: str, folder: Path | None = None) -> Program:
    """The program of a command as the referee finds it: split as a shell splits it, with no shell.

    Args:
        text: The command; ``python`` and ``python3`` mean the Python that runs this.
        folder: Where it runs; default: where we are.

    Raises:
        CommandError: There is no such program.
    """
    folder = (folder or Path()).absolute()
    try:
        command = split_command(text)
    except ValueError as error:
        raise CommandError(f"the command {error}") from None
    if not command or not command[0]:
        raise CommandError("the command is empty")
    if "\0" in text:
        raise CommandError("the command contains a NUL character")
    return Program((_found(command[0], folder), *command[1:]), folder)


def _found(program: str, folder: Path) -> str:
    if program in _PYTHON:
        return sys.executable
    if "/" in program:
        place = folder / program
        if place.is_dir():
            raise CommandError(f"{program!r} is a folder, not a program")
        if not place.is_file():
            raise CommandError(f"there is no program {program!r}")
        if not os.access(place, os.X_OK):
            raise CommandError(f"{program!r} may not be executed; try chmod +x")
        return str(place)
    found = shutil.which(program)
    if found is None:
        hint = f"; for the file in this folder write './{program}'" if (folder / program).is_file() else ""
        raise CommandError(f"there is no program {program!r} on PATH{hint}")
    return str(Path(found).absolute())
