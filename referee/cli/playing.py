"""`tourney human`: a person takes a seat in the browser and plays against bots.

Owns what is made of the options, and the evening from the address to the final scores. The games are those of an
ordinary tournament, in which the person is a remote bot; what it sits at is `referee.pages.human`.
"""

from __future__ import annotations

import os
import secrets
import shlex
import socket
import sys
import tempfile
import webbrowser
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from cardtable import examples
from cardtable.catalog import GAMES, game as game_of
from referee.blocks import BlockOrder
from referee.cli import INTERRUPTED
from referee.cli.extras import pages_extra
from referee.cli.running import interruptible, options_of
from referee.config import quick
from referee.database.address import check_place
from referee.errors import RefereeError
from referee.executor import halt_workers, local_pool
from referee.report.tables import count
from referee.tournament import Tournament, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from cardtable.record import GameRecord
    from referee.config import Config
    from referee.database.address import StoreAddress
    from referee.pages.human.house import House
    from referee.store import Store
    from referee.tournament import Progress

__all__ = ["Evening", "play_human"]

#: Who takes the seats that are left, in this order.
_COMPANY: Final = ("greedy", "counter", "greedy")
#: What the referee sets itself for an evening.
_FIXED: Final = {"rotations": "none", "ask_forced": True}
_OWN: Final = ("schedule", "tables", "hero", "teams", "score", "show_names", *_FIXED)
_MOST_SECONDS: Final = 604_800
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Evening:
    """What the user asked for; see the options of `tourney human`."""

    game: str
    bots: tuple[str, ...]
    options: tuple[str, ...]
    games: int
    store: StoreAddress | None
    port: int
    name: str
    show_names: bool
    move_seconds: float
    away_seconds: float
    opens: bool


def play_human(evening: Evening) -> int:
    """Play, and return the status.

    Raises:
        RefereeError: Something in the options or the store is wrong; nothing was started.
    """
    house_of = _maker()
    with ExitStack() as stack:
        store_path = evening.store
        if store_path is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tourney-human-"))
            store_path = Path(folder, "evening.db")
        config = _config(evening, store_path.absolute())
        store, _ = open_store(config, extend=True)
        stack.enter_context(store)
        stack.enter_context(store.run())
        (competition,) = config.competitions
        before = store.count()
        if before >= evening.games:
            raise RefereeError(
                f"{store.path}: {count(before, 'game')} of {evening.games} are played; name another store"
            )
        (person,) = (one for one in config.entrants if one.spec.is_remote)
        assert config.door is not None
        house = stack.enter_context(
            house_of(
                game_of(competition.game).title_of(competition.variant),
                evening.games - before,
                config.door.listen,
                person.spec.tokens,
                disconnect_seconds=evening.away_seconds,
                port=evening.port,
            )
        )
        _say_hello(config, house, evening.games - before)
        stack.enter_context(_opened(house.address, opens=evening.opens))
        interrupted = interruptible(lambda: _play(config, store, house))
        played = _results(store, evening)
        commands = _commands(store, evening) if played else []
        why = "interrupted" if interrupted else "over"
        house.close({"why": why, "message": "", "commands": commands})
        for line in played:
            print(line)
        if commands:
            print("See it again:", *commands, sep="\n  ", flush=True)
        if interrupted:
            print("tourney: interrupted; a game that was not over is not kept", file=sys.stderr)
            return INTERRUPTED
        store.reveal_seed()
    return 0


def _maker() -> type[House]:
    with pages_extra("playing in a browser needs"):
        from referee.pages.human.house import House
    return House


def _config(evening: Evening, store: StoreAddress) -> Config:
    """The tournament in which the person is a remote bot."""
    options = options_of(evening.options)
    if not evening.name.strip():
        raise RefereeError("--name: is empty")
    for name, seconds in (("move", evening.move_seconds), ("away", evening.away_seconds)):
        if not 0 <= seconds <= _MOST_SECONDS:
            raise RefereeError(f"--{name}-seconds {seconds:g}: there are {_MOST_SECONDS} s at the most")
    for name in options:
        if name in _OWN:
            raise RefereeError(f"--option {name}: is set here; the options are those of the variant")
    config = quick(
        evening.game,
        [_command(bot) for bot in _bots(evening, options)],
        evening.games,
        variant={**options, **_FIXED, "show_names": evening.show_names},
        remote=[evening.name],
        tables={
            "remote": {"listen": f"127.0.0.1:{_free_port()}", "join_seconds": evening.move_seconds},
            "clocks": {
                "move_ms": round(evening.move_seconds * 1000),
                "first_move_seconds": evening.move_seconds,
                "disconnect_seconds": evening.away_seconds,
            },
        },
    )
    (competition,) = config.competitions
    assert config.remote is not None
    tokens = tuple(secrets.token_urlsafe(24) for _ in range(competition.variant.players))
    entrants = tuple(
        replace(one, spec=replace(one.spec, tokens=tokens)) if one.spec.is_remote else one
        for one in config.entrants
    )
    check_place(store)
    return replace(config, entrants=entrants, store=store, door=config.remote.door())


def _bots(evening: Evening, options: dict[str, object]) -> list[str]:
    """Those who play against the person, or with it: as many as there are other seats."""
    if evening.game not in GAMES:
        return list(evening.bots)  # what is wrong is said where the game is read
    players = options.get("players", 3) if evening.game == "vytrix" else 4
    others = players - 1 if isinstance(players, int) and players in {3, 4} else len(evening.bots)
    if len(evening.bots) > others:
        raise RefereeError(f"--bot: {count(len(evening.bots), 'bot')}, and at this table there are {others}")
    return [*evening.bots, *_COMPANY[: others - len(evening.bots)]]


def _command(bot: str) -> str:
    """The command of a bot; an example is known by its name."""
    if bot not in examples.NAMES:
        return bot
    return shlex.join(["python3", str(Path(examples.__file__).with_name(f"{bot}_bot.py"))])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _say_hello(config: Config, house: House, games: int) -> None:
    (competition,) = config.competitions
    person, *others = (one.name for one in config.entrants)
    title = game_of(competition.game).title_of(competition.variant)
    print(f"{title}: {person} with {', '.join(others)}; {count(games, 'game')}")
    print(f"Your seat: {house.address}")
    print("Who has this address plays in your seat. Ctrl-C ends the game.", flush=True)


@contextmanager
def _opened(address: str, *, opens: bool) -> Iterator[None]:
    """The page in a browser, where there is one with a window.

    The address goes there in a file that only its owner can read: all users of a machine see what programs are
    started with.
    """
    if not opens or not (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)):
        yield
        return
    with tempfile.NamedTemporaryFile("w", prefix="tourney-", suffix=".html") as file:
        file.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={address}">')
        file.flush()
        webbrowser.open(Path(file.name).as_uri())
        yield


def _play(config: Config, store: Store, house: House) -> None:
    """Play when somebody has sat down."""
    house.room.has_begun.wait()
    Tournament(config, store, _Listener()).run(lambda: _OneByOne(local_pool(1)), halt_workers)


class _Listener:
    """Says what goes wrong; how the games go on the person sees."""

    def progressed(self, progress: Progress) -> None:
        """Say nothing."""

    def warned(self, message: str) -> None:
        """Print it."""
        print(f"tourney: {message}", file=sys.stderr, flush=True)


class _OneByOne(Executor):
    """Takes of each block its first board alone, since a person plays at one table at a time.

    Args:
        pool: Plays it.
    """

    def __init__(self, pool: Executor) -> None:
        self._pool = pool

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have the first board of the order played."""
        first: list[object] = [
            replace(one, games=tuple(game for game in one.games if game.board == one.games[0].board))
            if isinstance(one, BlockOrder)
            else one
            for one in args
        ]
        return self._pool.submit(fn, *first, **kwargs)  # type: ignore[arg-type] # of the same types as before

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool."""
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)


def _results(store: Store, evening: Evening) -> list[str]:
    """A line for each game: who had what, and the person's place."""
    from referee.pages.human.sitting import places

    lines = []
    for game, record in store.records():
        rules = GAMES[record.game]
        groups = rules.groups(rules.variant(record.variant))
        scores = record.scores or ()
        each = places(scores, groups)
        said = [
            f"{name} {scores[seat] if len(scores) == len(record.seats) else scores[_side(groups, seat)]}"
            for seat, name in enumerate(record.seats)
        ]
        place = each[_seat(record, evening.name)]
        lines.append(f"{game.name}: {', '.join(said)}; {evening.name}: place {place}")
    return lines


def _seat(record: GameRecord, name: str) -> int:
    return record.seats.index(name) if name in record.seats else 0


def _side(groups: tuple[tuple[int, ...], ...], seat: int) -> int:
    return next(number for number, group in enumerate(groups) if seat in group)


def _commands(store: Store, evening: Evening) -> list[str]:
    """What shows the games again; nothing where they are not kept."""
    if evening.store is None:
        return []
    path = shlex.quote(str(evening.store))
    last = [game.name for game in store.games()][-1]
    return [f"tourney show {path} {last}", f"tourney report {path} -o report"]
