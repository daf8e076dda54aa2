"""What a finished deal of Trix tells of how a seat has played: points by contract, doubling, places in the layout.

Owns which figures there are and how they follow from a deal's summary. Every point comes from `scoring`; nothing is
compared here, and no deal but the one at hand is known.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final

from cardtable.figures import Contrast, Facts, Figure, Row, Scheme, Section
from cardtable.trix.actions import Contract
from cardtable.trix.scoring import DOUBLABLE, trick_points
from cardtable.trix.view import Trick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardtable.cards import CardSet
    from cardtable.trix.variant import TrixVariant
    from cardtable.trix.view import TrixDealSummary

__all__ = ["scheme"]

_NAMES: Final = {
    Contract.KING: "king of hearts",
    Contract.QUEENS: "queens",
    Contract.DIAMONDS: "diamonds",
    Contract.SLAPS: "slaps",
    Contract.TRIX: "trix",
}
_ROLES: Final = {True: ("king", "as king"), False: ("other", "not king")}
_ROWS: Final = {
    (contract, is_king): ("all", f"all:{role}", contract.value, f"{contract.value}:{role}")
    for contract in Contract
    for is_king, (role, _) in _ROLES.items()
}
_LABELS: Final = {
    (contract, is_king): f"{name}, {words}"
    for contract, name in _NAMES.items()
    for is_king, (_, words) in _ROLES.items()
}
_POINTS: Final = Figure("points", "points")


def scheme(variant: TrixVariant) -> Scheme:
    """What the deals of this variant tell."""
    return Scheme(
        facts=partial(_facts, variant),
        sections=(_by_contract(variant), _TRICKS, *([_DOUBLING] if variant.doubling else []), _LAYOUT),
        contrasts=_CONTRASTS if variant.doubling else (),
        round="kingdom",
    )


def _facts(variant: TrixVariant, hands: Sequence[CardSet], summary: TrixDealSummary) -> tuple[Facts, ...]:
    """The facts of the four seats; none of a void deal, which scores nothing (Rules T4.3 and T9.6)."""
    if summary.void is not None:
        return ()
    contract, points = summary.contract, summary.points
    values: list[dict[str, float]] = [{"points": float(one)} for one in points]
    rows: list[tuple[str, ...]] = [_ROWS[contract, seat == summary.king] for seat in range(4)]
    stakes = list(points)
    if variant.partners:  # Rule T1
        stakes = [points[seat] + points[(seat + 2) % 4] for seat in range(4)]
        for own, stake in zip(values, stakes, strict=True):
            own["side"] = float(stake)
    if contract is Contract.TRIX:
        for own, one in zip(values, points, strict=True):  # Rule T9.3
            own["place"] = 1.0 + sum(other > one for other in points)
            own["first"] = float(own["place"] == 1)
    else:
        winners = _winners(summary)
        for seat, own in enumerate(values):
            own["tricks"] = float(winners.count(seat))
        if variant.doubling and contract in DOUBLABLE:
            _add_doubling(variant, hands, summary, winners, values, rows)
    return tuple(
        Facts(
            seat=seat,
            rows=rows[seat],
            values=values[seat],
            stake=stakes[seat],
            round=str(summary.kingdom),
            alike=contract.value,
            label=_LABELS[contract, seat == summary.king],
        )
        for seat in range(4)
    )


def _winners(summary: TrixDealSummary) -> list[int]:
    """Who took each trick: the one who led to the next (Rule T5)."""
    winners = list(summary.played_by[4::4])
    winners.append(Trick(summary.played_by[-4], summary.played[-4:]).winner)
    return winners


def _add_doubling(
    variant: TrixVariant,
    hands: Sequence[CardSet],
    summary: TrixDealSummary,
    winners: Sequence[int],
    values: Sequence[dict[str, float]],
    rows: list[tuple[str, ...]],
) -> None:
    """What each doubled card brought to whom, by what the deal would have brought without it (Rules T7 and T8)."""
    contract = summary.contract
    taken = [0, 0, 0, 0]
    for place, card in enumerate(summary.played):
        taken[winners[place // 4]] |= card.bit
    plain = trick_points(contract, taken, (), (), variant)
    gains, losses = [0, 0, 0, 0], [0, 0, 0, 0]
    for card, holder in zip(summary.doubled, summary.doubled_by, strict=True):
        with_it = trick_points(contract, taken, (card,), (holder,), variant)
        for seat in range(4):
            more = with_it[seat] - plain[seat]
            (gains if more > 0 else losses)[seat] += more
    for seat, own in enumerate(values):
        own["gain"], own["loss"] = float(gains[seat]), float(losses[seat])
        own["doubling"] = float(gains[seat] + losses[seat])
        held = (hands[seat].mask & DOUBLABLE[contract]).bit_count()
        if held:
            doubled = summary.doubled_by.count(seat)
            own["held"], own["doubled"] = float(held), float(doubled)
            rows[seat] = (*rows[seat], f"{contract.value}:{'doubled' if doubled else 'kept'}")


def _by_contract(variant: TrixVariant) -> Section:
    rows = [Row("all", "every contract")]
    rows += [Row(f"all:{role}", f"every contract, {words}") for role, words in _ROLES.values()]
    rows += [
        Row(f"{contract.value}:{_ROLES[is_king][0]}", label) for (contract, is_king), label in _LABELS.items()
    ]
    figures = [_POINTS, *([Figure("side", "points of the side")] if variant.partners else [])]
    return Section("points a deal, by contract", tuple(product(rows, figures)))


_TRICKS: Final = Section(
    "tricks taken a deal",
    tuple(
        (Row(contract.value, name), Figure("tricks", "tricks", better=-1))
        for contract, name in _NAMES.items()
        if contract is not Contract.TRIX
    ),
)
_DOUBLING: Final = Section(
    "doubling, points a deal",
    tuple(
        product(
            [Row(contract.value, _NAMES[contract]) for contract in DOUBLABLE],
            [
                Figure("doubled", "doubled of the cards held", per="held", percent=True, better=0),
                Figure("gain", "gained by own doublings"),
                Figure("loss", "lost to doublings"),
                Figure("doubling", "gained and lost together"),
            ],
        )
    ),
    note="gained, lost: what the same cards would not have brought, had nobody doubled",
)
_LAYOUT: Final = Section(
    "places in the layout",
    tuple(
        product(
            [Row(f"trix:{role}", f"{_NAMES[Contract.TRIX]}, {words}") for role, words in _ROLES.values()],
            [Figure("place", "place", better=-1), Figure("first", "out first", percent=True)],
        )
    ),
)
_CONTRASTS: Final = tuple(
    Contrast(
        f"{_NAMES[contract]}: doubled rather than not",
        f"{contract.value}:doubled",
        f"{contract.value}:kept",
        _POINTS,
    )
    for contract in DOUBLABLE
)
