"""What a bot sees in its box is what belongs to it, and a file that would show it more is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.config import ConfigError, load
from referee.sandbox import boxed, boxed_environment, runtime_of, without_inner

HEAD = '[run]\nsandbox = "bwrap"\n[[competition]]\ngame = "vytrix"\nvariant = { players = 3 }\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three bots: ana with a folder of her own, bo and cy who share one."""
    for name in ("ana/ana.py", "ana/weights", "both/bo.py", "both/cy.py", "both/shared.py", "library/notes"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def cup(folder: Path, more: str = "") -> Path:
    file = folder / "cup.toml"
    file.write_text(
        f'{HEAD}[[bot]]\nname = "ana"\nfolder = "ana"\ncommand = "python3 ana.py"\n{more}\n'
        '[[bot]]\nname = "bo"\nfolder = "both"\ncommand = "python3 bo.py"\nfiles = ["bo.py", "shared.py"]\n'
        '[[bot]]\nname = "cy"\ncommand = "python3 both/cy.py"\n'
    )
    return file


def seen(folder: Path, more: str = "") -> list[set[str]]:
    """What each bot sees of the folder."""
    paths = ({Path(path) for path in one.spec.readable} for one in load(cup(folder, more)).entrants)
    return [
        {str(path.relative_to(folder)) for path in of_one if path.is_relative_to(folder)} for of_one in paths
    ]


def test_a_bot_sees_its_folder_where_that_is_its_own_and_else_its_files(folder: Path) -> None:
    assert seen(folder) == [{"ana"}, {"both/bo.py", "both/shared.py"}, {"both/cy.py"}]


def test_what_the_file_names_is_readable_too(folder: Path) -> None:
    assert seen(folder, 'readable = ["../library"]')[0] == {"ana", "library"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            'readable = ["../both"]',
            'cup.toml:10: [[bot]] 1, "readable": "{0}/both" shows it what is another bot\'s',
        ),
        (
            'readable = ["nowhere"]',
            'cup.toml:10: [[bot]] 1, "readable": there is no file or folder "{0}/ana/nowhere"',
        ),
        ('readable = "library"', 'cup.toml:10: [[bot]] 1, "readable": is a list'),
    ],
)
def test_what_a_bot_may_not_read_is_refused(folder: Path, more: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(cup(folder, more))
    assert said.format(folder) in str(caught.value)


@pytest.mark.parametrize(
    ("head", "secret"),
    [
        ('[tournament]\nstore = "library/cup.db"\n', "library/cup-logs"),
        ('[run]\nlogs = "library/logs"\n', "library/logs"),
    ],
)
def test_a_bot_that_would_see_the_tournament_is_refused(folder: Path, head: str, secret: str) -> None:
    file = cup(folder, 'readable = ["../library"]')
    text = file.read_text()
    file.write_text(head + (text.removeprefix("[run]\n") if head.startswith("[run]") else text))
    with pytest.raises(ConfigError, match="would see") as caught:
        load(file)
    assert f'"{folder / secret}"' in str(caught.value)


def test_a_folder_that_holds_the_tournament_is_not_shown(folder: Path) -> None:
    file = cup(folder)
    file.write_text(file.read_text().replace("[run]", '[tournament]\nstore = "ana/cup.db"\n[run]'))
    assert str(folder / "ana") not in load(file).entrants[0].spec.readable
    assert str(folder / "ana" / "ana.py") in load(file).entrants[0].spec.readable


def test_inner_paths_are_left_out() -> None:
    paths = [Path("/a/b/c"), Path("/a/b"), Path("/a/bc"), Path("/a/b")]
    assert without_inner(paths) == ("/a/b", "/a/bc")


def test_a_program_of_the_system_needs_nothing_more() -> None:
    assert runtime_of("/usr/bin/env") == ()


def test_a_python_brings_its_environment_and_its_library(tmp_path: Path) -> None:
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("home = /opt/python/bin\nversion = 3.11\n")
    program = tmp_path / "venv" / "bin" / "python"
    program.touch()
    assert runtime_of(str(program)) == ("/opt/python", str(tmp_path / "venv"))
    assert any(Path(sys.executable).is_relative_to(path) for path in runtime_of(sys.executable))


def test_nothing_secret_stands_in_the_command_of_a_box(folder: Path) -> None:
    spec = load(cup(folder)).entrants[0].spec
    command = boxed(spec, "unix:/private/referee.sock")
    assert command[0] == "bwrap"
    assert command[command.index("--") + 1 :] == spec.command
    assert not any("TOKEN" in word for word in command)
    assert "/private/referee.sock" in command
    assert "/private" not in command


def test_folders_outside_of_the_box_are_in_no_variable() -> None:
    environment = {"PYTHONPATH": "/secret", "TMPDIR": "/big", "HOME": "/root", "LANG": "C"}
    assert boxed_environment(environment) == {"HOME": "/tmp", "LANG": "C"}
