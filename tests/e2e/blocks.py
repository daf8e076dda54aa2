"""Blocks with one bot that misbehaves, played in this process, and what must hold whatever it does."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import pytest

from cardtable.dealing import board_seed
from cardtable.replay import replay
from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.errors import RefereeError
from referee.sandbox import check_bwrap
from referee.worker import play_block

if TYPE_CHECKING:
    from cardtable.record import FaultCause
    from referee.blocks import BlockResult

__all__ = [
    "BOTS",
    "CULPRIT",
    "JAVASCRIPT",
    "LIMITS",
    "NODE_READY",
    "VARIANT",
    "block",
    "causes",
    "good",
    "needs_bwrap",
    "output",
    "play",
    "spec",
]

BOTS = Path(__file__).parent.parent / "bots"
VARIANT = {"players": 3, "max_bid": 6, "target": 0, "max_hands": 1}
LIMITS = Limits(
    start_seconds=30,
    first_move_seconds=20,
    move_ms=10_000,
    stop_seconds=0.2,
    disconnect_seconds=20,
    restarts=1,
)
CULPRIT = 1
JAVASCRIPT = Path(__file__).parents[2] / "examples" / "javascript"
NODE_READY = which("node") is not None and (JAVASCRIPT / "node_modules").is_dir()


def _trouble_with_boxes() -> str:
    try:
        check_bwrap()
    except RefereeError as error:
        return str(error)
    return ""


_TROUBLE = _trouble_with_boxes()
needs_bwrap = pytest.mark.skipif(bool(_TROUBLE), reason=_TROUBLE or "bwrap works")


def spec(name: str, program: str, *arguments: object) -> BotSpec:
    command = (sys.executable, str(BOTS / program), *map(str, arguments))
    return BotSpec(name, command, str(BOTS), (("PYTHONPATH", os.pathsep.join(sys.path)),))


def good(name: str) -> BotSpec:
    return spec(name, "faulty_bot.py", "none", 0)


def block(folder: Path, culprit: BotSpec, *, games: int = 1, limits: Limits = LIMITS) -> BlockOrder:
    """Games with the culprit in seat 1 and two that behave, as seatings of one board, which begin together."""
    seats = ("ana", culprit.name, "bo")
    orders = tuple(
        GameOrder(0, seating, seats, board_seed(b"m" * 32, "c", seating)) for seating in range(games)
    )
    bots = (good("ana"), culprit, good("bo"))
    return BlockOrder("c", "vytrix", VARIANT, orders, bots, limits, str(folder))


def play(folder: Path, culprit: BotSpec, *, games: int = 1, limits: Limits = LIMITS) -> BlockResult:
    """Play, and check what must hold whatever a bot does."""
    order = block(folder, culprit, games=games, limits=limits)
    result = play_block(order)
    assert result.error == ""
    assert [played.order for played in result.games] == list(order.games)
    for played in result.games:
        rebuilt = replay(played.record)
        assert rebuilt.error is None
        assert rebuilt.state is not None
        assert rebuilt.state.is_over
        assert rebuilt.state.scores == played.record.scores
        assert {fault.seat for fault in played.record.faults} <= {CULPRIT}
        assert len(played.details) == len(played.record.faults)
    return result


def causes(result: BlockResult) -> list[FaultCause]:
    return [fault.cause for played in result.games for fault in played.record.faults]


def output(folder: Path, culprit: BotSpec) -> str:
    return "".join(path.read_text() for path in folder.glob(f"{culprit.name}.*.log"))
