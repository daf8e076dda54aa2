"""Stores of tournaments with whole games that were played at random, without any bot: for tests of pages."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer, board_seed
from cardtable.record import Comment, DealRecord, FaultCause, GameRecord, RecordedFault
from cardtable.replay import replay
from referee.blocks import BlockResult, EntrantFault, FaultDetail, GameOrder, PlayedGame
from referee.config import load
from referee.tournament import open_store
from tests.sdk.driving import random_action

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from referee.config import Competition

__all__ = ["HOSTILE", "ONE", "SMALL", "cup"]

#: Names and words that would do harm on a page that took them for more than text.
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "{{ 7 * 7 }}",
    'مها & "بو" \'',
)
#: One competition of eight games, for what hangs on no game.
ONE: Mapping[str, Mapping[str, object]] = {"trix": {"game": "trix", "boards": 2}}
#: Competitions of both games, and of each way of scoring sides.
SMALL: Mapping[str, Mapping[str, object]] = {
    "trix": {"game": "trix", "boards": 2},
    "vytrix": {"game": "vytrix", "boards": 1, "variant": {"target": 0, "max_hands": 3}},
    "partners": {
        "game": "trix",
        "boards": 1,
        "teams": "same",
        "variant": {"partners": True, "early_end": True, "own_double": "double"},
    },
    "pairs": {
        "game": "vytrix",
        "boards": 1,
        "teams": "same",
        "variant": {"players": 4, "partial_bidding": True, "target": 0, "max_hands": 2},
    },
}


def cup(
    path: Path,
    *,
    names: Sequence[str] = ("ana", "bo", "cy", "di"),
    competitions: Mapping[str, Mapping[str, object]] = SMALL,
    words: str = "",
    distinct: int = 1_000_000,
    most: int = 1_000_000,
    over: bool = True,
) -> Path:
    """Make a store; its games are of real cards, legal, and senseless.

    Args:
        path: Its file.
        names: The entrants.
        competitions: What the file says of each.
        words: What bots say and write, with faults, on every first game of a board; nothing where it is empty.
        distinct: How many boards of a competition are played; later ones are copies of these under new numbers.
        most: How many boards of each competition are in the store.
        over: Whether the seed is revealed.
    """
    file = path.with_suffix(".toml")
    file.write_text(_file(names, competitions), encoding="utf-8")
    config = load(file, store=path)
    store, _ = open_store(config)
    with store:
        for one in config.competitions:
            for block in islice(_blocks(one, store.secret_seed(), distinct, words), most):
                store.add_block(one.name, block)
        if over:
            store.reveal_seed()
    return path


def _file(names: Sequence[str], competitions: Mapping[str, Mapping[str, object]]) -> str:
    lines = ['[tournament]\nname = "pages"\n']
    for name, terms in competitions.items():
        lines += ["[[competition]]", f"name = {json.dumps(name)}"]
        lines += [f"{key} = {_toml(value)}" for key, value in terms.items()]
    for name in names:
        lines += ["[[bot]]", f"name = {json.dumps(name, ensure_ascii=False)}", 'command = "python3 -V"']
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    return json.dumps(value)


def _blocks(one: Competition, master: bytes, distinct: int, words: str) -> Iterator[BlockResult]:
    plan = one.plan
    played: dict[tuple[int, int], GameRecord] = {}
    for number in range(len(plan)):
        seatings = plan.board(number).seatings
        games = []
        for seating, seats in enumerate(seatings):
            like = (number % distinct, seating)
            if like not in played:
                played[like] = _played(one, board_seed(master, one.name, like[0]), seating)
            record = replace(played[like], seats=tuple(seats))
            speaks = bool(words) and seating == 0
            games.append(_game(number, seating, _spoken(record, words) if speaks else record, words))
        away = EntrantFault(seatings[0][0], 0, FaultCause.START, words, words)
        yield BlockResult(tuple(games), (away,) if words else ())


def _played(one: Competition, seed: bytes, seating: int) -> GameRecord:
    """A game in which everyone does anything that is legal."""
    game, rng = GAMES[one.game], Random(f"{seed.hex()} {seating}")
    state = game.new_state(one.variant)
    dealer = Dealer(seed, game.hand_sizes(one.variant))
    deals: list[list[str]] = []
    while not state.is_over:
        if state.needs_deal:
            state.deal(dealer.deal(state.deal_key))
            deals.append([])
        else:
            action = random_action(state, rng)
            state.apply(action)
            deals[-1].append(str(action))
    records = tuple(DealRecord(tuple(actions)) for actions in deals)
    return GameRecord(one.game, one.options, (), records, seed, tuple(state.scores))


def _spoken(record: GameRecord, words: str) -> GameRecord:
    """The same with a comment and a fault at the last action of the first deal."""
    last = len(record.deals[0].actions) - 1
    fault = RecordedFault(_seat_of(record, last), FaultCause.ILLEGAL, 0, last, 1, words)
    return replace(record, comments=(Comment(0, last, words),), faults=(fault,))


def _seat_of(record: GameRecord, place: int) -> int:
    seats: list[int] = []

    class Seats:
        def dealt(self, _number: int, _deal: object, _state: object) -> None: ...

        def acted(self, seat: int, _text: str, _state: object) -> None:
            seats.append(seat)

    replay(record, Seats())
    return seats[place]


def _game(board: int, seating: int, record: GameRecord, words: str) -> PlayedGame:
    players = len(record.seats)
    return PlayedGame(
        GameOrder(board, seating, record.seats, record.seed or b""),
        record,
        tuple(
            FaultDetail(
                record.seats[one.seat], one.seat, one.cause, one.deal, one.action, 1, words, "{}", words
            )
            for one in record.faults
        ),
        charged_ms=(1.0,) * players,
        decisions=(1,) * players,
    )
