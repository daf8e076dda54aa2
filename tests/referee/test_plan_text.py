from __future__ import annotations

from dataclasses import replace

import pytest

from referee.report.plan import certificate_lines
from referee.schedule import Certificate, certificate, make_plan

CERTIFICATE = Certificate(
    games=400,
    boards=100,
    meetings=(3, 5),
    partnerships=(1, 2),
    oppositions=(2, 2),
    seats=(999, 1000),
    follows=(12_345, 12_345),
    sit_outs=(0, 0),
)
WITHOUT_PARTNERS = [
    "boards at which a pair meets: 3 to 5; boards that a bot sits out: 0",
    "games of a bot in a seat: 999 to 1,000; games in which one bot plays right after another: 12,345",
]
NAMES = tuple(f"bot{number}" for number in range(8))


def test_a_certificate_is_told_with_its_least_and_greatest_counts() -> None:
    assert certificate_lines(CERTIFICATE, changing_partners=False) == WITHOUT_PARTNERS


def test_partners_are_worth_a_line_where_they_change() -> None:
    assert certificate_lines(CERTIFICATE, changing_partners=True) == [
        *WITHOUT_PARTNERS,
        "boards at which a pair are partners: 1 to 2; opponents: 2",
    ]


@pytest.mark.parametrize("changing_partners", [False, True])
def test_what_the_design_says_of_itself_comes_last(changing_partners: bool) -> None:
    plain = certificate_lines(CERTIFICATE, changing_partners=changing_partners)
    noted = replace(CERTIFICATE, note="a design")
    assert certificate_lines(noted, changing_partners=changing_partners) == [*plain, "a design"]


def test_all_tables_in_all_orders_are_even() -> None:
    plan = make_plan("round-robin", NAMES, 4, 6)
    # A bot is at 35 of 70 tables, a pair at 15; in 2 of 6 circular orders one sits right after the other.
    assert certificate_lines(plan.certificate(), changing_partners=False) == [
        "boards at which a pair meets: 90; boards that a bot sits out: 210",
        "games of a bot in a seat: 210; games in which one bot plays right after another: 120",
    ]


def test_a_whist_tournament_tells_who_are_partners() -> None:
    plan = make_plan("whist", NAMES, 4, 1, teams="whist")
    meetings, _, partners, *note = certificate_lines(plan.certificate(), changing_partners=True)
    assert meetings == "boards at which a pair meets: 3; boards that a bot sits out: 7"
    assert partners == "boards at which a pair are partners: 1; opponents: 2"
    assert note == [plan.certificate().note]


def test_a_board_that_was_played_is_told_like_a_plan() -> None:
    plan = make_plan("round-robin", NAMES[:4], 4, 6)
    played = certificate(plan.entrants, plan.round(0))
    assert certificate_lines(played, changing_partners=False) == [
        "boards at which a pair meets: 1; boards that a bot sits out: 0",
        "games of a bot in a seat: 1; games in which one bot plays right after another: 0 to 4",
    ]
