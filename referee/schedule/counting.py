"""How even a plan is: the certificate, least and greatest counts of all that an entrant may ask about.

Counts what is planned or was played; trusts no design.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.schedule.plan import BoardPlan, Teams

__all__ = ["Certificate", "Tally", "certificate"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """How even a plan is: least and greatest counts. A gauntlet's hero is in none but `games` and `boards`.

    Args:
        games: Number of games.
        boards: Number of boards.
        meetings: Boards at which two entrants meet, over all pairs.
        partnerships: Boards at which two entrants are partners, over all pairs; (0, 0) without changing partners.
        oppositions: Boards at which two entrants meet and are no partners, over all pairs.
        seats: Games of an entrant in a seat, over all entrants and seats.
        follows: Times that one sits in the seat after the other's in a game, over all ordered pairs.
        sit_outs: Boards without an entrant, over all entrants.
        note: What design it is, or what else is to be said; may be empty.
    """

    games: int
    boards: int
    meetings: tuple[int, int]
    partnerships: tuple[int, int]
    oppositions: tuple[int, int]
    seats: tuple[int, int]
    follows: tuple[int, int]
    sit_outs: tuple[int, int]
    note: str = ""


@dataclass
class Tally:
    """Running counts of one plan.

    Args:
        entrants: All, those too that never sit.
        teams: Who holds the seats of a side.
    """

    entrants: Sequence[str]
    teams: Teams
    games: int = 0
    boards: int = 0
    seat_count: int = 0
    met: Counter[tuple[str, str]] = field(default_factory=Counter)
    partnered: Counter[tuple[str, str]] = field(default_factory=Counter)
    seated: Counter[tuple[str, int]] = field(default_factory=Counter)
    followed: Counter[tuple[str, str]] = field(default_factory=Counter)
    present: Counter[str] = field(default_factory=Counter)

    def add(self, seatings: Sequence[Sequence[str]], times: int = 1) -> None:
        """Count one board, as often as it stands in the plan."""
        self.boards += times
        self.games += times * len(seatings)
        first = seatings[0]
        at_table = sorted(set(first))
        for name in at_table:
            self.present[name] += times
        for pair in combinations(at_table, 2):
            self.met[pair] += times
        if self.teams == "whist":
            for seat in (0, 1):
                one, other = sorted((first[seat], first[seat + 2]))
                self.partnered[one, other] += times
        for seating in seatings:
            self.seat_count = len(seating)
            before = seating[-1]
            for seat, name in enumerate(seating):
                self.seated[name, seat] += times
                self.followed[before, name] += times
                before = name

    def add_alike(
        self,
        tables: Sequence[tuple[str, ...]],
        patterns: Sequence[tuple[Sequence[Sequence[int]], int]],
    ) -> None:
        """Count tables that are all seated alike, which is much less work than one by one.

        Args:
            tables: Those that meet, by place.
            patterns: Seatings of places, and how often each table is seated so.
        """
        times = sum(often for _, often in patterns)
        places = range(len(tables[0]))
        held = [Counter(table[place] for table in tables) for place in places]
        pairs = {
            (i, j): Counter((table[i], table[j]) for table in tables) for i, j in permutations(places, 2)
        }
        self.boards += times * len(tables)
        for place in places:
            for name, count in held[place].items():
                self.present[name] += count * times
        for (i, j), counts in pairs.items():
            for (one, other), count in counts.items():
                if one < other:
                    self.met[one, other] += count * times
                    if self.teams == "whist" and (i - j) % 2 == 0:
                        self.partnered[one, other] += count * times
        for seatings, often in patterns:
            self.games += often * len(tables) * len(seatings)
            for seating in seatings:
                self.seat_count = len(seating)
                for seat, place in enumerate(seating):
                    for name, count in held[place].items():
                        self.seated[name, seat] += count * often
                    if seating[seat - 1] != place:
                        for pair, count in pairs[seating[seat - 1], place].items():
                            self.followed[pair] += count * often

    def certificate(self, note: str = "", hero: str | None = None) -> Certificate:
        """The least and greatest of all counts."""
        names = sorted(name for name in self.entrants if name != hero)
        pairs = list(combinations(names, 2))
        return Certificate(
            games=self.games,
            boards=self.boards,
            meetings=_span(self.met[pair] for pair in pairs),
            partnerships=_span(self.partnered[pair] for pair in pairs),
            oppositions=_span(self.met[pair] - self.partnered[pair] for pair in pairs),
            seats=_span(self.seated[name, seat] for name in names for seat in range(self.seat_count)),
            follows=_span(self.followed[pair] for pair in permutations(names, 2)),
            sit_outs=_span(self.boards - self.present[name] for name in names),
            note=note,
        )


def certificate(
    entrants: Sequence[str],
    boards: Iterable[BoardPlan],
    *,
    teams: Teams = "none",
    hero: str | None = None,
    note: str = "",
) -> Certificate:
    """Count what some boards, such as those that were played, give to each entrant.

    Args:
        entrants: All entrants, those too that do not sit at these boards.
        boards: At least one.
        teams: Who holds the seats of a side.
        hero: The entrant whom a gauntlet is about, left out of all spans.
        note: Put into the certificate.
    """
    tally = Tally(entrants, teams)
    for board in boards:
        tally.add(board.seatings)
    return tally.certificate(note, hero)


def _span(counts: Iterable[int]) -> tuple[int, int]:
    least = greatest = None
    for count in counts:
        least = count if least is None else min(least, count)
        greatest = count if greatest is None else max(greatest, count)
    return (least or 0, greatest or 0)
