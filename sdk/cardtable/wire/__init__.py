"""The protocol in Python: messages to and from views, actions, variants and records.

Owns every use of the generated code except each game's own `codec.py`. Knows no rule, opens no connection and
keeps no state. `wire.service` (imported on its own, since it loads gRPC) binds the one call.

    WireError    the other side sent a message that this version cannot read
"""

from __future__ import annotations

from cardtable.wire.codecs import Codec, codec
from cardtable.wire.errors import WireError
from cardtable.wire.faults import cause_from_wire, cause_to_wire
from cardtable.wire.joining import (
    PROTOCOL_VERSION,
    common_protocol,
    join_request,
    option_text,
    refusal_response,
    seated_message,
    unsupported,
    welcome_response,
)
from cardtable.wire.records import record_from_bytes, record_to_bytes

__all__ = [
    "PROTOCOL_VERSION",
    "Codec",
    "WireError",
    "cause_from_wire",
    "cause_to_wire",
    "codec",
    "common_protocol",
    "join_request",
    "option_text",
    "record_from_bytes",
    "record_to_bytes",
    "refusal_response",
    "seated_message",
    "unsupported",
    "welcome_response",
]
