"""Which of several open decisions a bot crashed at: they are asked again one at a time, in schedule order.

Only keeps count; who asks and who judges is `referee.seat`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.bot_process import BotProcess

__all__ = ["Inquiry"]


class Inquiry:
    """The decisions that were open at a crash and are not settled yet.

    Args:
        bot: The process that crashed.
        tables: Where it owed answers; tables are numbered in schedule order.
    """

    __slots__ = ("_open", "bot", "culprit_found")

    def __init__(self, bot: BotProcess, tables: Iterable[int]) -> None:
        self.bot = bot
        self.culprit_found = False
        self._open = sorted(tables)

    @property
    def next(self) -> int:
        """The table whose question is asked next, alone."""
        return self._open[0]

    def settle(self, table: int, *, guilty: bool) -> bool:
        """A question has been answered, or the seat is at fault there; whether it was the last one."""
        if table in self._open:
            self._open.remove(table)
            self.culprit_found = self.culprit_found or guilty
        return not self._open
