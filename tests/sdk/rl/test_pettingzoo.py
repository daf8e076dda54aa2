"""PettingZoo's own tests, for every option of both games."""

from __future__ import annotations

from functools import partial
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from pettingzoo.test.api_test import api_test
from pettingzoo.test.max_cycles_test import max_cycles_test
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test
from pettingzoo.test.state_test import state_test

from cardtable.rl import trix_v0, vytrix_v0
from tests.sdk.variants import variants

if TYPE_CHECKING:
    from collections.abc import Mapping

# PettingZoo warns of observations that are dicts unless the environment is one of its own classics, which have them too.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

EXTRA: dict[str, list[dict[str, object]]] = {"trix": [], "vytrix": [{"max_bid": 0}, {"max_hands": 1}]}
CASES = [
    pytest.param(
        module, variant, id=f"{game} {' '.join(f'{name}={value}' for name, value in variant.items())}"
    )
    for game, module in (("trix", trix_v0), ("vytrix", vytrix_v0))
    for variant in (*variants(game), *EXTRA[game])
]


def pass_all(module: ModuleType, variant: Mapping[str, object], cycles: int, **arguments: Any) -> None:
    env = partial(module.env, variant=variant, **arguments)
    api_test(env(), num_cycles=cycles)
    seed_test(env, num_cycles=cycles)
    parallel_env = partial(module.parallel_env, variant=variant, **arguments)
    max_cycles_test(SimpleNamespace(env=env, parallel_env=parallel_env))


@pytest.mark.parametrize(("module", "variant"), CASES)
def test_every_variant_passes(module: ModuleType, variant: Mapping[str, object]) -> None:
    pass_all(module, variant, 40)


@pytest.mark.long
@pytest.mark.parametrize(("module", "variant"), CASES)
def test_every_variant_passes_over_whole_games(module: ModuleType, variant: Mapping[str, object]) -> None:
    pass_all(module, variant, 300)


@pytest.mark.parametrize("module", [trix_v0, vytrix_v0])
@pytest.mark.parametrize(
    "arguments", [{"reward": "game"}, {"ask_forced": True}, {"max_deals": 2}, {"max_steps": 90}]
)
def test_every_argument_passes(module: ModuleType, arguments: dict[str, Any]) -> None:
    api_test(module.env(**arguments), num_cycles=100)
    seed_test(partial(module.env, **arguments), num_cycles=40)


@pytest.mark.parametrize("module", [trix_v0, vytrix_v0])
def test_states_and_rendering_pass(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    state_test(module.env(), module.parallel_env(), num_cycles=5)
    render_test(module.env)
    assert "player_" in capsys.readouterr().out


@pytest.mark.parametrize("module", [trix_v0, vytrix_v0])
def test_the_parallel_environment_passes(module: ModuleType) -> None:
    parallel_api_test(module.parallel_env(max_cycles=100), num_cycles=50)


booleans = st.booleans()
ANY_TRIX = st.fixed_dictionaries(
    {
        "partners": booleans,
        "kingdom_order": st.sampled_from(["right", "across"]),
        "redeals": booleans,
        "max_voids": st.sampled_from([0, 1, 20]),
        "early_end": booleans,
        "diamond_lead": st.sampled_from(["free", "not_first"]),
        "doubling": booleans,
        "own_double": st.sampled_from(["single", "double"]),
        "diamonds_face_up": booleans,
        "reveal_twos": st.sampled_from(["never", "after_first_round", "at_start"]),
        "closed_suit": st.sampled_from(["repeat", "off"]),
    }
)
_VYTRIX = {
    "max_bid": st.sampled_from([0, 1, 10, 100, 1000]),
    "target": st.sampled_from([0, 20, 1000]),
    "max_hands": st.sampled_from([1, 2, 100]),
    "breaking_trump": booleans,
    "last_trick": st.sampled_from(["off", "replace", "bonus"]),
}
ANY_VYTRIX = st.one_of(
    st.fixed_dictionaries({**_VYTRIX, "players": st.just(3), "defensive_partnerships": booleans}),
    st.fixed_dictionaries({**_VYTRIX, "players": st.just(4), "partial_bidding": booleans}),
)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(ANY_TRIX)
def test_any_options_of_trix_together_pass(variant: dict[str, object]) -> None:
    pass_all(trix_v0, variant, 60)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(ANY_VYTRIX)
def test_any_options_of_vytrix_together_pass(variant: dict[str, object]) -> None:
    pass_all(vytrix_v0, variant, 60)
