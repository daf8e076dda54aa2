"""Vytrix: an auction game for three or four, with a kitty for three (see RULES.md).

The names here are what a bot author needs; `codec` alone knows the wire, and nothing here imports it.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from cardtable.engine import Game
from cardtable.vytrix.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Direction,
    Discard,
    Kitty,
    KittyFate,
    Name,
    Pass,
    Step,
    Strain,
    parse_action,
)
from cardtable.vytrix.analysis import scheme
from cardtable.vytrix.house import house_action
from cardtable.vytrix.legal import Choices, LegalBids, LegalDiscards
from cardtable.vytrix.scoring import earnings, trick_rate, trick_value
from cardtable.vytrix.simulate import Worlds, simulate
from cardtable.vytrix.state import VytrixState
from cardtable.vytrix.variant import LastTrick, VytrixVariant
from cardtable.vytrix.view import Play, Trick, VytrixDealSummary, VytrixView

__all__ = [
    "GAME",
    "PASS",
    "Action",
    "Bid",
    "Call",
    "Choices",
    "Direction",
    "Discard",
    "Kitty",
    "KittyFate",
    "LastTrick",
    "LegalBids",
    "LegalDiscards",
    "Name",
    "Pass",
    "Play",
    "Step",
    "Strain",
    "Trick",
    "VytrixDealSummary",
    "VytrixState",
    "VytrixVariant",
    "VytrixView",
    "Worlds",
    "earnings",
    "house_action",
    "parse_action",
    "simulate",
    "trick_rate",
    "trick_value",
]

#: Vytrix as the catalog knows it.
GAME: Final = Game(
    name="vytrix",
    title="Vytrix",
    variant=VytrixVariant.from_options,
    options=VytrixVariant.options,
    new_state=VytrixState,
    parse_action=parse_action,
    hand_sizes=attrgetter("hand_sizes"),
    groups=attrgetter("groups"),
    house_action=house_action,
    simulate=simulate,
    title_of=attrgetter("title"),
    analysis=scheme,
)
