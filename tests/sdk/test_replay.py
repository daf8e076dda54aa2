"""Verdicts on random games of every variant, cut short anywhere, and on records that go wrong."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cardtable.catalog import GAMES
from cardtable.record import DealRecord, GameRecord
from cardtable.replay import replay
from tests.sdk.driving import random_record, states
from tests.sdk.variants import variants

CASES = [(game, variant) for game in GAMES for variant in variants(game)]
SEED = bytes(range(32))


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_a_game_cut_short_anywhere_gets_the_verdict_of_the_moment(
    game: str, variant: dict[str, object]
) -> None:
    whole = random_record(game, variant, SEED)
    length = sum(len(deal.actions) + 1 for deal in whole.deals)
    wanted = set(Random(7).sample(range(length), 12)) | {0, length - 1}
    deals: list[tuple[str, ...]] = []
    finished: list[dict[str, object]] = []
    for moment, (state, text) in enumerate(states(game, variant, SEED)):
        if text is None:
            deals.append(())
        else:
            deals[-1] += (text,)
            if state.to_act is None:
                finished.append({"scores_after": list(state.scores), "void": state.ended_void})
        if moment not in wanted:
            continue
        record = replace(whole, deals=tuple(DealRecord(actions) for actions in deals), scores=None)
        assert replay(record).to_json() == _verdict(state, finished)


def _verdict(state: Any, finished: list[dict[str, object]]) -> dict[str, object]:
    verdict: dict[str, object] = {"ok": True, "over": state.is_over, "scores": list(state.scores)}
    if getattr(state.variant, "partners", False):
        verdict["sides"] = list(state.group_scores)
    legal = [] if state.to_act is None else state.legal_actions().texts()
    return verdict | {"deals": finished, "to_act": state.to_act, "legal": legal, "error": None}


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_explicit_hands_give_what_the_seed_gives(game: str, variant: dict[str, object]) -> None:
    record = random_record(game, variant, SEED)
    hands: list[DealRecord] = []

    class Dealt:
        def dealt(self, number: int, deal: Any, state: Any) -> None:  # noqa: ARG002 - the observer's form
            hands.append(
                DealRecord(
                    record.deals[number].actions, tuple(str(hand) for hand in deal.hands), str(deal.kitty)
                )
            )

        def acted(self, seat: int, text: str, state: Any) -> None:
            """Cards are all that is wanted here."""

    verdict = replay(record, Dealt())
    explicit = GameRecord.from_line(replace(record, seed=None, deals=tuple(hands)).to_line())
    assert replay(explicit).to_json() == verdict.to_json()


@pytest.mark.parametrize(
    ("change", "rule", "message"),
    [
        ({"game": "hearts"}, "format", "hearts"),
        ({"variant": {"partner": True}}, "format", "partners"),
        ({"variant": {"partners": 1}}, "format", "partners"),
        ({"seats": ("ana",)}, "format", "1 seats"),
        ({"scores": (1, 2, 3, 4)}, "format", "the rules give"),
        ({"seed": None}, "format", "seed"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], rule: str, message: str) -> None:
    error = replay(replace(random_record("trix", {}, SEED), **change)).error
    assert error is not None
    assert error.rule == rule
    assert message in error.message


def test_scores_of_a_game_that_is_not_over_are_wrong() -> None:
    record = random_record("trix", {}, SEED)
    error = replay(replace(record, deals=record.deals[:3])).error
    assert error is not None
    assert "not over" in error.message
