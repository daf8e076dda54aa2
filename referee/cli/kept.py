"""Tables that were printed, kept for when they are asked for again and nothing has changed.

Owns a folder of the user's cache and what a table is known by in it: what the stores hold, the code that made it, what
was asked, and the terminal. Never writes a store. Whatever is wrong with the folder, or in it, costs time and nothing
else; a few small games are made anew faster than found.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import sys
import tempfile
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.store import Store

__all__ = ["print_kept"]

#: Tables of fewer games are not kept.
LEAST_GAMES = 2_000
#: So many tables are kept, those that were made last.
MOST_TABLES = 100


def print_kept(stores: Sequence[Store], asked: object, make: Callable[[], None]) -> None:
    """Print what was printed the last time, or make it and keep it.

    Args:
        stores: What it is made of.
        asked: What else it depends on, as JSON has it.
        make: Prints it.

    Raises:
        RefereeError: It cannot be made.
    """
    folder = _folder()
    paths = [store.path for store in stores if isinstance(store.path, Path)]
    # Of a database nothing cheap tells that somebody has changed a score by hand.
    is_worth_it = len(paths) == len(stores) and sum(store.count() for store in stores) >= LEAST_GAMES
    if folder is None or not is_worth_it:
        make()
        return
    state = _state(stores, paths)
    key = hashlib.sha256(json.dumps([state, asked, _code(), _terminal()]).encode()).hexdigest()
    text = _find(folder / key)
    if text is None:
        page = _Page(sys.stdout)
        with redirect_stdout(page):
            make()
        text = page.getvalue()
        # What was written meanwhile may be in it, or not.
        if _state(stores, paths) == state:
            _keep(folder / key, text)
    sys.stdout.write(text)


class _Page(io.StringIO):
    """Takes what is printed, as the real output would."""

    def __init__(self, real: io.TextIOBase | object) -> None:
        super().__init__()
        self._is_terminal = bool(getattr(real, "isatty", lambda: False)())
        self._encoding = str(getattr(real, "encoding", None) or "utf-8")

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override] # a plain attribute of its base
        return self._encoding


def _state(stores: Sequence[Store], paths: Sequence[Path]) -> list[object]:
    """What the stores hold, and their files: who changes a score by hand changes no count."""
    found: list[object] = []
    for store, path in zip(stores, paths, strict=True):
        files = []
        for suffix in ("", "-wal"):
            with suppress(OSError):
                file = path.with_name(path.name + suffix).stat()
                if file.st_size:
                    files.append([file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns])
        found.append([path.stem, store.fingerprint(), files])
    return found


@cache
def _code() -> list[str]:
    """The programs that make tables, to the letter."""
    import cardtable
    import referee

    digest = hashlib.sha256()
    for package in (cardtable, referee):
        for file in sorted(Path(str(package.__file__)).parent.rglob("*.py")):
            digest.update(f"{file.name}\n".encode())
            digest.update(file.read_bytes())
    return [digest.hexdigest(), version("rich"), platform.python_version(), *os.uname()[:3]]


def _terminal() -> list[object]:
    console = Console()
    return [console.is_terminal, console.width, console.color_system, console.encoding, console.no_color]


def _folder() -> Path | None:
    """Where tables are kept; None where there can be no such folder."""
    try:
        root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(root) / "cardtable" / "tables"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder


def _find(file: Path) -> str | None:
    try:
        digest, _, text = file.read_bytes().decode().partition("\n")
    except (OSError, ValueError):
        return None
    return text if digest == _digest(text) else None


def _keep(file: Path, text: str) -> None:
    with suppress(OSError, ValueError):
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
                out.write(f"{_digest(text)}\n{text}")
            Path(draft).replace(file)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        kept = sorted(file.parent.iterdir(), key=lambda one: one.stat().st_mtime_ns, reverse=True)
        for old in kept[MOST_TABLES:]:
            old.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
