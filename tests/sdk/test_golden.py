"""One whole game of every variant, written down: dealing, rules and notation may not drift unseen.

To write them anew after a change that is meant: `python -m tests.sdk.test_golden`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cardtable.catalog import GAMES
from cardtable.record import GameRecord
from cardtable.replay import replay
from tests.sdk.driving import random_record
from tests.sdk.variants import OPTIONS, variants

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = [(game, variant) for game in GAMES for variant in variants(game)]


def _path(game: str, variant: dict[str, object]) -> Path:
    words = [f"{name}={value}".lower() for name, value in variant.items()]
    return GOLDEN / f"{'-'.join([game, *words])}.jsonl"


def _played(game: str, variant: dict[str, object]) -> str:
    return random_record(game, variant, bytes(range(1, 33))).to_line() + "\n"


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_a_game_is_as_it_was_written_down(game: str, variant: dict[str, object]) -> None:
    golden = _path(game, variant).read_text()
    assert _played(game, variant) == golden
    verdict = replay(GameRecord.from_line(golden))
    assert verdict.ok
    assert verdict.state is not None
    assert verdict.state.is_over


def test_no_variant_is_missing_and_none_is_left_over() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {_path(*case).name for case in CASES}


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_its_variants(game: str) -> None:
    rules = GAMES[game]
    defaults = rules.options(rules.variant({}))
    assert set(defaults) == set(OPTIONS[game])
    for name, values in OPTIONS[game].items():
        assert defaults[name] not in values


if __name__ == "__main__":
    for case in CASES:
        _path(*case).write_text(_played(*case))
