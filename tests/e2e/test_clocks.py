"""What real bots are charged for is what they thought, and a bot that thinks at once is never late."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from statistics import fmean, median
from typing import TYPE_CHECKING

import pytest

from cardtable.dealing import board_seed
from referee.blocks import BlockOrder, GameOrder
from referee.worker import play_block, shutdown
from tests.e2e.blocks import CULPRIT, LIMITS, VARIANT, causes, good, play, spec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


pytestmark = pytest.mark.long


@pytest.fixture(autouse=True, scope="module")
def _worker() -> Iterator[None]:
    yield
    shutdown()


@pytest.mark.parametrize("tables", [1, 32])
def test_a_bot_that_thinks_50_ms_is_charged_50_ms_however_many_tables_it_plays_at(
    tmp_path: Path, tables: int
) -> None:
    thinker = spec("thinker", "faulty_bot.py", "thinks", 4)
    play(tmp_path, thinker)  # has warmed up
    result = play(tmp_path, thinker, games=tables)
    assert causes(result) == []
    thought = 4 * 50
    charged = [played.charged_ms[CULPRIT] for played in result.games]
    # Less by what the referee was late itself, more by what the machine made the bot wait.
    assert 0.85 * thought < fmean(charged) < 1.4 * thought
    assert min(charged) > 0.5 * thought
    assert median(charged) < 1.4 * thought
    others = [ms for played in result.games for seat, ms in enumerate(played.charged_ms) if seat != CULPRIT]
    assert median(others) < 0.5 * thought


def test_twelve_bots_that_answer_at_once_are_never_late_on_a_loaded_machine(tmp_path: Path) -> None:
    bots = tuple(good(f"bot{number}") for number in range(12))
    names = [one.name for one in bots]
    games = tuple(
        GameOrder(
            game // 24,
            game % 24,
            tuple(names[(3 * game + seat + game // 4) % 12] for seat in range(3)),
            board_seed(b"m" * 32, "c", game // 24),
        )
        for game in range(240)
    )
    order = BlockOrder(
        "c", "vytrix", VARIANT, games, bots, replace(LIMITS, move_ms=1000), str(tmp_path), seconds=4
    )
    assert play_block(replace(order, seconds=0)).error == ""  # their processes have started
    with ExitStack() as stack:
        for _ in range(2 * (os.cpu_count() or 1)):
            burner = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(burner.kill)
        result = play_block(order)
    assert result.error == ""
    assert len(result.games) >= 24
    assert causes(result) == []
    assert result.entrant_faults == ()
