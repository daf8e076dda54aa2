"""What a bot does wrong in local play, told so that its author finds the place: who, where, and its own traceback."""

from __future__ import annotations

import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cardtable
from cardtable.engine import IllegalAction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardtable.local import Question, Table

__all__ = ["BotFailure", "act", "ask", "telling"]

_PACKAGE: Final = Path(cardtable.__file__).parent
#: What stands above a bot's own lines in a traceback.
_OURS: Final = tuple(str(_PACKAGE / part) for part in ("bot.py", "local.py", "commands"))


class BotFailure(Exception):
    """A bot has raised an error, or done what the rules forbid.

    Args:
        who: The bot.
        said: One line: what went wrong.
        deal: Number of the deal, from 0.
        seat: Where the bot sits; None when it was told something and not asked.
        turn: Number of the question; None likewise.
        trace: The bot's own part of the traceback; empty for an illegal action.
    """

    def __init__(
        self,
        who: str,
        said: str,
        deal: int,
        seat: int | None = None,
        turn: int | None = None,
        trace: str = "",
    ) -> None:
        place = f", told of deal {deal}" if turn is None else f" in seat {seat}, deal {deal}, turn {turn}"
        super().__init__(f"{who}{place}: {said}")
        self.who = who
        self.said = said
        self.deal = deal
        self.seat = seat
        self.turn = turn
        self.trace = trace


def ask(table: Table, labels: Sequence[str]) -> tuple[Any, str]:
    """The answer of the bot that is to act, and its comment.

    Args:
        table: Its table.
        labels: What each seat is called.

    Raises:
        BotFailure: It raised an error, or returned something that is no action.
    """
    question = _open(table)
    try:
        return table.ask()
    except (Exception, SystemExit) as error:
        place = (question.deal, question.seat, question.turn)
        raise BotFailure(labels[question.seat], _said(error), *place, _trace(error)) from error


def act(table: Table, labels: Sequence[str], action: Any, comment: str = "") -> None:
    """Make this action.

    Raises:
        BotFailure: The rules forbid it, or a bot that was told of it raised an error.
    """
    question = _open(table)
    try:
        with telling(question.deal):
            table.act(action, comment)
    except IllegalAction as error:
        why = error.__cause__ or error
        said = f"{action} is illegal: {why} (rule {error.rule})"
        raise BotFailure(labels[question.seat], said, question.deal, question.seat, question.turn) from error


@contextmanager
def telling(deal: int = 0) -> Iterator[None]:
    """Around what tells all bots something, such as the end of a deal.

    Raises:
        BotFailure: One of them raised an error.
    """
    try:
        yield
    except IllegalAction:
        raise
    except (Exception, SystemExit) as error:
        raise BotFailure("a bot", _said(error), deal, trace=_trace(error)) from error


def _open(table: Table) -> Question:
    assert table.question is not None
    return table.question


def _said(error: BaseException) -> str:
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _trace(error: BaseException) -> str:
    found = traceback.TracebackException.from_exception(error)
    frames = list(found.stack)
    while frames and frames[0].filename.startswith(_OURS):
        del frames[0]
    found.stack = traceback.StackSummary.from_list(frames)
    return "".join(found.format()).rstrip()
