"""Reinforcement learning on the engine's own rules: the extra ``cardtable[rl]``.

`cardtable.rl.trix_v0` and `cardtable.rl.vytrix_v0` are PettingZoo environments, and `policy_bot` makes a bot of
what was trained in them. A policy that plays needs numpy alone; only the environments load PettingZoo.
"""

from __future__ import annotations

try:
    import numpy as np
except ImportError as _missing:
    raise ImportError("cardtable.rl needs numpy: pip install 'cardtable[rl]'") from _missing

from cardtable.rl.policy import PolicyError, choose, policy_bot

__all__ = ["PolicyError", "choose", "policy_bot"]

del np
