"""What a run shows of itself on a terminal, in a file, and to programs."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from cardtable.record import GameRecord
from referee.blocks import BlockResult, GameOrder, PlayedGame
from referee.cli.progress import Lines, Objects, Screen, watched
from referee.config import quick
from referee.report.tables import interval_bars
from referee.standings import standings
from referee.tournament import Progress, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.store import Store

ROOT = Path(__file__).parents[2]
BOT = ROOT / "examples" / "random_bot.py"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def board(number: int, *points: int) -> BlockResult:
    """A board of one group, at all seatings of which each entrant scores the same."""
    names = ["random_bot", "random_bot-2", "random_bot-3", "random_bot-4"]
    games = []
    for seating in range(4):
        seats = tuple(names[seating:] + names[:seating])
        scores = tuple(points[names.index(name)] for name in seats)
        order = GameOrder(number, seating, seats, bytes(32))
        games.append(PlayedGame(order, GameRecord("trix", {}, seats, (), bytes(32), scores)))
    return BlockResult(tuple(games))


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[tuple[Screen, Store, Clock]]:
    config = quick("trix", [f"python3 {BOT}"] * 4, 10, folder=tmp_path)
    clock = Clock()
    store, _ = open_store(config)
    with store, store.run():
        yield Screen(config, store, clock), store, clock


def painted(screen: Screen) -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(screen.paint())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_screen_shows_done_and_left_the_table_so_far_faults_and_bots(
    screen: tuple[Screen, Store, Clock],
) -> None:
    shown, store, clock = screen
    assert "0 of 40 games" in painted(shown)
    store.add_block("trix", board(0, 90, 10, -20, -80))
    clock.now = 8
    shown.progressed(Progress("trix", 4, 40, 0.5, 2))
    said = painted(shown)
    assert "4 of 40 games" in said
    assert "8 s gone · about 72 s left · 0.5 games/s · 2 faults · 0 bot processes alive" in said
    assert [line.split()[1] for line in said.splitlines() if "●" in line] == [
        "random_bot",
        "random_bot-2",
        "random_bot-3",
        "random_bot-4",
    ]


def test_the_table_so_far_is_not_computed_with_every_block(screen: tuple[Screen, Store, Clock]) -> None:
    shown, store, clock = screen
    store.add_block("trix", board(0, 90, 10, -20, -80))
    shown.progressed(Progress("trix", 4, 40, 0.5, 0))
    store.add_block("trix", board(1, 90, 10, -20, -80))
    clock.now = 1
    shown.progressed(Progress("trix", 8, 40, 0.5, 0))
    assert re.search(r"random_bot +\d\d\.\d.* 1 +0", painted(shown))
    clock.now = 4
    shown.progressed(Progress("trix", 8, 40, 0.5, 0))
    assert re.search(r"random_bot +\d\d\.\d.* 2 +0", painted(shown))


def test_the_games_of_an_earlier_run_count_from_the_beginning(tmp_path: Path) -> None:
    config = quick("trix", [f"python3 {BOT}"] * 4, 10, folder=tmp_path)
    store, _ = open_store(config)
    with store, store.run():
        store.add_block("trix", board(3, 1, 2, 3, 4))
        assert "4 of 40 games" in painted(Screen(config, store))


def test_intervals_stand_on_one_scale(screen: tuple[Screen, Store, Clock]) -> None:
    _, store, _ = screen
    store.add_block("trix", board(0, 90, 10, -20, -80))
    bars = interval_bars(standings(store, store.competitions[0]), width=30)
    assert [len(bar) for bar in bars] == [30] * 4
    assert [bar.strip()[0] + bar.strip()[-1] for bar in bars] == ["├┤"] * 4
    places = [bar.index("●") for bar in bars]
    assert places == sorted(places, reverse=True)
    assert bars[0].rstrip() == bars[0]
    assert bars[-1].startswith("├")


def test_lines_are_few_and_the_last_one_comes(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines(quiet=False)
    for games in range(4, 44, 4):
        lines.progressed(Progress("trix", games, 40, 2.0, 1))
    assert capsys.readouterr().out == "trix: 40 of 40 games, 2.0 games/s, 1 fault in all\n"


def test_a_quiet_run_says_only_what_goes_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines(quiet=True)
    lines.progressed(Progress("trix", 40, 40, 2.0, 1))
    lines.warned("ana: crash: it ended")
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "tourney: ana: crash: it ended\n")


def test_programs_get_an_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    objects = Objects()
    objects.progressed(Progress("trix", 8, 40, 2.0, 1))
    objects.progressed(Progress("trix", 8, 40, 2.0, 1, is_open=True))
    objects.warned("bo: «crash»")
    first, second, warning = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {
        "progress": {
            "competition": "trix",
            "games": 8,
            "planned": 40,
            "is_open": False,
            "games_per_second": 2.0,
            "seconds_left": 16.0,
            "faults": 1,
        }
    }
    assert second["progress"]["seconds_left"] is None
    assert warning == {"warning": "bo: «crash»"}


def test_without_a_terminal_there_are_lines(tmp_path: Path) -> None:
    config = replace(quick("trix", [f"python3 {BOT}"] * 4, 1, folder=tmp_path))
    store, _ = open_store(config)
    with store, watched(config, store, quiet=False, as_json=False) as listener:
        assert isinstance(listener, Lines)


def test_all_that_a_run_writes_for_programs_is_json(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "run", "--game", "vytrix", "--boards", "1", "--json-progress"]
        + [word for _ in range(3) for word in ("--bot", f"{sys.executable} {BOT}")]
        + ["--option", "target=0", "--option", "max_hands=1", "--store", str(tmp_path / "cup.db")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    kinds = [next(iter(json.loads(line))) for line in done.stdout.splitlines()]
    assert kinds == ["plan", "progress", "competitions"]


def test_on_a_terminal_the_screen_gives_place_to_the_tables(tmp_path: Path) -> None:
    main, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "run", "--game", "vytrix", "--boards", "1"]
        + [word for _ in range(3) for word in ("--bot", f"{sys.executable} {BOT}")]
        + ["--option", "target=0", "--option", "max_hands=1", "--store", str(tmp_path / "cup.db")],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
        stdout=other,
        stderr=other,
    )
    os.close(other)
    said = b""
    try:
        while piece := os.read(main, 65536):
            said += piece
    except OSError:
        pass  # the other end was closed
    os.close(main)
    assert process.wait(timeout=60) == 0
    text = said.decode()
    assert "bot processes alive" in text
    assert text.rindex("points/game") > text.rindex("alive")
    assert "Traceback" not in text
