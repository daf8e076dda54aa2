"""What a seat has to tell its bot, gathered into one message until it is time to send.

Keeps the tables at which the bot sits, since each new stream is told all of them. Questions are put in by
`referee.seat`, which decides when they may go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.v1 import table_pb2
from cardtable.wire import cause_to_wire, welcome_response

if TYPE_CHECKING:
    from cardtable.record import RecordedFault

__all__ = ["Outbox"]


class Outbox:
    """Pending messages of one seat; what only a live stream can use is dropped while there is none."""

    __slots__ = ("_live", "_message", "_tables", "pending")

    def __init__(self) -> None:
        self._tables: dict[int, table_pb2.Seated] = {}
        self._message = table_pb2.PlayResponse()
        self._live = False
        #: Whether there is anything to send.
        self.pending = False

    @property
    def tables(self) -> int:
        """At how many tables the bot sits."""
        return len(self._tables)

    def open_stream(self, seat: int, referee: str) -> None:
        """Welcome a new stream and tell it of all tables; notices of faults of the last one are kept."""
        self._message.welcome.CopyFrom(welcome_response(seat, referee).welcome)
        self._message.seated.extend(self._tables.values())
        self._live = self.pending = True

    def close_stream(self) -> None:
        """Drop what the next stream has no use for."""
        kept = [notice for notice in self._message.faults if notice.table in self._tables]
        self._message = table_pb2.PlayResponse(faults=kept)
        self._live = False
        self.pending = bool(kept)

    def sit(self, seated: table_pb2.Seated) -> None:
        """The bot sits at one more table."""
        self._tables[seated.table] = seated
        if self._live:
            self._message.seated.append(seated)
            self.pending = True

    def fault(self, table: int, fault: RecordedFault) -> None:
        """The house has decided for the bot."""
        self._message.faults.add(
            table=table, turn=fault.turn, cause=cause_to_wire(fault.cause), message=fault.message
        )
        self.pending = True

    def deal(self, ended: table_pb2.DealEnded) -> None:
        """A deal has ended."""
        if self._live:
            self._message.deals_ended.append(ended)
            self.pending = True

    def rise(self, closed: table_pb2.TableClosed) -> None:
        """A game is over."""
        del self._tables[closed.table]
        if self._live:
            self._message.tables_closed.append(closed)
            self.pending = True

    def take(self) -> table_pb2.PlayResponse:
        """All that is pending, which is pending no more."""
        message, self._message = self._message, table_pb2.PlayResponse()
        self.pending = False
        return message
