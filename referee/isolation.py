"""What a tournament file says of how bots are kept apart: limits of their processes, and what each sees in its box.

Owns the keys of [run] about it and the choice of files that a bot may read. Starts nothing; how a box is made is in
`referee.sandbox`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from referee.blocks import Sandbox
from referee.sandbox import runtime_of, without_inner
from referee.toml_reading import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from referee.entrants import Entrant
    from referee.toml_reading import Table

__all__ = ["ISOLATION_KEYS", "in_boxes", "read_isolation"]

#: What the processes of one bot may use: default, and least; a bot in Python with gRPC needs about 40 MB.
_BOUNDS: Final = {"memory_mb": (2048, 32), "processes": (64, 1), "open_files": (1024, 32)}
#: Keys of [run].
ISOLATION_KEYS: Final = ("sandbox", *_BOUNDS, "cpu_seconds")
_GREATEST: Final = 2**31 - 1


def read_isolation(run: Table) -> dict[str, Any]:
    """The limits of bots' processes, as `Limits` names them.

    Args:
        run: The table [run].

    Raises:
        ConfigError: Something of it cannot be.
    """
    watchable = Path("/proc/self/stat").is_file()
    sandbox: Sandbox = run.choice("sandbox", get_args(Sandbox), "limits" if watchable else "none")
    if sandbox != "none" and not watchable:
        raise run.error("sandbox", f'{quoted(sandbox)} needs /proc, which this system has not; use "none"')
    if sandbox == "none":
        for key in ISOLATION_KEYS:
            if key != "sandbox" and key in run.values:
                raise run.error(key, 'goes with sandbox = "limits" or "bwrap"')
        return {"sandbox": sandbox}
    memory, processes, files = (
        run.integer(key, default, least=least, most=_GREATEST) for key, (default, least) in _BOUNDS.items()
    )
    return {
        "sandbox": sandbox,
        "memory_bytes": memory << 20,
        "processes": processes,
        "cpu_seconds": run.number("cpu_seconds", 0, most=_GREATEST),
        "open_files": files,
    }


def in_boxes(
    tables: Sequence[Table], entrants: Sequence[Entrant], secrets: Collection[Path]
) -> tuple[Entrant, ...]:
    """The entrants with all that each may read in its box.

    That is its program with what runs it, its files, what its key `readable` names, and its folder, where that is
    given and holds nothing of others.

    Args:
        tables: The [[bot]] of each.
        entrants: All of them.
        secrets: The store, the tournament file, the folder of the logs, tokens and keys.

    Raises:
        ConfigError: A bot would see a secret, or another bot.
    """
    boxed = []
    hidden = {secret.resolve() for secret in secrets}
    for table, entrant in zip(tables, entrants, strict=True):
        spec = entrant.spec
        if spec.is_remote:
            boxed.append(entrant)
            continue
        folder, mine = Path(spec.folder), _places(entrant)
        others = {
            place
            for other_table, other in zip(tables, entrants, strict=True)
            if other is not entrant and not other.spec.is_remote
            for place in {
                *_places(other),
                *([Path(other.spec.folder)] if "folder" in other_table.values else ()),
            }
        } - mine
        _refuse_links(table, folder, mine)
        given = {Path(path).resolve() for path in spec.readable}
        for path in sorted(given):
            for other in sorted(others):
                if other.is_relative_to(path):
                    raise table.error(
                        "readable",
                        f"{quoted(str(path))} shows it what is another bot's: {quoted(str(other))}",
                    )
        seen = {*map(Path, runtime_of(spec.command[0], spec.folder)), *given, *mine}
        if "folder" in table.values and not any(one.is_relative_to(folder) for one in {*others, *hidden}):
            seen.add(folder)
        for path in sorted(seen):
            for secret in sorted(hidden):
                if secret.is_relative_to(path.resolve()):
                    raise table.error(
                        None,
                        f"would see {quoted(str(secret))} in its box, which lies in {quoted(str(path))};"
                        " keep the tournament apart from bots and programs",
                    )
        boxed.append(replace(entrant, spec=replace(spec, readable=without_inner(seen))))
    return tuple(boxed)


def _refuse_links(table: Table, folder: Path, files: Collection[Path]) -> None:
    """Refuse a file in a bot's folder that is a link to one elsewhere: its author may have made it."""
    for path in sorted(files):
        if path.is_relative_to(folder) and not path.resolve().is_relative_to(folder):
            raise table.error(
                "files",
                f"{quoted(str(path))} is a link that leads out of the bot's folder, to {quoted(str(path.resolve()))}",
            )


def _places(entrant: Entrant) -> set[Path]:
    """The files of a bot."""
    folder = Path(entrant.spec.folder)
    return {Path(os.path.normpath(folder / name)) for name, _ in entrant.files}
