"""Every worked case of tests/vectors, replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable.record import GameRecord, RecordError
from cardtable.replay import replay

VECTORS = Path(__file__).parents[1] / "vectors"


def _cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted(VECTORS.glob("*.jsonl"))
        for case in map(json.loads, path.read_text().splitlines())
    ]


def _rules_agree(said: str, expected: str) -> bool:
    return said == expected or said.startswith(expected + ".") or expected.startswith(said + ".")


@pytest.mark.parametrize("case", _cases())
def test_vector(case: dict[str, Any]) -> None:
    expect = case["expect"]
    try:
        verdict = replay(GameRecord.from_json(case["record"])).to_json()
    except RecordError:
        assert expect == {"ok": False} or "rule" not in expect["error"]
        return
    for key in ("ok", "scores", "sides", "over", "to_act", "deals"):
        if key in expect:
            assert verdict[key] == expect[key], key
    if "legal" in expect:
        assert sorted(verdict["legal"]) == sorted(expect["legal"])  # type: ignore[call-overload] # JSON
    error: Any = verdict["error"]
    if "error" in expect:
        assert (error["deal"], error["action"]) == (expect["error"]["deal"], expect["error"]["action"])
        if "rule" in expect["error"]:
            assert _rules_agree(error["rule"], expect["error"]["rule"]), error
