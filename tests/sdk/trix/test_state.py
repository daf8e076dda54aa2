"""Rules that the vectors do not show, or not from the inside."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.cards import CardSet
from cardtable.engine import Deal, IllegalAction, UnsoundDeal
from cardtable.trix import Contract, Redeal, Step, TrixState, TrixVariant, Void, parse_action, redeal_right

if TYPE_CHECKING:
    from collections.abc import Callable

    Table = Callable[..., TrixState]
    Fill = Callable[..., Deal]

SUITS = tuple(" ".join(rank + suit for rank in "AKQJT98765432") for suit in "HSDC")


def _snapshot(state: TrixState) -> dict[str, Any]:
    return {name: repr(getattr(state, name)) for name in TrixState.__slots__}


def _play_out(state: TrixState) -> None:
    while state.to_act is not None:
        state.apply(next(iter(state.legal_actions())))


def test_a_game_starts_with_the_need_of_a_deal() -> None:
    state = TrixState(TrixVariant())
    assert state.needs_deal
    assert state.to_act is None
    assert state.deal_key == "0.0.0"
    assert list(state.legal_actions()) == []
    assert state.view(2).hand == CardSet()
    with pytest.raises(ValueError, match="no deal has ended"):
        state.summary()


def test_t2_1_the_holder_of_the_seven_of_hearts_is_the_first_king(table: Table) -> None:
    state = table("", "", "7H")
    assert (state.first_king, state.king, state.to_act, state.step) == (2, 2, 2, Step.CONTRACT)


@pytest.mark.parametrize(("order", "kings"), [("right", [1, 2, 3, 0]), ("across", [1, 2, 0, 3])])
def test_t2_2_kings_follow_in_the_variant_s_order(fill: Fill, order: str, kings: list[int]) -> None:
    state = TrixState(TrixVariant.from_options({"kingdom_order": order, "redeals": False}))
    rng = Random(3)
    seen = []
    state.deal(fill("", "7H"))
    while not state.is_over:
        if state.needs_deal:
            state.deal(Deal.shuffled((13,) * 4, rng))
        if not state.completed:
            seen.append(state.king)
        _play_out(state)
    assert list(dict.fromkeys(seen)) == kings


def test_t2_3_nothing_is_legal_after_twenty_deals(fill: Fill) -> None:
    state = TrixState(TrixVariant(max_voids=0))
    while not state.is_over:
        state.deal(fill())
        _play_out(state)
    assert (state.kingdom, state.needs_deal, state.to_act) == (4, False, None)
    with pytest.raises(UnsoundDeal):
        state.deal(fill())
    with pytest.raises(IllegalAction) as caught:
        state.apply(Contract.KING)
    assert caught.value.rule == state.ended_by


@pytest.mark.parametrize(
    "hands",
    [
        SUITS[:3],
        (*SUITS[:3], SUITS[0]),
        (SUITS[0] + " AS", SUITS[1][3:], *SUITS[2:]),
    ],
)
def test_t3_cards_that_are_no_deal_are_refused(hands: tuple[str, ...]) -> None:
    state = TrixState(TrixVariant())
    before = _snapshot(state)
    with pytest.raises(UnsoundDeal):
        state.deal(Deal(tuple(CardSet.parse(hand) for hand in hands)))
    assert _snapshot(state) == before


def test_t3_no_deal_is_taken_in_while_one_lies_on_the_table(table: Table, fill: Fill) -> None:
    with pytest.raises(UnsoundDeal):
        table().deal(fill())


@pytest.mark.parametrize(
    ("hearts", "right"),
    [
        ("KH", True),
        ("AH", True),
        ("AH KH", True),
        ("KH 2H", False),
        ("QH", False),
        ("AH KH QH", False),
        ("", False),
    ],
)
def test_t4_1_high_hearts_alone_give_a_right_in_king_of_hearts(hearts: str, right: bool) -> None:
    hand = CardSet.parse(hearts + " 2S 2D 2C AS").mask
    assert redeal_right(Contract.KING, hand) is right
    assert not redeal_right(Contract.QUEENS, hand)


@pytest.mark.parametrize(
    ("low", "right"),
    [
        ("2S 2H 2D 2C", True),
        ("2S 2H 2D 3C", True),
        ("3S 2H 2D 2C", True),
        ("2S 2H 2D 3D", False),
        ("2S 2H 3D 3C", False),
    ],
)
def test_t4_2_low_cards_give_a_right_in_trix(low: str, right: bool) -> None:
    assert redeal_right(Contract.TRIX, CardSet.parse(low + " AS KS").mask) is right


def test_t4_the_second_seat_with_a_right_is_asked_after_the_first_keeps(table: Table) -> None:
    kings = "KH " + SUITS[2][:-3]
    state = table("7H AS", kings, "2H", "AH " + SUITS[3][:-3], actions="contract:king")
    assert (state.to_act, state.step) == (1, Step.REDEAL)
    state.apply(Redeal.KEEP)
    assert (state.to_act, state.step) == (3, Step.REDEAL)
    state.apply(Redeal.CLAIM)
    assert (state.needs_deal, state.ended_by, state.ended_void) == (True, "T4.3", True)


def test_t4_3_a_claim_shows_the_whole_hand_and_the_king_names_anew(table: Table, fill: Fill) -> None:
    state = table("7H", "2S 2H 2D 2C", actions="contract:trix")
    hand = state.hands[1]
    state.apply(Redeal.CLAIM)
    summary = state.summary()
    assert (summary.void, summary.claimed_hand, summary.claimed_by) == (Void.REDEAL, hand, 1)
    assert (summary.points, summary.scores) == ((0, 0, 0, 0), (0, 0, 0, 0))
    assert (state.deal_key, state.voids, state.contract) == ("0.0.1", 1, None)
    state.deal(fill("", "", "", "7H"))
    assert (state.king, state.step, len(state.legal_actions())) == (0, Step.CONTRACT, 5)


def test_t4_4_the_claim_of_the_king_comes_first(table: Table) -> None:
    state = table("7H 2S 2H 2D 3C", "2C", actions="contract:trix")
    assert state.to_act == state.king == 0


def test_t4_5_with_no_voids_allowed_no_right_is_offered(table: Table) -> None:
    state = table("7H JS", "2S 2H 2D 2C", actions="contract:trix", max_voids=0)
    assert state.step is Step.LAYOUT


def test_t4_no_right_without_redeals(table: Table) -> None:
    assert table("7H JS", "2S 2H 2D 2C", actions="contract:trix", redeals=False).step is Step.LAYOUT


def test_t4_5_voids_are_counted_since_the_last_completed_deal(table: Table, fill: Fill) -> None:
    state = table("7H", "2S 2H 2D 2C", actions="contract:trix redeal", max_voids=1)
    state.deal(fill())
    state.apply(Contract.SLAPS)
    _play_out(state)
    assert (state.voids, state.deal_key) == (0, "0.1.0")
    state.deal(fill("", "2S 2H 2D 2C"))
    state.apply(Contract.TRIX)
    assert state.step is Step.REDEAL


def test_t5_a_leader_with_diamonds_alone_may_lead_one_though_not_first(table: Table) -> None:
    lone = table(SUITS[2].replace("2D", "7H"), actions="contract:diamonds", diamond_lead="not_first")
    assert lone.legal_actions().texts() == ["7H"]
    state = TrixState(TrixVariant(diamond_lead="not_first", redeals=False))
    rng = Random(1)
    state.deal(Deal(tuple(CardSet.parse(hand) for hand in SUITS)))
    state.apply(Contract.SLAPS)
    while state.to_act is not None:
        state.apply(state.legal_actions().sample(rng))
    state.deal(Deal(tuple(CardSet.parse(SUITS[seat]) for seat in (2, 0, 1, 3))))
    state.apply(Contract.DIAMONDS)
    assert len(state.legal_actions()) == 13


def test_t5_diamond_lead_binds_only_the_contract_diamonds(table: Table) -> None:
    state = table("7H AD", actions="contract:slaps", diamond_lead="not_first")
    assert "AD" in state.legal_actions().texts()


def test_t6_doubling_goes_on_from_seat_to_seat_and_is_public_at_once(table: Table) -> None:
    state = table("7H QS", "QH QD", "", "QC", actions="contract:queens double:QS double:none")
    assert (state.to_act, state.step) == (3, Step.DOUBLE)
    assert [str(card) for card in state.view(2).doubled] == ["QS"]
    state.apply(parse_action("double:QC"))
    assert (state.to_act, state.step, state.doubled_by) == (0, Step.PLAY, (0, 3))


def test_t6_nobody_is_asked_in_slaps(table: Table) -> None:
    assert table("7H QS", "KH", actions="contract:slaps").step is Step.PLAY


def test_t7_2_the_partner_s_doubled_king_is_another_s(table: Table) -> None:
    state = table(
        "7H 2H",
        "3H",
        "AH",
        "KH 4H",
        partners=True,
        redeals=False,
        actions="contract:king double:KH 2H 3H AH KH",
    )
    _play_out(state)
    assert state.summary().points == (0, 0, -150, 75)
    assert state.group_scores == (-150, 75)


@pytest.mark.parametrize(
    ("when", "counts"), [("never", [0, 0]), ("after_first_round", [0, 3]), ("at_start", [4, 3])]
)
def test_t9_5_twos_in_hand_become_public(table: Table, when: str, counts: list[int]) -> None:
    state = table(*SUITS, redeals=False, reveal_twos=when, actions="contract:trix")
    seen = [len(state.view(3).revealed)]
    for text in ("JH", "JS", "JD"):
        state.apply(parse_action(text))
        assert len(state.view(3).revealed) == counts[0]
    for text in ("JC", "TH", "TS", "TD", "TC", "9H", "9S", "9D", "9C", "8H", "8S", "8D", "8C"):
        state.apply(parse_action(text))
    for rank in "76543":
        for suit in "HSDC":
            state.apply(parse_action(rank + suit))
    state.apply(parse_action("2H"))
    seen.append(len(state.view(3).revealed))
    assert seen == counts


def test_t9_5_a_pass_is_a_first_turn_too(table: Table) -> None:
    state = table("7H JS JH JD JC", partners=True, redeals=False, actions="contract:trix JS")
    for _ in range(3):
        assert state.view(0).revealed == ()
        state.apply(next(iter(state.legal_actions())))
    view = state.view(0)
    assert [card.text for card in view.revealed] == ["2S", "2H", "2D", "2C"]
    assert all(card in state.hands[seat] for card, seat in zip(view.revealed, view.revealed_by, strict=True))


def test_t9_3_the_summary_of_a_layout_names_the_places(table: Table) -> None:
    state = table(*SUITS, redeals=False, actions="contract:trix")
    _play_out(state)
    assert state.summary().points == (200, 150, 100, 50)
    assert state.ended_by == "T9.3"


@pytest.mark.parametrize(
    ("actions", "text", "rule"),
    [
        ("", "AS", "T3"),
        ("", "pass", "T3"),
        ("", "keep", "T4"),
        ("", "double:none", "T6"),
        ("contract:queens", "AS", "T6"),
        ("contract:queens", "contract:queens", "T3"),
        ("contract:slaps", "pass", "T5"),
        ("contract:slaps", "double:QS", "T6"),
        ("contract:trix", "7H", "T9.1"),
        ("contract:trix", "AS", "T9.1"),
        ("contract:trix", "pass", "T9.2"),
        ("contract:trix", "redeal", "T4"),
    ],
)
def test_an_illegal_action_bears_its_rule_and_changes_nothing(
    table: Table, actions: str, text: str, rule: str
) -> None:
    state = table("7H QS JS", "AS", actions=actions)
    before = _snapshot(state)
    with pytest.raises(IllegalAction) as caught:
        state.apply(parse_action(text))
    assert caught.value.rule == rule
    assert _snapshot(state) == before


def test_what_is_no_action_of_trix_is_illegal(table: Table) -> None:
    with pytest.raises(IllegalAction, match="no action of Trix"):
        table().apply("contract:king")  # type: ignore[arg-type] # what a type checker would not let pass


def test_a_copy_goes_its_own_way(table: Table) -> None:
    state = table("7H", actions="contract:slaps")
    before = _snapshot(state)
    twin = state.copy()
    assert _snapshot(twin) == before
    _play_out(twin)
    assert _snapshot(state) == before
