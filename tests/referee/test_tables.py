"""What the tables look like: every cell, and every note below them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from referee.audit.checks import Audit, Check, Finding
from referee.joining import Departure
from referee.ratings import Rating
from referee.report.tables import (
    RANKS,
    count,
    cross_json,
    cross_notes,
    cross_table,
    ratings_json,
    ratings_notes,
    ratings_table,
    superiority_notes,
    superiority_table,
)
from referee.report.verdicts import UnreadableError, audit_text, verdict_text, verdicts
from referee.schedule import Certificate
from referee.standings import Row, Standings, standings
from referee.statistics import Difference, Estimate
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.table import Table

    Make = Callable[..., Path]

NOTHING = "–"  # noqa: RUF001 - what the tables show for what cannot be estimated
ROW = Row(1, (1, 2), "ana", Rating(31.5, 2.0), Estimate(1234.5, 6.789, 12), 48, 12, 0, flagged=False)
SECOND = replace(ROW, rank=2, ranks=(1, 3), entrant="bo", rating=Rating(26.0, 1.5))
THIRD = replace(ROW, rank=3, ranks=(2, 3), entrant="cy", rating=Rating(20.0, 1.5))
LAST = replace(ROW, rank=4, ranks=(4, 4), entrant="di", rating=Rating(10.0, 3.0))
TABLE = Standings(
    title="trix: Trix",
    scored_by="points",
    rows=(ROW, SECOND, THIRD, LAST),
    cross={},
    chances={},
    draw_probability=0.0125,
    boards=12,
    games=48,
    faults=0,
    faulted=0,
    left=(),
    partners="none",
    inseparable=(),
    rotation_gain=None,
)


def shown(table: Table, width: int = 160) -> list[str]:
    """The lines of a table on a screen so wide, without blanks at their ends."""
    console = Console(width=width, color_system=None, legacy_windows=False)
    with console.capture() as captured:
        console.print(table)
    return [line.rstrip() for line in captured.get().splitlines() if line.strip()]


def cells(table: Table, row: int = 0) -> list[str]:
    """The cells of one row."""
    return [list(column.cells)[row] for column in table.columns]  # type: ignore[misc] # all of ours are text


def heads(table: Table) -> list[str]:
    return [str(column.header) for column in table.columns]


def json_rows(table: Standings) -> list[dict[str, Any]]:
    rows = ratings_json(table)["rows"]
    assert isinstance(rows, list)
    return rows


def met(mean: float, half_width: float | None, boards: int = 12, adjusted: float | None = None) -> Difference:
    return Difference(mean, half_width, boards, adjusted, adjusted, None if half_width is None else 0.9)


def both_ways(pairs: dict[tuple[str, str], Difference]) -> dict[tuple[str, str], Difference]:
    return {
        **pairs,
        **{(second, first): replace(one, mean=-one.mean) for (first, second), one in pairs.items()},
    }


def test_a_wide_table_has_the_interval_of_mu_and_a_narrow_one_leaves_it_out() -> None:
    wide, narrow = ratings_table(TABLE), ratings_table(TABLE, narrow=True)
    assert heads(wide) == [
        "#", "ranks", "entrant", "mu", "sigma", "95 % of mu", "points/game", "games", "boards",
    ]  # fmt: skip
    assert cells(wide) == ["1", "1-2", "ana", "31.50", "2.00", "28.1 to 34.9", "1,234.50 ± 6.79", "48", "12"]
    assert heads(narrow) == [head for head in heads(wide) if head != "95 % of mu"]
    assert cells(narrow) == [cell for cell in cells(wide) if " to " not in cell]
    assert cells(wide, 3)[1] == "4"


def test_a_table_fits_its_screen_and_every_row_stands_on_one_line() -> None:
    for narrow, width in ((False, 120), (True, 80)):
        lines = shown(ratings_table(TABLE, narrow=narrow), width)
        assert lines[0] == "trix: Trix"
        assert len(lines) == 3 + 4
        assert max(map(len, lines)) <= width
        assert lines[3].split()[:3] == ["1", "1-2", "ana"]


def test_a_long_name_is_folded_and_loses_no_letter() -> None:
    name = "an entrant with a name that is very much longer than a column can be"
    lines = shown(ratings_table(replace(TABLE, rows=(replace(ROW, entrant=name),)), narrow=True), 80)
    assert max(map(len, lines)) <= 80
    text = "".join("".join(lines).split())
    assert all(word in text for word in ("entrant", "31.50", "2.00", "1,234.50"))
    assert len(lines) > 4


def test_one_board_gives_no_interval_and_never_plus_minus_nothing(make_cup: Make) -> None:
    with Store.open(make_cup("cup.db", boards=1)) as store:
        table = standings(store, store.competitions[0])
    text = "\n".join(
        shown(ratings_table(table)) + shown(cross_table(table)) + shown(superiority_table(table))
    )
    assert text.count(f"± {NOTHING}") == 4 + 12
    assert "nan" not in text.lower()
    assert "± 0" not in text
    assert "*" not in text
    assert all(row["half_width"] is None for row in json_rows(table))
    assert "NaN" not in json.dumps([ratings_json(table), cross_json(table)])


def test_what_cannot_be_estimated_is_a_dash_in_every_layout() -> None:
    empty = replace(ROW, rating=None, per_game=None, games=0, boards=0)
    table = replace(TABLE, rows=(empty, SECOND))
    wide, narrow = ratings_table(table), ratings_table(table, narrow=True)
    assert "exposed" in heads(wide)
    assert cells(wide) == ["1", "1-2", "ana", *[NOTHING] * 5, "0", "0"]
    assert cells(narrow) == ["1", "1-2", "ana", *[NOTHING] * 3, "0", "0"]
    for one in (wide, narrow):
        assert len(cells(one, 1)) == len(heads(one))
    row, _ = json_rows(table)
    assert [row[key] for key in ("mu", "sigma", "exposed", "per_game", "half_width")] == [None] * 5


def test_exposed_is_shown_and_explained_where_not_all_played_as_many_games() -> None:
    table = replace(TABLE, rows=(ROW, replace(SECOND, games=44)))
    assert (
        dict(zip(heads(ratings_table(table)), cells(ratings_table(table)), strict=True))["exposed"] == "25.50"
    )
    assert "exposed = mu - 3 sigma, a cautious number, since not all played as many games" in ratings_notes(
        table
    )
    assert "exposed" not in heads(ratings_table(TABLE)) + ratings_notes(TABLE)


def test_a_flagged_row_has_a_mark_and_the_mark_a_note() -> None:
    table = replace(TABLE, rows=(ROW, replace(SECOND, flagged=True)))
    assert [cells(ratings_table(table), row)[2] for row in (0, 1)] == ["ana", "bo !"]
    assert [note for note in ratings_notes(table) if note.startswith("! ")]
    assert not [note for note in ratings_notes(TABLE) if note.startswith("! ")]


def test_faults_have_a_column_only_where_there_are_any() -> None:
    table = replace(TABLE, rows=(ROW, replace(SECOND, faults=1200)), faults=1200, faulted=1)
    assert heads(ratings_table(table))[-1] == "faults"
    assert [cells(ratings_table(table), row)[-1] for row in (0, 1)] == ["0", "1,200"]
    assert ratings_notes(table)[0] == "12 boards, 48 games, 1,200 faults on 1 board, tie probability 0.013"
    assert "faults" not in heads(ratings_table(TABLE))
    assert ratings_notes(TABLE) == ["12 boards, 48 games, tie probability 0.013", RANKS]


def test_a_range_of_ranks_is_explained_where_there_is_one() -> None:
    assert RANKS in ratings_notes(TABLE)
    decided = tuple(replace(row, ranks=(row.rank, row.rank)) for row in TABLE.rows)
    assert RANKS not in ratings_notes(replace(TABLE, rows=decided))


def test_notes_tell_of_rotations_partners_and_those_that_left() -> None:
    notes = ratings_notes(
        replace(
            TABLE,
            rotation_gain=2.345,
            partners="fixed",
            inseparable=(("ana", "bo"), ("cy", "di")),
            left=(
                Departure("bo", "trix", 7, ruling=2),
                Departure("cy", "trix", None, ruling=3),
                Departure("di", "trix", 7),
            ),
        )
    )
    assert notes[1:] == [
        "rotations: all seatings of a board divide the variance of a difference by 2.35",
        RANKS,
        "ana and bo were partners on every board: their ratings cannot be told apart",
        "cy and di were partners on every board: their ratings cannot be told apart",
        "bo was withdrawn by ruling 2: nothing of its tournament after trix/7 counts",
        "cy was withdrawn by ruling 3: nothing of its tournament counts",
        "di forfeited too often: nothing of its tournament after trix/7 counts",
    ]
    assert ratings_notes(replace(TABLE, partners="changing"))[1:] == [
        RANKS,
        "partners change: each is rated on its own, from boards of side against side",
    ]


def test_a_gain_below_one_is_called_none_and_faults_at_no_table_are_told() -> None:
    assert ratings_notes(replace(TABLE, rotation_gain=0.94))[1].endswith("by 0.94, which is no gain")
    assert ", 2 faults at no table, " in ratings_notes(replace(TABLE, faults=2))[0]


def test_a_table_over_all_competitions_has_no_points() -> None:
    table = replace(TABLE, scored_by=None, rows=tuple(replace(row, per_game=None) for row in TABLE.rows))
    assert not [head for head in heads(ratings_table(table)) if head.endswith("/game")]
    assert len(cells(ratings_table(table))) == len(heads(ratings_table(table)))
    assert "places/game" in heads(ratings_table(replace(TABLE, scored_by="places")))


def test_chances_stand_as_percents_and_are_never_certain() -> None:
    chances = {
        ("ana", "bo"): 0.9996, ("bo", "ana"): 0.0004,
        ("ana", "cy"): 0.5, ("cy", "ana"): 0.5,
        ("bo", "cy"): 0.876, ("cy", "bo"): 0.124,
        ("bo", "di"): None,
    }  # fmt: skip
    table = superiority_table(replace(TABLE, chances=chances))
    assert heads(table) == ["", "ana", "bo", "cy", "di"]
    assert cells(table, 0) == ["ana", NOTHING, "> 99.9", "50.0", NOTHING]
    assert cells(table, 1) == ["bo", "< 0.1", NOTHING, "87.6", NOTHING]


@pytest.mark.parametrize(
    ("rows", "scored_by", "source"),
    [
        (4, "points", "the ratings"),
        (3, "points", "paired differences of boards"),
        (2, "places", "paired differences of boards"),
        (3, None, "the ratings"),
    ],
)
def test_it_is_said_what_the_chances_are_made_of(rows: int, scored_by: Any, source: str) -> None:
    (note,) = superiority_notes(replace(TABLE, rows=TABLE.rows[:rows], scored_by=scored_by))
    assert note.endswith(f", from {source}")


def test_a_cross_table_has_a_star_exactly_where_the_adjusted_p_is_below_a_twentieth() -> None:
    cross = both_ways(
        {
            ("ana", "bo"): met(1234.5, 67.8, adjusted=0.0499),
            ("ana", "cy"): met(12.0, 13.0, adjusted=0.05),
            ("bo", "cy"): met(0.0, 1.0, adjusted=1.0),
            ("bo", "di"): met(-3.0, None),
        }
    )
    table = cross_table(replace(TABLE, cross=cross))
    assert [cell.rstrip() for cell in cells(table, 0)] == [
        "ana", NOTHING, "+1,234.50 ± 67.80 *", "+12.00 ± 13.00", NOTHING,
    ]  # fmt: skip
    assert cells(table, 1)[1] == "-1,234.50 ± 67.80 *"
    assert cells(table, 3)[2].rstrip() == f"+3.00 ± {NOTHING}"
    narrow = cross_table(replace(TABLE, cross=cross), narrow=True)
    assert cells(narrow, 0)[2] == "+1,234.50\n± 67.80 *"
    assert cross_notes(replace(TABLE, cross=cross))[1].startswith("* p < 0.05 after Holm")
    nothing = {pair: replace(one, adjusted=0.2) for pair, one in cross.items()}
    assert cross_notes(replace(TABLE, cross=nothing))[1].startswith("no difference has p < 0.05 after Holm")


def test_boards_in_common_stand_in_the_cells_only_where_they_differ() -> None:
    alike = replace(TABLE, cross=both_ways({("ana", "bo"): met(1, 2), ("ana", "cy"): met(1, 2)}))
    assert cross_notes(alike)[0].endswith("; 12 boards for each pair")
    assert not [cell for cell in cells(cross_table(alike)) if "(" in cell]
    apart = replace(TABLE, cross=both_ways({("ana", "bo"): met(1, 2), ("ana", "cy"): met(1, 2, 1300)}))
    assert cross_notes(apart)[0].endswith("; in brackets how many boards")
    assert [cell.split()[-1] for cell in cells(cross_table(apart))[2:4]] == ["(12)", "(1,300)"]


def test_numbers_in_json_have_nine_places_and_one_nought() -> None:
    rows = (replace(ROW, rating=Rating(1 / 3, 2 / 3), per_game=Estimate(-0.0, 1e-12, 3)),)
    (row,) = json_rows(replace(TABLE, rows=rows))
    assert (row["mu"], row["sigma"], row["exposed"]) == (0.333333333, 0.666666667, -1.666666667)
    assert [str(row[key]) for key in ("per_game", "half_width")] == ["0.0", "0.0"]


def test_a_count_has_its_plural_and_its_thousands() -> None:
    assert [count(number, "board") for number in (0, 1, 2, 1200)] == [
        "0 boards", "1 board", "2 boards", "1,200 boards",
    ]  # fmt: skip


def test_an_audit_shows_twenty_findings_of_a_check_and_counts_the_others() -> None:
    findings = tuple(Finding(f"trix/{number}/0", "wrong") for number in range(23))
    even = Certificate(4, 1, (1, 1), (0, 0), (1, 1), (1, 2), (0, 1), (0, 0))
    audit = Audit(
        (Check("seed", 1, "seeds"), Check("scores", 1200, "games", findings, ("not over",))),
        "c0ffee",
        None,
        {"trix": even},
    )
    lines = audit_text(Path("cup.db"), audit).splitlines()
    assert lines[:2] == ["cup.db: promised by c0ffee", "the seed is not revealed yet"]
    assert lines[2].split() == ["ok", "seed", "1", "seed"]
    assert lines[3].split() == ["WRONG", "scores", "1,200", "games"]
    assert sum("trix/" in line for line in lines) == 20
    assert "         and 3 more" in lines
    assert "         note: not over" in lines
    assert "seats 1 to 2" in lines[-2]
    assert lines[-1] == "cup.db does NOT hold: 23 findings in scores"
    whole = replace(audit, checks=audit.checks[:1], seed=bytes(32))
    assert f"seed {'00' * 32}" in audit_text(Path("cup.db"), whole)
    assert audit_text(Path("cup.db"), whole).endswith("cup.db holds")


def test_a_line_that_is_no_record_is_a_verdict_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n{}\n\nno record\n", encoding="utf-8")
    found = list(verdicts(file))
    assert [verdict.ok for verdict in found] == [False, False]
    assert [verdict_text(number, one).split(":")[:2] for number, one in enumerate(found)] == [
        ["game 0", " wrong"],
        ["game 1", " wrong"],
    ]


def test_what_begins_with_no_record_is_no_file_of_records(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("\nimport os\n{}\n", encoding="utf-8")
    with pytest.raises(UnreadableError, match=r"bot\.py: neither a store nor a file of records$"):
        list(verdicts(file))
