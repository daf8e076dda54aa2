"""Making rulings: whether what is asked for can be ruled, what it means in this store, and the row that keeps it.

Owns the refusals, each a line that says what would be right.
Holds the store as a run does, so that nothing is played while it looks. Applies nothing: `referee.rulings` does.

    RulingRefused    it cannot be ruled
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from referee.audit.terms import Terms
from referee.audit.withdrawal import last_board
from referee.errors import RefereeError
from referee.joining import docket_of
from referee.merge import sources_of
from referee.rulings import RulingKind, checked_reason
from referee.store_errors import StoreLocked
from referee.stored import place_named
from referee.toml_reading import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.rulings import Docket, Ruling
    from referee.store import Store
    from referee.stored import StoredFault

__all__ = ["RulingRefused", "forgive", "revoke", "void", "withdraw"]


class RulingRefused(RefereeError):
    """It cannot be ruled; the message is one line."""


def void(store: Store, name: str, reason: str) -> Ruling:
    """Rule that a game counts nowhere.

    Args:
        store: Where.
        name: COMPETITION/BOARD/SEATING.
        reason: One line.

    Raises:
        RefereeError: There is no such game, it is void already, the reason is none, or a run holds the store.
    """
    said = checked_reason(reason)
    with _held(store):
        game = _game(store, name)
        for one in _docket(store).in_force:
            if one.kind is RulingKind.VOID and one.game == game:
                raise RulingRefused(f"{name} is void already, by ruling {one.number}")
        competition, board, seating = game
        return store.add_ruling(RulingKind.VOID, said, competition=competition, board=board, seating=seating)


def forgive(store: Store, name: str, fault: int | None, bot: str | None, reason: str) -> Ruling:
    """Rule that a fault, or all faults that an entrant had in a game, do not count towards its forfeit.

    Args:
        store: Where.
        name: COMPETITION/BOARD/SEATING.
        fault: Its number in this game, from 0; None for all faults of the bot.
        bot: Whose; needed without the number of a fault.
        reason: One line.

    Raises:
        RefereeError: There is no such game or fault, it is forgiven already, the reason is none, or a run holds the
            store.
    """
    said = checked_reason(reason)
    with _held(store):
        game = _game(store, name)
        if bot is not None:
            _check_bot(store, bot)
        competition, board, seating = game
        there = [one for one in store.faults(competition) if (one.board, one.seating) == (board, seating)]
        asked = [one for one in there if bot in {None, one.entrant} and fault in {None, one.number}]
        if not asked:
            raise RulingRefused(f"{name} has no {_words(fault, bot)}; {_listed(there)}")
        pardons = [one for one in _docket(store).in_force if one.kind is RulingKind.FORGIVE]
        by = [next((one for one in pardons if one.forgives(each)), None) for each in asked]
        if by[0] is not None and all(by):
            said = f"{_words(fault, bot)} in {name}"
            raise RulingRefused(f"{said}: forgiven already, by ruling {by[0].number}")
        return store.add_ruling(
            RulingKind.FORGIVE,
            said,
            competition=competition,
            board=board,
            seating=seating,
            fault=fault,
            entrant=asked[0].entrant,
        )


def withdraw(store: Store, bot: str, reason: str) -> Ruling:
    """Rule that an entrant has left the tournament, before its first board that is yet to be played.

    Args:
        store: Where.
        bot: Who.
        reason: One line.

    Raises:
        RefereeError: There is no such entrant, it is withdrawn already, the reason is none, or a run holds the store.
    """
    said = checked_reason(reason)
    with _held(store):
        _check_bot(store, bot)
        docket = _docket(store)
        for one in docket.in_force:
            if one.kind is RulingKind.WITHDRAW and one.entrant == bot:
                raise RulingRefused(f"{bot} is withdrawn already, by ruling {one.number}")
        info = store.info()
        terms = Terms.of(info, store.path)
        # Once a seed that was drawn is revealed nothing more is played, whatever rulings leave undone.
        is_over = terms.master is None and info.revealed_seed is not None
        competition, board = last_board(
            terms, store.competitions, tuple(store.games()), docket, bot, is_over=is_over
        )
        return store.add_ruling(RulingKind.WITHDRAW, said, competition=competition, board=board, entrant=bot)


def revoke(store: Store, number: str, reason: str) -> Ruling:
    """Take a ruling back.

    Args:
        store: Where.
        number: Of the ruling.
        reason: One line.

    Raises:
        RefereeError: There is no such ruling, it is taken back already, the reason is none, or a run holds the store.
    """
    said = checked_reason(reason)
    with _held(store):
        docket = _docket(store)
        known = {str(one.number): one for one in docket.rulings}
        if number not in known:
            raise RulingRefused(f"{store.path} has no ruling {number}; {_rulings(docket)}")
        old = known[number]
        if old.kind is RulingKind.REVOKE:
            raise RulingRefused(
                f"ruling {number} took back ruling {old.revokes}: what it was is to be ruled anew"
            )
        for one in docket.rulings:
            if one.revokes == old.number:
                raise RulingRefused(f"ruling {number} is taken back already, by ruling {one.number}")
        return store.add_ruling(RulingKind.REVOKE, said, revokes=old.number)


@contextmanager
def _held(store: Store) -> Iterator[None]:
    if store.is_merged:
        raise RulingRefused(f"{store.path} is merged from other stores: rule in the one that it is about")
    with ExitStack() as stack:
        try:
            stack.enter_context(store.run())
        except StoreLocked as error:
            raise StoreLocked(f"{error}: rule when that run has ended", error.pid) from error
        yield


def _docket(store: Store) -> Docket:
    (source,) = sources_of(store)
    return docket_of(source)


def _game(store: Store, name: str) -> tuple[str, int, int]:
    place = place_named(name)
    if place is None:
        raise RulingRefused(
            f"{quoted(name)} is no game: a game is COMPETITION/BOARD/SEATING, such as trix/12/0"
        )
    if store.has(*place):
        return place
    names = [one.name for one in store.competitions]
    if place[0] not in names:
        raise RulingRefused(
            f"{store.path} has no competition {quoted(place[0])}; {nearest(place[0], names, 'it has')}"
        )
    near = min(
        store.games(place[0]),
        key=lambda game: (abs(game.board - place[1]), abs(game.seating - place[2])),
        default=None,
    )
    found = "it has none yet" if near is None else f"the nearest is {near.name}"
    raise RulingRefused(f"{store.path} has no game {name}; {found}")


def _check_bot(store: Store, bot: str) -> None:
    names = [one.name for one in store.entrants]
    if bot not in names:
        raise RulingRefused(f"{store.path} has no bot {quoted(bot)}; {nearest(bot, names, 'it has')}")


def _words(fault: int | None, bot: str | None) -> str:
    of = "" if bot is None else f" of {bot}"
    return f"faults{of}" if fault is None else f"fault {fault}{of}"


def _listed(faults: Sequence[StoredFault]) -> str:
    if not faults:
        return "it has no faults"
    return "it has " + ", ".join(f"fault {one.number} of {one.entrant}" for one in faults)


def _rulings(docket: Docket) -> str:
    last = len(docket.rulings)
    return "there are none" if not last else f"the last is ruling {last}"
