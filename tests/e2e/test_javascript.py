"""The bot in JavaScript plays both games over the real protocol without a fault, and plays the same again."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import GAMES
from cardtable.dealing import board_seed
from cardtable.replay import replay
from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.worker import play_block, shutdown
from tests.e2e.blocks import JAVASCRIPT, NODE_READY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIMITS = Limits(start_seconds=60, first_move_seconds=60, move_ms=20_000, stop_seconds=0.2)

pytestmark = pytest.mark.skipif(
    not NODE_READY and not os.environ.get("CARDTABLE_NO_SKIPS"),
    reason="needs Node.js, and `npm ci` in examples/javascript",
)


@pytest.fixture(autouse=True, scope="module")
def _worker() -> Iterator[None]:
    yield
    shutdown()


@pytest.mark.parametrize(
    ("game", "variant"),
    [
        ("trix", {"kingdom_order": "across", "own_double": "double", "early_end": True}),
        ("trix", {"partners": True, "reveal_twos": "at_start", "diamond_lead": "not_first"}),
        ("vytrix", {"target": 0, "max_hands": 3, "defensive_partnerships": True, "last_trick": "replace"}),
        (
            "vytrix",
            {"players": 4, "target": 0, "max_hands": 3, "partial_bidding": True, "breaking_trump": True},
        ),
    ],
)
def test_it_plays_by_the_rules_and_plays_the_same_again(
    tmp_path: Path, game: str, variant: dict[str, Any]
) -> None:
    seats = tuple("abcd"[: GAMES[game].variant(variant).players])
    bots = tuple(BotSpec(name, ("node", "bot.js"), str(JAVASCRIPT)) for name in seats)
    games = tuple(GameOrder(0, seating, seats, board_seed(bytes(32), game, 0)) for seating in (0, 0))
    result = play_block(BlockOrder(game, game, variant, games, bots, LIMITS, str(tmp_path)))
    assert result.error == ""
    assert not result.entrant_faults
    first, second = (played.record for played in result.games)
    assert first.faults == ()
    verdict = replay(first)
    assert verdict.error is None
    assert verdict.state is not None
    assert verdict.state.is_over
    assert verdict.state.scores == first.scores
    assert first == second


def test_its_own_tests_pass() -> None:
    done = subprocess.run(["node", "--test"], cwd=JAVASCRIPT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
