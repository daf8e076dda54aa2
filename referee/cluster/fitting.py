"""Whether this machine has the bots of an order as the referee has them. Owns those checks; starts nothing."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.sandbox import check_bwrap
from referee.toml_reading import quoted

if TYPE_CHECKING:
    from referee.blocks import BlockOrder, BotSpec, Sandbox

__all__ = ["fitted"]


def fitted(order: BlockOrder, python: str) -> BlockOrder:
    """The order as this machine plays it.

    Args:
        order: As the referee has it.
        python: The Python that runs the referee; a bot's Python is then the one that runs this.

    Raises:
        RefereeError: A folder, a program or a file of a bot is not here, or another one.
    """
    _check_sandbox(order.limits.sandbox)
    return replace(order, bots=tuple(_fitted(spec, order.limits.sandbox, python) for spec in order.bots))


def _fitted(spec: BotSpec, sandbox: Sandbox, python: str) -> BotSpec:
    def refusal(problem: str) -> RefereeError:
        return RefereeError(f"bot {quoted(spec.name)}: {problem}")

    folder = Path(spec.folder)
    if not folder.is_dir():
        raise refusal(f"there is no folder {quoted(spec.folder)}")
    program = spec.command[0]
    if program == python:
        # What a box shows of a Python was found out on the referee's machine.
        if sandbox == "bwrap" and sys.executable != python:
            raise refusal(f'with sandbox = "bwrap" the Python must be {python}, and is {sys.executable}')
        program = sys.executable
    if not os.access(program, os.X_OK):
        raise refusal(f"there is no program {quoted(program)}")
    if sandbox == "bwrap":
        for path in spec.readable:
            if not os.path.lexists(path):
                raise refusal(f"there is no {quoted(path)}, which it sees in its box")
    for name, wanted in spec.files:
        file = folder / name
        try:
            stat = file.stat()
            found = _sha256(file, (stat.st_ino, stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            raise refusal(f"there is no file {quoted(str(file))}") from None
        except OSError as error:
            raise refusal(f"file {quoted(str(file))} cannot be read: {error.strerror}") from None
        if found != wanted:
            raise refusal(
                f"file {quoted(str(file))} differs from the referee's"
                f" (SHA-256 {found[:12]}… here, {wanted[:12]}… there)"
            )
    return replace(spec, command=(program, *spec.command[1:]))


# A block lasts some seconds, and a bot may have files of gigabytes: they are read again when they were written again.
@cache
def _sha256(path: Path, _state: tuple[int, ...]) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _check_sandbox(sandbox: Sandbox) -> None:
    if sandbox != "none" and not Path("/proc/self/stat").is_file():
        raise RefereeError(f'sandbox = "{sandbox}" needs /proc, which this system has not')
    if sandbox == "bwrap":
        check_bwrap()
