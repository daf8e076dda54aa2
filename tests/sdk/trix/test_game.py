from __future__ import annotations

import pytest

from cardtable import trix
from cardtable.trix import GAME, TrixState, TrixVariant


def test_the_package_says_what_it_offers() -> None:
    assert all(hasattr(trix, name) for name in trix.__all__)


def test_the_game_is_known_by_its_name() -> None:
    assert (GAME.name, GAME.title) == ("trix", "Trix")
    assert isinstance(GAME.new_state(GAME.variant({})), TrixState)


def test_t1_each_plays_for_itself_or_with_its_partner() -> None:
    assert GAME.groups(TrixVariant()) == ((0,), (1,), (2,), (3,))
    assert GAME.groups(TrixVariant(partners=True)) == ((0, 2), (1, 3))
    assert GAME.hand_sizes(TrixVariant()) == (13, 13, 13, 13)


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "Trix"),
        ({"partners": True}, "Trix, partners"),
        (
            {"partners": True, "redeals": False, "reveal_twos": "never"},
            "Trix, partners, redeals false, reveal_twos never",
        ),
        ({"max_voids": 3}, "Trix, max_voids 3"),
    ],
)
def test_a_title_names_what_is_not_the_default(options: dict[str, object], title: str) -> None:
    assert GAME.title_of(GAME.variant(options)) == title
