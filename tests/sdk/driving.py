"""Whole games at random, for tests: mostly passing in auctions, since random bids would run to the limit."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer
from cardtable.record import DealRecord, GameRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["random_action", "random_record", "states"]


def random_action(state: Any, rng: Random) -> Any:
    legal = state.legal_actions()
    if "pass" in legal.texts() and rng.random() < 0.7:
        return GAMES[state.view(state.to_act).game].parse_action("pass")
    return legal.sample(rng)


def states(game: str, variant: Mapping[str, object], seed: bytes) -> Iterator[tuple[Any, str | None]]:
    """Yield the state after each deal (with None) and after each action (with its text)."""
    rules = GAMES[game]
    state = rules.new_state(rules.variant(variant))
    dealer = Dealer(seed, rules.hand_sizes(state.variant))
    rng = Random(seed)
    while not state.is_over:
        if state.needs_deal:
            state.deal(dealer.deal(state.deal_key))
            yield state, None
            continue
        action = random_action(state, rng)
        state.apply(action)
        yield state, str(action)


def random_record(game: str, variant: Mapping[str, object], seed: bytes) -> GameRecord:
    """The record of one random game."""
    deals: list[list[str]] = []
    scores: tuple[int, ...] = ()
    for state, text in states(game, variant, seed):
        if text is None:
            deals.append([])
        else:
            deals[-1].append(text)
        scores = tuple(state.scores)
    players = GAMES[game].variant(variant).players
    return GameRecord(
        game,
        dict(variant),
        ("ana", "bo", "cy", "di")[:players],
        tuple(DealRecord(tuple(actions)) for actions in deals),
        seed,
        scores,
    )
