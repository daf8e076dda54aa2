"""What all commands of `tourney` have in common: how their words are read, and how their help looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Commands", "TakesNumbers", "examples"]

_NEGATIVE = re.compile(r"-\d.*", re.DOTALL)


def examples(*commands: str) -> str:
    """What stands below a command's help: each example in a line of its own."""
    head = "Example:" if len(commands) == 1 else "Examples:"
    # Two blanks at the end break a line in Markdown.
    return head + "\n\n" + "  \n".join(f"`{command}`" for command in commands)


class _Argument(TyperArgument):
    """An argument that is called by its name alone."""

    @property
    def display_name_raw(self) -> str:
        """Its name, in capitals as what is to be replaced."""
        return self.metavar or self.name.upper()

    def display_type_rich(self, ctx: Any) -> str | None:  # noqa: ARG002 - the base class's form
        """Say nothing: the name and the help do."""
        return ""

    def get_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class's form
        """Return its name, in brackets where it may be left out."""
        name = self.display_name_raw + ("..." if self.nargs != 1 else "")
        return [name if self.required else f"[{name}]"]


def _plain(params: list[Any]) -> list[Any]:
    """Name types only where there is something to type."""
    for param in params:
        if isinstance(param, TyperArgument):
            param.__class__ = _Argument
        elif isinstance(param, TyperOption) and param.is_flag:
            param.metavar = ""
    return params


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        """Return what may be given, as the help shows it."""
        return _plain(super().get_params(ctx))


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        """Return what may be given, as the help shows it."""
        return _plain(super().get_params(ctx))


class TakesNumbers(_Command):
    """Takes -1 for a word like any other, not for an option that nobody knows."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words that follow the command."""
        ctx.ignore_unknown_options = any(map(_NEGATIVE.fullmatch, args))
        return super().parse_args(ctx, args)


class Commands(typer.Typer):
    """The commands, with their help in one form."""

    def __init__(self, **options: Any) -> None:
        super().__init__(cls=_Group, **options)

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """Add a command, as `typer.Typer.command` does."""
        return super().command(name, **({"cls": _Command} | options))
