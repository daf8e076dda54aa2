"""Trix: four kingdoms of five contracts for four players. The rules stand in RULES.md."""

from __future__ import annotations

from typing import Final

from cardtable.engine import Game
from cardtable.trix.actions import PASS, Contract, Double, Pass, Redeal, Step, TrixAction, parse_action
from cardtable.trix.analysis import scheme
from cardtable.trix.house import house_action
from cardtable.trix.simulate import simulate, unseen_deals
from cardtable.trix.state import HAND_SIZES, TrixState, redeal_right
from cardtable.trix.variant import TrixVariant
from cardtable.trix.view import Trick, TrixDealSummary, TrixView, Void

__all__ = [
    "GAME",
    "PASS",
    "Contract",
    "Double",
    "Pass",
    "Redeal",
    "Step",
    "Trick",
    "TrixAction",
    "TrixDealSummary",
    "TrixState",
    "TrixVariant",
    "TrixView",
    "Void",
    "house_action",
    "parse_action",
    "redeal_right",
    "simulate",
    "unseen_deals",
]


def _hand_sizes(_: TrixVariant) -> tuple[int, ...]:
    return HAND_SIZES


def _groups(variant: TrixVariant) -> tuple[tuple[int, ...], ...]:
    return ((0, 2), (1, 3)) if variant.partners else ((0,), (1,), (2,), (3,))


def _title(variant: TrixVariant) -> str:
    default = TrixVariant(partners=variant.partners).options()
    changed = [
        f"{name} {str(value).lower()}" for name, value in variant.options().items() if value != default[name]
    ]
    return ", ".join(["Trix", *(["partners"] if variant.partners else []), *changed])


GAME: Final = Game(
    name="trix",
    title="Trix",
    variant=TrixVariant.from_options,
    options=TrixVariant.options,
    new_state=TrixState,
    parse_action=parse_action,
    hand_sizes=_hand_sizes,
    groups=_groups,
    house_action=house_action,
    simulate=simulate,
    title_of=_title,
    analysis=scheme,
)
