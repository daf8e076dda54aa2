"""The calibration in small: few tournaments, so bounds are as wide as their noise. `make calibrate` is the real one."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from bench import calibrate
from bench.calibration.alarms import run_to_stop
from bench.calibration.comparison import fixed_games
from bench.calibration.coverage import true_ratings
from bench.calibration.finding import share
from bench.calibration.model import POINT, TRIX, Field, boards_of, play
from referee.ratings import rate_boards
from referee.sequential import StopRule

if TYPE_CHECKING:
    from collections.abc import Mapping

DUEL = Field(2, TRIX, 40, teams="same")


@pytest.fixture(scope="module")
def small() -> list[Any]:
    """What the small calibration finds."""
    return [finding for question in calibrate.questions(small=True) for finding in question()]


@pytest.mark.long
def test_every_number_of_the_small_calibration_is_where_it_must_be(small: list[Any]) -> None:
    assert [f"{one.what}: {one.value}" for one in small if not one.holds] == []
    assert {one.check for one in small} == {
        "95 % intervals",
        "likelihood of superiority",
        "identical bots",
        "order of play and of names, 3 orders",
        "false alarms at alpha 0.05",
        "tourney test",
    }
    assert sum(one.is_judged for one in small) > 20


def test_a_number_outside_of_its_bounds_ends_the_command_with_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = share("c", "good", 95, 100, (92.0, 98.0)), share("c", "bad", 91, 100, (92.0, 98.0))
    monkeypatch.setattr(calibrate, "questions", lambda **_: [lambda: [good, bad], lambda: [good]])
    assert calibrate.main(["--jobs", "1"]) == 1
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines() if line.endswith("WRONG")] == ["bad"]
    assert "2 of 3 numbers are where they must be" in shown
    assert calibrate.main(["--jobs", "1", "--json"]) == 1
    assert [one["holds"] for one in json.loads(capsys.readouterr().out)] == [True, False, True]


def test_luck_cancels_in_rotated_boards_and_strength_remains() -> None:
    strengths = {"bot00": 30.0, "bot01": -10.0}
    plan = DUEL.plan(1)
    (board,) = boards_of(play(plan.round(0), strengths, DUEL.kind, None), DUEL.kind, plan.seatings)
    assert board.points["bot00"] - board.points["bot01"] == pytest.approx(2 * 40 * POINT)


def test_true_ratings_are_those_that_many_boards_come_to() -> None:
    field = Field(4, TRIX, 60)
    strengths = dict(zip(field.plan().entrants, (120.0, 40.0, -40.0, -120.0), strict=True))
    plan = field.plan()
    plans = [board for number in range(plan.rounds) for board in plan.round(number)]
    boards = boards_of(play(plans, strengths, field.kind, Random(1)), field.kind, plan.seatings)
    rated = rate_boards(boards, "points").ratings
    truth = true_ratings(field, strengths)
    assert {name: rated[name].mu for name in rated} == {
        name: pytest.approx(mu, abs=2.5 * rated[name].sigma) for name, mu in truth.items()
    }


def test_a_run_stops_at_the_first_look_that_decides() -> None:
    run = run_to_stop(DUEL, _apart(DUEL, 2000.0), StopRule("separated"), Random(1))
    assert len(run.boards) == 10
    assert [state.done for state in run.states] == [False, True]


def test_a_fixed_plan_grows_with_the_square_of_what_it_must_find() -> None:
    # (1.959964 + 1.644854) ** 2 = 12.9947
    assert fixed_games(10, 10) == 13
    assert fixed_games(100, 10) == 1300


def _apart(field: Field, difference: float) -> Mapping[str, float]:
    one, other = field.plan().entrants
    return {one: difference / 2, other: -difference / 2}
