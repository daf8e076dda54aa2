from __future__ import annotations

import json

import pytest

from cardtable.record import Comment, DealRecord, FaultCause, GameRecord, RecordedFault, RecordError

RECORD = GameRecord(
    game="trix",
    variant={"partners": True},
    seats=("ana", "bo", "cy", "دي"),
    deals=(DealRecord(("contract:trix",), ("AS", "KS"), "2C"), DealRecord(())),
    seed=bytes(32),
    scores=(0, 1, -2, 1),
    faults=(RecordedFault(2, FaultCause.TIMEOUT, 0, 3, 5),),
    comments=(Comment(0, 1, "hm"),),
    forfeits=(2,),
)


def test_a_record_survives_its_line() -> None:
    line = RECORD.to_line()
    assert "\n" not in line
    assert GameRecord.from_line(line) == RECORD


def test_what_is_empty_is_not_written() -> None:
    line = GameRecord("trix", {}, ("a",), ()).to_json()
    assert list(line) == ["format", "game", "variant", "seats", "deals", "faults"]


def _broken(**changes: object) -> str:
    return json.dumps(RECORD.to_json() | changes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "no JSON"),
        ("[1]", "object"),
        ("[" * 100_000, "no JSON"),
        (_broken(format="cardtable/9"), "format"),
        (_broken(game=3), '"game"'),
        (_broken(seats="ana"), '"seats"'),
        (_broken(seats=[1]), '"seats"'),
        (_broken(variant=[]), '"variant"'),
        (_broken(seed="00"), '"seed"'),
        (_broken(seed=0), '"seed"'),
        (_broken(scores=[True]), '"scores"'),
        (_broken(deals=[{"hands": []}]), "deal 0"),
        (_broken(deals=[{"actions": [], "action": 1}]), "'action'"),
        (_broken(deals=[{"actions": [], "kitty": 1}]), '"kitty"'),
        (_broken(faults=[{}]), '"seat"'),
        (_broken(faults=[{"seat": 0, "deal": 0, "action": 0, "turn": 0, "cause": "?"}]), "cause"),
        (_broken(comments=[{"deal": 0, "action": -1, "text": ""}]), '"action"'),
        (_broken(colour="red"), "'colour'"),
    ],
)
def test_what_is_no_record_is_refused_and_named(line: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        GameRecord.from_line(line)
