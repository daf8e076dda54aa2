"""The options of Vytrix: defaults, what is refused, and what the refusal says."""

from __future__ import annotations

import pytest

from cardtable.engine import VariantError
from cardtable.vytrix import GAME, VytrixVariant


def test_the_defaults_are_those_of_the_rulebook() -> None:
    assert VytrixVariant().options() == {
        "players": 3,
        "max_bid": 100,
        "target": 50,
        "max_hands": 100,
        "breaking_trump": False,
        "last_trick": "off",
        "defensive_partnerships": False,
        "partial_bidding": False,
    }


def test_options_and_from_options_are_inverse() -> None:
    variant = VytrixVariant(players=4, target=0, last_trick="bonus", partial_bidding=True)
    assert VytrixVariant.from_options(variant.options()) == variant
    assert GAME.variant({}) == VytrixVariant()
    assert GAME.options(variant) == variant.options()


def test_v1_hands_and_groups_follow_from_the_number_of_players() -> None:
    three, four = VytrixVariant(), VytrixVariant(players=4)
    assert GAME.hand_sizes(three) == (16, 16, 16)
    assert GAME.hand_sizes(four) == (13, 13, 13, 13)
    assert GAME.groups(three) == ((0,), (1,), (2,))
    assert GAME.groups(four) == ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"players": 2}, "players"),
        ({"players": 5}, "players"),
        ({"players": True}, "players"),
        ({"players": "3"}, "players"),
        ({"players": 3.0}, "players"),
        ({"max_bid": -1}, "max_bid"),
        ({"max_bid": True}, "max_bid"),
        ({"target": -50}, "target"),
        ({"target": None}, "target"),
        ({"max_hands": -1}, "max_hands"),
        ({"max_hands": 1.5}, "max_hands"),
        ({"max_hands": 2**31}, "max_hands"),
        ({"max_hands": 0, "target": 0}, "max_hands"),
        ({"breaking_trump": 1}, "breaking_trump"),
        ({"breaking_trump": "true"}, "breaking_trump"),
        ({"last_trick": "double"}, "last_trick"),
        ({"last_trick": False}, "last_trick"),
        ({"last_trick": ["off"]}, "last_trick"),
        ({"defensive_partnerships": 0}, "defensive_partnerships"),
        ({"players": 4, "defensive_partnerships": True}, "defensive_partnerships"),
        ({"partial_bidding": True}, "partial_bidding"),
        ({"colour": "blue"}, "colour"),
    ],
)
def test_what_is_no_variant_is_refused_by_the_name_of_the_option(
    options: dict[str, object], option: str
) -> None:
    with pytest.raises(VariantError) as refused:
        VytrixVariant.from_options(options)
    assert refused.value.option == option
    assert option in refused.value.message


def test_an_unknown_option_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(VariantError, match="did you mean breaking_trump"):
        VytrixVariant.from_options({"breaking_trumps": True})
    with pytest.raises(VariantError, match="the options are players, max_bid"):
        VytrixVariant.from_options({"zzz": True})


def test_a_bad_value_is_answered_with_those_that_are_allowed() -> None:
    with pytest.raises(VariantError, match="off, replace, bonus"):
        VytrixVariant.from_options({"last_trick": "on"})


def test_a_title_names_what_differs_from_the_base_game() -> None:
    assert GAME.title_of(VytrixVariant()) == "Vytrix, 3 players"
    variant = VytrixVariant(players=4, breaking_trump=True, last_trick="replace", partial_bidding=True)
    assert GAME.title_of(variant) == (
        "Vytrix, 4 players, breaking trump, last trick replace, partial bidding"
    )
    assert GAME.title_of(VytrixVariant(defensive_partnerships=True)).endswith("defensive partnerships")
