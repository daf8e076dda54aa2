"""The options of Vytrix, and nothing of its play.

Owns every option of the rulebook with its default, and refuses what does not fit together.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, Literal

from cardtable.engine import VariantError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LastTrick", "VytrixVariant"]

#: What the last trick is worth (rule V10).
LastTrick = Literal["off", "replace", "bonus"]

_LAST_TRICK: Final = ("off", "replace", "bonus")
#: What a 32-bit field of the wire carries.
_GREATEST: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class VytrixVariant:
    """One way to play Vytrix; every option has the default of the rulebook.

    Args:
        players: 3, each for itself with a kitty, or 4, two against two without one (V1).
        max_bid: Highest bid; 0: no limit (V2.4).
        target: Score that ends the game; 0: only `max_hands` ends it (V8).
        max_hands: Number of hands after which the game ends anyway; 0: no limit (V8).
        breaking_trump: Trumps may not be led before one was played to a trick (V9).
        last_trick: ``replace``: the last trick is worth 5; ``bonus``: 5 more than others (V10).
        defensive_partnerships: Each of two defenders scores their joint tricks (V11, three players).
        partial_bidding: A bid names a strain or a direction, the partner the other (V12, four players).

    Raises:
        VariantError: A value is not allowed, or two options do not fit together.
    """

    players: int = 3
    max_bid: int = 100
    target: int = 50
    max_hands: int = 100
    breaking_trump: bool = False
    last_trick: LastTrick = "off"
    defensive_partnerships: bool = False
    partial_bidding: bool = False

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in {3, 4}:
            raise VariantError(f"players is 3 or 4, not {self.players!r}", "players")
        for name in ("max_bid", "target", "max_hands"):
            number = getattr(self, name)
            if type(number) is not int or not 0 <= number <= _GREATEST:
                raise VariantError(f"{name} is a whole number, 0 to {_GREATEST}, not {number!r}", name)
        for name in ("breaking_trump", "defensive_partnerships", "partial_bidding"):
            flag = getattr(self, name)
            if type(flag) is not bool:
                raise VariantError(f"{name} is true or false, not {flag!r}", name)
        if not isinstance(self.last_trick, str) or self.last_trick not in _LAST_TRICK:
            allowed = ", ".join(_LAST_TRICK)
            raise VariantError(f"last_trick is one of {allowed}, not {self.last_trick!r}", "last_trick")
        if self.max_hands == 0 and self.target == 0:
            raise VariantError(
                "max_hands = 0 needs a target, since nothing else would end the game (V8)", "max_hands"
            )
        if self.defensive_partnerships and self.players != 3:
            raise VariantError("defensive_partnerships needs players = 3 (V11)", "defensive_partnerships")
        if self.partial_bidding and self.players != 4:
            raise VariantError("partial_bidding needs players = 4 (V12)", "partial_bidding")

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> VytrixVariant:
        """Return the variant with these options, all others at their defaults.

        Raises:
            VariantError: An option is unknown, a value is not allowed, or two options do not fit together.
        """
        names = [field.name for field in fields(cls)]
        for name in options:
            if name not in names:
                near = get_close_matches(str(name), names, 1)
                hint = f"did you mean {near[0]}?" if near else f"the options are {', '.join(names)}"
                raise VariantError(f"Vytrix has no option {name!r}; {hint}", str(name))
        return cls(**dict(options))  # type: ignore[arg-type] # construction checks every type

    def options(self) -> dict[str, object]:
        """All options, in the order of the rulebook."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards dealt to each seat (V1)."""
        return (16, 16, 16) if self.players == 3 else (13, 13, 13, 13)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The seats that score together (V1)."""
        return ((0,), (1,), (2,)) if self.players == 3 else ((0, 2), (1, 3))

    @property
    def title(self) -> str:
        """A short name for people."""
        parts = [f"Vytrix, {self.players} players"]
        if self.breaking_trump:
            parts.append("breaking trump")
        if self.last_trick != "off":
            parts.append(f"last trick {self.last_trick}")
        if self.defensive_partnerships:
            parts.append("defensive partnerships")
        if self.partial_bidding:
            parts.append("partial bidding")
        return ", ".join(parts)
