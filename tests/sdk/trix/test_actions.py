from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.cards import CARDS, Card, CardSet
from cardtable.engine import MalformedAction
from cardtable.trix import PASS, Contract, Double, Redeal, parse_action
from cardtable.trix.actions import NOTHING, PASS_ONLY, REDEALS, Choices, Doublings

if TYPE_CHECKING:
    from cardtable.engine import ActionSet

QUEENS = CardSet.parse("QS QH QD QC")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("contract:king", Contract.KING),
        ("contract:queens", Contract.QUEENS),
        ("contract:diamonds", Contract.DIAMONDS),
        ("contract:slaps", Contract.SLAPS),
        ("contract:trix", Contract.TRIX),
        ("redeal", Redeal.CLAIM),
        ("keep", Redeal.KEEP),
        ("double:none", Double()),
        ("double:KH", Double(CardSet.parse("KH"))),
        ("double:QS,QD", Double(CardSet.parse("QS QD"))),
        ("pass", PASS),
        *[(card.text, card) for card in CARDS],
    ],
)
def test_an_action_and_its_text_give_each_other(text: str, action: object) -> None:
    assert parse_action(text) == action
    assert str(action) == text


def test_the_cards_of_a_doubling_are_read_in_any_order_and_written_in_one() -> None:
    assert str(parse_action("double:QC,QD,QS")) == "double:QS,QD,QC"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "10H",
        "ah",
        "AH ",
        "KING",
        "contract:hearts",
        "contract:",
        "contract:King",
        "contract",
        "double",
        "double:",
        "double:QS,QS",
        "double:QS,",
        "double:QS QD",
        "double:none,QS",
        "double:None",
        "redeal:yes",
        "Pass",
        "bid:3S-low",
        "keep ",
    ],
)
def test_other_texts_are_malformed(text: str) -> None:
    with pytest.raises(MalformedAction) as caught:
        parse_action(text)
    assert caught.value.rule == "format"


@pytest.mark.parametrize(
    "legal",
    [NOTHING, PASS_ONLY, REDEALS, Choices(*Contract), Doublings(QUEENS), Doublings(CardSet.parse("KH"))],
)
def test_a_legal_set_has_as_many_actions_as_it_lists_and_contains_them(legal: ActionSet[Any]) -> None:
    listed = list(legal)
    assert len(legal) == len(listed) == len(set(listed))
    assert all(action in legal for action in listed)
    assert Card("AS") not in legal
    assert "pass" not in legal


@pytest.mark.parametrize("legal", [PASS_ONLY, REDEALS, Choices(*Contract), Doublings(QUEENS)])
def test_every_legal_action_is_drawn_some_time(legal: ActionSet[Any]) -> None:
    rng = Random(0)
    assert {legal.sample(rng) for _ in range(300)} == set(legal)


def test_the_text_of_a_doubling_names_all_cards_that_may_be_named_sorted() -> None:
    assert Doublings(QUEENS).texts() == ["double:QC,QD,QH,QS"]
    assert Double(CardSet.parse("KH")) not in Doublings(QUEENS)
