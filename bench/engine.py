"""Random actions per second of the engines, beside OpenSpiel's hearts and RLCard's bridge, driven from Python alike.

All are driven by one loop: ask for the legal actions, pick one at random, apply it, whole games on end. The deal is
part of everybody's time and no part of the count: on both sides only what a player does is an action.
"""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.engine import Deal

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["bridge_actions", "cardtable_actions", "hearts_actions", "rate"]


def cardtable_actions(name: str, seconds: float, rng: Random) -> int:
    """Play random games of a game's base variant for some seconds; return how many actions were made."""
    game = GAMES[name]
    variant = game.variant({})
    sizes = game.hand_sizes(variant)
    actions, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        state: Any = game.new_state(variant)
        while not state.is_over:
            if state.needs_deal:
                state.deal(Deal.shuffled(sizes, rng))
            while state.to_act is not None:
                state.apply(state.legal_actions().sample(rng))
                actions += 1
    return actions


def hearts_actions(seconds: float, rng: Random) -> int:
    """Play random games of OpenSpiel's hearts for some seconds; return how many players' actions were made."""
    import pyspiel

    hearts = pyspiel.load_game("hearts")
    actions, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        state = hearts.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            state.apply_action(rng.choice(state.legal_actions()))
            actions += 1
    return actions


def bridge_actions(seconds: float, rng: Random) -> int:
    """Play random games of RLCard's bridge for some seconds; return how many actions were made."""
    import rlcard

    bridge = rlcard.make("bridge", config={"seed": rng.randrange(2**32)})
    actions, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        state, _ = bridge.reset()
        while not bridge.is_over():
            state, _ = bridge.step(rng.choice(list(state["legal_actions"])))
            actions += 1
    return actions


def rate(play: Callable[[float, Random], int], seconds: float, seed: int) -> float:
    """Actions per second of one measurement."""
    start = time.perf_counter()
    return play(seconds, Random(seed)) / (time.perf_counter() - start)
