"""`cardtable debug`: one game, stopped at each decision of one seat, with what others would have done there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardtable.commands.lineup import add_options, at_least

if TYPE_CHECKING:
    import argparse

__all__ = ["add_to"]

_ABOUT = """\
Play one game in this process and stop at each decision of one seat: what it sees, what is legal, what the bot answers
with its comment, and what other bots answer to the same view. The same --seed has the same cards as in
`cardtable play`. When the input is no terminal, all is printed at once: the whole game, one --deal, or one --turn."""
_EXAMPLES = """\
At each stop:
  Enter  the next decision        a  all hands, as nobody sees them
  n      the next trick           r  load the bot's file again, and ask again
  d      the next deal            q  quit

Examples:
  cardtable debug --bot ./my_bot.py --game trix --seat 2
  cardtable debug --bot ./my_bot.py --game trix --seed 7 --seat 2 --turn 14
  tourney export cup.db > games.jsonl
  cardtable debug --bot ./my_bot.py --record games.jsonl --line 3"""
_COMPARE: Final = "greedy,counter,search"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "debug",
        help="look over a bot's shoulder, decision by decision",
        description=_ABOUT,
        epilog=_EXAMPLES,
    )
    add_options(parser, needs_game=False)
    parser.add_argument("--seat", type=at_least(int, 0), help="whose decisions are shown (0)")
    parser.add_argument(
        "--bot-seat", type=at_least(int, 0), help="where the bot sits (in the seat that is shown)"
    )
    parser.add_argument("--deal", type=at_least(int, 0), help="begin at this deal, counted from 0")
    parser.add_argument(
        "--turn", type=at_least(int, 1), help="begin at this decision of the seat, counted from 1"
    )
    parser.add_argument(
        "--compare",
        default=_COMPARE,
        metavar="BOTS",
        help=f"who else is asked, apart by commas; none for nobody ({_COMPARE})",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="a game of `tourney export`: its cards, and what was done in all seats",
    )
    parser.add_argument("--line", type=at_least(int, 1), default=1, help="which line of that file (1)")
    parser.set_defaults(run=_debug)


def _debug(asked: argparse.Namespace) -> int:
    from cardtable.commands.inspection import Inspection
    from cardtable.commands.scene import scene_of

    return Inspection(scene_of(asked), deal=asked.deal, turn=asked.turn).run()
