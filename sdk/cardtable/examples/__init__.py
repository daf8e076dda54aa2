"""The example bots, which come with the library: `random`, `greedy`, `counter` and `search`, the weakest first.

Each is a module that a referee can start, ``python -m cardtable.examples.greedy_bot``, and a class to play against
at home. Made for being read and copied; nothing of the library needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from cardtable.bot import Bot

__all__ = ["NAMES", "example"]

#: Their names, the weakest first.
NAMES: Final = ("random", "greedy", "counter", "search")


def example(name: str) -> type[Bot]:
    """The class of an example; a module is loaded when it is first asked for.

    Raises:
        KeyError: There is no example of this name.
    """
    if name not in NAMES:
        raise KeyError(name)
    module = import_module(f"cardtable.examples.{name}_bot")
    return cast("type[Bot]", getattr(module, f"{name.capitalize()}Bot"))
