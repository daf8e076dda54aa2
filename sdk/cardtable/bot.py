"""What an author subclasses: `Bot`, one instance for each table.

Owns the bot's side of a table: its seating, its random numbers, its comments, and the check that what a method
returns is an action at all. Opens no connection and knows no rule: whether an action is legal is for the referee
to judge, or for `cardtable.local`.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from cardtable.catalog import GAMES
from cardtable.engine import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardtable.record import FaultCause

__all__ = [
    "COMMENT_LENGTH",
    "Bot",
    "FaultNotice",
    "Seating",
    "TableResult",
    "decide",
    "games_of",
    "take_seat",
]

#: Characters of a comment that are kept.
COMMENT_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a bot sits and what is played there.

    Args:
        game: Name of the game.
        variant: The game's options, such as a `TrixVariant`.
        seat: The bot's own seat, from 0 in the direction of play.
        players: Number of seats.
        scored_by: What is ranked.
        bot_seed: Base of the bot's random choices in this game, 0..2**63 - 1.
        names: Entrants by seat; empty unless the competition shows names.
        move_ms: Time for one decision; None where there is no limit.
        game_ms: Time for all decisions of the game; None where there is no limit.
    """

    game: str
    variant: Any
    seat: int
    players: int
    scored_by: Literal["points", "places"] = "points"
    bot_seed: int = 0
    names: tuple[str, ...] = ()
    move_ms: int | None = None
    game_ms: int | None = None


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a game ended.

    Args:
        scores: Final scores, one a seat, or one a side where the game scores sides; empty when it was broken off.
        faults: Faults of this bot in this game.
    """

    scores: tuple[int, ...]
    faults: int = 0


@dataclass(frozen=True, slots=True)
class FaultNotice:
    """A decision of this bot was made by the house.

    Args:
        turn: The question's turn.
        cause: What went wrong.
        message: One line.
    """

    turn: int
    cause: FaultCause
    message: str


class Bot:
    """A player at one table; a subclass has a method for each game that it plays, named as the game.

        class Careful(Bot):
            def trix(self, view: TrixView) -> TrixAction:
                return min(view.legal_actions)

    The method gets all that the seat may know and returns one of `view.legal_actions`. To be deterministic, an
    action must follow from the view and `self.random` (or `self.table.bot_seed`) alone.
    """

    #: Name and version of the program, for logs and results.
    name: ClassVar[str] = ""
    version: ClassVar[str] = ""
    #: Limits: for a game, the values of an option that the bot can play, such as
    #: ``{"vytrix": {"players": [3]}}``. What is not named here may have any value.
    plays: ClassVar[Mapping[str, Mapping[str, Iterable[object]]]] = {}

    #: Where the bot sits; set before `seated` is called.
    table: Seating
    _turn: int = 0
    _random: Random | None = None
    _comment: str = ""

    def __init_subclass__(cls, **keywords: object) -> None:
        """Name the bot for its class where it has no name of its own."""
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    @property
    def random(self) -> Random:
        """Random numbers for this decision, which follow from `bot_seed` and the turn; new at each decision.

        So a bot that was restarted, or is asked again, answers as it would have.
        """
        if self._random is None:
            self._random = Random(self.table.bot_seed << 32 | self._turn)
        return self._random

    def comment(self, text: str) -> None:
        """Say something with this decision, for the record of the game; 200 characters of it are kept."""
        self._comment = text[:COMMENT_LENGTH]

    def seated(self) -> None:
        """The bot has its seat at a table, before its first decision there or after a restart."""

    def deal_ended(self, summary: Any) -> None:
        """A deal has ended, void or completed; the summary is what the rules show everybody of it."""

    def table_closed(self, result: TableResult) -> None:
        """The game is over."""

    def faulted(self, notice: FaultNotice) -> None:
        """The house has made a decision of this bot."""


def games_of(bot: type[Bot]) -> dict[str, dict[str, tuple[object, ...]]]:
    """The games that a bot plays, and for each the values of those options that it limits.

    Raises:
        TypeError: It plays no game, or limits a game or option that there is not.
    """
    games: dict[str, dict[str, tuple[object, ...]]] = {
        name: {} for name in GAMES if callable(getattr(bot, name, None))
    }
    if not games:
        raise TypeError(f"{bot.__name__} plays no game: it needs a method named {' or '.join(GAMES)}")
    for name, limits in bot.plays.items():
        if name not in games:
            raise TypeError(
                f"{bot.__name__}.plays limits {name!r}, but {bot.__name__} has no method of that name"
            )
        options = GAMES[name].options(GAMES[name].variant({}))
        for option, values in limits.items():
            if option not in options:
                raise TypeError(
                    f"{bot.__name__}.plays limits {option!r}; the options of {name} are {', '.join(options)}"
                )
            games[name][option] = tuple(values)
    return games


def take_seat(bot: type[Bot], seating: Seating) -> Bot:
    """A new instance of the bot, seated and told so."""
    player = bot()
    player.table = seating
    player.seated()
    return player


#: Types of whose values one was already found to be an action of the game.
_ACTION_TYPES: Final[dict[str, set[type]]] = {}


def decide(player: Bot, view: Any, turn: int) -> tuple[Any, str]:
    """Ask a bot for its action.

    Args:
        player: A seated bot.
        view: The view of its seat.
        turn: Number of the question, from 1.

    Returns:
        The action, which may be illegal, and the bot's comment.

    Raises:
        TypeError: The bot returned something that is no action of this game.
    """
    player._turn, player._random, player._comment = turn, None, ""  # noqa: SLF001 - one module, one owner
    game = player.table.game
    action = getattr(player, game)(view)
    if type(action) not in _ACTION_TYPES.setdefault(game, set()):
        _check_type(player, game, action)
    return action, player._comment  # noqa: SLF001 - one module, one owner


def _check_type(player: Bot, game: str, action: object) -> None:
    try:
        same = bool(GAMES[game].parse_action(str(action)) == action)
    except RuleError:
        same = False
    if not same:
        raise TypeError(
            f"{type(player).__name__}.{game} returned {action!r}, which is no action of {game}; "
            "it has to return one of view.legal_actions"
        )
    _ACTION_TYPES[game].add(type(action))
