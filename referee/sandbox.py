"""The box of a bot: what `bwrap` (bubblewrap) is told, so that a bot sees its own files and the referee's socket.

Inside are no network, a process table of its own, a read-only system, its files, and small private temporary
folders. Owns what a bot sees; starts nothing but the trial that says whether this machine can do it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.blocks import BotSpec

__all__ = ["boxed", "boxed_environment", "check_bwrap", "in_box", "runtime_of", "without_inner"]

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
    arguments = [*_walls(), "--die-with-parent", "--hostname", "bot"]
    for place in ("/dev/shm", "/tmp"):  # noqa: S108 - both are the bot's own, made anew with each process
        arguments += ["--size", str(_TEMPORARY_BYTES), "--tmpfs", place]
    for path in spec.readable:
        arguments += ["--ro-bind", path, path]
    socket = address.removeprefix("unix:")
    arguments += ["--ro-bind", socket, socket]
    if spec.folder not in spec.readable:
        arguments += ["--dir", spec.folder]
    for name, value in spec.environment:
        if _is_of_loader(name):
            arguments += ["--setenv", name, value]
    arguments += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", spec.folder, "--"]
    return (*arguments, *spec.command)


def in_box(
    spec: BotSpec, address: str, environment: dict[str, str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The command and the environment of a bot that runs in its box."""
    return boxed(spec, address), boxed_environment(environment)


def boxed_environment(environment: dict[str, str]) -> dict[str, str]:
    """An environment whose folders are those of the box, without what would load a bot's code outside of it."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in {"PYTHONPATH", "TMPDIR"} and not _is_of_loader(name)
    }
    return {**kept, "HOME": "/tmp"}  # noqa: S108 - the bot's own


def runtime_of(program: str, folder: str | None = None) -> tuple[str, ...]:
    """What a program needs beside the system: itself, and of a Python its environment, library and our package.

    Args:
        program: Absolute path.
        folder: The bot's own, whose files say what its author likes and are not believed.
    """
    path = Path(program)
    found = [path, path.resolve()]
    root = path.parent.parent
    if (root / "pyvenv.cfg").is_file():
        found.append(root)
        if folder is None or not root.resolve().is_relative_to(Path(folder).resolve()):
            found += _home_of(root / "pyvenv.cfg")
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
    done = subprocess.run([*_walls(), "--", "true"], capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2]
        raise RefereeError(f'sandbox = "bwrap": this system does not allow it: {said}')


@cache
def _walls() -> tuple[str, ...]:
    """The program, by its place since a bot chooses its own PATH, and what every box has."""
    program = shutil.which("bwrap") or "bwrap"
    walls = [program, "--unshare-all", "--cap-drop", "ALL"]
    told = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    if "--disable-userns" in told.stdout + told.stderr:
        walls += ["--unshare-user", "--disable-userns"]
    # Root owns the switches of the kernel, also without any capability.
    walls += [*_system(), "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
    return (*walls, "--ro-bind-try", "/proc/sysrq-trigger", "/proc/sysrq-trigger", "--dev", "/dev")


def _is_of_loader(name: str) -> bool:
    """Whether a variable has the loader or the C library load something before a program begins."""
    return name.startswith("LD_") or name in {"GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH"}


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
