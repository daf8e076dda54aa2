"""`rule`: the organiser's rulings, made and listed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from referee.cli.places import open_cup, rulings_of
from referee.cli.results import show
from referee.court import forgive, revoke, void, withdraw
from referee.errors import RefereeError
from referee.joining import Ruled
from referee.report.rulings import ruling_json, ruling_line
from referee.report.tables import rulings_table
from referee.toml_reading import nearest, quoted

if TYPE_CHECKING:
    from referee.database.address import StoreAddress
    from referee.rulings import Ruling
    from referee.store import Store

__all__ = ["Asked", "rule"]

#: What each ruling is about, in the order of the words.
_ABOUT = {"void": "GAME", "forgive": "GAME FAULT", "withdraw": "BOT", "revoke": "NUMBER"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asked for; see the arguments of `tourney rule`."""

    what: str | None
    about: tuple[str, ...]
    bot: str | None
    reason: str | None
    as_json: bool


def rule(cup: StoreAddress, asked: Asked) -> None:
    """Make a ruling and say which, or list all of them.

    Raises:
        RefereeError: It cannot be ruled.
    """
    with open_cup(cup) as store:
        if asked.what is None:
            if asked.reason is not None or asked.bot is not None:
                raise RefereeError(f"name what is ruled: {', '.join(_ABOUT)}")
            _list(rulings_of(store), as_json=asked.as_json)
            return
        made = Ruled(_made(store, asked.what, asked), None, in_force=asked.what != "revoke")
    print(json.dumps(ruling_json(made), ensure_ascii=False) if asked.as_json else ruling_line(made))


def _made(store: Store, what: str, asked: Asked) -> Ruling:
    if what not in _ABOUT:
        raise RefereeError(f"{quoted(what)} is no ruling; {nearest(what, _ABOUT, 'there are')}")
    wanted = 1 if asked.bot is not None else len(_ABOUT[what].split())
    if asked.bot is not None and what != "forgive":
        raise RefereeError(
            f"--bot goes with forgive alone, for all faults of a bot in a game, not with {what}"
        )
    if len(asked.about) != wanted:
        about = "GAME --bot NAME" if asked.bot is not None else _ABOUT[what]
        more = (
            ", or GAME --bot NAME for all faults of a bot" if what == "forgive" and asked.bot is None else ""
        )
        raise RefereeError(f"write {what} {about}{more}: {len(asked.about)} words are not {wanted}")
    if asked.reason is None:
        raise RefereeError("a ruling needs --reason, one line that the tables will name")
    first = asked.about[0]
    match what:
        case "void":
            return void(store, first, asked.reason)
        case "forgive":
            fault = None if asked.bot is not None else _number(asked.about[1])
            return forgive(store, first, fault, asked.bot, asked.reason)
        case "withdraw":
            return withdraw(store, first, asked.reason)
        case _:
            return revoke(store, first, asked.reason)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise RefereeError(
            f"{quoted(text)} is no number of a fault, which count from 0; `tourney faults CUP GAME` has them,"
            " and --bot NAME stands for all of a bot"
        )
    return int(text)


def _list(rulings: tuple[Ruled, ...], *, as_json: bool) -> None:
    if as_json:
        for one in rulings:
            print(json.dumps(ruling_json(one), ensure_ascii=False))
    elif rulings:
        show(partial(rulings_table, rulings))
    else:
        print("no rulings")
