"""A game's record: enough to rebuild it without any bot, and its form as a line of JSON.

Owns the dataclasses and the reading and writing of ``cardtable/1`` JSON (docs/protocol.md). What a record says is
checked by `cardtable.replay`; here only its form is.

    RecordError    the text or object is no record: what is wrong, and where
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMAT", "Comment", "DealRecord", "FaultCause", "GameRecord", "RecordError", "RecordedFault"]

FORMAT = "cardtable/1"


class RecordError(ValueError):
    """The text or object is no record."""


class FaultCause(StrEnum):
    """What went wrong, one culprit each; `REFEREE` is ours, all others are the bot's."""

    START = "start"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    RESOURCE = "resource"
    REFEREE = "referee"


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal, void ones too.

    Args:
        actions: In order, in the text notation.
        hands: Explicit cards by seat, cards apart by a space; empty where the cards follow from the seed.
        kitty: Explicit cards of the kitty.
    """

    actions: tuple[str, ...]
    hands: tuple[str, ...] = ()
    kitty: str = ""


@dataclass(frozen=True, slots=True)
class RecordedFault:
    """One fault, at the decision that the house made.

    Args:
        seat: The culprit's seat.
        cause: What went wrong.
        deal: Deal of the decision, from 0.
        action: Its place among the deal's actions, from 0.
        turn: The question's turn, from 1.
        message: One line for people; no part of an export, since it may tell times.
    """

    seat: int
    cause: FaultCause
    deal: int
    action: int
    turn: int
    message: str = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """What a bot said with an answer."""

    deal: int
    action: int
    text: str


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game.

    Args:
        game: Name of the game.
        variant: Its options; those that are absent have their defaults.
        seats: Entrants by seat.
        deals: All deals; only the last may be unfinished.
        seed: The board's seed, 32 bytes, from which deals without hands follow.
        scores: Final scores as the game writes them; None for a game that is not over.
        faults: In the order in which they came.
        comments: In the order in which they came.
        forfeits: Seats whose game is forfeited.
    """

    game: str
    variant: Mapping[str, object]
    seats: tuple[str, ...]
    deals: tuple[DealRecord, ...]
    seed: bytes | None = None
    scores: tuple[int, ...] | None = None
    faults: tuple[RecordedFault, ...] = ()
    comments: tuple[Comment, ...] = ()
    forfeits: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The record as the object that stands on its line of an export."""
        line: dict[str, object] = {
            "format": FORMAT,
            "game": self.game,
            "variant": dict(self.variant),
            "seats": list(self.seats),
        }
        if self.seed is not None:
            line["seed"] = self.seed.hex()
        deals = []
        for deal in self.deals:
            entry: dict[str, object] = {}
            if deal.hands:
                entry["hands"] = list(deal.hands)
            if deal.kitty:
                entry["kitty"] = deal.kitty
            entry["actions"] = list(deal.actions)
            deals.append(entry)
        line["deals"] = deals
        if self.scores is not None:
            line["scores"] = list(self.scores)
        line["faults"] = [
            {"seat": f.seat, "cause": f.cause.value, "deal": f.deal, "action": f.action, "turn": f.turn}
            for f in self.faults
        ]
        if self.forfeits:
            line["forfeits"] = list(self.forfeits)
        if self.comments:
            line["comments"] = [{"deal": c.deal, "action": c.action, "text": c.text} for c in self.comments]
        return line

    def to_line(self) -> str:
        """The record as one line of JSON, without the line's end."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(", ", ": "))

    @classmethod
    def from_json(cls, line: object) -> GameRecord:
        """Read the object that stands on a line of an export.

        Raises:
            RecordError: It is no record.
        """
        fields = _mapping(line, "a record")
        if fields.get("format") != FORMAT:
            raise RecordError(f'"format" is {fields.get("format")!r}, not "{FORMAT}"')
        for key in fields:
            if key not in _KEYS:
                raise RecordError(f"unknown key {key!r}; a record has {', '.join(_KEYS)}")
        scores = fields.get("scores")
        return cls(
            game=_text(fields, "game"),
            variant=_mapping(fields.get("variant", {}), '"variant"'),
            seats=_texts(fields.get("seats"), '"seats"'),
            deals=tuple(_deal(entry, n) for n, entry in enumerate(_list(fields.get("deals"), '"deals"'))),
            seed=_seed(fields.get("seed")),
            scores=None if scores is None else _integers(scores, '"scores"'),
            faults=tuple(_fault(entry) for entry in _list(fields.get("faults", []), '"faults"')),
            comments=tuple(_comment(entry) for entry in _list(fields.get("comments", []), '"comments"')),
            forfeits=_integers(fields.get("forfeits", []), '"forfeits"'),
        )

    @classmethod
    def from_line(cls, text: str) -> GameRecord:
        """Read one line of JSON.

        Raises:
            RecordError: It is no record, or no JSON.
        """
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"no JSON: {error}") from None
        return cls.from_json(line)


_KEYS = ("format", "game", "variant", "seats", "seed", "deals", "scores", "faults", "forfeits", "comments")


def _mapping(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} must be an object")
    return cast("dict[str, object]", value)


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise RecordError(f"{what} must be a list")
    return value


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise RecordError(f'"{key}" must be a text')
    return value


def _texts(value: object, what: str) -> tuple[str, ...]:
    texts = _list(value, what)
    if not all(isinstance(text, str) for text in texts):
        raise RecordError(f"{what} must be a list of texts")
    return tuple(cast("list[str]", texts))


def _integers(value: object, what: str) -> tuple[int, ...]:
    numbers = _list(value, what)
    if not all(type(number) is int for number in numbers):
        raise RecordError(f"{what} must be a list of whole numbers")
    return tuple(cast("list[int]", numbers))


def _number(entry: Mapping[str, object], key: str) -> int:
    number = entry.get(key)
    if type(number) is not int or number < 0:
        raise RecordError(f'a fault or comment needs "{key}", a whole number')
    return number


def _fault(value: object) -> RecordedFault:
    entry = _mapping(value, "a fault")
    seat, deal, action, turn = (_number(entry, key) for key in ("seat", "deal", "action", "turn"))
    try:
        cause = FaultCause(str(entry.get("cause")))
    except ValueError:
        raise RecordError(f'a fault needs "cause", one of {", ".join(FaultCause)}') from None
    return RecordedFault(seat, cause, deal, action, turn)


def _comment(value: object) -> Comment:
    entry = _mapping(value, "a comment")
    return Comment(_number(entry, "deal"), _number(entry, "action"), _text(entry, "text"))


def _seed(value: object) -> bytes | None:
    if value is None:
        return None
    try:
        seed = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise RecordError('"seed" must be 64 hexadecimal digits')
    return seed


def _deal(value: object, number: int) -> DealRecord:
    what = f"deal {number}"
    entry = _mapping(value, what)
    for key in entry:
        if key not in {"hands", "kitty", "actions"}:
            raise RecordError(f"{what}: unknown key {key!r}; a deal has hands, kitty, actions")
    kitty = entry.get("kitty", "")
    if not isinstance(kitty, str):
        raise RecordError(f'{what}: "kitty" must be a text')
    return DealRecord(
        actions=_texts(entry.get("actions"), f'{what}: "actions"'),
        hands=_texts(entry["hands"], f'{what}: "hands"') if "hands" in entry else (),
        kitty=kitty,
    )
