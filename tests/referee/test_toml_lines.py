from __future__ import annotations

import tomllib

import pytest

from referee.toml_lines import key_lines, line_of

NASTY = '''# a comment with [[brackets]] and "quotes
[tournament] # [not.this]
name = "a # no comment [x]"
"quoted key" = 1

[[bot]]
name = "one"
command = [
  "python", # ] no end
  "it's]",
]
notes = """
[[bot]]
name = "inside a text \\""" still
"""""
[bot.environment]
KEY = '[x]'
[[bot]]
"na\\u006de" = \'\'\'two
[run]\'\'\'
environment = { KEY = "}", "b" = [1, 2] }
[run]
a.b . "c d" = 1
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("tournament",), 2),
        (("tournament", "name"), 3),
        (("tournament", "quoted key"), 4),
        (("bot", 0), 6),
        (("bot", 0, "name"), 7),
        (("bot", 0, "command"), 8),
        (("bot", 0, "notes"), 12),
        (("bot", 0, "environment", "KEY"), 17),
        (("bot", 1), 18),
        (("bot", 1, "name"), 19),
        (("bot", 1, "environment"), 21),
        (("run",), 22),
        (("run", "a", "b"), 23),
        (("run", "a", "b", "c d"), 23),
    ],
)
def test_every_key_is_found_on_its_line(place: tuple[str | int, ...], line: int) -> None:
    tomllib.loads(NASTY)
    assert key_lines(NASTY)[place] == line


def test_no_key_is_found_inside_texts_and_comments() -> None:
    lines = key_lines(NASTY)
    assert ("bot", 2) not in lines
    assert ("not",) not in lines
    assert ("run", "environment") not in lines


def test_a_place_inside_a_value_is_at_the_key_that_holds_it() -> None:
    lines = key_lines(NASTY)
    assert line_of(("bot", 1, "environment", "KEY"), lines) == 21
    assert line_of(("bot", 1, "missing"), lines) == 18
    assert line_of(("missing",), lines) is None
    assert line_of((), lines) is None


def test_arrays_in_arrays_of_tables_are_counted_apart() -> None:
    text = "[[a]]\n[[a.b]]\nx = 1\n[[a.b]]\nx = 2\n[[a]]\n[[a.b]]\nx = 3\n"
    lines = key_lines(text)
    assert lines["a", 0, "b", 1, "x"] == 5
    assert lines["a", 1, "b", 0, "x"] == 8


def test_lines_that_end_as_on_windows_are_counted_the_same() -> None:
    assert key_lines(NASTY.replace("\n", "\r\n")) == key_lines(NASTY)
