"""Whole runs of `tourney run`, measured from outside: games, decisions, wall time, and whose CPU time it was."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.traces import Trace, traces_in
from referee.store import Store

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
environment = {{ PYTHONPATH = "{root}", BENCH_TRACES = "{traces}" }}
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run was.

    Args:
        games, decisions: How many were played and asked for.
        seconds: Wall time of the whole command.
        referee_cpu, bots_cpu: CPU seconds of everything that is no bot, and of the bots.
        traces: What went over the wires; without messages where the bots keep none.
    """

    games: int
    decisions: int
    seconds: float
    referee_cpu: float
    bots_cpu: float
    traces: list[Trace]


def run_trivial(boards: int, *, jobs: int = 1) -> Run:
    """Trix between four trivial bots, a process for each of them and each seat, with traces."""
    return _run("traced_bot", 4, "trix", boards, jobs)


def run_thinkers(boards: int, *, jobs: int) -> Run:
    """Short Vytrix between three bots that think 20 ms for each decision."""
    return _run("thinking_bot", 3, "vytrix", boards, jobs, "variant = { target = 0, max_hands = 4 }\n")


def _run(bot: str, bots: int, game: str, boards: int, jobs: int, variant: str = "") -> Run:
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        entrants = [
            _BOT.format(number=number, python=sys.executable, bot=bot, root=ROOT, traces=folder)
            for number in range(bots)
        ]
        cup = folder / "bench.toml"
        cup.write_text(_TOML.format(game=game, boards=boards, variant=variant) + "".join(entrants))
        command = [sys.executable, "-m", "referee", "run", str(cup), "--jobs", str(jobs), "--quiet"]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        traces = traces_in(folder)
        with Store.open(folder / "bench.db") as stored:
            decisions = [sum(game.decisions) for game in stored.games()]
    all_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    bots_cpu = sum(trace.cpu_seconds for trace in traces)
    return Run(len(decisions), sum(decisions), seconds, all_cpu - bots_cpu, bots_cpu, traces)
