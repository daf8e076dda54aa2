"""A command whose words may begin with a minus and a digit: they reach it, which can say what would be right."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

__all__ = ["TakesNumbers"]

_NEGATIVE = re.compile(r"-\d.*", re.DOTALL)


class TakesNumbers(TyperCommand):
    """Takes -1 for a word like any other, not for an option that nobody knows."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words that follow the command."""
        ctx.ignore_unknown_options = any(map(_NEGATIVE.fullmatch, args))
        return super().parse_args(ctx, args)
