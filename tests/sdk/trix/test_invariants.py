"""What holds in every game of every variant."""

from __future__ import annotations

from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from cardtable.cards import ALL_CARDS, Card, CardSet
from cardtable.engine import Deal, IllegalAction
from cardtable.trix import Contract, Step, TrixState, TrixVariant, codec, simulate, unseen_deals
from cardtable.v1 import trix_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

TOTALS = {
    Contract.KING: -75,
    Contract.DIAMONDS: -130,
    Contract.QUEENS: -100,
    Contract.SLAPS: -195,
    Contract.TRIX: 500,
}
SECRET = (Step.REDEAL, Step.DOUBLE)

variants = st.builds(
    TrixVariant,
    partners=st.booleans(),
    kingdom_order=st.sampled_from(["right", "across"]),
    redeals=st.booleans(),
    max_voids=st.sampled_from([0, 1, 20]),
    early_end=st.booleans(),
    diamond_lead=st.sampled_from(["free", "not_first"]),
    doubling=st.booleans(),
    own_double=st.sampled_from(["single", "double"]),
    diamonds_face_up=st.booleans(),
    reveal_twos=st.sampled_from([None, "never", "after_first_round", "at_start"]),
    closed_suit=st.sampled_from(["repeat", "off"]),
)
seeds = st.integers(0, 2**32)
few = settings(max_examples=20, deadline=None)


def _deal(rng: Random) -> Deal:
    """A shuffled deal, in one of three changed so that seat 1 holds what gives rights."""
    deal = Deal.shuffled((13,) * 4, rng)
    if rng.random() < 2 / 3:
        return deal
    hand = CardSet.parse(
        rng.choice(["KH AS KS QS JS 9S AD KD QD JD AC KC QC", "2S 2H 2D 3C 4C 5C 6C 7C 8C 9C TC JC QC"])
    )
    rest = list(ALL_CARDS - hand)
    rng.shuffle(rest)
    return Deal((CardSet.of(rest[:13]), hand, CardSet.of(rest[13:26]), CardSet.of(rest[26:])))


def _decisions(state: TrixState, rng: Random) -> Iterator[TrixState]:
    """The state at every decision of a random game, and after every deal."""
    while not state.is_over:
        state.deal(_deal(rng))
        while state.to_act is not None:
            yield state
            state.apply(state.legal_actions().sample(rng))
        yield state


@few
@given(variants, seeds)
def test_the_52_cards_are_conserved(variant: TrixVariant, seed: int) -> None:
    for state in _decisions(TrixState(variant), Random(seed)):
        if state.to_act is not None:
            view = state.view(state.to_act)
            hands = state.hands
            together = view.played_cards
            for hand, size in zip(hands, view.hand_sizes, strict=True):
                assert len(hand) == size
                assert not hand & together
                together |= hand
            assert together == ALL_CARDS


@few
@given(variants, seeds)
def test_t10_every_completed_deal_and_kingdom_has_its_total(variant: TrixVariant, seed: int) -> None:
    deals = 0
    for state in _decisions(TrixState(variant), Random(seed)):
        if state.to_act is None:
            summary = state.summary()
            if summary.void is not None:
                assert summary.points == (0, 0, 0, 0)
                continue
            deals += 1
            total = TOTALS[summary.contract]
            if variant.own_double == "single" or summary.contract not in (Contract.KING, Contract.QUEENS):
                assert sum(summary.points) == total
            else:
                assert 2 * total <= sum(summary.points) <= total
            if deals % 5 == 0 and variant.own_double == "single":
                assert sum(state.scores) == 0
            assert sum(state.group_scores) == sum(state.scores) == sum(summary.scores)
    assert deals == 20


@few
@given(variants, seeds)
def test_legal_sets_keep_their_laws_and_views_show_the_same(variant: TrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state in _decisions(TrixState(variant), rng):
        legal = state.legal_actions()
        listed = list(legal)
        assert len(legal) == len(set(listed)) == len(listed)
        assert all(action in legal for action in listed)
        assert bool(listed) == (state.to_act is not None)
        for seat in range(4):
            assert list(state.view(seat).legal_actions) == (listed if seat == state.to_act else [])
        if listed:
            assert legal.sample(rng) in legal


@few
@given(variants, seeds)
def test_what_the_legal_set_lacks_is_refused(variant: TrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state in _decisions(TrixState(variant), rng):
        legal = state.legal_actions()
        if rng.random() < 0.02:
            for action in (*ALL_CARDS, *Contract):
                twin = state.copy()
                if action in legal:
                    twin.apply(action)
                else:
                    with pytest.raises(IllegalAction):
                        twin.apply(action)


@few
@given(variants, seeds)
def test_views_and_summaries_come_back_from_the_wire(variant: TrixVariant, seed: int) -> None:
    for state in _decisions(TrixState(variant), Random(seed)):
        if state.to_act is None:
            ended = trix_pb2.TrixDealEnded()
            codec.encode_summary(state.summary(), ended)
            sent = trix_pb2.TrixDealEnded.FromString(ended.SerializeToString())
            assert codec.decode_summary(sent) == state.summary()
        else:
            view = state.view(state.to_act)
            message = trix_pb2.TrixView()
            codec.encode_view(view, message)
            read = trix_pb2.TrixView.FromString(message.SerializeToString())
            assert codec.decode_view(read, variant, view.seat) == view


@few
@given(variants, seeds)
def test_what_a_seat_concludes_is_true(variant: TrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state in _decisions(TrixState(variant), rng):
        if rng.random() < 0.1:
            view = state.view(rng.randrange(4))
            for seat, hand in enumerate(state.hands):
                assert view.known(seat) <= hand
                if seat != view.seat:
                    assert not view.missing(seat) & hand


@few
@given(variants, seeds)
def test_a_simulated_state_looks_the_same_and_plays_on(variant: TrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state in _decisions(TrixState(variant), rng):
        if rng.random() > 0.05:
            continue
        view = state.view(rng.randrange(4))
        if view.to_act is None:
            with pytest.raises(ValueError, match="whose turn"):
                TrixState.behind(view, state.hands)
            continue
        twin = simulate(view, rng)
        assert twin.view(view.seat) == view
        while twin.to_act is not None:
            twin.apply(twin.legal_actions().sample(rng))
        assert twin.summary().played[: len(view.played)] == view.played


@few
@given(variants, seeds)
def test_a_state_rebuilt_from_a_view_and_the_true_cards_goes_on_alike(
    variant: TrixVariant, seed: int
) -> None:
    rng = Random(seed)
    for state in _decisions(TrixState(variant), rng):
        if rng.random() > 0.05 or state.to_act is None:
            continue
        true, twin = state.copy(), TrixState.behind(state.view(state.to_act), state.hands)
        while true.to_act is not None:
            assert twin.to_act == true.to_act
            assert list(twin.legal_actions()) == list(true.legal_actions())
            action: Any = true.legal_actions().sample(rng)
            true.apply(action)
            twin.apply(action)
        assert (twin.scores, twin.summary()) == (true.scores, true.summary())
        assert (twin.ended_by, twin.ended_void, twin.deal_key) == (
            true.ended_by,
            true.ended_void,
            true.deal_key,
        )


@few
@given(variants, seeds)
def test_cards_that_a_seat_cannot_see_change_nothing_in_its_view(variant: TrixVariant, seed: int) -> None:
    """Two unseen cards of other hands change places from the deal on, and the same actions are made."""
    rng = Random(seed)
    state = TrixState(variant)
    while not state.is_over:
        before, deal = state.copy(), _deal(rng)
        actions: list[Any] = []
        state.deal(deal)
        while state.to_act is not None:
            if rng.random() < 0.1:
                seat = rng.randrange(4)
                other = _with_two_cards_swapped(before, deal, state, seat, actions, rng)
                if other is not None:
                    assert other.view(seat) == state.view(seat)
            action = state.legal_actions().sample(rng)
            actions.append(action)
            state.apply(action)


def _with_two_cards_swapped(
    before: TrixState, deal: Deal, state: TrixState, seat: int, actions: list[Any], rng: Random
) -> TrixState | None:
    """The other game, or None where the actions would not have been legal or it is at another step."""
    unseen = state.view(seat).unseen
    if len(unseen) < 2:
        return None
    swapped = set(rng.sample(list(unseen), 2))

    def moved(hand: CardSet) -> CardSet:
        mine: set[Card] = swapped & set(hand)
        return hand - CardSet.of(mine) | CardSet.of(swapped - mine) if len(mine) == 1 else hand

    other = before.copy()
    other.deal(Deal(tuple(moved(hand) for hand in deal.hands)))
    try:
        for action in actions:
            other.apply(action)
    except IllegalAction:
        return None
    both_ask_others = seat not in (other.to_act, state.to_act) and {other.step, state.step} <= set(SECRET)
    same_turn = (other.step, other.to_act) == (state.step, state.to_act)
    return other if both_ask_others or same_turn else None


@few
@given(seeds)
def test_unseen_deals_are_all_deals_of_39_cards_to_a_king_that_leads(seed: int) -> None:
    state = TrixState(TrixVariant())
    state.deal(Deal.shuffled((13,) * 4, Random(seed)))
    state.apply(Contract.SLAPS)
    assert unseen_deals(state.view(state.king)).count == comb(39, 13) * comb(26, 13)
