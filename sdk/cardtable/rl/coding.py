"""What the numbers mean: named fields of an observation, blocks of action numbers, and the coding of one game.

Owns how fields lie in the flat array, how card sets become zeros and ones, and the tables of the documentation.
Knows no game. An observation is made from a seat's view and its own unfinished decision, never from a state.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "ONE_HOT",
    "Array",
    "Block",
    "Coding",
    "Field",
    "Fields",
    "Mask",
    "cards_to_bits",
    "clipped",
    "one_hot",
    "relative",
]

#: The numbers of an observation.
Array: TypeAlias = NDArray[np.float32]
#: One for each action that is legal now, else zero.
Mask: TypeAlias = NDArray[np.int8]

#: ``ONE_HOT[n][i]``: n numbers, all 0 but the one at i.
ONE_HOT: Final = {
    size: tuple(tuple(float(place == one) for place in range(size)) for one in range(size))
    for size in range(1, 8)
}
_NONE: Final = {size: (0.0,) * size for size in range(1, 8)}


def one_hot(place: int | None, size: int) -> tuple[float, ...]:
    """Return `size` zeros with a one at a place, all zeros for None."""
    return _NONE[size] if place is None else ONE_HOT[size][place]


def relative(seat: int | None, own: int, players: int) -> int | None:
    """How many places after one's own a seat comes in the order of play; None for no seat."""
    return None if seat is None else (seat - own) % players


def clipped(number: float, low: float, high: float) -> float:
    """The number, or the bound that it passes."""
    return min(max(number, low), high)


def cards_to_bits(masks: Iterable[int]) -> NDArray[np.uint8]:
    """52 zeros and ones for each mask of cards, by card index, all in one row."""
    words = np.array([*masks], dtype="<u8").view(np.uint8)
    return np.unpackbits(words, bitorder="little").reshape(-1, 64)[:, :52].reshape(-1)


@dataclass(frozen=True, slots=True)
class Field:
    """One named part of an observation.

    Args:
        name: What it is called in `Fields.split`.
        shape: Of this part; its last axis runs fastest.
        meaning: What its numbers say.
        unit: What 1 stands for.
        low: No number of it is less.
        high: No number of it is more.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    unit: str = "yes"
    low: float = 0.0
    high: float = 1.0

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


class Fields:
    """The fields of an observation, in their order in the flat array.

    Args:
        fields: All of them.
    """

    __slots__ = ("_fields", "_slices", "size")

    def __init__(self, *fields: Field) -> None:
        self._fields = fields
        self._slices: dict[str, slice] = {}
        start = 0
        for field in fields:
            self._slices[field.name] = slice(start, start + field.size)
            start += field.size
        #: Numbers in the flat array.
        self.size = start

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def slice_of(self, name: str) -> slice:
        """Where a field lies in the flat array.

        Raises:
            KeyError: There is no field of this name.
        """
        return self._slices[name]

    def split(self, observation: Array) -> dict[str, Array]:
        """The fields by name, each in its shape; they share the memory of the observation."""
        return {
            field.name: observation[self._slices[field.name]].reshape(field.shape) for field in self._fields
        }

    def bounds(self) -> tuple[Array, Array]:
        """The least and the greatest value of every number."""
        low = np.concatenate([np.full(field.size, field.low, np.float32) for field in self._fields])
        high = np.concatenate([np.full(field.size, field.high, np.float32) for field in self._fields])
        return low, high

    def table(self) -> str:
        """The fields as a table in Markdown, as the documentation shows it."""
        rows = ["| field | numbers | shape | range | 1 stands for | meaning |", "|---|---|---|---|---|---|"]
        for field in self._fields:
            where = self._slices[field.name]
            shape = " x ".join(map(str, field.shape))
            rows.append(
                f"| `{field.name}` | {where.start}-{where.stop - 1} | {shape} | {field.low:g} to {field.high:g} "
                f"| {field.unit} | {field.meaning} |"
            )
        return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class Block:
    """Action numbers that belong together.

    Args:
        start: The first one.
        count: How many there are.
        notation: Their texts.
        meaning: When they are asked for, and their order.
    """

    start: int
    count: int
    notation: str
    meaning: str

    @staticmethod
    def table(blocks: Sequence[Block]) -> str:
        """The blocks as a table in Markdown, as the documentation shows it."""
        rows = ["| numbers | how many | action | meaning |", "|---|---|---|---|"]
        for block in blocks:
            last = block.start + block.count - 1
            numbers = f"{block.start}" if block.count == 1 else f"{block.start}-{last}"
            rows.append(f"| {numbers} | {block.count} | {block.notation} | {block.meaning} |")
        return "\n".join(rows)


class Coding(Protocol):
    """One game in numbers.

    An action that is too wide for one number is decided in steps: `chosen` are the numbers that the seat has already
    given of its unfinished decision, and nobody else sees them.
    """

    @property
    def actions(self) -> int:
        """How many action numbers there are, in every variant."""

    @property
    def fields(self) -> Fields:
        """The observation's."""

    @property
    def blocks(self) -> Sequence[Block]:
        """What the action numbers stand for; together they are all of them."""

    def observe(self, view: Any, chosen: Sequence[int] = ()) -> Array:
        """What the view's seat knows, as one row of numbers."""

    def mask(self, view: Any, chosen: Sequence[int] = ()) -> Mask:
        """Which numbers may come next; none when another seat acts."""

    def encode(self, action: Any) -> tuple[int, ...]:
        """The numbers that make an action, one after the other.

        Raises:
            ValueError: No numbers make it.
        """

    def decode(self, chosen: Sequence[int], view: Any) -> Any:
        """The action that these numbers make; None while there must follow more.

        It does not judge: whether a number may come is told by `mask`.

        Raises:
            ValueError: They make no action at this view.
        """
