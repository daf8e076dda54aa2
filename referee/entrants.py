"""What a tournament file says of one bot, checked: how it is started, and what it consists of.

Owns the `Entrant`, the search for its program, and the hashes of its files. Starts nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardtable.command_line import split_command
from referee.blocks import BotSpec
from referee.toml_reading import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.toml_reading import Table

__all__ = [
    "BOT_KEYS",
    "LONGEST_NAME",
    "Entrant",
    "checked_name",
    "hash_of",
    "is_file",
    "is_folder",
    "name_key",
    "numbered",
    "read_entrant",
]

#: Keys of a [[bot]].
BOT_KEYS: Final = (
    "name",
    "command",
    "folder",
    "files",
    "readable",
    "environment",
    "remote",
    "competitions",
)
#: Of what the referee starts itself.
_LOCAL_KEYS: Final = ("command", "folder", "files", "readable", "environment")
#: Characters in a name, at most.
LONGEST_NAME: Final = 64

#: Programs that mean the Python that runs the referee, so that bots find the same packages.
_PYTHON: Final = frozenset({"python", "python3"})
#: Control characters, surrogates, line and paragraph separators.
_UNSEEN: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
#: They turn the direction of writing and would garble every table.
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot of a tournament, a [[bot]] of its file.

    Args:
        name: `name`: unique, also when case is ignored; 64 characters at most; kept in Unicode's NFC.
        command: `command` as it is written; empty with `remote = true`, for a bot that its owner starts elsewhere and
            that dials in. A list, or a text that is split as a shell splits it. No shell is
            used. ``python`` and ``python3`` always mean the Python that runs the referee; a program with a slash
            is looked for in the folder, any other one on PATH.
        spec: How it is started: its program found, its `folder` (default: the file's folder) absolute, its
            `environment`, and `readable`: further files and folders, from its folder, that it sees in a box.
        files: Each file of `files` with its SHA-256, sorted. `files` are names or globs (``**`` too) relative to
            the folder; default: those parts of the command that are files, seen from the folder. ``__pycache__``
            and ``*.pyc`` never count.
        competitions: `competitions`: in which it plays; default: in all.
    """

    name: str
    command: tuple[str, ...]
    spec: BotSpec
    files: tuple[tuple[str, str], ...]
    competitions: tuple[str, ...]

    @property
    def sha256(self) -> str:
        """One hash over its command and its files, 64 hex digits."""
        return hash_of(self.command, self.files)


def hash_of(command: Sequence[str], files: Iterable[tuple[str, str]]) -> str:
    """What makes two entrants of one name the same: the SHA-256 of a command and of its files with their hashes."""
    content = json.dumps([list(command), [list(file) for file in files]], separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def read_entrant(table: Table, base: Path, competitions: tuple[str, ...]) -> Entrant:
    """Read and check one bot.

    Args:
        table: Its table.
        base: The folder from which relative paths count; absolute.
        competitions: Names of all competitions.

    Raises:
        ConfigError: Something of it cannot be.
    """
    table.only(BOT_KEYS)
    name = checked_name(table, "name", table.text("name"))
    if name is None:
        raise table.error(None, 'has no name; write name = "..."')
    if table.flag("remote", default=False):
        for key in _LOCAL_KEYS:
            if key in table.values:
                raise table.error(key, "is of no use to a remote bot, which its owner starts elsewhere")
        return Entrant(name, (), BotSpec(name, (), ""), (), _competitions(table, competitions))
    folder = _folder(table, base)
    environment = _environment(table)
    command = _command(table)
    path = dict(environment).get("PATH", os.environ.get("PATH"))
    program = _program(table, command[0], folder, path)
    _check_script(table, command, folder)
    readable = _readable(table, folder)
    files = _files(table, folder, command)
    spec = BotSpec(name, (program, *command[1:]), str(folder), environment, readable, files=files)
    return Entrant(name, command, spec, files, _competitions(table, competitions))


def checked_name(table: Table, key: str, name: str | None) -> str | None:
    """A name in Unicode's NFC, refused when it would garble a table; None stays None."""
    if name is None:
        return None
    name = unicodedata.normalize("NFC", name)
    if not name.strip():
        raise table.error(key, "is empty")
    if any(letter in _TURNING or unicodedata.category(letter) in _UNSEEN for letter in name):
        raise table.error(key, f"{quoted(name)} contains a control character")
    if name != name.strip():
        raise table.error(key, f"{quoted(name)} begins or ends with a space")
    if len(name) > LONGEST_NAME:
        raise table.error(key, f"has {len(name)} characters; {LONGEST_NAME} is the most")
    return name


def name_key(name: str) -> str:
    """What two names that pass for the same have in common."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def numbered(name: str, taken: Iterable[str]) -> str:
    """The name, with a number from 2 up when it is taken: ``trix``, ``trix-2``."""
    keys = {name_key(one) for one in taken}
    number, free = 1, name
    while name_key(free) in keys:
        number += 1
        free = f"{name}-{number}"
    return free


def is_file(path: Path) -> bool:
    """Whether there is such a file; a path that no system can have names none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is such a folder; a path that no system can have names none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _folder(table: Table, base: Path) -> Path:
    folder = base / (table.text("folder") or ".")
    if not is_folder(folder):
        raise table.error("folder", f"there is no folder {quoted(str(folder))}")
    return folder.resolve()


def _environment(table: Table) -> tuple[tuple[str, str], ...]:
    inner = table.table("environment")
    pairs = []
    for key in inner.values:
        value = inner.text(key) or ""
        if not key or "=" in key or "\0" in key or "\0" in value:
            raise inner.error(key, "is no name and value of an environment: empty name, = or NUL in it")
        if key in {"CARDTABLE_REFEREE", "CARDTABLE_TOKEN"}:
            raise inner.error(key, "is set by the referee")
        pairs.append((key, value))
    return tuple(pairs)


def _command(table: Table) -> tuple[str, ...]:
    value = table.values.get("command")
    if value is None:
        raise table.error(None, 'has no command; write command = ["python", "my_bot.py"]')
    if isinstance(value, str):
        try:
            command = tuple(split_command(value))
        except ValueError as error:
            raise table.error("command", str(error)) from None
    elif isinstance(value, list):
        command = table.texts("command") or ()
    else:
        raise table.error("command", 'is a list of texts or one text, such as ["python", "my_bot.py"]')
    if not command or not command[0]:
        raise table.error("command", "is empty")
    if any("\0" in part for part in command):
        raise table.error("command", "contains a NUL character")
    return command


def _program(table: Table, program: str, folder: Path, path: str | None) -> str:
    """The program's absolute path."""
    if program in _PYTHON:
        return sys.executable
    if "/" in program:
        place = folder / program
        if not is_file(place):
            raise table.error("command", f"there is no program {quoted(str(place))}")
        if not os.access(place, os.X_OK):
            raise table.error("command", f"{quoted(str(place))} may not be executed; try chmod +x")
        return str(place)
    found = shutil.which(program, path=path)
    if found is None:
        near = folder / program
        hint = f"; for the file in the bot's folder write {quoted('./' + program)}" if is_file(near) else ""
        raise table.error("command", f"there is no program {quoted(program)} on PATH{hint}")
    return str(Path(found).absolute())


def _check_script(table: Table, command: tuple[str, ...], folder: Path) -> None:
    """Refuse a script of Python that is not there; what other programs take nobody knows."""
    if command[0] in _PYTHON and len(command) > 1 and not command[1].startswith("-"):
        script = folder / command[1]
        if not is_file(script) and not is_folder(script):
            raise table.error("command", f"there is no script {quoted(str(script))}")


def _readable(table: Table, folder: Path) -> tuple[str, ...]:
    paths = []
    for name in table.texts("readable") or ():
        path = folder / name
        if not is_file(path) and not is_folder(path):
            raise table.error("readable", f"there is no file or folder {quoted(str(path))}")
        paths.append(os.path.normpath(path))
    return tuple(paths)


def _files(table: Table, folder: Path, command: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    patterns = table.texts("files")
    if patterns is None:
        # A bare program is found on PATH, also when a file of its name lies in the folder.
        parts = command if "/" in command[0] else command[1:]
        names = {part: folder / part for part in parts if part and is_file(folder / part)}
    else:
        names = {}
        for pattern in patterns:
            names.update(_matches(table, folder, pattern))
    return tuple((_spelled(name), _sha256(table, path)) for name, path in sorted(names.items()))


def _matches(table: Table, folder: Path, pattern: str) -> dict[str, Path]:
    """Files that a name or glob of `files` stands for, by their names in the folder."""
    # A name that happens to contain the signs of a glob, such as bot[1].py, comes first.
    if pattern and is_file(folder / pattern):
        return {pattern: folder / pattern}
    if pattern and is_folder(folder / pattern):
        inside = quoted(f"{pattern.rstrip('/')}/**/*")
        raise table.error("files", f"{quoted(pattern)} is a folder; for all files in it write {inside}")
    try:
        found = [path for path in folder.glob(pattern) if is_file(path)]
    except (OSError, ValueError, NotImplementedError):
        raise table.error("files", f"{quoted(pattern)} is no name or glob in the bot's folder") from None
    # Python writes these beside a bot while it plays.
    found = [path for path in found if path.suffix != ".pyc" and "__pycache__" not in path.parts]
    if not found:
        raise table.error("files", f"no file in {quoted(str(folder))} matches {quoted(pattern)}")
    return {path.relative_to(folder).as_posix(): path for path in found}


def _sha256(table: Table, path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise table.error("files", f"{quoted(str(path))} cannot be read: {error.strerror}") from None


def _spelled(name: str) -> str:
    """A file's name as text, also when it is no UTF-8."""
    return name.encode("utf-8", "backslashreplace").decode()


def _competitions(table: Table, competitions: tuple[str, ...]) -> tuple[str, ...]:
    chosen = table.texts("competitions")
    if chosen is None:
        return competitions
    if not chosen:
        raise table.error("competitions", "is empty; leave it out to play in all")
    known = {name_key(name): name for name in competitions}
    for name in chosen:
        if name_key(name) not in known:
            named = ", ".join(quoted(one) for one in competitions)
            raise table.error("competitions", f"there is no competition {quoted(name)}; there are {named}")
    keys = {name_key(name) for name in chosen}
    return tuple(name for name in competitions if name_key(name) in keys)
