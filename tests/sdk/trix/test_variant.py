from __future__ import annotations

import pytest

from cardtable.engine import VariantError
from cardtable.trix import TrixVariant


def test_every_option_has_the_rulebook_s_default() -> None:
    assert TrixVariant.from_options({}).options() == {
        "partners": False,
        "kingdom_order": "right",
        "redeals": True,
        "max_voids": 20,
        "early_end": False,
        "diamond_lead": "free",
        "doubling": True,
        "own_double": "single",
        "diamonds_face_up": False,
        "reveal_twos": "never",
        "closed_suit": "repeat",
    }


def test_t9_5_partners_see_the_twos_after_the_first_round_by_default() -> None:
    assert TrixVariant(partners=True).reveal_twos == "after_first_round"
    assert TrixVariant.from_options({"partners": True, "reveal_twos": "never"}).reveal_twos == "never"


def test_options_give_the_variant_back() -> None:
    variant = TrixVariant(partners=True, max_voids=0, closed_suit="off")
    assert TrixVariant.from_options(variant.options()) == variant


def test_there_are_four_players() -> None:
    assert TrixVariant().players == 4


def test_an_unknown_option_is_answered_with_the_nearest() -> None:
    with pytest.raises(VariantError, match="did you mean 'max_voids'") as caught:
        TrixVariant.from_options({"max_void": 3})
    assert caught.value.option == "max_void"


def test_a_wholly_unknown_option_is_answered_with_all() -> None:
    with pytest.raises(VariantError, match="the options are partners, kingdom_order"):
        TrixVariant.from_options({"xyz": 3})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("partners", 1),
        ("partners", "true"),
        ("partners", None),
        ("redeals", 0),
        ("max_voids", True),
        ("max_voids", -1),
        ("max_voids", 1.0),
        ("max_voids", "20"),
        ("max_voids", 2**32),
        ("kingdom_order", "left"),
        ("kingdom_order", None),
        ("own_double", True),
        ("reveal_twos", None),
        ("reveal_twos", ["never"]),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(VariantError, match=f"^{name} is ") as caught:
        TrixVariant.from_options({name: value})
    assert caught.value.option == name


def test_a_bad_value_is_answered_with_the_allowed_ones() -> None:
    with pytest.raises(VariantError, match='"right" or "across", not \'left\''):
        TrixVariant(kingdom_order="left")  # type: ignore[arg-type] # what a type checker would not let pass
