"""What a finished hand of Vytrix tells of how a seat has played: points and tricks by role, bids, the kitty.

Owns which figures there are and how they follow from a hand's summary. Nothing is compared here, and no hand but the
one at hand is known.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from cardtable.figures import Contrast, Facts, Figure, Row, Scheme, Section
from cardtable.vytrix.actions import KittyFate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.cards import CardSet
    from cardtable.vytrix.variant import VytrixVariant
    from cardtable.vytrix.view import VytrixDealSummary

__all__ = ["scheme"]

#: Bids are calibrated in brackets that begin at these points: narrow where most bids are.
_FIRSTS: Final = (1, 11, 16, 21, 26, 31, 41)
_EVERY: Final = Row("all", "every hand")
_POINTS: Final = Figure("points", "points")
_EARNED: Final = Figure("earned", "earned by tricks")
_TRICKS: Final = Figure("tricks", "tricks")


def scheme(variant: VytrixVariant) -> Scheme:
    """What the hands of this variant tell."""
    with_kitty = variant.players == 3
    return Scheme(
        facts=partial(_facts, variant),
        sections=(_by_role(variant), _BIDS, *([_KITTY] if with_kitty else [])),
        contrasts=(_KITTY_TAKEN,) if with_kitty else (),
    )


def _facts(variant: VytrixVariant, _: Sequence[CardSet], summary: VytrixDealSummary) -> tuple[Facts, ...]:
    """The facts of all seats; with four players the two of a side have the points and tricks of their side."""
    declarer, price = summary.declarer, summary.contract.points
    group_of = {seat: place for place, group in enumerate(variant.groups) for seat in group}
    tricks = [sum(summary.tricks[seat] for seat in group) for group in variant.groups]
    if summary.kitty is KittyFate.LEFT:  # Rule V5.1
        tricks[group_of[declarer]] += 1
    words = str(summary.contract).removeprefix("bid:")
    facts = []
    for seat, place in group_of.items():
        points = summary.points[place]
        values = {
            "points": float(points),
            "tricks": float(tricks[place]),
            "declared": float(seat == declarer),
        }
        if seat == declarer:
            role = "declarer"
            rows: tuple[str, ...] = ("all", role, _bracket(price))
            values |= {
                "price": float(price),  # Rule V3
                "earned": float(points + price),
                "made": float(points >= 0),
            }
            if summary.kitty is not KittyFate.CLOSED:
                rows = (*rows, f"declarer:{summary.kitty.value}")
                values["taken"] = float(summary.kitty is KittyFate.TAKEN)
        else:
            role = "partner" if place == group_of[declarer] else "defender"
            rows = ("all", role)
        facts.append(
            Facts(
                seat=seat,
                rows=rows,
                values=values,
                stake=points,
                round=str(summary.hand_number),
                alike="",
                label=f"{role}, {words}",
            )
        )
    return tuple(sorted(facts, key=lambda one: one.seat))


def _bracket(price: int) -> str:
    return f"declarer:bid-{_FIRSTS[bisect_right(_FIRSTS, price) - 1]}"


def _brackets() -> list[Row]:
    labels = [f"bid of {first} to {after - 1}" for first, after in pairwise(_FIRSTS)]
    labels.append(f"bid of {_FIRSTS[-1]} or more")
    return [Row(_bracket(first), label) for first, label in zip(_FIRSTS, labels, strict=True)]


def _by_role(variant: VytrixVariant) -> Section:
    roles = ("declarer", *(["partner"] if variant.players == 4 else []), "defender")
    figures = [_POINTS, _TRICKS, Figure("points", "points a trick won", per="tricks")]
    return Section(
        "points a hand, by role",
        (*product([_EVERY], figures[:2]), *product([Row(role, role) for role in roles], figures)),
        note="points: what the tricks earned, less the bid that declarer paid",
    )


_DECLARER: Final = Row("declarer", "as declarer")
_BIDS: Final = Section(
    "bids made and lost",
    (
        (_EVERY, Figure("declared", "declared", percent=True, better=0)),
        *product(
            [_DECLARER, *_brackets()],
            [
                Figure("price", "paid", better=0),
                _EARNED,
                Figure("made", "made", percent=True),
            ],
        ),
    ),
    note="made: the tricks earned what the bid cost, or more",
)
_KITTY: Final = Section(
    "the kitty",
    (
        (_DECLARER, Figure("taken", "taken", percent=True, better=0)),
        *product(
            [Row("declarer:taken", "kitty taken"), Row("declarer:left", "kitty left")], [_EARNED, _TRICKS]
        ),
    ),
    note="a kitty that was left counts as one trick",
)
_KITTY_TAKEN: Final = Contrast("kitty taken rather than left", "declarer:taken", "declarer:left", _EARNED)
