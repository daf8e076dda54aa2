"""The tournament of the soak: four entrants in both games, of which the signals that each may get are known.

One is never hit and some only by one kind of signal, so that a fault put down to the wrong bot shows.
"""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["MARK", "MOVE_SECONDS", "NAME", "SIGNALS", "write_cup"]

#: In the environment of every process below the run, and of bots alone.
MARK, NAME = "CARDTABLE_SOAK", "CARDTABLE_SOAK_ENTRANT"
#: What each entrant's processes may be hit with.
SIGNALS: dict[str, tuple[str, ...]] = {
    "untouched": (),
    "killed": ("SIGKILL",),
    "stopped": ("SIGSTOP",),
    "both": ("SIGKILL", "SIGSTOP"),
}
MOVE_SECONDS = 1.5
_ROOT = Path(__file__).parents[1]
_FAULTY = f"{_ROOT / 'tests' / 'bots' / 'faulty_bot.py'}"
_PROGRAMS = {
    "untouched": [f"{_ROOT / 'examples' / 'greedy_bot.py'}"],
    "killed": [_FAULTY, "none", "0"],
    "stopped": [f"{_ROOT / 'examples' / 'random_bot.py'}"],
    "both": [_FAULTY, "none", "0"],
}
#: One round: two boards of Trix in four seatings, and a board of Vytrix for each three of four entrants in three. Each
#: is a competition of its own, so that the store is written often, and a kill often comes near it.
_ROUND = """[[competition]]
name = "trix {number}"
game = "trix"
boards = 2
[[competition]]
name = "vytrix {number}"
game = "vytrix"
variant = {{ target = 0, max_hands = 6 }}
boards = 1
"""
_ROUND_GAMES = 2 * 4 + 4 * 3


def write_cup(file: Path, games: int, mark: str) -> int:
    """Write the tournament file; returns how many games its plan has.

    Args:
        file: Where.
        games: About how many.
        mark: The run's own, by which its processes are known.
    """
    rounds = max(1, round(games / _ROUND_GAMES))
    competitions = "".join(_ROUND.format(number=number) for number in range(1, rounds + 1))
    bots = "\n".join(
        f'[[bot]]\nname = "{name}"\ncommand = {json.dumps(["python", *program])}\n'
        f'environment = {{ {MARK} = "{mark}", {NAME} = "{name}" }}'
        for name, program in _PROGRAMS.items()
    )
    file.write_text(
        f"""
{competitions}[clocks]
move_ms = {MOVE_SECONDS * 1000:.0f}
first_move_seconds = 3
start_seconds = 20
stop_seconds = 0.5
[faults]
forfeit_after = 100000
disqualify_after = 100000
restarts = 20
{bots}
""",
        encoding="utf-8",
    )
    return rounds * _ROUND_GAMES
