"""All games of some competitions as a page bears them: a list to look through, and packed replays.

Owns the packing. Replays stand in chunks of some boards, of which a browser unpacks the one that is asked for, so that
opening a page costs nothing for its games. `assets/archive.js` reads it. A board is here only when all its seatings
are played: while one is not, its cards are still in play at the other.

A chunk is deflated JSON in base64. Within it the parts of all deals stand one after another, each kind in a list of its
own (`referee.pages.replays` says which), since like packs best with like.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cardtable.catalog import game as game_of
from referee.pages.replays import board_of
from referee.report.rulings import about_game, rulings_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from cardtable.record import GameRecord
    from referee.joining import Results
    from referee.pages.replays import Board
    from referee.store import Store
    from referee.stored import CompetitionInfo, StoredGame

    Told: TypeAlias = Callable[[str, int], None]

__all__ = ["Archive", "archive_of", "archive_of_game", "note_of"]

#: Bytes of JSON at which a chunk is full: what one look at a game unpacks.
CHUNK_BYTES = 96_000
_COLUMNS = ("at", "calls", "plays", "seats", "points", "void")


@dataclass(slots=True)
class Archive:
    """The games of a page.

    Args:
        entrants: Names, which the games refer to by number.
        competitions: Name, title, game and way of sitting of each.
        games: A row each: competition, board, seating, seats, scores, faults, forfeits, what rulings make of it.
        chunks: Packed replays.
        firsts: The place in `games` of each chunk's first game.
        boards: Competition and number of each board.
        wrong: Games that do not replay to their scores, with the reason.
    """

    entrants: list[str]
    competitions: list[dict[str, object]]
    games: list[list[object]] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    boards: set[tuple[str, int]] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    @property
    def index(self) -> dict[str, object]:
        """All but the packed replays, for the page's script."""
        return {
            "entrants": self.entrants,
            "competitions": self.competitions,
            "games": self.games,
            "firsts": self.firsts,
        }


def archive_of(
    store: Store, results: Results, competitions: Sequence[CompetitionInfo], *, comments: bool, told: Told
) -> Archive:
    """Replay and pack all games of these competitions.

    Args:
        store: Where they are.
        results: What was read of it, for the rulings.
        competitions: Which.
        comments: Whether what bots said is told: not before the tournament is over.
        told: Is told how many more games are done.
    """
    names = [one.name for one in results.entrants]
    archive = Archive(names, [_competition(one) for one in competitions])
    packer = _Packer(archive)
    counted = {_key(game): game for contest in results.contests for game in (*contest.games, *contest.void)}
    place = {name: number for number, name in enumerate(names)}
    for number, one in enumerate(competitions):
        for played in _complete(store, one):
            board = board_of([(game.seating, record) for game, record in played], comments=comments)
            packer.add(board)
            told("replays", len(played))
            archive.boards.add((one.name, played[0][0].board))
            for (game, record), replayed in zip(played, board["games"], strict=True):
                ruled = counted.get(_key(game))
                archive.games.append(_row(number, game, ruled, place, results))
                _check(archive, game, record, replayed.get("e"))
    packer.finish()
    return archive


def archive_of_game(
    one: CompetitionInfo,
    game: StoredGame,
    record: GameRecord,
    ruled: StoredGame | None,
    results: Results,
    *,
    comments: bool,
) -> Archive:
    """The archive of a page that has one game.

    Args:
        one: Its competition.
        game: As it is stored.
        record: Its record.
        ruled: As it counts; None where it does not.
        results: What was read of its store, for the names and rulings.
        comments: As in `archive_of`.
    """
    names = [entrant.name for entrant in results.entrants]
    archive = Archive(names, [_competition(one)])
    packer = _Packer(archive)
    board = board_of([(game.seating, record)], comments=comments)
    packer.add(board)
    packer.finish()
    place = {name: number for number, name in enumerate(names)}
    archive.games.append(_row(0, game, ruled, place, results))
    _check(archive, game, record, board["games"][0].get("e"))
    return archive


def _row(
    number: int, game: StoredGame, ruled: StoredGame | None, place: Mapping[str, int], results: Results
) -> list[object]:
    return [
        number,
        game.board,
        game.seating,
        [place[name] for name in game.seats],
        list(game.scores),
        game.faults,
        list((ruled or game).forfeits),
        note_of(game, results, is_counted=ruled is not None),
    ]


def _key(game: StoredGame) -> tuple[str, int, int]:
    return game.competition, game.board, game.seating


def _complete(store: Store, one: CompetitionInfo) -> Iterator[list[tuple[StoredGame, GameRecord]]]:
    """The games of each board that is played whole."""
    for _, members in groupby(store.records(one.name), key=lambda entry: entry[0].board):
        played = list(members)
        if len({game.seating for game, _ in played}) == one.seatings:
            yield played


def _competition(one: CompetitionInfo) -> dict[str, object]:
    game = game_of(one.game)
    variant = game.variant(one.variant)
    return {
        "name": one.name,
        "title": game.title_of(variant),
        "game": one.game,
        "players": variant.players,
        "groups": game.groups(variant),
    }


def note_of(game: StoredGame, results: Results, *, is_counted: bool) -> str:
    """What rulings make of a game, or that it does not count; empty where there is nothing to be said."""
    words = rulings_words(about_game(game, results.rulings))
    if words:
        return words
    return "" if is_counted or len(results.sources) > 1 else "not counted"


def _check(archive: Archive, game: StoredGame, record: GameRecord, error: str | None) -> None:
    if error is not None:
        archive.wrong.append(f"{game.name}: {error}")
    elif record.scores != game.scores:
        archive.wrong.append(f"{game.name}: the store has other scores than the record")


class _Packer:
    """Gathers boards to chunks."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._boards: list[Board] = []
        self._bytes = 0
        self._games = 0

    def add(self, board: Board) -> None:
        if not self._boards:
            self._archive.firsts.append(self._games)
        self._boards.append(board)
        self._games += len(board["games"])
        self._bytes += sum(len(part) for game in board["games"] for deal in game["d"] for part in deal[1:4])
        self._bytes += sum(map(len, board["hands"]))
        self._bytes += sum(len(str(said[-1])) for game in board["games"] for said in game.get("c", ()))
        if self._bytes > CHUNK_BYTES:
            self.finish()

    def finish(self) -> None:
        if self._boards:
            self._archive.chunks.append(packed(self._boards))
        self._boards, self._bytes = [], 0


def packed(boards: Iterable[Board]) -> str:
    """Some boards as a chunk."""
    hands: list[str] = []
    games: list[dict[str, object]] = []
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for board in boards:
        for game in board["games"]:
            for at, *parts in game["d"]:
                for name, part in zip(_COLUMNS, (len(hands) + at, *parts), strict=True):
                    columns[name].append(part)
            games.append({**game, "d": len(game["d"])})
        hands += board["hands"]
    text = json.dumps({"hands": hands, "games": games, **columns}, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode()
