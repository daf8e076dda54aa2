"""Vytrix on the wire: views, actions, variants and summaries to and from the messages of `vytrix.proto`.

The only module of the game that knows generated code. What comes from a bot is checked for being an action, never
for being legal. Numbers that stand for nothing raise `LookupError` in what comes from the referee.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from cardtable.cards import CARDS, Card, CardSet
from cardtable.engine import NO_LIMIT, Clock, MalformedAction
from cardtable.vytrix.actions import (
    PASS,
    Action,
    Bid,
    Call,
    Direction,
    Discard,
    Kitty,
    KittyFate,
    Name,
    Pass,
    Step,
    Strain,
)
from cardtable.vytrix.variant import LastTrick, VytrixVariant
from cardtable.vytrix.view import VytrixDealSummary, make_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardtable.v1 import vytrix_pb2 as wire
    from cardtable.vytrix.view import VytrixView

__all__ = [
    "MAX_WIRE_POINTS",
    "decode_action",
    "decode_summary",
    "decode_variant",
    "decode_view",
    "encode_action",
    "encode_summary",
    "encode_variant",
    "encode_view",
]

#: The highest bid of an action on the wire, even in a variant without a limit: sums of scores must fit 32 bits.
MAX_WIRE_POINTS: Final = 1_000_000

# The wire's numbers in both directions; 0 stands for what is not set. Generated enums are plain numbers at run time
# while their stubs call them classes, hence the Any.
_STRAIN: Final[dict[int, Strain | None]] = dict(enumerate((None, *Strain)))
_DIRECTION: Final[dict[int, Direction | None]] = dict(enumerate((None, *Direction)))
_STEP: Final[dict[int, Step]] = dict(enumerate(Step, 1))
_FATE: Final[dict[int, KittyFate]] = dict(enumerate(KittyFate, 1))
_CARD: Final[dict[int, Card]] = dict(enumerate(CARDS, 1))
_STRAIN_NUMBER: Final[dict[Strain | None, Any]] = {strain: number for number, strain in _STRAIN.items()}
_DIRECTION_NUMBER: Final[dict[Direction | None, Any]] = {way: number for number, way in _DIRECTION.items()}
_STEP_NUMBER: Final[dict[Step, Any]] = {step: number for number, step in _STEP.items()}
_FATE_NUMBER: Final[dict[KittyFate, Any]] = {fate: number for number, fate in _FATE.items()}


def encode_variant(variant: VytrixVariant, message: wire.VytrixVariant) -> None:
    """Write a variant into an empty message."""
    for name, value in variant.options().items():
        setattr(message, name, value)


def decode_variant(message: wire.VytrixVariant) -> VytrixVariant:
    """Return the variant of a message.

    Raises:
        VariantError: It is no variant of Vytrix.
    """
    return VytrixVariant(
        players=message.players,
        max_bid=message.max_bid,
        target=message.target,
        max_hands=message.max_hands,
        breaking_trump=message.breaking_trump,
        last_trick=cast("LastTrick", message.last_trick),
        defensive_partnerships=message.defensive_partnerships,
        partial_bidding=message.partial_bidding,
    )


def encode_action(action: Action, message: wire.VytrixAction) -> None:
    """Write an action into an empty message.

    Raises:
        TypeError: It is no action of Vytrix.
        ValueError: The points of a bid are more than the wire carries.
    """
    match action:
        case Card():
            message.card = _number(action)
        case Bid():
            _encode_bid(action, message.bid)
        case Pass():
            setattr(message, "pass", True)  # a keyword of Python
        case Kitty():
            message.take_kitty = action is Kitty.TAKE
        case Discard():
            message.discard.cards.extend(_numbers(action.cards))
        case Name(part=Strain() as strain):
            message.name_strain = _STRAIN_NUMBER[strain]
        case Name(part=Direction() as direction):
            message.name_direction = _DIRECTION_NUMBER[direction]
        case _:
            raise TypeError(f"{action!r} is no action of Vytrix")


def decode_action(message: wire.VytrixAction) -> Action:
    """Return the action of a message; whether it is legal is not looked at.

    Raises:
        MalformedAction: The message bears no action of Vytrix.
    """
    match message.WhichOneof("action"):
        case "card":
            return _action_card(message.card)
        case "bid":
            return _action_bid(message.bid)
        case "pass":
            if not getattr(message, "pass"):
                raise MalformedAction("pass: a pass that is false is no action")
            return PASS
        case "take_kitty":
            return Kitty.TAKE if message.take_kitty else Kitty.LEAVE
        case "discard":
            return _action_discard(message.discard.cards)
        case "name_strain":
            strain = _STRAIN.get(message.name_strain)
            if strain is None:
                raise MalformedAction(f"name_strain: {message.name_strain} is no strain")
            return Name(strain)
        case "name_direction":
            direction = _DIRECTION.get(message.name_direction)
            if direction is None:
                raise MalformedAction(f"name_direction: {message.name_direction} is no direction")
            return Name(direction)
        case _:
            raise MalformedAction("the action is not set")


def _action_card(number: int) -> Card:
    card = _CARD.get(number)
    if card is None:
        raise MalformedAction(f"{number} is no card: cards are 1 to 52")
    return card


def _action_bid(message: wire.VytrixBid) -> Bid:
    if not 1 <= message.points <= MAX_WIRE_POINTS:
        raise MalformedAction(f"bid: {message.points} points; a bid is 1 to {MAX_WIRE_POINTS} points")
    if message.strain not in _STRAIN:
        raise MalformedAction(f"bid: {message.strain} is no strain")
    if message.direction not in _DIRECTION:
        raise MalformedAction(f"bid: {message.direction} is no direction")
    return _decode_bid(message)


def _action_discard(numbers: Iterable[int]) -> Discard:
    mask = 0
    for number in numbers:
        card = _action_card(number)
        if mask & card.bit:
            raise MalformedAction(f"discard: {card} stands twice")
        mask |= card.bit
    if not mask:
        raise MalformedAction("discard: no cards")
    return Discard(CardSet(mask))


def encode_view(view: VytrixView, message: wire.VytrixView) -> None:
    """Write the view of the seat that acts into an empty message; its clock goes elsewhere.

    Raises:
        ValueError: Another seat acts, or none: there is no question to ask.
    """
    step = view.step
    if view.to_act != view.seat or step is None:
        raise ValueError(f"seat {view.seat} does not act here: only the seat that acts is shown its view")
    message.step = _STEP_NUMBER[step]
    message.hand_number = view.hand_number
    message.dealer = view.dealer
    message.scores.extend(view.scores)
    _encode_calls(view.calls, message.calls)
    if view.declarer is not None:
        message.declarer = view.declarer
    if view.contract is not None:
        _encode_bid(view.contract, message.contract)
    message.kitty = _FATE_NUMBER[view.kitty]
    message.hand.extend(_numbers(view.hand))
    message.legal.extend(_numbers(view.legal))
    message.lowest_bid = view.lowest_bid
    message.highest_bid = view.highest_bid
    message.may_pass = view.may_pass
    message.kitty_cards.extend(_numbers(view.kitty_cards))
    message.discarded.extend(_numbers(view.discarded))
    message.played.extend(_numbers(view.played))
    message.played_by.extend(view.played_by)


def decode_view(
    message: wire.VytrixView, variant: VytrixVariant, seat: int, clock: Clock = NO_LIMIT
) -> VytrixView:
    """Return the view of a message.

    Args:
        message: What the seat was asked with.
        variant: The table's variant.
        seat: The seat that is asked, and so the one that acts.
        clock: What is left of its time.
    """
    return make_view(
        variant,
        seat,
        seat,
        _STEP[message.step],
        message.hand_number,
        message.dealer,
        tuple(message.scores),
        _decode_calls(message.calls),
        message.declarer if message.HasField("declarer") else None,
        _decode_bid(message.contract) if message.HasField("contract") else None,
        _FATE[message.kitty],
        _cards(message.hand),
        _cards(message.legal),
        message.lowest_bid,
        message.highest_bid,
        message.may_pass,
        _cards(message.kitty_cards),
        _cards(message.discarded),
        tuple(map(_CARD.__getitem__, message.played[:])),
        tuple(message.played_by[:]),
        clock,
    )


def encode_summary(summary: VytrixDealSummary, message: wire.VytrixDealEnded) -> None:
    """Write what the rules show of a hand that has ended into an empty message."""
    message.hand_number = summary.hand_number
    message.dealer = summary.dealer
    _encode_calls(summary.calls, message.calls)
    message.declarer = summary.declarer
    _encode_bid(summary.contract, message.contract)
    message.kitty = _FATE_NUMBER[summary.kitty]
    message.played.extend(_numbers(summary.played))
    message.played_by.extend(summary.played_by)
    message.tricks.extend(summary.tricks)
    message.points.extend(summary.points)
    message.scores.extend(summary.scores)


def decode_summary(message: wire.VytrixDealEnded) -> VytrixDealSummary:
    """Return what a message shows of a hand that has ended."""
    return VytrixDealSummary(
        hand_number=message.hand_number,
        dealer=message.dealer,
        calls=_decode_calls(message.calls),
        declarer=message.declarer,
        contract=_decode_bid(message.contract),
        kitty=_FATE[message.kitty],
        played=tuple(map(_CARD.__getitem__, message.played[:])),
        played_by=tuple(message.played_by[:]),
        tricks=tuple(message.tricks),
        points=tuple(message.points),
        scores=tuple(message.scores),
    )


def _number(card: Card) -> Any:
    return card.index + 1


def _numbers(cards: Iterable[Card]) -> list[Any]:
    return [card.index + 1 for card in cards]


def _cards(numbers: Iterable[int]) -> CardSet:
    mask = 0
    for number in numbers:
        mask |= _CARD[number].bit
    return CardSet(mask)


def _encode_bid(bid: Bid, message: wire.VytrixBid | wire.VytrixCall) -> None:
    message.points = bid.points
    if bid.strain is not None:
        message.strain = _STRAIN_NUMBER[bid.strain]
    if bid.direction is not None:
        message.direction = _DIRECTION_NUMBER[bid.direction]


def _decode_bid(message: wire.VytrixBid | wire.VytrixCall) -> Bid:
    return Bid(message.points, _STRAIN[message.strain], _DIRECTION[message.direction])


def _encode_calls(calls: Iterable[Call], messages: Any) -> None:
    for call in calls:
        message = messages.add()
        if isinstance(call, Bid):
            _encode_bid(call, message)


def _decode_calls(messages: Iterable[wire.VytrixCall]) -> tuple[Call, ...]:
    return tuple([_decode_bid(message) if message.points else PASS for message in messages])
