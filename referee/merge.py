"""Merged stores: several stored tournaments in one file, and the way back from it to the tournaments.

Owns what a merged store keeps of where its boards came from. It stands where another store has what identifies its
tournament, so that a merged store has the tables of any other and is read by the same commands.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from referee.errors import RefereeError
from referee.joining import Results, Source, join
from referee.rulings import Ruling, RulingKind
from referee.store import Store, StoreExists
from referee.store_errors import of_type, sound
from referee.stored import CompetitionInfo, EntrantInfo

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from contextlib import AbstractContextManager

    from referee.database.address import StoreAddress

__all__ = ["merge_stores", "read", "sources_of"]

_FORMAT = 1
#: Who forfeits how often leaves its own tournament, and only that; none leaves the merged one.
_NEVER = 2**31 - 1


def read(*stores: Store) -> Results:
    """All that tables are made of, from one store or joined from several; each is read once.

    Raises:
        JoinError: Two of them have boards in common.
    """
    return join(source for store in stores for source in sources_of(store))


def sources_of(store: Store) -> tuple[Source, ...]:
    """The tournaments that a store holds: one, or all that were merged to it.

    Raises:
        StoreError: Something of it cannot be read.
    """
    info = store.info()
    with sound(store.path, "its identity"):
        identity = of_type(json.loads(info.config), dict)
        if "sources" in identity:
            return _split(store, identity)
        named = {one["name"] for one in identity["competitions"]}
        if not named >= {one.name for one in store.competitions}:
            raise LookupError("it has other competitions than the store")
        _ = [one["score"] for one in identity["competitions"]]
        _ = int(identity["faults"]["disqualify_after"])
        rulings = store.rulings()
        if rulings:
            _ = int(identity["faults"]["forfeit_after"])
        return (
            Source(
                name=store.path.stem,
                program=info.program,
                commitment=info.commitment,
                identity=info.identity,
                config=info.config,
                seed=None if info.revealed_seed is None else info.revealed_seed.hex(),
                competitions=store.competitions,
                entrants=store.entrants,
                games=tuple(store.games()),
                faults=tuple(store.faults()),
                rulings=rulings,
            ),
        )


def merge_stores(out: StoreAddress, paths: Sequence[StoreAddress]) -> Results:
    """Write a store of all games of some stores; it appears under its name only when it is whole.

    Args:
        out: The new store.
        paths: At least two stores; merged ones count as all that they hold.

    Raises:
        JoinError: Two of them have boards in common.
        StoreExists: There is something of this name.
        StoreError: One of them cannot be read, or the new one not be written.
    """
    if len(paths) < 2:
        raise RefereeError("name at least two stores to merge")
    if Store.is_at(out):
        raise StoreExists(f"{out} exists already")
    with ExitStack() as stack:
        stores = [stack.enter_context(Store.open(path)) for path in paths]
        held = [sources_of(store) for store in stores]
        results = join(source for sources in held for source in sources)
        with _draft(out, results) as merged:
            for store, sources in zip(stores, held, strict=True):
                _copy(store, sources, merged, results)
    return results


def _draft(path: StoreAddress, results: Results) -> AbstractContextManager[Store]:
    config = json.dumps(_identity(results), sort_keys=True)
    promised = "\n".join(source.commitment for source in results.sources)
    return Store.draft(
        path,
        program=f"cardtable-referee {version('cardtable-referee')}",
        config=config,
        identity=hashlib.sha256(config.encode()).hexdigest(),
        commitment=hashlib.sha256(promised.encode()).hexdigest(),
        master_seed=b"",
        competitions=[one.info for one in results.contests],
        entrants=results.entrants,
    )


def _identity(results: Results) -> dict[str, object]:
    """What a merged store keeps of its sources."""
    return {
        "format": _FORMAT,
        "competitions": [
            {
                "name": one.info.name,
                "game": one.info.game,
                "variant": dict(one.info.variant),
                "score": one.scored_by,
                "teams": one.teams,
                "rotations": one.rotations,
            }
            for one in results.contests
        ],
        "bots": [{"name": one.name} for one in results.entrants],
        "faults": {"disqualify_after": _NEVER},
        "sources": [
            {
                "name": source.name,
                "program": source.program,
                "commitment": source.commitment,
                "identity": source.identity,
                "config": source.config,
                "seed": source.seed,
                "entrants": [
                    {"name": one.name, "files_hash": one.files_hash, "called": called[one.name]}
                    for one in source.entrants
                ],
                "competitions": [one.name for one in source.competitions],
                # In the names and numbers of the tournament, where they were made.
                "rulings": [asdict(one) for one in source.rulings],
            }
            for source, called in zip(results.sources, results.names, strict=True)
        ],
        "parts": [
            {
                "source": part.source,
                "competition": part.competition,
                "into": part.into,
                "first": part.first,
            }
            for part in results.parts
        ],
    }


def _copy(store: Store, sources: Sequence[Source], merged: Store, results: Results) -> None:
    numbers = {source.key: number for number, source in enumerate(results.sources)}
    here = [numbers[source.key] for source in sources]
    there = {(part.source, part.competition): part for part in results.parts}
    identity = json.loads(store.info().config)
    origins = _Origins.of(identity) if "sources" in identity else None
    names: dict[str, str] = {}
    for number, source in zip(here, sources, strict=True):
        for one in source.entrants:
            place = sources.index(source)
            known = one.name if origins is None else origins.called[place][one.name]
            names[known] = results.names[number][one.name]

    def move(competition: str, board: int | None, entrant: str) -> tuple[str, int | None]:
        place = 0
        if origins is not None:
            place, competition, board = origins.find(competition, board, entrant)
        part = there[here[place], competition]
        return part.into, None if board is None else part.first + board

    merged.take_over(store, move, names)


@dataclass(frozen=True, slots=True)
class _Origins:
    """Where the boards of a merged store came from.

    Args:
        parts: For each competition its parts' first boards, sources and own names, by first board.
        called: For each source what each of its entrants is called in the store.
    """

    parts: Mapping[str, Sequence[tuple[int, int, str]]]
    called: Sequence[Mapping[str, str]]

    @classmethod
    def of(cls, identity: Mapping[str, Any]) -> _Origins:
        parts: dict[str, list[tuple[int, int, str]]] = {}
        for part in identity["parts"]:
            parts.setdefault(part["into"], []).append((part["first"], part["source"], part["competition"]))
        return cls(
            {name: sorted(found) for name, found in parts.items()},
            [{one["name"]: one["called"] for one in source["entrants"]} for source in identity["sources"]],
        )

    def find(self, competition: str, board: int | None, entrant: str) -> tuple[int, str, int | None]:
        """Source, its own competition and its own board; a fault at no table is that of the entrant's first source."""
        parts = self.parts[competition]
        if board is None:
            _, source, own = next(
                (part for part in parts if entrant in self.called[part[1]].values()), parts[0]
            )
            return source, own, None
        # Of parts that begin at the same board all but the last are empty.
        first, source, own = parts[bisect_right(parts, board, key=lambda part: part[0]) - 1]
        return source, own, board - first


def _split(store: Store, identity: Mapping[str, Any]) -> tuple[Source, ...]:
    origins = _Origins.of(identity)
    own = [{called: name for name, called in names.items()} for names in origins.called]
    games: list[list[Any]] = [[] for _ in own]
    faults: list[list[Any]] = [[] for _ in own]
    for game in store.games():
        source, competition, board = origins.find(game.competition, game.board, game.seats[0])
        seats = tuple(own[source][name] for name in game.seats)
        assert board is not None, "a game is on a board"
        games[source].append(replace(game, competition=competition, board=board, seats=seats))
    for fault in store.faults():
        source, competition, board = origins.find(fault.competition, fault.board, fault.entrant)
        name = own[source][fault.entrant]
        faults[source].append(replace(fault, competition=competition, board=board, entrant=name))
    joined = {info.name: info for info in store.competitions}
    infos = {(part["source"], part["competition"]): joined[part["into"]] for part in identity["parts"]}
    found = []
    for number, kept in enumerate(identity["sources"]):
        order = {name: place for place, name in enumerate(kept["competitions"])}
        games[number].sort(key=lambda game: (order[game.competition], game.board, game.seating))
        found.append(
            Source(
                name=kept["name"],
                program=kept["program"],
                commitment=kept["commitment"],
                identity=kept["identity"],
                config=kept["config"],
                seed=kept["seed"],
                competitions=tuple(
                    CompetitionInfo(name, one.game, one.variant, one.seatings)
                    for name in order
                    for one in (infos[number, name],)
                ),
                entrants=tuple(EntrantInfo(one["name"], one["files_hash"]) for one in kept["entrants"]),
                games=tuple(games[number]),
                faults=tuple(faults[number]),
                # Stores of earlier versions have none.
                rulings=tuple(_ruling(one, order, own[number].values()) for one in kept.get("rulings", ())),
            )
        )
    return tuple(found)


def _ruling(kept: Mapping[str, Any], competitions: Collection[str], entrants: Collection[str]) -> Ruling:
    ruling = Ruling(**{**kept, "kind": RulingKind(kept["kind"])})
    if ruling.competition is not None and ruling.competition not in competitions:
        raise LookupError(f"ruling {ruling.number} is of another competition")
    if ruling.entrant is not None and ruling.entrant not in entrants:
        raise LookupError(f"ruling {ruling.number} is of another entrant")
    return ruling
