"""What a finished deal of Trix tells, against figures worked out by hand from the rulebook."""

from __future__ import annotations

import pytest

from cardtable.catalog import GAMES
from cardtable.replay import replay
from tests.sdk.driving import random_record
from tests.sdk.facts import case, facts_of, scheme_of
from tests.sdk.variants import variants


def values(name: str, key: str) -> list[float | None]:
    """One value of each seat in the only finished deal of a rule case."""
    (facts,) = facts_of(case("trix", name))
    assert [one.seat for one in facts] == [0, 1, 2, 3]
    return [one.values.get(key) for one in facts]


def test_each_contract_counts_for_the_king_and_for_the_others() -> None:
    deals = facts_of(case("trix", "mono-suit kingdom"))
    # Seat 0 is king and has all the hearts, which nobody can follow: it takes every trick of four contracts.
    assert [deal[0].values["points"] for deal in deals] == [-75, -130, -100, -195, 200]
    assert [deal[0].values.get("tricks") for deal in deals] == [13, 13, 13, 13, None]
    assert [deal[1].values["points"] for deal in deals] == [0, 0, 0, 0, 150]
    assert [deal[0].rows[:4] for deal in deals] == [
        ("all", "all:king", contract, f"{contract}:king")
        for contract in ("king", "diamonds", "queens", "slaps", "trix")
    ]
    assert {deal[seat].rows[1] for deal in deals for seat in (1, 2, 3)} == {"all:other"}
    assert {one.round for deal in deals for one in deal} == {"0"}


def test_t7_2_what_another_takes_of_a_doubled_king_is_gain_and_loss() -> None:
    name = "doubled king taken by another"
    assert values(name, "points") == [-150, 75, 0, 0]
    # Without the doubling it had been -75 for the taker and nothing for the holder.
    assert values(name, "gain") == [0, 75, 0, 0]
    assert values(name, "loss") == [-75, 0, 0, 0]
    assert values(name, "doubling") == [-75, 75, 0, 0]
    assert values(name, "held") == [None, 1, None, None]
    assert values(name, "doubled") == [None, 1, None, None]


def test_t7_3_an_own_doubled_king_costs_more_only_where_the_option_says_so() -> None:
    assert values("doubled king taken by its holder", "loss") == [0, 0, 0, 0]
    assert values("doubled king taken by its holder, own_double double", "loss") == [0, -75, 0, 0]


def test_t8_1_each_doubled_queen_counts_by_itself() -> None:
    name = "one player doubles all queens, another takes them"
    assert values(name, "gain") == [100, 0, 0, 0]
    assert values(name, "loss") == [0, 0, 0, -100]
    assert values(name, "held") == [4, None, None, None]
    name = "two queens doubled, one taken by its holder"
    # Seat 1 takes QS, doubled by seat 0; seat 2 takes its own doubled QH.
    assert values(name, "gain") == [25, 0, 0, 0]
    assert values(name, "loss") == [0, -25, 0, 0]
    assert values(name, "doubled") == [1, 0, 1, 0]
    (facts,) = facts_of(case("trix", name))
    assert [one.rows[-1] for one in facts] == [
        "queens:doubled",
        "queens:kept",
        "queens:doubled",
        "queens:kept",
    ]


def test_t8_2_partners_share_the_stake_and_keep_their_own_points() -> None:
    name = "doubled king taken by the partner"
    assert values(name, "points") == [75, 0, -150, 0]
    assert values(name, "side") == [-75, 0, -75, 0]
    (facts,) = facts_of(case("trix", name))
    assert [one.stake for one in facts] == [-75, 0, -75, 0]


def test_t9_3_places_of_the_layout_are_those_in_which_the_seats_went_out() -> None:
    assert values("partners in the layout: places 0 1 3 2", "place") == [1, 2, 4, 3]
    assert values("partners in the layout: places 0 1 3 2", "first") == [1, 0, 0, 0]


def test_t5_a_deal_that_ends_early_has_the_tricks_that_were_played() -> None:
    assert values("early end: the king is taken in the first trick", "tricks") == [1, 0, 0, 0]


def test_t4_3_a_void_deal_has_no_facts() -> None:
    assert facts_of(case("trix", "a claim voids the deal")) == [()]


def test_without_doubling_nothing_is_told_of_it() -> None:
    record = case("trix", "no doubling")
    scheme = scheme_of(record)
    assert scheme.contrasts == ()
    assert [section.title for section in scheme.sections] == [
        "points a deal, by contract",
        "tricks taken a deal",
        "places in the layout",
    ]


@pytest.mark.parametrize("options", variants("trix"), ids=str)
def test_the_points_of_all_contracts_and_roles_are_those_of_the_record(options: dict[str, object]) -> None:
    record = random_record("trix", options, bytes(range(32)))
    state = replay(record).state
    assert state is not None
    facts = [one for deal in facts_of(record) for one in deal]
    assert len(facts) == 80
    contracts = ("king", "queens", "diamonds", "slaps", "trix")
    for seat, score in enumerate(state.scores):
        mine = [one for one in facts if one.seat == seat]
        by_row = {
            row: [one.values["points"] for one in mine if row in one.rows]
            for row in (f"{contract}:{role}" for contract in contracts for role in ("king", "other"))
        }
        assert sum(map(sum, by_row.values())) == score
        assert [len(by_row[f"{contract}:king"]) for contract in contracts] == [1] * 5
    for group, score in zip(GAMES["trix"].groups(state.variant), state.group_scores, strict=True):
        for seat in group:
            assert sum(one.stake for one in facts if one.seat == seat) == score


@pytest.mark.parametrize("options", variants("trix"), ids=str)
def test_every_figure_is_one_that_some_deal_tells_and_every_row_has_its_figures(
    options: dict[str, object],
) -> None:
    facts = [one for deal in facts_of(random_record("trix", options, bytes(32))) for one in deal]
    scheme = scheme_of(random_record("trix", options, bytes(32)))
    for section in scheme.sections:
        for row, figure in section.lines:
            of_row = [one for one in facts if row.key in one.rows]
            assert any({figure.key, figure.per or figure.key} <= one.values.keys() for one in of_row), (
                row,
                figure,
            )
