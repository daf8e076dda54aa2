"""A policy as a bot: at home, before a real referee, and what is wrong of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardtable import Bot, play, seat_points
from cardtable.catalog import GAMES, UnknownGameError
from cardtable.engine import Deal
from cardtable.rl import PolicyError, choose, policy_bot, trix_v0
from cardtable.vytrix import Step
from tests.sdk.variants import variants

if TYPE_CHECKING:
    from cardtable.rl.coding import Array, Mask

ROOT = Path(__file__).parents[3]


def first(observation: Array, mask: Mask) -> int:
    del observation
    return int(mask.argmax())


def last(observation: Array, mask: Mask) -> np.intp:
    del observation
    return np.intp(np.flatnonzero(mask)[-1])


@pytest.mark.parametrize(
    ("game", "variant"), [(game, variant) for game in ("trix", "vytrix") for variant in variants(game)]
)
def test_policies_play_whole_games_of_every_variant(game: str, variant: dict[str, object]) -> None:
    seats = GAMES[game].variant(variant).players
    bots = [policy_bot(game, first, name="first"), policy_bot(game, last, name="last")] * 2
    (record,) = play(game, bots[:seats], variant=variant, seed=1)
    assert record.seats[:2] == ("first", "last")
    assert record.scores is not None


def test_a_bot_of_the_environment_plays_as_its_policy_did_there() -> None:
    """The same cards, the same policy: the same points, one by the environment, one by the bot."""
    env: Any = trix_v0.raw_env()
    env.reset(seed=5)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else first(observation["observation"], observation["action_mask"]))
    state = GAMES["trix"].new_state(env.variant)
    while not state.is_over:
        if state.needs_deal:
            state.deal(env._dealer.deal(state.deal_key))
        else:
            assert state.to_act is not None
            state.apply(choose(state.view(state.to_act), first))
    assert state.scores == env._state.scores


def test_one_class_of_two_policies_plays_both_games() -> None:
    class Both(policy_bot("trix", first), policy_bot("vytrix", last)):  # type: ignore[misc] # made while it runs
        name = "both"

    for game, seats in (("trix", 4), ("vytrix", 3)):
        (record,) = play(game, [Both] * seats)
        assert sum(map(abs, seat_points(record))) > 0


def test_a_bot_of_ones_own_may_use_its_chance() -> None:
    class Chance(Bot):
        def trix(self, view: Any) -> Any:
            return choose(view, lambda _, mask: self.random.choice(np.flatnonzero(mask)))

    assert play("trix", [Chance] * 4, seed=2) == play("trix", [Chance] * 4, seed=2)


def test_a_policy_is_asked_for_each_step_of_a_decision_and_may_write_to_its_arrays() -> None:
    state = GAMES["vytrix"].new_state(GAMES["vytrix"].variant({}))
    state.deal(Deal.shuffled((16,) * 3, Random(1)))
    asked = []

    def policy(observation: Array, mask: Mask) -> int:
        number = first(observation, mask)
        asked.append((number, int(mask.sum())))
        observation[:] = 0
        mask[:] = 1
        return number

    assert str(choose(state.view(0), policy)) == "bid:1S-high"
    assert asked == [(55, 100), (155, 10)]
    for text in ("bid:1S-high", "pass", "pass", "kitty:take"):
        state.apply(GAMES["vytrix"].parse_action(text))
    asked.clear()
    view = state.view(0)
    assert view.step is Step.DISCARD
    assert choose(view, policy) in view.legal_actions
    assert [legal for _, legal in asked] == [20, 19, 18, 17]


@pytest.mark.parametrize("number", [76, -1, 500])
def test_a_number_that_the_mask_forbids_is_an_error_that_tells_the_legal_ones(number: int) -> None:
    state = GAMES["trix"].new_state(GAMES["trix"].variant({}))
    state.deal(Deal.shuffled((13,) * 4, Random(1)))
    with pytest.raises(PolicyError, match=rf"the policy gave {number}, .* legal: 53, 54, 55, 56, 57$"):
        choose(state.view(state.to_act or 0), lambda *_: number)


def test_a_seat_that_is_not_asked_cannot_choose() -> None:
    state = GAMES["trix"].new_state(GAMES["trix"].variant({}))
    state.deal(Deal.shuffled((13,) * 4, Random(1)))
    assert state.to_act is not None
    with pytest.raises(ValueError, match="is not asked"):
        choose(state.view((state.to_act + 1) % 4), first)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match="the games are trix, vytrix"):
        policy_bot("bridge", first)


def test_the_options_that_a_policy_can_play_are_told() -> None:
    bot = policy_bot("vytrix", first, plays={"players": [3]}, version="7")
    assert bot.plays == {"vytrix": {"players": [3]}}
    assert (bot.name, bot.version) == ("policy", "7")


BOT = """
import sys
import numpy as np
from cardtable import run
from cardtable.rl import policy_bot

weights = np.arange({actions}.0)
assert "pettingzoo" not in sys.modules

def policy(observation, mask):
    return int(np.where(mask == 1, {sign} * weights[: len(mask)], -np.inf).argmax())

class Both(policy_bot("trix", policy), policy_bot("vytrix", policy)):
    name = "{name}"

if __name__ == "__main__":
    run(Both)
"""
CUP = """
[tournament]
name = "policies"

[seed]
master = "{seed}"

[[competition]]
name = "trix"
game = "trix"
boards = 1

[[competition]]
name = "vytrix"
game = "vytrix"
variant = {{ target = 0, max_hands = 2 }}
boards = 1

[clocks]
move_ms = 60000
"""


@pytest.mark.long
def test_policies_play_a_tournament_before_a_real_referee_without_a_fault(tmp_path: Path) -> None:
    cup = CUP.format(seed="11" * 32)
    for number, name in enumerate(("ana", "bo", "cy", "di")):
        (tmp_path / f"{name}.py").write_text(
            BOT.format(name=name, sign=1 if number % 2 else -1, actions=172), encoding="utf-8"
        )
        cup += f'\n[[bot]]\nname = "{name}"\ncommand = ["{sys.executable}", "{name}.py"]\nfiles = ["{name}.py"]\n'
    (tmp_path / "cup.toml").write_text(cup, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "run", "cup.toml", "--store", "cup.db"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    exported = subprocess.run(
        [sys.executable, "-m", "referee", "export", "cup.db"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    records = [json.loads(line) for line in exported.stdout.splitlines()]
    assert {record["game"] for record in records} == {"trix", "vytrix"}
    assert all(record["faults"] == [] for record in records)
