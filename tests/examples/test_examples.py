"""The example bots play whole games of every variant by the rules, and play the same again."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cardtable import Bot, play
from referee.config import load

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("random", "greedy", "counter", "search")
TRIX: tuple[dict[str, Any], ...] = (
    {},
    {"partners": True, "kingdom_order": "across", "diamonds_face_up": True},
    {"partners": True, "reveal_twos": "at_start", "own_double": "double", "early_end": True},
    {"diamond_lead": "not_first", "max_voids": 0, "doubling": False, "redeals": False, "closed_suit": "off"},
)
ONE_HAND = {"target": 0, "max_hands": 1}
VYTRIX: tuple[dict[str, Any], ...] = (
    {"players": 3, "max_bid": 0},
    {"players": 3, "max_bid": 3},
    {"players": 3, "defensive_partnerships": True, "last_trick": "bonus", "breaking_trump": True},
    {"players": 4, "last_trick": "replace"},
    {"players": 4, "partial_bidding": True, "breaking_trump": True},
)


@pytest.fixture(scope="module")
def bots() -> dict[str, type[Bot]]:
    """The example bots, imported as they are when Python runs one of them: from their own folder."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return {name: getattr(import_module(f"{name}_bot"), f"{name.capitalize()}Bot") for name in NAMES}
    finally:
        sys.path.remove(str(EXAMPLES))


@pytest.fixture
def quick_search(monkeypatch: pytest.MonkeyPatch, bots: dict[str, type[Bot]]) -> None:
    """Search in few worlds: legality does not hang on how many there are."""
    monkeypatch.setattr(sys.modules[bots["search"].__module__], "WORLDS", 1)


@pytest.mark.usefixtures("quick_search")
@pytest.mark.parametrize("variant", TRIX, ids=str)
def test_all_examples_play_trix_at_one_table(variant: dict[str, Any], bots: dict[str, type[Bot]]) -> None:
    (game,) = play("trix", [bots[name] for name in NAMES], variant=variant)
    assert game.seats == NAMES
    assert game.scores is not None
    assert sum(game.scores) == 0 or variant.get("own_double") == "double"


@pytest.mark.usefixtures("quick_search")
@pytest.mark.parametrize("variant", VYTRIX, ids=str)
@pytest.mark.parametrize("without", NAMES)
def test_all_examples_play_vytrix(variant: dict[str, Any], without: str, bots: dict[str, type[Bot]]) -> None:
    seated = [bots[name] for name in NAMES if variant["players"] == 4 or name != without]
    (game,) = play("vytrix", seated, variant={**variant, **ONE_HAND}, seed=NAMES.index(without))
    assert game.scores is not None


@pytest.mark.usefixtures("quick_search")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", ["trix", "vytrix"])
def test_an_example_alone_at_a_table_plays_the_same_again(
    game: str, name: str, bots: dict[str, type[Bot]]
) -> None:
    variant = ONE_HAND if game == "vytrix" else {}
    seated = [bots[name]] * (3 if game == "vytrix" else 4)
    assert play(game, seated, variant=variant, seed=3) == play(game, seated, variant=variant, seed=3)


@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "tournaments").glob("*.toml")), ids=lambda path: path.stem
)
def test_an_example_tournament_is_sound(path: Path) -> None:
    config = load(path)
    assert [entrant.name for entrant in config.entrants] == list(NAMES)
    assert config.competitions
