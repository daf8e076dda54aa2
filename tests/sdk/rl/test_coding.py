"""Numbers and what they stand for: actions there and back, masks, observations, and that nothing hidden is in them."""

from __future__ import annotations

import re
from itertools import islice, permutations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from cardtable.cards import ALL_CARDS, CARDS, Card, CardSet, Suit
from cardtable.catalog import GAMES
from cardtable.engine import Deal, IllegalAction
from cardtable.rl import trix_coding, vytrix_coding
from cardtable.rl.coding import Block, cards_to_bits
from cardtable.rl.policy import CODINGS
from cardtable.trix import Contract, Double, TrixState, TrixVariant
from cardtable.trix.scoring import DOUBLABLE
from cardtable.vytrix import PASS, Bid, Direction, Discard, Step, Strain, VytrixState, VytrixVariant
from cardtable.vytrix.legal import LegalBids, LegalDiscards
from tests.sdk.driving import random_action, states
from tests.sdk.variants import variants

if TYPE_CHECKING:
    from collections.abc import Iterator

DOC = Path(__file__).parents[3] / "docs" / "rl.md"

seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)
games = st.sampled_from(sorted(CODINGS)).flatmap(
    lambda game: st.tuples(st.just(game), st.sampled_from(variants(game)))
)


def decisions(game: str, variant: dict[str, object], seed: int, deals: int = 6) -> Iterator[tuple[Any, Any]]:
    """Every decision of the first deals of a random game: the state and the view of the seat that acts."""
    dealt = 0
    for state, text in states(game, variant, seed.to_bytes(8, "big")):
        dealt += text is None
        if dealt > deals:
            return
        if state.to_act is not None:
            yield state, state.view(state.to_act)


def prefixes(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return (numbers[:end] for end in range(len(numbers)))


@few
@given(games, seeds)
def test_every_action_comes_back_from_its_numbers_and_each_of_them_is_allowed(
    case: tuple[str, dict[str, object]], seed: int
) -> None:
    game, variant = case
    coding = CODINGS[game]
    rng = Random(seed)
    for _, view in decisions(game, variant, seed):
        legal = view.legal_actions
        if isinstance(legal, LegalBids):
            capped = LegalBids(legal.lowest, min(legal.highest or 100, 100), legal.may_pass, legal.partial)
            actions = [capped.sample(rng) for _ in range(20)] if capped.lowest <= 100 else []
        else:
            actions = list(islice(legal, 60)) if len(legal) < 100 else [legal.sample(rng) for _ in range(20)]
        for action in actions:
            numbers = coding.encode(action)
            assert coding.decode(numbers, view) == action
            for chosen in prefixes(numbers):
                assert coding.mask(view, chosen)[numbers[len(chosen)]] == 1
                if chosen:
                    assert coding.decode(chosen, view) is None


@few
@given(games, seeds)
def test_numbers_that_the_mask_allows_make_legal_actions_and_come_back(
    case: tuple[str, dict[str, object]], seed: int
) -> None:
    game, variant = case
    coding = CODINGS[game]
    rng = Random(seed)
    for _, view in decisions(game, variant, seed):
        chosen: tuple[int, ...] = ()
        action = None
        while action is None:
            allowed = np.flatnonzero(coding.mask(view, chosen))
            chosen = (*chosen, int(rng.choice(allowed)))
            action = coding.decode(chosen, view)
        assert action in view.legal_actions
        assert sorted(coding.encode(action)) == sorted(chosen)


@few
@given(games, seeds)
def test_the_mask_is_exactly_the_legal_set(case: tuple[str, dict[str, object]], seed: int) -> None:
    game, variant = case
    coding = CODINGS[game]
    for state, view in decisions(game, variant, seed):
        allowed = set(np.flatnonzero(coding.mask(view)).tolist())
        legal = state.legal_actions()
        if isinstance(legal, LegalBids):
            points = range(legal.lowest, min(legal.highest or 100, 100) + 1) if legal.lowest else range(0)
            first = {coding.encode(Bid(number, Strain.SPADES, Direction.LOW))[0] for number in points}
            assert allowed == first | ({52} if legal.may_pass else set())
            form = vytrix_coding.CODING.mask(view, (55,))
            assert form.sum() == len(legal._forms)
        elif isinstance(legal, LegalDiscards):
            assert allowed == {card.index for card in legal.cards}
            assert len(allowed) == 20
            some = list(legal.cards)[3:5]
            left = coding.mask(view, tuple(card.index for card in some))
            assert set(np.flatnonzero(left).tolist()) == allowed - {card.index for card in some}
        else:
            assert allowed == {coding.encode(action)[0] for action in legal}
            assert len(allowed) == len(legal)
        for seat in range(state.variant.players):
            assert seat == state.to_act or not coding.mask(state.view(seat)).any()


@few
@given(games, seeds)
def test_observations_lie_within_their_bounds_and_say_what_the_view_says(
    case: tuple[str, dict[str, object]], seed: int
) -> None:
    game, variant = case
    coding = CODINGS[game]
    low, high = coding.fields.bounds()
    rng = Random(seed)
    for state, _ in decisions(game, variant, seed):
        if rng.random() > 0.15:
            continue
        view = state.view(rng.randrange(state.variant.players))
        row = coding.observe(view)
        assert row.dtype == np.float32
        assert row.shape == low.shape == (coding.fields.size,)
        assert (low <= row).all()
        assert (row <= high).all()
        fields = coding.fields.split(row)
        players, own = state.variant.players, view.seat
        assert cards(fields["hand"]) == view.hand
        for place in range(players):
            seat = (own + place) % players
            mine = CardSet.of(
                card for card, by in zip(view.played, view.played_by, strict=True) if by == seat
            )
            assert cards(fields["played"][place]) == mine
            assert one(fields["to_act"], place) == (seat == view.to_act)
            true_hand = state.view(seat).hand
            if place:
                assert true_hand <= cards(fields["may_hold"][place - 1])
                assert not cards(fields["may_hold"][place - 1]) & (view.hand | view.played_cards)
        if game == "trix":
            check_trix(fields, view)
        else:
            check_vytrix(fields, view)


def one(numbers: Any, place: int) -> bool:
    return bool(numbers[place])


def cards(numbers: Any) -> CardSet:
    return CardSet.of(CARDS[place] for place in np.flatnonzero(numbers))


def check_trix(fields: dict[str, Any], view: Any) -> None:
    own = view.seat
    for place in range(4):
        seat = (own + place) % 4
        assert cards(fields["taken"][place]) == view.taken[seat]
        trick = view.trick
        lies = (
            []
            if trick is None
            else [card for card, by in zip(trick.cards, trick.seats, strict=True) if by == seat]
        )
        assert list(cards(fields["trick"][place])) == lies
        doubled = [str(card) for card, by in zip(view.doubled, view.doubled_by, strict=True) if by == seat]
        names = np.array(["KH", "QS", "QH", "QD", "QC"])
        assert set(names[fields["doubled"][place] == 1]) == set(doubled)
        assert fields["cards_left"][place] == pytest.approx(view.hand_sizes[seat] / 13)
        assert fields["scores"][place] == pytest.approx(view.scores[seat] / 100)
        if place:
            known, missing = view.known(seat), view.missing(seat)
            assert cards(fields["may_hold"][place - 1]) == known | (view.unseen - missing)
    assert fields["king"].argmax() == (view.king - own) % 4
    assert fields["first_king"].argmax() == (view.first_king - own) % 4
    assert fields["kingdom"][0] * 4 == view.kingdom
    assert [contract for contract, done in zip(Contract, fields["completed"], strict=True) if done] == [
        contract for contract in Contract if contract in view.completed
    ]
    named = [contract for contract, it in zip(Contract, fields["contract"], strict=True) if it]
    assert named == ([] if view.contract is None else [view.contract])
    assert fields["step"].any() == (view.step is not None)
    assert fields["led_suit"].any() == (view.led_suit is not None)


def check_vytrix(fields: dict[str, Any], view: Any) -> None:
    players = view.variant.players
    for place in range(players):
        seat = (view.seat + place) % players
        assert list(cards(fields["trick"][place])) == [play.card for play in view.trick if play.seat == seat]
        assert fields["tricks_won"][place] * 16 == view.tricks_won[seat]
        group = seat if players == 3 else seat % 2
        assert fields["scores"][place] == pytest.approx(view.scores[group] / 100)
        assert one(fields["dealer"], place) == (seat == view.dealer)
        assert one(fields["declarer"], place) == (seat == view.declarer)
    for name in ("played", "trick", "bids", "scores", "tricks_won", "to_act"):
        assert not fields[name][players:].any()
    bid = view.contract or view.last_bid
    if bid is None:
        assert not fields["contract"].any()
    else:
        assert fields["contract"][0] == pytest.approx(bid.points / 100)
        assert fields["contract"][1:6].any() == (bid.strain is not None)
        assert fields["contract"][6:].any() == (bid.direction is not None)
        last = view.last_bidder
        assert fields["last_bidder"].argmax() == (last - view.seat) % players
        assert fields["bids"][(last - view.seat) % players, 0] == pytest.approx(bid.points / 100)
    assert cards(fields["kitty_cards"]) == view.kitty_cards
    assert cards(fields["discarded"]) == view.discarded
    assert bool(fields["trump_broken"][0]) == view.trump_broken
    assert fields["kitty"].sum() == 1


def compared(game: str, variant: dict[str, object], seed: int) -> int:
    """In how many places two unseen cards changed hands, the same was played, and the observation was the same."""
    coding, rules = CODINGS[game], GAMES[game]
    rng = Random(seed)
    state = rules.new_state(rules.variant(variant))
    places = 0
    for _ in range(4):
        before, actions = state.copy(), list[Any]()
        deal = Deal.shuffled(rules.hand_sizes(state.variant), rng)
        state.deal(deal)
        while state.to_act is not None:
            seat = rng.randrange(state.variant.players)
            if rng.random() < 0.2 and (other := swapped(before, deal, state, seat, actions, rng)) is not None:
                places += 1
                assert (coding.observe(other.view(seat)) == coding.observe(state.view(seat))).all()
                assert (coding.mask(other.view(seat)) == coding.mask(state.view(seat))).all()
            actions.append(random_action(state, rng))
            state.apply(actions[-1])
        if state.is_over:
            break
    return places


@few
@given(games, seeds)
def test_hidden_cards_change_nothing_in_an_observation(
    case: tuple[str, dict[str, object]], seed: int
) -> None:
    compared(*case, seed)


@pytest.mark.parametrize("game", sorted(CODINGS))
def test_hidden_cards_are_changed_in_many_places(game: str) -> None:
    assert compared(game, {}, 1) > 20


def swapped(before: Any, deal: Deal, state: Any, seat: int, actions: list[Any], rng: Random) -> Any:
    """The other game, or None where the actions would not have been legal, or somebody else is asked."""
    unseen = list(state.view(seat).unseen)
    if len(unseen) < 2:
        return None
    pair = CardSet.of(rng.sample(unseen, 2))

    def moved(held: CardSet) -> CardSet:
        return held - pair | (pair - held) if len(held & pair) == 1 else held

    other = before.copy()
    other.deal(Deal(tuple(moved(hand) for hand in deal.hands), moved(deal.kitty)))
    try:
        for action in actions:
            other.apply(action)
    except IllegalAction:
        return None
    mine, its = state.view(seat), other.view(seat)
    return other if (mine.to_act, mine.step) == (its.to_act, its.step) else None


def test_every_number_of_an_action_is_in_one_block_of_its_game() -> None:
    for coding in CODINGS.values():
        covered = [
            number for block in coding.blocks for number in range(block.start, block.start + block.count)
        ]
        assert covered == list(range(coding.actions))


def test_the_numbers_are_those_that_the_blocks_tell() -> None:
    trix, vytrix = trix_coding.CODING, vytrix_coding.CODING
    assert (trix.actions, vytrix.actions) == (77, 172)
    assert [trix.encode(card) for card in CARDS] == [(number,) for number in range(52)]
    assert [trix.encode(contract) for contract in Contract] == [(number,) for number in range(53, 58)]
    parsed = {
        "pass": 52,
        "redeal": 58,
        "keep": 59,
        "double:none": 60,
        "double:QS": 61,
        "double:QH": 62,
        "double:QD,QS": 65,
        "double:QC": 68,
        "double:QS,QH,QD,QC": 75,
        "double:KH": 76,
    }
    for text, number in parsed.items():
        assert trix.encode(GAMES["trix"].parse_action(text)) == (number,)
    several: dict[str, tuple[int, ...]] = {
        "pass": (52,),
        "kitty:take": (53,),
        "kitty:leave": (54,),
        "bid:1S-high": (55, 155),
        "bid:4S-low": (58, 156),
        "bid:100NT-low": (154, 164),
        "bid:17S": (71, 165),
        "bid:17-high": (71, 170),
        "name:NT": (169,),
        "name:low": (171,),
        "AC": (51,),
        "discard:2C,3D,4H,5S": (3, 15, 27, 39),
    }
    for text, numbers in several.items():
        assert vytrix.encode(GAMES["vytrix"].parse_action(text)) == numbers


def test_actions_without_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="no number"):
        trix_coding.CODING.encode(Double(CardSet.parse("KH QS")))
    for action in (
        Bid(101, Strain.SPADES, Direction.LOW),
        Bid(3),
        Bid(0, Strain.SPADES),
        Discard(CardSet.parse("2S")),
    ):
        with pytest.raises(ValueError, match="no numbers"):
            vytrix_coding.CODING.encode(action)


def test_numbers_that_make_no_action_are_refused() -> None:
    trix = TrixState(TrixVariant())
    trix.deal(Deal.shuffled((13,) * 4, Random(1)))
    for numbers in ((), (77,), (-1,), (1, 2)):
        with pytest.raises(ValueError, match="one number"):
            trix_coding.CODING.decode(numbers, trix.view(trix.king))
    vytrix = VytrixState(VytrixVariant())
    vytrix.deal(Deal.shuffled((16,) * 3, Random(1)))
    nonsense: list[tuple[int, ...]] = [(), (3,), (155,), (55, 55), (55, 155, 155)]
    for chosen in nonsense:
        with pytest.raises(ValueError, match="makes no action where bid is asked"):
            vytrix_coding.CODING.decode(chosen, vytrix.view(0))


def at_discard() -> Any:
    state = VytrixState(VytrixVariant())
    state.deal(Deal.shuffled((16,) * 3, Random(1)))
    for text in ("bid:4S-low", "pass", "pass", "kitty:take"):
        state.apply(GAMES["vytrix"].parse_action(text))
    return state.view(0)


def test_a_discard_may_be_chosen_in_any_order_and_shows_what_is_chosen() -> None:
    view, coding = at_discard(), vytrix_coding.CODING
    assert view.step is Step.DISCARD
    four = CardSet.of(list(view.hand)[2:6])
    for order in permutations(card.index for card in four):
        assert coding.decode(order, view) == Discard(four)
    chosen = tuple(card.index for card in four)[:2]
    fields = coding.fields.split(coding.observe(view, chosen))
    assert cards(fields["discarded"]) == CardSet.of(CARDS[number] for number in chosen)
    assert cards(fields["hand"]) == view.hand - cards(fields["discarded"])
    with pytest.raises(ValueError, match="no action where discard"):
        coding.decode((1, 1), view)


def test_the_points_chosen_for_a_bid_are_shown_while_its_form_is_asked() -> None:
    state = VytrixState(VytrixVariant())
    state.deal(Deal.shuffled((16,) * 3, Random(1)))
    fields = vytrix_coding.CODING.fields.split(vytrix_coding.CODING.observe(state.view(0), (71,)))
    assert fields["bidding"][0] == pytest.approx(0.17)
    assert fields["step"].tolist() == [0, 1, 0, 0, 0, 0]


def test_above_the_cap_of_bids_there_is_only_the_pass() -> None:
    state = VytrixState(VytrixVariant(max_bid=0))
    state.deal(Deal.shuffled((16,) * 3, Random(1)))
    coding = vytrix_coding.CODING
    assert coding.mask(state.view(0)).sum() == 100
    state.apply(Bid(99, Strain.SPADES, Direction.LOW))
    assert set(np.flatnonzero(coding.mask(state.view(1))).tolist()) == {coding.encode(PASS)[0], 154}
    state.apply(Bid(5000, Strain.SPADES, Direction.LOW))
    assert set(np.flatnonzero(coding.mask(state.view(2))).tolist()) == {52}
    low, high = coding.fields.bounds()
    row = coding.observe(state.view(2))
    assert ((low <= row) & (row <= high)).all()


def test_what_can_be_doubled_is_what_has_numbers() -> None:
    assert {card.text for card in CardSet(DOUBLABLE[Contract.KING] | DOUBLABLE[Contract.QUEENS])} == {
        "KH", "QS", "QH", "QD", "QC",
    }  # fmt: skip


def test_bits_are_cards_by_index() -> None:
    masks = [Card("2S").bit, ALL_CARDS.mask, 0, Suit.CLUBS.mask]
    bits = cards_to_bits(masks).reshape(4, 52)
    assert bits.sum(axis=1).tolist() == [1, 52, 0, 13]
    assert bits[0, 0] == 1
    assert bits[3, 39:].all()


@pytest.mark.parametrize("game", sorted(CODINGS))
def test_the_documented_tables_are_those_of_the_code(game: str) -> None:
    text = DOC.read_text(encoding="utf-8")
    coding = CODINGS[game]
    assert coding.fields.table() in text
    assert Block.table(coding.blocks) in text
    assert re.search(rf"\b{coding.fields.size}\b", text)
    names = [field.name for field in coding.fields]
    assert len(names) == len(set(names)) == len(coding.fields)
