"""The environment of a bot's process: little of ours, its own, and where and as whom it joins. Starts nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["bot_environment"]

_PASSED_ON: Final = frozenset(
    {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "PYTHONPATH", "TMPDIR", "TZ", "USER", "VIRTUAL_ENV"}
)


def bot_environment(
    own: Mapping[str, str], address: str, token: str, inherited: Mapping[str, str]
) -> dict[str, str]:
    """The whole environment of a bot.

    Args:
        own: What is set for this bot.
        address: Where it joins.
        token: As whom.
        inherited: The environment of whoever starts it, of which it gets little.
    """
    kept = {name: value for name, value in inherited.items() if name in _PASSED_ON or name.startswith("LC_")}
    return {
        **kept,
        "PYTHONUNBUFFERED": "1",
        **own,
        "CARDTABLE_REFEREE": address,
        "CARDTABLE_TOKEN": token,
    }
