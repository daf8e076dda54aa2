"""`faults` and `logs`: what went wrong, and what the bots wrote."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from referee.bot_process import log_files
from referee.cli.places import competitions_of, game_name, logs_of, open_cup, rulings_of
from referee.cli.results import show
from referee.errors import RefereeError
from referee.report.faults import fault_json, fault_text, faults_table
from referee.report.rulings import about_fault, ruling_line
from referee.report.tables import count
from referee.store_errors import sound
from referee.toml_reading import nearest

if TYPE_CHECKING:
    from referee.database.address import StoreAddress
    from referee.store import Store

__all__ = ["print_faults", "print_logs"]


def print_faults(
    cup: StoreAddress, game: str | None, *, competition: str | None, bot: str | None, as_json: bool
) -> None:
    """List the faults of a store; of one game with all that is known of each.

    Args:
        cup: A store, or the tournament file that names it.
        game: Only those of this game, COMPETITION/BOARD/SEATING.
        competition: Only those of this competition.
        bot: Only those of this entrant.
        as_json: Whether to print an object for each, one a line, with the question and the end of the output.
    """
    with open_cup(cup) as store:
        competitions = {one.name for one in competitions_of(store, competition)}
        if bot is not None:
            _check_bot(store, bot)
        place = None if game is None else game_name(store, game)
        faults = [
            fault
            for fault in store.faults()
            if fault.competition in competitions
            and bot in {None, fault.entrant}
            and place in {None, (fault.competition, fault.board, fault.seating)}
        ]
        rulings = [
            one for one in rulings_of(store) if any(one in about_fault(fault, [one]) for fault in faults)
        ]
        with sound(store.path, "the question of a fault"):
            found = [fault_json(fault, rulings) for fault in faults] if as_json else []
        games = len({fault.game for fault in faults} - {None})
    if as_json:
        for one in found:
            print(json.dumps(one, ensure_ascii=False))
    elif not faults:
        print("no faults")
    elif game is not None:
        print("\n\n".join(fault_text(fault, rulings) for fault in faults))
    else:
        total = f"{count(len(faults), 'fault')} in {count(games, 'game')}"
        more = f"`tourney faults {cup} GAME` shows the questions and what the bot wrote"
        show(partial(faults_table, faults, rulings), [f"{total}; {more}", *map(ruling_line, rulings)])


def print_logs(cup: StoreAddress, bot: str, game: str | None) -> None:
    """Print what a bot's processes wrote, each with the name of its file.

    Args:
        cup: A store, or the tournament file that names it.
        bot: The entrant.
        game: Only of the seats that it had in this game; a process plays many games at once, so its lines cannot be
            told apart.
    """
    with open_cup(cup) as store:
        _check_bot(store, bot)
        seats = None
        if game is not None:
            seated = store.record(*game_name(store, game)).seats
            seats = {seat for seat, name in enumerate(seated) if name == bot}
            if not seats:
                raise RefereeError(f"{bot} does not play in {game}; it seats {', '.join(seated)}")
        folder = logs_of(cup)
    files = log_files(str(folder), bot, seats)
    if not files:
        raise RefereeError(f"{folder} holds no output of {bot}")
    for file in files:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise RefereeError(f"{file} cannot be read: {error.strerror}") from None
        print(f"==> {file} <==\n{text}")


def _check_bot(store: Store, bot: str) -> None:
    names = [one.name for one in store.entrants]
    if bot not in names:
        raise RefereeError(f"{store.path} has no bot {bot!r}; {nearest(bot, names, 'it has')}")
