"""The fold of games into figures: board by board, so that a store of any size takes one pass and little memory.

Owns what is compared with what. All seatings of a board have the same cards, so what an entrant got in a seat is set
against the mean of the other entrants who sat there. A board gives a few numbers to each figure and is forgotten.
Knows no game: rows, figures, rounds and what makes two deals alike come from the game's scheme.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, replace
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING

from cardtable.catalog import game as game_of
from referee.analysis.cells import Cells, add
from referee.analysis.deals import finished_deals
from referee.analysis.estimates import gap, value
from referee.analysis.findings import Analysis, ContrastLine, CostlyDeal, Field, Line
from referee.boards import fold
from referee.statistics import holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cardtable.figures import Facts, Figure, Row
    from cardtable.record import GameRecord
    from referee.analysis.cells import Cell
    from referee.analysis.deals import FinishedDeal
    from referee.analysis.estimates import Gap
    from referee.stored import CompetitionInfo, StoredGame

__all__ = ["COSTLIEST", "Ledger"]

#: How many of the costliest deals of an entrant are kept.
COSTLIEST = 10


@dataclass(frozen=True, slots=True)
class _Play:
    """One deal of one seat."""

    entrant: str
    game: StoredGame
    deal: FinishedDeal
    facts: Facts


class Ledger:
    """All figures of one competition, from its games one after another; `close` gives what was found.

    Args:
        competition: Which.
    """

    def __init__(self, competition: CompetitionInfo) -> None:
        game = game_of(competition.game)
        variant = game.variant(competition.variant)
        self._competition = competition
        self._groups = game.groups(variant)
        self._scheme = game.analysis(variant)
        self._lines: list[tuple[str, Row, Figure]] = []
        #: By row its figures, each with the number of its line.
        self._asked: dict[str, list[tuple[int, Figure]]] = defaultdict(list)
        for section in self._scheme.sections:
            for row, figure in section.lines:
                self._asked[row.key].append((len(self._lines), figure))
                self._lines.append((section.title, row, figure))
        #: By row the contrasts that it is the one side of, and the other.
        self._sides: tuple[dict[str, list[tuple[int, Figure]]], ...] = (defaultdict(list), defaultdict(list))
        for number, contrast in enumerate(self._scheme.contrasts):
            self._sides[0][contrast.one].append((number, contrast.figure))
            self._sides[1][contrast.other].append((number, contrast.figure))
        self._board: list[tuple[StoredGame, list[FinishedDeal]]] = []
        self._books: dict[str, _Book] = {}
        self._boards = self._games = 0

    def add(self, game: StoredGame, record: GameRecord) -> None:
        """Take in a game that counts, as ruled; those of a board come one after another.

        Raises:
            RefereeError: Its record does not replay.
        """
        if self._board and self._board[0][0].board != game.board:
            self._end_board()
        self._board.append((game, finished_deals(game.name, record, self._scheme)))

    def close(self) -> Field:
        """What was found; nothing can be added any more."""
        self._end_board()
        return Field(
            competition=self._competition.name,
            scheme=self._scheme,
            analyses={name: self._analysis(name, book) for name, book in sorted(self._books.items())},
            boards=self._boards,
            games=self._games,
        )

    # -- one board

    def _end_board(self) -> None:
        games, self._board = self._board, []
        if not fold((game for game, _ in games), self._groups, self._competition.seatings):
            return
        self._boards += 1
        self._games += len(games)
        plays: list[_Play] = []
        for name in {name for game, _ in games for name in game.seats}:
            self._book(name).boards += 1
        for game, deals in games:
            books = [self._book(name) for name in set(game.seats)]
            for book in books:
                book.games += 1
            for deal in deals:
                if deal.house:
                    self._leave_out(game, deal)
                    continue
                for book in books:
                    book.deals += 1
                plays += [_Play(game.seats[facts.seat], game, deal, facts) for facts in deal.facts]
        self._count(plays)
        self._contrast(plays)
        self._find_costly(plays)

    def _book(self, name: str) -> _Book:
        book = self._books.get(name)
        if book is None:
            book = self._books[name] = _Book(len(self._lines), len(self._scheme.contrasts))
        return book

    def _leave_out(self, game: StoredGame, deal: FinishedDeal) -> None:
        """What the house decides is nobody's play, and what the others get in that deal follows from it too."""
        culprits = {game.seats[seat] for seat in deal.house}
        for name in set(game.seats):
            book = self._book(name)
            book.left_out += 1
            book.own_left_out += name in culprits

    def _count(self, plays: Iterable[_Play]) -> None:
        """Sum up what everybody got, and set it against the others: with the cards of a round, with the same hand."""
        rounds, hands = Cells(), Cells()
        by_hand = bool(self._scheme.round)
        for play in plays:
            facts, entrant = play.facts, play.entrant
            in_round = rounds.place(facts.seat, facts.round)
            in_hand = hands.place(facts.seat, play.deal.key, facts.alike)
            for line, above, below in _figures(facts, self._asked):
                rounds.add(line, in_round, entrant, above, below)
                if by_hand:
                    hands.add(line, in_hand, entrant, above, below)
        for (name, line), sums in rounds.sums().items():
            self._books[name].own[line].extend(sums)
        for (name, line), found in rounds.compared().items():
            self._books[name].same_cards[line].extend(found)
        for (name, line), found in hands.compared().items():
            self._books[name].same_hand[line].extend(found)

    def _contrast(self, plays: Iterable[_Play]) -> None:
        """Set those who did the one against those who did the other, for all who were among either."""
        ones, others = Cells(), Cells()
        for play in plays:
            facts = play.facts
            for cells, asked in zip((ones, others), self._sides, strict=True):
                place = cells.place(facts.seat, play.deal.key, facts.alike)
                for contrast, above, below in _figures(facts, asked):
                    cells.add(contrast, place, play.entrant, above, below)
        for (name, contrast), found in ones.contrasted(others).items():
            self._books[name].contrasts[contrast].extend(found)

    def _find_costly(self, plays: Iterable[_Play]) -> None:
        hands: dict[tuple[int, str, str], list[_Play]] = defaultdict(list)
        for play in plays:
            hands[play.facts.seat, play.deal.key, play.facts.alike].append(play)
        for same in hands.values():
            cell: Cell = {}
            for play in same:
                add(cell, play.entrant, play.facts.stake, 1.0)
            if len(cell) < 2:
                continue
            means = {name: points / deals for name, (points, _, deals) in sorted(cell.items())}
            whole = sum(means.values())
            for play in same:
                field = (whole - means[play.entrant]) / (len(means) - 1)
                lost = field - play.facts.stake
                if lost > 0 and not self._is_partner(play):
                    self._books[play.entrant].keep(play, field, means)

    def _is_partner(self, play: _Play) -> bool:
        """Whether the entrant holds an earlier seat of the same side too, which has the same stake in the deal."""
        seats = play.game.seats
        group = next(one for one in self._groups if play.facts.seat in one)
        return any(seats[seat] == play.entrant for seat in group if seat < play.facts.seat)

    # -- the end

    def _analysis(self, name: str, book: _Book) -> Analysis:
        gaps = [
            None if not found else gap(list(zip(*[iter(found)] * 5, strict=True)))
            for found in (*book.same_cards, *book.same_hand, *book.contrasts)
        ]
        gaps = _adjusted(gaps)
        count = len(self._lines)
        return Analysis(
            competition=self._competition.name,
            entrant=name,
            boards=book.boards,
            games=book.games,
            deals=book.deals,
            left_out=book.left_out,
            own_left_out=book.own_left_out,
            lines=tuple(
                Line(section, row, figure, value(list(zip(*[iter(own)] * 3, strict=True))), cards, hand)
                for (section, row, figure), own, cards, hand in zip(
                    self._lines, book.own, gaps[:count], gaps[count : 2 * count], strict=True
                )
            ),
            contrasts=tuple(
                ContrastLine(one.label, one.figure, found)
                for one, found in zip(self._scheme.contrasts, gaps[2 * count :], strict=True)
            ),
            costliest=book.costliest(),
        )


class _Book:
    """What is kept of one entrant: of each board a few numbers for each line and contrast, and the costliest deals."""

    __slots__ = (
        "_costly",
        "boards",
        "contrasts",
        "deals",
        "games",
        "left_out",
        "own",
        "own_left_out",
        "same_cards",
        "same_hand",
    )

    def __init__(self, lines: int, contrasts: int) -> None:
        self.boards = self.games = self.deals = self.left_out = self.own_left_out = 0
        #: Three numbers of each board.
        self.own = [array("d") for _ in range(lines)]
        #: Five numbers of each board.
        self.same_cards = [array("d") for _ in range(lines)]
        self.same_hand = [array("d") for _ in range(lines)]
        self.contrasts = [array("d") for _ in range(contrasts)]
        #: The least costly of them first; of equally costly ones those that come first in the schedule are kept.
        self._costly: list[tuple[tuple[float, int, int, int, int], CostlyDeal]] = []

    def keep(self, play: _Play, field: float, means: dict[str, float]) -> None:
        """Remember a deal, if it is among the costliest so far."""
        lost = field - play.facts.stake
        order = (lost, -play.game.board, -play.game.seating, -play.deal.number, -play.facts.seat)
        full = len(self._costly) == COSTLIEST
        if full and order < self._costly[0][0]:
            return
        found = CostlyDeal(
            game=play.game.name,
            deal=play.deal.number,
            seat=play.facts.seat,
            label=play.facts.label,
            points=play.facts.stake,
            field=field,
            lost=lost,
            others=tuple((name, points) for name, points in means.items() if name != play.entrant),
        )
        (heappushpop if full else heappush)(self._costly, (order, found))

    def costliest(self) -> tuple[CostlyDeal, ...]:
        """Worst first."""
        return tuple(found for _, found in sorted(self._costly, key=lambda one: one[0], reverse=True))


def _figures(
    facts: Facts, asked: Mapping[str, Sequence[tuple[int, Figure]]]
) -> Iterator[tuple[int, float, float]]:
    """What the facts say to each question: its number, what is summed and what it is divided by."""
    values = facts.values
    for row in facts.rows:
        for number, figure in asked.get(row, ()):
            above = values.get(figure.key)
            below = 1.0 if figure.per is None else values.get(figure.per)
            if above is not None and below is not None:
                yield number, above, below


def _adjusted(gaps: Sequence[Gap | None]) -> list[Gap | None]:
    """With the p values that hold for all of them at once."""
    chances = {
        place: one.p_value for place, one in enumerate(gaps) if one is not None and one.p_value is not None
    }
    adjusted = holm(chances)
    return [
        None if one is None else replace(one, adjusted=adjusted.get(place)) for place, one in enumerate(gaps)
    ]
