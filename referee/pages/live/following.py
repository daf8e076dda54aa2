"""A store that is followed while another process writes it: what was read once is never read again.

Owns what is known of it so far, and the cut at which tables are made. Only games of complete boards are told: while a
seating is missing, its cards are still in play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.merge import read
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from referee.database.address import StoreAddress
    from referee.joining import Results
    from referee.rulings import Ruling
    from referee.stored import StoredFault, StoredGame, TournamentInfo

    Key: TypeAlias = tuple[str, int, int]

__all__ = ["Cut", "Followed"]


@dataclass(frozen=True, slots=True)
class Cut:
    """How far a store was read at one moment.

    Args:
        games, faults: So many of `Followed.log` and of `Followed.fault_log` were known.
        stored_games, stored_faults: The same of what is stored, incomplete boards too.
        rulings: All of them.
        info: What the store says of its tournament.
    """

    games: int
    faults: int
    stored_games: int
    stored_faults: int
    rulings: tuple[Ruling, ...]
    info: TournamentInfo


class Followed(Store):
    """A store that remembers; made by `follow`.

    One thread catches up, another one reads results; what either has made may be looked at from anywhere, since
    lists only grow. What a fold asks of the store (`games`, `faults`, `rulings`, `info`) is answered from memory, as
    it was at the cut of the last `results`.
    """

    def __init__(self, path: StoreAddress) -> None:
        super().__init__(path)
        #: The games of complete boards in the order in which they came to be there: it only grows.
        self.log: list[StoredGame] = []
        #: The faults on complete boards and at no table, without question and output, in the order of writing.
        self.fault_log: list[StoredFault] = []
        self._stored: list[StoredGame] = []
        self._stored_faults: list[StoredFault] = []
        self._game_mark = self._fault_mark = 0
        self._places: dict[Key, int] = {}
        self._open: dict[tuple[str, int], dict[int, StoredGame]] = {}
        self._pending: list[StoredFault] = []
        self._head: Cut | None = None
        self._cut: Cut | None = None

    @classmethod
    def follow(cls, path: StoreAddress) -> Followed:
        """Open a store and read what it has.

        Raises:
            StoreError: There is none, or it cannot be read.
        """
        store = cls.open(path)
        assert isinstance(store, Followed)
        try:
            store.catch_up()
        except BaseException:
            store.close()
            raise
        return store

    @property
    def head(self) -> Cut:
        """How far it is read."""
        assert self._head is not None, "it is made by `follow`"
        return self._head

    @property
    def is_there(self) -> bool:
        """Whether what was opened is still what has its name."""
        return self._base.is_there()

    def catch_up(self) -> Cut:
        """Read what has been written since the last time.

        Rulings come first, then faults, then games: whatever is told of a game is told when the game is known.
        """
        info, rulings = super().info(), super().rulings()
        for mark, fault in self.faults_after(self._fault_mark):
            kept = replace(fault, view="", stderr_tail="")
            self._stored_faults.append(kept)
            self._pending.append(kept)
            self._fault_mark = mark
        seatings = {one.name: one.seatings for one in self.competitions}
        for mark, game in self.games_after(self._game_mark):
            self._stored.append(game)
            self._game_mark = mark
            self._take_in(game, seatings[game.competition])
        self._tell_faults()
        self._head = Cut(
            len(self.log), len(self.fault_log), len(self._stored), len(self._stored_faults), rulings, info
        )
        return self._head

    def results(self) -> tuple[Cut, Results]:
        """What tables are made of, as far as the store is read, and how far that is; from one thread alone."""
        self._cut = cut = self.head
        return cut, read(self)

    def find(self, competition: str, board: int, seating: int) -> StoredGame | None:
        """The game of this name, if its board is complete."""
        place = self.place(competition, board, seating)
        return None if place is None else self.log[place]

    def place(self, competition: str, board: int, seating: int) -> int | None:
        """Where it stands in `log`; None where its board is not complete, and where there is no such game."""
        return self._places.get((competition, board, seating))

    # What a fold asks a store for.

    def info(self) -> TournamentInfo:
        """As of the cut; before the first one, what the store says."""
        return super().info() if self._cut is None else self._cut.info

    def rulings(self) -> tuple[Ruling, ...]:
        """As of the cut."""
        return super().rulings() if self._cut is None else self._cut.rulings

    def games(self, competition: str | None = None) -> Iterator[StoredGame]:
        """As of the cut, in the order of any store."""
        known = self._stored[: (self._cut or self.head).stored_games]
        wanted = known if competition is None else [one for one in known if one.competition == competition]
        numbers = self._numbers
        return iter(sorted(wanted, key=lambda one: (numbers[one.competition], one.board, one.seating)))

    def faults(self, competition: str | None = None) -> Iterator[StoredFault]:
        """As of the cut, without question and output; those at no table first."""
        known = self._stored_faults[: (self._cut or self.head).stored_faults]
        wanted = known if competition is None else [one for one in known if one.competition == competition]
        return iter(sorted(wanted, key=self._fault_place))

    def _fault_place(self, fault: StoredFault) -> tuple[int, int, int]:
        board = -1 if fault.board is None else fault.board
        seating = -1 if fault.seating is None else fault.seating
        return self._numbers[fault.competition], board, seating

    def _take_in(self, game: StoredGame, seatings: int) -> None:
        board = self._open.setdefault((game.competition, game.board), {})
        board[game.seating] = game
        if len(board) < seatings:
            return
        del self._open[game.competition, game.board]
        for one in board.values():
            self.log.append(one)
            # After it is in the list, so that whoever finds the place finds the game.
            self._places[one.competition, one.board, one.seating] = len(self.log) - 1

    def _tell_faults(self) -> None:
        pending: list[StoredFault] = []
        for fault in self._pending:
            is_open = (
                fault.board is not None
                and fault.seating is not None
                and self.place(fault.competition, fault.board, fault.seating) is None
            )
            (pending if is_open else self.fault_log).append(fault)
        self._pending = pending
