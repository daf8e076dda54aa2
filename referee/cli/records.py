"""`show`, `export` and `verify`: whole games."""

from __future__ import annotations

import csv
import json
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cardtable.record import GameRecord, RecordError
from cardtable.replay import replay
from referee.boards import game_places, game_points
from referee.cli.places import competitions_of, game_name, is_store, open_cup, rulings_of
from referee.errors import RefereeError
from referee.report.game import game_text
from referee.report.rulings import ruling_line
from referee.report.tables import count
from referee.report.verdicts import UnreadableError, audit_json, audit_text, verdict_text, verdicts
from referee.standings import counted_games, finished_games, groups_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardtable.replay import Replayed
    from referee.database.address import StoreAddress
    from referee.store import Store
    from referee.stored import StoredGame

__all__ = ["export_games", "export_identity", "show_game", "verify_files"]

FORMATS = ("jsonl", "csv")


def show_game(source: StoreAddress, game: str) -> None:
    """Print one game of a store or of a file of records."""
    if isinstance(source, Path) and not is_store(source):
        print(game_text(_in_file(source, game)))
        return
    with open_cup(source) as store:
        place = game_name(store, game)
        print(game_text(store.record(*place)))
        for one in rulings_of(store):
            if one.in_force and one.ruling.game == place:
                print(ruling_line(one))


def export_games(cup: StoreAddress, competition: str | None, output_format: str, output: Path | None) -> None:
    """Write all finished games."""
    if output_format not in FORMATS:
        raise RefereeError(f"--format {output_format}: the formats are {' and '.join(FORMATS)}")
    with open_cup(cup) as store, _writing(output) as file:
        if output_format == "csv":
            _export_csv(store, competition, file)
            return
        for _, record in _records(store, finished_games(store), competition):
            file.write(record.to_line() + "\n")


def export_identity(cup: StoreAddress, output: Path | None) -> None:
    """Write what identifies the tournament, byte for byte as its hash was taken: no line's end."""
    with open_cup(cup) as store, _writing(output) as file:
        file.write(store.info().config)


def verify_files(paths: Sequence[StoreAddress], *, as_json: bool) -> int:
    """Print a verdict on every record of files and on all that stores hold; return the status."""
    status = 0
    for path in paths:
        try:
            if isinstance(path, Path) and not is_store(path):
                holds = _verify_records(path, as_json=as_json)
            else:
                holds = _verify_store(path, as_json=as_json)
        except RefereeError as error:
            sys.stdout.flush()
            print(f"tourney: {error}", file=sys.stderr)
            status = 2
        else:
            status = max(status, int(not holds))
    return status


def _verify_records(path: Path, *, as_json: bool) -> bool:
    number, holds = -1, True
    for number, verdict in enumerate(verdicts(path)):
        print(json.dumps(verdict.to_json()) if as_json else verdict_text(number, verdict))
        holds &= verdict.ok
    if number < 0 and not as_json:
        print(f"{path}: no records")
    return holds


def _verify_store(path: StoreAddress, *, as_json: bool) -> bool:
    from referee.audit.auditor import audit

    def heard(verdict: Replayed) -> None:
        print(json.dumps(verdict.to_json()))

    with open_cup(path) as store:
        if store.is_merged:
            return _verify_merged(store, as_json=as_json)
        whole = audit(store, heard if as_json else None)
        print(json.dumps(audit_json(whole)) if as_json else audit_text(store.path, whole))
    return whole.ok


def _verify_merged(store: Store, *, as_json: bool) -> bool:
    """Replay the games of a merged store; all else is to be checked in the stores that it was made of."""
    wrong = games = 0
    for game in store.games():
        games += 1
        verdict = replay(store.record(game.competition, game.board, game.seating))
        state = verdict.state
        holds = verdict.ok and state is not None and tuple(state.scores) == game.scores
        wrong += not holds
        if as_json:
            print(json.dumps(verdict.to_json()))
        elif not holds:
            print(f"WRONG  {game.name}: {verdict_text(games - 1, verdict)}")
    if not as_json:
        print(f"{store.path}: merged; {games - wrong} of {count(games, 'game')} replay to their scores")
        print("deals, schedules and ratings are verified in the stores that it was made of")
    return not wrong


def _export_csv(store: Store, competition: str | None, file: TextIO) -> None:
    """One line for each entrant of each game that counts, as ruled."""
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(
        ["competition", "board", "seating", "entrant", "seats", "points", "place", "forfeit", "faults"]
    )
    groups = {one.name: groups_of(one) for one in store.competitions}
    for game, record in _records(store, counted_games(store), competition):
        points, places = (
            game_points(game, groups[game.competition]),
            game_places(game, groups[game.competition]),
        )
        for entrant in dict.fromkeys(game.seats):
            seats = [seat for seat, name in enumerate(game.seats) if name == entrant]
            faults = sum(fault.seat in seats for fault in record.faults)
            lines.writerow(
                [
                    game.competition,
                    game.board,
                    game.seating,
                    entrant,
                    " ".join(map(str, seats)),
                    points[entrant],
                    places[entrant],
                    int(any(seat in game.forfeits for seat in seats)),
                    faults,
                ]
            )


def _records(
    store: Store, games: Iterable[StoredGame], competition: str | None
) -> Iterator[tuple[StoredGame, GameRecord]]:
    """Some games with their records."""
    wanted = {one.name for one in competitions_of(store, competition)}
    for game in games:
        if game.competition in wanted:
            yield game, store.record(game.competition, game.board, game.seating)


def _in_file(path: Path, name: str) -> GameRecord:
    if not (name.isascii() and name.isdecimal()):
        raise RefereeError(f"{name!r} is no record's number; {path} holds records, counted from 0")
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return GameRecord.from_line(lines[int(name)])
    except OSError as error:
        raise UnreadableError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnreadableError(f"{path}: no UTF-8 text and no store") from None
    except IndexError:
        raise RefereeError(
            f"{path} has {len(lines)} records, counted from 0; there is none of number {name}"
        ) from None
    except RecordError as error:
        raise RefereeError(f"{path}: record {name}: {error}") from None


@contextmanager
def _writing(output: Path | None) -> Iterator[TextIO]:
    """The terminal, a device, or a file that appears under its name only when it is whole."""
    if output is None:
        yield sys.stdout
        return
    is_device = output.exists() and not output.is_file()
    try:
        with output.open("w", encoding="utf-8", newline="") if is_device else _draft_of(output) as file:
            yield file
    except OSError as error:
        raise RefereeError(f"{output} cannot be written: {error.strerror}") from None


@contextmanager
def _draft_of(output: Path) -> Iterator[TextIO]:
    """A file beside it, which takes its place when all is written and is gone when it is not."""
    draft = output.with_name(f".{output.name}.new")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(output)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
