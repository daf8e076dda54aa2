"""The box of a bot: what `bwrap` (bubblewrap) is told, so that a bot sees its own files and the referee's socket.

Inside are no network, a process table of its own, a read-only system, its files, and small private temporary
folders. Owns what a bot sees; starts nothing but the trial that says whether this machine can do it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.blocks import BotSpec

__all__ = ["boxed", "boxed_environment", "check_bwrap", "runtime_of"]

#: Of the system's settings, what programs need to be loaded and to tell the time; no names and no passwords.
_SETTINGS: Final = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
)
_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
#: In memory, and so beyond what is counted as a process's own.
_TEMPORARY_BYTES: Final = 64 << 20


def boxed(spec: BotSpec, address: str) -> tuple[str, ...]:
    """The command that runs a bot's command in its box.

    Args:
        spec: The bot.
        address: Where it joins; the only thing of the referee that it sees.
    """
    arguments = ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "bot"]
    arguments += _system()
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp"):  # noqa: S108 - both are the bot's own, made anew with each process
        arguments += ["--size", str(_TEMPORARY_BYTES), "--tmpfs", place]
    for path in spec.readable:
        arguments += ["--ro-bind", path, path]
    socket = address.removeprefix("unix:")
    arguments += ["--ro-bind", socket, socket]
    if spec.folder not in spec.readable:
        arguments += ["--dir", spec.folder]
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", spec.folder, "--"]
    return (*arguments, *spec.command)


def boxed_environment(environment: dict[str, str]) -> dict[str, str]:
    """An environment whose folders are those of the box."""
    kept = {name: value for name, value in environment.items() if name not in {"PYTHONPATH", "TMPDIR"}}
    return {**kept, "HOME": "/tmp"}  # noqa: S108 - the bot's own


def runtime_of(program: str) -> tuple[str, ...]:
    """What a program needs beside the system: itself, and of a Python its environment, library and our package.

    Args:
        program: Absolute path.
    """
    path = Path(program)
    found = [path, path.resolve()]
    root = path.parent.parent
    if (root / "pyvenv.cfg").is_file():
        found += [root, *_home_of(root / "pyvenv.cfg")]
    if program == sys.executable:
        found += [Path(sys.prefix), Path(sys.base_prefix)]
        spec = find_spec("cardtable")
        found += map(Path, (spec and spec.submodule_search_locations) or ())
    return without_inner(one for one in found if not _is_system(one))


def without_inner(paths: Iterable[Path]) -> tuple[str, ...]:
    """Each path once, without those that lie in another of them; outer ones first."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(outer) for outer in kept):
            kept.append(path)
    return tuple(map(str, kept))


def check_bwrap() -> None:
    """Try the box.

    Raises:
        RefereeError: This machine has no `bwrap`, or does not let it work.
    """
    if shutil.which("bwrap") is None:
        raise RefereeError('sandbox = "bwrap": there is no program bwrap; install the package bubblewrap')
    trial = ["bwrap", "--unshare-all", "--cap-drop", "ALL", *_system(), "--proc", "/proc", "--dev", "/dev"]
    done = subprocess.run([*trial, "--", "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2]
        raise RefereeError(f'sandbox = "bwrap": this system does not allow it: {said}')


def _system() -> list[str]:
    arguments = []
    for place in _SYSTEM:
        if os.path.islink(place):  # noqa: PTH114 - text in, text out
            arguments += ["--symlink", str(Path(place).readlink()), place]
        elif Path(place).is_dir():
            arguments += ["--ro-bind", place, place]
    for place in _SETTINGS:
        arguments += ["--ro-bind-try", place, place]
    return arguments


def _is_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _SYSTEM)


def _home_of(config: Path) -> list[Path]:
    """The library of the Python that a virtual environment was made from."""
    for line in config.read_text(errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return [Path(value.strip()).parent]
    return []
