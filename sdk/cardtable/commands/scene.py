"""The game that `cardtable debug` shows: one that is played now, or a recorded one in which a bot is asked anew.

Owns who sits where, who is asked beside, and what is done in each seat. Shows nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardtable.bot import Bot, decide, games_of, take_seat
from cardtable.catalog import GAMES
from cardtable.commands import UsageError
from cardtable.commands.failing import ask, telling
from cardtable.commands.lineup import lineup_of
from cardtable.commands.loading import NamedBot, load_bot
from cardtable.local import Table, seed_of
from cardtable.record import GameRecord, RecordError
from cardtable.replay import replay

if TYPE_CHECKING:
    import argparse

    from cardtable.local import Question

__all__ = ["Scene", "scene_of"]


@dataclass(slots=True)
class Scene:
    """A game in which one seat is looked at.

    Args:
        table: The game.
        title: What is played.
        seat: Whose decisions are shown.
        named: The bot that is asked there.
        own_seats: All seats of this bot.
        labels: What each seat is called.
        compared: Who else is asked, by label.
        record: The game that is followed; None when it is played now.
    """

    table: Table
    title: str
    seat: int
    named: NamedBot
    own_seats: tuple[int, ...]
    labels: tuple[str, ...]
    compared: dict[str, Bot]
    record: GameRecord | None = None

    def ask(self) -> tuple[Any, str]:
        """What the bot that is to act answers, and its comment.

        Raises:
            BotFailure: It raised an error, or returned something that is no action.
        """
        return ask(self.table, self.labels)

    def done(self, question: Question) -> Any | None:
        """What was done at a question in the game that is followed; None when none is, or it ends there."""
        if self.record is None:
            return None
        try:
            text = self.record.deals[question.deal].actions[question.action]
        except IndexError:
            return None
        return GAMES[self.record.game].parse_action(text)

    def others(self, question: Question) -> dict[str, Any]:
        """What those that are compared answer."""
        return {label: decide(one, question.view, question.turn)[0] for label, one in self.compared.items()}

    def load_again(self) -> None:
        """Load the bot's file as it is now.

        Raises:
            BotFailure: It does not take its seat.
            UsageError: It cannot be loaded.
        """
        self.named = load_bot(self.named.text)
        with telling():
            for seat in self.own_seats:
                self.table.seat_again(seat, self.named.bot)


def scene_of(asked: argparse.Namespace) -> Scene:
    """What the options of `cardtable debug` name.

    Raises:
        BotFailure: A bot does not take its seat.
        UsageError: Something of it will not do.
    """
    if asked.record is not None:
        return _recorded(asked)
    if asked.game is None:
        raise UsageError(f"--game is missing: {' or '.join(GAMES)}")
    lineup = lineup_of(asked)
    seat = asked.seat or 0
    lineup.place_of(seat)
    place = lineup.place_of(seat if asked.bot_seat is None else asked.bot_seat)
    who = lineup.by_seat(0, place)
    with telling():
        table = Table(
            lineup.game.name, lineup.bots(0, place), variant=lineup.options, seed=seed_of(asked.seed)
        )
    named = (lineup.hero, *lineup.others)[who[seat]]
    own = tuple(one for one, other in enumerate(who) if other == who[seat])
    title = f"{lineup.game.title_of(lineup.variant)}, seed {asked.seed}"
    labels = tuple(lineup.labels[one] for one in who)
    return Scene(table, title, seat, named, own, labels, _compared(asked, table, seat))


def _recorded(asked: argparse.Namespace) -> Scene:
    record = _record(Path(asked.record), asked.line)
    game = GAMES[record.game]
    if asked.game not in {None, record.game}:
        raise UsageError(f"--game {asked.game}: the game of {asked.record} is {record.game}")
    variant = game.variant(record.variant)
    named = load_bot(asked.bot)
    if game.name not in games_of(named.bot):
        raise UsageError(f"{named.text} does not play {game.name}: it has no method of that name")
    seat = _seat_in(record, named, asked)
    bots: list[type[Bot]] = [_Absent] * variant.players
    bots[seat] = named.bot
    with telling():
        table = Table(game.name, bots, variant=record.variant, seed=record.seed or b"")
    title = f"{game.title_of(variant)}, {asked.record}, line {asked.line}"
    return Scene(table, title, seat, named, (seat,), record.seats, _compared(asked, table, seat), record)


def _record(path: Path, number: int) -> GameRecord:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    if number > len(lines):
        raise UsageError(f"--line {number}: {path} has {len(lines)}")
    try:
        record = GameRecord.from_line(lines[number - 1])
    except RecordError as error:
        raise UsageError(f"{path}, line {number}: {error}") from None
    found = replay(record)
    if found.error is not None:
        raise UsageError(f"{path}, line {number}: {found.error}")
    if record.seed is None or any(deal.hands for deal in record.deals):
        raise UsageError(f"{path}, line {number}: this game has no seed, from which its cards would follow")
    return record


def _seat_in(record: GameRecord, named: NamedBot, asked: argparse.Namespace) -> int:
    """The seat that is looked at: the one that was asked for, else that of an entrant of the bot's name."""
    if asked.seat is not None:
        if asked.seat >= len(record.seats):
            raise UsageError(f"--seat {asked.seat}: the seats are 0 to {len(record.seats) - 1}")
        return int(asked.seat)
    names = {named.bot.name, *([named.path.stem] if named.path else [])}
    found = [seat for seat, name in enumerate(record.seats) if name in names]
    if not found:
        there = ", ".join(f"{seat} {name}" for seat, name in enumerate(record.seats))
        raise UsageError(f"--seat is missing: no seat of this game is called as the bot; they are {there}")
    return found[0]


def _compared(asked: argparse.Namespace, table: Table, seat: int) -> dict[str, Bot]:
    texts = [one.strip() for one in asked.compare.split(",")] if asked.compare not in {"", "none"} else []
    found = {}
    for text in texts:
        named = load_bot(text)
        if table.seating(seat).game in games_of(named.bot):
            found[named.bot.name] = take_seat(named.bot, table.seating(seat))
    return found


class _Absent(Bot):
    """Sits where the record says what is done."""

    def trix(self, view: object) -> Any:
        raise NotImplementedError

    def vytrix(self, view: object) -> Any:
        raise NotImplementedError
