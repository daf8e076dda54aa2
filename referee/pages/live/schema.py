"""What the JSON interface of `tourney serve` is: its OpenAPI 3.1 document.

Owns the addresses in words, what may be asked, and the form of every answer. Knows no store: the document is the same for
all of them. A test holds every answer of a real store to it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any, Final

from cardtable.record import FORMAT, FaultCause
from referee.rulings import RulingKind

__all__ = ["FAULTS_AT_ONCE", "GAMES_AT_ONCE", "MOST_AT_ONCE", "ROOT", "document"]

ROOT: Final = "/api/v1"
#: How many are told at once where it is not asked for fewer or more, and the most that may be asked for.
GAMES_AT_ONCE: Final = 100
FAULTS_AT_ONCE: Final = 100
MOST_AT_ONCE: Final = 1000

_ABOUT: Final = """\
Results, games and records of one tournament, also while it is played. Everything is read with GET (or HEAD); any other
method is refused with 405.

- Games, faults and records are those of complete boards: while a game of a board goes on, nothing of that board is told.
- Every answer has an `ETag`. Who sends it back in `If-None-Match` gets 304 and no content while nothing has changed.
- Every refusal is an object with one line that says what is wrong.
- Keys may be added to any object in later versions of the program: ignore those you do not know.
"""

_Schema = dict[str, Any]
#: Answers of a real tournament, cut short.
_EXAMPLES: Final = json.loads(
    files("referee.pages.live").joinpath("examples.json").read_text(encoding="utf-8")
)


def _object(about: str, optional: tuple[str, ...] = (), /, **properties: _Schema) -> _Schema:
    """An object that has all of these, but for the optional ones."""
    required = [name for name in properties if name not in optional]
    return {"type": "object", "description": about, "required": required, "properties": properties}


def _text(about: str, **more: object) -> _Schema:
    return {"type": "string", "description": about, **more}


def _whole(about: str, least: int = 0) -> _Schema:
    return {"type": "integer", "minimum": least, "description": about}


def _number(about: str, **more: object) -> _Schema:
    return {"type": "number", "description": about, **more}


def _flag(about: str) -> _Schema:
    return {"type": "boolean", "description": about}


def _list(about: str, items: _Schema, **more: object) -> _Schema:
    return {"type": "array", "description": about, "items": items, **more}


def _by_name(about: str, values: _Schema) -> _Schema:
    return {"type": "object", "description": about, "additionalProperties": values}


def _or_null(schema: _Schema) -> _Schema:
    """The same, or null: that this is nothing here."""
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def _is(name: str) -> _Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_GAME_NAME: Final = _text(
    "COMPETITION/BOARD/SEATING, all that a game is known by", pattern="^.+/[0-9]+/[0-9]+$"
)
_BOARD_NAME: Final = _text("COMPETITION/BOARD", pattern="^.+/[0-9]+$")
_ENTRANT: Final = _text("name of an entrant")
_COMPETITION: Final = _text("name of a competition")
_WHEN: Final = _text("UTC, ISO 8601", format="date-time")
_HASH: Final = _text("SHA-256, hexadecimal", pattern="^[0-9a-f]{64}$")
_SEED: Final = _text("32 bytes, hexadecimal", pattern="^[0-9a-f]{64}$")
_SCORED_BY: Final = _text("what is ranked", enum=["points", "places"])
_SEATS: Final = _list("entrants by seat", _ENTRANT, minItems=1)
_SCORES: Final = _list("final scores as the game writes them: one a seat, or one a side", {"type": "integer"})
_SEAT: Final = _whole("a seat, from 0")
_CAUSE: Final = _text("what went wrong", enum=[one.value for one in FaultCause])


def _table(about: str, **more: _Schema) -> _Schema:
    """A table of ratings; the keys are those of `tourney ratings --json`."""
    return _object(
        about,
        title=_text("what is rated, in words"),
        scored_by=_or_null(
            {"type": "string", "description": "points or places; null over several competitions"}
        ),
        boards=_whole("complete boards that count"),
        games=_whole("games of these boards"),
        faults=_whole("faults on these boards and at no table"),
        faulted_boards=_whole("how many of the boards had a fault"),
        left=_list("who forfeited too often or was withdrawn", _is("Departure")),
        draw_probability=_number("chance of a tie between equals", minimum=0, maximum=1),
        rotation_gain=_or_null(_number("by how much the seatings of a board divide the variance")),
        partners=_text("who plays with whom", enum=["none", "fixed", "changing"]),
        inseparable=_list("those that always play together", _list("names", _ENTRANT, minItems=2)),
        rows=_list("the entrants, best first", _is("Row")),
        superiority=_by_name(
            "by entrant, and then by each other one, the chance that the first is better",
            _by_name("by entrant", _or_null(_number("a chance", minimum=0, maximum=1))),
        ),
        **more,
        settled=_flag(
            "whether mu and sigma are those of `tourney ratings` (to 0.0001); else they are on their way there: ask again"
        ),
    )


def _schemas() -> dict[str, _Schema]:
    return {
        "Index": _object(
            "What this is, and where all else is.",
            tournament=_is("Tournament"),
            program=_text("name and version of the program that answers"),
            links=_is("Links"),
        ),
        "Links": _object(
            "Addresses on this server.",
            progress=_text("address"),
            ratings=_text("address"),
            entrants=_text("address"),
            games=_text("address"),
            faults=_text("address"),
            rulings=_text("address"),
            ratings_of=_by_name("by competition the address of its table", _text("address")),
            game=_text("with {game} in place of the name of a game"),
            record=_text("with {game} in place of the name of a game"),
            openapi=_text("this document"),
        ),
        "Tournament": _object(
            "The tournament.",
            name=_text("its name; several names where it was merged of several"),
            program=_text("name and version of the program that made its store"),
            created=_WHEN,
            commitment=_HASH | {"description": "by which the master seed was promised"},
            identity=_HASH | {"description": "of all that identifies the tournament"},
            seed=_or_null(_SEED | {"description": "the master seed; null until it is revealed"}),
            is_over=_flag(
                "whether the seed is revealed, of all where there are several: then comments are told"
            ),
            merged_of=_list("the tournaments that it was merged of; empty for one by itself", _is("Merged")),
            competitions=_list("in the order of the tournament's file", _is("Competition")),
        ),
        "Merged": _object(
            "One tournament of several.",
            name=_text("its name"),
            commitment=_HASH | {"description": "by which its master seed was promised"},
            seed=_or_null(_SEED | {"description": "its master seed; null until it is revealed"}),
        ),
        "Competition": _object(
            "One competition.",
            competition=_COMPETITION,
            title=_text("its name, and its game in words"),
            game=_text("name of the game: trix or vytrix"),
            variant=_by_name("all options of the game", {"type": ["boolean", "integer", "string", "null"]}),
            seatings=_whole("games of a board", 1),
            rotations=_text("how the seatings of a board differ"),
            teams=_text("who plays with whom"),
            scored_by=_SCORED_BY,
        ),
        "Progress": _object(
            "How far the tournament is.",
            games=_whole("games of complete boards"),
            planned=_or_null(_whole("games of all plans; null where the store does not say")),
            left=_or_null(_whole("games that are to be played yet, at the most")),
            is_open=_flag("whether a stop rule may end it earlier"),
            games_per_second=_or_null(_number("of the last minute; null while nobody plays", minimum=0)),
            seconds_left=_or_null(_number("at that pace", minimum=0)),
            faults=_whole("on complete boards, and at no table"),
            competitions=_list("each of them", _is("CompetitionProgress")),
            run=_is("Run"),
            trouble=_or_null(_text("why the store cannot be followed just now")),
        ),
        "CompetitionProgress": _object(
            "How far one competition is.",
            competition=_COMPETITION,
            title=_text("its game in words"),
            games=_whole("games of complete boards"),
            planned=_or_null(_whole("games of its plan")),
            is_open=_flag("whether a stop rule may end it earlier"),
        ),
        "Run": _object(
            "The last run, or the last ruling: who wrote the store last.",
            state=_text(
                "none: there was none yet; killed: it did not end, and is not there any more",
                enum=["none", "running", "ended", "killed"],
            ),
            started=_or_null(_WHEN),
            ended=_or_null(_WHEN),
        ),
        "Ratings": _object(
            "All tables, as `tourney ratings --json` prints them.",
            competitions=_by_name("by competition", _is("Table")),
            overall=_or_null(_is("Table")),
            joined=_or_null(
                _object(
                    "where it was merged of several tournaments",
                    tournaments=_list(
                        "each of them",
                        _object(
                            "one", name=_text("its name"), commitment=_HASH | {"description": "its promise"}
                        ),
                    ),
                    notes=_list("what was named or kept apart", _text("a sentence")),
                )
            ),
            rulings=_list("those in force that have a say in these tables", _is("Ruling")),
        ),
        "Table": _table(
            "A table of ratings, and what it would be without some of its boards.",
            without_faults=_or_null(_is("LesserTable")),
            without_departed=_or_null(_is("LesserTable")),
        ),
        "LesserTable": _table("The same without some of the boards."),
        "Row": _object(
            "One entrant in a table.",
            rank=_whole("from 1, by mu", 1),
            ranks=_list(
                "the places that it may truly have, best and worst",
                _whole("a place", 1),
                minItems=2,
                maxItems=2,
            ),
            entrant=_ENTRANT,
            mu=_or_null(_number("skill; null without a rated board")),
            sigma=_or_null(_number("how unsure it is", minimum=0)),
            interval=_or_null(_list("95 % of mu", _number("an end"), minItems=2, maxItems=2)),
            exposed=_or_null(_number("mu - 3 sigma")),
            per_game=_or_null(_number("mean points, or places, per game; null over several competitions")),
            half_width=_or_null(_number("of the 95 % interval of per_game", minimum=0)),
            games=_whole("games that it played"),
            boards=_whole("boards that it played"),
            faults=_whole("faults that it had on them"),
            flagged=_flag("whether its points gainsay its place by more than the noise"),
        ),
        "Departure": _object(
            "An entrant that left.",
            entrant=_ENTRANT,
            last_board=_or_null(
                _BOARD_NAME | {"description": "the last one that counts; null where none does"}
            ),
            ruling=_or_null(_whole("number of the ruling that withdrew it; null: it forfeited too often", 1)),
        ),
        "Entrants": _object("Who takes part.", entrants=_list("by name", _is("Entrant"))),
        "Entrant": _object(
            "One entrant.",
            entrant=_ENTRANT,
            files_hash=_or_null(_text("of its command and files; null where it names none")),
            is_remote=_flag("whether it ran elsewhere, without isolation"),
            left=_list(
                "that it left: once for each tournament of which this was merged",
                _object(
                    "one departure",
                    last_board=_or_null(
                        _BOARD_NAME | {"description": "the last one that counts; null: none does"}
                    ),
                    ruling=_or_null(_whole("by which it is withdrawn; null: it forfeited too often", 1)),
                ),
            ),
        ),
        "Games": _object(
            "Some games, in the order in which their boards were complete.",
            games=_list("in that order", _is("Game"), maxItems=MOST_AT_ONCE),
            next=_whole("what to give as `after` the next time"),
            more=_flag("whether there is more after `next` already"),
        ),
        "Game": _object(
            "One game, as it was played; what rulings make of it is in `rulings`.",
            mark=_whole("its number in the order in which boards were complete", 1),
            game=_GAME_NAME,
            seats=_SEATS,
            scores=_SCORES,
            forfeits=_list("seats that forfeited", _SEAT),
            faults=_whole("how many faults it had"),
            charged_ms=_list("thinking time of each seat", _number("milliseconds", minimum=0)),
            decisions=_list("questions asked of each seat", _whole("how many")),
            rulings=_list("those in force that are about it", _is("Ruling")),
        ),
        "Faults": _object(
            "Some faults, in the order in which they were written.",
            faults=_list("in that order", _is("Fault"), maxItems=MOST_AT_ONCE),
            next=_whole("what to give as `after` the next time"),
            more=_flag("whether there is more after `next` already"),
        ),
        "Fault": _object(
            "One fault; what does not apply is null.",
            mark=_whole("its number in that order", 1),
            game=_or_null(_GAME_NAME | {"description": "its game; null: it happened at no table"}),
            fault=_or_null(_whole("its number among the faults of its game")),
            competition=_COMPETITION,
            bot=_ENTRANT,
            seat=_SEAT,
            cause=_CAUSE,
            deal=_or_null(_whole("deal of the decision, from 0")),
            action=_or_null(_whole("its place among the deal's actions, from 0")),
            turn=_or_null(_whole("number of the question")),
            message=_text("one line"),
            rulings=_list("those in force that forgive it, or make its game void", _is("Ruling")),
        ),
        "Rulings": _object(
            "What the organiser ruled.", rulings=_list("in the order in which they were made", _is("Ruling"))
        ),
        "Ruling": _object(
            "One ruling; what does not apply to its kind is null.",
            number=_whole("from 1", 1),
            tournament=_or_null(_text("of which it is, where several were merged")),
            kind=_text("what it does", enum=[one.value for one in RulingKind]),
            what=_text("the same in words"),
            game=_or_null(_GAME_NAME | {"description": "that is void, or had the fault"}),
            fault=_or_null(_whole("number of the fault in its game; null: all of the bot")),
            bot=_or_null(_text("who is withdrawn, or whose fault is forgiven")),
            last_board=_or_null(
                _BOARD_NAME | {"description": "the last one that counts of who is withdrawn"}
            ),
            revokes=_or_null(_whole("number of the ruling that is taken back", 1)),
            reason=_text("one line"),
            made_at=_WHEN,
            in_force=_flag("whether it holds"),
        ),
        "Record": _object(
            "All of one game, enough to play it again through the rules.",
            ("seed", "scores", "forfeits", "comments"),
            format={"const": FORMAT},
            game=_text("name of the game"),
            variant=_by_name("its options; absent ones have their defaults", {}),
            seats=_SEATS,
            seed=_SEED | {"description": "the board's seed, from which the cards follow"},
            deals=_list("all deals, void ones too", _is("RecordDeal")),
            scores=_SCORES,
            faults=_list("in the order in which they came", _is("RecordFault")),
            forfeits=_list("seats that forfeited", _SEAT),
            comments=_list("what bots said; told when the tournament is over", _is("RecordComment")),
        ),
        "RecordDeal": _object(
            "One deal.",
            ("hands", "kitty"),
            hands=_list("explicit cards by seat; they win over the seed", _text("cards")),
            kitty=_text("explicit cards of the kitty"),
            actions=_list("in order", _text("an action")),
        ),
        "RecordFault": _object(
            "A decision that the house made.",
            seat=_SEAT,
            cause=_CAUSE,
            deal=_whole("from 0"),
            action=_whole("from 0"),
            turn=_whole("number of the question"),
        ),
        "RecordComment": _object(
            "What a bot said with an answer.",
            deal=_whole("from 0"),
            action=_whole("from 0"),
            text=_text("what it said"),
        ),
        "Error": _object(
            "Why there is no answer.",
            error=_object(
                "in words",
                message=_text("one line: what is wrong, and what would be right"),
                where=_text(
                    "a parameter or part of the address by its name; or address, game, method, store"
                ),
            ),
        ),
    }


_AFTER: Final = {
    "name": "after",
    "in": "query",
    "description": "Tell what comes after the one of this mark: give `next` of the last answer. 0: from the first one on.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": 0},
    "example": 16,
}
_ENTRANT_ONLY: Final = {
    "name": "entrant",
    "in": "query",
    "description": "Only those of this entrant.",
    "schema": {"type": "string"},
    "example": "hasty",
}
_COMPETITION_ONLY: Final = {
    "name": "competition",
    "in": "query",
    "description": "Only those of this competition.",
    "schema": {"type": "string"},
    "example": "trix",
}


def _limit(at_once: int) -> _Schema:
    return {
        "name": "limit",
        "in": "query",
        "description": "How many at the most.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_AT_ONCE, "default": at_once},
        "example": 2,
    }


def _part(name: str, about: str, schema: _Schema, example: object) -> _Schema:
    found = {"name": name, "in": "path", "required": True, "description": about, "schema": schema}
    return {**found, "example": example}


_IN_COMPETITION: Final = _part(
    "competition",
    "Name of the competition. Signs that mean something in an address are percent-encoded.",
    {"type": "string", "minLength": 1},
    "trix",
)
_OF_GAME: Final = (
    _IN_COMPETITION,
    _part("board", "Number of the board.", {"type": "integer", "minimum": 0, "maximum": 999_999_999}, 2),
    _part("seating", "Number of the seating.", {"type": "integer", "minimum": 0, "maximum": 999_999_999}, 0),
)
_TAG_HEADER: Final = {
    "description": "Known by its content: send it back in If-None-Match.",
    "schema": {"type": "string"},
    "example": '"5891b5b522d5df086d0ff0b110fbd9d2"',
}
_CACHE_HEADER: Final = {
    "description": "no-cache: keep it, and ask whether it is still so.",
    "schema": {"type": "string", "const": "no-cache"},
}
_WAIT_HEADER: Final = {
    "description": "Seconds after which to ask again.",
    "schema": {"type": "integer", "minimum": 1},
    "example": 2,
}


def _refusal(about: str, example: str, headers: _Schema | None = None) -> _Schema:
    found: _Schema = {"description": about}
    if headers is not None:
        found["headers"] = headers
    content = {"schema": _is("Error"), "example": _EXAMPLES[example]}
    return {**found, "content": {"application/json": content}}


def _get(
    name: str,
    tag: str,
    summary: str,
    schema: _Schema,
    example: str | None,
    *parameters: _Schema,
    about: str = "",
) -> _Schema:
    """What GET of one address is."""
    content: _Schema = {"schema": schema}
    if example is not None:
        content["example"] = _EXAMPLES[example]
    responses: _Schema = {
        "200": {
            "description": summary,
            "headers": {"ETag": _TAG_HEADER, "Cache-Control": _CACHE_HEADER},
            "content": {"application/json": content},
        },
        "304": {
            "description": "It is as it was when it had the ETag of If-None-Match; there is no content.",
            "headers": {"ETag": _TAG_HEADER, "Cache-Control": _CACHE_HEADER},
        },
        "400": {"$ref": "#/components/responses/BadRequest"},
    }
    if any(one["in"] == "path" for one in parameters):
        responses["404"] = {"$ref": "#/components/responses/NotFound"}
    responses["405"] = {"$ref": "#/components/responses/MethodNotAllowed"}
    responses["500"] = {"$ref": "#/components/responses/Damaged"}
    responses["503"] = {"$ref": "#/components/responses/NotNow"}
    found: _Schema = {"operationId": name, "tags": [tag], "summary": summary}
    if about:
        found["description"] = about
    return {
        "get": {
            **found,
            "parameters": [*parameters, {"$ref": "#/components/parameters/IfNoneMatch"}],
            "responses": responses,
        }
    }


_FOLLOW: Final = (
    "They only become more, and their order never changes: ask again with `after` set to `next`, and you get each once"
    " and miss none, also over restarts of the server. An empty list means that there is none yet."
)


def _paths() -> dict[str, _Schema]:
    return {
        "": _get("getIndex", "tournament", "What this is, and where all else is.", _is("Index"), "index"),
        "/progress": _get("getProgress", "tournament", "How far it is.", _is("Progress"), "progress"),
        "/ratings": _get("getRatings", "results", "All tables of ratings.", _is("Ratings"), "ratings"),
        "/ratings/{competition}": _get(
            "getRatingsOfCompetition",
            "results",
            "The table of one competition.",
            _is("Table"),
            "table",
            _IN_COMPETITION,
        ),
        "/entrants": _get("getEntrants", "tournament", "Who takes part.", _is("Entrants"), "entrants"),
        "/games": _get(
            "getGames",
            "games",
            "Games of complete boards, in the order in which these were complete.",
            _is("Games"),
            "games",
            _AFTER,
            _limit(GAMES_AT_ONCE),
            _ENTRANT_ONLY,
            _COMPETITION_ONLY,
            about=_FOLLOW,
        ),
        "/games/{competition}/{board}/{seating}": _get(
            "getGame", "games", "One game.", _is("Game"), "game", *_OF_GAME
        ),
        "/games/{competition}/{board}/{seating}/record": _get(
            "getRecord",
            "games",
            "The record of one game, as `tourney export` writes it.",
            _is("Record"),
            "record",
            *_OF_GAME,
            about="What bots said (`comments`) is left out until the tournament is over.",
        ),
        "/faults": _get(
            "getFaults",
            "games",
            "Faults on complete boards and at no table, in the order in which they were written.",
            _is("Faults"),
            "faults",
            _AFTER,
            _limit(FAULTS_AT_ONCE),
            _ENTRANT_ONLY,
            _COMPETITION_ONLY,
            about=_FOLLOW,
        ),
        "/rulings": _get("getRulings", "results", "What the organiser ruled.", _is("Rulings"), "rulings"),
        "/openapi.json": _get(
            "getOpenapi",
            "tournament",
            "This document.",
            {"type": "object", "description": "a document of OpenAPI 3.1", "required": ["openapi"]},
            None,
        ),
    }


@cache
def document() -> dict[str, Any]:
    """The whole document; nobody changes it."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tourney serve",
            "summary": "Results of a tournament of Trix and Vytrix bots, as they come.",
            "description": _ABOUT,
            "version": version("cardtable-referee"),
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/", "description": "The server that this document is from."}],
        "tags": [
            {"name": "tournament", "description": "What is played, by whom, and how far it is."},
            {"name": "results", "description": "Tables, and rulings that have a say in them."},
            {"name": "games", "description": "Games, their records and faults."},
        ],
        "paths": {ROOT + path: item for path, item in _paths().items()},
        "components": {
            "schemas": _schemas(),
            "parameters": {
                "IfNoneMatch": {
                    "name": "If-None-Match",
                    "in": "header",
                    "description": "The ETag of an answer that is known.",
                    "schema": {"type": "string"},
                    "example": '"5891b5b522d5df086d0ff0b110fbd9d2"',
                }
            },
            "responses": {
                "BadRequest": _refusal("A parameter is unknown, repeated or cannot be.", "bad_request"),
                "NotFound": _refusal("There is no such thing, or its board is not complete.", "not_found"),
                "MethodNotAllowed": _refusal("Of any method but GET and HEAD.", "not_allowed"),
                "Damaged": _refusal("What the store has of this is damaged.", "damaged"),
                "NotNow": _refusal(
                    "The store cannot be read just now, or the tables are not made yet.",
                    "not_now",
                    {"Retry-After": _WAIT_HEADER},
                ),
            },
        },
    }
