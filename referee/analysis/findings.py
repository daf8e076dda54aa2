"""What an analysis finds: plain values for tables, pages and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardtable.figures import Figure, Row, Scheme
    from referee.analysis.estimates import Gap, Value

__all__ = ["Analysis", "ContrastLine", "CostlyDeal", "Field", "Line"]


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of one row.

    Args:
        section: Title of the section that it stands in.
        row: Which deals.
        figure: What is measured.
        own: Over all deals of the entrant that count; None where it has none.
        same_cards: Against the other entrants who had the same cards: the same seat of the same board in the same
            round (Trix: kingdom; Vytrix: hand). None where there was nobody to compare with.
        same_hand: Against those who had the same hand in the same deal, played as the same thing (Trix: contract);
            None where that is nobody, and in a game of which it would be `same_cards` again.
    """

    section: str
    row: Row
    figure: Figure
    own: Value | None
    same_cards: Gap | None
    same_hand: Gap | None


@dataclass(frozen=True, slots=True)
class ContrastLine:
    """What it brought to do one thing rather than another with the same hand.

    Args:
        label: The one thing and the other.
        figure: What is measured.
        gap: Those who did the one against those who did the other, where the entrant was among either; its `field`
            is the mean of those who did the other.
    """

    label: str
    figure: Figure
    gap: Gap | None


@dataclass(frozen=True, slots=True)
class CostlyDeal:
    """One deal in which the entrant got less than others with the same hand.

    Args:
        game: COMPETITION/BOARD/SEATING.
        deal: Its number in the game, as `tourney show` prints it.
        seat: Where the entrant sat.
        label: What the deal was for it.
        points: What it brought to the entrant, or to its side.
        field: The mean of what it brought to the others.
        lost: `field` less `points`, above zero.
        others: What it brought to each of the others on average, by name.
    """

    game: str
    deal: int
    seat: int
    label: str
    points: float
    field: float
    lost: float
    others: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that is found of one entrant in one competition.

    Args:
        competition: Its name.
        entrant: Whose analysis it is.
        boards, games: Complete boards that count, and their games.
        deals: Deals of these games that the figures come from.
        left_out: Deals that were left out, since the house decided something in them.
        own_left_out: Those of them in which it decided for this entrant.
        lines: In the order of the scheme's sections.
        contrasts: In the order of the scheme.
        costliest: The deals that lost most, worst first; at most ten.
    """

    competition: str
    entrant: str
    boards: int
    games: int
    deals: int
    left_out: int
    own_left_out: int
    lines: tuple[Line, ...]
    contrasts: tuple[ContrastLine, ...]
    costliest: tuple[CostlyDeal, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """All that is found of all entrants of one competition, in one pass.

    Args:
        competition: Its name.
        scheme: Sections, rows and figures, as the game has them.
        analyses: By entrant, in the order of names; those without a complete board are not in it.
        boards, games: Complete boards that count, and their games.
    """

    competition: str
    scheme: Scheme
    analyses: Mapping[str, Analysis]
    boards: int
    games: int
