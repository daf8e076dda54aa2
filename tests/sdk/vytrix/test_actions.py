"""The text notation, and the lazy sets of legal actions."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from cardtable.cards import Card, CardSet
from cardtable.engine import MalformedAction
from cardtable.vytrix import (
    PASS,
    Bid,
    Choices,
    Direction,
    Discard,
    Kitty,
    LegalBids,
    LegalDiscards,
    Name,
    Strain,
    parse_action,
)

FIVE = CardSet.parse("2C 3D 4H 5S AS")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("bid:4S-low", Bid(4, Strain.SPADES, Direction.LOW)),
        ("bid:15NT-high", Bid(15, Strain.NO_TRUMP, Direction.HIGH)),
        ("bid:0C-high", Bid(0, Strain.CLUBS, Direction.HIGH)),
        ("bid:17-high", Bid(17, None, Direction.HIGH)),
        ("bid:17S", Bid(17, Strain.SPADES)),
        ("bid:17", Bid(17)),
        ("pass", PASS),
        ("kitty:take", Kitty.TAKE),
        ("kitty:leave", Kitty.LEAVE),
        ("discard:2C,3D,4H,5S", Discard.of(map(Card, ("5S", "4H", "3D", "2C")))),
        ("discard:2C", Discard.of([Card("2C")])),
        ("name:NT", Name(Strain.NO_TRUMP)),
        ("name:D", Name(Strain.DIAMONDS)),
        ("name:low", Name(Direction.LOW)),
        ("TD", Card("TD")),
    ],
)
def test_text_and_action_are_inverse(text: str, action: object) -> None:
    assert parse_action(text) == action
    assert str(action) == text


def test_discards_may_be_written_in_any_order() -> None:
    assert str(parse_action("discard:5S,2C,AS,3D")) == "discard:2C,3D,5S,AS"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " pass",
        "Pass",
        "pass\n",
        "bid:4S-low\n",
        "bid:",
        "bid:S-low",
        "bid:04S-low",
        "bid:+4S-low",
        "bid:-4S-low",
        "bid:2.5S-high",
        "bid:4s-low",
        "bid:4S-Low",
        "bid:4S-",
        "bid:4X-low",
        "bid:4N-low",
        "bid:4S low",
        "bid:\u0664S-low",
        "bid:" + "9" * 5000,
        "kitty",
        "kitty:keep",
        "discard:",
        "discard:2C,3D,4H,",
        "discard:2C, 3D,4H,5S",
        "discard:2C,2C,4H,5S",
        "discard:2C,3D,4H,1S",
        "name:",
        "name:N",
        "name:HIGH",
        "10S",
        "SA",
        "redeal",
    ],
)
def test_what_is_no_action_is_malformed(text: str) -> None:
    with pytest.raises(MalformedAction) as malformed:
        parse_action(text)
    assert malformed.value.rule == "format"


@pytest.mark.parametrize("points", [-1, 2.5, True, "4"])
def test_v2_a_bid_is_a_whole_number(points: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        Bid(points)  # type: ignore[arg-type] # what an untyped bot may do


def test_strains_and_suits_belong_together() -> None:
    assert [strain.suit for strain in Strain if strain.suit is not None] == [0, 1, 2, 3]
    assert all(Strain.of_suit(strain.suit) is strain for strain in Strain if strain.suit is not None)
    assert Strain.NO_TRUMP.suit is None


@pytest.mark.parametrize(
    ("legal", "size"),
    [
        (LegalBids(1, 3, may_pass=False, partial=False), 30),
        (LegalBids(98, 100, may_pass=True, partial=False), 31),
        (LegalBids(99, 100, may_pass=True, partial=True), 15),
        (LegalBids(0, 0, may_pass=True, partial=False), 1),
        (LegalDiscards(FIVE), 5),
        (Choices(tuple(Kitty)), 2),
    ],
)
def test_a_legal_set_counts_contains_and_samples_what_it_lists(
    legal: LegalBids | LegalDiscards | Choices[Kitty], size: int
) -> None:
    listed = list(legal)
    assert len(legal) == len(listed) == len(set(listed)) == size
    assert all(action in legal for action in listed)
    rng = Random(1)
    assert {legal.sample(rng) for _ in range(40 * size)} == set(listed)


def test_v2_4_bids_without_a_limit() -> None:
    legal = LegalBids(7, 0, may_pass=True, partial=False)
    assert len(legal) == 2**31 - 1
    assert Bid(10**12, Strain.CLUBS, Direction.LOW) in legal
    assert Bid(6, Strain.CLUBS, Direction.LOW) not in legal
    assert list(islice(legal, 2)) == [PASS, Bid(7, Strain.SPADES, Direction.HIGH)]
    rng = Random(2)
    points = [call.points for call in (legal.sample(rng) for _ in range(2000)) if isinstance(call, Bid)]
    assert min(points) >= 7
    assert max(points) <= 106


def test_v12_the_form_of_a_bid_depends_on_the_variant() -> None:
    full, partial = (LegalBids(1, 9, may_pass=False, partial=which) for which in (False, True))
    assert Bid(1, Strain.CLUBS, Direction.LOW) in full
    assert Bid(1, Strain.CLUBS, Direction.LOW) not in partial
    for half in (Bid(1, Strain.CLUBS), Bid(1, None, Direction.LOW)):
        assert half in partial
        assert half not in full
    assert Bid(1) not in partial
    assert Bid(1) not in full


def test_legal_sets_are_written_as_bounds() -> None:
    assert LegalBids(4, 9, may_pass=True, partial=False).texts() == ["bid:4+", "pass"]
    assert LegalBids(0, 0, may_pass=True, partial=False).texts() == ["pass"]
    assert LegalDiscards(FIVE).texts() == ["discard"]
    assert Choices(tuple(Kitty)).texts() == ["kitty:take", "kitty:leave"]


def test_v5_2_a_discard_is_any_four_of_the_cards_and_nothing_else() -> None:
    legal = LegalDiscards(FIVE)
    assert parse_action("discard:2C,3D,4H,AS") in legal
    assert parse_action("discard:2C,3D,4H") not in legal
    assert parse_action("discard:2C,3D,4H,KS") not in legal
    assert Card("2C") not in legal
    assert len(LegalDiscards(CardSet((1 << 20) - 1))) == 4845
