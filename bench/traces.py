"""What went over the wires of a run, as the traced bots wrote it down."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["HEAD", "Trace", "read_trace", "traces_in", "write_trace"]

#: Whether a message was sent by the bot, and how many bytes follow.
HEAD = struct.Struct("!?I")


@dataclass(frozen=True, slots=True)
class Trace:
    """One stream.

    Args:
        address: Of its referee.
        cpu_seconds: What the bot's process took.
        messages: In the order in which the bot's process saw them: whether it sent it, and its bytes.
    """

    address: str
    cpu_seconds: float
    messages: list[tuple[bool, bytes]]


def write_trace(path: Path, trace: Trace) -> None:
    """Write one to a file."""
    with path.open("wb") as file:
        head = {"address": trace.address, "cpu_seconds": trace.cpu_seconds}
        file.write(json.dumps(head).encode() + b"\n")
        for is_sent, data in trace.messages:
            file.write(HEAD.pack(is_sent, len(data)) + data)


def read_trace(path: Path) -> Trace:
    """Read one from its file."""
    with path.open("rb") as file:
        head = json.loads(file.readline())
        messages = []
        while start := file.read(HEAD.size):
            is_sent, length = HEAD.unpack(start)
            messages.append((is_sent, file.read(length)))
    return Trace(head["address"], head["cpu_seconds"], messages)


def traces_in(folder: Path) -> list[Trace]:
    """Read all of a folder."""
    return [read_trace(path) for path in sorted(folder.glob("*.trace"))]
