"""`tourney analyse`, as its user meets it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.record import FaultCause, RecordedFault
from referee.blocks import BlockResult, GameOrder, PlayedGame
from referee.cli import run
from referee.rulings import RulingKind
from referee.store import EntrantInfo, Store
from tests.referee.random_games import NAMES, TRIX, VYTRIX, cup as games_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Tourney = Callable[..., str]

LATE = RecordedFault(0, FaultCause.TIMEOUT, 2, 0, 1)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boards of trix and five of vytrix, in which di does not play; a fault of ana in deal 2 of trix/0/0."""
    path = tmp_path_factory.mktemp("cup") / "cup.db"
    terms = {"score": "points", "teams": "none", "rotations": "cyclic"}
    config = json.dumps(
        {
            "competitions": [
                {
                    "name": one.name,
                    "game": one.game,
                    "variant": one.variant,
                    "seatings": one.seatings,
                    **terms,
                }
                for one in (TRIX, VYTRIX)
            ],
            "bots": [{"name": name} for name in (*NAMES, "eve")],
            "faults": {"forfeit_after": 3, "disqualify_after": 50},
        }
    )
    with Store.create(
        path,
        program="cardtable-referee 0.1.0",
        config=config,
        identity=hashlib.sha256(config.encode()).hexdigest(),
        commitment=hashlib.sha256(b"cup").hexdigest(),
        master_seed=bytes(32),
        competitions=[TRIX, VYTRIX],
        entrants=[EntrantInfo(name) for name in (*NAMES, "eve")],
    ) as store:
        for info, boards in ((TRIX, 2), (VYTRIX, 5)):
            played = []
            for game, record in games_of(info, boards):
                assert record.seed is not None
                faults = (LATE,) if game.name == "trix/0/0" else ()
                played.append(
                    PlayedGame(
                        GameOrder(game.board, game.seating, game.seats, record.seed),
                        replace(record, faults=faults),
                        (),
                        game.charged_ms,
                        game.decisions,
                    )
                )
            store.add_block(info.name, BlockResult(tuple(played)))
    return path


def objects(said: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(said)
    return found


def test_a_bot_is_shown_by_contract_and_by_role_in_each_competition(cup: Path, tourney: Tourney) -> None:
    said = tourney("analyse", cup, "ana")
    lines = [line.rstrip() for line in said.splitlines()]
    for title in (
        "ana in trix: points a deal, by contract",
        "ana in trix: doubling, points a deal",
        "ana in trix: places in the layout",
        "ana in trix: costliest deals",
        "ana in vytrix: points a hand, by role",
        "ana in vytrix: bids made and lost",
        "ana in vytrix: the kitty",
        "ana in vytrix: costliest deals",
    ):
        assert title in lines
    assert "2 boards, 8 games, 159 deals" in lines
    assert "1 deal left out, in which the house decided for a bot at fault: 1 for ana" in lines
    assert "difference: from the others who had this seat with the cards of the same kingdom" in lines
    assert "5 boards, 15 games, 45 deals" in lines


def test_costly_deals_name_the_game_and_how_to_look_at_it(cup: Path, tourney: Tourney) -> None:
    said = tourney("analyse", cup, "bo", "-c", "trix")
    (one,) = objects(tourney("analyse", cup, "bo", "-c", "trix", "--json"))
    worst = one["costliest"][0]
    assert f"`tourney show {cup} {worst['game']}` shows the first of them: see Deal {worst['deal']}" in said
    shown = tourney("show", cup, worst["game"])
    assert f"Deal {worst['deal']}\n" in shown
    assert f"  seat {worst['seat']}  bo\n" in shown


def test_from_few_boards_there_is_no_error_and_no_star(cup: Path, tourney: Tourney) -> None:
    trix, vytrix = objects(tourney("analyse", cup, "cy", "--json"))
    gaps = [
        line[which] for line in trix["lines"] for which in ("own", "same_cards", "same_hand") if line[which]
    ]
    assert {one["error"] for one in gaps} == {None}
    assert {one["adjusted"] for one in gaps if "adjusted" in one} == {None}
    assert "no difference has p < 0.05 after Holm" in tourney("analyse", cup, "cy", "-c", "trix")
    every = vytrix["lines"][0]
    assert (every["row"], every["figure"], every["own"]["boards"]) == ("all", "points", 5)
    assert every["own"]["error"] > 0
    assert every["same_hand"] is None
    assert every["same_cards"]["field"] + every["same_cards"]["mean"] == pytest.approx(every["own"]["mean"])


def test_json_counts_what_was_left_out_and_adds_up_to_the_scores(cup: Path, tourney: Tourney) -> None:
    found = objects(tourney("analyse", cup, "--json"))
    assert [(one["competition"], one["entrant"]) for one in found] == [
        *(("trix", name) for name in NAMES),
        *(("vytrix", name) for name in NAMES[:3]),
    ]
    assert [(one["deals"], one["left_out"], one["own_left_out"]) for one in found[:2]] == [
        (159, 1, 1),
        (159, 1, 0),
    ]
    with Store.open(cup) as store:
        total = sum(game.scores[game.seats.index("bo")] for game in store.games("vytrix"))
    (one,) = [each for each in found if (each["competition"], each["entrant"]) == ("vytrix", "bo")]
    by_role = {
        line["row"]: line["own"]["mean"] * line["own"]["deals"]
        for line in one["lines"]
        if line["section"] == "points a hand, by role" and line["figure"] == "points" and line["own"]
    }
    assert by_role["all"] == pytest.approx(total)
    assert by_role.get("declarer", 0) + by_role.get("defender", 0) == pytest.approx(total)


def test_without_a_bot_the_points_of_all_stand_side_by_side(cup: Path, tourney: Tourney) -> None:
    said = tourney("analyse", cup, "-c", "trix")
    head = next(line for line in said.splitlines() if " ana ±" in line)
    assert head.split() == ["ana", "±", "bo", "±", "cy", "±", "di", "±"]
    assert "2 boards, 8 games" in said
    assert "vytrix" not in said


def test_a_bot_is_shown_where_it_plays_and_refused_where_it_does_not(cup: Path, tourney: Tourney) -> None:
    assert " in vytrix:" not in tourney("analyse", cup, "di")
    assert tourney("analyse", cup, "di", "-c", "vytrix", status=2) == (
        f"tourney: di has no complete board of vytrix in {cup}\n"
    )
    assert tourney("analyse", cup, "eve", status=2) == f"tourney: eve has no complete board in {cup}\n"
    assert "has no bot 'an'; did you mean \"ana\"?" in tourney("analyse", cup, "an", status=2)
    assert "there is no competition 'trx'" in tourney("analyse", cup, "-c", "trx", status=2)


def test_a_void_game_takes_its_board_out_and_the_ruling_is_named(
    cup: Path, tmp_path: Path, tourney: Tourney
) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(cup.read_bytes())
    with Store.open(copy) as store:
        store.add_ruling(RulingKind.VOID, "the table was seen", competition="trix", board=0, seating=1)
    said = tourney("analyse", copy, "ana", "-c", "trix")
    assert "1 board, 4 games, 80 deals" in said
    assert "ruling 1: trix/0/1 is void: the table was seen" in said


def test_a_store_without_a_complete_board_says_so(make_cup: Callable[..., Path], tourney: Tourney) -> None:
    assert tourney("analyse", make_cup("new.db", boards=0)) == "trix: Trix: no board is complete yet\n"


def test_a_record_that_does_not_replay_is_said_in_one_line(
    make_cup: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyse", str(make_cup("odd.db", boards=1))]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("tourney: trix/0/0 cannot be analysed, its record does not replay: deal 0, ")
    assert said.err.count("\n") == 1
