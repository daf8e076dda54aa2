"""What `tourney rate FILE.json` means: other people's matches, rated as the file says.

Owns the form of that file. Nothing is centred, and groups are handed over in the order of the file.

    RatingFileError    the object is no rating file: which key, and what is wrong with it
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from referee.errors import RefereeError
from referee.ratings import Environment, Match, Rating, batch, sequence

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RatingFileError", "rate_file"]

_KEYS = ("environment", "mode", "prior", "matches")
_ENVIRONMENT = ("mu", "sigma", "beta", "tau", "draw_probability")

_TOO_FAR = "cannot be rated: some numbers are too far from the others"


class RatingFileError(RefereeError):
    """The object is no rating file.

    Args:
        key: Where it is wrong, such as ``matches[3].ranks``.
        message: What is wrong there.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


def rate_file(content: object) -> dict[str, dict[str, float]]:
    """Rate the matches of a file.

    Args:
        content: The file's object: ``environment``, ``mode``, ``prior``, ``matches``; all but the last may be absent.

    Returns:
        ``{"ana": {"mu": ..., "sigma": ...}}``, those with a prior first, then in the order of the matches.

    Raises:
        RatingFileError: It is no rating file, or its numbers are too far from each other.
    """
    fields = _object(content, "the file")
    _known(fields, "the file", _KEYS)
    environment = _environment(fields.get("environment", {}))
    prior = _prior(fields.get("prior", {}))
    if "matches" not in fields:
        raise RatingFileError("matches", "is missing")
    matches = [
        _match(entry, f"matches[{number}]", environment)
        for number, entry in enumerate(_list(fields["matches"], "matches"))
    ]
    mode = fields.get("mode", "sequence")
    if mode not in ("sequence", "batch"):
        raise RatingFileError("mode", f'must be "sequence" or "batch", not {mode!r}')
    try:
        if mode == "sequence":
            ratings = sequence(matches, environment, prior)
        else:
            ratings, _ = batch(matches, environment, prior)
    except ArithmeticError as error:
        raise RatingFileError("matches", _TOO_FAR) from error
    if not all(math.isfinite(mu) and 0 < sigma < math.inf for mu, sigma in ratings.values()):
        raise RatingFileError("matches", _TOO_FAR)
    return {name: {"mu": mu, "sigma": sigma} for name, (mu, sigma) in ratings.items()}


def _environment(value: object) -> Environment:
    fields = _object(value, "environment")
    _known(fields, "environment", _ENVIRONMENT)
    numbers = {key: _number(entry, f"environment.{key}") for key, entry in fields.items()}
    for key in ("sigma", "beta"):
        if numbers.get(key, 1) <= 0:
            raise RatingFileError(f"environment.{key}", "must be above 0")
    if numbers.get("tau", 0) < 0:
        raise RatingFileError("environment.tau", "must not be below 0")
    draw_probability = numbers.get("draw_probability", 0)
    # What rounds to 1 here has no place in a normal distribution.
    if draw_probability < 0 or (1 + draw_probability) / 2 >= 1:
        raise RatingFileError("environment.draw_probability", "must be from 0 to below 1")
    return Environment(**numbers)


def _prior(value: object) -> dict[str, Rating]:
    prior = {}
    for name, entry in _object(value, "prior").items():
        key = f"prior.{name}"
        pair = [_number(number, key) for number in _list(entry, key)]
        if len(pair) != 2 or pair[1] <= 0:
            raise RatingFileError(key, "must be [mu, sigma] with sigma above 0")
        prior[name] = Rating(*pair)
    return prior


def _match(value: object, key: str, environment: Environment) -> Match:
    fields = _object(value, key)
    _known(fields, key, ("groups", "ranks"))
    groups = []
    for number, entry in enumerate(_list(fields.get("groups"), f"{key}.groups")):
        names = _list(entry, f"{key}.groups[{number}]")
        if not names or not all(isinstance(name, str) for name in names):
            raise RatingFileError(f"{key}.groups[{number}]", "must be a list of names, at least one")
        groups.append(tuple(cast("list[str]", names)))
    if len(groups) < 2:
        raise RatingFileError(f"{key}.groups", "must be at least two")
    everyone = [name for group in groups for name in group]
    if len(set(everyone)) < len(everyone):
        raise RatingFileError(f"{key}.groups", "name someone twice")
    ranks = [
        _number(rank, f"{key}.ranks")
        for rank in _list(fields.get("ranks", [*range(len(groups))]), f"{key}.ranks")
    ]
    if len(ranks) != len(groups):
        raise RatingFileError(
            f"{key}.ranks", f"must be one for each of the {len(groups)} groups, not {len(ranks)}"
        )
    if environment.draw_probability == 0 and len(set(ranks)) < len(ranks):
        raise RatingFileError(f"{key}.ranks", "a tie needs a draw_probability above 0")
    return Match(tuple(groups), tuple(ranks))


def _known(fields: Mapping[str, object], where: str, keys: tuple[str, ...]) -> None:
    for key in fields:
        if key not in keys:
            raise RatingFileError(where, f"unknown key {key!r}; there are {', '.join(keys)}")


def _object(value: object, key: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RatingFileError(key, "must be an object")
    return cast("dict[str, object]", value)


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list):
        raise RatingFileError(key, "must be a list")
    return value


def _number(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RatingFileError(key, f"must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise RatingFileError(key, "must be finite")
    return number
