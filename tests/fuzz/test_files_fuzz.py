"""Files from strangers, with anything in them: a verdict, a result, or the one error that is documented."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from cardtable.catalog import GAMES
from cardtable.record import GameRecord
from referee.cli import run
from referee.config import load
from referee.errors import RefereeError
from referee.rating_file import rate_file
from tests.sdk.driving import random_record
from tests.sdk.variants import TOGETHER

pytestmark = pytest.mark.long

NUMBERS = (
    st.sampled_from([0, 1, -1, 2, 3, 4, 52, 2**31, 2**64, 10**400, 0.5, -0.0, 1e308, 5e-324]) | st.integers()
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
RECORDS = [
    random_record(game, variant, bytes([number]) * 32).to_json()
    for game in GAMES
    for number, variant in enumerate(({}, *TOGETHER[game]))
]
CUP = """
[tournament]
name = "Spring cup"
store = "cup.db"
[seed]
master = "0000000000000000000000000000000000000000000000000000000000000000"
public = "lottery 7"
[[competition]]
name = "pairs"
game = "trix"
variant = { partners = true }
boards = 20
schedule = "round-robin"
rotations = "cyclic"
teams = "same"
score = "points"
ask_forced = true
show_names = true
[[competition]]
game = "vytrix"
variant = { players = 3, max_hands = 2 }
[clocks]
start_seconds = 1.5
first_move_seconds = 2
move_ms = 3
game_seconds = 4
margin_ms = 0
stop_seconds = 0
disconnect_seconds = 6
[faults]
forfeit_after = 7
restarts = 0
disqualify_after = 8
[run]
jobs = 3
sandbox = "none"
log_bytes = 9
logs = "my logs"
""" + "".join(
    f'[[bot]]\nname = "{name}"\ncommand = ["{sys.executable}", "{name}.py"]\nenvironment = {{ KEY = "value" }}\n'
    for name in "abcd"
)
MATCHES = {
    "environment": {"mu": 25, "sigma": 8, "beta": 4, "tau": 0.1, "draw_probability": 0.1},
    "mode": "batch",
    "prior": {"a": [25, 8]},
    "matches": [{"groups": [["a", "b"], ["c"]], "ranks": [0, 1]}, {"groups": [["a"], ["b"], ["c"]]}],
}


def fuzzing(examples: int) -> settings:
    return settings(max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def changed(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """A value with some parts of it lost, doubled, or something else."""
    value = json.loads(json.dumps(draw(values)))
    for _ in range(draw(st.integers(1, 3))):
        inside = value
        while isinstance(inside, dict | list) and inside:
            keys: Any = sorted(inside) if isinstance(inside, dict) else range(len(inside))
            key = draw(st.sampled_from(keys))
            if isinstance(inside[key], dict | list) and inside[key] and draw(st.integers(0, 3)):
                inside = inside[key]
                continue
            match draw(st.sampled_from(["change", "lose", "double"])):
                case "lose":
                    del inside[key]
                case "double" if isinstance(inside, list):
                    inside.insert(key, inside[key])
                case _:
                    inside[key] = draw(VALUES)
            break
    return value


def quietly(*arguments: object) -> tuple[int, str]:
    """Run the command; its status and its errors."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        status = run([str(argument) for argument in arguments])
    return status, errors.getvalue()


@pytest.fixture(scope="module")
def folder() -> Any:
    with tempfile.TemporaryDirectory() as name:
        for bot in "abcd":
            (Path(name) / f"{bot}.py").write_text("", encoding="utf-8")
        yield Path(name)


lines = st.one_of(
    st.binary(max_size=100),
    changed(st.sampled_from(RECORDS)).map(lambda record: json.dumps(record).encode()),
    VALUES.map(lambda value: json.dumps(value).encode()),
    st.sampled_from(RECORDS).flatmap(
        lambda record: st.integers(0, 3000).map(lambda end: json.dumps(record).encode()[:end])
    ),
)


@fuzzing(80)
@given(content=st.lists(lines, max_size=3).map(b"\n".join), as_json=st.booleans())
def test_a_file_of_records_gets_verdicts_or_one_line(folder: Path, content: bytes, as_json: bool) -> None:
    file = folder / "games.jsonl"
    file.write_bytes(content)
    status, errors = quietly("verify", *(["--json"] if as_json else []), file)
    assert status in {0, 1, 2}
    assert errors.count("\n") == (status == 2)


@fuzzing(80)
@given(record=changed(st.sampled_from(RECORDS)))
def test_what_is_read_as_a_record_can_be_written_and_read_again(record: Any) -> None:
    try:
        read = GameRecord.from_json(record)
    except ValueError:
        return
    assert GameRecord.from_line(read.to_line()) == read


def test_the_files_that_are_changed_are_sound(folder: Path) -> None:
    file = folder / "cup.toml"
    file.write_text(CUP, encoding="utf-8")
    assert load(file).name == "Spring cup"
    assert rate_file(MATCHES)


LITERALS = st.one_of(
    st.text(max_size=8).map(json.dumps),
    st.sampled_from(
        ["inf", "-inf", "nan", "1979-05-27", "07:32:00", "1e999", "0x" + "f" * 300, "[]", "{}", "[[]]", ""]
    ),
    st.integers().map(str),
    st.floats().map(str),
    st.booleans().map(lambda value: str(value).lower()),
    st.sampled_from(["a", "vytrix", "whist", "swiss", "gauntlet", "none", "places", "."]).map(json.dumps),
    st.lists(st.integers() | st.text(max_size=3), max_size=3).map(json.dumps),
    st.sampled_from(
        ["{ players = 4 }", "{ target = 0, max_hands = 0 }", '{ partners = "yes" }', "{ a.b = 1 }"]
    ),
)


@st.composite
def tournaments(draw: st.DrawFn) -> bytes:
    """A tournament file with some lines changed, lost, doubled or moved, and perhaps a byte that is none."""
    text = CUP.splitlines()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text) - 1))
        match draw(st.sampled_from(["change", "change", "change", "lose", "double", "move"])):
            case "change":
                key, equals, _ = text[place].partition(" = ")
                text[place] = f"{key} = {draw(LITERALS)}" if equals else draw(st.text(max_size=12))
            case "lose":
                del text[place]
            case "double":
                text.insert(place, text[place])
            case _:
                text.insert(draw(st.integers(0, len(text) - 1)), text.pop(place))
    content = bytearray("\n".join(text).encode("utf-8", "surrogatepass"))
    if draw(st.integers(0, 4)) == 0:
        content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    return bytes(content)


@fuzzing(150)
@given(content=tournaments() | st.binary(max_size=60))
def test_a_tournament_file_is_read_or_refused_with_one_line(folder: Path, content: bytes) -> None:
    file = folder / "cup.toml"
    file.write_bytes(content)
    refused = ""
    try:
        json.dumps(load(file).identity())
    except RefereeError as error:
        refused = str(error)
    assert "\n" not in refused


@fuzzing(150)
@given(content=changed(st.just(MATCHES)) | VALUES)
def test_a_file_of_matches_is_rated_or_refused(content: Any) -> None:
    try:
        rated = rate_file(content)
    except RefereeError:
        return
    json.dumps(rated, allow_nan=False)


@fuzzing(100)
@given(
    content=st.binary(max_size=60) | changed(st.just(MATCHES)).map(lambda value: json.dumps(value).encode())
)
def test_the_command_rates_or_says_one_line(folder: Path, content: bytes) -> None:
    file = folder / "matches.json"
    file.write_bytes(content)
    status, errors = quietly("rate", file)
    assert (status, errors.count("\n")) in {(0, 0), (2, 1)}
