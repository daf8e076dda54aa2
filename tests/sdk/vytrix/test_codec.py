"""What a bot may send that is no action, and what a referee never sends."""

from __future__ import annotations

import pytest

from cardtable.engine import Deal, MalformedAction, VariantError
from cardtable.v1 import vytrix_pb2
from cardtable.vytrix import Bid, Direction, Kitty, Strain, VytrixState, VytrixVariant
from cardtable.vytrix.codec import (
    MAX_WIRE_POINTS,
    decode_action,
    decode_variant,
    decode_view,
    encode_action,
    encode_view,
)


def action(text: dict[str, object]) -> vytrix_pb2.VytrixAction:
    """A message with these fields."""
    return vytrix_pb2.VytrixAction(**text)  # type: ignore[arg-type] # wrong values are the point


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"pass": False},
        {"card": 0},
        {"card": 53},
        {"card": -1},
        {"bid": {}},
        {"bid": {"strain": 1, "direction": 1}},
        {"bid": {"points": MAX_WIRE_POINTS + 1, "strain": 1, "direction": 1}},
        {"bid": {"points": 1, "strain": 6, "direction": 1}},
        {"bid": {"points": 1, "strain": -1, "direction": 1}},
        {"bid": {"points": 1, "strain": 1, "direction": 3}},
        {"discard": {}},
        {"discard": {"cards": [1, 2, 3, 3]}},
        {"discard": {"cards": [1, 2, 3, 0]}},
        {"discard": {"cards": [1, 2, 3, 99]}},
        {"name_strain": 0},
        {"name_strain": 6},
        {"name_direction": 0},
        {"name_direction": -5},
    ],
)
def test_what_is_no_action_is_malformed(fields: dict[str, object]) -> None:
    with pytest.raises(MalformedAction):
        decode_action(action(fields))


def test_a_kitty_that_is_not_taken_is_left() -> None:
    assert decode_action(action({"take_kitty": False})) is Kitty.LEAVE
    assert decode_action(action({"take_kitty": True})) is Kitty.TAKE


def test_v12_half_a_bid_is_an_action() -> None:
    assert decode_action(action({"bid": {"points": 3, "strain": 5}})) == Bid(3, Strain.NO_TRUMP)
    assert decode_action(action({"bid": {"points": 3, "direction": 2}})) == Bid(3, None, Direction.LOW)


def test_what_is_no_action_is_not_written() -> None:
    with pytest.raises(TypeError):
        encode_action("pass", vytrix_pb2.VytrixAction())  # type: ignore[arg-type] # what an untyped bot may do


def test_only_the_seat_that_acts_is_shown_its_view() -> None:
    variant = VytrixVariant()
    state = VytrixState(variant)
    for seat in range(3):
        with pytest.raises(ValueError, match="does not act"):
            encode_view(state.view(seat), vytrix_pb2.VytrixView())
    state.deal(Deal.of_deck(range(52), variant.hand_sizes))
    encode_view(state.view(0), vytrix_pb2.VytrixView())
    with pytest.raises(ValueError, match="does not act"):
        encode_view(state.view(1), vytrix_pb2.VytrixView())


def test_a_view_of_unknown_numbers_cannot_be_read() -> None:
    with pytest.raises(LookupError):
        decode_view(vytrix_pb2.VytrixView(), VytrixVariant(), 0)
    with pytest.raises(LookupError):
        decode_view(vytrix_pb2.VytrixView(step=5, kitty=1, hand=[0]), VytrixVariant(), 0)  # type: ignore[arg-type, list-item] # numbers, as on the wire


def test_a_variant_that_is_none_is_refused() -> None:
    with pytest.raises(VariantError):
        decode_variant(vytrix_pb2.VytrixVariant(players=7))
