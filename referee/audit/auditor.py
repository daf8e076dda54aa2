"""All checks of a store, in the order in which they build upon one another.

Owns what is held against what. Games are replayed once, one after another; tables are then computed twice by the
code that shows them, from the columns of the store and from what the records gave.

    AuditError    the store cannot be audited at all: what cannot be read
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from cardtable.dealing import board_seed
from cardtable.replay import Replayed, ReplayError
from referee.audit.checks import Audit, Check, Finding
from referee.audit.differences import different_boards, different_rows, words, wrong_game
from referee.audit.game import inspect_game
from referee.audit.rulings import wrong_rulings
from referee.audit.schedule import compare
from referee.audit.terms import Terms
from referee.audit.withdrawal import games_at, last_board
from referee.boards import fold
from referee.disqualification import departures, known_before
from referee.identity import committed
from referee.ratings import RatingFailed
from referee.rulings import Docket, RulingKind
from referee.schedule import ScheduleError
from referee.standings import boards_of, groups_of, overall, standings
from referee.store import NotAStore, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from cardtable.record import GameRecord
    from referee.audit.schedule import PlayedSchedule
    from referee.boards import Board
    from referee.rulings import Place, Ruling
    from referee.schedule import Certificate, Plan
    from referee.stored import CompetitionInfo, StoredFault, StoredGame

__all__ = ["audit"]

#: What each check counts.
_UNITS = {
    "commitment": "facts",
    "deals": "deals",
    "games": "games",
    "scores": "games",
    "rulings": "rulings",
    "boards": "boards",
    "schedule": "games",
    "ratings": "ratings",
}
#: What folds raise when columns do not fit together.
_UNFIT = (ArithmeticError, IndexError, KeyError, TypeError, ValueError)


def audit(store: Store, heard: Callable[[Replayed], None] | None = None) -> Audit:
    """Recompute everything that a store says, and compare.

    Args:
        store: May be written while it is read: what comes later is not looked at.
        heard: Is told the rules' verdict on each game, in the order of `Store.games`.

    Raises:
        AuditError: The store's own description cannot be read.
        StoreError: The file, or a row of it, cannot be read.
    """
    return _Auditor(store).run(heard)


class _Snapshot(Store):
    """A store whose games are those of a list, for the code that makes tables."""

    listed: Sequence[StoredGame] = ()

    @classmethod
    def of(cls, store: Store, games: Sequence[StoredGame]) -> _Snapshot:
        """Open the store's file once more, with other games."""
        snapshot = cls.open(store.path)
        assert isinstance(snapshot, cls)
        snapshot.listed = games
        return snapshot

    def games(self, competition: str | None = None) -> Iterator[StoredGame]:
        """The games of the list, as `Store.games` gives them."""
        return (game for game in self.listed if competition in {None, game.competition})


class _Auditor:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._info = store.info()
        self._terms = Terms.of(self._info, store.path)
        self._master = self._terms.known_master(self._info)
        self._columns = list(store.games())
        self._faults = list(store.faults())
        self._docket = Docket(
            store.rulings(), self._faults, [one.name for one in store.competitions], self._terms.forfeit_after
        )
        #: The same games as their records tell them; those whose record is no finished game are missing.
        self._recounted: list[StoredGame] = []
        self._checked = dict.fromkeys(_UNITS, 0)
        self._findings: dict[str, list[Finding]] = {name: [] for name in _UNITS}
        self._notes: dict[str, list[str]] = {name: [] for name in _UNITS}
        self._certificates: dict[str, Certificate] = {}

    def run(self, heard: Callable[[Replayed], None] | None) -> Audit:
        """Make all checks."""
        sound = self._commitment()
        self._games(heard)
        if sound:
            self._rulings()
            self._tables()
        else:
            for name in ("rulings", "boards", "schedule", "ratings"):
                self._notes[name].append("not made: the identity names other competitions or bots")
        return Audit(
            checks=tuple(
                Check(name, self._checked[name], unit, tuple(self._findings[name]), tuple(self._notes[name]))
                for name, unit in _UNITS.items()
            ),
            commitment=self._info.commitment,
            seed=self._master,
            certificates=self._certificates,
        )

    def _find(self, check: str, where: str, what: str) -> None:
        self._findings[check].append(Finding(where, what))

    # The promise.

    def _commitment(self) -> bool:
        """Check the seed and the identity; return whether the store is of the identity's competitions and bots."""
        info, terms, store = self._info, self._terms, self._store
        self._checked["commitment"] += 3
        if hashlib.sha256(info.config.encode()).hexdigest() != info.identity:
            self._find("commitment", "identity", f"its SHA-256 is not {info.identity}, as it is stored")
        if self._master is None:
            self._notes["commitment"].append(f"{info.commitment} waits for the seed, which is not revealed")
        else:
            self._checked["commitment"] += 1
            true = committed(self._master, terms.identity)
            if true != info.commitment:
                self._find("commitment", "seed and bots", f"they give {true}, not {info.commitment}")
        if terms.master is not None and self._master != terms.master:
            self._find("commitment", "seed", f"it is not {terms.master.hex()}, which the identity gives")
        bots = [bot["name"] for bot in terms.identity["bots"]]
        entrants = [one.name for one in store.entrants]
        if bots != entrants:
            self._find("commitment", "entrants", f"{', '.join(entrants)}; the identity has {', '.join(bots)}")
        for one in store.entrants:
            true = terms.hashes.get(one.name, one.files_hash)
            if one.files_hash != true:
                told = one.files_hash or "empty"
                self._find(
                    "commitment",
                    one.name,
                    f"its hash is {told}; the identity's command and files give {true}",
                )
        rows = {one.name: (one.game, dict(one.variant)) for one in store.competitions}
        named = {name: (one.game, one.variant) for name, one in terms.competitions.items()}
        for name in sorted(rows.keys() | named.keys()):
            if rows.get(name) != named.get(name):
                self._find(
                    "commitment", name, "the identity has another game or variant, or no such competition"
                )
        return bots == entrants and rows == named

    # Games, each by itself.

    def _games(self, heard: Callable[[Replayed], None] | None) -> None:
        faults: defaultdict[tuple[str, int, int], list[StoredFault]] = defaultdict(list)
        for fault in self._faults:
            if fault.board is not None and fault.seating is not None:
                faults[fault.competition, fault.board, fault.seating].append(fault)
        first: tuple[str, int, bytes | None] | None = None
        for game in self._columns:
            where = game.name
            self._checked["games"] += 1
            told = faults.pop((game.competition, game.board, game.seating), [])
            try:
                record = self._store.record(game.competition, game.board, game.seating)
            except NotAStore as error:
                damaged = Replayed(ReplayError("format", str(error)))
                self._find("games", where, "the record is damaged")
                if heard is not None:
                    heard(damaged)
                continue
            if first is None or first[:2] != (game.competition, game.board):
                first = (game.competition, game.board, record.seed)
            self._game(where, game, record, told, first[2], heard)
        for key in faults:
            if not self._store.has(*key):
                self._find(
                    "games", "/".join(map(str, key)), "there are faults of this game, but no such game"
                )
        if self._master is None:
            self._notes["deals"].append(
                "until the seed is revealed: that the cards are those of the records' seeds"
            )

    def _game(
        self,
        where: str,
        game: StoredGame,
        record: GameRecord,
        faults: Sequence[StoredFault],
        first_seed: bytes | None,
        heard: Callable[[Replayed], None] | None,
    ) -> None:
        terms = self._terms.competitions.get(game.competition)
        seed = first_seed
        if self._master is not None:
            seed = board_seed(self._terms.mixed(self._master), game.competition, game.board)
        seen = inspect_game(
            record,
            seed if seed is not None and record.seed == seed else None,
            ask_forced=terms is not None and terms.ask_forced,
            forfeit_after=self._terms.forfeit_after,
        )
        if heard is not None:
            heard(seen.replayed)
        self._checked["deals"] += seen.deals
        if seed is None or record.seed != seed:
            said = "no seed" if record.seed is None else record.seed.hex()
            of_board = (
                "the board's is another"
                if seed is None or self._master is None
                else f"the board's is {seed.hex()}"
            )
            self._find("deals", where, f"the record has {said}; {of_board}")
        for deal in seen.foreign:
            self._find("deals", where, f"deal {deal}: the cards are not those of the seed")
        for what in wrong_game(game, record, seen, faults):
            self._find("games", where, what)
        if terms is not None and not terms.plays(record):
            self._find("games", where, "the record is of another game or variant than its competition")
        state = seen.replayed.state
        if not seen.replayed.ok or state is None or not state.is_over:
            return
        if any(not 0 <= seat < len(record.seats) for seat in record.forfeits):
            return
        recount = replace(
            game,
            seats=record.seats,
            scores=tuple(state.scores),
            forfeits=record.forfeits,
            faults=len(record.faults),
        )
        self._checked["scores"] += 1
        for what in ("scores", "forfeits", "faults"):
            column, truth = getattr(game, what), getattr(recount, what)
            if column != truth:
                self._find("scores", where, f"{what} are {words(column)}; the record gives {words(truth)}")
        # One value for both where they agree, so that a large store is in memory once.
        self._recounted.append(game if recount == game else recount)

    # What was ruled.

    def _rulings(self) -> None:
        rulings = self._docket.rulings
        self._checked["rulings"] += len(rulings)
        for ruling, what in wrong_rulings(rulings, self._columns, self._faults, self._store.competitions):
            self._find("rulings", f"ruling {ruling.number}", what)
        for ruling in rulings:
            if ruling.kind is not RulingKind.WITHDRAW:
                continue
            if not self._is_planned(ruling):
                self._find("rulings", f"ruling {ruling.number}", "the plan has no such board")
            elif what := self._wrong_end(ruling):
                self._find("rulings", f"ruling {ruling.number}", what)

    def _is_planned(self, ruling: Ruling) -> bool:
        """Whether the last board that counts of who is withdrawn is one of the plan, or stands for none."""
        if ruling.competition is None or ruling.board is None:
            return False
        try:
            return -1 <= ruling.board < len(self._terms.competitions[ruling.competition].plan())
        except (ScheduleError, *_UNFIT):
            return True  # told of where the plan is compared

    def _wrong_end(self, ruling: Ruling) -> str:
        """What is wrong with the board after which somebody is withdrawn, in words; empty where nothing is.

        It follows from what was played by then. Where it is another, but no board lies between that the bot played,
        nothing follows from that: a plan may have been extended since.
        """
        bot, docket = ruling.entrant, self._docket
        if bot is None or ruling.competition is None or ruling.board is None or self._store.is_merged:
            return ""  # what was merged is no more in the order in which it was played
        said = ruling.competition, ruling.board
        earlier = next(one for one in docket.history() if len(one.rulings) < ruling.number)
        games = list(games_at(ruling.marks, self._written))
        ends = (
            [False, True] if self._terms.master is None and self._info.revealed_seed is not None else [False]
        )
        try:
            places = [
                last_board(self._terms, self._store.competitions, games, earlier, bot, is_over=is_over)
                for is_over in ends
            ]
        except (ScheduleError, *_UNFIT):
            return ""  # told of where the plan is compared
        for place in places:
            first, last = (said, place) if docket.is_before(said, place) else (place, said)
            if not any(
                bot in game.seats
                and docket.is_before(first, (game.competition, game.board))
                and not docket.is_before(last, (game.competition, game.board))
                for game in self._recounted
            ):
                return ""
        competition, board = places[0]
        return (
            f"{bot} is withdrawn after {ruling.competition}/{ruling.board}; "
            f"from what was played by then it follows that it is after {competition}/{board}"
        )

    @cached_property
    def _written(self) -> dict[str, list[StoredGame]]:
        """The games of each competition in the order in which they were written."""
        recounted = {(game.competition, game.board, game.seating): game for game in self._recounted}
        written: dict[str, list[StoredGame]] = defaultdict(list)
        for _, game in self._store.games_after(0):
            key = game.competition, game.board, game.seating
            written[game.competition].append(recounted.get(key, game))
        return written

    # What is made of games.

    def _tables(self) -> None:
        store = self._store
        with _Snapshot.of(store, self._columns) as columns, _Snapshot.of(store, self._recounted) as records:
            for one in store.competitions:
                true = boards_of(records, one)
                try:
                    self._boards(one.name, boards_of(columns, one), true)
                except _UNFIT as error:
                    self._find("boards", one.name, f"the columns make no boards: {error}")
                self._schedule(one)
                self._ratings(one.name, columns, records, one)
            if len(store.competitions) > 1:
                self._ratings("all competitions", columns, records, None)

    def _boards(self, name: str, from_columns: Sequence[Board], from_records: Sequence[Board]) -> None:
        shown = {board.number: board for board in from_columns}
        true = {board.number: board for board in from_records}
        for number in sorted(shown.keys() | true.keys()):
            self._checked["boards"] += 1
            where = f"{name}/{number}"
            if number not in true:
                self._find("boards", where, "counts by the columns, and not by the records")
            elif number not in shown:
                self._find("boards", where, "counts by the records, and not by the columns")
            elif shown[number] != true[number]:
                self._find("boards", where, different_boards(shown[number], true[number]))

    def _schedule(self, competition: CompetitionInfo) -> None:
        name = competition.name
        games = [game for game in self._columns if game.competition == name]
        self._checked["schedule"] += len(games)
        try:
            plan = self._terms.competitions[name].plan()
        except (ScheduleError, *_UNFIT) as error:
            self._find("schedule", name, f"the identity gives no plan: {error}")
            return
        if plan.seatings != competition.seatings:
            self._find(
                "schedule", name, f"boards have {competition.seatings} seatings, the plan {plan.seatings}"
            )
        result = self._compare(competition, plan, games, self._docket)
        if result.unfinished and self._info.revealed_seed is not None:
            result = next(
                (one for one in self._earlier(competition, plan, games) if not one.unfinished), result
            )
        self._findings["schedule"] += result.findings
        self._notes["schedule"] += result.notes
        if result.certificate is not None:
            self._certificates[name] = result.certificate
        self._unfinished(name, result.unfinished, {game.board for game in games})

    def _compare(
        self, competition: CompetitionInfo, plan: Plan, games: Sequence[StoredGame], docket: Docket
    ) -> PlayedSchedule:
        name, after = competition.name, self._terms.disqualify_after
        terms = self._terms.competitions[name]

        def known(board: int) -> tuple[Sequence[Board], Collection[str]]:
            kept, left = known_before(self._recounted, (name, board), after, docket)
            return fold(kept, groups_of(competition), competition.seatings), left

        def left_before(board: int) -> set[str]:
            return {who for who, last in self._left.items() if docket.is_before(last, (name, board))}

        return compare(
            name, plan, games, known, left_before, hero=terms.hero, stop=terms.stop, scored_by=terms.scored_by
        )

    def _earlier(
        self, competition: CompetitionInfo, plan: Plan, games: Sequence[StoredGame]
    ) -> Iterator[PlayedSchedule]:
        """The same without what was ruled after the last game: by then the competition may have been over."""
        for docket in self._docket.history():
            yield self._compare(competition, plan, games, docket)
            if docket.when(competition.name, len(games) - 1) is docket:
                return

    @cached_property
    def _left(self) -> dict[str, Place]:
        """After which board everyone left who was ever held to have left; a ruling may have brought them back."""
        found: dict[str, Place] = {}
        for docket in self._docket.history():
            for name, place in departures(self._recounted, self._terms.disqualify_after, docket).items():
                old = found.get(name, place)
                found[name] = place if docket.is_before(place, old) else old
        return found

    def _unfinished(self, name: str, missing: Sequence[int], begun: set[int]) -> None:
        """Say what was planned and is not there; wrong where the tournament can only have ended with it."""
        # A seed that was drawn is revealed after the last board, and no board can be added then. One that stands in the
        # file allows more boards; but a board that was begun is written whole or not at all.
        over = self._info.revealed_seed is not None
        whole = over and self._terms.master is None
        waiting = []
        for number in missing:
            if over and number in begun:
                self._find("schedule", f"{name}/{number}", "the seed is revealed, and a seating is missing")
            elif whole:
                self._find("schedule", f"{name}/{number}", "the seed is revealed, and the board is missing")
            else:
                waiting.append(number)
        if waiting:
            listed = ", ".join(map(str, waiting[:10])) + (", ..." if len(waiting) > 10 else "")
            count = f"{len(waiting):,} board{'s' * (len(waiting) != 1)}"
            self._notes["schedule"].append(f"{name}: {count} unfinished: {listed}")

    def _ratings(self, where: str, columns: Store, records: Store, one: CompetitionInfo | None) -> None:
        tables = []
        for what, source in (("records", records), ("columns", columns)):
            try:
                tables.append(overall(source) if one is None else standings(source, one))
            except (RatingFailed, *_UNFIT) as error:
                self._find("ratings", where, f"the {what} make no table: {error}")
                return
        true, shown = tables
        self._checked["ratings"] += len(shown.rows)
        for name, what in different_rows(shown, true):
            self._find("ratings", f"{where}, {name}", what)
