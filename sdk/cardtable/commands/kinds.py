"""Which deals belong together when one asks where points come from: by contract and king, or by role in the auction.

Owns this coarse division of each game. A finer one, of stored games, is an analysis of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardtable.vytrix import Strain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardtable.trix import TrixDealSummary
    from cardtable.vytrix import VytrixDealSummary

__all__ = ["HEADS", "Part", "parts"]

#: What the two words of a kind say.
HEADS: Final = {"trix": ("contract", "as"), "vytrix": ("role", "contract")}


@dataclass(frozen=True, slots=True)
class Part:
    """What a deal brought to one place.

    Args:
        kind: Two words: what was played, and as what; for people.
        points: Its points.
    """

    kind: tuple[str, str]
    points: int


def parts(game: str, summary: Any, places: Sequence[Sequence[int]]) -> tuple[Part, ...] | None:
    """The part of each place in a deal that has ended; None for a void one.

    Args:
        game: Name of the game.
        summary: What the rules show of the deal.
        places: The seats that score together.
    """
    return _PARTS[game](summary, places)


def _trix(summary: TrixDealSummary, places: Sequence[Sequence[int]]) -> tuple[Part, ...] | None:
    if summary.void is not None:
        return None
    contract = summary.contract.value
    return tuple(
        Part(
            (contract, "king" if summary.king in seats else "other"),
            sum(summary.points[seat] for seat in seats),
        )
        for seats in places
    )


def _vytrix(summary: VytrixDealSummary, places: Sequence[Sequence[int]]) -> tuple[Part, ...]:
    strain = "no trump" if summary.contract.strain is Strain.NO_TRUMP else "a trump"
    return tuple(
        Part(("declarer" if summary.declarer in seats else "defender", strain), points)
        for points, seats in zip(summary.points, places, strict=True)
    )


_PARTS: Final[dict[str, Callable[[Any, Sequence[Sequence[int]]], tuple[Part, ...] | None]]] = {
    "trix": _trix,
    "vytrix": _vytrix,
}
