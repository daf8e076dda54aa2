"""`make soak`: a tournament whose bots are killed and stopped at random and whose referee is killed again and again.

What must hold afterwards is checked: the store, the plan, the culprit of every fault, what is left behind, and that
the counts of processes, files and memory are flat. Ends with status 1 when something does not hold.
"""

from __future__ import annotations

import argparse
import json
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from bench.soak_cup import SIGNALS, write_cup
from bench.soak_judging import Claim, Trend, unexplained
from bench.soak_run import Soaked
from bench.soak_watch import Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

#: How long what belongs to a killed referee may outlive it.
_MOST_ENDING_SECONDS = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, print, and return the status."""
    parser = argparse.ArgumentParser(
        description="A tournament under random signals, and what must hold after."
    )
    parser.add_argument("--games", type=int, default=500, help="about how many the plan has")
    parser.add_argument(
        "--seconds", type=float, default=3600, help="hits and kills end then; the plan is played on"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the choice of hits")
    parser.add_argument("--restart-seconds", type=float, default=20, help="age of a killed referee; 0: never")
    parser.add_argument("--hit-seconds", type=float, default=3, help="mean time between hits")
    parser.add_argument("--keep", type=Path, help="leave store, logs and the list of hits in this new folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(arguments)
    # Whoever ends the soak ends its run with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    watch = Watch(secrets.token_hex(8))
    try:
        planned = write_cup(folder / "soak.toml", chosen.games, watch.mark)
        soaked = Soaked(folder, watch, Random(chosen.seed), chosen.hit_seconds, chosen.restart_seconds)
        soaked.run(chosen.seconds)
        (folder / "hits.jsonl").write_text("".join(json.dumps(asdict(hit)) + "\n" for hit in soaked.hits))
        figures, claims = _conclude(folder, watch, soaked, planned)
    finally:
        if chosen.keep:
            shutil.copytree(folder, chosen.keep)
        shutil.rmtree(folder)
    trends = watch.trends()
    if chosen.json:
        found = {
            "figures": figures,
            "trends": [asdict(one) for one in trends],
            "claims": [*map(asdict, claims)],
        }
        print(json.dumps(found))
    else:
        _show(figures, trends, claims)
    return 0 if all(claim.holds for claim in claims) else 1


def _conclude(
    folder: Path, watch: Watch, soaked: Soaked, planned: int
) -> tuple[dict[str, float], list[Claim]]:
    left = watch.left_over(folder)
    verified = _tourney(folder, "verify", "soak.db")
    games = [one["game"] for one in _lines(folder, "games")]
    faults = _lines(folder, "faults")
    wrong = unexplained(faults, soaked.hits)
    slowest = max(soaked.ending, default=0.0)
    figures: dict[str, float] = {
        "seconds": soaked.seconds,
        "games": len(games),
        "referee killed": soaked.kills,
        "slowest end after that, seconds": slowest,
    }
    hit = Counter((one.entrant, one.signal) for one in soaked.hits)
    made = Counter((str(one["bot"]), f"faults, {one['cause']}") for one in faults)
    for entrant in SIGNALS:
        found = {what: number for (who, what), number in sorted((hit + made).items()) if who == entrant}
        figures |= {f"{entrant}: {what}": number for what, number in found.items()} or {
            f"{entrant}: hits, faults": 0
        }
    grown = [one.what for one in watch.trends() if not one.is_flat]
    last = (verified.stdout.strip() or verified.stderr.strip()).rpartition("\n")[2]
    return figures, [
        Claim("the run ended by itself, with status 0", soaked.status == 0, f"status {soaked.status}"),
        Claim("tourney verify holds", verified.returncode == 0, last),
        Claim(
            "the plan is complete, no game twice",
            len(games) == len(set(games)) == planned,
            f"{len(games)} games of {planned}",
        ),
        Claim(
            "every fault has a hit that explains it", not wrong, "; ".join(wrong) or f"{len(faults)} faults"
        ),
        Claim("nothing is left over", not left, "; ".join(left) or "no process, folder or control group"),
        Claim(
            f"what belongs to a killed referee ends within {_MOST_ENDING_SECONDS:g} s",
            slowest <= _MOST_ENDING_SECONDS,
            f"{slowest:.1f} s",
        ),
        Claim("processes, files and memory are flat", not grown, ", ".join(grown) or "all"),
    ]


def _tourney(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "referee", *words], cwd=folder, capture_output=True, text=True, check=False
    )


def _lines(folder: Path, command: str) -> list[Any]:
    return [json.loads(line) for line in _tourney(folder, command, "soak.db", "--json").stdout.splitlines()]


def _show(figures: dict[str, float], trends: Sequence[Trend], claims: Sequence[Claim]) -> None:
    width = max(map(len, [*figures, *(one.what for one in trends)]))
    for name, figure in figures.items():
        print(f"{name:<{width}}  {figure:>9,.1f}" if figure % 1 else f"{name:<{width}}  {figure:>9,.0f}")
    print(f"\n{'at like ages':<{width}}  first third  last third  greatest  samples")
    for one in trends:
        verdict = "" if one.is_flat else "  GROWN"
        verdict = verdict if one.is_judged else "  too few to judge"
        print(
            f"{one.what:<{width}}  {one.first:>11.1f}  {one.last:>10.1f}  {one.most:>8.1f}  {one.samples:>7}{verdict}"
        )
    print()
    for claim in claims:
        print(f"{'holds' if claim.holds else 'WRONG'}  {claim.what}: {claim.found}")


if __name__ == "__main__":
    sys.exit(main())
