"""The options of Trix, with the rulebook's defaults.

Owns which options there are and which values they may have. What an option does stands where its rule does.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, Literal

from cardtable.engine import VariantError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TrixVariant"]

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "kingdom_order": ("right", "across"),
    "diamond_lead": ("free", "not_first"),
    "own_double": ("single", "double"),
    "reveal_twos": ("never", "after_first_round", "at_start"),
    "closed_suit": ("repeat", "off"),
}
_MOST_VOIDS: Final = 2**32 - 1  # as many as the wire can say


@dataclass(frozen=True, slots=True)
class TrixVariant:
    """The options of a game of Trix.

    Args:
        partners: Seats 0 and 2 play against 1 and 3 (T1).
        kingdom_order: Who is king after whom (T2.2).
        redeals: Bad hands give the right to a new deal (T4).
        max_voids: Void deals before a deal must be completed; 0: none is ever void (T4.5).
        early_end: A deal ends when its last penalty card is taken (T5).
        diamond_lead: Whether a diamond may be led to the first trick of the contract diamonds (T5).
        doubling: The king of hearts and the queens may be doubled (T6).
        own_double: What a doubled card costs the holder that takes it itself (T7.3, T8.1).
        diamonds_face_up: Taken diamonds are shown for each player (T8.5).
        reveal_twos: When the twos in hand become public (T9.5); None: after the first round in partnerships,
            never without. It is never None in a variant that exists.
        closed_suit: Whether a suit closed before all jacks are out voids the deal (T9.6).

    Raises:
        VariantError: A value is not allowed.
    """

    partners: bool = False
    kingdom_order: Literal["right", "across"] = "right"
    redeals: bool = True
    max_voids: int = 20
    early_end: bool = False
    diamond_lead: Literal["free", "not_first"] = "free"
    doubling: bool = True
    own_double: Literal["single", "double"] = "single"
    diamonds_face_up: bool = False
    reveal_twos: Literal["never", "after_first_round", "at_start"] | None = None
    closed_suit: Literal["repeat", "off"] = "repeat"

    def __post_init__(self) -> None:
        if self.reveal_twos is None:
            object.__setattr__(self, "reveal_twos", "after_first_round" if self.partners is True else "never")
        for name, value in self.options().items():
            _check(name, value)

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> TrixVariant:
        """Return the variant of these options; those that are left out have their defaults.

        Raises:
            VariantError: An option is unknown or its value is not allowed.
        """
        names = [field.name for field in fields(cls)]
        for name, value in options.items():
            if name not in names:
                near = get_close_matches(str(name), names, n=1, cutoff=0.4)
                hint = f"did you mean {near[0]!r}?" if near else f"the options are {', '.join(names)}"
                raise VariantError(f"Trix has no option {name!r}; {hint}", str(name))
            _check(name, value)
        values: dict[str, Any] = dict(options)
        return cls(**values)

    def options(self) -> dict[str, object]:
        """All options with their values, in the order of the rulebook."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def players(self) -> int:
        """Number of seats (T1)."""
        return 4


def _check(name: str, value: object) -> None:
    if name in _CHOICES:
        allowed = _CHOICES[name]
        if not isinstance(value, str) or value not in allowed:
            listed = " or ".join(f'"{choice}"' for choice in allowed)
            raise VariantError(f"{name} is {listed}, not {value!r}", name)
    elif name == "max_voids":
        if type(value) is not int or not 0 <= value <= _MOST_VOIDS:
            raise VariantError(f"{name} is a whole number from 0 to {_MOST_VOIDS}, not {value!r}", name)
    elif type(value) is not bool:
        raise VariantError(f"{name} is true or false, not {value!r}", name)
