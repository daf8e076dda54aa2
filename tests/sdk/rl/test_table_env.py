"""Episodes: seeds, rewards, ends, and numbers that are not legal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardtable.engine import VariantError
from cardtable.rl import trix_v0, vytrix_v0
from cardtable.vytrix import Step

if TYPE_CHECKING:
    from types import ModuleType

BOTH = pytest.mark.parametrize("module", [trix_v0, vytrix_v0])
SHORT: dict[ModuleType, dict[str, object]] = {trix_v0: {}, vytrix_v0: {"target": 0, "max_hands": 3}}


def observed(env: Any) -> dict[str, Any]:
    """What the agent that acts sees; PettingZoo's type says that it may be None."""
    seen: dict[str, Any] = env.last()[0]
    return seen


def play(env: Any, seed: int | None = 1, choice: int = 1) -> tuple[dict[str, list[float]], list[Any]]:
    """The rewards of each agent, and all observations, of a random game."""
    env.reset(seed=seed)
    rng = Random(choice)
    rewards: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
    seen: list[Any] = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent].append(reward)
        seen.append(observation["observation"])
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return rewards, seen


def sums(rewards: dict[str, list[float]]) -> list[float]:
    return [sum(given) for given in rewards.values()]


@BOTH
@pytest.mark.parametrize("reward", ["deal", "game"])
def test_the_rewards_of_a_game_add_up_to_its_points(module: ModuleType, reward: str) -> None:
    env = module.raw_env(variant=SHORT[module], reward=reward)
    rewards, _ = play(env)
    assert sums(rewards) == list(env._state.scores)
    times = {sum(1 for one in given if one) for given in rewards.values()}
    assert (times == {1}) == (reward == "game")


@pytest.mark.parametrize(
    ("module", "variant"),
    [(trix_v0, {"partners": True}), (vytrix_v0, {"players": 4, "target": 0, "max_hands": 2})],
)
def test_a_side_has_its_reward_in_common(module: ModuleType, variant: dict[str, object]) -> None:
    env = module.raw_env(variant=variant)
    total = sums(play(env)[0])
    assert total == [*env._state.group_scores] * 2


def test_a_whole_game_of_trix_adds_up_to_nothing_and_its_deals_do_not() -> None:
    rewards, _ = play(trix_v0.raw_env())
    assert sum(sums(rewards)) == 0
    assert sum(sums(play(trix_v0.raw_env(max_deals=1))[0])) != 0


@BOTH
def test_a_seed_decides_the_cards_of_its_game_and_of_those_after_it(module: ModuleType) -> None:
    first, second = module.raw_env(variant=SHORT[module]), module.raw_env(variant=SHORT[module])
    same = [play(env, 7)[1] + play(env, None)[1] for env in (first, second)]
    assert all((one == other).all() for one, other in zip(*same, strict=True))
    hands = [opening(first, 7), opening(first, None), opening(first, 8), opening(first, 7)]
    assert hands[0] == hands[3]
    assert len({str(hand) for hand in hands}) == 3


def opening(env: Any, seed: int | None) -> list[str]:
    env.reset(seed=seed)
    return [str(env.view(agent).hand) for agent in env.agents]


@BOTH
def test_without_a_seed_games_differ(module: ModuleType) -> None:
    assert opening(module.raw_env(), None) != opening(module.raw_env(), None)


@BOTH
def test_after_its_cycles_an_agent_is_truncated_and_the_house_plays_until_the_last_has_made_its_own(
    module: ModuleType,
) -> None:
    env = module.raw_env(max_cycles=5)
    env.reset(seed=3)
    rng = Random(1)
    made = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert not terminated
        assert truncated == (made[agent] == 5)
        made[agent] += not truncated
        env.step(None if truncated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert set(made.values()) == {5}


def test_after_its_deals_everybody_is_truncated_with_the_points_of_the_last_one() -> None:
    env: Any = trix_v0.raw_env(max_deals=2)
    rewards, _ = play(env)
    assert len(env._state.completed) == 2
    assert sums(rewards) == list(env._state.scores)


@pytest.mark.parametrize("deals", [None, 1])
def test_a_game_that_is_over_is_terminated_though_a_limit_is_reached_as_well(deals: int | None) -> None:
    env = vytrix_v0.raw_env(variant={"target": 0, "max_hands": 1}, max_deals=deals)
    env.reset(seed=1)
    while not (set(env.terminations.values()) | set(env.truncations.values())) & {True}:
        env.step(int(observed(env)["action_mask"].argmax()))
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}


@BOTH
def test_an_agent_is_asked_where_it_has_a_choice_or_always(module: ModuleType) -> None:
    steps = {}
    for forced in (False, True):
        env = module.raw_env(variant=SHORT[module], ask_forced=forced)
        env.reset(seed=2)
        rng, counted, single = Random(2), 0, 0
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            allowed = np.flatnonzero(observation["action_mask"])
            counted, single = counted + 1, single + (len(allowed) == 1)
            env.step(None if terminated else int(rng.choice(allowed)))
        steps[forced] = counted
        assert bool(single) == forced
    assert steps[False] < steps[True]


@BOTH
def test_for_a_number_that_is_not_legal_the_house_plays_and_it_is_counted(module: ModuleType) -> None:
    env = module.raw_env(ask_forced=True)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(51 if module is vytrix_v0 else 76)
    assert env.infos[agent] == {"deals": 0, "illegal": 1}
    others = [one for one in env.agents if one != agent]
    assert all(env.infos[one] == {"deals": 0, "illegal": 0} for one in others)
    assert "slaps" in str(env._state.contract) if module is trix_v0 else env._state.view(0).calls


def test_where_half_a_bid_is_followed_by_no_form_the_house_bids() -> None:
    env = vytrix_v0.raw_env()
    env.reset(seed=1)
    env.step(90)
    assert env.agent_selection == "player_0"
    env.step(3)
    assert [str(call) for call in env._state.view(0).calls] == ["bid:1C-low"]


@BOTH
def test_a_number_that_is_not_legal_can_be_an_error_and_the_game_is_as_it_was(module: ModuleType) -> None:
    env = module.raw_env(illegal="raise")
    env.reset(seed=1)
    before = observed(env)
    for number in (76 if module is trix_v0 else 51, -1, 5000):
        with pytest.raises(ValueError, match="which its mask forbids"):
            env.step(number)
    after = observed(env)
    assert all((before[name] == after[name]).all() for name in before)


def test_nobody_else_sees_what_an_agent_has_chosen_of_its_decision() -> None:
    env = vytrix_v0.raw_env()
    env.reset(seed=1)
    for number in (58, 155, 52, 52, 53):  # bid:4S-high, two passes, kitty:take
        env.step(number)
    assert env.view("player_0").step is Step.DISCARD
    others = ["player_1", "player_2"]
    before = [env.observe(agent) for agent in others]
    mine = env.observe("player_0")
    env.step(int(np.flatnonzero(mine["action_mask"])[3]))
    assert env.agent_selection == "player_0"
    assert (env.observe("player_0")["observation"] != mine["observation"]).any()
    for agent, old in zip(others, before, strict=True):
        assert (env.observe(agent)["observation"] == old["observation"]).all()


@BOTH
def test_an_agent_that_does_not_act_has_an_empty_mask_and_the_arrays_are_its_own_to_change(
    module: ModuleType,
) -> None:
    env = module.raw_env()
    env.reset(seed=1)
    for agent in env.agents:
        observation = env.observe(agent)
        assert bool(observation["action_mask"].any()) == (agent == env.agent_selection)
        kept = observation["action_mask"].copy()
        observation["action_mask"][:] = 1
        observation["observation"][:] = 0
        assert (env.observe(agent)["action_mask"] == kept).all()


def test_the_info_counts_the_completed_deals_so_that_one_without_points_is_seen_too() -> None:
    env = vytrix_v0.raw_env(variant={"target": 0, "max_hands": 3})
    env.reset(seed=1)
    counted = set()
    for _ in env.agent_iter():
        _, reward, terminated, _, info = env.last()
        counted.add(info["deals"])
        assert not reward or info["deals"]
        env.step(None if terminated else int(observed(env)["action_mask"].argmax()))
    assert counted == {0, 1, 2, 3}


def test_an_agent_that_has_to_act_cannot_do_nothing() -> None:
    env = trix_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="player_0 has to act"):
        env.step(None)


def test_rendering_shows_the_agent_that_acts_and_no_other_hand() -> None:
    env = trix_v0.raw_env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert f"{env.agent_selection}: {env.view(env.agent_selection).hand}" in text
    assert "legal: contract:king" in text
    for agent in env.agents[:2]:
        assert (str(env.view(agent).hand) in text) == (agent == env.agent_selection)
    assert trix_v0.raw_env().render() is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"reward": "trick"},
        {"illegal": "ignore"},
        {"render_mode": "rgb_array"},
        {"max_cycles": 0},
        {"max_steps": -1},
        {"max_deals": 0},
    ],
)
def test_an_argument_that_is_not_one_is_refused_with_what_would_be_right(arguments: dict[str, Any]) -> None:
    (name,) = arguments
    with pytest.raises(ValueError, match=rf"^{name} is "):
        trix_v0.env(**arguments)


def test_an_unknown_option_of_the_game_is_refused() -> None:
    with pytest.raises(VariantError, match="did you mean 'partners'"):
        trix_v0.env(variant={"partner": True})
