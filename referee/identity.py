"""What identifies a tournament: what may not change once a game of it was played, and what has changed.

Owns the form that a store keeps, canonical JSON. How a tournament is run (jobs, sandbox, logs, store) and what it is
called are no part of it, and neither is any path of this machine.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee.config import Config

__all__ = ["changes", "committed", "identity_of"]

_FORMAT: Final = 1
_CLOCKS: Final = (
    "start_seconds",
    "first_move_seconds",
    "move_ms",
    "game_seconds",
    "margin_ms",
    "stop_seconds",
    "disconnect_seconds",
)


def identity_of(config: Config) -> dict[str, object]:
    """What identifies this tournament, ready for JSON; equal tournaments give equal dicts.

    The values of a bot's environment stand as hashes, since some are keys of services.
    """
    return {
        "format": _FORMAT,
        "seed": {
            "master": None if config.seed.master is None else config.seed.master.hex(),
            "public": config.seed.public,
        },
        "competitions": [
            {
                "name": one.name,
                "game": one.game,
                "variant": dict(one.options),
                "boards": one.boards,
                "schedule": one.schedule,
                "tables": one.tables,
                "hero": one.hero,
                "rotations": one.rotations,
                "teams": one.teams,
                "score": one.score,
                "ask_forced": one.ask_forced,
                "show_names": one.show_names,
                "bots": list(one.entrants),
            }
            for one in config.competitions
        ],
        "bots": [
            {
                "name": one.name,
                "command": list(one.command),
                "environment": {
                    key: hashlib.sha256(value.encode()).hexdigest()
                    for key, value in sorted(one.spec.environment)
                },
                "files": dict(one.files),
                **({"remote": True} if one.spec.is_remote else {}),
            }
            for one in config.entrants
        ],
        "stop": None
        if config.stop is None
        else {
            "when": config.stop.when,
            "alpha": config.stop.alpha,
            "max_boards": config.stop.max_boards,
            "points": config.stop.points,
        },
        "clocks": {key: getattr(config.limits, key) for key in _CLOCKS},
        "faults": {
            "forfeit_after": config.limits.forfeit_after,
            "restarts": config.limits.restarts,
            "disqualify_after": config.disqualify_after,
        },
    }


def committed(master: bytes, identity: Mapping[str, Any]) -> str:
    """The hash that promises a seed and the entrants: SHA-256 over the seed and the bots' canonical JSON.

    Args:
        master: The master seed, 32 bytes.
        identity: What `identity_of` gives.
    """
    bots = json.dumps(identity["bots"], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(master + bots.encode()).hexdigest()


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs between two identities, in words, one line each; empty when they are the same.

    Args:
        old: Of the tournament that is stored.
        new: Of the one that is to be run.
    """
    lines = []
    if old.get("format") != new.get("format"):
        lines.append(f"the stored form was {_word(old.get('format'))} and is {_word(new.get('format'))}")
    for table, word in (("competitions", "competition"), ("bots", "bot")):
        before = {one["name"]: one for one in old.get(table, ())}
        after = {one["name"]: one for one in new.get(table, ())}
        for name in before.keys() | after.keys():
            title = f"{word} {_word(name)}"
            if name not in after:
                lines.append(f"{title} is no longer there")
            elif name not in before:
                lines.append(f"{title} is new")
            else:
                lines += [f"{title}: {line}" for line in _differences(before[name], after[name])]
        kept = [name for name in before if name in after]
        if kept != [name for name in after if name in before]:
            lines.append(f"the order of the {word}s is another")
    for table in ("seed", "stop", "clocks", "faults"):
        lines += [f"{table}: {line}" for line in _differences(old.get(table) or {}, new.get(table) or {})]
    return sorted(lines)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in [*old, *(key for key in new if key not in old)]:
        before, after = old.get(key), new.get(key)
        if before == after and type(before) is type(after):
            continue
        if key == "files":
            yield from _by_name("file", before or {}, after or {})
        elif key == "environment":
            yield from _by_name("environment", before or {}, after or {})
        elif isinstance(before, dict) and isinstance(after, dict):
            yield from (f"{key} {line}" for line in _differences(before, after))
        else:
            yield f"{key} was {_word(before)} and is {_word(after)}"


def _by_name(word: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """What became of things that are known by their hashes."""
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            fate = "is new" if name not in old else "is no longer there" if name not in new else "has changed"
            yield f"{word} {_word(name)} {fate}"


def _word(value: object) -> str:
    """A value as the file writes it."""
    return "not set" if value is None else json.dumps(value, ensure_ascii=False)
