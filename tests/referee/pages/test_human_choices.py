"""What a person is offered is all that is legal, and what it sees of the deals grows move by move."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer
from referee.pages.human.choices import MOST_POINTS, NoChoice, chosen, offer
from referee.pages.human.sitting import Sitting, places
from tests.sdk.driving import random_action
from tests.sdk.variants import variants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: What a text that is no card begins with.
_CARD = 2


def offered(choice: Mapping[str, Any]) -> Iterator[str]:
    """All actions that can be made from what is offered, as a page makes them."""
    match choice["step"]:
        case "double":
            cards = choice["cards"]
            for size in range(len(cards) + 1):
                for some in combinations(cards, size):
                    yield f"double:{','.join(some) or 'none'}"
        case "discard":
            for some in combinations(choice["cards"], choice["count"]):
                yield f"discard:{','.join(some)}"
        case "bid":
            if choice["pass"]:
                yield "pass"
            strains, directions = ("S", "H", "D", "C", "NT"), ("high", "low")
            forms = (
                [*strains, *(f"-{one}" for one in directions)]
                if choice["partial"]
                else [f"{strain}-{direction}" for strain in strains for direction in directions]
            )
            # A hundred stand for all where there is no limit.
            highest = min(choice["highest"], choice["lowest"] + 100)
            for points in range(choice["lowest"], highest + 1) if choice["lowest"] else ():
                yield from (f"bid:{points}{form}" for form in forms)
        case _:
            yield from choice["actions"]


#: So many legal actions are gone through at every decision, and so many at one of each step.
FEW, MANY = 100, 5000
ALL = [(game, variant) for game in GAMES for variant in variants(game)]


@pytest.mark.parametrize(("game", "variant"), ALL, ids=str)
def test_exactly_what_is_legal_can_be_made_from_what_is_offered(
    game: str, variant: dict[str, object]
) -> None:
    steps: set[object] = set()
    for _, view in questions(game, variant, bytes(32)):
        choice = offer(view)
        if len(view.legal_actions) > FEW and choice["step"] in steps:
            continue  # once is enough for thousands
        made = list(offered(choice))
        if len(view.legal_actions) < MANY:
            assert {chosen(view, text) for text in made} == set(view.legal_actions)
            assert len(made) == len(view.legal_actions)
        else:
            for text in Random(0).sample(made, 20):
                assert chosen(view, text) in view.legal_actions
            for _ in range(20):
                assert str(view.legal_actions.sample(Random(len(made)))) in {
                    str(chosen(view, text)) for text in made
                }
        steps.add(choice["step"])
    assert "play" in steps


def test_every_step_of_both_games_is_met() -> None:
    steps = {
        (game, view.step.value)
        for game, variant in ALL
        for _, view in questions(game, variant, b"steps" + bytes(27))
    }
    trix = {"contract", "redeal", "double", "play", "layout"}
    vytrix = {"bid", "kitty", "discard", "name", "play"}
    assert steps == {("trix", step) for step in trix} | {("vytrix", step) for step in vytrix}


def test_a_bid_without_a_limit_stays_within_what_the_wire_bears() -> None:
    view = next(
        view
        for _, view in questions("vytrix", {"max_bid": 0, "max_hands": 1}, bytes(32))
        if view.step.value == "bid"
    )
    assert offer(view)["highest"] == MOST_POINTS
    assert chosen(view, f"bid:{MOST_POINTS}S-low").points == MOST_POINTS
    with pytest.raises(NoChoice, match="1000000 points"):
        chosen(view, f"bid:{MOST_POINTS + 1}S-low")


@pytest.mark.parametrize(
    "text", ["", "ZZ", "bid:", "discard:2C,2C", "bid:1S\nhigh", "x" * 3000, "bid:" + "9" * 5000]
)
def test_what_is_no_action_is_refused_in_one_line(text: str) -> None:
    _, view = next(questions("vytrix", {}, bytes(32)))
    with pytest.raises(NoChoice) as refused:
        chosen(view, text)
    assert "\n" not in str(refused.value)


def test_what_is_not_legal_is_refused() -> None:
    _, view = next(questions("vytrix", {}, bytes(32)))
    with pytest.raises(NoChoice, match="pass is not legal now"):
        chosen(view, "pass")


@pytest.mark.parametrize(("game", "variant"), ALL, ids=str)
def test_moves_are_only_ever_added_and_cards_add_up(game: str, variant: dict[str, object]) -> None:
    rules = GAMES[game]
    options = rules.variant(variant)
    for seat in range(options.players):
        sitting = Sitting(1, game, options, seat)
        seen: list[list[Any]] = []
        for state, view in questions(
            game, variant, b"moves" + bytes([seat]) + bytes(26), seat=seat, tell=sitting
        ):
            sitting.asked(1, view)
            check(sitting, state, view, seen)
            action = random_action(state, Random(len(seen)))
            sitting.answered(action)
            seen = grown(sitting, seen)
            state.apply(action)
        final = sitting.state()["final"]
        assert final is not None
        shown: Any = sitting.state()["deals"]
        assert not any(deal["missed"] for deal in shown)
        assert all(deal["ended"] for deal in shown)


def grown(sitting: Sitting, before: list[list[Any]]) -> list[list[Any]]:
    """The moves of all deals; all that there were before are among them, but for who took the last trick."""
    deals: Any = sitting.state()["deals"]
    now = [deal["moves"] for deal in deals]
    for moves, old in zip(now, before, strict=False):
        assert [(seat, _kind(text)) for seat, text, _ in moves[: len(old)]] == [
            (seat, _kind(text)) for seat, text, _ in old
        ]
    assert len(now) >= len(before)
    return now


def _kind(text: str) -> str:
    return text.partition(":")[0]


def check(sitting: Sitting, state: Any, view: Any, seen: list[list[Any]]) -> None:
    """The page's picture of a deal is that of the view."""
    seen[:] = grown(sitting, seen)
    deals: Any = sitting.state()["deals"]
    deal = deals[-1]
    hand = set(deal["hands"][view.seat])
    counts = [len(cards) for cards in deal["hands"][: view.variant.players]]
    taken = [0] * view.variant.players
    for seat, text, taker in deal["moves"]:
        if len(text) == _CARD:
            counts[seat] -= 1
            hand.discard(text)
        elif seat == view.seat and text.startswith("discard:"):
            hand -= set(text[8:].split(","))
        elif seat == view.seat and text == "kitty:take":
            hand |= set(deal["hands"][-1])
        if taker is not None:
            taken[taker] += 1
    assert hand == set(view.hand.texts())
    assert [
        one + 4 * (seat == state.to_act and view.step.value == "discard") for seat, one in enumerate(counts)
    ] == list(view.hand_sizes)
    if not deal["isLayout"] and view.played:
        won = [0] * view.variant.players
        for trick in view.tricks:
            won[trick.winner] += 1
        assert taken == won
    assert deal["after"] == list(view.scores)


def questions(
    game: str,
    variant: Mapping[str, object],
    seed: bytes,
    *,
    seat: int | None = None,
    tell: Sitting | None = None,
) -> Iterator[tuple[Any, Any]]:
    """What a seat (each, without one) is asked in a random game; who has a seat applies its own actions."""
    rules = GAMES[game]
    state: Any = rules.new_state(rules.variant(variant))
    dealer, rng = Dealer(seed, rules.hand_sizes(state.variant)), Random(seed)
    deals = 0
    while not state.is_over and deals < 12:
        if state.needs_deal:
            deals += 1
            state.deal(dealer.deal(state.deal_key))
        else:
            view = state.view(state.to_act)
            if seat is None:
                yield state, view
                state.apply(random_action(state, rng))
            elif state.to_act == seat:
                yield state, view
            else:
                state.apply(random_action(state, rng))
        if tell is not None and state.to_act is None:
            tell.deal_ended(state.summary())
    if tell is not None:
        tell.closed(state.scores, 0)


@pytest.mark.parametrize(
    ("scores", "groups", "expected"),
    [
        ((10, -5, 10), ((0,), (1,), (2,)), [1, 3, 1]),
        ((3, 7), ((0, 2), (1, 3)), [2, 1, 2, 1]),
        ((-100, 50, 75, 0), ((0, 2), (1, 3)), [2, 1, 2, 1]),
        ((), ((0,), (1,), (2,)), []),
    ],
)
def test_places_go_by_what_counts(
    scores: tuple[int, ...], groups: tuple[tuple[int, ...], ...], expected: list[int]
) -> None:
    assert places(scores, groups) == expected


def test_what_ended_unseen_leaves_a_line_on_the_sheet() -> None:
    variant = {"players": 3, "target": 0, "max_hands": 6}
    options = GAMES["vytrix"].variant(variant)
    sitting = Sitting(1, "vytrix", options, 0)
    summaries: list[Any] = []

    class Keeper(Sitting):
        def deal_ended(self, summary: Any) -> None:
            summaries.append(summary)

        def closed(self, scores: Any, faults: int) -> None:
            """The other one is to be told by this test."""

    for _ in questions("vytrix", variant, bytes(32), tell=Keeper(1, "vytrix", options, 0)):
        pass
    for number in (0, 1, 4):
        sitting.deal_ended(summaries[number])
    sitting.closed(summaries[-1].scores, 2)
    deals: Any = sitting.state()["deals"]
    assert [deal["missed"] for deal in deals] == [False, False, True, False, True]
    assert [sum(deal["points"][seat] for deal in deals) for seat in range(3)] == list(summaries[-1].scores)
