"""What games of a bot against others have brought, summed up: points per deal, and in which deals it gains and loses.

Owns the sums by bot and by kind of deal, and how they are shown. Plays nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardtable.commands.kinds import HEADS, parts
from cardtable.commands.tally import Estimate, Sums, difference, mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardtable.commands.lineup import Lineup

__all__ = ["Findings"]


@dataclass(frozen=True, slots=True)
class _Kind:
    """Deals of one kind, summed up; `gain` is what the bot's difference brings or costs it in a game."""

    name: tuple[str, str]
    deals: int
    mine: Estimate
    theirs: Estimate
    difference: Estimate
    gain: float


@dataclass(frozen=True, slots=True)
class Findings:
    """The sums of all games so far.

    Args:
        lineup: Who plays.
        totals: For each label of the lineup.
        mine, theirs: By kind of deal, the bot's and those of all others.
    """

    lineup: Lineup
    totals: tuple[Sums, ...]
    mine: defaultdict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))
    theirs: defaultdict[tuple[str, str], Sums] = field(default_factory=lambda: defaultdict(Sums))

    @classmethod
    def of(cls, lineup: Lineup) -> Findings:
        """Nothing yet."""
        return cls(lineup, tuple(Sums() for _ in lineup.labels))

    def add(self, board: int, place: int, summaries: Iterable[Any]) -> None:
        """Add a game.

        Args:
            board: Its board.
            place: The bot's place.
            summaries: What the rules show of its deals.
        """
        who = self.lineup.by_place(board, place)
        for summary in summaries:
            found = parts(self.lineup.game.name, summary, self.lineup.places)
            for one, part in zip(who, found or (), strict=bool(found)):
                self.totals[one].add(board, part.points)
                (self.theirs if one else self.mine)[part.kind].add(board, part.points)

    def text(self, games: int) -> str:
        """Both tables, for people.

        Args:
            games: How many games there were.
        """
        rows = [["bot", "points/deal", "deals", "ahead of it by"]]
        for place, (label, sums) in enumerate(zip(self.lineup.labels, self.totals, strict=True)):
            ahead = difference(self.totals[0], sums) if place else None
            rows.append([label, _text(mean(sums)), f"{sums.total_deals:,}", _text(ahead, "")])
        hero = self.lineup.labels[0]
        first, second = HEADS[self.lineup.game.name]
        kinds = [[first, second, "deals", hero, "the others", "difference", "per game"]]
        kinds += [
            [
                *one.name,
                f"{one.deals:,}",
                str(one.mine),
                str(one.theirs),
                str(one.difference),
                f"{one.gain:+.2f}",
            ]
            for one in self._kinds(games)
        ]
        head = f"Where {hero} loses and gains, in points per deal; others: all of them, in the same role"
        return "\n\n".join([_table(rows, 1), head, _table(kinds, 2)])

    def as_json(self, games: int) -> dict[str, object]:
        """Both tables, for programs."""
        bots = [
            {
                "name": label,
                "deals": sums.total_deals,
                "points_per_deal": _json(mean(sums)),
                "behind": _json(difference(self.totals[0], sums)) if place else None,
            }
            for place, (label, sums) in enumerate(zip(self.lineup.labels, self.totals, strict=True))
        ]
        first, second = HEADS[self.lineup.game.name]
        kinds = [
            {
                first: one.name[0],
                second: one.name[1],
                "deals": one.deals,
                "points_per_deal": _json(one.mine),
                "others": _json(one.theirs),
                "difference": _json(one.difference),
                "points_per_game": one.gain,
            }
            for one in self._kinds(games)
        ]
        return {"bots": bots, "kinds": kinds}

    def _kinds(self, games: int) -> list[_Kind]:
        """The kinds of deals, the one that costs most first."""
        found = []
        for name, mine in self.mine.items():
            theirs = self.theirs[name]
            own, other, apart = mean(mine), mean(theirs), difference(mine, theirs)
            if own and other and apart:
                gain = apart.mean * mine.total_deals / games
                found.append(_Kind(name, mine.total_deals, own, other, apart, gain))
        return sorted(found, key=lambda one: one.gain)


def _json(estimate: Estimate | None) -> dict[str, float | None] | None:
    return None if estimate is None else {"mean": estimate.mean, "standard_error": estimate.error}


def _text(estimate: Estimate | None, nothing: str = "-") -> str:
    return nothing if estimate is None else str(estimate)


def _table(rows: Sequence[Sequence[str]], names: int) -> str:
    """Columns, of which the first ones are names and stand to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < names else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "─" * max(map(len, lines)), *lines[1:]])
