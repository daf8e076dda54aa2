"""A tournament file, read and validated whole before anything starts.

Owns the keys of the file, their defaults and what they may be; docs/configuration.md lists them. Starts nothing and
writes nothing. What identifies a tournament, so that a store goes on only with the same one, is in
`referee.identity`.
"""

from __future__ import annotations

import hmac
import os
import shlex
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from cardtable.catalog import GAMES
from cardtable.engine import VariantError
from referee.blocks import Limits
from referee.database.address import DatabaseUrl, beside, is_url, password_file
from referee.entrants import (
    BOT_KEYS,
    LONGEST_NAME,
    Entrant,
    checked_name,
    is_file,
    is_folder,
    name_key,
    numbered,
    read_entrant,
)
from referee.errors import RefereeError
from referee.identity import changes, identity_of
from referee.isolation import ISOLATION_KEYS, in_boxes, read_isolation
from referee.remote import REMOTE_KEYS, Remote, read_remote, tokens_in
from referee.schedule import Rotations, Schedule, ScheduleError, Tables, Teams, make_plan
from referee.sequential import StopRule, StopRuleError, When
from referee.toml_reading import ConfigError, Source, Table, nearest, quoted, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardtable.engine import Game
    from referee.blocks import Door
    from referee.boards import ScoredBy
    from referee.database.address import StoreAddress
    from referee.schedule import Plan

__all__ = [
    "KEYS",
    "MOST_BOARDS",
    "MOST_JOBS",
    "Competition",
    "Config",
    "ConfigError",
    "Entrant",
    "Executing",
    "Seed",
    "changes",
    "default_logs",
    "load",
    "logs_in",
    "quick",
    "store_of",
]

#: Every key of a tournament file, by table.
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "tournament": ("name", "store"),
    "seed": ("master", "public"),
    "bot": BOT_KEYS,
    "competition": (
        "name",
        "game",
        "variant",
        "boards",
        "schedule",
        "tables",
        "hero",
        "rotations",
        "teams",
        "score",
        "ask_forced",
        "show_names",
    ),
    "clocks": (
        "start_seconds",
        "first_move_seconds",
        "move_ms",
        "game_seconds",
        "margin_ms",
        "stop_seconds",
        "disconnect_seconds",
    ),
    "faults": ("forfeit_after", "restarts", "disqualify_after"),
    "stop": ("when", "alpha", "max_boards", "points"),
    "remote": REMOTE_KEYS,
    "run": ("jobs", "executor", "scheduler", *ISOLATION_KEYS, "log_bytes", "logs"),
}

#: What plays: worker processes here, this process itself, or the workers of a Dask cluster.
Executing: TypeAlias = Literal["pool", "inline", "dask"]

#: Keys of a competition that `quick` takes among the options of the variant.
_OWN_OPTIONS: Final = (
    "schedule",
    "tables",
    "hero",
    "rotations",
    "teams",
    "score",
    "ask_forced",
    "show_names",
)
_WEEK: Final = 604_800
_GREATEST: Final = 2**31 - 1
MOST_BOARDS: Final = _GREATEST
_BOARDS: Final = 10
#: More workers than this are a slip of the finger.
MOST_JOBS = 1024
#: With [stop] it is evidence that ends a competition, long before this.
_BOARDS_TO_STOP: Final = 10_000
_DISQUALIFY_AFTER: Final = 10


@dataclass(frozen=True, slots=True)
class Seed:
    """Where the deals come from, the table [seed].

    Args:
        master: `master`, 64 hex digits in the file: the tournament's seed, which is then public from the start.
            None: the run draws 32 random bytes.
        public: `public`: a text that nobody could choose, such as a lottery number, to mix into the seed; None:
            nothing is mixed in.
    """

    master: bytes | None = None
    public: str | None = None

    def mixed(self, drawn: bytes) -> bytes:
        """The seed from which boards follow: HMAC-SHA-256 of ``public`` and the text, or the seed as it is.

        Args:
            drawn: The master seed, given or drawn, 32 bytes.
        """
        if self.public is None:
            return drawn
        return hmac.digest(drawn, f"public {self.public}".encode(), "sha256")


@dataclass(frozen=True, slots=True)
class Competition:
    """One game with one variant, a [[competition]] of the file.

    Args:
        name: `name`: unique, also when case is ignored; default: the game's, with a number when it is taken.
        game: `game`: a game of the catalog.
        variant: `variant`: the game's options; what is left out has the rulebook's default.
        options: The same as a mapping, defaults too.
        boards: `boards`: boards for each table group; passes of a balanced or whist design; rounds of swiss and
            ladder. With [stop] the most that are played.
        schedule: `schedule`: ``round-robin``, ``whist``, ``gauntlet``, ``swiss`` or ``ladder``.
        tables: `tables`: ``all`` choices of entrants for a table, or a ``balanced`` few; None: as many as are
            affordable.
        hero: `hero`: whom a gauntlet is about; None in other formats.
        rotations: `rotations`: ``cyclic``: each board is played with every entrant in every seat; ``none``: once.
        teams: `teams`: ``same``: two entrants share the seats of a table; ``whist``: partners change; ``none``: one
            entrant a seat.
        score: `score`: ``points`` or ``places`` are summed over a board; default ``places`` for a variant with a
            target score, else ``points``.
        ask_forced: `ask_forced`: bots are asked also where one action is legal.
        show_names: `show_names`: bots are told the others' names.
        entrants: Names of the bots that play in it, in the order of the file.
    """

    name: str
    game: str
    variant: Any
    options: Mapping[str, object]
    boards: int
    schedule: Schedule
    tables: Tables | None
    hero: str | None
    rotations: Rotations
    teams: Teams
    score: Literal["points", "places"]
    ask_forced: bool
    show_names: bool
    entrants: tuple[str, ...]

    @property
    def plan(self) -> Plan:
        """Who meets whom."""
        return _plan(
            self.schedule,
            self.entrants,
            self.variant.players,
            self.boards,
            self.teams,
            self.rotations,
            self.tables,
            self.hero,
            self.score,
        )


@lru_cache(maxsize=64)
def _plan(
    schedule: Schedule,
    entrants: tuple[str, ...],
    seats: int,
    boards: int,
    teams: Teams,
    rotations: Rotations,
    tables: Tables | None,
    hero: str | None,
    score: ScoredBy,
) -> Plan:
    return make_plan(
        schedule,
        entrants,
        seats,
        boards,
        teams=teams,
        rotations=rotations,
        tables=tables,
        hero=hero,
        scored_by=score,
    )


@dataclass(frozen=True, slots=True)
class Config:
    """A whole tournament, sound in itself and with every file and program found.

    Args:
        path: The file, absolute; None when there is none (`quick`).
        name: `name` of [tournament]; default: the file's stem.
        store: `store` of [tournament], absolute, or a database; default: the file's stem + ``.db`` beside the file.
        seed: The table [seed].
        competitions: Each [[competition]], in order.
        entrants: Each [[bot]], in order.
        limits: The tables [clocks] and [faults], `join_seconds` of [remote], and of [run] `log_bytes` and what keeps bots apart.
        disqualify_after: `disqualify_after` of [faults]: forfeited games after which an entrant leaves.
        stop: The table [stop]: when a competition ends before all its boards are played; None: never.
        remote: The table [remote]: where remote bots dial in; None where there are none.
        jobs: `jobs` of [run]: workers; default: one for every two cores that the referee may use, since a worker
            and its bots keep two busy.
        given_logs: `logs` of [run], absolute; None when it is not there.
        door: Where remote bots dial in, opened by a run.
        executor: `executor` of [run].
        scheduler: `scheduler` of [run]; None: what Dask's own configuration says.
        given_jobs: `jobs` of [run]; None when it is not there.
    """

    path: Path | None
    name: str
    store: StoreAddress
    seed: Seed
    competitions: tuple[Competition, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits
    disqualify_after: int
    stop: StopRule | None
    remote: Remote | None
    jobs: int
    given_logs: Path | None
    door: Door | None = None
    executor: Executing = "pool"
    scheduler: str | None = None
    given_jobs: int | None = None

    @property
    def logs(self) -> Path:
        """The folder of the bots' output."""
        return self.given_logs or default_logs(self.store)

    def competition(self, name: str) -> Competition:
        """The competition of this name.

        Raises:
            KeyError: There is none.
        """
        for competition in self.competitions:
            if competition.name == name:
                return competition
        raise KeyError(name)

    def seats_of(self, entrant: str) -> int:
        """How many seats there are at the greatest table of an entrant."""
        return max((one.variant.players for one in self.competitions if entrant in one.entrants), default=0)

    def identity(self) -> dict[str, object]:
        """What identifies the tournament, as canonical JSON; how it is run is no part of it."""
        return identity_of(self)


def load(path: Path | str, *, store: StoreAddress | None = None) -> Config:
    """Read a tournament file and check all of it.

    Args:
        path: The file; relative paths in it count from its folder.
        store: Another store than the file's.

    Raises:
        ConfigError: The first thing that will not do.
    """
    path = Path(path)
    table = read_toml(path)
    absolute = path.absolute()
    return _read(table, absolute.parent, absolute, store)


def store_of(path: Path | str) -> StoreAddress:
    """Where a tournament file keeps its store; the rest of the file, and its bots, need not be sound.

    Raises:
        ConfigError: The file is no TOML, or its [tournament] will not do.
    """
    path = Path(path)
    table = read_toml(path).table("tournament")
    return _store(table, path.absolute().parent, path.absolute(), path.stem)


def default_logs(store: StoreAddress) -> Path:
    """Where the bots' output goes unless the file says so: the store's stem + ``-logs`` beside the store."""
    return beside(store, "-logs")


def logs_in(path: Path | str) -> Path:
    """Where a tournament file has the bots' output; the rest of the file, and its bots, need not be sound.

    Raises:
        ConfigError: The file is no TOML, or its [tournament] or [run] will not do.
    """
    given = _logs(read_toml(Path(path)).table("run"), Path(path).absolute().parent)
    return given or default_logs(store_of(path))


def quick(
    game: str,
    bots: Sequence[str],
    boards: int = _BOARDS,
    *,
    variant: Mapping[str, object] | None = None,
    folder: Path | str = ".",
    remote: Sequence[str] = (),
    tables: Mapping[str, Mapping[str, object]] | None = None,
) -> Config:
    """A tournament of one competition without a file; its store is the game's name + ``.db`` in the folder.

    Args:
        game: Name of the game.
        bots: A command for each bot, split as a shell splits it; a bot is named after its script.
        boards: Boards for each table group.
        variant: The game's options; `rotations`, `teams`, `score`, `ask_forced` and `show_names` of the competition
            may stand among them.
        folder: Where the bots run, and from where relative paths count.
        remote: Names of remote bots, which come before the others.
        tables: More tables of a tournament file, such as ``clocks``.

    Raises:
        ConfigError: The first thing that will not do; its place is the command line.
    """
    base = Path(folder).absolute()
    names = list(remote)
    for command in bots:
        names.append(numbered(_name_of(command, base), names))
    options = dict(variant or {})
    competition = {name: options.pop(name) for name in _OWN_OPTIONS if name in options}
    values: dict[str, object] = {
        **(tables or {}),
        "tournament": {"name": game} if game in GAMES else {},
        "bot": [
            *({"name": one, "remote": True} for one in remote),
            *(
                {"name": one, "command": command}
                for one, command in zip(names[len(remote) :], bots, strict=True)
            ),
        ],
        "competition": [{"game": game, "boards": boards, "variant": options, **competition}],
    }
    return _read(Table(Source(None), (), "", values), base, None)


def _read(table: Table, base: Path, path: Path | None, other_store: StoreAddress | None = None) -> Config:
    table.only(tuple(KEYS), of="table")
    tables = {key: table.table(key) for key in KEYS if key not in {"bot", "competition"}}
    for key, inner in tables.items():
        inner.only(KEYS[key])
    name = checked_name(tables["tournament"], "name", tables["tournament"].text("name"))
    if name is None:
        name = path.stem if path else base.name
    store = _store(tables["tournament"], base, path, name)
    if other_store is not None:
        store = other_store.within(base) if isinstance(other_store, DatabaseUrl) else other_store.absolute()
    seed = _seed(tables["seed"])
    faults, run = tables["faults"], tables["run"]
    logs = _logs(run, base)
    limits = _limits(tables["clocks"], faults, run, tables["remote"])
    disqualify_after = faults.integer("disqualify_after", _DISQUALIFY_AFTER, least=1, most=_GREATEST)
    stop = _stop(tables["stop"]) if "stop" in table.values else None
    jobs = run.integer("jobs", max(1, _cores() // 2), least=1, most=MOST_JOBS)
    by_file = path is not None
    competition_tables = table.tables("competition", "[[competition]] {}" if by_file else "")
    if not competition_tables:
        raise table.error(None, "there is no [[competition]]; a tournament needs one at least")
    names = _competition_names(competition_tables)
    bot_tables = table.tables("bot", "[[bot]] {}" if by_file else "--bot {}")
    entrants = tuple(read_entrant(one, base, names) for one in bot_tables)
    _refuse_twins(bot_tables, [entrant.name for entrant in entrants])
    remote = read_remote(tables["remote"], base) if "remote" in table.values else None
    if _check_remote(run, bot_tables, entrants, remote):
        jobs = 1
    if limits.sandbox == "bwrap":
        secrets = {logs or default_logs(store), tokens_in(store), *([path] if path else ())}
        secrets |= {password_file()} if isinstance(store, DatabaseUrl) else {store}
        if remote is not None and remote.key is not None:
            secrets.add(remote.key)
        entrants = in_boxes(bot_tables, entrants, secrets)
    return Config(
        path=path,
        name=name,
        store=store,
        seed=seed,
        competitions=tuple(
            _competition(one, own, entrants, stop) for one, own in zip(competition_tables, names, strict=True)
        ),
        entrants=entrants,
        limits=limits,
        disqualify_after=disqualify_after,
        stop=stop,
        remote=remote,
        jobs=jobs,
        given_logs=logs,
        executor=run.choice("executor", get_args(Executing), "pool"),
        scheduler=_scheduler(run),
        given_jobs=jobs if "jobs" in run.values else None,
    )


def _store(table: Table, base: Path, path: Path | None, name: str) -> StoreAddress:
    stem = path.stem if path else name.replace("/", "-")
    given = table.text("store")
    if given is not None and is_url(given):
        try:
            return DatabaseUrl.read(given, base)
        except RefereeError as error:
            raise table.error("store", str(error)) from None
    if given is not None and (not given or "\0" in given):
        raise table.error("store", "is the name of a file")
    store = base / (given if given is not None else f"{stem}.db")
    if is_folder(store):
        raise table.error("store", f"{quoted(str(store))} is a folder, not a file")
    if not is_folder(store.parent):
        raise table.error("store", f"there is no folder {quoted(str(store.parent))}")
    store = store.parent.resolve() / store.name
    if path is not None and is_file(store) and store.samefile(path):
        raise table.error("store", "is the tournament file itself")
    return store


def _logs(table: Table, base: Path) -> Path | None:
    given = table.text("logs")
    if given is None:
        return None
    if not given or "\0" in given:
        raise table.error("logs", "is the name of a folder")
    logs = base / given
    for place in (logs, *logs.parents):
        if is_file(place):
            raise table.error("logs", f"{quoted(str(place))} is a file, not a folder")
    return logs


def _scheduler(table: Table) -> str | None:
    scheduler = table.text("scheduler")
    if scheduler is not None and not scheduler.strip():
        raise table.error("scheduler", "is the address of a Dask scheduler, such as tcp://192.168.1.10:8786")
    return scheduler


def _seed(table: Table) -> Seed:
    master, public = table.text("master"), table.text("public")
    if public == "":
        raise table.error("public", "is empty; leave it out to mix nothing in")
    if master is None:
        return Seed(None, public)
    if len(master) != 64 or not set(master) <= set("0123456789abcdefABCDEF"):
        raise table.error("master", f"is 64 hex digits, not {quoted(master)}")
    return Seed(bytes.fromhex(master), public)


def _limits(clocks: Table, faults: Table, run: Table, remote: Table) -> Limits:
    default = Limits()
    game_seconds = default.game_seconds
    if "game_seconds" in clocks.values:
        game_seconds = clocks.number("game_seconds", 0, above=0, most=_WEEK)
    return Limits(
        start_seconds=clocks.number("start_seconds", default.start_seconds, above=0, most=_WEEK),
        first_move_seconds=clocks.number(
            "first_move_seconds", default.first_move_seconds, above=0, most=_WEEK
        ),
        move_ms=clocks.integer("move_ms", default.move_ms, least=1, most=_WEEK * 1000),
        game_seconds=game_seconds,
        margin_ms=clocks.integer("margin_ms", default.margin_ms, least=0, most=_WEEK * 1000),
        stop_seconds=clocks.number("stop_seconds", default.stop_seconds, most=_WEEK),
        disconnect_seconds=clocks.number("disconnect_seconds", default.disconnect_seconds, most=_WEEK),
        forfeit_after=faults.integer("forfeit_after", default.forfeit_after, least=1, most=_GREATEST),
        restarts=faults.integer("restarts", default.restarts, least=0, most=_GREATEST),
        log_bytes=run.integer("log_bytes", default.log_bytes, least=0, most=2**40),
        join_seconds=remote.number("join_seconds", default.join_seconds, above=0, most=_WEEK),
        **read_isolation(run),
    )


def _check_remote(
    run: Table, tables: Sequence[Table], entrants: Sequence[Entrant], remote: Remote | None
) -> bool:
    """Whether there are remote bots, with a place to dial in; a bot dials in at one place, so there is one worker."""
    remotes = [table for table, one in zip(tables, entrants, strict=True) if one.spec.is_remote]
    if remotes and remote is None:
        raise remotes[0].error(
            "remote", 'needs a [remote] that says where it dials in: listen = "127.0.0.1:7007"'
        )
    if remotes and run.integer("jobs", 1, least=1, most=MOST_JOBS) > 1:
        raise run.error("jobs", "is 1 where a bot is remote")
    return bool(remotes)


def _stop(table: Table) -> StopRule:
    ends = get_args(When)
    if "when" not in table.values:
        raise table.error("when", f"is missing; it is one of {', '.join(map(quoted, ends))}")
    when: When = table.choice("when", ends, "separated")
    points = table.number("points", 0, above=0, most=_GREATEST) if "points" in table.values else None
    alpha = table.number("alpha", 0.05, above=0, most=0.5)
    most = table.integer("max_boards", 0, least=1, most=_GREATEST) if "max_boards" in table.values else None
    try:
        return StopRule(when, alpha, most, points)
    except StopRuleError as error:
        raise table.error(error.field, error.problem) from None


def _competition_names(tables: Sequence[Table]) -> tuple[str, ...]:
    """The names of all competitions; those without one are called after their game."""
    given = [checked_name(table, "name", table.text("name")) for table in tables]
    _refuse_twins(tables, given)
    taken = [name for name in given if name is not None]
    names = []
    for table, name in zip(tables, given, strict=True):
        table.only(KEYS["competition"])
        game = _game(table).name
        if name is None:
            taken.append(numbered(game, taken))
        names.append(taken[-1] if name is None else name)
    return tuple(names)


def _refuse_twins(tables: Sequence[Table], names: Sequence[str | None]) -> None:
    seen: dict[str, Table] = {}
    for table, name in zip(tables, names, strict=True):
        if name is None:
            continue
        first = seen.setdefault(name_key(name), table)
        if first is not table:
            other = f"{first.title} has that name" if first.title else "that name is taken"
            raise table.error("name", f"{quoted(name)} stands twice: {other} too, as names go without case")


def _game(table: Table) -> Game:
    name = table.text("game")
    if name is None:
        raise table.error(None, f'has no game; write game = "{next(iter(GAMES))}"')
    if name not in GAMES:
        raise table.error("game", f"unknown game {quoted(name)}; {nearest(name, GAMES, 'the games are')}")
    return GAMES[name]


def _competition(table: Table, name: str, entrants: Sequence[Entrant], stop: StopRule | None) -> Competition:
    game = _game(table)
    options = table.table("variant")
    try:
        variant = game.variant(options.values)
    except VariantError as error:
        raise table.error("variant", error.message, error.option) from None
    except ValueError:
        # Python refuses to write out integers of thousands of digits, as the message would.
        raise table.error("variant", "has a number of thousands of digits") from None
    sides = game.groups(variant)
    seats = sum(len(side) for side in sides)
    schedule: Schedule = table.choice("schedule", get_args(Schedule), "round-robin")
    teams: Teams = table.choice("teams", get_args(Teams), "whist" if schedule == "whist" else "none")
    if teams == "whist":
        if sides != ((0, 2), (1, 3)):
            raise table.error("teams", f'"whist" needs partners, and {game.title_of(variant)} has none')
        if schedule not in {"whist", "round-robin"}:
            raise table.error("teams", f'"whist" is a schedule of its own and does not go with "{schedule}"')
        schedule = "whist"
    elif schedule == "whist":
        raise table.error("teams", f'schedule = "whist" changes the partners, and teams is "{teams}"')
    playing = tuple(one.name for one in entrants if name in one.competitions)
    needed, each = (2, "side") if teams == "same" else (seats, "seat")
    if len(playing) < needed:
        there = f"{len(playing)}: {', '.join(quoted(one) for one in playing)}" if playing else "none"
        message = f"needs {needed} bots, one for each {each}, and has {there}"
        raise table.error(None, message if table.title else f"the game {message}")
    hero = table.text("hero")
    if (hero is None) == (schedule == "gauntlet"):
        needs = "is missing: a gauntlet is about one bot" if hero is None else 'needs schedule = "gauntlet"'
        raise table.error("hero", needs)
    if hero is not None and hero not in playing:
        raise table.error("hero", f"no bot {quoted(hero)} plays here; {nearest(hero, playing, 'there are')}")
    if stop is not None and len(playing) <= stop.top:
        raise table.error(
            None, f'has {len(playing)} bots, and [stop] when = "{stop.when}" needs more than that'
        )
    tables: Tables | None = (
        table.choice("tables", get_args(Tables), "all") if "tables" in table.values else None
    )
    if tables is not None and schedule not in {"round-robin", "gauntlet"}:
        raise table.error("tables", f'goes with "round-robin" and "gauntlet", not with "{schedule}"')
    target = game.options(variant).get("target")
    by_places = isinstance(target, int) and target > 0
    competition = Competition(
        name=name,
        game=game.name,
        variant=variant,
        options=game.options(variant),
        boards=table.integer(
            "boards", _BOARDS if stop is None else _BOARDS_TO_STOP, least=1, most=MOST_BOARDS
        ),
        schedule=schedule,
        tables=tables,
        hero=hero,
        rotations=table.choice("rotations", ("cyclic", "none"), "cyclic"),
        teams=teams,
        score=table.choice("score", ("points", "places"), "places" if by_places else "points"),
        ask_forced=table.flag("ask_forced", default=False),
        show_names=table.flag("show_names", default=False),
        entrants=playing,
    )
    try:
        _ = competition.plan
    except ScheduleError as error:
        raise table.error(None, str(error)) from None
    return competition


def _cores() -> int:
    """Cores that this process may use."""
    if sys.platform == "linux":
        return min(len(os.sched_getaffinity(0)), MOST_JOBS)
    return min(os.cpu_count() or 1, MOST_JOBS)


def _name_of(command: str, folder: Path) -> str:
    """A bot's name: that of its module, else the stem of its script, else of its program."""
    try:
        parts = shlex.split(command)
    except ValueError:
        parts = []
    if not parts:
        # The command itself is refused when it is read.
        return "bot"
    if len(parts) > 2 and parts[1] == "-m":
        return parts[2].rpartition(".")[2][: LONGEST_NAME - 8].strip() or "bot"
    script = next((part for part in parts[1:] if part and is_file(folder / part)), None)
    # Room for a number.
    return Path(script or parts[0]).stem[: LONGEST_NAME - 8].strip() or "bot"
