"""Figures against the field: what is compared with what, how sure it is, and what is left out."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.catalog import GAMES
from cardtable.record import DealRecord, FaultCause, RecordedFault
from referee.analysis import Ledger, analyse, as_ruled, field
from referee.analysis.cells import Cells
from referee.analysis.deals import finished_deals
from referee.analysis.estimates import Gap, gap, value
from referee.boards import fold
from referee.errors import RefereeError
from referee.statistics import estimate, t_quantile
from tests.referee.random_games import NAMES, PAIRS, TRIX, VYTRIX, cup, play

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.referee.random_games import Played


@pytest.fixture(scope="module")
def trix() -> list[Played]:
    return cup(TRIX, 5)


@pytest.fixture(scope="module")
def vytrix() -> list[Played]:
    return cup(VYTRIX, 6)


# -- how sure


def test_of_boards_with_as_many_deals_the_error_is_that_of_their_means() -> None:
    points = [20.0, -40.0, 10.0, 5.0, 30.0, -15.0]
    found = value([(one * 20, 20.0, 20.0) for one in points])
    known = estimate(points)
    assert found is not None
    assert known is not None
    assert known.half_width is not None
    assert found.mean == pytest.approx(known.mean)
    assert found.error == pytest.approx(known.half_width / t_quantile(0.975, 5))
    assert (found.boards, found.deals) == (6, 120)


def test_a_board_counts_by_its_deals_and_one_with_many_is_still_one_board() -> None:
    found = value([(30.0, 10.0, 10.0), *[(1.0, 1.0, 1.0)] * 4])
    assert found is not None
    assert found.mean == pytest.approx(34 / 14)
    # Residuals (30 - 10 m) / 14 once and (1 - m) / 14 four times, and 5 / 4 for five boards.
    mean = 34 / 14
    squares = ((30 - 10 * mean) / 14) ** 2 + 4 * ((1 - mean) / 14) ** 2
    assert found.error == pytest.approx(math.sqrt(squares * 5 / 4))


def test_few_boards_and_equal_boards_have_no_error_and_nothing_has_no_value() -> None:
    few, equal = value([(1.0, 1.0, 1.0), (5.0, 1.0, 1.0)] * 2), value([(3.0, 1.0, 1.0)] * 9)
    assert few is not None
    assert equal is not None
    assert (few.mean, few.error, equal.mean, equal.error) == (3, None, 3, None)
    assert value([]) is None
    assert value([(0.0, 0.0, 3.0)]) is None
    assert gap([]) is None
    assert gap([(1.0, 1.0, 0.0, 0.0, 1.0)]) is None


def test_a_difference_is_paired_by_board() -> None:
    # The cards of the boards differ widely, the entrants by 4 to 6 points on each.
    boards = [(100.0 * board + 5 + (-1) ** board, 1.0, 100.0 * board, 1.0, 1.0) for board in range(6)]
    found = gap(boards)
    known = estimate([6.0, 4.0] * 3)
    assert found is not None
    assert known is not None
    assert known.half_width is not None
    assert found.mean == pytest.approx(5)
    assert (found.field, found.deals) == (250, 6)
    assert found.error == pytest.approx(known.half_width / t_quantile(0.975, 5))
    assert found.p_value is not None
    assert found.p_value < 0.001
    assert not found.sure
    assert replace(found, adjusted=0.049).sure


# -- who is compared with whom


def test_an_entrant_is_set_against_the_mean_of_the_others_in_the_same_cell() -> None:
    cells = Cells()
    here, there = cells.place(0, "cards"), cells.place(1, "cards")
    assert cells.place(0, "cards") == here != there
    for name, points in (("ana", 10.0), ("bo", 0.0), ("bo", 4.0), ("cy", -8.0)):
        cells.add(7, here, name, points, 1.0)
    cells.add(7, there, "ana", 99.0, 1.0)
    assert cells.compared() == {
        ("ana", 7): [10, 1, -3, 1, 1],
        # Two deals of bo, each against the mean of ana and cy.
        ("bo", 7): [4, 2, 2, 2, 2],
        ("cy", 7): [-8, 1, 6, 1, 1],
    }
    assert cells.sums()["ana", 7] == [109, 2, 2]


def test_a_contrast_is_the_one_thing_against_the_other_for_both_who_did_them() -> None:
    ones, others = Cells(), Cells()
    place = ones.place(0)
    assert others.place(0) == place
    ones.add(0, place, "ana", 30.0, 1.0)
    others.add(0, place, "bo", 10.0, 1.0)
    others.add(0, place, "cy", 20.0, 1.0)
    others.add(1, place, "cy", 20.0, 1.0)
    assert ones.contrasted(others) == {
        ("ana", 0): [30, 1, 15, 1, 1],
        ("bo", 0): [30, 1, 10, 1, 1],
        ("cy", 0): [30, 1, 20, 1, 1],
    }


def test_the_points_of_all_rows_together_are_those_of_the_boards(trix: list[Played]) -> None:
    found = field(TRIX, trix)
    boards = fold((game for game, _ in trix), ((0,), (1,), (2,), (3,)), 4)
    assert (found.boards, found.games) == (5, 20)
    for name, one in found.analyses.items():
        total = sum(board.points[name] for board in boards)
        points = [line for line in one.lines if line.figure.key == "points"]
        by_row = {line.row.key: line.own for line in points}
        assert by_row["all"] is not None
        assert by_row["all"].deals == one.deals == 400
        assert by_row["all"].mean * 400 == pytest.approx(total)
        parts = [own for key, own in by_row.items() if own is not None and not key.startswith("all")]
        assert sum(own.mean * own.deals for own in parts) == pytest.approx(total)
        # Four to a board: the others' mean is what is left of the sum of all, which is 0, divided by three.
        (every,) = [line for line in points if line.row.key == "all"]
        assert every.same_cards is not None
        assert every.same_cards.mean == pytest.approx((total + total / 3) / 400)
        # The error is that of the board means.
        values = [board.points[name] * 4 / 3 / 80 for board in boards]
        known = estimate(values)
        assert known is not None
        assert known.half_width is not None
        assert every.same_cards.error == pytest.approx(known.half_width / t_quantile(0.975, 4))


def test_the_same_hand_is_compared_only_where_it_was_played_in_the_same_contract(trix: list[Played]) -> None:
    one = analyse(TRIX, trix, "ana")
    hands: dict[tuple[int, int, str, str], dict[str, float]] = {}
    for game, record in trix:
        for deal in finished_deals(game.name, record, GAMES["trix"].analysis(GAMES["trix"].variant({}))):
            for facts in deal.facts:
                if facts.alike == "slaps" and "slaps:other" in facts.rows:
                    place = (game.board, facts.seat, deal.key, facts.alike)
                    hands.setdefault(place, {})[game.seats[facts.seat]] = facts.values["points"]
    gaps = [
        cell["ana"] - sum(points for name, points in cell.items() if name != "ana") / (len(cell) - 1)
        for cell in hands.values()
        if "ana" in cell and len(cell) > 1
    ]
    (line,) = [each for each in one.lines if each.row.key == "slaps:other"]
    assert line.same_hand is not None
    assert line.same_cards is not None
    assert line.same_hand.deals == len(gaps) < line.same_cards.deals == 60
    assert line.same_hand.mean == pytest.approx(sum(gaps) / len(gaps))


def test_a_game_whose_rounds_are_its_deals_has_no_second_comparison(vytrix: list[Played]) -> None:
    found = field(VYTRIX, vytrix)
    assert all(line.same_hand is None for one in found.analyses.values() for line in one.lines)
    every = [one.lines[0].same_cards for one in found.analyses.values()]
    assert all(one is not None and one.deals == 6 * 3 * 3 for one in every)
    # What one has more the others have less, as far as all have played all hands.
    assert sum(one.mean for one in every if one is not None) == pytest.approx(0)


def test_costly_deals_are_those_that_lost_most_against_the_same_hand(vytrix: list[Played]) -> None:
    one = analyse(VYTRIX, vytrix, "bo")
    assert len(one.costliest) == 10
    assert [deal.lost for deal in one.costliest] == sorted(
        (deal.lost for deal in one.costliest), reverse=True
    )
    worst = one.costliest[0]
    points: dict[str, float] = {}
    for game, record in vytrix:
        if game.board == int(worst.game.split("/")[1]):
            deals = finished_deals(game.name, record, GAMES["vytrix"].analysis(GAMES["vytrix"].variant({})))
            points[game.seats[worst.seat]] = deals[worst.deal].facts[worst.seat].stake
            if game.name == worst.game:
                assert game.seats[worst.seat] == "bo"
                assert deals[worst.deal].facts[worst.seat].label == worst.label
    assert worst.points == points.pop("bo")
    assert worst.others == tuple(sorted(points.items()))
    assert worst.lost == sum(points.values()) / 2 - worst.points > 0


def test_a_side_of_one_entrant_loses_a_costly_deal_once() -> None:
    one = analyse(PAIRS, cup(PAIRS, 3), "ana")
    deals = [(deal.game, deal.deal) for deal in one.costliest]
    assert len(set(deals)) == len(deals) > 3
    assert {deal.seat for deal in one.costliest} == {0, 1}


def test_without_rotations_there_is_nobody_to_be_compared_with() -> None:
    info = replace(TRIX, seatings=1)
    found = field(info, [play(info, board, 0, NAMES) for board in range(5)])
    one = found.analyses["ana"]
    assert one.deals == 100
    assert one.lines[0].own is not None
    assert one.lines[0].own.error is not None
    assert {line.same_cards for line in one.lines} == {line.same_hand for line in one.lines} == {None}
    assert one.costliest == ()


# -- what counts


def test_a_board_of_which_a_seating_is_missing_does_not_count(trix: list[Played]) -> None:
    whole, more = field(TRIX, trix[:8]), field(TRIX, [*trix[:8], *trix[9:12]])
    assert (more.analyses, more.boards, more.games) == (whole.analyses, 2, 8)
    assert field(TRIX, []).analyses == {}


def test_who_has_no_complete_board_is_an_error(trix: list[Played]) -> None:
    with pytest.raises(RefereeError, match=r"^eve has no complete board of trix$"):
        analyse(TRIX, trix[:4], "eve")


def test_a_record_that_does_not_replay_is_an_error_with_its_name(trix: list[Played]) -> None:
    game, record = trix[0]
    first, *rest = record.deals
    broken = replace(record, deals=(DealRecord(("contract:none", *first.actions[1:])), *rest))
    with pytest.raises(RefereeError, match=r"^trix/0/0 cannot be analysed, .* deal 0, action 0: "):
        Ledger(TRIX).add(game, broken)


def fault(seat: int, deal: int) -> RecordedFault:
    return RecordedFault(seat, FaultCause.TIMEOUT, deal, 0, 1)


def test_deals_in_which_the_house_decided_are_left_out_for_all(trix: list[Played]) -> None:
    (game, record), *others = trix
    spoilt = replace(record, faults=(fault(1, 3), fault(1, 3), fault(2, 7)))
    found = field(TRIX, [(game, spoilt), *others])
    assert {name: (one.deals, one.left_out, one.own_left_out) for name, one in found.analyses.items()} == {
        "ana": (398, 2, 0),
        "bo": (398, 2, 1),
        "cy": (398, 2, 1),
        "di": (398, 2, 0),
    }
    (scheme,) = {id(found.scheme): found.scheme}.values()
    numbers = [
        deal.number for deal in finished_deals("trix/0/0", record, scheme) if deal.number not in {3, 7}
    ]
    kept = [deal.number for deal in finished_deals("trix/0/0", spoilt, scheme) if not deal.house]
    assert kept == numbers
    assert all(
        (deal.game, deal.deal) not in {("trix/0/0", 3), ("trix/0/0", 7)}
        for one in found.analyses.values()
        for deal in one.costliest
    )


def test_after_a_forfeit_the_house_has_played_all_later_deals(trix: list[Played]) -> None:
    (_, record), *_ = trix
    lost = replace(record, faults=(fault(0, 2), fault(3, 5), fault(3, 6)), forfeits=(3,))
    scheme = GAMES["trix"].analysis(GAMES["trix"].variant({}))
    house = {deal.number: set(deal.house) for deal in finished_deals("trix/0/0", lost, scheme)}
    assert house[2] == {0}
    assert house[5] == {3}
    last = max(house)
    assert [house[number] for number in range(6, last + 1) if number in house] == [
        {3} for number in range(6, last + 1) if number in house
    ]
    assert not any(house[number] for number in (0, 1, 3, 4) if number in house)


def test_games_are_taken_as_ruled_with_the_records_that_are_stored(trix: list[Played]) -> None:
    ruled = [replace(game, seats=tuple(f"{name}!" for name in game.seats)) for game, _ in trix[:8]]
    void = ruled.pop(5)
    found = list(as_ruled(ruled, trix))
    assert [game for game, _ in found] == ruled
    assert [record for _, record in found] == [record for game, record in trix[:8] if game.name != void.name]
    assert set(field(TRIX, found).analyses) == {f"{name}!" for name in NAMES}


def test_p_values_hold_for_all_differences_of_an_entrant_at_once(trix: list[Played]) -> None:
    one = analyse(TRIX, trix, "cy")
    gaps = [
        each
        for each in (
            *(line.same_cards for line in one.lines),
            *(line.same_hand for line in one.lines),
            *(line.gap for line in one.contrasts),
        )
        if each is not None and each.p_value is not None
    ]
    assert len(gaps) > 40
    smallest = min(gaps, key=_chance)
    assert smallest.adjusted == pytest.approx(min(1, _chance(smallest) * len(gaps)))


def _chance(found: Gap) -> float:
    assert found.p_value is not None
    return found.p_value


def test_the_order_of_seatings_has_no_influence(vytrix: list[Played]) -> None:
    turned: Iterable[Played] = [
        one for board in range(6) for one in reversed(vytrix[board * 3 : board * 3 + 3])
    ]
    one, other = field(VYTRIX, vytrix), field(VYTRIX, turned)
    for name in one.analyses:
        assert one.analyses[name].costliest == other.analyses[name].costliest
        for line, again in zip(one.analyses[name].lines, other.analyses[name].lines, strict=True):
            assert _rounded(line.same_cards) == _rounded(again.same_cards)


def _rounded(found: Gap | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    return {key: round(getattr(found, key) or 0, 9) for key in ("mean", "field", "error", "deals")}
