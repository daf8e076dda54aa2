"""The first messages of a stream: who wants to play what, and whether it may.

Pure functions of messages; who holds which token is the referee's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardtable.v1 import table_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardtable.wire.codecs import Codec

__all__ = [
    "PROTOCOL_VERSION",
    "common_protocol",
    "join_request",
    "option_text",
    "refusal_response",
    "seated_message",
    "unsupported",
    "welcome_response",
]

_SCORED_BY: Final = {"points": table_pb2.SCORED_BY_POINTS, "places": table_pb2.SCORED_BY_PLACES}
#: The version of the protocol that this code speaks.
PROTOCOL_VERSION: Final = 1


def option_text(value: object) -> str:
    """An option's value as the protocol writes it: ``3``, ``true``, ``replace``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def join_request(
    token: str,
    *,
    bot_name: str,
    bot_version: str,
    sdk: str,
    games: Mapping[str, Mapping[str, Iterable[object]]],
) -> table_pb2.PlayRequest:
    """The first message of a bot.

    Args:
        token: From CARDTABLE_TOKEN.
        bot_name: Name of the program.
        bot_version: Its version, as its author writes it.
        sdk: Name and version of the library.
        games: The games that the bot plays, and for each the values of those options that it limits.
    """
    request = table_pb2.PlayRequest()
    join = request.join
    join.token, join.bot_name, join.bot_version, join.sdk = token, bot_name, bot_version, sdk
    join.protocol_min = join.protocol_max = PROTOCOL_VERSION
    for game, limits in games.items():
        support = join.games.add(game=game)
        for name, values in limits.items():
            support.options.add(name=name, values=[option_text(value) for value in values])
    return request


def common_protocol(join: table_pb2.Join) -> int | None:
    """The greatest version of the protocol that both speak; None where there is none."""
    return PROTOCOL_VERSION if join.protocol_min <= PROTOCOL_VERSION <= join.protocol_max else None


def unsupported(join: table_pb2.Join, game: str, options: Mapping[str, object]) -> str:
    """Why a bot does not play this game with these options, in one line; empty when it does.

    Args:
        join: What the bot says of itself.
        game: Name of the game.
        options: The variant's options, defaults too.
    """
    support = next((support for support in join.games if support.game == game), None)
    if support is None:
        played = ", ".join(support.game for support in join.games) or "no game"
        return f"{join.bot_name} does not play {game}; it plays {played}"
    for limit in support.options:
        if limit.name not in options:
            return f"{join.bot_name} limits {limit.name!r}, which is no option of {game}"
        value = option_text(options[limit.name])
        if value not in limit.values:
            return f"{join.bot_name} plays {game} with {limit.name} = {' or '.join(limit.values)}, not with {value}"
    return ""


def welcome_response(seat: int, referee: str) -> table_pb2.PlayResponse:
    """The answer to a bot that may play.

    Args:
        seat: The seat number of the stream.
        referee: Name and version of the referee.
    """
    return table_pb2.PlayResponse(
        welcome=table_pb2.Welcome(protocol=PROTOCOL_VERSION, seat=seat, referee=referee)
    )


def refusal_response(reason: table_pb2.RefusalReason, message: str) -> table_pb2.PlayResponse:
    """The answer to a bot that may not play.

    Args:
        reason: Why, for a program.
        message: One line for people: what is wrong and what would be right.
    """
    return table_pb2.PlayResponse(refusal=table_pb2.Refusal(reason=reason, message=message))


def seated_message(
    codec: Codec,
    variant: Any,
    *,
    table: int,
    seat: int,
    scored_by: str,
    bot_seed: int,
    names: Iterable[str],
    move_ms: int,
    game_ms: int = 0,
) -> table_pb2.Seated:
    """What a bot is told when it sits down at a table.

    Args:
        codec: Of the game.
        variant: What is played.
        table: Number of the table.
        seat: Where it sits.
        scored_by: ``points`` or ``places``.
        bot_seed: Its own for this game.
        names: Of all seats; none where they are not shown.
        move_ms: Time for a decision.
        game_ms: Time for all decisions of the game; 0: no limit.
    """
    seated = table_pb2.Seated(
        table=table,
        seat=seat,
        scored_by=_SCORED_BY[scored_by],
        bot_seed=bot_seed,
        names=names,
        move_ms=move_ms,
        game_ms=game_ms,
    )
    codec.set_variant(seated, variant)
    return seated
