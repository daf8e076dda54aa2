"""Do identical bots get equal means in every seat, although seats and cards are unequal?

Simulated fields have places of very different worth. The real games are played by random choices: real deals of
a real plan, under all rules of the game.
"""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

from bench.calibration.coverage import BOUNDS, covers
from bench.calibration.finding import Finding, share
from bench.calibration.model import POINT, Game, play
from cardtable.catalog import game as game_of
from cardtable.dealing import Dealer, board_seed
from referee.schedule import make_plan
from referee.statistics import estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from bench.calibration.model import Field
    from referee.schedule import Plan

__all__ = ["equal_in_seats", "equal_on_real_cards"]


def equal_in_seats(
    field: Field, tournaments: int, rng: Random, bounds: tuple[float, float] = BOUNDS
) -> Finding:
    """Count intervals of one entrant's points in one seat that hold what the seat is worth to everybody."""
    plan = field.plan()
    boards = [board for number in range(plan.rounds) for board in plan.round(number)]
    strengths = dict.fromkeys(plan.entrants, 0.0)
    places = field.kind.places or (0.0,) * len(field.kind.groups)
    middle = sum(places) / len(places)
    worth = [POINT * (place - middle) for place in places]
    hits: list[bool] = []
    for _ in range(tournaments):
        games = play(boards, strengths, field.kind, rng)
        for (_, place), points in _by_place(games, field.kind.groups).items():
            found = estimate(points)
            if found is not None and found.boards > 1:
                hits.append(covers(found.mean, found.half_width, worth[place]))
    return share("identical bots", f"points in a seat: {field.label}", sum(hits), len(hits), bounds)


def equal_on_real_cards(
    name: str,
    entrants: Sequence[str],
    boards: int,
    tournaments: int,
    bounds: tuple[float, float] = BOUNDS,
) -> Finding:
    """Count intervals of what one identical bot has over another in the same seat that hold 0, in real games.

    Both play the same cards there, by random choices. Points of such play are so skewed that an interval of one bot's
    own points in one seat needs hundreds of boards; differences of equals are symmetric.
    """
    rules = game_of(name)
    groups = rules.groups(rules.variant({}))
    plan = make_plan("round-robin", entrants, sum(map(len, groups)), boards)
    hits = []
    for number in range(tournaments):
        places = _by_place(_played(name, plan, bytes([number]) * 32), groups)
        for place in range(len(groups)):
            for one, other in combinations(entrants, 2):
                pairs = zip(places[one, place], places[other, place], strict=True)
                found = estimate([points - others for points, others in pairs])
                assert found is not None
                hits.append(covers(found.mean, found.half_width, 0.0))
    label = f"differences in a seat: real cards, random play, {name}"
    return share("identical bots", label, sum(hits), len(hits), bounds, independent=tournaments * len(groups))


def _by_place(games: Iterable[Game], groups: Sequence[Sequence[int]]) -> dict[tuple[str, int], list[float]]:
    """Points of each entrant at each place, one value a board: an entrant sits there once in its seatings."""
    found: dict[tuple[str, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        for place, group in enumerate(groups):
            for name in {game.seats[seat] for seat in group}:
                found[name, place][game.board].append(game.scores[place])
    return {key: [sum(points) / len(points) for points in boards.values()] for key, boards in found.items()}


def _played(name: str, plan: Plan, master: bytes) -> list[Game]:
    rules = game_of(name)
    variant = rules.variant({})
    games = []
    for number in range(plan.rounds):
        for board in plan.round(number):
            for seating, seats in enumerate(board.seatings):
                seed = board_seed(master, "calibration", board.number)
                rng = random.Random(f"{seed.hex()} {seating}")
                dealer = Dealer(seed, rules.hand_sizes(variant))
                state: Any = rules.new_state(variant)
                while not state.is_over:
                    if state.needs_deal:
                        state.deal(dealer.deal(state.deal_key))
                    while state.to_act is not None:
                        state.apply(state.legal_actions().sample(rng))
                games.append(Game("calibration", board.number, seating, seats, tuple(state.scores)))
    return games
