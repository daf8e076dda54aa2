from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, strategies as st

from cardtable.cards import CARDS, FULL_MASK, Card
from cardtable.dealing import Dealer, board_seed, bot_seed, shuffled_deck
from cardtable.engine import Deal

MASTER = bytes(range(32))


def test_a_deal_is_the_52_cards() -> None:
    deal = Dealer(MASTER, (16, 16, 16)).deal("0")
    assert [len(hand) for hand in deal.hands] == [16, 16, 16]
    assert len(deal.kitty) == 4
    union = deal.kitty.mask
    for hand in deal.hands:
        union |= hand.mask
    assert union == FULL_MASK


def test_the_same_seed_and_key_give_the_same_cards_in_any_order() -> None:
    dealer, other = Dealer(MASTER, (13,) * 4), Dealer(MASTER, (13,) * 4)
    first, second = dealer.deal("0.0.0"), dealer.deal("0.1.0")
    assert other.deal("0.1.0") == second
    assert other.deal("0.0.0") == first
    assert first != second


def test_boards_competitions_and_seats_have_seeds_of_their_own() -> None:
    seeds = [board_seed(MASTER, name, board) for name in ("a", "b") for board in range(50)]
    assert len(set(seeds)) == 100
    assert all(len(seed) == 32 for seed in seeds)
    bots = {bot_seed(seeds[0], seating, seat) for seating in range(4) for seat in range(4)}
    assert len(bots) == 16
    assert all(0 <= seed < 2**63 for seed in bots)


def test_the_documented_vectors() -> None:
    seed = board_seed(MASTER, "trix", 0)
    assert seed.hex() == "3639727ccbd640887ba0c52bebee8b147e930e81c3e812b8bd25107129fe53cc"
    assert " ".join(CARDS[index].text for index in shuffled_deck(b"")[:8]) == "2H 9H 6S 5H 8H QD 4S 6H"
    assert str(Dealer(seed, (13,) * 4).deal("0.0.0").hands[0]) == "KS JS 5S 2S AH 9H 3H KD JD 3D AC 9C 2C"
    assert bot_seed(seed, 0, 0) == 4606263952504676243


def test_every_card_comes_to_every_place_alike() -> None:
    counts = Counter(shuffled_deck(n.to_bytes(4, "big")).index(Card("7H").index) for n in range(5200))
    assert len(counts) == 52
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 100


@given(st.integers(0, 2**64))
def test_a_local_deal_is_what_the_standard_library_would_shuffle(seed: int) -> None:
    deck = list(range(52))
    Random(seed).shuffle(deck)
    assert Deal.shuffled((13,) * 4, Random(seed)) == Deal.of_deck(deck, (13,) * 4)
