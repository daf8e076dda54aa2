from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from hypothesis import given, strategies as st

from cardtable.cards import ALL_CARDS, CARDS, Card, CardSet, MalformedCard, Rank, Suit, mask_of

masks = st.integers(min_value=0, max_value=ALL_CARDS.mask)


def test_there_are_52_cards_and_each_is_one_object() -> None:
    assert len({card.text for card in CARDS}) == 52
    for card in CARDS:
        assert Card(card.text) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card
        assert CARDS[card.index] is card
        assert card.index == card.suit * 13 + card.rank


def test_a_card_is_rank_then_suit() -> None:
    card = Card("TH")
    assert (card.rank, card.suit, str(card)) == (Rank.TEN, Suit.HEARTS, "TH")


@pytest.mark.parametrize("text", ["", "10H", "ah", "Ah", "HA", "AH ", "1S", "A", "AX"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(MalformedCard, match="no card"):
        Card(text)


def test_a_card_cannot_change() -> None:
    with pytest.raises(AttributeError):
        Card("AS").rank = Rank.TWO


def test_cards_order_by_rank_then_suit() -> None:
    assert min(Card("3S"), Card("2C")) is Card("2C")
    assert sorted([Card("2C"), Card("2S"), Card("2D"), Card("2H")]) == [
        Card("2S"),
        Card("2H"),
        Card("2D"),
        Card("2C"),
    ]


@given(masks, masks)
def test_card_sets_are_sets(left: int, right: int) -> None:
    a, b = CardSet(left), CardSet(right)
    assert set(a & b) == set(a) & set(b)
    assert set(a | b) == set(a) | set(b)
    assert set(a - b) == set(a) - set(b)
    assert (a <= b) == (set(a) <= set(b))
    assert len(a) == len(list(a))
    assert CardSet.of(a) == a
    assert CardSet.parse(str(a)) == a
    assert all(card in a for card in a)
    assert hash(CardSet(left)) == hash(a)


@given(masks.filter(bool), st.integers())
def test_a_sample_is_a_member(mask: int, seed: int) -> None:
    assert CardSet(mask).sample(Random(seed)) in CardSet(mask)


def test_every_member_is_sampled_alike() -> None:
    cards, rng = CardSet.parse("AS 2S 7H KC"), Random(1)
    counts = dict.fromkeys(cards, 0)
    for _ in range(4000):
        counts[cards.sample(rng)] += 1
    assert all(850 < count < 1150 for count in counts.values())


def test_a_card_twice_is_no_set() -> None:
    with pytest.raises(MalformedCard, match="AS"):
        CardSet.parse("AS 2S AS")


def test_parts_of_a_set() -> None:
    cards = CardSet.parse("AS 2S AH KC")
    assert cards.of_suit(Suit.SPADES) == CardSet.parse("AS 2S")
    assert cards.of_rank(Rank.ACE) == CardSet.parse("AS AH")
    assert cards.suits == (Suit.SPADES, Suit.HEARTS, Suit.CLUBS)
    assert mask_of(cards) == cards.mask
