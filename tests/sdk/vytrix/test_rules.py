"""The rules by their numbers, where tests/vectors has no case for them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardtable.cards import Card, CardSet, Suit
from cardtable.engine import Deal, IllegalAction, MalformedAction, UnsoundDeal
from cardtable.vytrix import (
    PASS,
    Bid,
    Direction,
    Discard,
    Kitty,
    KittyFate,
    Name,
    Step,
    Strain,
    VytrixState,
    VytrixVariant,
    VytrixView,
    Worlds,
    earnings,
    house_action,
    parse_action,
    trick_value,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

THREE = Deal(
    (
        CardSet.parse("AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S 2C 3C 4C"),
        CardSet.parse("AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H 5C 6C 7C"),
        CardSet.parse("AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D 8C 9C TC"),
    ),
    CardSet.parse("AC KC QC JC"),
)
FOUR = Deal(tuple(CardSet(0x1FFF << 13 * suit) for suit in range(4)))


def started(actions: str = "", deal: Deal | None = None, **options: object) -> VytrixState:
    """A game with these options and cards, and these actions made."""
    variant = VytrixVariant.from_options(options)
    state = VytrixState(variant)
    state.deal(deal or (THREE if variant.players == 3 else FOUR))
    for text in actions.split():
        state.apply(parse_action(text))
    return state


def broken_rule(state: VytrixState, text: str) -> str:
    """The rule that this action breaks; the state must not have changed."""
    before = [state.view(seat) for seat in range(state.variant.players)]
    with pytest.raises(IllegalAction) as illegal:
        state.apply(parse_action(text))
    assert [state.view(seat) for seat in range(state.variant.players)] == before
    return illegal.value.rule


def play_out(state: VytrixState, seed: int = 0) -> None:
    """Play cards at random to the end of the hand."""
    rng = Random(seed)
    while state.to_act is not None:
        state.apply(state.legal_actions().sample(rng))


def test_v1_the_deal_passes_on_and_the_next_seat_opens() -> None:
    state = started(max_hands=4, target=0)
    openers = []
    while True:
        assert state.to_act is not None
        assert state.view(0).dealer == (state.to_act - 1) % 3
        openers.append(state.to_act)
        for text in ("bid:1S-low", "pass", "pass", "kitty:leave"):
            state.apply(parse_action(text))
        play_out(state)
        if state.is_over:
            break
        assert state.needs_deal
        state.deal(THREE)
    assert openers == [0, 1, 2, 0]


def test_v1_what_is_no_deal_is_refused() -> None:
    for deal in (FOUR, Deal(THREE.hands), Deal(THREE.hands[::-1], THREE.hands[0])):
        state = VytrixState(VytrixVariant())
        with pytest.raises(UnsoundDeal) as unsound:
            state.deal(deal)
        assert unsound.value.rule == "V1"
        assert state.needs_deal
        assert state.to_act is None


def test_v1_cards_are_dealt_only_when_they_are_needed() -> None:
    with pytest.raises(ValueError, match="not complete"):
        started().deal(THREE)
    over = started("bid:1S-low pass pass kitty:leave", max_hands=1)
    play_out(over)
    with pytest.raises(ValueError, match="over"):
        over.deal(THREE)


def test_v1_nothing_is_legal_before_the_first_deal() -> None:
    state = VytrixState(VytrixVariant())
    assert len(state.legal_actions()) == 0
    assert state.view(0).legal_actions.texts() == []
    assert broken_rule(state, "AS") == "V1"
    assert broken_rule(state, "bid:1S-low") == "V1"


def test_v2_a_bid_outside_the_form_of_the_base_game_is_illegal() -> None:
    for text in ("bid:4", "bid:4S", "bid:4-low"):
        assert broken_rule(started(), text) == "V2"


def test_v2_what_is_no_action_at_all_is_malformed() -> None:
    state = started()
    with pytest.raises(MalformedAction):
        state.apply("bid:1S-low")  # type: ignore[arg-type] # what an untyped bot may do


def test_v2_a_card_in_the_auction_breaks_the_rule_of_the_auction() -> None:
    assert broken_rule(started(), "AS") == "V2"


@pytest.mark.parametrize(
    ("actions", "text", "rule"),
    [
        ("", "kitty:take", "V5"),
        ("", "discard:2C,3C,4C,2S", "V5"),
        ("", "name:S", "V12"),
        ("bid:1S-low pass pass", "discard:2C,3C,4C,2S", "V5"),
        ("bid:1S-low pass pass", "pass", "V2"),
        ("bid:1S-low pass pass kitty:take", "AS", "V5"),
        ("bid:1S-low pass pass kitty:take", "name:low", "V12"),
        ("bid:1S-low pass pass kitty:leave", "AS", "V6"),
        ("bid:1S-low pass pass kitty:leave", "pass", "V2"),
        ("bid:1S-low pass pass kitty:leave AH", "AC", "V6"),
    ],
)
def test_an_action_of_another_step_breaks_the_rule_of_its_own_step(
    actions: str, text: str, rule: str
) -> None:
    assert broken_rule(started(actions), text) == rule


def test_v2_3_declarer_is_the_last_bidder_after_it_had_passed() -> None:
    state = started("bid:1S-low bid:2S-low pass bid:3S-low pass bid:9NT-high pass pass")
    assert state.view(0).declarer == 2
    assert state.scores == (0, 0, -9)
    assert state.view(1).last_bid == Bid(9, Strain.NO_TRUMP, Direction.HIGH)
    assert state.view(1).last_bidder == 2


def test_v2_4_without_a_limit_no_bid_is_too_high() -> None:
    state = started("bid:1000000S-low bid:1000000000000NT-high", max_bid=0)
    assert state.legal_actions().texts() == ["bid:1000000000001+", "pass"]
    assert state.view(2).highest_bid == 0


def test_v3_a_side_pays_once_for_its_partners_bid() -> None:
    assert started("bid:4S-low pass bid:9S-low pass pass pass", players=4).scores == (-9, 0)
    assert started("bid:4S-low bid:9S-low pass pass pass", players=4).scores == (0, -9)


def test_v5_only_declarer_that_took_it_ever_sees_the_kitty() -> None:
    state = started("bid:1S-low pass pass kitty:take")
    assert state.view(0).kitty_cards == THREE.kitty
    assert len(state.view(0).hand) == 20
    state.apply(parse_action("discard:AC,KC,2C,3C"))
    assert state.view(0).discarded == CardSet.parse("AC KC 2C 3C")
    assert state.view(0).kitty_cards == THREE.kitty
    for seat in (1, 2):
        assert not state.view(seat).kitty_cards
        assert not state.view(seat).discarded
        assert state.view(seat).kitty is KittyFate.TAKEN
    left = started("bid:1S-low pass pass kitty:leave")
    assert not any(left.view(seat).kitty_cards for seat in range(3))


def test_v5_the_kitty_stays_hidden_when_the_hand_has_ended() -> None:
    state = started("bid:1S-low pass pass kitty:take discard:AC,KC,2C,3C")
    play_out(state)
    summary = state.summary()
    assert len(summary.played) == 48
    assert not CardSet.of(summary.played) & CardSet.parse("AC KC 2C 3C")
    assert not state.view(1).kitty_cards
    assert state.view(1).unseen == CardSet.parse("AC KC 2C 3C")


def test_v6_anything_after_the_end_of_a_hand_breaks_the_rule_that_ended_it() -> None:
    state = started("bid:1S-low pass pass kitty:leave")
    play_out(state)
    assert state.ended_by == "V6"
    assert not state.ended_void
    for text in ("AS", "pass", "kitty:take", "name:S"):
        assert broken_rule(state, text) == "V6"


@pytest.mark.parametrize(
    ("strain", "tricks", "kitty_left", "points"),
    [
        (Strain.HEARTS, (9, 4, 3), False, (27, 4, 3)),
        (Strain.HEARTS, (9, 4, 3), True, (30, 4, 3)),
        (Strain.NO_TRUMP, (9, 4, 3), False, (36, 4, 3)),
        (Strain.NO_TRUMP, (16, 0, 0), True, (68, 0, 0)),
    ],
)
def test_v7_three_players(
    strain: Strain, tricks: Sequence[int], kitty_left: bool, points: tuple[int, ...]
) -> None:
    assert earnings(VytrixVariant(), strain, 0, tricks, 0, kitty_left) == points


def test_v7_four_players_score_by_sides() -> None:
    variant = VytrixVariant(players=4)
    assert earnings(variant, Strain.CLUBS, 2, (4, 1, 5, 3), 0, kitty_left=False) == (27, 4)
    assert earnings(variant, Strain.NO_TRUMP, 3, (4, 1, 5, 3), 0, kitty_left=False) == (9, 16)


def test_v8_without_a_target_only_the_number_of_hands_ends_the_game() -> None:
    state = started("bid:1S-high pass pass kitty:leave", target=0, max_hands=2)
    play_out(state)
    assert not state.is_over
    assert state.deal_key == "1"
    state.deal(THREE)
    for text in ("bid:1H-high", "pass", "pass", "kitty:leave"):
        state.apply(parse_action(text))
    play_out(state)
    assert state.is_over
    assert not state.needs_deal
    assert state.to_act is None


def test_v8_a_target_counts_at_the_end_of_a_hand_only_and_for_a_side() -> None:
    state = started("bid:1S-high pass pass pass", players=4, target=38)
    assert state.group_scores == (-1, 0)
    play_out(state)
    assert state.scores == (38, 0)
    assert state.is_over


def test_v9_who_leads_an_unbroken_trump_is_known_to_hold_nothing_else() -> None:
    state = started("bid:5H-high pass pass pass TH", players=4, breaking_trump=True)
    view = state.view(3)
    assert view.voids(1) == {Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS}
    assert view.trump_broken
    assert not started("bid:5H-high pass pass pass", players=4, breaking_trump=True).view(3).trump_broken


def test_v9_has_no_effect_in_no_trump() -> None:
    state = started("bid:5NT-high pass pass kitty:leave", breaking_trump=True)
    assert state.legal_actions() == THREE.hands[1]


@pytest.mark.parametrize(
    ("last_trick", "by_declarer", "strain", "value"),
    [
        ("off", True, Strain.CLUBS, 3),
        ("replace", True, Strain.CLUBS, 5),
        ("replace", True, Strain.NO_TRUMP, 5),
        ("replace", False, Strain.NO_TRUMP, 5),
        ("bonus", True, Strain.CLUBS, 8),
        ("bonus", True, Strain.NO_TRUMP, 9),
        ("bonus", False, Strain.CLUBS, 6),
    ],
)
def test_v10_the_last_trick(last_trick: str, by_declarer: bool, strain: Strain, value: int) -> None:
    variant = VytrixVariant.from_options({"last_trick": last_trick})
    assert trick_value(variant, strain, by_declarer, last=True) == value
    assert trick_value(variant, strain, by_declarer, last=False) in {1, 3, 4}


def test_v10_the_kitty_is_never_the_last_trick() -> None:
    variant = VytrixVariant(last_trick="bonus")
    assert earnings(variant, Strain.CLUBS, 0, (0, 8, 8), 1, kitty_left=True) == (3, 13, 8)


@pytest.mark.parametrize(
    ("last_trick", "last_winner", "points"),
    [
        ("off", 1, (27, 7, 7)),
        ("replace", 1, (27, 11, 7)),
        ("bonus", 2, (27, 7, 12)),
        ("replace", 0, (29, 7, 7)),
        ("bonus", 0, (32, 7, 7)),
    ],
)
def test_v11_defenders_share_their_tricks_and_not_the_last_tricks_bonus(
    last_trick: str, last_winner: int, points: tuple[int, ...]
) -> None:
    variant = VytrixVariant.from_options({"defensive_partnerships": True, "last_trick": last_trick})
    assert earnings(variant, Strain.SPADES, 0, (9, 4, 3), last_winner, kitty_left=False) == points


def test_v12_only_the_missing_part_may_be_named() -> None:
    direction_bid = started("bid:6-high pass pass pass", players=4, partial_bidding=True)
    assert direction_bid.to_act == 2
    assert broken_rule(direction_bid, "name:low") == "V12"
    strain_bid = started("bid:6NT pass pass pass", players=4, partial_bidding=True)
    assert broken_rule(strain_bid, "name:S") == "V12"
    strain_bid.apply(Name(Direction.LOW))
    assert strain_bid.view(1).contract == Bid(6, Strain.NO_TRUMP, Direction.LOW)
    assert strain_bid.to_act == 1


def test_v12_only_partial_bidding_has_a_step_for_names() -> None:
    assert broken_rule(started("bid:6S-low pass pass pass", players=4), "name:S") == "V12"


def test_v12_before_the_name_no_card_is_better_than_another() -> None:
    view = started("bid:6-high pass pass pass", players=4, partial_bidding=True).view(2)
    assert view.trump is None
    assert view.trick_value(2) == 0
    with pytest.raises(ValueError, match="not known"):
        view.beats(Card("AS"), Card("2S"))


def test_a_view_knows_the_trick_on_the_table() -> None:
    view = started("bid:5C-low pass pass kitty:leave AH 2D", last_trick="replace").view(0)
    assert [(play.seat, play.card.text) for play in view.trick] == [(1, "AH"), (2, "2D")]
    assert view.led_suit is Suit.HEARTS
    assert view.trick_winner == 1
    assert view.points_at_stake == 1
    assert view.trick_value(0) == 3
    assert view.trump is Suit.CLUBS
    assert view.beats(Card("4C"), Card("AH"))
    assert view.beats(Card("2H"), Card("KH"))
    assert not view.beats(Card("2S"), Card("KH"))
    assert view.voids(2) == {Suit.HEARTS}
    assert view.hand_sizes == (16, 15, 15)
    assert view.is_declarer_side
    assert view.partner is None


def test_a_view_knows_the_finished_tricks() -> None:
    view = started("bid:5C-low pass pass kitty:leave AH 2D 4C").view(0)
    assert [trick.winner for trick in view.tricks] == [0]
    assert view.tricks_won == (1, 0, 0)
    assert view.trick == ()
    assert view.led_suit is None
    assert view.trick_winner is None
    assert view.points_at_stake == 0
    assert view.played_cards == CardSet.parse("AH 2D 4C")
    assert len(view.unseen) == 52 - 15 - 3


def test_v10_a_view_knows_what_the_last_trick_is_worth() -> None:
    state = started("bid:1S-high pass pass pass", players=4, last_trick="replace")
    rng = Random(1)
    while len(state.view(0).tricks) < 12:
        assert state.view(0).trick_value(1) == 1
        state.apply(state.legal_actions().sample(rng))
    assert state.view(0).trick_value(0) == state.view(0).trick_value(1) == 5
    assert state.view(0).partner == 2
    assert state.view(2).is_declarer_side
    assert not state.view(1).is_declarer_side


def test_a_hand_that_ended_is_summed_up() -> None:
    state = started("bid:20S-high pass pass kitty:leave")
    with pytest.raises(ValueError, match="no hand"):
        state.summary()
    play_out(state)
    summary = state.summary()
    assert summary.declarer == 0
    assert summary.contract == Bid(20, Strain.SPADES, Direction.HIGH)
    assert summary.calls == (summary.contract, PASS, PASS)
    assert sum(summary.tricks) == 16
    assert summary.points == summary.scores == state.scores
    state.deal(THREE)
    assert state.summary() == summary


def test_the_house_takes_the_first_action_in_its_order() -> None:
    def house(actions: str, **options: object) -> str:
        state = started(actions, None, **options)
        assert state.to_act is not None
        action = house_action(state.view(state.to_act))
        assert action in state.legal_actions()
        return str(action)

    assert house("") == "bid:1C-low"
    assert house("", players=4, partial_bidding=True) == "bid:1C"
    assert house("bid:1C-low") == "pass"
    assert house("bid:1C-low pass pass") == "kitty:leave"
    assert house("bid:1C-low pass pass kitty:take") == "discard:2S,2C,3S,3C"
    assert house("bid:1C-low pass pass kitty:leave") == "2H"
    assert house("bid:3-low pass pass pass", players=4, partial_bidding=True) == "name:C"
    assert house("bid:3NT pass pass pass", players=4, partial_bidding=True) == "name:low"
    with pytest.raises(ValueError, match="does not act"):
        house_action(started().view(1))


def test_there_are_no_worlds_behind_a_view_without_a_hand() -> None:
    with pytest.raises(ValueError, match="no hand"):
        Worlds(VytrixState(VytrixVariant()).view(0))


def test_declarer_knows_every_card_but_the_two_hands() -> None:
    state = started("bid:1S-low pass pass kitty:take discard:AC,KC,2C,3C")
    world = Worlds(state.view(0)).sample(Random(3))
    assert world.view(0) == state.view(0)
    assert len(world.view(1).hand) == len(world.view(2).hand) == 16


def test_before_the_kitty_is_opened_it_may_hold_any_unseen_card() -> None:
    view = started("bid:1S-low pass pass").view(0)
    rng = Random(4)
    worlds = Worlds(view)
    seen = CardSet()
    for _ in range(60):
        world = worlds.sample(rng)
        world.apply(Kitty.TAKE)
        seen |= world.view(0).kitty_cards
    assert seen == view.unseen


def test_an_empty_view_has_every_helper() -> None:
    view: VytrixView = VytrixState(VytrixVariant()).view(0)
    assert view.step is None
    assert view.hand_sizes == (0, 0, 0)
    assert view.tricks == ()
    assert view.last_bid is None
    assert view.last_bidder is None
    assert not view.on_declarer_side(0)
    assert not view.trump_broken


def test_discard_and_step_are_part_of_the_view() -> None:
    state = started("bid:1S-low pass pass kitty:take")
    assert state.view(1).step is Step.DISCARD
    assert state.view(1).hand_sizes == (20, 16, 16)
    assert Discard(CardSet.parse("2C 3C 4C AC")) in state.view(0).legal_actions
    assert len(state.view(1).legal_actions) == 0
