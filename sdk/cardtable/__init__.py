"""Write a bot for Trix or Vytrix.

What an author needs most, under one name; it is loaded when it is first used, so that rules and local play load
no gRPC. The rest of each game is in `cardtable.trix` and `cardtable.vytrix`, a pass too, since both have one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardtable.bot import Bot, FaultNotice, Seating, TableResult
    from cardtable.cards import Card, CardSet, MalformedCard, Rank, Suit
    from cardtable.catalog import GAMES
    from cardtable.engine import Clock, Deal, IllegalAction, MalformedAction, VariantError
    from cardtable.local import play, seat_points
    from cardtable.record import GameRecord
    from cardtable.serve import run
    from cardtable.simulation import simulate
    from cardtable.trix import Contract, Double, Redeal, TrixAction, TrixVariant, TrixView
    from cardtable.vytrix import (
        Action as VytrixAction,
        Bid,
        Direction,
        Discard,
        Kitty,
        Name,
        Strain,
        VytrixVariant,
        VytrixView,
    )

__all__ = [
    "GAMES",
    "Bid",
    "Bot",
    "Card",
    "CardSet",
    "Clock",
    "Contract",
    "Deal",
    "Direction",
    "Discard",
    "Double",
    "FaultNotice",
    "GameRecord",
    "IllegalAction",
    "Kitty",
    "MalformedAction",
    "MalformedCard",
    "Name",
    "Rank",
    "Redeal",
    "Seating",
    "Strain",
    "Suit",
    "TableResult",
    "TrixAction",
    "TrixVariant",
    "TrixView",
    "VariantError",
    "VytrixAction",
    "VytrixVariant",
    "VytrixView",
    "play",
    "run",
    "seat_points",
    "simulate",
]

#: Where each name stands, and what it is called there.
_PLACES = {
    "GAMES": ("catalog", "GAMES"),
    "Bid": ("vytrix", "Bid"),
    "Bot": ("bot", "Bot"),
    "Card": ("cards", "Card"),
    "CardSet": ("cards", "CardSet"),
    "Clock": ("engine", "Clock"),
    "Contract": ("trix", "Contract"),
    "Deal": ("engine", "Deal"),
    "Direction": ("vytrix", "Direction"),
    "Discard": ("vytrix", "Discard"),
    "Double": ("trix", "Double"),
    "FaultNotice": ("bot", "FaultNotice"),
    "GameRecord": ("record", "GameRecord"),
    "IllegalAction": ("engine", "IllegalAction"),
    "Kitty": ("vytrix", "Kitty"),
    "MalformedAction": ("engine", "MalformedAction"),
    "MalformedCard": ("cards", "MalformedCard"),
    "Name": ("vytrix", "Name"),
    "Rank": ("cards", "Rank"),
    "Redeal": ("trix", "Redeal"),
    "Seating": ("bot", "Seating"),
    "Strain": ("vytrix", "Strain"),
    "Suit": ("cards", "Suit"),
    "TableResult": ("bot", "TableResult"),
    "TrixAction": ("trix", "TrixAction"),
    "TrixVariant": ("trix", "TrixVariant"),
    "TrixView": ("trix", "TrixView"),
    "VariantError": ("engine", "VariantError"),
    "VytrixAction": ("vytrix", "Action"),
    "VytrixVariant": ("vytrix", "VytrixVariant"),
    "VytrixView": ("vytrix", "VytrixView"),
    "play": ("local", "play"),
    "run": ("serve", "run"),
    "seat_points": ("local", "seat_points"),
    "simulate": ("simulation", "simulate"),
}


def __getattr__(name: str) -> object:
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'cardtable' has no attribute {name!r}")
    module, its_name = place
    value: object = getattr(import_module(f"cardtable.{module}"), its_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
