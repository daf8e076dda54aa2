"""Causes of faults, as the enum of the protocol and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.record import FaultCause
from cardtable.v1 import table_pb2
from cardtable.wire.errors import WireError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["cause_from_wire", "cause_to_wire"]

_TO_WIRE: Mapping[FaultCause, table_pb2.FaultCause] = {
    FaultCause.START: table_pb2.FAULT_CAUSE_START,
    FaultCause.TIMEOUT: table_pb2.FAULT_CAUSE_TIMEOUT,
    FaultCause.ILLEGAL: table_pb2.FAULT_CAUSE_ILLEGAL,
    FaultCause.MALFORMED: table_pb2.FAULT_CAUSE_MALFORMED,
    FaultCause.CRASH: table_pb2.FAULT_CAUSE_CRASH,
    FaultCause.DISCONNECT: table_pb2.FAULT_CAUSE_DISCONNECT,
    FaultCause.RESOURCE: table_pb2.FAULT_CAUSE_RESOURCE,
    FaultCause.REFEREE: table_pb2.FAULT_CAUSE_REFEREE,
}
_FROM_WIRE: Mapping[int, FaultCause] = {number: cause for cause, number in _TO_WIRE.items()}


def cause_to_wire(cause: FaultCause) -> table_pb2.FaultCause:
    """The protocol's number of a cause."""
    return _TO_WIRE[cause]


def cause_from_wire(number: int) -> FaultCause:
    """The cause of a number.

    Raises:
        WireError: No cause has it.
    """
    cause = _FROM_WIRE.get(number)
    if cause is None:
        raise WireError(f"{number} is no cause of a fault")
    return cause
