"""The JSON interface of `tourney serve`: results, games and records of a store, for programs.

Owns the addresses under /api/v1, what is asked of them and how they refuse. What is told is what `tourney ratings`,
`games`, `faults`, `rule` and `export` print, made by the same code. Of games, faults and records those of complete
boards are told: while a seating is missing, its cards are still in play. Keeps no state but the cursor of whoever asks:
how many games or faults it was told. `referee.pages.live.schema` describes all of it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from referee.pages.live.schema import FAULTS_AT_ONCE, GAMES_AT_ONCE, MOST_AT_ONCE, ROOT, document
from referee.pages.live.without import Without
from referee.report.faults import fault_json
from referee.report.results import game_json, results_json
from referee.report.rulings import ruling_json
from referee.rulings import legible
from referee.store import NotAStore, StoreError
from referee.toml_reading import nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starlette.types import Receive, Scope, Send

    from referee.joining import Contest, Results
    from referee.pages.live.watch import Snapshot, Watch
    from referee.stored import StoredFault, StoredGame

    Answer = Callable[["Asked"], Awaitable[object]]

__all__ = ["routes"]

_METHODS: Final = ("GET", "HEAD")
#: Nine digits are any number that there is, and none that takes long to read.
_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_MOST: Final = 999_999_999
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_LONGEST: Final = 60
#: Of a fault: the question, with cards, and what a bot wrote for itself.
_NOT_TOLD: Final = ("view", "stderr_tail")
_HEADERS: Final = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}


class Refused(Exception):
    """What was asked is not answered.

    Args:
        status: Of HTTP.
        message: One line: what is wrong, and what would be right.
        where: What of the request it is about: a parameter by its name, or the address, the method, the store.
        headers: What HTTP wants told with it.
    """

    def __init__(
        self, status: int, message: str, where: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.where = where
        self.headers = dict(headers or {})

    def response(self) -> Response:
        """As it is sent."""
        content = _encoded({"error": {"message": str(self), "where": self.where}})
        return Response(content, self.status, {**_HEADERS, **self.headers}, "application/json")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: the parts of the address, and the parameters, each known and there once."""

    parts: Mapping[str, str]
    parameters: Mapping[str, str]

    def number(self, name: str, default: int, least: int = 0, most: int = _MOST) -> int:
        """A whole number.

        Raises:
            Refused: It is none, or out of range.
        """
        text = self.parameters.get(name)
        if text is None:
            return default
        if not _DIGITS.fullmatch(text) or not least <= int(text) <= most:
            raise Refused(400, f"{name} is a whole number from {least} to {most}, not {_said(text)}", name)
        return int(text)

    def one_of(self, name: str, known: Sequence[str]) -> str | None:
        """A name that is known; None where none is asked for.

        Raises:
            Refused: It is not known.
        """
        text = self.parameters.get(name)
        if text is not None and text not in known:
            raise Refused(400, f"there is no {name} {_said(text)}; {nearest(text, known, 'there are')}", name)
        return text


class _Endpoint:
    """One address.

    Args:
        answer: Gives what is told: an object, or a text that is JSON already.
        parameters: What may be asked.
    """

    def __init__(self, answer: Answer, parameters: Sequence[str] = ()) -> None:
        self._answer = answer
        self._parameters = parameters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = _found(request, _encoded(await self._answer(self._asked(request))))
        except Refused as refused:
            response = refused.response()
        except NotAStore:
            response = Refused(500, "what the store has of this is damaged", "store").response()
        except StoreError:
            wait = {"Retry-After": "5"}
            response = Refused(503, "the store cannot be read just now: ask again", "store", wait).response()
        if request.method == "HEAD":
            response = Response(None, response.status_code, response.headers)
        await response(scope, receive, send)

    def _asked(self, request: Request) -> Asked:
        if request.method not in _METHODS:
            message = f"{_said(request.method)} is not understood: this interface tells and is told nothing; use GET"
            raise Refused(405, message, "method", {"Allow": ", ".join(_METHODS)})
        found: dict[str, str] = {}
        for name, value in request.query_params.multi_items():
            if name not in self._parameters:
                hint = nearest(name, self._parameters, "here are")
                raise Refused(400, f"unknown parameter {_said(name)}; {hint}", legible(_short(name)))
            if name in found:
                raise Refused(400, f"{name} is given more than once: give it once", name)
            found[name] = value
        return Asked(request.path_params, found)


def routes(watch: Watch) -> list[BaseRoute]:
    """All addresses of the interface, and one for all that are none.

    Args:
        watch: What is known of the store; it is asked in its own event loop.
    """
    api = _Api(watch)
    paging = ("after", "limit", "entrant", "competition")
    found: list[tuple[str, Answer, tuple[str, ...]]] = [
        ("", api.index, ()),
        ("/progress", api.progress, ()),
        ("/ratings", api.ratings, ()),
        ("/ratings/{competition:path}", api.rating, ()),
        ("/entrants", api.entrants, ()),
        ("/games", api.games, paging),
        # The longer one first: a name may have any number of slashes.
        ("/games/{competition:path}/{board}/{seating}/record", api.record, ()),
        ("/games/{competition:path}/{board}/{seating}", api.game, ()),
        ("/faults", api.faults, paging),
        ("/rulings", api.rulings, ()),
        ("/openapi.json", api.openapi, ()),
    ]
    known: list[BaseRoute] = [
        Route(ROOT + path, _Endpoint(answer, parameters)) for path, answer, parameters in found
    ]
    return [*known, Route(ROOT + "/{address:path}", _Nowhere([ROOT + path for path, _, _ in found]))]


class _Nowhere(_Endpoint):
    """Every address that is none."""

    def __init__(self, known: Sequence[str]) -> None:
        super().__init__(self._refuse)
        self._known = [path for path in known if "{" not in path]

    def _asked(self, request: Request) -> Asked:
        return Asked(request.path_params, {})

    async def _refuse(self, asked: Asked) -> object:
        address = asked.parts["address"]
        if address.startswith("games/"):
            raise _no_name()
        path = f"{ROOT}/{address}"
        hint = nearest(path, self._known, "there are")
        raise Refused(404, f"there is no address {_said(path)}; {hint}", "address")


class _Api:
    """What is told at each address."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._without = Without(watch)

    async def index(self, _: Asked) -> object:
        now = self._watch.now
        info, results = now.cut.info, now.results
        names = [one.info.name for one in results.contests]
        return {
            "tournament": {
                "name": results.title,
                "program": info.program,
                "created": _time(info.created),
                "commitment": info.commitment,
                "identity": info.identity,
                "seed": None if info.revealed_seed is None else info.revealed_seed.hex(),
                "is_over": now.is_over,
                "merged_of": [
                    {"name": one.name, "commitment": one.commitment, "seed": one.seed}
                    for one in results.sources
                    if len(results.sources) > 1
                ],
                "competitions": [_competition(one) for one in results.contests],
            },
            "program": f"cardtable-referee {version('cardtable-referee')}",
            "links": {
                **{name: f"{ROOT}/{name}" for name in _LINKED},
                "ratings_of": {name: f"{ROOT}/ratings/{quote(name, safe='')}" for name in names},
                "game": f"{ROOT}/games/{{game}}",
                "record": f"{ROOT}/games/{{game}}/record",
                "openapi": f"{ROOT}/openapi.json",
            },
        }

    async def progress(self, _: Asked) -> object:
        now = self._watch.now
        found, run = now.progress, now.progress.run
        return {
            "games": found.games,
            "planned": found.planned,
            "left": found.left,
            "is_open": found.is_open,
            "games_per_second": _rounded(found.per_second),
            "seconds_left": _rounded(found.seconds_left),
            "faults": found.faults,
            "competitions": [
                {
                    "competition": part.name,
                    "title": part.title,
                    "games": part.games,
                    "planned": part.planned,
                    "is_open": part.is_open,
                }
                for part in found.parts
            ],
            "run": {
                "state": run.state.value,
                "started": None if run.started is None else _time(run.started),
                "ended": None if run.ended is None else _time(run.ended),
            },
            # Where the store lies is nobody's business.
            "trouble": found.trouble.replace(str(now.store.path), now.store.path.name) or None,
        }

    async def ratings(self, _: Asked) -> object:
        objects, results = await self._tables()
        tables = {name: table for name, table in objects.items() if name is not None}
        return results_json(results, tables, objects.get(None))

    async def rating(self, asked: Asked) -> object:
        name = asked.parts["competition"]
        self._check(name)
        objects, _ = await self._tables()
        return objects[name]

    async def entrants(self, _: Asked) -> object:
        results = self._watch.now.results
        return {
            "entrants": [
                {
                    "entrant": one.name,
                    "files_hash": one.files_hash or None,
                    "is_remote": one.name in results.remote,
                    "left": [
                        {
                            "last_board": None if gone.board is None else f"{gone.competition}/{gone.board}",
                            "ruling": gone.ruling,
                        }
                        for gone in results.left
                        if gone.entrant == one.name
                    ],
                }
                for one in results.entrants
            ]
        }

    async def games(self, asked: Asked) -> object:
        now = self._watch.now
        entrant, competition = self._filters(asked, now.results)

        def wanted(game: StoredGame) -> bool:
            return entrant in {None, *game.seats} and competition in {None, game.competition}

        log, last = now.store.log, now.store.head.games
        marks, after = _page(asked, last, lambda mark: wanted(log[mark - 1]), GAMES_AT_ONCE, "game")
        told = [_game(mark, log[mark - 1], now) for mark in marks]
        return {"games": told, "next": after, "more": after < last}

    async def game(self, asked: Asked) -> object:
        now, place = self._place(asked)
        return _game(place + 1, now.store.log[place], now)

    async def record(self, asked: Asked) -> object:
        now, place = self._place(asked)
        return (await asyncio.to_thread(now.record, now.store.log[place])).to_line()

    async def faults(self, asked: Asked) -> object:
        now = self._watch.now
        entrant, competition = self._filters(asked, now.results)

        def wanted(fault: StoredFault) -> bool:
            return entrant in {None, fault.entrant} and competition in {None, fault.competition}

        log, last = now.store.fault_log, now.store.head.faults
        marks, after = _page(asked, last, lambda mark: wanted(log[mark - 1]), FAULTS_AT_ONCE, "fault")
        told = [_fault(mark, log[mark - 1], now) for mark in marks]
        return {"faults": told, "next": after, "more": after < last}

    async def rulings(self, _: Asked) -> object:
        return {"rulings": [ruling_json(one) for one in self._watch.now.results.rulings]}

    async def openapi(self, _: Asked) -> object:
        return document()

    async def _tables(self) -> tuple[Mapping[str | None, dict[str, object]], Results]:
        told = await self._without.told()
        if told is None:
            raise Refused(503, "the tables are being made: ask again", "store", {"Retry-After": "2"})
        return told.objects, told.results

    def _filters(self, asked: Asked, results: Results) -> tuple[str | None, str | None]:
        return (
            asked.one_of("entrant", [one.name for one in results.entrants]),
            asked.one_of("competition", [one.info.name for one in results.contests]),
        )

    def _check(self, competition: str) -> None:
        names = [one.info.name for one in self._watch.now.results.contests]
        if competition not in names:
            hint = nearest(competition, names, "there are")
            raise Refused(404, f"there is no competition {_said(competition)}; {hint}", "competition")

    def _place(self, asked: Asked) -> tuple[Snapshot, int]:
        """Where a game stands in the log.

        Raises:
            Refused: It is not there; whether it is planned or under way is not told.
        """
        now = self._watch.now
        competition, board, seating = (asked.parts[name] for name in ("competition", "board", "seating"))
        if not (_DIGITS.fullmatch(board) and _DIGITS.fullmatch(seating)):
            raise _no_name()
        self._check(competition)
        place = now.store.place(competition, int(board), int(seating))
        if place is None:
            name = _said(f"{competition}/{int(board)}/{int(seating)}")
            message = f"there is no game {name}: a game is told when all games of its board are over"
            raise Refused(404, message, "game")
        return now, place


#: What the index leads to.
_LINKED: Final = ("progress", "ratings", "entrants", "games", "faults", "rulings")


def _page(
    asked: Asked, last: int, is_wanted: Callable[[int], bool], at_once: int, what: str
) -> tuple[Sequence[int], int]:
    """The marks of some games or faults, from 1, and the mark that was come to.

    Args:
        asked: How many, and after which mark.
        last: The last mark that there is.
        is_wanted: Whether what has this mark is asked for.
        at_once: How many, where that is not asked.
        what: What they are.

    Raises:
        Refused: It is asked what comes after one that is not there.
    """
    limit, after = asked.number("limit", at_once, least=1, most=MOST_AT_ONCE), asked.number("after", 0)
    if after > last:
        so_far = f"the last one is {last}" if last else "there is none yet"
        raise Refused(400, f"after is the mark of a {what} that was told: {so_far}, not {after}", "after")
    marks: list[int] = []
    while after < last and len(marks) < limit:
        after += 1
        if is_wanted(after):
            marks.append(after)
    return marks, after


def _competition(one: Contest) -> dict[str, object]:
    return {
        "competition": one.info.name,
        "title": one.title,
        "game": one.info.game,
        "variant": dict(one.info.variant),
        "seatings": one.info.seatings,
        "rotations": one.rotations,
        "teams": one.teams,
        "scored_by": one.scored_by,
    }


def _game(mark: int, game: StoredGame, now: Snapshot) -> dict[str, object]:
    return {"mark": mark, **game_json(game, now.results.rulings)}


def _fault(mark: int, fault: StoredFault, now: Snapshot) -> dict[str, object]:
    found = fault_json(fault, now.results.rulings)
    return {"mark": mark, **{name: value for name, value in found.items() if name not in _NOT_TOLD}}


def _no_name() -> Refused:
    return Refused(404, "this is no game: a game is COMPETITION/BOARD/SEATING, such as trix/12/0", "game")


def _found(request: Request, content: bytes) -> Response:
    """What was asked for, or that it has not changed."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**_HEADERS, "ETag": tag}
    known = ",".join(request.headers.getlist("if-none-match"))
    if known.strip() == "*" or tag in _TAG.findall(known):
        return Response(None, 304, headers)
    return Response(content, 200, headers, "application/json")


def _encoded(value: object) -> bytes:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _said(text: str) -> str:
    return legible(quoted(_short(text)))
