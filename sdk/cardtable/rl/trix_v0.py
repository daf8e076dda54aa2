"""Trix as a PettingZoo environment: ``from cardtable.rl import trix_v0; env = trix_v0.env()``.

Four agents, ``player_0`` to ``player_3``, and 77 numbers of actions. `docs/rl.md` has the fields of the observation and
the numbers of the actions; `cardtable.rl.table_env.TableEnv` has the arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from cardtable.rl.table_env import TableEnv, in_order, one_step_each
from cardtable.rl.trix_coding import CODING

if TYPE_CHECKING:
    from pettingzoo import AECEnv
    from pettingzoo.utils.env import ParallelEnv

    from cardtable.rl.coding import Coding, Fields

__all__ = ["ACTIONS", "CODING", "FIELDS", "env", "parallel_env", "raw_env"]

#: How many numbers of actions there are.
ACTIONS: Final = CODING.actions
#: The fields of an observation.
FIELDS: Final[Fields] = CODING.fields


class raw_env(TableEnv):  # noqa: N801 - PettingZoo's name for it
    """The environment without PettingZoo's checks; it is faster."""

    game: ClassVar[str] = "trix"
    coding: ClassVar[Coding] = CODING
    metadata = {  # noqa: RUF012 - PettingZoo has it so
        "name": "trix_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }


def env(**arguments: Any) -> AECEnv[str, dict[str, Any], Any]:
    """The environment, with the arguments of `TableEnv`."""
    return in_order(raw_env(**arguments))


def parallel_env(max_cycles: int | None = None, **arguments: Any) -> ParallelEnv[str, dict[str, Any], Any]:
    """The environment for programs that step all agents at once: the number of the one that acts counts.

    Args:
        max_cycles: Steps of the environment; then all agents are truncated.
        arguments: Of `TableEnv`.
    """
    return one_step_each(raw_env(max_steps=max_cycles, **arguments))
