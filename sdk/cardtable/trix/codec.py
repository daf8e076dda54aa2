"""Trix on the wire: views, actions, variants and summaries to and from the messages of `trix.proto`.

The only file of the game that knows the generated code. Exact in both ways; whatever has no meaning is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, assert_never

from cardtable.cards import CARDS, EMPTY, Card, CardSet
from cardtable.engine import NO_LIMIT, Clock, MalformedAction
from cardtable.trix.actions import PASS, Contract, Double, Pass, Redeal, Step
from cardtable.trix.variant import TrixVariant
from cardtable.trix.view import TrixDealSummary, Void, make_view
from cardtable.v1 import trix_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Sized

    from cardtable.trix.actions import TrixAction
    from cardtable.trix.view import TrixView

__all__ = [
    "decode_action",
    "decode_summary",
    "decode_variant",
    "decode_view",
    "encode_action",
    "encode_summary",
    "encode_variant",
    "encode_view",
]

T = TypeVar("T")

_CARD_OF: Final = {card.index + 1: card for card in CARDS}
_BIT_OF: Final = {card.index + 1: card.bit for card in CARDS}
_CONTRACT_OF: Final[Mapping[Any, Contract]] = {
    trix_pb2.TRIX_CONTRACT_KING: Contract.KING,
    trix_pb2.TRIX_CONTRACT_QUEENS: Contract.QUEENS,
    trix_pb2.TRIX_CONTRACT_DIAMONDS: Contract.DIAMONDS,
    trix_pb2.TRIX_CONTRACT_SLAPS: Contract.SLAPS,
    trix_pb2.TRIX_CONTRACT_TRIX: Contract.TRIX,
}
_STEP_OF: Final = {
    trix_pb2.TRIX_STEP_CONTRACT: Step.CONTRACT,
    trix_pb2.TRIX_STEP_REDEAL: Step.REDEAL,
    trix_pb2.TRIX_STEP_DOUBLE: Step.DOUBLE,
    trix_pb2.TRIX_STEP_PLAY: Step.PLAY,
    trix_pb2.TRIX_STEP_LAYOUT: Step.LAYOUT,
}
_VOID_OF: Final[dict[trix_pb2.TrixVoid, Void | None]] = {
    trix_pb2.TRIX_VOID_NOT: None,
    trix_pb2.TRIX_VOID_REDEAL: Void.REDEAL,
    trix_pb2.TRIX_VOID_CLOSED_SUIT: Void.CLOSED_SUIT,
}
_OF_CONTRACT: Final = {contract: number for number, contract in _CONTRACT_OF.items()}
_OF_STEP: Final = {step: number for number, step in _STEP_OF.items()}
_OF_VOID: Final = {void: number for number, void in _VOID_OF.items()}


def encode_view(view: TrixView, message: trix_pb2.TrixView) -> None:
    """Put the view of a seat that is asked into an empty message; variant, seat and clock go another way.

    Raises:
        ValueError: The view's seat is not asked.
    """
    if view.step is None or view.to_act != view.seat:
        raise ValueError(f"seat {view.seat} is not asked")
    message.step = _OF_STEP[view.step]
    message.first_king = view.first_king
    message.king = view.king
    message.kingdom = view.kingdom
    message.voids = view.voids
    message.scores.extend(view.scores)
    message.hand.extend(_set_numbers(view.hand))
    message.legal.extend(_set_numbers(view.legal))
    if view.contract is not None:
        message.contract = _OF_CONTRACT[view.contract]
    # Each of these is empty in most questions, and even an empty list costs time.
    if view.completed:
        message.completed.extend([_OF_CONTRACT[contract] for contract in view.completed])
    if view.legal_contracts:
        message.legal_contracts.extend([_OF_CONTRACT[contract] for contract in view.legal_contracts])
    if view.doubled:
        message.doubled.extend(_numbers(view.doubled))
        message.doubled_by.extend(view.doubled_by)
    if view.played:
        message.played.extend(_numbers(view.played))
        message.played_by.extend(view.played_by)
    if view.revealed:
        message.revealed.extend(_numbers(view.revealed))
        message.revealed_by.extend(view.revealed_by)


def decode_view(
    message: trix_pb2.TrixView, variant: TrixVariant, seat: int, clock: Clock = NO_LIMIT
) -> TrixView:
    """Return the view of a seat that is asked.

    Raises:
        ValueError: The message has no meaning as a view.
    """
    contract = message.contract
    doubled, played, revealed = _cards(message.doubled), _cards(message.played), _cards(message.revealed)
    return make_view(
        variant,
        seat,
        seat,
        _found(_STEP_OF, message.step, "step"),
        message.first_king,
        message.king,
        message.kingdom,
        _contracts(message.completed),
        message.voids,
        tuple(message.scores[:]),
        _found(_CONTRACT_OF, contract, "contract") if contract else None,
        _card_set(message.hand),
        _card_set(message.legal),
        _contracts(message.legal_contracts),
        doubled,
        _seats(message.doubled_by, doubled),
        played,
        _seats(message.played_by, played),
        revealed,
        _seats(message.revealed_by, revealed),
        clock,
    )


def encode_action(action: TrixAction, message: trix_pb2.TrixAction) -> None:
    """Put an action into an empty message."""
    match action:
        case Card():
            message.card = _number(action)
        case Contract():
            message.contract = _OF_CONTRACT[action]
        case Redeal():
            message.redeal = action is Redeal.CLAIM
        case Double():
            message.double.SetInParent()
            message.double.cards.extend(_numbers(action.cards))
        case Pass():
            setattr(message, "pass", True)
        case _:
            assert_never(action)


def decode_action(message: trix_pb2.TrixAction) -> TrixAction:
    """Return the action of a message.

    Raises:
        MalformedAction: No action is set, or it has no meaning.
    """
    try:
        return _action(message)
    except ValueError as error:
        raise MalformedAction(str(error)) from None


def encode_variant(variant: TrixVariant, message: trix_pb2.TrixVariant) -> None:
    """Put all options into an empty message."""
    for name, value in variant.options().items():
        setattr(message, name, value)


def decode_variant(message: trix_pb2.TrixVariant) -> TrixVariant:
    """Return the variant of a message.

    Raises:
        VariantError: An option has a value that is not allowed.
    """
    return TrixVariant.from_options(
        {field.name: getattr(message, field.name) for field in message.DESCRIPTOR.fields}
    )


def encode_summary(summary: TrixDealSummary, message: trix_pb2.TrixDealEnded) -> None:
    """Put the summary of a deal into an empty message."""
    message.void = _OF_VOID[summary.void]
    message.king = summary.king
    message.kingdom = summary.kingdom
    message.contract = _OF_CONTRACT[summary.contract]
    message.doubled.extend(_numbers(summary.doubled))
    message.doubled_by.extend(summary.doubled_by)
    message.played.extend(_numbers(summary.played))
    message.played_by.extend(summary.played_by)
    if summary.claimed_by is not None:
        message.claimed_hand.extend(_numbers(summary.claimed_hand))
        message.claimed_by = summary.claimed_by
    message.points.extend(summary.points)
    message.scores.extend(summary.scores)


def decode_summary(message: trix_pb2.TrixDealEnded) -> TrixDealSummary:
    """Return the summary of a deal.

    Raises:
        ValueError: The message has no meaning as a summary.
    """
    return TrixDealSummary(
        void=_found(_VOID_OF, message.void, "reason of a void deal"),
        king=message.king,
        kingdom=message.kingdom,
        contract=_found(_CONTRACT_OF, message.contract, "contract"),
        doubled=_cards(message.doubled),
        doubled_by=_seats(message.doubled_by, message.doubled),
        played=_cards(message.played),
        played_by=_seats(message.played_by, message.played),
        claimed_hand=_card_set(message.claimed_hand) if message.claimed_hand else EMPTY,
        claimed_by=message.claimed_by if message.claimed_hand else None,
        points=tuple(message.points),
        scores=tuple(message.scores),
    )


def _action(message: trix_pb2.TrixAction) -> TrixAction:
    kind = message.WhichOneof("action")
    match kind:
        case "card":
            return _found(_CARD_OF, message.card, "card")
        case "contract":
            return _found(_CONTRACT_OF, message.contract, "contract")
        case "redeal":
            return Redeal.CLAIM if message.redeal else Redeal.KEEP
        case "double":
            return Double(_card_set(message.double.cards))
        case "pass" if getattr(message, "pass"):
            return PASS
        case _:
            raise ValueError("a pass that is false" if kind == "pass" else "no action of Trix is set")


def _number(card: Card) -> Any:
    return card.index + 1


def _numbers(cards: Iterable[Card]) -> Any:
    return [card.index + 1 for card in cards]


def _set_numbers(cards: CardSet) -> Any:
    numbers, mask = [], cards.mask
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length())
        mask ^= low
    return numbers


def _found(table: Mapping[Any, T], number: int, what: str) -> T:
    try:
        return table[number]
    except KeyError:
        raise ValueError(f"{number} is no {what}") from None


# A slice of a repeated field is a list, which is read twice as fast as the field itself.


def _cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    if not numbers:  # the usual case for all but the cards played
        return ()
    try:
        return tuple(map(_CARD_OF.__getitem__, numbers[:]))
    except KeyError as error:
        raise ValueError(f"{error} is no card") from None


def _card_set(numbers: Sequence[int]) -> CardSet:
    numbers = numbers[:]
    try:
        mask = sum(map(_BIT_OF.__getitem__, numbers))
    except KeyError as error:
        raise ValueError(f"{error} is no card") from None
    if mask.bit_count() != len(numbers):
        raise ValueError("a card stands twice")
    return CardSet(mask)


def _contracts(numbers: Sequence[int]) -> tuple[Contract, ...]:
    if not numbers:
        return ()
    try:
        return tuple(map(_CONTRACT_OF.__getitem__, numbers[:]))
    except KeyError as error:
        raise ValueError(f"{error} is no contract") from None


def _seats(numbers: Sequence[int], cards: Sized) -> tuple[int, ...]:
    if not numbers:
        if cards:
            raise ValueError("not one seat for each card")
        return ()
    seats = tuple(numbers[:])
    if len(seats) != len(cards) or max(seats) > 3:
        raise ValueError("not one seat for each card")
    return seats
