"""What a bot sees in its box is what belongs to it, and a file that would show it more is refused."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee.blocks import BotSpec
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


def test_a_link_out_of_a_bots_folder_is_refused(folder: Path) -> None:
    (folder / "both" / "shared.py").unlink()
    (folder / "both" / "shared.py").symlink_to(folder / "library" / "notes")
    with pytest.raises(ConfigError, match="is a link that leads out of the bot's folder"):
        load(cup(folder))


def test_a_tournament_that_is_reached_by_a_link_is_hidden_all_the_same(folder: Path) -> None:
    cup(folder)
    link = folder.parent / f"{folder.name}-link"
    link.symlink_to(folder)
    file = link / "cup.toml"
    text = file.read_text().replace(
        'folder = "ana"\ncommand = "python3 ana.py"', 'command = "python3 ana/ana.py"'
    )
    file.write_text(f'[tournament]\nstore = "library/cup.db"\n{text.replace("ana/ana.py", "library/notes")}')
    load(file)
    file.write_text(
        file.read_text().replace('"python3 library/notes"', '"python3 library/notes"\nreadable = ["library"]')
    )
    with pytest.raises(ConfigError, match="would see"):
        load(file)


def test_another_store_than_the_files_is_hidden_too(folder: Path) -> None:
    file = cup(folder, 'readable = ["../library"]')
    load(file)
    with pytest.raises(ConfigError, match="would see"):
        load(file, store=folder / "library" / "cup.db")
    assert load(file, store=folder / "other.db").store == folder / "other.db"


def test_the_folder_of_another_bot_is_hidden_also_where_none_of_its_files_is_named(folder: Path) -> None:
    file = cup(folder)
    file.write_text(
        file.read_text()
        .replace('command = "python3 bo.py"\nfiles = ["bo.py", "shared.py"]', 'command = "python3 -m bo"')
        .replace('folder = "ana"', 'folder = "."')
        .replace("python3 ana.py", "python3 ana/ana.py")
    )
    assert str(folder) not in load(file).entrants[0].spec.readable


def test_what_a_bots_own_environment_says_of_its_python_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "bot" / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "bot" / "venv" / "pyvenv.cfg").write_text("home = /secrets/bin\n")
    program = tmp_path / "bot" / "venv" / "bin" / "python"
    program.touch()
    assert "/secrets" not in runtime_of(str(program), str(tmp_path / "bot"))


def test_what_would_load_a_bots_code_outside_of_its_box_is_set_inside(folder: Path) -> None:
    spec = BotSpec("a", ("/usr/bin/env",), str(folder), (("LD_PRELOAD", "evil.so"), ("LEVEL", "3")))
    command = boxed(spec, "unix:/private/referee.sock")
    place = command.index("--setenv")
    assert command[place : place + 3] == ("--setenv", "LD_PRELOAD", "evil.so")
    assert "LEVEL" not in command
    assert boxed_environment({"LD_PRELOAD": "evil.so", "LEVEL": "3"}) == {"LEVEL": "3", "HOME": "/tmp"}


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
    assert Path(command[0]).name == "bwrap"
    assert command[command.index("--") + 1 :] == spec.command
    assert not any("TOKEN" in word for word in command)
    assert "/private/referee.sock" in command
    assert "/private" not in command


def test_folders_outside_of_the_box_are_in_no_variable() -> None:
    environment = {"PYTHONPATH": "/secret", "TMPDIR": "/big", "HOME": "/root", "LANG": "C"}
    assert boxed_environment(environment) == {"HOME": "/tmp", "LANG": "C"}
