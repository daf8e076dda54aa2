"""What a finished hand of Vytrix tells, against figures worked out by hand from the rulebook."""

from __future__ import annotations

import pytest

from cardtable.replay import replay
from tests.sdk.driving import random_record
from tests.sdk.facts import case, facts_of, scheme_of
from tests.sdk.variants import variants


def values(name: str, key: str) -> list[float | None]:
    """One value of each seat in the only finished hand of a rule case."""
    (facts,) = facts_of(case("vytrix", name))
    assert [one.seat for one in facts] == list(range(len(facts)))
    return [one.values.get(key) for one in facts]


def rows(name: str) -> list[tuple[str, ...]]:
    (facts,) = facts_of(case("vytrix", name))
    return [one.rows for one in facts]


def test_v5_1_a_kitty_that_was_left_is_one_of_declarers_tricks() -> None:
    name = "kitty left counts as a trick"
    # 12 hearts: eight tricks and the kitty at 3 points, 27, less the price; five and three tricks for the defenders.
    assert values(name, "tricks") == [9, 5, 3]
    assert values(name, "earned") == [27, None, None]
    assert values(name, "price") == [12, None, None]
    assert values(name, "points") == [15, 5, 3]
    assert values(name, "made") == [1, None, None]
    assert values(name, "taken") == [0, None, None]
    assert rows(name) == [
        ("all", "declarer", "declarer:bid-11", "declarer:left"),
        ("all", "defender"),
        ("all", "defender"),
    ]


def test_v7_no_trump_earns_four_a_trick_and_a_taken_kitty_nothing() -> None:
    name = "no trump pays four, kitty taken"
    assert values(name, "tricks") == [9, 4, 3]
    assert values(name, "earned") == [36, None, None]
    assert values(name, "taken") == [1, None, None]
    assert rows(name)[0] == ("all", "declarer", "declarer:bid-11", "declarer:taken")


def test_v11_joint_points_of_defenders_leave_each_its_own_tricks() -> None:
    name = "a defender wins the last trick, partnerships"
    assert values(name, "points") == [14, 9, 9]
    assert values(name, "tricks") == [8, 6, 3]


def test_v1_with_four_players_both_of_a_side_have_its_points_and_tricks() -> None:
    name = "partner's tricks count for declarer's side"
    # 17 spades: nine tricks of the side at 3 points, 27, less the price.
    assert values(name, "points") == [10, 4, 10, 4]
    assert values(name, "tricks") == [9, 4, 9, 4]
    assert values(name, "declared") == [1, 0, 0, 0]
    assert rows(name) == [
        ("all", "declarer", "declarer:bid-16"),
        ("all", "defender"),
        ("all", "partner"),
        ("all", "defender"),
    ]
    (facts,) = facts_of(case("vytrix", name))
    assert [one.label for one in facts[:3]] == [
        "declarer, 17S-high",
        "defender, 17S-high",
        "partner, 17S-high",
    ]


def test_v3_a_bid_is_lost_when_the_tricks_earn_less_than_its_price() -> None:
    (facts,) = facts_of(case("vytrix", "a negative score; the next seat opens"))
    (declarer,) = [one for one in facts if "declarer" in one.rows]
    assert declarer.stake < 0
    assert declarer.values["made"] == 0
    assert declarer.values["earned"] - declarer.values["price"] == declarer.values["points"] == declarer.stake


def test_there_is_a_kitty_with_three_players_and_a_partner_with_four() -> None:
    three, four = (
        scheme_of(case("vytrix", name)) for name in ("kitty left counts as a trick", "the deal passes on")
    )
    titles = ["points a hand, by role", "bids made and lost"]
    assert [section.title for section in three.sections] == [*titles, "the kitty"]
    assert [section.title for section in four.sections] == titles
    assert (len(three.contrasts), len(four.contrasts)) == (1, 0)
    roles = [{row.key for row, _ in scheme.sections[0].lines} for scheme in (three, four)]
    assert roles == [{"all", "declarer", "defender"}, {"all", "declarer", "partner", "defender"}]


@pytest.mark.parametrize("options", variants("vytrix"), ids=str)
def test_the_points_of_all_roles_are_those_of_the_record(options: dict[str, object]) -> None:
    record = random_record("vytrix", options, bytes(range(32)))
    state = replay(record).state
    assert state is not None
    deals = facts_of(record)
    keys = {row.key for section in scheme_of(record).sections for row, _ in section.lines}
    for place, group in enumerate(state.variant.groups):
        for seat in group:
            mine = [deal[seat] for deal in deals]
            by_role = [
                sum(one.values["points"] for one in mine if role in one.rows)
                for role in ("declarer", "partner", "defender")
            ]
            assert sum(by_role) == sum(one.stake for one in mine) == state.scores[place]
    for deal in deals:
        (declarer,) = [one for one in deal if "declarer" in one.rows]
        assert sum(row.startswith("declarer:bid-") for row in declarer.rows) == 1
        assert {row for one in deal for row in one.rows} <= keys
