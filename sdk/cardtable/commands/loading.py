"""The bots that are named at the command line: a file of Python with a class in it, or an example by its name.

Owns the loading of such files, again and again while their author edits them. Plays nothing.
"""

from __future__ import annotations

import linecache
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

from cardtable.bot import Bot, games_of
from cardtable.commands import UsageError
from cardtable.examples import NAMES, example

__all__ = ["NamedBot", "load_bot"]

#: Modules that the last files have brought: those of another folder may have the same names.
_brought: Final[set[str]] = set()


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A bot as it was named.

    Args:
        text: Its name at the command line, such as ``./my_bot.py:MyBot`` or ``greedy``.
        bot: Its class.
        path: Its file; None for an example.
    """

    text: str
    bot: type[Bot]
    path: Path | None


def load_bot(text: str) -> NamedBot:
    """The bot of this name, as its file is now.

    Args:
        text: An example's name, or a file, perhaps with ``:`` and the name of a class.

    Raises:
        UsageError: There is no such bot, or its file cannot be loaded.
    """
    if text in NAMES:
        return NamedBot(text, example(text), None)
    file, wanted = _split(text)
    path = Path(file)
    if not path.is_file():
        what = f"{text}: is a folder" if path.is_dir() else f"{text}: there is no such file"
        what = what if text else "a bot without a name"
        raise UsageError(f"{what}; a bot is a file such as ./my_bot.py, or one of {', '.join(NAMES)}")
    if path.suffix != ".py":
        raise UsageError(f"{file}: no file of Python; bots in other languages play in `tourney run`")
    module = _module_of(path)
    bot = _class_in(module, file, wanted)
    try:
        games_of(bot)
    except TypeError as error:
        raise UsageError(f"{file}: {error}") from None
    return NamedBot(text, bot, path)


def _split(text: str) -> tuple[str, str]:
    file, colon, wanted = text.rpartition(":")
    return (file, wanted) if colon and file and wanted.isidentifier() else (text, "")


def _module_of(path: Path) -> ModuleType:
    """The file, run as Python runs a program's modules: from its own folder."""
    folder = str(path.parent.resolve())
    for name in _brought:
        sys.modules.pop(name, None)
    _brought.clear()
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
    linecache.checkcache()
    name = path.stem if path.stem not in sys.modules else f"{path.stem} (bot)"
    module = ModuleType(name)
    module.__file__ = str(path)
    there = set(sys.modules)
    sys.modules[name] = module
    # A file that is edited and loaded again within a second has the age of its bytecode.
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # noqa: S102 - it is the author's own
    except SystemExit:
        raise UsageError(
            f'{path}: ends the program when it is loaded; write run(...) below if __name__ == "__main__":'
        ) from None
    except Exception as error:
        raise UsageError(f"{path}: cannot be loaded: {_where(error, path)}") from None
    finally:
        sys.dont_write_bytecode = writes_none
        _brought.update(
            one for one, loaded in sys.modules.items() if one not in there and _is_in(loaded, folder)
        )
    return module


def _is_in(module: ModuleType | None, folder: str) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and str(Path(file).resolve()).startswith(folder) and "site-packages" not in file


def _where(error: Exception, path: Path) -> str:
    said = " ".join(traceback.format_exception_only(error)[-1].split())
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {said}"
    lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == str(path)]
    return f"line {lines[-1]}: {said}" if lines else said


def _class_in(module: ModuleType, file: str, wanted: str) -> type[Bot]:
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    }
    if wanted:
        if wanted not in classes:
            there = f"there is {', '.join(classes)}" if classes else "there is none"
            raise UsageError(f"{file} has no bot {wanted!r}: {there}")
        return classes[wanted]
    own = {one for one in classes.values() if one.__module__ == module.__name__} or set(classes.values())
    # A base that its file makes bots of is not meant itself.
    leaves = {one for one in own if not any(other is not one and issubclass(other, one) for other in own)}
    if len(leaves) == 1:
        return leaves.pop()
    if not leaves:
        raise UsageError(f"{file} has no bot: no subclass of cardtable.Bot")
    names = sorted(one.__name__ for one in leaves)
    raise UsageError(f"{file} has several bots, {', '.join(names)}; name one: {file}:{names[0]}")
