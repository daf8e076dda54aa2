from __future__ import annotations

from hypothesis import given, strategies as st

from cardtable.cards import Card, CardSet
from cardtable.tricks import HIGH, LOW_ACE_BEST, following, strengths, winner


def _indices(text: str) -> list[int]:
    return [Card(word).index for word in text.split()]


def test_the_suit_led_must_be_followed_where_it_can_be() -> None:
    hand = CardSet.parse("AS 2S KH")
    assert following(hand.mask, Card("3S").index) == CardSet.parse("AS 2S").mask
    assert following(hand.mask, Card("3D").index) == hand.mask


def test_the_highest_card_of_the_suit_led_wins() -> None:
    assert winner(_indices("3S AH KS 9S"), strengths(0, HIGH, None)) == 2


def test_the_best_trump_wins() -> None:
    assert winner(_indices("AS 2H KS 3H"), strengths(0, HIGH, 1)) == 3
    assert winner(_indices("2H AH 3H"), strengths(1, HIGH, 1)) == 1


def test_low_goes_from_ace_over_two_to_king() -> None:
    table = strengths(3, LOW_ACE_BEST, None)
    ranked = sorted("23456789TJQKA", key=lambda rank: table[Card(rank + "C").index], reverse=True)
    assert "".join(ranked) == "A23456789TJQK"


@given(st.permutations(range(52)), st.sampled_from([None, 0, 1, 2, 3]))
def test_no_card_beats_the_winner(deck: list[int], trump: int | None) -> None:
    trick = deck[:4]
    table = strengths(trick[0] // 13, HIGH, trump)
    best = trick[winner(trick, table)]
    assert all(table[card] <= table[best] for card in trick)
    assert table[best] >= 0
