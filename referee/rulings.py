"""An organiser's rulings: what they are, and what games and departures are made of them.

Owns `Ruling` and `Docket`, the rulings of one tournament ready to be applied. A ruling changes no game and no other
ruling: games are read as ruled, each time anew, and one that is taken back is so by another. Reads no store.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from referee.stored import StoredFault, StoredGame

__all__ = ["Docket", "Place", "Ruling", "RulingKind", "checked_reason", "legible"]

#: Competition and board: a departure is after it.
Place: TypeAlias = tuple[str, int]
#: Characters of a reason, at most.
_LONGEST_REASON = 500
#: Control characters, surrogates, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
#: They turn the direction of writing and would garble every table.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class RulingKind(StrEnum):
    """What a ruling does."""

    VOID = "void"
    FORGIVE = "forgive"
    WITHDRAW = "withdraw"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling; what does not apply to its kind is None.

    Args:
        number: From 1, in the order in which they were made.
        kind: What it does.
        reason: One line.
        made_at: When, UTC in ISO 8601.
        marks: By competition how many games were in the store then. Of a competition whose stages follow from one
            another it tells which of them were decided without this ruling, in whatever order games are stored.
        competition, board, seating: The game that is void or had the fault; of who is withdrawn the last board that
            counts, -1 for none.
        fault: Its number in the game, from 0; None for all of the entrant.
        entrant: Who is withdrawn, or whose fault is forgiven.
        revokes: The number of the ruling that is taken back.

    Raises:
        ValueError: The parts do not make a ruling.
    """

    number: int
    kind: RulingKind
    reason: str
    made_at: str
    marks: Mapping[str, int]
    competition: str | None = None
    board: int | None = None
    seating: int | None = None
    fault: int | None = None
    entrant: str | None = None
    revokes: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.kind, RulingKind):
            raise ValueError(f"{self.kind!r} is no kind of ruling")  # noqa: TRY004 - one error for all parts
        for what, least in (("number", 1), ("board", -1), ("seating", 0), ("fault", 0), ("revokes", 1)):
            value = getattr(self, what)
            if value is not None and (type(value) is not int or value < least):
                raise ValueError(f"{what} is {ascii(value)[:60]}")
        for what in ("reason", "made_at", "competition", "entrant"):
            value = getattr(self, what)
            if value is not None and type(value) is not str:
                raise ValueError(f"{what} is {ascii(value)[:60]}")
        if datetime.fromisoformat(self.made_at).utcoffset() != timedelta(0):
            raise ValueError(f"made_at is {ascii(self.made_at)[:60]}, not in UTC")
        if any(type(mark) is not int or mark < 0 for mark in self.marks.values()):
            raise ValueError("marks are no numbers of games")
        needed, allowed = _PARTS[self.kind]
        there = {what for what in _ALL_PARTS if getattr(self, what) is not None}
        if not needed <= there <= allowed or (self.board == -1 and self.kind is not RulingKind.WITHDRAW):
            raise ValueError(f"{self.kind} has {', '.join(sorted(there)) or 'nothing'}")

    @property
    def game(self) -> tuple[str, int, int] | None:
        """The game that it is about; None when it is about none."""
        if self.competition is None or self.board is None or self.seating is None:
            return None
        return self.competition, self.board, self.seating

    @property
    def what(self) -> str:
        """What is ruled, in words."""
        game = "" if self.seating is None else f"{self.competition}/{self.board}/{self.seating}"
        match self.kind:
            case RulingKind.VOID:
                return f"{game} is void"
            case RulingKind.FORGIVE if self.fault is None:
                return f"all faults of {self.entrant} in {game} are forgiven"
            case RulingKind.FORGIVE:
                return f"fault {self.fault} in {game}, of {self.entrant}, is forgiven"
            case RulingKind.WITHDRAW if self.board == -1:
                return f"{self.entrant} is withdrawn before its first board"
            case RulingKind.WITHDRAW:
                return f"{self.entrant} is withdrawn after {self.competition}/{self.board}"
            case RulingKind.REVOKE:
                return f"ruling {self.revokes} is taken back"

    def forgives(self, fault: StoredFault) -> bool:
        """Whether it forgives this fault, if it is in force."""
        return (
            self.kind is RulingKind.FORGIVE
            and self.game == (fault.competition, fault.board, fault.seating)
            and self.entrant == fault.entrant
            and self.fault in {None, fault.number}
        )


_GAME = frozenset({"competition", "board", "seating"})
_ALL_PARTS = (*sorted(_GAME), "fault", "entrant", "revokes")
#: What each kind must have, and may have.
_PARTS = {
    RulingKind.VOID: (_GAME, _GAME),
    RulingKind.FORGIVE: (_GAME | {"entrant"}, _GAME | {"entrant", "fault"}),
    RulingKind.WITHDRAW: (
        frozenset({"competition", "board", "entrant"}),
        frozenset({"competition", "board", "entrant"}),
    ),
    RulingKind.REVOKE: (frozenset({"revokes"}), frozenset({"revokes"})),
}


class Docket:
    """The rulings of one tournament, ready to be applied to its games.

    Args:
        rulings: All of them, in the order in which they were made.
        faults: Those of the tournament; read only where a ruling forgives.
        competitions: Their names, in schedule order.
        forfeit_after: Faults of a game at which a seat forfeits it.
    """

    __slots__ = (
        "_faults",
        "_forfeit_after",
        "_pardons",
        "_places",
        "_void",
        "in_force",
        "rulings",
        "withdrawn",
    )

    def __init__(
        self,
        rulings: Sequence[Ruling],
        faults: Iterable[StoredFault],
        competitions: Sequence[str],
        forfeit_after: int,
    ) -> None:
        self.rulings = tuple(rulings)
        revoked = {one.revokes for one in self.rulings}
        #: Those that hold, without those that only take others back.
        self.in_force = tuple(
            one for one in self.rulings if one.kind is not RulingKind.REVOKE and one.number not in revoked
        )
        self._places = {name: place for place, name in enumerate(competitions)}
        self._forfeit_after = forfeit_after
        self._void = {one.game for one in self.in_force if one.kind is RulingKind.VOID}
        self._pardons: dict[tuple[str, int, int], list[Ruling]] = defaultdict(list)
        #: Who is withdrawn, and after which competition and board.
        self.withdrawn: dict[str, Place] = {}
        for one in self.in_force:
            if one.kind is RulingKind.FORGIVE and one.game is not None:
                self._pardons[one.game].append(one)
            elif one.kind is RulingKind.WITHDRAW:
                assert one.entrant is not None, "see Ruling"
                assert one.competition is not None, "see Ruling"
                assert one.board is not None, "see Ruling"
                here = (one.competition, one.board)
                old = self.withdrawn.get(one.entrant, here)
                self.withdrawn[one.entrant] = here if self.is_before(here, old) else old
        looked_at = {one.game for one in self.rulings if one.kind is RulingKind.FORGIVE}
        self._faults: dict[tuple[str, int | None, int | None], list[StoredFault]] = defaultdict(list)
        if looked_at:
            for fault in faults:
                if (game := (fault.competition, fault.board, fault.seating)) in looked_at:
                    self._faults[game].append(fault)

    def is_before(self, one: Place, other: Place) -> bool:
        """Whether a board comes before another in the schedule."""
        return (self._places[one[0]], one[1]) < (self._places[other[0]], other[1])

    def as_ruled(self, game: StoredGame) -> StoredGame | None:
        """The game as it counts; None when it is void."""
        place = (game.competition, game.board, game.seating)
        if place in self._void:
            return None
        pardons = self._pardons.get(place)
        if not pardons:
            return game
        blamed: dict[int, int] = defaultdict(int)
        for fault in self._faults[place]:
            if not any(one.forgives(fault) for one in pardons):
                # A process that cannot be started forfeits at once.
                blamed[fault.seat] += self._forfeit_after if fault.cause == "start" else 1
        return replace(
            game, forfeits=tuple(seat for seat in game.forfeits if blamed[seat] >= self._forfeit_after)
        )

    def when(self, competition: str, games: int) -> Docket:
        """The docket of the time before that many games of a competition were exceeded.

        What follows from the results of a competition, so far, was decided by it, whatever is ruled later.

        Args:
            competition: Its name.
            games: How many games of it were stored.
        """
        return self._of(one for one in self.rulings if one.marks.get(competition, 0) <= games)

    def history(self) -> Iterator[Docket]:
        """The dockets from the latest to the empty one, one ruling less each time."""
        for count in range(len(self.rulings), -1, -1):
            yield self._of(self.rulings[:count])

    def _of(self, rulings: Iterable[Ruling]) -> Docket:
        kept = tuple(rulings)
        if len(kept) == len(self.rulings):
            return self
        faults = (fault for found in self._faults.values() for fault in found)
        return Docket(kept, faults, tuple(self._places), self._forfeit_after)


def checked_reason(text: str) -> str:
    """A reason as it is kept: one line of 1 to 500 characters.

    Raises:
        RefereeError: It is none.
    """
    reason = unicodedata.normalize("NFC", text.strip(" "))
    if not reason:
        raise RefereeError(
            "--reason is empty; say in one line why you rule so, since the tables will name it"
        )
    if any(map(_is_unseen, reason)):
        raise RefereeError("--reason contains a control character; a reason is one line of text")
    if len(reason) > _LONGEST_REASON:
        raise RefereeError(f"--reason has {len(reason)} characters; {_LONGEST_REASON} is the most")
    return reason


def legible(text: str) -> str:
    """A text from a store as a terminal may have it: what could steer the terminal or break the line is escaped."""
    return "".join(
        letter.encode("unicode_escape").decode() if _is_unseen(letter) else letter for letter in text
    )


def _is_unseen(letter: str) -> bool:
    return letter in _TURNING or unicodedata.category(letter) in _UNSEEN
