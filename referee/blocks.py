"""What the tournament orders from a worker and what it gets back: plain values that can be pickled.

A block is some boards of one table group with all their seatings. The tournament knows only an executor that
takes a `BlockOrder` and returns a `BlockResult`; how games are played is a worker's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardtable.record import FaultCause, GameRecord

__all__ = [
    "BlockOrder",
    "BlockResult",
    "BotSpec",
    "Door",
    "EntrantFault",
    "FaultDetail",
    "GameOrder",
    "Limits",
    "PlayedGame",
    "Sandbox",
    "WorkerLost",
]

#: How the processes of a bot are held: not at all, to limits, or to limits and in a box of their own.
Sandbox: TypeAlias = Literal["none", "limits", "bwrap"]


class WorkerLost(Exception):
    """The worker of a block is gone; others go on, so the block can be ordered again from the same executor."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """How to start one entrant's processes.

    Args:
        name: The entrant.
        command: Program and arguments, never through a shell.
        folder: Working folder, absolute.
        environment: Added to the little that every bot gets.
        readable: Files and folders, absolute, that it sees in its box (`referee.sandbox`) beside the system.
        tokens: Of a remote bot, which runs elsewhere and has neither command nor folder: what each of its seats
            joins with. Empty where the referee starts the bot.
        files: What it consists of, by name in the folder, each with its SHA-256: a worker on another machine makes
            sure that it has the same.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    environment: tuple[tuple[str, str], ...] = ()
    readable: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere and dials in by itself."""
        return not self.command


@dataclass(frozen=True, slots=True)
class Door:
    """Where remote bots dial in.

    Args:
        listen: ``host:port``, as gRPC writes addresses.
        certificate, key: PEM; None where a loopback address needs no TLS.
    """

    listen: str
    certificate: bytes | None = None
    key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """Clocks and patience (design of clocks: docs/protocol.md); None where there is no limit."""

    start_seconds: float = 30.0
    first_move_seconds: float = 30.0
    move_ms: int = 5000
    game_seconds: float | None = None
    margin_ms: int = 50
    stop_seconds: float = 2.0
    disconnect_seconds: float = 5.0
    forfeit_after: int = 3
    restarts: int = 3
    log_bytes: int = 1_000_000
    sandbox: Sandbox = "none"
    #: Of all processes of one bot together, CPU for each game, and of files that each may have open; 0: no limit.
    memory_bytes: int = 0
    processes: int = 0
    cpu_seconds: float = 0
    open_files: int = 0
    #: How long a remote bot is waited for.
    join_seconds: float = 600.0


@dataclass(frozen=True, slots=True)
class GameOrder:
    """One game to play: a board at one of its seatings.

    Args:
        board: Number of the board in its competition.
        seating: Number of the seating of this board, from 0.
        seats: Entrants by seat.
        seed: The board's seed.
    """

    board: int
    seating: int
    seats: tuple[str, ...]
    seed: bytes


@dataclass(frozen=True, slots=True)
class BlockOrder:
    """Some games of one competition, to be played by one worker.

    Args:
        competition: Name of the competition.
        game: Name of the game.
        variant: Its options.
        games: In schedule order, those of a board one after another.
        bots: Every entrant of these games.
        limits: Clocks and patience.
        scored_by: What is ranked; bots are told.
        ask_forced: Whether a decision with one legal action is asked.
        show_names: Whether bots are told the others' names.
        log_folder: Where bots' output goes; absolute.
        seconds: No board begins later than this after the first answer; the first one always does.
        door: Where remote bots dial in; None when there are none.
    """

    competition: str
    game: str
    variant: Mapping[str, object]
    games: tuple[GameOrder, ...]
    bots: tuple[BotSpec, ...]
    limits: Limits
    log_folder: str
    scored_by: Literal["points", "places"] = "points"
    ask_forced: bool = False
    show_names: bool = False
    seconds: float = 20.0
    door: Door | None = None


@dataclass(frozen=True, slots=True)
class FaultDetail:
    """What stands beside a recorded fault for its reader, and in no export.

    Args:
        entrant: The culprit.
        seat: Its seat.
        cause: What went wrong.
        deal, action, turn: The decision, as on the record.
        message: One line.
        view: The question as JSON text, empty when there was none.
        stderr_tail: The end of what the bot wrote.
    """

    entrant: str
    seat: int
    cause: FaultCause
    deal: int
    action: int
    turn: int
    message: str
    view: str = ""
    stderr_tail: str = ""


@dataclass(frozen=True, slots=True)
class EntrantFault:
    """A fault of an entrant at no table: it did not start, or crashed between games."""

    entrant: str
    seat: int
    cause: FaultCause
    message: str
    stderr_tail: str = ""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One finished game.

    Args:
        order: What was ordered.
        record: The game, with its faults and final scores.
        details: One for each fault of the record, in the same order.
        charged_ms: Thinking time charged to each seat.
        decisions: Questions asked of each seat.
    """

    order: GameOrder
    record: GameRecord
    details: tuple[FaultDetail, ...] = ()
    charged_ms: tuple[float, ...] = ()
    decisions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockResult:
    """What became of a block.

    Args:
        games: Finished games, in the order in which they were ordered; without an error all games of each board
            that began.
        entrant_faults: Faults at no table.
        seconds: Wall time that the block took.
        error: Why the block was broken off by a fault of our own; empty when it was not.
    """

    games: tuple[PlayedGame, ...]
    entrant_faults: tuple[EntrantFault, ...] = field(default=())
    seconds: float = 0.0
    error: str = ""
