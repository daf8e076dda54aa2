"""`cardtable play`: quick games of a bot against others in this process, and what it wins and loses where."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from cardtable.commands.failing import BotFailure, act, ask, telling
from cardtable.commands.findings import Findings
from cardtable.commands.lineup import add_options, at_least, lineup_of
from cardtable.local import Table, seed_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from cardtable.commands.lineup import Lineup

__all__ = ["add_to"]

_ABOUT = """\
Play whole games against other bots in this process: no referee, no clock. A board is one game's worth of cards; it is
played once with the bot in each seat (on each side, where seats score together), the others in the seats after it.
The first board has the cards of --seed, the next one those of --seed + 1, and so on. Shown are points per deal with
their standard errors, and where the bot gains and loses against the others. An error of a bot, or an action that is
illegal, ends it with status 1, and the command that shows the decision again."""
_EXAMPLES = """\
Examples:
  cardtable play --bot ./my_bot.py --game trix
  cardtable play --bot ./my_bot.py --game vytrix --against search --boards 3
  cardtable play --bot ./new.py --game trix --against ./old.py --option partners=true --boards 50"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "play",
        help="play quick games at home, and see where a bot loses",
        description=_ABOUT,
        epilog=_EXAMPLES,
    )
    add_options(parser)
    parser.add_argument(
        "--boards", "--games", type=at_least(int, 1), default=10, help="games' worth of cards (10)"
    )
    parser.add_argument("--seat", type=at_least(int, 0), help="keep the bot in this seat")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_play)


def _play(asked: argparse.Namespace) -> int:
    lineup = lineup_of(asked)
    places = range(len(lineup.places)) if asked.seat is None else [lineup.place_of(asked.seat)]
    tables = [(board, place) for board in range(asked.boards) for place in places]
    found = Findings.of(lineup)
    for board, place in _told(tables, quiet=asked.json):
        seed = asked.seed + board
        try:
            found.add(board, place, _summaries(lineup, seed, board, place))
        except BotFailure as failure:
            seat = lineup.places[place][0] if failure.seat is None else failure.seat
            again = lineup.debug_command(board, place, seed, seat, failure.deal, failure.turn)
            _print_failure(failure, seed, again, as_json=asked.json)
            return 1
    if asked.json:
        head = {"game": lineup.game.name, "variant": lineup.game.options(lineup.variant), "seed": asked.seed}
        print(json.dumps({**head, "games": len(tables), **found.as_json(len(tables))}, ensure_ascii=False))
    else:
        last = asked.seed + asked.boards - 1
        seeds = f"seed {asked.seed}" if asked.boards == 1 else f"seeds {asked.seed} to {last}"
        title = lineup.game.title_of(lineup.variant)
        print(f"{title}: {asked.boards} boards of {len(places)}, {len(tables)} games, {seeds}\n")
        print(found.text(len(tables)))
    return 0


def _summaries(lineup: Lineup, seed: int, board: int, place: int) -> list[Any]:
    """Play a game; what the rules show of its deals."""
    labels = [lineup.labels[one] for one in lineup.by_seat(board, place)]
    with telling():
        table = Table(lineup.game.name, lineup.bots(board, place), variant=lineup.options, seed=seed_of(seed))
    while table.question is not None:
        act(table, labels, *ask(table, labels))
    return table.summaries


def _told(tables: Sequence[tuple[int, int]], *, quiet: bool) -> Iterator[tuple[int, int]]:
    """All tables, while a terminal is told how far it is."""
    shows = not quiet and sys.stderr.isatty()
    for number, table in enumerate(tables):
        if shows:
            print(f"\r{number} of {len(tables)} games", end="", file=sys.stderr, flush=True)
        yield table
    if shows:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _print_failure(failure: BotFailure, seed: int, again: str, *, as_json: bool) -> None:
    if as_json:
        place = {"deal": failure.deal, "seat": failure.seat, "turn": failure.turn, "seed": seed}
        told = {"bot": failure.who, "message": failure.said, **place, "traceback": failure.trace}
        print(json.dumps({"failure": {**told, "again": again}}, ensure_ascii=False))
        return
    clear = "\r\033[K" if sys.stderr.isatty() else ""
    trace = f"{failure.trace}\n" if failure.trace else ""
    print(f"{clear}{trace}cardtable: seed {seed}: {failure}\nSee it again: {again}", file=sys.stderr)
