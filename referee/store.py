"""The store: one SQLite file, or one PostgreSQL database, that holds everything a tournament must not lose.

Owns the tables, and what is written together and by whom; where they are, and the lock of the run that writes them,
is the business of `referee.database`. A block of games is written whole or not at all, and survives a kill or a power
cut from the moment `add_block` returns. Computes nothing: boards, ratings and tables are folds over what `games`
gives.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import time
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import ColumnElement, Connection, insert, literal_column, select, update
from sqlmodel import col

from referee.database.base import base_of
from referee.rulings import Ruling, RulingKind
from referee.store_errors import (
    NotAStore,
    StoreError,
    StoreExists,
    StoreLocked,
    StoreMissing,
    StoreTooNew,
    StoreUnreachable,
    StoreUnwritable,
    numbered_of,
    of_type,
    sound,
)
from referee.store_tables import (
    CompetitionRow,
    EntrantRow,
    FaultRow,
    GameRow,
    RulingRow,
    RunRow,
    TournamentRow,
)
from referee.stored import CompetitionInfo, EntrantInfo, RunInfo, StoredFault, StoredGame, TournamentInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardtable.record import GameRecord
    from referee.blocks import BlockResult, PlayedGame
    from referee.database.address import StoreAddress
    from referee.database.base import Base

__all__ = [
    "CompetitionInfo",
    "EntrantInfo",
    "NotAStore",
    "Store",
    "StoreError",
    "StoreExists",
    "StoreLocked",
    "StoreMissing",
    "StoreTooNew",
    "StoreUnreachable",
    "StoreUnwritable",
    "StoredFault",
    "StoredGame",
    "TournamentInfo",
]

FORMAT = 1
_ROWS_AT_ONCE = 500
_SEED_BYTES = 32
#: The greatest whole number of a database.
_GREATEST = 2**63 - 1
#: A game without its record, which is most of its size.
_RESULT: tuple[Any, ...] = (
    GameRow.competition,
    GameRow.board,
    GameRow.seating,
    GameRow.seats,
    GameRow.scores,
    GameRow.forfeits,
    GameRow.faults,
    GameRow.charged_ms,
    GameRow.decisions,
)


class Store:
    """One open store; close it, or use it in a `with`. Made by `create`, `draft` or `open`.

    Args:
        path: Its file or database.
        base: The same, where it is open already.
    """

    def __init__(self, path: StoreAddress, base: Base | None = None) -> None:
        self.path = path
        self._base = base or base_of(path)
        self._engine = self._base.engine
        self.competitions: tuple[CompetitionInfo, ...] = ()
        self.entrants: tuple[EntrantInfo, ...] = ()

    @classmethod
    def create(
        cls,
        path: StoreAddress,
        *,
        program: str,
        config: str,
        identity: str,
        commitment: str,
        master_seed: bytes,
        competitions: Sequence[CompetitionInfo],
        entrants: Sequence[EntrantInfo],
    ) -> Store:
        """Make a new store; it appears under its name only when it is complete.

        Raises:
            StoreExists: There is something of this name.
            StoreUnwritable: The folder or database cannot be written, or the disk is full.
        """
        with cls.draft(
            path,
            program=program,
            config=config,
            identity=identity,
            commitment=commitment,
            master_seed=master_seed,
            competitions=competitions,
            entrants=entrants,
        ):
            pass
        return cls.open(path)

    @classmethod
    @contextmanager
    def draft(
        cls,
        path: StoreAddress,
        *,
        program: str,
        config: str,
        identity: str,
        commitment: str,
        master_seed: bytes,
        competitions: Sequence[CompetitionInfo],
        entrants: Sequence[EntrantInfo],
    ) -> Iterator[Store]:
        """A new store that appears under its name only when the block ends well; else there was none.

        Raises:
            StoreExists: There is something of this name.
            StoreUnwritable: The folder or database cannot be written, or the disk is full.
        """
        from referee import migrations

        with closing(base_of(path)) as base, base.drafted() as drafted:
            with drafted.writing() as transaction:
                migrations.upgrade(transaction)
                transaction.execute(
                    insert(TournamentRow).values(
                        id=1,
                        format=FORMAT,
                        program=program,
                        created=time.time(),
                        config=config,
                        identity=identity,
                        commitment=commitment,
                        master_seed=master_seed,
                        revealed=False,
                    )
                )
                _insert(
                    transaction,
                    CompetitionRow,
                    [
                        {
                            "id": number,
                            "name": info.name,
                            "game": info.game,
                            "variant": json.dumps(dict(info.variant)),
                            "seatings": info.seatings,
                        }
                        for number, info in enumerate(competitions)
                    ],
                )
                _insert(
                    transaction,
                    EntrantRow,
                    [
                        {"id": number, "name": info.name, "files_hash": info.files_hash}
                        for number, info in enumerate(entrants)
                    ],
                )
            new = Store(path, drafted)
            new._load()
            yield new

    @classmethod
    def open(cls, path: StoreAddress) -> Store:
        """Open a store; one of an earlier version is upgraded first.

        Raises:
            StoreMissing: There is no such file or database.
            NotAStore: It is something else, or damaged.
            StoreTooNew: A later version of the program wrote it.
            StoreUnreachable: The server is away, or does not let us in.
        """
        store = cls(path)
        try:
            store._base.check()
            store._upgrade()
            store._load()
            store._base.remember()
        except BaseException:
            store.close()
            raise
        return store

    @staticmethod
    def is_at(path: StoreAddress) -> bool:
        """Whether there is something in the place, so that no store can be made there.

        Raises:
            NotAStore: It is a database of something else.
            StoreUnreachable: The server is away, or does not let us in.
        """
        with closing(base_of(path)) as base:
            return base.is_taken()

    def close(self) -> None:
        """Close the file, or all connections to the server."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def info(self) -> TournamentInfo:
        """What the store says of its tournament; the master seed only once it is revealed."""
        with self._base.reading() as connection:
            rows = connection.execute(select(TournamentRow.__table__)).all()  # type: ignore[attr-defined] # SQLModel's
        with sound(self.path, "its tournament"):
            (row,) = rows
            seed = bytes(of_type(row.master_seed, bytes)) if row.revealed else None
            if seed is not None and len(seed) != _SEED_BYTES:
                raise ValueError(f"the seed has {len(seed)} bytes")
            return TournamentInfo(
                program=of_type(row.program, str),
                created=row.created,
                config=of_type(row.config, str),
                identity=of_type(row.identity, str),
                commitment=of_type(row.commitment, str),
                revealed_seed=seed,
            )

    def secret_seed(self) -> bytes:
        """The master seed, for dealing only: nothing that shows it may call this; see `reveal_seed`."""
        with self._base.reading() as connection:
            return bytes(connection.execute(select(col(TournamentRow.master_seed))).scalar_one())

    def reveal_seed(self) -> bytes:
        """Mark the master seed as known from now on, and return it."""
        with self._base.writing() as connection:
            connection.execute(update(TournamentRow).values(revealed=True))
        return self.secret_seed()

    def set_config(self, config: str, identity: str) -> None:
        """Keep another text of the tournament's file, such as one with more boards.

        Args:
            config: The text.
            identity: Its identity; whether it may differ is for the caller to decide.
        """
        with self._base.writing() as connection:
            connection.execute(update(TournamentRow).values(config=config, identity=identity))

    def add_block(self, competition: str, result: BlockResult, writer: str = "") -> int:
        """Write the games of a block, and its faults, in one transaction.

        Only complete boards are kept, so that every board of a store is complete: the games of one that was broken
        off are played again with the rest of it.

        Args:
            competition: Name of the competition.
            result: What a worker gave back.
            writer: Name and version of the program, which the records keep.

        Returns:
            How many games were written.

        Raises:
            StoreError: A game is there already; nothing was written.
            StoreUnwritable: The disk is full or the file read-only; nothing was written.
        """
        number = self._numbers[competition]
        expected = self.competitions[number].seatings
        seatings: dict[int, set[int]] = {}
        for game in result.games:
            seatings.setdefault(game.order.board, set()).add(game.order.seating)
        kept = [game for game in result.games if len(seatings[game.order.board]) == expected]
        faults = [row for game in kept for row in self._fault_rows(number, game)]
        faults += [
            {
                "competition": number,
                "board": None,
                "seating": None,
                "entrant": self._entrant_numbers[fault.entrant],
                "seat": fault.seat,
                "cause": fault.cause.value,
                "deal": None,
                "action": None,
                "turn": None,
                "message": fault.message,
                "view": "",
                "stderr_tail": fault.stderr_tail,
            }
            for fault in result.entrant_faults
        ]
        games = [self._game_row(number, game, writer) for game in kept]
        with self._base.writing() as connection:
            _insert(connection, GameRow, games)
            _insert(connection, FaultRow, faults)
        return len(games)

    @property
    def is_merged(self) -> bool:
        """Whether it holds what other stores were merged to, so that nothing more can be played into it."""
        try:
            identity = json.loads(self.info().config)
        except ValueError:
            return False
        return isinstance(identity, dict) and "sources" in identity

    def take_over(
        self,
        source: Store,
        move: Callable[[str, int | None, str], tuple[str, int | None]],
        names: Mapping[str, str],
    ) -> None:
        """Copy all games and faults of another store in one transaction; records stay byte for byte.

        Args:
            source: The other store.
            move: From competition, board and an entrant (of a game the one in seat 0) to competition and board here.
            names: What each entrant of the source is called here.

        Raises:
            StoreError: A game is there already; nothing was written.
            StoreUnwritable: The disk is full or the file read-only; nothing was written.
        """
        entrants = [self._entrant_numbers[names[info.name]] for info in source.entrants]

        def moved(row: Any, entrant: int) -> dict[str, object]:
            found: dict[str, object] = row._asdict()
            old = source.competitions[row.competition].name
            into, board = move(old, row.board, source.entrants[entrant].name)
            return found | {"competition": self._numbers[into], "board": board}

        def game(row: Any) -> dict[str, object]:
            seats = json.loads(row.seats)
            return moved(row, seats[0]) | {"seats": json.dumps([entrants[number] for number in seats])}

        def fault(row: Any) -> dict[str, object]:
            found = moved(row, row.entrant) | {"entrant": entrants[row.entrant]}
            del found["id"]  # it gets one of its own
            return found

        table = FaultRow.__table__  # type: ignore[attr-defined] # SQLModel's
        with source._base.reading() as reading, self._base.writing() as writing:
            faults = reading.execute(select(table).order_by(table.c.id))
            for rows in faults.partitions(_ROWS_AT_ONCE):
                _insert(writing, FaultRow, [fault(row) for row in rows])
            found = source._rows((*_RESULT, GameRow.record), None)
            while some := list(islice(found, _ROWS_AT_ONCE)):
                _insert(writing, GameRow, [game(row) for row in some])

    def games(self, competition: str | None = None) -> Iterator[StoredGame]:
        """All finished games without their records, by competition, board and seating; never all in memory."""
        return (self._game(row) for row in self._rows(_RESULT, competition))

    def forfeited_games(self) -> Iterator[StoredGame]:
        """Those of `games` that somebody forfeited."""
        return (self._game(row) for row in self._rows(_RESULT, None, col(GameRow.forfeits) != "[]"))

    def games_after(self, mark: int) -> Iterator[tuple[int, StoredGame]]:
        """The games that were written after one, in that order, each with its mark; from the first one on after 0."""
        written: Any = literal_column("game.rowid").label("mark")
        query = select(written, *_RESULT).where(written > mark).order_by(written)
        with (
            self._base.reading() as connection,
            connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query) as rows,
        ):
            for row in rows:
                yield row.mark, self._game(row)

    def faults_after(self, mark: int) -> Iterator[tuple[int, StoredFault]]:
        """The same for faults. A game's are written at once, so that the number of each in its game is known."""
        table = FaultRow.__table__  # type: ignore[attr-defined] # SQLModel's
        query = select(table).where(table.c.id > mark).order_by(table.c.id)
        with (
            self._base.reading() as connection,
            connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query) as rows,
        ):
            for game, of_game in groupby(rows, lambda row: (row.competition, row.board, row.seating)):
                for number, row in enumerate(of_game):
                    with sound(self.path, f"fault {row.id}"):
                        fault = self._fault(row, None if None in game else number)
                    yield row.id, fault

    def last_run(self) -> RunInfo | None:
        """The run, or the ruling, that wrote it last; None before the first."""
        with self._base.reading() as connection:
            query = select(RunRow.__table__).order_by(col(RunRow.id).desc()).limit(1)  # type: ignore[attr-defined] # SQLModel's
            row = connection.execute(query).first()
        if row is None:
            return None
        with sound(self.path, "its last run"):
            is_held = row.ended is None and self._base.is_held()
            return RunInfo(of_type(row.pid, int), of_type(row.host, str), row.started, row.ended, is_held)

    def records(self, competition: str | None = None) -> Iterator[tuple[StoredGame, GameRecord]]:
        """All finished games with their records, in the order of `games`."""
        from cardtable.wire.records import record_from_bytes

        return (
            (self._game(row), record_from_bytes(row.record))
            for row in self._rows((*_RESULT, GameRow.record), competition)
        )

    def record(self, competition: str, board: int, seating: int) -> GameRecord:
        """The record of one game.

        Raises:
            KeyError: There is no such game.
            NotAStore: The record is damaged.
        """
        from cardtable.record import RecordError
        from cardtable.wire.records import record_from_bytes

        if max(board, seating) > _GREATEST:
            raise KeyError((competition, board, seating))
        with self._base.reading() as connection:
            found = connection.execute(
                select(col(GameRow.record)).where(*self._key(competition, board, seating))
            ).scalar_one_or_none()
        if found is None:
            raise KeyError((competition, board, seating))
        with sound(self.path, f"game {competition}/{board}/{seating}", RecordError):
            return record_from_bytes(of_type(found, bytes))

    def has(self, competition: str, board: int, seating: int) -> bool:
        """Whether this game is finished; False for a competition that is none of the store's, too."""
        if competition not in self._numbers or max(board, seating) > _GREATEST:
            return False
        with self._base.reading() as connection:
            query = select(col(GameRow.board)).where(*self._key(competition, board, seating))
            return connection.execute(query).first() is not None

    def finished_boards(self, competition: str) -> set[int]:
        """The numbers of all boards that are played."""
        with self._base.reading() as connection:
            query = select(col(GameRow.board)).where(
                col(GameRow.competition) == self._numbers[competition], col(GameRow.seating) == 0
            )
            return set(connection.execute(query).scalars())

    def count(self, competition: str | None = None) -> int:
        """How many games are finished."""
        from sqlalchemy import func

        with self._base.reading() as connection:
            query = select(func.count()).select_from(GameRow)
            if competition is not None:
                query = query.where(col(GameRow.competition) == self._numbers[competition])
            return int(connection.execute(query).scalar_one())

    def fingerprint(self) -> str:
        """A hash that changes with whatever is written of games, faults, rulings and the tournament; reads no game."""
        from sqlalchemy import func

        tournament: tuple[Any, ...] = (
            TournamentRow.identity,
            TournamentRow.commitment,
            TournamentRow.config,
            TournamentRow.revealed,
        )
        queries: tuple[Any, ...] = (
            select(*tournament),
            select(func.count()).select_from(GameRow),
            select(func.count(), func.max(col(FaultRow.id))),
            select(func.count(), func.max(col(RulingRow.id))),
        )
        with self._base.reading() as connection:
            found = [[list(row) for row in connection.execute(query)] for query in queries]
        return hashlib.sha256(json.dumps(found).encode()).hexdigest()

    def faults(self, competition: str | None = None) -> Iterator[StoredFault]:
        """All faults, by competition, board and seating; those at no table first."""
        table = FaultRow.__table__  # type: ignore[attr-defined] # SQLModel's
        place = (table.c.competition, table.c.board.nulls_first(), table.c.seating.nulls_first())
        query = select(table).order_by(*place, table.c.id)
        if competition is not None:
            query = query.where(table.c.competition == self._numbers[competition])
        with (
            self._base.reading() as connection,
            connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query) as rows,
        ):
            for game, of_game in groupby(rows, lambda row: (row.competition, row.board, row.seating)):
                for number, row in enumerate(of_game):
                    with sound(self.path, f"fault {row.id}"):
                        fault = self._fault(row, None if None in game else number)
                    yield fault

    def rulings(self) -> tuple[Ruling, ...]:
        """The organiser's rulings, in the order in which they were made; of a merged store see `referee.merge`."""
        table = RulingRow.__table__  # type: ignore[attr-defined] # SQLModel's
        found = []
        with self._base.reading() as connection:
            for row in connection.execute(select(table).order_by(table.c.id)):
                with sound(self.path, f"ruling {row.id}"):
                    found.append(self._ruling(row))
        return tuple(found)

    def add_ruling(
        self,
        kind: RulingKind,
        reason: str,
        *,
        competition: str | None = None,
        board: int | None = None,
        seating: int | None = None,
        fault: int | None = None,
        entrant: str | None = None,
        revokes: int | None = None,
    ) -> Ruling:
        """Write a ruling that is made now, of the parts that a `Ruling` has.

        Whether it can be ruled is for the caller to decide, who must hold the store with `run`.

        Raises:
            StoreUnwritable: The disk is full or the file read-only; nothing was written.
        """
        from sqlalchemy import func

        with self._base.writing() as connection:
            last = connection.execute(select(func.max(col(RulingRow.id)))).scalar_one()
            games = select(col(GameRow.competition), func.count()).group_by(col(GameRow.competition))
            stored = {row[0]: int(row[1]) for row in connection.execute(games)}
            marks = [stored.get(number, 0) for number in range(len(self.competitions))]
            ruling = Ruling(
                number=(last or 0) + 1,
                kind=kind,
                reason=reason,
                made_at=datetime.now(UTC).isoformat(timespec="seconds"),
                marks={info.name: mark for info, mark in zip(self.competitions, marks, strict=True)},
                competition=competition,
                board=board,
                seating=seating,
                fault=fault,
                entrant=entrant,
                revokes=revokes,
            )
            row: dict[str, object] = {
                "id": ruling.number,
                "kind": kind.value,
                "competition": None if competition is None else self._numbers[competition],
                "board": board,
                "seating": seating,
                "fault": fault,
                "entrant": None if entrant is None else self._entrant_numbers[entrant],
                "revokes": revokes,
                "reason": reason,
                "made_at": ruling.made_at,
                "marks": json.dumps(marks),
            }
            _insert(connection, RulingRow, [row])
        return ruling

    @contextmanager
    def run(self) -> Iterator[None]:
        """Hold the store for one run, or for a ruling; the lock ends with the process, whatever ends it.

        Raises:
            StoreLocked: Another run holds it.
            StoreError: It is merged from others.
        """
        if self.is_merged:
            raise StoreError(f"{self.path} is merged from other stores: nothing more can be played into it")
        with self._base.held() as free:
            if not free:
                raise self._locked()
            # Whoever held the lock before and wrote no end is dead, or the lock would not be free.
            with self._base.writing() as connection:
                query = insert(RunRow).values(pid=os.getpid(), host=socket.gethostname(), started=time.time())
                key = connection.execute(query).inserted_primary_key
            assert key is not None
            try:
                yield
            except StoreError:
                # What kept a block out would keep this out too, and its refusal take as long.
                raise
            except BaseException:
                self._end_run(key[0])
                raise
            self._end_run(key[0])

    def _end_run(self, key: int) -> None:
        with self._base.writing() as connection:
            connection.execute(update(RunRow).where(col(RunRow.id) == key).values(ended=time.time()))

    def _locked(self) -> StoreLocked:
        with self._base.reading() as connection:
            query = (
                select(col(RunRow.pid), col(RunRow.host))
                .where(col(RunRow.ended).is_(None))
                .order_by(col(RunRow.id).desc())
            )
            row = connection.execute(query).first()
        if row is None:
            return StoreLocked(f"another run has just begun to write {self.path}")
        return StoreLocked(f"{self.path} is being written by process {row.pid} on {row.host}", row.pid)

    def _upgrade(self) -> None:
        from referee import migrations

        with self._base.reading() as connection:
            revision = migrations.current(connection)
            if revision is not None and revision not in migrations.known():
                program = connection.exec_driver_sql("SELECT program FROM tournament").scalar()
                raise StoreTooNew(
                    f"{self.path} has schema {revision}, written by {program}; this program knows"
                    f" {migrations.newest()}: install a later version"
                )
        if revision != migrations.newest():
            with self._base.writing() as connection:
                # Whoever writes first upgrades; others wait for it here, and then find nothing to do.
                connection.exec_driver_sql("UPDATE tournament SET format = format")
                migrations.upgrade(connection)

    def _load(self) -> None:
        with self._base.reading() as connection:
            competitions = connection.execute(select(CompetitionRow.__table__).order_by("id"))  # type: ignore[attr-defined] # SQLModel's
            with sound(self.path, "its list of competitions"):
                self.competitions = tuple(
                    CompetitionInfo(
                        of_type(row.name, str),
                        of_type(row.game, str),
                        of_type(json.loads(row.variant), dict),
                        of_type(row.seatings, int),
                    )
                    for row in competitions
                )
            entrants = connection.execute(select(EntrantRow.__table__).order_by("id"))  # type: ignore[attr-defined] # SQLModel's
            with sound(self.path, "its list of entrants"):
                self.entrants = tuple(
                    EntrantInfo(of_type(row.name, str), of_type(row.files_hash, str)) for row in entrants
                )
        self._numbers = {info.name: number for number, info in enumerate(self.competitions)}
        self._entrant_numbers = {info.name: number for number, info in enumerate(self.entrants)}

    def _key(self, competition: str, board: int, seating: int) -> tuple[ColumnElement[bool], ...]:
        return (
            col(GameRow.competition) == self._numbers[competition],
            col(GameRow.board) == board,
            col(GameRow.seating) == seating,
        )

    def _rows(
        self, columns: Iterable[Any], competition: str | None, *wanted: ColumnElement[bool]
    ) -> Iterator[Any]:
        query = (
            select(*columns)
            .where(*wanted)
            .order_by(col(GameRow.competition), col(GameRow.board), col(GameRow.seating))
        )
        if competition is not None:
            query = query.where(col(GameRow.competition) == self._numbers[competition])
        with (
            self._base.reading() as connection,
            connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query) as rows,
        ):
            yield from rows

    def _game(self, row: Any) -> StoredGame:
        with sound(self.path, "the competition of a game"):
            name = numbered_of(self.competitions, row.competition).name
        with sound(self.path, f"the row of game {name}/{row.board}/{row.seating}"):
            return StoredGame(
                competition=name,
                board=of_type(row.board, int),
                seating=of_type(row.seating, int),
                seats=tuple(numbered_of(self.entrants, number).name for number in json.loads(row.seats)),
                scores=tuple(of_type(score, int) for score in json.loads(row.scores)),
                forfeits=tuple(of_type(seat, int) for seat in json.loads(row.forfeits)),
                faults=of_type(row.faults, int),
                charged_ms=tuple(map(float, json.loads(row.charged_ms))),
                decisions=tuple(of_type(number, int) for number in json.loads(row.decisions)),
            )

    def _fault(self, row: Any, number: int | None) -> StoredFault:
        place = {
            name: None if getattr(row, name) is None else of_type(getattr(row, name), int)
            for name in ("board", "seating", "deal", "action", "turn")
        }
        return StoredFault(
            competition=numbered_of(self.competitions, row.competition).name,
            entrant=numbered_of(self.entrants, row.entrant).name,
            number=number,
            seat=of_type(row.seat, int),
            cause=of_type(row.cause, str),
            message=of_type(row.message, str),
            view=of_type(row.view, str),
            stderr_tail=of_type(row.stderr_tail, str),
            **place,
        )

    def _ruling(self, row: Any) -> Ruling:
        marks = of_type(json.loads(row.marks), list)
        return Ruling(
            number=row.id,
            kind=RulingKind(row.kind),
            reason=of_type(row.reason, str),
            made_at=of_type(row.made_at, str),
            marks={info.name: mark for info, mark in zip(self.competitions, marks, strict=True)},
            competition=None
            if row.competition is None
            else numbered_of(self.competitions, row.competition).name,
            board=row.board,
            seating=row.seating,
            fault=row.fault,
            entrant=None if row.entrant is None else numbered_of(self.entrants, row.entrant).name,
            revokes=row.revokes,
        )

    def _game_row(self, competition: int, game: PlayedGame, writer: str) -> dict[str, object]:
        from cardtable.wire.records import record_to_bytes

        record = game.record
        assert record.scores is not None, "only finished games are stored"
        return {
            "competition": competition,
            "board": game.order.board,
            "seating": game.order.seating,
            "seats": json.dumps([self._entrant_numbers[name] for name in game.order.seats]),
            "scores": json.dumps(record.scores),
            "forfeits": json.dumps(record.forfeits),
            "faults": len(record.faults),
            "charged_ms": json.dumps([round(spent, 3) for spent in game.charged_ms]),
            "decisions": json.dumps(game.decisions),
            "record": record_to_bytes(record, writer),
        }

    def _fault_rows(self, competition: int, game: PlayedGame) -> Iterator[dict[str, object]]:
        for detail in game.details:
            yield {
                "competition": competition,
                "board": game.order.board,
                "seating": game.order.seating,
                "entrant": self._entrant_numbers[detail.entrant],
                "seat": detail.seat,
                "cause": detail.cause.value,
                "deal": detail.deal,
                "action": detail.action,
                "turn": detail.turn,
                "message": detail.message,
                "view": detail.view,
                "stderr_tail": detail.stderr_tail,
            }


def _insert(connection: Connection, table: type, rows: list[dict[str, object]]) -> None:
    if rows:
        connection.execute(insert(table), rows)
