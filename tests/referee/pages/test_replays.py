"""Replays as a page bears them; that a browser reads them rightly is tested in `tests/browser`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardtable.record import DealRecord, GameRecord
from referee.pages.replays import board_of

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.jsonl"))


def _record(path: Path) -> GameRecord:
    return GameRecord.from_line(path.read_text(encoding="utf-8").splitlines()[0])


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_points_of_all_deals_add_up_to_the_scores(path: Path) -> None:
    record = _record(path)
    (game,) = board_of([(0, record)], comments=False)["games"]
    assert "e" not in game
    sums = [sum(column) for column in zip(*(deal[4] for deal in game["d"]), strict=True)]
    assert tuple(sums) == record.scores
    assert len(game["d"]) == len(record.deals)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_card_that_is_played_has_a_letter(path: Path) -> None:
    record = _record(path)
    (game,) = board_of([(0, record)], comments=False)["games"]
    for deal, packed in zip(record.deals, game["d"], strict=True):
        assert len(packed[2]) == sum(len(text) == 2 for text in deal.actions)


def test_hands_are_kept_once_for_all_seatings() -> None:
    record = _record(GOLDEN[0])
    board = board_of([(0, record), (1, record)], comments=False)
    assert len(board["hands"]) == len(record.deals)
    assert all(len(hands) == 52 for hands in board["hands"])


def test_a_record_that_breaks_off_is_shown_as_far_as_the_rules_allow() -> None:
    record = _record(GOLDEN[-1])
    actions = record.deals[0].actions
    broken = GameRecord(
        record.game, record.variant, record.seats, (DealRecord((*actions[:3], "nonsense")),), record.seed
    )
    (game,) = board_of([(0, broken)], comments=False)["games"]
    assert "nonsense" in game["e"]
    assert len(game["d"]) == 1
    assert json.dumps(game)
