"""Boards of games at random on real cards, for tests of what is made of whole records."""

from __future__ import annotations

import hashlib
from random import Random
from typing import TypeAlias

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer
from cardtable.record import DealRecord, GameRecord
from referee.stored import CompetitionInfo, StoredGame
from tests.sdk.driving import random_action

__all__ = ["NAMES", "PAIRS", "TRIX", "VYTRIX", "Played", "cup", "play"]

NAMES = ("ana", "bo", "cy", "di")
TRIX = CompetitionInfo("trix", "trix", {}, 4)
PAIRS = CompetitionInfo("trix", "trix", {"partners": True}, 2)
VYTRIX = CompetitionInfo("vytrix", "vytrix", {"target": 0, "max_hands": 3}, 3)
Played: TypeAlias = tuple[StoredGame, GameRecord]


def play(info: CompetitionInfo, board: int, seating: int, seats: tuple[str, ...]) -> Played:
    """One game at random, on the cards of its board."""
    rules = GAMES[info.game]
    seed = hashlib.sha256(f"board {board}".encode()).digest()
    rng = Random(f"{board} {seating}")
    state = rules.new_state(rules.variant(info.variant))
    dealer = Dealer(seed, rules.hand_sizes(state.variant))
    deals: list[list[str]] = []
    while not state.is_over:
        if state.needs_deal:
            state.deal(dealer.deal(state.deal_key))
            deals.append([])
            continue
        action = random_action(state, rng)
        state.apply(action)
        deals[-1].append(str(action))
    scores = tuple(state.scores)
    record = GameRecord(
        info.game, info.variant, seats, tuple(DealRecord(tuple(one)) for one in deals), seed, scores
    )
    zeros = tuple(0 for _ in seats)
    game = StoredGame(info.name, board, seating, seats, scores, (), 0, tuple(map(float, zeros)), zeros)
    return game, record


def turns(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [names[start:] + names[:start] for start in range(len(names))]


def cup(info: CompetitionInfo, boards: int) -> list[Played]:
    """Boards with all their seatings."""
    seatings = turns(NAMES[: info.seatings])
    if info is PAIRS:
        seatings = [one * 2 for one in turns(NAMES[:2])]
    return [
        play(info, board, number, seats) for board in range(boards) for number, seats in enumerate(seatings)
    ]
