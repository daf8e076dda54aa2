"""What is refused on the wire; that all else round-trips is among the invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardtable.cards import CARDS, Card, CardSet
from cardtable.engine import MalformedAction, VariantError
from cardtable.trix import PASS, Contract, Double, Redeal, TrixState, TrixVariant, codec
from cardtable.v1 import cards_pb2, trix_pb2

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardtable.trix import TrixAction

    Table = Callable[..., TrixState]

ACTIONS = [
    *CARDS,
    *Contract,
    *Redeal,
    PASS,
    Double(),
    Double(CardSet.parse("KH")),
    Double(CardSet.parse("QS QH QD QC")),
]


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_an_action_comes_back(action: TrixAction) -> None:
    message = trix_pb2.TrixAction()
    codec.encode_action(action, message)
    assert codec.decode_action(trix_pb2.TrixAction.FromString(message.SerializeToString())) == action


def test_a_card_has_the_number_that_its_name_says() -> None:
    message = trix_pb2.TrixAction()
    codec.encode_action(Card("KH"), message)
    assert message.card == cards_pb2.CARD_HEARTS_KING


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"",
        b"\x08\x00",  # contract: unspecified
        b"\x08\x06",  # contract: unknown
        b"\x20\x00",  # card: unspecified
        b"\x20\x35",  # card 53
        b"\x28\x00",  # pass: false
        b"\x1a\x03\x0a\x01\x00",  # double: unspecified
        b"\x1a\x04\x0a\x02\x0b\x0b",  # double: a card twice
    ],
)
def test_an_action_without_a_meaning_is_malformed(bytes_sent: bytes) -> None:
    with pytest.raises(MalformedAction):
        codec.decode_action(trix_pb2.TrixAction.FromString(bytes_sent))


def test_a_variant_comes_back() -> None:
    variant = TrixVariant(partners=True, max_voids=0, reveal_twos="at_start", closed_suit="off")
    message = trix_pb2.TrixVariant()
    codec.encode_variant(variant, message)
    assert codec.decode_variant(message) == variant


def test_a_variant_with_an_unset_option_is_refused() -> None:
    with pytest.raises(VariantError):
        codec.decode_variant(trix_pb2.TrixVariant())


def test_only_the_view_of_a_seat_that_is_asked_is_sent(table: Table) -> None:
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        codec.encode_view(table().view(1), trix_pb2.TrixView())


@pytest.mark.parametrize(
    "change",
    [
        {"step": 0},
        {"step": 9},
        {"contract": 7},
        {"hand": [1, 1]},
        {"hand": [53]},
        {"legal": [0]},
        {"played": [5], "played_by": []},
        {"played": [5], "played_by": [4]},
        {"legal_contracts": [0]},
    ],
)
def test_a_view_without_a_meaning_is_refused(table: Table, change: dict[str, Any]) -> None:
    message = trix_pb2.TrixView()
    codec.encode_view(table("7H", actions="contract:slaps").view(0), message)
    for name in change:
        message.ClearField(name)
    message.MergeFrom(trix_pb2.TrixView(**change))
    with pytest.raises(ValueError, match=r"is no |twice|one seat"):
        codec.decode_view(message, TrixVariant(), 0)


def test_t4_3_the_summary_of_a_claim_shows_the_hand(table: Table) -> None:
    state = table("7H", "2S 2H 2D 2C", actions="contract:trix redeal")
    message = trix_pb2.TrixDealEnded()
    codec.encode_summary(state.summary(), message)
    assert len(message.claimed_hand) == 13
    assert codec.decode_summary(message) == state.summary()
