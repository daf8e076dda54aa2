from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardtable.trix import Contract, TrixState, TrixVariant, house_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardtable.engine import Deal

    Table = Callable[..., TrixState]


@pytest.mark.parametrize(
    ("hands", "actions", "expected"),
    [
        (("7H",), "", "contract:slaps"),
        (("7H", "2S 2H 2D 2C"), "contract:trix", "keep"),
        (("7H QS QH",), "contract:queens", "double:none"),
        (("7H 3D 3S 4S", "2S 2H 2D 2C"), "contract:slaps", "3S"),
        (("7H 3D 3S 4S", "2D 5D KD"), "contract:slaps 3D", "2D"),
        (("7H JH QS JD",), "contract:trix", "JH"),
        (("7H JS JH JD JC QS TS",), "contract:trix JS", "pass"),
    ],
)
def test_the_house_does_the_first_in_a_fixed_order(
    table: Table, hands: tuple[str, ...], actions: str, expected: str
) -> None:
    state = table(*hands, actions=actions)
    assert state.to_act is not None
    assert str(house_action(state.view(state.to_act))) == expected


def test_the_house_names_contracts_from_slaps_to_trix(fill: Callable[..., Deal]) -> None:
    state = TrixState(TrixVariant(max_voids=0))
    names = []
    while not state.kingdom:
        state.deal(fill())
        while state.to_act is not None:
            action = house_action(state.view(state.to_act))
            if isinstance(action, Contract):
                names.append(action.value)
            state.apply(action)
    assert names == ["slaps", "diamonds", "queens", "king", "trix"]


def test_the_house_plays_for_nobody_else(table: Table) -> None:
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        house_action(table().view(1))
