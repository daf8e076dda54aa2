"""What holds in every game of every variant, at every decision."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from cardtable.cards import ALL_CARDS, CARDS, SUIT_MASKS, CardSet
from cardtable.engine import Clock, Deal, IllegalAction
from cardtable.v1 import vytrix_pb2
from cardtable.vytrix import (
    PASS,
    Action,
    Bid,
    Direction,
    Discard,
    Kitty,
    KittyFate,
    LegalBids,
    Name,
    Step,
    Strain,
    VytrixState,
    VytrixVariant,
    VytrixView,
    simulate,
    trick_rate,
)
from cardtable.vytrix.codec import (
    decode_action,
    decode_summary,
    decode_variant,
    decode_view,
    encode_action,
    encode_summary,
    encode_variant,
    encode_view,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardtable.engine import ActionSet


@st.composite
def variants(draw: st.DrawFn) -> VytrixVariant:
    """Any variant whose games are short."""
    players = draw(st.sampled_from([3, 4]))
    options = {
        "players": players,
        "max_bid": draw(st.sampled_from([0, 1, 10, 100])),
        "target": draw(st.sampled_from([0, 20, 50])),
        "max_hands": draw(st.sampled_from([1, 2])),
        "breaking_trump": draw(st.booleans()),
        "last_trick": draw(st.sampled_from(["off", "replace", "bonus"])),
        "defensive_partnerships": players == 3 and draw(st.booleans()),
        "partial_bidding": players == 4 and draw(st.booleans()),
    }
    return VytrixVariant.from_options(options)


seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)


def sensible(legal: ActionSet[Action], rng: Random) -> Action:
    """A random action; in the auction mostly a pass or a bid a little higher, so that bids stay apart."""
    if not isinstance(legal, LegalBids):
        return legal.sample(rng)
    if legal.may_pass and (not legal.lowest or rng.random() < 0.7):
        return PASS
    call = legal.sample(rng)
    while not isinstance(call, Bid):
        call = legal.sample(rng)
    points = legal.lowest + rng.randrange(4)
    bid = Bid(points, call.strain, call.direction)
    return bid if bid in legal else call


def decisions(variant: VytrixVariant, seed: int) -> Iterator[tuple[VytrixState, Deal, Action]]:
    """Every decision of a random game: the state, the deal, and what will be done."""
    rng = Random(seed)
    state = VytrixState(variant)
    deal = Deal(())
    while not state.is_over:
        if state.needs_deal:
            deal = Deal.shuffled(variant.hand_sizes, rng)
            state.deal(deal)
        action = sensible(state.legal_actions(), rng)
        yield state, deal, action
        state.apply(action)


def acting(state: VytrixState) -> VytrixView:
    """The view of the seat that acts."""
    assert state.to_act is not None
    return state.view(state.to_act)


def everything(state: VytrixState) -> list[object]:
    """All that a state holds."""
    return [getattr(state, name) for name in VytrixState.__slots__]


@few
@given(variants(), seeds)
def test_every_card_is_somewhere_and_only_once(variant: VytrixVariant, seed: int) -> None:
    for state, deal, _ in decisions(variant, seed):
        views = [state.view(seat) for seat in range(variant.players)]
        places = [view.hand for view in views]
        places.append(CardSet.of(views[0].played))
        if views[0].kitty is not KittyFate.TAKEN:
            places.append(deal.kitty)
        places.extend(view.discarded for view in views)
        assert sum(map(len, places)) == 52
        union = CardSet()
        for place in places:
            union |= place
        assert union == ALL_CARDS
        assert views[0].hand_sizes == tuple(len(view.hand) for view in views)


@few
@given(variants(), seeds)
def test_v13_a_hand_changes_the_scores_by_its_total(variant: VytrixVariant, seed: int) -> None:
    last = VytrixState(variant)
    for state, _, _ in decisions(variant, seed):
        last = state
    summary = last.summary()
    assert summary.scores == last.scores
    before = sum(summary.scores) - sum(summary.points)
    assert summary.contract.strain is not None
    rate = trick_rate(summary.contract.strain)
    by_declarer = summary.tricks[summary.declarer]
    if variant.players == 4:
        by_declarer += summary.tricks[(summary.declarer + 2) % 4]
    defended = sum(summary.tricks) - by_declarer
    left = summary.kitty is KittyFate.LEFT
    total = rate * (by_declarer + left) - summary.contract.points
    total += defended * (2 if variant.defensive_partnerships else 1)
    last_seat = last.view(0).tricks[-1].winner
    ordinary = rate if last.view(last_seat).is_declarer_side else 1
    total += {"off": 0, "replace": 5 - ordinary, "bonus": 5}[variant.last_trick]
    assert sum(last.scores) == before + total


@few
@given(variants(), seeds)
def test_hidden_cards_have_no_influence_on_a_view(variant: VytrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state, deal, _ in decisions(variant, seed):
        for seat in range(variant.players):
            view = state.view(seat)
            other = state.copy()
            hidden = list(view.unseen)
            rng.shuffle(hidden)
            sizes = view.hand_sizes
            hands = [
                view.hand.mask if place == seat else sum(hidden.pop().bit for _ in range(sizes[place]))
                for place in range(variant.players)
            ]
            kitty, discarded = sum(card.bit for card in hidden), 0
            if view.kitty is KittyFate.TAKEN and view.declarer == seat:
                kitty, discarded = deal.kitty.mask, view.discarded.mask
            elif view.kitty is KittyFate.TAKEN and view.step is not Step.DISCARD:
                discarded = kitty
            other.hold(hands, kitty, discarded)
            assert other.view(seat) == view


@few
@given(variants(), seeds)
def test_a_simulated_state_gives_the_same_view_and_plays_on(variant: VytrixVariant, seed: int) -> None:
    rng = Random(seed)
    for number, (state, _, _) in enumerate(decisions(variant, seed)):
        for seat in range(variant.players):
            view = state.view(seat)
            world = simulate(view, rng)
            assert world.view(seat) == view
            assert world.deal_key == state.deal_key
            cards = [world.view(place).hand for place in range(variant.players)]
            for place, hand in enumerate(cards):
                assert not any(hand.mask & SUIT_MASKS[suit] for suit in view.voids(place))
            if number % 7 == seat:
                while world.to_act is not None:
                    world.apply(sensible(world.legal_actions(), rng))
                assert len(world.summary().played) == sum(variant.hand_sizes)


@few
@given(variants(), seeds)
def test_voids_are_true(variant: VytrixVariant, seed: int) -> None:
    for state, _, _ in decisions(variant, seed):
        masks = state.view(0).void_masks
        for seat in range(variant.players):
            assert not masks[seat] & state.view(seat).hand.mask


@few
@given(variants(), seeds)
def test_legal_sets_hold_what_they_list_and_only_that(variant: VytrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state, _, action in decisions(variant, seed):
        legal = state.legal_actions()
        view = acting(state)
        assert action in legal
        assert legal.sample(rng) in legal
        assert view.legal_actions.texts() == legal.texts()
        assert len(view.legal_actions) == len(legal)
        if len(legal) <= 1000:
            listed = list(legal)
            assert len(listed) == len(legal)
            assert all(one in legal for one in listed)
        for seat in range(variant.players):
            if seat != state.to_act:
                assert len(state.view(seat).legal_actions) == 0


@few
@given(variants(), seeds)
def test_an_action_is_applied_if_and_only_if_it_is_in_the_legal_set(
    variant: VytrixVariant, seed: int
) -> None:
    rng = Random(seed)
    for state, _, _ in decisions(variant, seed):
        legal = state.legal_actions()
        strains, directions = (None, *Strain), (None, *Direction)
        trials: list[Action] = [
            rng.choice(CARDS),
            PASS,
            rng.choice(list(Kitty)),
            Name(rng.choice([*Strain, *Direction])),
            Discard.of(rng.sample(list(acting(state).hand), min(4, len(acting(state).hand)))),
            Discard.of(rng.sample(CARDS, rng.choice([3, 4, 5]))),
            Bid(rng.randrange(12), rng.choice(strains), rng.choice(directions)),
            Bid(rng.randrange(90, 103), rng.choice(strains), rng.choice(directions)),
        ]
        for action in trials:
            if action in legal:
                state.copy().apply(action)
            else:
                with pytest.raises(IllegalAction, match=re.escape(str(action))) as illegal:
                    state.copy().apply(action)
                assert illegal.value.rule.startswith("V")


@few
@given(variants(), seeds)
def test_an_illegal_card_changes_nothing(variant: VytrixVariant, seed: int) -> None:
    rng = Random(seed)
    for state, _, _ in decisions(variant, seed):
        card = rng.choice(CARDS)
        if card in state.legal_actions():
            continue
        before = everything(state.copy())
        with pytest.raises(IllegalAction):
            state.apply(card)
        assert everything(state) == before


@few
@given(variants(), seeds)
def test_a_copy_goes_its_own_way(variant: VytrixVariant, seed: int) -> None:
    for state, _, action in decisions(variant, seed):
        before = everything(state.copy())
        other = state.copy()
        assert everything(other) == before
        other.apply(action)
        assert everything(state) == before


@few
@given(variants(), seeds)
def test_a_view_works_out_the_tricks_that_the_state_counts(variant: VytrixVariant, seed: int) -> None:
    for state, _, _ in decisions(variant, seed):
        view = acting(state)
        if view.step is Step.PLAY:
            assert view.tricks_won == tuple(state._tricks)
            if view.trick:
                assert view.trick_winner == state._winner
            elif view.tricks:
                assert view.tricks[-1].winner == state.to_act


@few
@given(variants(), seeds)
def test_everything_crosses_the_wire_unchanged(variant: VytrixVariant, seed: int) -> None:
    options = vytrix_pb2.VytrixVariant()
    encode_variant(variant, options)
    assert decode_variant(vytrix_pb2.VytrixVariant.FromString(options.SerializeToString())) == variant
    last = VytrixState(variant)
    for state, _, action in decisions(variant, seed):
        view = acting(state)
        question = vytrix_pb2.VytrixView()
        encode_view(view, question)
        received = vytrix_pb2.VytrixView.FromString(question.SerializeToString())
        assert decode_view(received, variant, view.seat) == view
        answer = vytrix_pb2.VytrixAction()
        encode_action(action, answer)
        assert decode_action(vytrix_pb2.VytrixAction.FromString(answer.SerializeToString())) == action
        last = state
    ended = vytrix_pb2.VytrixDealEnded()
    encode_summary(last.summary(), ended)
    assert decode_summary(vytrix_pb2.VytrixDealEnded.FromString(ended.SerializeToString())) == last.summary()


def test_a_clock_is_no_part_of_equality() -> None:
    view = VytrixState(VytrixVariant()).view(0)
    assert view.with_clock(Clock(move_ms=5)) == view
    assert view.with_clock(Clock(move_ms=5)).clock.move_ms == 5
