"""A game's record as bytes, the form in which it is stored.

Lossless: reading what was written gives an equal record, comments and the messages of faults included, which an
export does not bear.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from google.protobuf.message import DecodeError

from cardtable.record import Comment, DealRecord, GameRecord, RecordedFault, RecordError
from cardtable.v1 import record_pb2
from cardtable.wire.errors import WireError
from cardtable.wire.faults import cause_from_wire, cause_to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["record_from_bytes", "record_to_bytes"]


def record_to_bytes(record: GameRecord, writer: str = "") -> bytes:
    """The record as the bytes that are stored; the same record gives the same bytes.

    Args:
        record: Any record, finished or not.
        writer: Name and version of the program that stores it.
    """
    message = record_pb2.GameRecord(
        game=record.game,
        variant=json.dumps(dict(record.variant), ensure_ascii=False, separators=(",", ":")),
        seats=record.seats,
        seed=record.seed or b"",
        scores=record.scores or (),
        writer=writer,
        forfeits=record.forfeits,
    )
    for deal in record.deals:
        message.deals.add(actions=" ".join(deal.actions), hands=deal.hands, kitty=deal.kitty)
    for fault in record.faults:
        message.faults.add(
            seat=fault.seat,
            cause=cause_to_wire(fault.cause),
            deal=fault.deal,
            action=fault.action,
            turn=fault.turn,
            message=fault.message,
        )
    for comment in record.comments:
        message.comments.add(deal=comment.deal, action=comment.action, text=comment.text)
    return message.SerializeToString(deterministic=True)


def record_from_bytes(stored: bytes) -> GameRecord:
    """Read what `record_to_bytes` has written.

    Raises:
        RecordError: The bytes are no record.
    """
    try:
        message = record_pb2.GameRecord.FromString(stored)
        variant: object = json.loads(message.variant or "{}")
        faults = tuple(
            RecordedFault(f.seat, cause_from_wire(f.cause), f.deal, f.action, f.turn, f.message)
            for f in message.faults
        )
    except (DecodeError, json.JSONDecodeError, RecursionError, WireError) as error:
        raise RecordError(f"no stored record: {error}") from error
    if not isinstance(variant, dict):
        raise RecordError("no stored record: the variant is no object")
    return GameRecord(
        game=message.game,
        variant=cast("Mapping[str, object]", variant),
        seats=tuple(message.seats),
        deals=tuple(
            DealRecord(tuple(deal.actions.split()), tuple(deal.hands), deal.kitty) for deal in message.deals
        ),
        seed=message.seed or None,
        scores=tuple(message.scores) or None,
        faults=faults,
        comments=tuple(Comment(c.deal, c.action, c.text) for c in message.comments),
        forfeits=tuple(message.forfeits),
    )
