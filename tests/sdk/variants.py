"""Every variant that the tests go through: the base game, each option alone, and some together."""

from __future__ import annotations

from typing import Final

__all__ = ["OPTIONS", "TOGETHER", "variants"]

#: The values of each option other than its default.
OPTIONS: Final[dict[str, dict[str, tuple[object, ...]]]] = {
    "trix": {
        "partners": (True,),
        "kingdom_order": ("across",),
        "redeals": (False,),
        "max_voids": (0, 1),
        "early_end": (True,),
        "diamond_lead": ("not_first",),
        "doubling": (False,),
        "own_double": ("double",),
        "diamonds_face_up": (True,),
        "reveal_twos": ("at_start", "after_first_round"),
        "closed_suit": ("off",),
    },
    "vytrix": {
        "players": (4,),
        "max_bid": (10,),
        "target": (0, 20),
        "max_hands": (2,),
        "breaking_trump": (True,),
        "last_trick": ("replace", "bonus"),
        "defensive_partnerships": (True,),
        "partial_bidding": (True,),
    },
}

TOGETHER: Final[dict[str, tuple[dict[str, object], ...]]] = {
    "trix": (
        {"partners": True, "reveal_twos": "never", "early_end": True, "own_double": "double"},
        {"max_voids": 2, "diamond_lead": "not_first", "closed_suit": "off", "doubling": False},
    ),
    "vytrix": (
        {"players": 4, "partial_bidding": True, "breaking_trump": True, "last_trick": "replace"},
        {"defensive_partnerships": True, "last_trick": "bonus", "breaking_trump": True},
    ),
}


def variants(game: str) -> list[dict[str, object]]:
    """All variants of a game that the tests go through."""
    alone = [{name: value} for name, values in OPTIONS[game].items() for value in values]
    for variant in alone:
        if "partial_bidding" in variant:
            variant["players"] = 4
    return [{}, *alone, *TOGETHER[game]]
