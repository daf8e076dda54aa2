"""Whole runs of `tourney run`, measured from outside: games, decisions, wall time, and whose CPU time it was."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.traces import Trace, traces_in
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Run", "run_thinkers", "run_trivial"]

ROOT = Path(__file__).parent.parent
_TOML = """[tournament]
name = "bench"

[[competition]]
name = "bench"
game = "{game}"
boards = {boards}
{variant}
[clocks]
move_ms = 60000
"""
_BOT = """
[[bot]]
name = "bot-{number}"
command = ["{python}", "-m", "bench.{bot}"]
environment = {{ PYTHONPATH = "{root}"{traces} }}
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run was.

    Args:
        games, decisions: How many were played and asked for.
        seconds: Wall time of the whole command.
        referee_cpu: CPU seconds of everything that is no bot; all of it where the bots left no traces.
        traces: What went over the wires; empty where the bots left none.
    """

    games: int
    decisions: int
    seconds: float
    referee_cpu: float
    traces: list[Trace]


def run_trivial(boards: int, *, jobs: int = 1) -> Run:
    """Trix between four trivial bots, a process for each of them and each seat, with traces."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder), "traced_bot", "trix", boards, jobs=jobs, traces=traces_in)


def run_thinkers(boards: int, *, jobs: int) -> Run:
    """Short Vytrix between three bots that think 20 ms for each decision."""
    variant = "variant = { target = 0, max_hands = 4 }\n"
    with tempfile.TemporaryDirectory() as folder:
        return _run(Path(folder), "thinking_bot", "vytrix", boards, jobs=jobs, bots=3, variant=variant)


def _run(
    folder: Path,
    bot: str,
    game: str,
    boards: int,
    *,
    jobs: int,
    bots: int = 4,
    variant: str = "",
    traces: Callable[[Path], list[Trace]] | None = None,
) -> Run:
    path = f', BENCH_TRACES = "{folder}"' if traces else ""
    entrants = [
        _BOT.format(number=number, python=sys.executable, bot=bot, root=ROOT, traces=path)
        for number in range(bots)
    ]
    cup = folder / "bench.toml"
    cup.write_text(_TOML.format(game=game, boards=boards, variant=variant) + "".join(entrants))
    command = [sys.executable, "-m", "referee", "run", str(cup), "--jobs", str(jobs), "--quiet"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    found = traces(folder) if traces else []
    all_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with Store.open(folder / "bench.db") as stored:
        games = [sum(game.decisions) for game in stored.games()]
    return Run(
        len(games),
        sum(games),
        seconds,
        all_cpu - sum(one.cpu_seconds for one in found),
        found,
    )
