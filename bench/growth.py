"""What grows with the number of games: time a game, memory, the start of a run, ratings.

Each figure is measured in a process of its own, on a store that is filled with real games (`bench.filling`); what is
compared is measured turn by turn, so that a busy machine is as busy for both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.filling import Filler

__all__ = ["last_games", "plan_of", "ratings_of"]

#: Plays the tournament of a file in this process, and prints seconds to the first order, of all, and the peak in kB.
_PLAY = """
import json, resource, sys, time
from pathlib import Path
began = time.perf_counter()
from referee.config import load
from referee.executor import local_pool
from referee.tournament import Tournament, open_store

class Silent:
    def progressed(self, progress): pass
    def warned(self, message): print(message, file=sys.stderr)

if __name__ == "__main__":
    config = load(Path(sys.argv[1]))
    store, _ = open_store(config, extend=True)
    with store, store.run():
        before = store.count()
        tournament = Tournament(config, store, Silent())
        started = time.perf_counter()
        tournament.run(lambda: local_pool(config.jobs))
        ended = time.perf_counter()
        games = store.count() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([started - began, ended - started, peak, games]))
"""


def last_games(
    games: int = 100_000, part: int = 1_000, repeats: int = 3, game: str = "vytrix"
) -> dict[str, float]:
    """The last games of a plan beside the first ones: time to play and store them, start and peak memory.

    Args:
        games: Of the whole plan.
        part: How many are played at each end.
        repeats: Measurements of each, turn by turn.
        game: As in `bench.filling.GAMES`.
    """
    with tempfile.TemporaryDirectory() as folder:
        filler = Filler(Path(folder), game)
        filler.play()
        boards, few = games // filler.seatings, part // filler.seatings
        found: dict[str, list[list[float]]] = {"first": [], "last": []}
        for number in range(repeats):
            for end, measured in found.items():
                filled = 0 if end == "first" else boards - few
                cup = filler.fill(f"{end}{number}", filled, filled + few)
                ran = _python(_PLAY, str(cup))
                measured.append(json.loads(ran))
                for file in Path(folder).glob(f"{end}{number}.*"):
                    file.unlink()
    first, last = ([statistics.median(one) for one in zip(*found[end], strict=True)] for end in found)
    return {
        f"growth: last {part:,} of {games:,} games / first": last[1] / first[1],
        f"growth: first {part:,} games, ms a game": 1000 * first[1] / first[3],
        f"growth: last {part:,} of {games:,} games, ms a game": 1000 * last[1] / last[3],
        f"growth: going on with {games:,} games, start in s": last[0],
        f"growth: memory of a run of the first {part:,} games, MB": first[2] / 1024,
        f"growth: memory of a run that makes it {games:,} games, MB": last[2] / 1024,
    }


def plan_of(games: int = 1_000_000) -> dict[str, float]:
    """A run with a plan of so many games: seconds to its plan, and the peak memory of `--dry-run`."""
    with tempfile.TemporaryDirectory() as folder:
        filler = Filler(Path(folder), "trix")
        few = filler.write("few", 8)
        cup = filler.write("plan", games // filler.seatings)
        least, _ = _command("run", str(few), "--dry-run")
        seconds, peak = _command("run", str(cup), "--dry-run")
    return {
        f"growth: plan of {games:,} games / of 32": seconds / least,
        f"growth: plan of {games:,} games, s": seconds,
        f"growth: plan of {games:,} games, MB": peak,
    }


def ratings_of(games: int = 100_000, game: str = "trix") -> dict[str, float]:
    """`tourney ratings` of so many games, made anew and when nothing changed."""
    with tempfile.TemporaryDirectory() as folder:
        filler = Filler(Path(folder), game)
        filler.play()
        cup = filler.fill("rated", games // filler.seatings)
        anew, peak = _command("ratings", str(cup), cache=folder)
        again, _ = _command("ratings", str(cup), cache=folder)
    return {
        f"growth: ratings of {games:,} games again / anew": again / anew,
        f"growth: ratings of {games:,} games, s": anew,
        f"growth: ratings of {games:,} games again, s": again,
        f"growth: ratings of {games:,} games, MB": peak,
    }


def _command(*arguments: str, cache: str = "") -> tuple[float, float]:
    """Seconds and peak MB of a command of `tourney`."""
    environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", *arguments], stdout=subprocess.DEVNULL, env=environment
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"tourney {' '.join(arguments)} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def _python(program: str, *arguments: str) -> str:
    """What a program of its own prints last; it is a file, since workers import what started them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "measured.py"
        file.write_text(program, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, file, *arguments], check=True, stdout=subprocess.PIPE, text=True
        )
    return ran.stdout.splitlines()[-1]


def main() -> None:
    """Measure at one size and print JSON."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    figures = last_games(games, min(1_000, games // 4)) | plan_of(10 * games) | ratings_of(games)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
