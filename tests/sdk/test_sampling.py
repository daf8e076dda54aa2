from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from cardtable.cards import CardSet
from cardtable.sampling import NoDealError, UnseenDeals


def _all_deals(cards: list[int], sizes: list[int], excluded: list[int]) -> set[tuple[int, ...]]:
    found = set()
    for order in permutations(cards):
        masks, start = [], 0
        for size in sizes:
            masks.append(sum(order[start : start + size]))
            start += size
        if not any(mask & no for mask, no in zip(masks, excluded, strict=True)):
            found.add(tuple(masks))
    return found


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(lambda sizes: 0 < sum(sizes) <= 6),
    st.data(),
)
def test_the_count_is_that_of_a_list_of_all_deals(sizes: list[int], data: st.DataObject) -> None:
    cards = [1 << 7 * n for n in range(sum(sizes))]
    subset = st.lists(st.sampled_from(cards), unique=True).map(sum)
    excluded = [data.draw(subset) for _ in sizes]
    truth = _all_deals(cards, sizes, excluded)
    if not truth:
        with pytest.raises(NoDealError):
            UnseenDeals(sum(cards), sizes, excluded)
        return
    deals = UnseenDeals(sum(cards), sizes, excluded)
    assert deals.count == len(truth)
    assert all(deals.sample(Random(seed)) in truth for seed in range(20))


def test_every_deal_has_the_same_chance() -> None:
    cards = [1, 2, 4, 8, 16]
    excluded = [1 | 2, 0, 16]
    truth = _all_deals(cards, [2, 2, 1], excluded)
    deals, rng = UnseenDeals(31, [2, 2, 1], excluded), Random(5)
    draws = 600 * len(truth)
    counts = Counter(deals.sample(rng) for _ in range(draws))
    assert set(counts) == truth
    squares = sum((count - 600) ** 2 / 600 for count in counts.values())
    assert squares < 3 * len(truth)


def test_forty_free_cards_are_dealt_at_once() -> None:
    cards = CardSet((1 << 39) - 1)
    hands = UnseenDeals(cards.mask, [13, 13, 13], [0, 0, 0]).sample(Random(0))
    assert [hand.bit_count() for hand in hands] == [13, 13, 13]
    assert hands[0] | hands[1] | hands[2] == cards.mask


def test_sizes_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(NoDealError, match="3 cards"):
        UnseenDeals(7, [1, 1], [0, 0])
