"""What a game tells of its finished deals to those who ask why a bot lost: figures, and how they are laid out.

Owns the shape alone: `Facts` are what one seat did and got in one deal, a `Scheme` says how to find them and which
figures of which rows are of interest. What the rows and figures are is the business of each game's `analysis`;
means, errors and comparisons are that of who folds many deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardtable.cards import CardSet

__all__ = ["Contrast", "Facts", "Figure", "Row", "Scheme", "Section"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What one seat did and got in one deal that counts.

    Args:
        seat: Whose facts these are.
        rows: Keys of the rows that the deal counts in, for this seat.
        values: By name; a value that does not apply is absent, and the deal does not count in its figure.
        stake: Points that the deal brought to the seat's score, or to its side's where sides score.
        round: Within it all seatings of a board play the same cards with the same seats, in whatever order.
        alike: What two deals of the same cards must also have in common to be compared as wholes.
        label: What the deal was for this seat, in a few words.
    """

    seat: int
    rows: tuple[str, ...]
    values: Mapping[str, float]
    stake: int
    round: str
    alike: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """Some of the deals: those whose facts name its key."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over deals.

    Args:
        key: The name of its value.
        label: For people, a few words.
        per: The value that it is divided by, summed over the deals; None: by the number of deals.
        percent: Whether it is a share, to be shown in per cent.
        better: 1 when more is better, -1 when less is, 0 when neither is.
    """

    key: str
    label: str
    per: str | None = None
    percent: bool = False
    better: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """Figures that belong together.

    Args:
        title: For people.
        lines: Which figure of which row, in the order in which they are to be shown.
        note: How they are to be read; empty where that is plain.
    """

    title: str
    lines: tuple[tuple[Row, Figure], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Contrast:
    """What it brought to do one thing with a hand, against those who did the other with the same hand.

    Args:
        label: For people.
        one, other: Keys of the rows of those who did the one and the other.
        figure: What is compared.
    """

    label: str
    one: str
    other: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Scheme:
    """How the deals of one variant are analysed.

    Args:
        facts: From the hands that were dealt and the summary of the deal (`State.summary`) to the facts of all
            seats; none of a deal that was void.
        sections: All figures, in the order in which they are to be shown; the first one holds the points.
        contrasts: All contrasts.
        round: What a round is called, where one holds several deals; empty where it is the deal.
    """

    facts: Callable[[Sequence[CardSet], Any], tuple[Facts, ...]]
    sections: tuple[Section, ...]
    contrasts: tuple[Contrast, ...] = ()
    round: str = ""
