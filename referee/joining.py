"""From the finished games of one or several tournaments to what the tables are made of.

Owns who is the same entrant in several tournaments, which competitions go together, and the numbers of the joined
boards. Reads no store; neither the order of the tournaments nor that of their games has any influence.

    JoinError    the same boards stand in two of the tournaments
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from cardtable.catalog import game as game_of
from referee.boards import fold
from referee.disqualification import counted
from referee.entrants import name_key, numbered
from referee.errors import RefereeError
from referee.rulings import Docket, Ruling, RulingKind
from referee.stored import CompetitionInfo, EntrantInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from referee.boards import Board, Groups, ScoredBy
    from referee.rulings import Place
    from referee.stored import StoredFault, StoredGame

__all__ = ["Contest", "Departure", "JoinError", "Part", "Results", "Ruled", "Source", "docket_of", "join"]

K = TypeVar("K")


class JoinError(RefereeError):
    """The same boards stand in two of the tournaments, and would count twice."""


@dataclass(frozen=True, slots=True)
class Source:
    """One tournament, in its own names and numbers.

    Args:
        name: What it is called among several: its file without the ending.
        program: Name and version of the program that made its store.
        commitment: Hash by which its master seed was promised.
        identity: Hash of all that identifies it.
        config: What identifies it, as JSON.
        seed: The revealed master seed, hexadecimal, or None.
        competitions: In schedule order.
        entrants: All of them.
        games: In schedule order.
        faults: In any order.
        rulings: In the order in which they were made.
    """

    name: str
    program: str
    commitment: str
    identity: str
    config: str
    seed: str | None
    competitions: tuple[CompetitionInfo, ...]
    entrants: tuple[EntrantInfo, ...]
    games: tuple[StoredGame, ...]
    faults: tuple[StoredFault, ...]
    rulings: tuple[Ruling, ...]

    @property
    def key(self) -> tuple[str, str, tuple[str, int]]:
        """What it is known by, whatever it is called; the order of these is that of the joined boards."""
        first = min(((game.competition, game.board) for game in self.games), default=("", 0))
        return self.commitment, self.identity, first


@dataclass(frozen=True, slots=True)
class Part:
    """Where the boards of one competition of one tournament went: board b became board first + b.

    Args:
        source: Place of the tournament in `Results.sources`.
        competition: Its own name there.
        into: The name of the joined competition.
        first: The number that its board 0 has now.
    """

    source: int
    competition: str
    into: str
    first: int


@dataclass(frozen=True, slots=True)
class Departure:
    """An entrant that left its tournament, in joined names.

    Args:
        entrant: Its name.
        competition, board: Its last one of that tournament that counts; the board is None where none does.
        ruling: The number of the ruling by which it is withdrawn; None where it forfeited too often.
    """

    entrant: str
    competition: str
    board: int | None
    ruling: int | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling, in joined names.

    Args:
        ruling: What is ruled.
        tournament: Where, among several tournaments; None of a single one.
        in_force: Whether it holds: it was not taken back, and does more than to take another one back.
    """

    ruling: Ruling
    tournament: str | None
    in_force: bool

    def concerns(self, competitions: Collection[str]) -> bool:
        """Whether it has a say in the tables of these competitions; who is withdrawn may be missing in any."""
        if self.ruling.kind is RulingKind.WITHDRAW:
            return self.in_force
        return (
            self.in_force and self.ruling.competition is not None and self.ruling.competition in competitions
        )


@dataclass(frozen=True, slots=True)
class Contest:
    """One competition, of one tournament or joined of several.

    Args:
        info: Its name, game, options and seatings.
        scored_by: What is ranked.
        teams, rotations: As the tournament's file has them.
        games: The games that count, as ruled, by board and seating.
        void: Those that would count, were they not void.
        boards: The complete boards of them.
        faults: Entrant and board of each fault; None at no table.
    """

    info: CompetitionInfo
    scored_by: ScoredBy
    teams: str
    rotations: str
    games: tuple[StoredGame, ...]
    void: tuple[StoredGame, ...]
    boards: tuple[Board, ...]
    faults: tuple[tuple[str, int | None], ...]

    @property
    def title(self) -> str:
        """Its name, and its game in words."""
        game = game_of(self.info.game)
        return f"{self.info.name}: {game.title_of(game.variant(self.info.variant))}"

    @property
    def groups(self) -> Groups:
        """Seats that score together."""
        game = game_of(self.info.game)
        return game.groups(game.variant(self.info.variant))


@dataclass(frozen=True, slots=True)
class Results:
    """All that the tables are made of, read once.

    Args:
        sources: The tournaments, by commitment.
        contests: The competitions: in the order of the file, or by name where there are several tournaments.
        entrants: By name.
        names: For each tournament what each of its entrants is called here.
        left: Who forfeited too often.
        parts: Which boards came from where.
        notes: What was named or kept apart, a sentence each.
    """

    sources: tuple[Source, ...]
    contests: tuple[Contest, ...]
    entrants: tuple[EntrantInfo, ...]
    names: tuple[Mapping[str, str], ...]
    left: tuple[Departure, ...]
    rulings: tuple[Ruled, ...]
    parts: tuple[Part, ...]
    notes: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the tournament is called; several names where there are several."""
        return ", ".join(sorted(source.name for source in self.sources))

    @property
    def remote(self) -> frozenset[str]:
        """The entrants that ran elsewhere, without isolation, in any of the tournaments."""
        return frozenset(
            names[bot["name"]]
            for source, names in zip(self.sources, self.names, strict=True)
            for bot in json.loads(source.config).get("bots", ())
            if bot.get("remote")
        )

    def contest(self, name: str) -> Contest:
        """The competition of this name.

        Raises:
            RefereeError: There is none.
        """
        for one in self.contests:
            if one.info.name == name:
                return one
        names = ", ".join(one.info.name for one in self.contests)
        raise RefereeError(f"there is no competition {name!r}; there are {names}")


def join(sources: Iterable[Source]) -> Results:
    """Put tournaments together.

    The same entrant is who has the same name and the same hash of its command and files. Competitions go together
    when their game, options, seatings, rotations, teams and scoring agree; where one tournament has several such,
    they go with those of their name. What merely shares a name is named apart, `greedy (cup2)`, after the first by
    name of the tournaments that have it; names that differ in case alone count as shared.

    Raises:
        JoinError: Two of them have boards in common.
    """
    ordered = _named_apart(sorted(sources, key=lambda one: one.key))
    _refuse_repeats(ordered)
    titles, contested = _competitions(ordered)
    entrants = _entrants(ordered)
    names = tuple(
        {info.name: entrants[info.name, info.files_hash] for info in one.entrants} for one in ordered
    )
    parts = _parts(ordered, titles)
    moved = {(part.source, part.competition): part for part in parts}
    games: dict[str, list[StoredGame]] = defaultdict(list)
    void: dict[str, list[StoredGame]] = defaultdict(list)
    faults: dict[str, list[tuple[str, int | None]]] = defaultdict(list)
    left: list[Departure] = []
    rulings: list[Ruled] = []
    for number, (source, called) in enumerate(zip(ordered, names, strict=True)):
        gone: dict[str, Place] = {}
        not_counted: list[StoredGame] = []
        docket = docket_of(source)
        counting = tuple(counted(source.games, _disqualify_after(source), docket, gone, not_counted))
        is_called_so = all(name == label for name, label in called.items())
        for found, into in ((counting, games), (not_counted, void)):
            for game in found:
                part = moved[number, game.competition]
                if is_called_so and part.first == 0 and part.into == game.competition:
                    into[part.into].append(game)
                    continue
                into[part.into].append(
                    replace(
                        game,
                        competition=part.into,
                        board=part.first + game.board,
                        seats=tuple(called[name] for name in game.seats),
                    )
                )
        for fault in source.faults:
            part = moved[number, fault.competition]
            board = None if fault.board is None else part.first + fault.board
            faults[part.into].append((called[fault.entrant], board))
        by = {one.entrant: one.number for one in docket.in_force if one.kind is RulingKind.WITHDRAW}
        for name, place in gone.items():
            part = moved[number, place[0]]
            last = None if place[1] < 0 else part.first + place[1]
            ruling = by[name] if docket.withdrawn.get(name) == place else None
            left.append(Departure(called[name], part.into, last, ruling))
        title = None if len(ordered) == 1 else source.name
        rulings += [
            Ruled(_moved(one, number, moved, called), title, one in docket.in_force) for one in source.rulings
        ]
    return Results(
        sources=ordered,
        contests=tuple(
            _contest(replace(info, name=title), terms, games[title], void[title], faults[title])
            for title, (info, terms) in contested.items()
        ),
        entrants=tuple(
            EntrantInfo(label, files)
            for (_, files), label in sorted(entrants.items(), key=lambda item: item[1])
        ),
        names=names,
        left=tuple(sorted(left, key=lambda one: (one.entrant, one.competition, one.board or 0))),
        rulings=tuple(rulings),
        parts=parts,
        notes=(*_entrant_notes(ordered, entrants), *_competition_notes(ordered, contested)),
    )


def _contest(
    info: CompetitionInfo,
    terms: Mapping[str, Any],
    games: Sequence[StoredGame],
    void: Sequence[StoredGame],
    faults: Sequence[tuple[str, int | None]],
) -> Contest:
    game = game_of(info.game)
    played = sorted(games, key=lambda one: (one.board, one.seating))
    return Contest(
        info=info,
        scored_by=terms["score"],
        teams=terms["teams"],
        rotations=terms["rotations"],
        games=tuple(played),
        void=tuple(void),
        boards=tuple(fold(played, game.groups(game.variant(info.variant)), info.seatings)),
        faults=tuple(faults),
    )


def docket_of(source: Source) -> Docket:
    """The rulings of a tournament, ready to be applied to its games."""
    forfeit_after = int(json.loads(source.config)["faults"]["forfeit_after"]) if source.rulings else 0
    return Docket(source.rulings, source.faults, [one.name for one in source.competitions], forfeit_after)


def _moved(
    ruling: Ruling, source: int, moved: Mapping[tuple[int, str], Part], called: Mapping[str, str]
) -> Ruling:
    """A ruling in joined names and numbers."""
    entrant = None if ruling.entrant is None else called[ruling.entrant]
    if ruling.competition is None or ruling.board is None:
        return replace(ruling, entrant=entrant)
    part = moved[source, ruling.competition]
    board = ruling.board if ruling.board < 0 else part.first + ruling.board
    return replace(ruling, entrant=entrant, competition=part.into, board=board)


def _named_apart(sources: Sequence[Source]) -> tuple[Source, ...]:
    taken: list[str] = []
    for source in sources:
        taken.append(numbered(source.name, taken))
    return tuple(replace(source, name=name) for source, name in zip(sources, taken, strict=True))


def _refuse_repeats(sources: Sequence[Source]) -> None:
    boards = [{(game.competition, game.board) for game in source.games} for source in sources]
    for (one, first), (other, second) in combinations(zip(sources, boards, strict=True), 2):
        if one.commitment == other.commitment and (first & second or one.identity == other.identity):
            raise JoinError(
                f"{one.name} and {other.name} hold the same tournament, commitment {one.commitment[:16]}:"
                " its boards would count twice"
            )


def _terms(source: Source, info: CompetitionInfo) -> dict[str, Any]:
    """What must agree of competitions that go together."""
    stored = next(one for one in json.loads(source.config)["competitions"] if one["name"] == info.name)
    game = game_of(info.game)
    return {
        "game": info.game,
        "variant": game.options(game.variant(info.variant)),
        "seatings": info.seatings,
        "rotations": stored.get("rotations", "none"),
        "teams": stored.get("teams", "none"),
        "score": stored["score"],
    }


def _disqualify_after(source: Source) -> int:
    return int(json.loads(source.config)["faults"]["disqualify_after"])


def _competitions(
    sources: Sequence[Source],
) -> tuple[dict[tuple[int, str], str], dict[str, tuple[CompetitionInfo, dict[str, Any]]]]:
    """What each competition of each tournament is called when joined, and what each joined one is."""
    terms = {
        (number, info.name): (info, _terms(source, info))
        for number, source in enumerate(sources)
        for info in source.competitions
    }
    texts = {place: json.dumps(found, sort_keys=True) for place, (_, found) in terms.items()}
    several = {
        text for (_, text), count in Counter((place[0], texts[place]) for place in texts).items() if count > 1
    }
    keys = {place: (text, place[1] if text in several else "") for place, text in texts.items()}
    wanted: dict[tuple[str, str], tuple[str, str]] = {}
    for (number, name), key in keys.items():
        old = wanted.get(key, (name, sources[number].name))
        wanted[key] = (min(old[0], name), min(old[1], sources[number].name))
    labels = _labels(wanted)
    titles = {place: labels[key] for place, key in keys.items()}
    joined: dict[str, tuple[CompetitionInfo, dict[str, Any]]] = {}
    for place, title in titles.items():
        info, found = terms[place]
        joined.setdefault(title, (replace(info, variant=found["variant"]), found))
    return titles, joined if len(sources) == 1 else dict(sorted(joined.items()))


def _entrants(sources: Sequence[Source]) -> dict[tuple[str, str], str]:
    """What each entrant is called, by its own name and its hash."""
    wanted: dict[tuple[str, str], tuple[str, str]] = {}
    for source in sources:
        for info in source.entrants:
            key = (info.name, info.files_hash)
            wanted[key] = (info.name, min(wanted.get(key, ("", source.name))[1], source.name))
    return _labels(wanted)


def _labels(wanted: Mapping[K, tuple[str, str]]) -> dict[K, str]:
    """A name for each, given its own and that of its tournament; none is another's but for case."""
    shared = Counter(name_key(name) for name, _ in wanted.values())
    labels = {key: name for key, (name, _) in wanted.items() if shared[name_key(name)] == 1}
    for key, (name, source) in sorted(wanted.items(), key=lambda item: item[1]):
        if key not in labels:
            labels[key] = numbered(f"{name} ({source})", labels.values())
    return labels


def _parts(sources: Sequence[Source], titles: Mapping[tuple[int, str], str]) -> tuple[Part, ...]:
    free: Counter[str] = Counter()
    parts = []
    for number, source in enumerate(sources):
        last = {info.name: -1 for info in source.competitions}
        for game in source.games:
            last[game.competition] = max(last[game.competition], game.board)
        for name in sorted(last):
            into = titles[number, name]
            parts.append(Part(number, name, into, free[into]))
            free[into] += last[name] + 1
    return tuple(parts)


def _entrant_notes(sources: Sequence[Source], entrants: Mapping[tuple[str, str], str]) -> list[str]:
    notes = []
    for (name, files), label in sorted(entrants.items(), key=lambda item: item[1]):
        if label != name:
            where = ", ".join(sorted(one.name for one in sources if EntrantInfo(name, files) in one.entrants))
            notes.append(
                f"{label} is {name} of {where}: its command, files or spelling are not its namesake's"
            )
    return notes


def _competition_notes(
    sources: Sequence[Source], contested: Mapping[str, tuple[CompetitionInfo, Mapping[str, Any]]]
) -> list[str]:
    if len(sources) == 1:
        return []
    notes = []
    for (one, (_, first)), (other, (_, second)) in combinations(contested.items(), 2):
        if first["game"] == second["game"] and (different := _differences(first, second)):
            notes.append(f"{one} and {other} are kept apart: {', '.join(different)}")
    return notes


def _differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    found = []
    for key, value in first.items():
        if isinstance(value, dict):
            found += _differences(value, second[key])
        elif value != second[key]:
            found.append(f"{key} {json.dumps(value)} and {json.dumps(second[key])}")
    return found
