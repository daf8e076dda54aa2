"""A bot's command that is written as one text: its words, as a shell would split them. Starts nothing, and no shell."""

from __future__ import annotations

import re
import shlex
from typing import Final

__all__ = ["split_command"]

#: Words that a shell would act upon: pipes, lists, and redirections with or without their file.
_SHELL_WORD: Final = re.compile(r"[|&;]+|\d*[<>].*|&>.*", re.DOTALL)


def split_command(text: str) -> list[str]:
    """Split a command as a shell would.

    Args:
        text: The command; what is in quotes means itself.

    Raises:
        ValueError: A quotation has no end, or a word means something to a shell alone; the message says what of the
            command is wrong, and in the second case what would be right.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"cannot be split as a shell would: {str(error).lower()}") from None
    for word in _raw_words(text):
        if _SHELL_WORD.fullmatch(word):
            raise ValueError(
                f"""has "{word}", and no shell runs it: name one program and its arguments, or a shell of your own, """
                """sh -c "…", and where the bot is to get the word itself, quote it"""
            )
    return words


def _raw_words(text: str) -> list[str]:
    """The words with their quotes; none where quotes are escaped, which this way of splitting cannot read."""
    try:
        return shlex.split(text, posix=False)
    except ValueError:
        return []
