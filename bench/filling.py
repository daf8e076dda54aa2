"""Stores of any size, filled with the real games of a small tournament under new numbers.

Owns the tournament file and the copying. What comes out is a store that every command takes for a tournament of that
plan; only its deals are not those of its seed, since games of other boards stand in it: `tourney verify` says so.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.blocks import BlockResult, GameOrder, PlayedGame
from referee.config import load
from referee.tournament import open_store

if TYPE_CHECKING:
    from cardtable.record import GameRecord
    from referee.stored import StoredGame

__all__ = ["GAMES", "Filler"]

_EXAMPLES = Path(__file__).parent.parent / "examples"
_BOTS = (
    f"{_EXAMPLES}/greedy_bot.py",
    f"{_EXAMPLES}/random_bot.py",
    f"{Path(__file__).parent}/trivial_bot.py",
)
#: The games of all measurements: few deals, so that a thousand of them are played in half a minute.
GAMES = {
    "trix": "{}",
    "vytrix": "{ players = 4, target = 0, max_hands = 4 }",
    "vytrix-3": "{ players = 3, target = 0, max_hands = 4 }",
}
#: A whole number of times all orders in which three or four can sit.
_TEMPLATES = 24
#: Games of one transaction.
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Filler:
    """Makes tournaments whose entrants are all at one table, of one competition.

    Args:
        folder: Where files and stores go.
        game: One of `GAMES`.
        templates: Boards of the small tournament; a multiple of six, so that everybody keeps its own games.
    """

    folder: Path
    game: str = "trix"
    templates: int = _TEMPLATES

    @property
    def seatings(self) -> int:
        """How many games a board has."""
        return 3 if self.game == "vytrix-3" else 4

    def play(self) -> None:
        """Play the small tournament; once before any other."""
        cup = self.write("template", self.templates)
        subprocess.run(
            [sys.executable, "-m", "referee", "run", cup, "--quiet"], check=True, stdout=subprocess.DEVNULL
        )

    def fill(self, name: str, filled: int, planned: int | None = None) -> Path:
        """Make a tournament, and return its file; the store lies beside it, ending with ``.db``.

        Args:
            name: Of both.
            filled: How many boards are in the store.
            planned: How many boards the plan has, no fewer; as many when left out.
        """
        cup = self.write(name, filled if planned is None else planned)
        cards = self._template_games()
        config = load(cup)
        (competition,) = config.competitions
        store, _ = open_store(config)
        with store:
            block: list[PlayedGame] = []
            for number in range(filled):
                board = competition.plan.board(number)
                for seating, seats in enumerate(board.seatings):
                    game, record = cards[number % self.templates, seating]
                    block.append(
                        PlayedGame(
                            order=GameOrder(number, seating, seats, record.seed or b""),
                            record=replace(record, seats=seats),
                            charged_ms=game.charged_ms,
                            decisions=game.decisions,
                        )
                    )
                if len(block) >= _AT_ONCE or number == filled - 1:
                    store.add_block(competition.name, BlockResult(tuple(block)))
                    block.clear()
        return cup

    def write(self, name: str, boards: int) -> Path:
        """Write the file of a tournament of so many boards, and return it."""
        cup = self.folder / f"{name}.toml"
        bots = [*_BOTS, _BOTS[0]][: self.seatings]
        game = self.game.partition("-")[0]
        cup.write_text(
            f"""
[[competition]]
name = "{game}"
game = "{game}"
variant = {GAMES[self.game]}
boards = {boards}

[seed]
master = "{"5eed" * 16}"
"""
            + "".join(
                f"""
[[bot]]
name = "bot{number}"
command = ["{sys.executable}", "{bot}"]
"""
                for number, bot in enumerate(bots)
            ),
            encoding="utf-8",
        )
        return cup

    def _template_games(self) -> dict[tuple[int, int], tuple[StoredGame, GameRecord]]:
        store, _ = open_store(load(self.folder / "template.toml"))
        with store:
            return {(game.board, game.seating): (game, record) for game, record in store.records()}
