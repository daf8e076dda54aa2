"""Is a bot fit for a tournament? A stand-in of the referee for one bot, and a list of checks.

`examine` starts the program as the referee would, plays whole games with it and looks at what it does when it is
asked much at once, decided for, restarted and dismissed. Owns no rule of any game and no rule of play of the
referee beyond what docs/protocol.md promises a bot.
"""

from __future__ import annotations

from cardtable.conformance.claims import Match
from cardtable.conformance.doctor import examine
from cardtable.conformance.program import CommandError, Program, program_of
from cardtable.conformance.report import Check, Figures, Outcome, Report, check_lines, ending_lines
from cardtable.conformance.run import Limits

__all__ = [
    "Check",
    "CommandError",
    "Figures",
    "Limits",
    "Match",
    "Outcome",
    "Program",
    "Report",
    "check_lines",
    "ending_lines",
    "examine",
    "program_of",
]
