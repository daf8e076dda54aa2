"""Who sits where: an author's bot in one place, the others in the rest, the same cards for each place of the bot.

Owns the options that `cardtable play` and `cardtable debug` share, and the places. A place is a seat or, where seats
score together, a side, and the bot has all seats of its side. Plays nothing.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardtable.bot import games_of
from cardtable.catalog import GAMES
from cardtable.commands import UsageError
from cardtable.commands.loading import NamedBot, load_bot
from cardtable.engine import VariantError
from cardtable.examples import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardtable.bot import Bot
    from cardtable.engine import Game

__all__ = ["Lineup", "add_options", "at_least", "lineup_of", "options_of"]

#: Quick ones, who bid with sense: one who does not earns everybody else their points in Vytrix.
_AGAINST: Final = "greedy,counter"
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Lineup:
    """A bot and those it plays against.

    Args:
        game: What is played.
        options: The options that were given.
        variant: All of them.
        hero: The author's bot.
        others: Its opponents; with more than there are places they take turns, board by board.
        labels: Their names, the hero's first, no two the same.
    """

    game: Game
    options: Mapping[str, object]
    variant: Any
    hero: NamedBot
    others: tuple[NamedBot, ...]
    labels: tuple[str, ...]

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The seats that score together."""
        return self.game.groups(self.variant)

    def place_of(self, seat: int) -> int:
        """The place that a seat is of.

        Raises:
            UsageError: There is no such seat.
        """
        for place, seats in enumerate(self.places):
            if seat in seats:
                return place
        raise UsageError(f"--seat {seat}: the seats are 0 to {self.variant.players - 1}")

    def by_place(self, board: int, place: int) -> tuple[int, ...]:
        """For each place who has it, as an index of `labels`, when the hero has this one."""
        number = len(self.places)
        who = [0] * number
        for step, one in enumerate(self._sitting(board), start=1):
            who[(place + step) % number] = one
        return tuple(who)

    def by_seat(self, board: int, place: int) -> tuple[int, ...]:
        """The same for each seat."""
        who = [0] * self.variant.players
        for one, seats in zip(self.by_place(board, place), self.places, strict=True):
            for seat in seats:
                who[seat] = one
        return tuple(who)

    def bots(self, board: int, place: int) -> list[type[Bot]]:
        """The class for each seat."""
        named = (self.hero, *self.others)
        return [named[one].bot for one in self.by_seat(board, place)]

    def debug_command(self, board: int, place: int, seed: int, seat: int, deal: int, turn: int | None) -> str:
        """The command that shows a decision again; without a turn, all of the deal."""
        against = [self.others[one - 1].text for one in self._sitting(board)]
        against = against[:1] if len(set(against)) == 1 else against
        words = ["cardtable", "debug", "--bot", self.hero.text, "--game", self.game.name]
        words += ["--against", ",".join(against), "--seed", str(seed)]
        for name, value in self.options.items():
            words += ["--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        if place != self.place_of(seat):
            words += ["--bot-seat", str(self.places[place][0])]
        words += ["--seat", str(seat), "--deal", str(deal)]
        return shlex.join(words if turn is None else [*words, "--turn", str(turn)])

    def _sitting(self, board: int) -> list[int]:
        """Indices of the opponents in the places after the hero's."""
        return [1 + (board + step) % len(self.others) for step in range(len(self.places) - 1)]


def add_options(parser: argparse.ArgumentParser, *, needs_game: bool = True) -> None:
    """Add what says who plays what."""
    parser.add_argument(
        "--bot",
        required=True,
        metavar="FILE[:CLASS]",
        help="the bot, such as ./my_bot.py or ./my_bot.py:MyBot",
    )
    parser.add_argument("--game", required=needs_game, choices=sorted(GAMES), help="what is played")
    parser.add_argument(
        "--against",
        default=_AGAINST,
        metavar="BOTS",
        help=f"its opponents, apart by commas: {', '.join(NAMES)}, or files ({_AGAINST})",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the game, such as partners=true; may stand more than once",
    )
    parser.add_argument(
        "--seed", type=at_least(int, 0), default=0, help="cards and chance follow from it (0)"
    )


def lineup_of(asked: argparse.Namespace) -> Lineup:
    """Load what the options of `add_options` name.

    Raises:
        UsageError: A bot, an option or a value will not do.
    """
    game, options = GAMES[asked.game], options_of(asked.option)
    try:
        variant = game.variant(options)
    except VariantError as error:
        raise UsageError(f"--option: {error}") from None
    hero = load_bot(asked.bot)
    others = tuple(load_bot(one.strip()) for one in asked.against.split(","))
    for one in (hero, *others):
        _check_plays(one, game, variant)
    return Lineup(game, options, variant, hero, others, _labels([hero, *others]))


def options_of(texts: Sequence[str]) -> dict[str, object]:
    """Options of a game from KEY=VALUE; whole numbers, true and false mean themselves.

    Raises:
        UsageError: One has no value, or stands twice.
    """
    options: dict[str, object] = {}
    words: dict[str, object] = {"true": True, "false": False}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--option {text}: an option is KEY=VALUE, such as players=4")
        if name in options:
            raise UsageError(f"--option {text}: {name} stands twice")
        options[name] = int(value) if value.isdecimal() and len(value) < 20 else words.get(value, value)
    return options


def at_least(kind: Callable[[str], Number], least: float) -> Callable[[str], Number]:
    """A type of argparse: a number that is not less than this, nor beyond all reason."""

    def read(text: str) -> Number:
        number = kind(text)
        if not least <= number <= 1e9:
            raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
        return number

    read.__name__ = "number"
    return read


def _check_plays(named: NamedBot, game: Game, variant: object) -> None:
    limits = games_of(named.bot).get(game.name)
    if limits is None:
        raise UsageError(f"{named.text} does not play {game.name}: it has no method of that name")
    options = game.options(variant)
    for option, values in limits.items():
        if options[option] not in values:
            raise UsageError(
                f"{named.text} does not play {game.name} with {option}={options[option]}: its `plays` says so"
            )


def _labels(bots: Sequence[NamedBot]) -> tuple[str, ...]:
    labels: list[str] = []
    for one in bots:
        name, number = one.bot.name, 1
        while (label := name if number == 1 else f"{name}-{number}") in labels:
            number += 1
        labels.append(label)
    return tuple(labels)
