"""What the soak concludes from hits, faults and samples; `make soak` is the real one."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bench.soak_cup import MARK, NAME, SIGNALS, write_cup
from bench.soak_judging import Hit, trend, unexplained
from bench.soak_watch import Watch, marked
from referee.config import load

if TYPE_CHECKING:
    from pathlib import Path


def fault(bot: str, cause: str) -> dict[str, str]:
    """As `tourney faults --json` prints it, as far as it matters."""
    return {"bot": bot, "cause": cause}


KILLED, STOPPED = Hit(1.0, "ana", "SIGKILL", 7), Hit(2.0, "bo", "SIGSTOP", 8)


def test_a_hit_explains_one_fault_of_its_entrant_and_kind() -> None:
    assert unexplained([fault("ana", "crash"), fault("bo", "timeout")], [KILLED, STOPPED]) == []
    assert unexplained([fault("bo", "disconnect")], [STOPPED]) == []
    assert unexplained([], [KILLED, STOPPED]) == []


@pytest.mark.parametrize(
    "faults",
    [
        [fault("cy", "crash")],
        [fault("ana", "timeout")],
        [fault("bo", "crash")],
        [fault("ana", "crash"), fault("ana", "crash")],
        [fault("bo", "timeout"), fault("bo", "disconnect")],
        [fault("ana", "illegal")],
    ],
    ids=["never hit", "another signal", "stopped", "two of one kill", "two of one stop", "no signal does it"],
)
def test_any_other_fault_is_unexplained(faults: list[dict[str, str]]) -> None:
    assert len(unexplained(faults, [KILLED, STOPPED])) == 1


def test_a_figure_is_flat_unless_its_last_third_is_well_above_its_first() -> None:
    assert trend("MB", [100.0] * 30 + [119.0] * 15, 10).is_flat
    assert trend("files", [20.0] * 30 + [29.0] * 15, 10).is_flat
    assert not trend("files", [20.0] * 30 + [31.0] * 15, 10).is_flat
    assert not trend("MB", [float(100 + number) for number in range(60)], 10).is_flat
    assert trend("MB", [float(100 - number) for number in range(60)], 10).is_flat


def test_few_samples_are_not_judged() -> None:
    few = trend("MB", [10.0, 10.0, 90.0], 10)
    assert not few.is_judged
    assert few.is_flat
    assert trend("MB", [], 10).is_flat


def test_a_process_is_known_by_the_mark_in_its_environment() -> None:
    mark = f"test-{os.getpid()}"
    command = [sys.executable, "-c", "print(flush=True); input()"]
    environment = {**os.environ, MARK: mark, NAME: "ana"}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (found,) = marked(mark)
        assert (found.pid, found.kind, found.entrant) == (process.pid, "bot", "ana")
        watch = Watch(mark)
        watch.sample(counts=True)
        assert watch.figures["processes"] == [1]
        process.communicate(b"\n")
    assert marked(mark) == []


def test_what_is_left_over_is_named(tmp_path: Path) -> None:
    watch = Watch(f"test-{os.getpid()}")
    assert watch.left_over(tmp_path) == []
    (tmp_path / "cardtable-x").mkdir()
    assert watch.left_over(tmp_path) == [str(tmp_path / "cardtable-x")]


def test_its_tournament_has_the_games_that_it_says(tmp_path: Path) -> None:
    file = tmp_path / "soak.toml"
    assert write_cup(file, 500, "x") == 500
    assert write_cup(file, 1, "x") == 20
    names = [entrant.name for entrant in load(file).entrants]
    assert names == list(SIGNALS)
    assert sum(competition.plan.games for competition in load(file).competitions) == 20
