"""What a bot says that it plays: whether its Join is sound, and which variants cover all that it claims.

Pure functions of a Join. The variants name every option of every game with a value that is not its default; where a
Join limits an option, one of its values stands in place of the one it rules out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from cardtable.catalog import GAMES
from cardtable.engine import VariantError
from cardtable.wire import common_protocol, option_text, unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardtable.engine import Game
    from cardtable.v1 import table_pb2

__all__ = ["COVERING", "Match", "join_problem", "matches_of", "options_title"]

#: Options of variants that together take every option of a game away from its default.
COVERING: Final[dict[str, tuple[dict[str, object], ...]]] = {
    "trix": (
        {},
        {"partners": True},
        {"kingdom_order": "across", "redeals": False, "early_end": True, "diamond_lead": "not_first"},
        {"partners": True, "own_double": "double", "reveal_twos": "at_start", "closed_suit": "off"},
        {"doubling": False, "diamonds_face_up": True, "reveal_twos": "after_first_round", "max_voids": 1},
        {"partners": True, "reveal_twos": "never", "max_voids": 0},
    ),
    "vytrix": (
        {"max_hands": 3},
        {"players": 4, "max_hands": 3},
        {"breaking_trump": True, "last_trick": "replace", "defensive_partnerships": True, "max_hands": 3},
        {"max_bid": 10, "last_trick": "bonus", "target": 0, "max_hands": 3},
        {"players": 4, "partial_bidding": True, "last_trick": "bonus", "max_hands": 3},
        {"players": 4, "breaking_trump": True, "last_trick": "replace", "max_bid": 0, "max_hands": 3},
    ),
}


@dataclass(frozen=True, slots=True)
class Match:
    """One game with one variant, and how its tables are run.

    Args:
        game: Name of the game.
        options: The variant's options that are given; the others have their defaults.
        ask_forced: Whether a decision with one legal action is asked.
        scored_by: What the bot is told is ranked.
        show_names: Whether the bot is told names of the others.
        title: For people; empty: made of the options.
    """

    game: str
    options: Mapping[str, object] = field(default_factory=dict)
    ask_forced: bool = False
    scored_by: Literal["points", "places"] = "points"
    show_names: bool = False
    title: str = ""


def options_title(match: Match) -> str:
    """The match in a few words."""
    given = " ".join(f"{name}={option_text(value)}" for name, value in match.options.items())
    return match.title or given or "no options"


def matches_of(join: table_pb2.Join, game: str) -> list[Match]:
    """A small set of variants that covers all options of a game as far as the bot plays them."""
    rules = GAMES[game]
    found: list[dict[str, object]] = []
    for options in COVERING.get(game, ({},)):
        fitted = _fitted(join, rules, options)
        if fitted is not None and fitted not in found:
            found.append(fitted)
    return [Match(game, options) for options in found]


def join_problem(join: table_pb2.Join) -> str:
    """What is wrong with what a bot says of itself, in one line; empty when nothing is."""
    if join.protocol_min > join.protocol_max:
        return f"its protocols are {join.protocol_min} to {join.protocol_max}, the least above the greatest"
    if common_protocol(join) is None:
        return f"it speaks protocol {join.protocol_min} to {join.protocol_max} only"
    if not join.games:
        return "it names no game"
    for support in join.games:
        if support.game not in GAMES:
            return f"it names the game {support.game!r}; the games are {', '.join(GAMES)}"
        rules = GAMES[support.game]
        known = rules.options(rules.variant({}))
        for limit in support.options:
            if limit.name not in known:
                return f"it limits {limit.name!r}, which is no option of {support.game}"
            if not limit.values:
                return f"it limits {limit.name} of {support.game} to no value at all"
    return ""


def _fitted(join: table_pb2.Join, rules: Game, options: Mapping[str, object]) -> dict[str, object] | None:
    """These options, and where the bot does not play one, a value that it plays; None where there is no such."""
    defaults = rules.options(rules.variant({}))
    wanted = dict(options)
    support = next(support for support in join.games if support.game == rules.name)
    for limit in support.options:
        if limit.name not in defaults:
            return None
        default = defaults[limit.name]
        if option_text(wanted.get(limit.name, default)) in limit.values:
            continue
        wanted.pop(limit.name, None)
        if option_text(default) not in limit.values:
            wanted[limit.name] = _value(limit.values[0] if limit.values else "", default)
    try:
        variant = rules.variant(wanted)
    except VariantError:
        return None
    return None if unsupported(join, rules.name, rules.options(variant)) else wanted


def _value(text: str, like: object) -> object:
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(text, text)
    return int(text) if isinstance(like, int) and text.isdecimal() else text
