"""Cards, emphasis and columns for a terminal or a file: suits have symbols where these can be written, and colours."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, TextIO

from cardtable.cards import Suit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardtable.cards import Card, CardSet

__all__ = ["Ink"]

_SYMBOLS: Final = "♠♥♦♣"
#: Two reds would be hard to tell apart, and so would two blacks.
_COLOURS: Final = ("1", "31", "33", "32")
_SEQUENCE: Final = re.compile(r"\033\[[0-9;]*m")


class Ink:
    """How to write.

    Args:
        colour: Whether to write colours and emphasis.
        symbols: Whether to write the symbols of suits, or else their letters.
    """

    def __init__(self, *, colour: bool = False, symbols: bool = True) -> None:
        self.colour = colour
        self.symbols = symbols

    @classmethod
    def of(cls, stream: TextIO, environment: Mapping[str, str] = os.environ) -> Ink:
        """What suits a stream: colour on terminals alone, and not against NO_COLOR."""
        plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
        try:
            _SYMBOLS.encode(stream.encoding or "ascii")
        except UnicodeEncodeError:
            return cls(colour=stream.isatty() and not plain, symbols=False)
        return cls(colour=stream.isatty() and not plain)

    def bold(self, text: str) -> str:
        """With emphasis."""
        return self._in("1", text)

    def faint(self, text: str) -> str:
        """Less than the rest."""
        return self._in("2", text)

    def alarm(self, text: str) -> str:
        """What went wrong."""
        return self._in("1;31", text)

    def suit(self, suit: Suit) -> str:
        """Its symbol."""
        return self._in(_COLOURS[suit], self._sign(suit))

    def card(self, card: Card) -> str:
        """A card: rank, then suit."""
        return self._in(_COLOURS[card.suit], card.rank.letter + self._sign(card.suit))

    def cards(self, cards: Iterable[Card]) -> str:
        """Cards one after the other; a dash for none."""
        return " ".join(map(self.card, cards)) or "-"

    def hand(self, hand: CardSet, legal: CardSet | None = None) -> str:
        """A hand suit by suit, highest first; what is not among the legal cards is faint."""
        suits = []
        for suit in Suit:
            ranks = " ".join(
                self._in(_COLOURS[suit], card.rank.letter)
                if legal is None or card in legal
                else self.faint(card.rank.letter)
                for card in sorted(hand.of_suit(suit), reverse=True)
            )
            suits.append(f"{self.suit(suit)} {ranks or '-'}")
        return "   ".join(suits)

    def rule(self, title: str, width: int = 78) -> str:
        """A title with a line behind it."""
        line = ("─" if self.symbols else "-") * max(2, width - len(title) - 4)
        return f"{self.faint(line[:2])} {self.bold(title)} {self.faint(line)}"

    def columns(self, rows: Sequence[Sequence[str]], least: int = 0) -> list[str]:
        """Rows of cells in columns, each as wide as its widest cell."""
        widths = [max(least, *map(_width, column)) for column in zip(*rows, strict=True)]
        return [
            "  ".join(
                cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
            ).rstrip()
            for row in rows
        ]

    def _sign(self, suit: Suit) -> str:
        return _SYMBOLS[suit] if self.symbols else suit.letter

    def _in(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.colour else text


def _width(text: str) -> int:
    return len(_SEQUENCE.sub("", text))
