"""An organiser's rulings in words and as objects: number, what, when and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.rulings import RulingKind, legible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.joining import Ruled
    from referee.stored import StoredFault, StoredGame

__all__ = ["about_fault", "about_game", "ruling_json", "ruling_line", "rulings_words"]


def ruling_line(ruled: Ruled) -> str:
    """Number, what and why, as it stands below a table."""
    of = "" if ruled.tournament is None else f" of {ruled.tournament}"
    return legible(f"ruling {ruled.ruling.number}{of}: {ruled.ruling.what}: {ruled.ruling.reason}")


def ruling_json(ruled: Ruled) -> dict[str, object]:
    """One ruling as an object; what does not apply to its kind is null."""
    one = ruled.ruling
    is_of_board = one.kind is RulingKind.WITHDRAW and one.board != -1
    return {
        "number": one.number,
        "tournament": ruled.tournament,
        "kind": one.kind,
        "what": one.what,
        "game": None if one.game is None else "/".join(map(str, one.game)),
        "fault": one.fault,
        "bot": one.entrant,
        "last_board": f"{one.competition}/{one.board}" if is_of_board else None,
        "revokes": one.revokes,
        "reason": one.reason,
        "made_at": one.made_at,
        "in_force": ruled.in_force,
    }


def about_game(game: StoredGame, rulings: Iterable[Ruled]) -> list[Ruled]:
    """Those in force that are about this game."""
    place = (game.competition, game.board, game.seating)
    return [one for one in rulings if one.in_force and one.ruling.game == place]


def about_fault(fault: StoredFault, rulings: Iterable[Ruled]) -> list[Ruled]:
    """Those in force that forgive this fault, or make its game void."""
    place = (fault.competition, fault.board, fault.seating)
    return [
        one
        for one in rulings
        if one.in_force
        and (one.ruling.forgives(fault) or (one.ruling.kind is RulingKind.VOID and one.ruling.game == place))
    ]


def rulings_words(rulings: Iterable[Ruled]) -> str:
    """What some rulings make of a game or a fault, for a cell of a table."""
    done = {RulingKind.VOID: "void", RulingKind.FORGIVE: "forgiven"}
    return ", ".join(
        f"{done.get(one.ruling.kind, one.ruling.kind)} by {one.ruling.number}" for one in rulings
    )
