"""Whether the rulings of a store can have been made: what they refer to is there, and they stand in order.

Owns what is wrong with a ruling, in words. Whether it was just, nobody can recompute.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from referee.errors import RefereeError
from referee.rulings import RulingKind, checked_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.rulings import Ruling
    from referee.stored import CompetitionInfo, StoredFault, StoredGame

__all__ = ["wrong_rulings"]


def wrong_rulings(
    rulings: Sequence[Ruling],
    games: Sequence[StoredGame],
    faults: Iterable[StoredFault],
    competitions: Sequence[CompetitionInfo],
) -> Iterator[tuple[Ruling, str]]:
    """Yield what does not hold of the rulings of a store.

    Args:
        rulings: All of them, by number.
        games: All games.
        faults: All faults.
        competitions: All competitions.
    """
    there = {(game.competition, game.board, game.seating) for game in games}
    stored = Counter(game.competition for game in games)
    told: dict[tuple[str, int | None, int | None], list[StoredFault]] = defaultdict(list)
    for fault in faults:
        told[fault.competition, fault.board, fault.seating].append(fault)
    earlier: dict[int, Ruling] = {}
    held: set[tuple[object, ...]] = set()
    marks = dict.fromkeys((one.name for one in competitions), 0)
    for number, ruling in enumerate(rulings, 1):
        if ruling.number != number:
            yield ruling, f"it stands where ruling {number} should, and rulings are never deleted"
        for name, mark in ruling.marks.items():
            if mark < marks[name]:
                yield ruling, f"it has seen {mark} games of {name}, the ruling before it {marks[name]}"
            elif mark > stored[name]:
                yield ruling, f"it has seen {mark} games of {name}; there are {stored[name]}"
        marks = {name: max(mark, marks[name]) for name, mark in ruling.marks.items()}
        if not _is_reason(ruling.reason):
            yield ruling, "its reason is not one line of 1 to 500 characters"
        if ruling.game is not None and ruling.game not in there:
            yield ruling, "there is no such game"
        elif ruling.kind is RulingKind.FORGIVE and not any(
            map(ruling.forgives, told[ruling.game or ("", 0, 0)])
        ):
            yield ruling, "there is no such fault"
        key = _key(ruling)
        if key in held:
            yield ruling, "it rules what an earlier one does"
        held.add(key)
        if ruling.revokes is not None:
            old = earlier.get(ruling.revokes)
            if old is None or old.kind is RulingKind.REVOKE:
                yield ruling, f"there is no earlier ruling {ruling.revokes} to take back"
            else:
                held.discard(_key(old))
        earlier[ruling.number] = ruling


def _is_reason(text: str) -> bool:
    try:
        return checked_reason(text) == text
    except RefereeError:
        return False


def _key(ruling: Ruling) -> tuple[object, ...]:
    """What two rulings that rule the same have in common."""
    if ruling.kind is RulingKind.WITHDRAW:
        return (ruling.kind, ruling.entrant)
    return (ruling.kind, ruling.game, ruling.fault, ruling.entrant, ruling.revokes)
