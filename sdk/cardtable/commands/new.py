"""`cardtable new`: a folder with a working bot, its test, its README and a tournament against the examples.

Owns what is in such a folder and what its bot is called. A folder is there whole or not at all.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cardtable
from cardtable.commands import UsageError
from cardtable.examples import NAMES

if TYPE_CHECKING:
    import argparse

__all__ = ["add_to", "new_bot"]

_ABOUT = """\
Make a folder with a bot for both games that plays at once: its program, its test, a README with the next commands,
and cup.toml, a tournament against the examples. An existing folder is left as it is."""
_EXAMPLES = """\
Examples:
  cardtable new my_bot
  cardtable new --lang js my_bot"""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST: Final = 40
#: Modules that a bot's file or its test imports, beside those of Python.
_IMPORTED: Final = frozenset({"cardtable", "google", "grpc", "pytest"})
#: ``javascript`` is the bot of the repository's examples, and ``proto`` the protocol: both are links to them there.
_TEMPLATES: Final = Path(cardtable.__file__).parent / "templates"
#: What the bot in JavaScript is called, and where.
_CALLED: Final = {
    "bot.js": "javascript-thumb",
    "package.json": "cardtable-example-javascript",
    "package-lock.json": "cardtable-example-javascript",
}
#: Of the bot in JavaScript, what is about this repository and not about the bot.
_LEFT_OUT: Final = ("README.md", "node_modules", "dealing.test.js")
_NEXT: Final = {
    "python": (
        ("cardtable play --bot ./{name}.py --game trix", "quick games at home"),
        ("cardtable debug --bot ./{name}.py --game trix", "decision by decision"),
        ("tourney run cup.toml", "a rated tournament"),
    ),
    "js": (
        ("npm ci --ignore-scripts", "once: gRPC for Node.js"),
        ("cardtable check 'node bot.js'", "is it fit for a tournament?"),
        ("tourney run cup.toml", "a rated tournament"),
    ),
}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "new",
        help="make a folder with a bot of your own",
        description=_ABOUT,
        epilog=_EXAMPLES,
    )
    parser.add_argument("name", metavar="NAME", help="the folder, and what the bot is called")
    parser.add_argument("--lang", choices=sorted(_NEXT), default="python", help="its language (python)")
    parser.set_defaults(run=_new)


def _new(asked: argparse.Namespace) -> int:
    folder = Path(asked.name)
    new_bot(folder, asked.lang)
    print(
        f"{folder}: {', '.join(sorted(one.name for one in folder.iterdir() if one.name[0] != '.'))}\n\nNext:"
    )
    steps = [(f"cd {folder}", ""), *_NEXT[asked.lang]]
    steps = [(command.format(name=folder.name), what) for command, what in steps]
    width = max(len(command) for command, _ in steps)
    for command, what in steps:
        print(f"  {command.ljust(width)}   {what}".rstrip())
    return 0


def new_bot(folder: Path, lang: str = "python") -> None:
    """Make the folder of a new bot.

    Args:
        folder: Where; its name is the bot's.
        lang: ``python`` or ``js``.

    Raises:
        UsageError: There is something of this name, the name will not do, or the folder cannot be written.
    """
    name = folder.name
    _check_name(name, str(folder))
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{folder} is there already; take another name, or remove it")
    if not folder.parent.is_dir():
        raise UsageError(f"{folder}: there is no folder {folder.parent}")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=folder.parent) as scratch:
            made = Path(scratch) / name
            made.mkdir()
            _write(made, name, lang)
            made.rename(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror or error}") from None


def _check_name(name: str, given: str) -> None:
    why = ""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        why = (
            f"a bot is named by letters, digits and _, a letter first, {_LONGEST} at the most, such as my_bot"
        )
    elif name.casefold() in NAMES:
        why = "an example is called so"
    elif iskeyword(name) or name in sys.stdlib_module_names or name in _IMPORTED:
        why = "Python has a word or a module of this name; take another one, such as my_bot"
    if why:
        raise UsageError(f"{given!r}: {why}")


def _write(folder: Path, name: str, lang: str) -> None:
    """Write all files of a bot into an empty folder."""
    if lang == "js":
        shutil.copytree(
            _TEMPLATES / "javascript", folder, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True
        )
        shutil.copytree(_TEMPLATES / "proto" / "cardtable", folder / "proto" / "cardtable")
        for file, called in _CALLED.items():
            path = folder / file
            path.write_text(path.read_text(encoding="utf-8").replace(called, name), encoding="utf-8")
    for template in sorted((_TEMPLATES / ("node" if lang == "js" else "python")).glob("*.txt")):
        text = template.read_text(encoding="utf-8").replace("my_bot", name)
        file = template.name.removesuffix(".txt").replace("my_bot", name).replace("gitignore", ".gitignore")
        (folder / file).write_text(text.replace("MyBot", _class_name(name)), encoding="utf-8")


def _class_name(name: str) -> str:
    """``my_bot`` makes ``MyBot``; never the name of what is imported."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return words if words.endswith("Bot") else f"{words}Bot"
