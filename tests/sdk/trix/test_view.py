"""What a seat sees, and what it can conclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardtable.cards import ALL_CARDS, EMPTY, Card, CardSet, Rank, Suit
from cardtable.engine import Clock, Deal
from cardtable.trix import PASS, Contract, Double, Redeal, Step, Trick, TrixState, TrixVariant

if TYPE_CHECKING:
    from collections.abc import Callable

    Table = Callable[..., TrixState]

SPADES, HEARTS, DIAMONDS, CLUBS = (" ".join(rank + suit for rank in "AKQJT98765432") for suit in "SHDC")


def _cards(text: str) -> CardSet:
    return CardSet.parse(text)


def test_a_view_shows_the_hand_of_its_seat_and_the_turn(table: Table) -> None:
    state = table("7H AS", "KS", actions="contract:slaps")
    own, other = state.view(0), state.view(1)
    assert (own.hand, own.legal, own.to_act, own.step) == (state.hands[0], state.hands[0], 0, Step.PLAY)
    assert (other.hand, other.legal, other.to_act, other.step) == (state.hands[1], EMPTY, 0, Step.PLAY)
    assert list(other.legal_actions) == []


def test_t3_only_the_king_may_name_a_contract(table: Table) -> None:
    state = table()
    assert list(state.view(0).legal_actions) == list(Contract)
    assert len(state.view(1).legal_actions) == 0


@pytest.mark.parametrize("actions", ["contract:king", "contract:king keep"])
def test_t4_t6_nobody_else_sees_who_is_asked(table: Table, actions: str) -> None:
    state = table("7H", "KH " + DIAMONDS[:-3], "2H", actions=actions)
    assert state.to_act == 1
    for seat in (0, 2, 3):
        view = state.view(seat)
        assert (view.to_act, view.step, view.legal) == (None, None, EMPTY)


def test_t4_t6_a_view_is_the_same_whoever_else_is_asked(fill: Callable[..., Deal]) -> None:
    king, last = "7H 3S 4S 5S 6S 7S 8S 9S TS JS 2C 3C 4C", "AS KS AH 8H 9H TH JH 2D 3D 4D 5D 6D 7D"
    high = "KH QS QD QC 8D 9D TD JD KD AD 5C 6C 7C"
    low = "QH 2S 2H 3H 4H 5H 6H 8C 9C TC JC KC AC"
    for contract in (Contract.KING, Contract.QUEENS):
        views = []
        for middle in ((high, low), (low, high)):
            state = TrixState(TrixVariant())
            state.deal(fill(king, *middle, last))
            state.apply(contract)
            while state.to_act in (1, 2):
                views.append((state.view(0), state.view(3)))
                state.apply(Redeal.KEEP if state.step is Step.REDEAL else Double())
        assert len(views) == 4
        assert len(set(views)) == 1


def test_a_clock_is_no_part_of_equality(table: Table) -> None:
    view = table().view(0)
    clocked = view.with_clock(Clock(100, 2000))
    assert clocked.clock.move_ms == 100
    assert clocked == view
    assert hash(clocked) == hash(view)


def test_t5_tricks_have_a_leader_and_a_winner(table: Table) -> None:
    state = table("7H 2S KC", "3S", "AS", "4S", actions="contract:slaps 2S 3S AS 4S")
    lead = min(state.view(2).legal)
    state.apply(lead)
    view = state.view(0)
    assert view.tricks == (Trick(0, tuple(map(Card, ("2S", "3S", "AS", "4S")))),)
    assert view.tricks[0].winner == 2
    assert view.tricks[0].seats == (0, 1, 2, 3)
    assert view.trick == Trick(2, (lead,))
    assert (view.led_suit, view.trick_winner) == (lead.suit, 2)
    assert view.hand_sizes == (12, 12, 11, 12)
    assert view.taken == (EMPTY, EMPTY, _cards("2S 3S AS 4S"), EMPTY)


def test_before_a_lead_no_trick_lies_open(table: Table) -> None:
    view = table(actions="contract:slaps").view(0)
    assert (view.trick, view.led_suit, view.trick_winner, view.tricks) == (None, None, None, ())
    assert view.points_at_stake == 0


def test_t5_who_does_not_follow_is_void(table: Table) -> None:
    state = table("7H 2S", "AS", "4D " + CLUBS[:-3], actions="contract:slaps 2S AS 4D")
    view = state.view(3)
    assert view.void_suits(2) == (Suit.SPADES,)
    assert view.void_suits(1) == ()
    assert view.missing(2) == view.unseen.of_suit(Suit.SPADES)
    assert view.missing(1) == EMPTY
    assert view.missing(3) == view.unseen


def test_t5_a_diamond_led_first_tells_that_there_was_nothing_else(table: Table) -> None:
    state = table(HEARTS, SPADES, DIAMONDS, CLUBS, actions="contract:slaps", diamond_lead="not_first")
    while state.to_act is not None:
        state.apply(next(iter(state.legal_actions())))
    state.deal(Deal(tuple(map(_cards, (DIAMONDS, SPADES, HEARTS, CLUBS)))))
    state.apply(Contract.DIAMONDS)
    state.apply(Card("2D"))
    assert state.view(1).void_suits(0) == (Suit.SPADES, Suit.HEARTS, Suit.CLUBS)


def test_unseen_cards_are_those_that_lie_nobody_knows_where(table: Table) -> None:
    state = table("7H 2S", "AS KH", actions="contract:king double:KH 2S AS", redeals=False)
    view = state.view(2)
    assert view.known(0) == _cards("7H")
    assert view.known(1) == _cards("KH")
    assert view.known(2) == view.hand
    assert view.unseen == ALL_CARDS - view.hand - _cards("2S AS KH 7H")
    assert view.played_cards == _cards("2S AS")


def test_t2_1_the_seven_of_hearts_is_known_in_the_first_deal_alone(table: Table) -> None:
    state = table("7H", actions="contract:slaps")
    assert state.view(3).known(0) == _cards("7H")
    while state.to_act is not None:
        state.apply(next(iter(state.legal_actions())))
    state.deal(Deal(tuple(map(_cards, (HEARTS, SPADES, DIAMONDS, CLUBS)))))
    assert state.view(3).known(0) == EMPTY


@pytest.mark.parametrize(
    ("contract", "trick", "options", "points"),
    [
        ("contract:king double:none", "2H 3H KH", {}, -75),
        ("contract:king double:KH", "2H 3H KH", {}, -150),
        ("contract:queens double:none", "2H 3H KH", {}, 0),
        ("contract:queens double:QH", "2H 3H QH", {}, -50),
        ("contract:diamonds", "2D 3D 5D", {}, -30),
        ("contract:slaps", "2D 3D", {}, -15),
    ],
)
def test_t7_t8_points_at_stake_are_those_of_the_open_trick(
    table: Table, contract: str, trick: str, options: dict[str, object], points: int
) -> None:
    state = table(
        "7H 2H 2D",
        "3H 3D",
        "KH QH QS QD QC 5D",
        "AH",
        redeals=False,
        actions=f"{contract} {trick}",
        **options,
    )
    assert state.view(3).points_at_stake == points


@pytest.mark.parametrize(("own", "points"), [("single", -75), ("double", -150)])
def test_t7_3_the_holder_s_own_doubled_card_is_at_stake_too(table: Table, own: str, points: int) -> None:
    state = table("7H KH 2H", "AH", redeals=False, own_double=own, actions="contract:king double:KH KH")
    assert state.view(0).points_at_stake == points


def test_t8_5_taken_queens_lie_face_up(table: Table) -> None:
    state = table(
        "7H 2S", "QS", "AS", "QC " + HEARTS[:2], actions="contract:queens double:none double:none double:none"
    )
    assert state.view(0).face_up == (EMPTY,) * 4
    for text in ("2S", "QS", "AS"):
        state.apply(Card(text))
    state.apply(min(state.view(3).legal))
    assert state.view(0).face_up[2] == _cards("QS")


@pytest.mark.parametrize(("shown", "cards"), [(True, "2D 3D 5D 9D"), (False, "")])
def test_t8_5_taken_diamonds_lie_face_up_with_the_option(table: Table, shown: bool, cards: str) -> None:
    state = table("7H 2D", "3D", "9D", "5D", diamonds_face_up=shown, actions="contract:diamonds 2D 3D 9D 5D")
    assert state.view(0).face_up == (EMPTY, EMPTY, _cards(cards), EMPTY)


def test_t9_1_the_layout_lies_open(table: Table) -> None:
    view = table(HEARTS, SPADES, DIAMONDS, CLUBS, actions="contract:trix JH JS JD JC QH TS").view(2)
    assert view.table == view.played_cards == _cards("JH JS JD JC QH TS")
    assert view.span(Suit.HEARTS) == (Rank.JACK, Rank.QUEEN)
    assert view.span(Suit.SPADES) == (Rank.TEN, Rank.JACK)
    assert (view.trick, view.tricks, view.out) == (None, (), ())


def test_t9_1_a_suit_without_its_jack_has_no_span(table: Table) -> None:
    assert table("7H JS", actions="contract:trix").view(0).span(Suit.SPADES) is None


def test_t9_2_a_pass_tells_which_cards_are_missing(table: Table) -> None:
    low = "2H 3H 4H 5H 6H 8H 9H TH 2C 3C 4C 5C 6C"
    view = table("7H JS JH JD", low, redeals=False, actions="contract:trix JS pass").view(0)
    assert view.missing(1) == _cards("QS TS JC") & view.unseen
    assert _cards("QS") <= view.missing(1)
    assert view.missing(2) == EMPTY


def test_t9_2_a_seat_without_a_card_may_only_pass(table: Table) -> None:
    state = table("7H JS JH JD JC QS TS", actions="contract:trix JS", redeals=False)
    view = state.view(1)
    assert view.legal == EMPTY
    assert list(view.legal_actions) == [PASS]


def test_t9_3_seats_go_out_in_order(table: Table) -> None:
    state = table(HEARTS, SPADES, DIAMONDS, CLUBS, redeals=False, actions="contract:trix")
    while len(state.view(0).out) < 2:
        state.apply(next(iter(state.legal_actions())))
    assert state.view(3).out == (0, 1)
    assert state.view(3).hand_sizes[:2] == (0, 0)


def test_t1_only_partners_have_a_partner(table: Table) -> None:
    assert [table(partners=True).view(seat).partner for seat in range(4)] == [2, 3, 0, 1]
    assert table().view(0).partner is None


def test_contracts_left_are_neither_completed_nor_played_now(table: Table) -> None:
    assert Contract.SLAPS in table().view(1).contracts_left
    assert Contract.SLAPS not in table(actions="contract:slaps").view(1).contracts_left


def test_between_two_deals_nothing_lies_open(table: Table) -> None:
    state = table("7H", "2S 2H 2D 2C", actions="contract:trix redeal")
    view = state.view(2)
    assert (view.hand, view.unseen, view.hand_sizes, view.to_act) == (EMPTY, EMPTY, (0, 0, 0, 0), None)
