"""One codec for each game: views, actions, variants and summaries to and from the messages of a table.

Each game's `codec.py` knows its own messages; here is only which field of a table's message bears them, the clock,
and the promise that nothing but a typed error comes out of a message that somebody else has made.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from cardtable.engine import Clock, MalformedAction
from cardtable.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    from cardtable.engine import View
    from cardtable.v1 import table_pb2

__all__ = ["Codec", "codec"]

#: What reading a message that is no good may raise, before it becomes a typed error.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class _GameCodec(Protocol):
    """What `cardtable.<game>.codec` offers."""

    encode_view: Callable[[Any, Message], None]
    decode_view: Callable[[Message, Any, int, Clock], View[Any]]
    encode_action: Callable[[Any, Message], None]
    decode_action: Callable[[Message], Any]
    encode_variant: Callable[[Any, Message], None]
    decode_variant: Callable[[Message], Any]
    encode_summary: Callable[[Any, Message], None]
    decode_summary: Callable[[Message], Any]


class Codec:
    """Puts the values of one game into a table's messages and takes them out.

    Args:
        name: Name of the game, which is also the name of its field in every message.
    """

    __slots__ = ("_game", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._game = cast("_GameCodec", import_module(f"cardtable.{name}.codec"))

    def set_view(self, ask: table_pb2.Ask, view: View[Any]) -> None:
        """Put a view into a question, and what is left of its clock."""
        self._game.encode_view(view, getattr(ask, self.name))
        clock = view.clock
        if clock.move_ms is not None:
            ask.move_ms = max(1, clock.move_ms)
        if clock.game_ms is not None:
            ask.game_ms = max(1, clock.game_ms)

    def view(self, ask: table_pb2.Ask, variant: Any, seat: int) -> View[Any]:
        """The view of a question.

        Raises:
            WireError: The question bears no view of this game, or one that cannot be.
        """
        if not ask.HasField(self.name):
            raise WireError(f"a question of table {ask.table} bears no view of {self.name}")
        try:
            clock = _clock(ask.move_ms, ask.game_ms)
            return self._game.decode_view(getattr(ask, self.name), variant, seat, clock)
        except _UNREADABLE as error:
            raise WireError(f"a view of {self.name} that cannot be read: {error}") from error

    def set_action(self, answer: table_pb2.Answer, action: object) -> None:
        """Put an action into an answer."""
        self._game.encode_action(action, getattr(answer, self.name))

    def action(self, answer: table_pb2.Answer) -> Any:
        """The action of an answer; whether it is legal is not looked at.

        Raises:
            MalformedAction: The answer bears no action of this game.
        """
        if not answer.HasField(self.name):
            raise MalformedAction(f"the answer bears no action of {self.name}")
        try:
            return self._game.decode_action(getattr(answer, self.name))
        except MalformedAction:
            raise
        except _UNREADABLE as error:
            raise MalformedAction(f"the answer bears no action of {self.name}: {error}") from error

    def set_variant(self, seated: table_pb2.Seated, variant: Any) -> None:
        """Name the game of a table and put its variant into the message."""
        seated.game = self.name
        message: Message = getattr(seated, self.name)
        message.SetInParent()
        self._game.encode_variant(variant, message)

    def variant(self, seated: table_pb2.Seated) -> Any:
        """The variant of a table.

        Raises:
            WireError: The message bears no variant of this game, or one that cannot be.
        """
        if not seated.HasField(self.name):
            raise WireError(f"table {seated.table} bears no variant of {self.name}")
        try:
            return self._game.decode_variant(getattr(seated, self.name))
        except _UNREADABLE as error:
            raise WireError(f"a variant of {self.name} that cannot be read: {error}") from error

    def set_summary(self, deal_ended: table_pb2.DealEnded, summary: object) -> None:
        """Put what the rules show of a deal into the message of its end."""
        message: Message = getattr(deal_ended, self.name)
        message.SetInParent()
        self._game.encode_summary(summary, message)

    def summary(self, deal_ended: table_pb2.DealEnded) -> Any:
        """What the rules show of a deal.

        Raises:
            WireError: The message bears no deal of this game, or one that cannot be.
        """
        if not deal_ended.HasField(self.name):
            raise WireError(f"the end of a deal of table {deal_ended.table} bears no deal of {self.name}")
        try:
            return self._game.decode_summary(getattr(deal_ended, self.name))
        except _UNREADABLE as error:
            raise WireError(f"the end of a deal of {self.name} that cannot be read: {error}") from error


@cache
def codec(game: str) -> Codec:
    """The codec of a game.

    Raises:
        WireError: No game has this name.
    """
    # Late, so that records and first messages can be read without loading the rules.
    from cardtable.catalog import GAMES

    if game not in GAMES:
        raise WireError(f"{game!r} is no game that this version knows: {', '.join(sorted(GAMES))}")
    return Codec(game)


@lru_cache(maxsize=64)
def _clock(move_ms: int, game_ms: int) -> Clock:
    return Clock(move_ms or None, game_ms or None)
