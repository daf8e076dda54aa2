"""`tourney human`: what of its options is refused, and how its games are ordered."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.cli import run
from referee.cli.playing import _OneByOne
from referee.config import quick

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--game", "bridge"), 'unknown game "bridge"'),
        (
            ("--game", "trix", "--bot", "a", "--bot", "b", "--bot", "c", "--bot", "d"),
            "at this table there are 3",
        ),
        (("--game", "vytrix", "--bot", "a", "--bot", "b", "--bot", "c"), "at this table there are 2"),
        (("--game", "trix", "--option", "rotations=cyclic"), "--option rotations: is set here"),
        (("--game", "trix", "--option", "partner=true"), "did you mean 'partners'"),
        (("--game", "vytrix", "--option", "players=5"), "players is 3 or 4"),
        (("--game", "trix", "--bot", "./nothing"), "there is no program"),
        (("--game", "trix", "--name", " "), "--name: is empty"),
        (("--game", "trix", "--move-seconds", "1e9"), "--move-seconds 1e+09"),
        (("--game", "trix", "--away-seconds", "1e9"), "--away-seconds 1e+09"),
        (("--game", "trix", "--port", "80000"), "--port 80000: cannot listen there"),
        (("--game", "trix", "--store", "nowhere/evening.db"), "cannot be a store"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["human", "--no-open", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_remote_bot_comes_before_the_others_of_a_quick_tournament() -> None:
    tables: dict[str, dict[str, object]] = {
        "remote": {"listen": "127.0.0.1:7007"},
        "clocks": {"move_ms": 60_000},
    }
    config = quick("vytrix", ["python3 -V", "python3 -V"], 1, remote=["python3"], tables=tables)
    assert [one.name for one in config.entrants] == ["python3", "python3-2", "python3-3"]
    assert [one.spec.is_remote for one in config.entrants] == [True, False, False]
    assert config.limits.move_ms == 60_000
    assert config.jobs == 1


def test_of_each_order_the_first_board_alone_is_played() -> None:
    games = tuple(GameOrder(board, 0, ("a", "b", "c"), bytes(32)) for board in (4, 5, 6))
    order = BlockOrder("c", "vytrix", {}, games, (BotSpec("a", (), ""),), Limits(), "")
    with _OneByOne(ThreadPoolExecutor(1)) as one_by_one:
        assert one_by_one.submit(_boards, order).result() == [4]


def _boards(order: BlockOrder) -> list[int]:
    return [game.board for game in order.games]


def test_the_command_loads_grpc_only_when_somebody_plays() -> None:
    code = "import sys, referee.cli.app, referee.cli.playing; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
