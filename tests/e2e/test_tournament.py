"""Whole tournaments by the command, with real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from referee.cli import run

BOTS = Path(__file__).parents[1] / "bots"
EXAMPLES = Path(__file__).parents[2] / "examples"
MASTER = "00" * 31 + "07"


def tourney(*arguments: object, cwd: Path, status: int = 0) -> str:
    """Run the command; its output, standard error after standard output, or alone where bad input is expected.

    What plays is a process of its own; what only reads is not, for the start of a process is most of its time.
    """
    words = [str(argument) for argument in arguments]
    if words[0] == "run" and not status:
        done = subprocess.run(
            [sys.executable, "-m", "referee", *words],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        ended, out, err = done.returncode, done.stdout, done.stderr
    else:
        with chdir(cwd), redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as errors:
            ended = run(words)
        out, err = output.getvalue(), errors.getvalue()
    assert ended == status, out + err
    return err if status == 2 else out + err


def cup(folder: Path, bot: Path = EXAMPLES / "random_bot.py", *, boards: int = 2, more: str = "") -> Path:
    """Write a small tournament of both games and return its file."""
    entrants = "\n".join(
        f'[[bot]]\nname = "{name}"\ncommand = ["python3", "{bot}"]\n{more}'
        for name in ("ana", "bo", "cy", "دي")
    )
    file = folder / "cup.toml"
    file.write_text(
        f"""
[seed]
master = "{MASTER}"
[[competition]]
name = "trix"
game = "trix"
boards = {boards}
[[competition]]
name = "vytrix"
game = "vytrix"
variant = {{ target = 0, max_hands = 2 }}
boards = 1
[clocks]
move_ms = 20000
{entrants}
"""
    )
    return file


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a tournament that one worker has played, and what its run said."""
    folder = tmp_path_factory.mktemp("finished")
    return folder, tourney("run", cup(folder, boards=1), "--jobs", 1, cwd=folder)


@pytest.fixture
def played(finished: tuple[Path, str], tmp_path: Path) -> Path:
    """The file of a finished tournament, with its store beside it."""
    shutil.copytree(finished[0], tmp_path, dirs_exist_ok=True)
    return tmp_path / "cup.toml"


def results(folder: Path, store: str) -> tuple[str, str]:
    """The export and the ratings of a store."""
    return tourney("export", store, cwd=folder), tourney("ratings", store, "--json", cwd=folder)


@pytest.mark.long
def test_the_same_file_gives_the_same_bytes_whatever_the_workers_and_after_a_kill(
    played: Path, tmp_path: Path
) -> None:
    export, ratings = results(tmp_path, "cup.db")
    assert export.count("\n") == 4 + 12

    killed = subprocess.Popen(
        [sys.executable, "-m", "referee", "run", str(played), "--store", "killed.db", "--jobs", "4"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    for line in killed.stdout:
        if "games/s" in line:
            break
    killed.kill()
    killed.communicate()
    first, _ = results(tmp_path, "killed.db")
    assert 0 < first.count("\n") <= 16
    tourney("run", played, "--store", "killed.db", "--jobs", 2, cwd=tmp_path)
    assert results(tmp_path, "killed.db") == (export, ratings)
    assert "killed.db holds" in tourney("verify", "killed.db", cwd=tmp_path)


@pytest.mark.long
def test_no_process_gets_a_deal_twice_or_holds_two_seats(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.mkdir()
    more = f'environment = {{ RECORDING_FOLDER = "{diary}" }}'
    tourney("run", cup(tmp_path, BOTS / "recording_bot.py", more=more), "--jobs", 2, cwd=tmp_path)
    hands_by_seating: defaultdict[str, int] = defaultdict(int)
    for path in diary.glob("*.jsonl"):
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        seats = {entry["seat"] for entry in entries if "seat" in entry}
        assert len(seats) == 1, "a process plays for one seat number"
        hands = [entry["hand"] for entry in entries if "hand" in entry]
        assert len(set(hands)) == len(hands), "no process is dealt the same hand twice"
        for hand in hands:
            hands_by_seating[hand] += 1
    assert max(hands_by_seating.values()) > 1, "the same cards were played by several processes"


@pytest.mark.long
def test_ctrl_c_prints_the_tables_and_the_same_command_goes_on(tmp_path: Path) -> None:
    file = cup(tmp_path, boards=6)
    stored = 0
    for begins in ("Results go to", "Going on with"):
        running = subprocess.Popen(
            [sys.executable, "-m", "referee", "run", str(file), "--jobs", "2"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert running.stdout is not None
        said = ""
        for line in running.stdout:
            said += line
            if "games/s" in line:
                break
        pressed = time.monotonic()
        os.killpg(running.pid, signal.SIGINT)
        rest, _ = running.communicate(timeout=30)
        assert time.monotonic() - pressed < 10
        assert running.returncode == 130
        assert begins in said
        assert "the same command goes on" in rest
        assert "points/game" in rest
        assert "Traceback" not in rest
        games = tourney("export", file, cwd=tmp_path).count("\n")
        assert games > stored
        stored = games


def test_another_tournament_is_not_mixed_into_a_store(played: Path, tmp_path: Path) -> None:
    played.write_text(played.read_text().replace("max_hands = 2", "max_hands = 3"))
    said = tourney("run", played, cwd=tmp_path, status=2)
    assert "max_hands" in said
    assert "Traceback" not in said


def test_a_finished_tournament_can_be_extended_when_its_seed_is_public(played: Path, tmp_path: Path) -> None:
    before = tourney("export", played, cwd=tmp_path).splitlines()
    cup(tmp_path, boards=2)
    assert "--extend" in tourney("run", played, cwd=tmp_path, status=2)
    tourney("run", played, "--extend", cwd=tmp_path)
    after = tourney("export", played, cwd=tmp_path).splitlines()
    assert len(after) == len(before) + 4
    assert set(before) < set(after)


def test_every_table_and_record_can_be_read(finished: tuple[Path, str], played: Path, tmp_path: Path) -> None:
    said = finished[1]
    assert "trix" in said
    assert "The seed was" in said
    store = tmp_path / "cup.db"
    export = tmp_path / "games.jsonl"
    tourney("export", store, "-o", export, cwd=tmp_path)
    assert tourney("verify", export, cwd=tmp_path).count(": ok, over") == 16
    verdicts = [json.loads(line) for line in tourney("verify", export, "--json", cwd=tmp_path).splitlines()]
    records = [json.loads(line) for line in export.read_text().splitlines()]
    assert [verdict["scores"] for verdict in verdicts] == [record["scores"] for record in records]
    assert tourney("export", store, "--format", "csv", cwd=tmp_path).count("\n") == 1 + 4 * 4 + 12 * 3
    assert "Deal 19" in tourney("show", store, "trix/0/3", cwd=tmp_path)
    assert "Final scores" in tourney("show", export, "0", cwd=tmp_path)
    assert "± " in tourney("crosstable", store, "-c", "vytrix", cwd=tmp_path)
    assert len(json.loads(tourney("crosstable", store, "--json", cwd=tmp_path))) == 2
    assert "دي" in tourney("games", store, cwd=tmp_path)
    closed = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m referee games cup.db >&-"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert (closed.returncode, closed.stderr) == (0, b"")
    ratings = json.loads(tourney("ratings", played, "--json", cwd=tmp_path))
    assert sum(row["mu"] for row in ratings["overall"]["rows"]) == pytest.approx(100)
    assert {row["boards"] for row in ratings["competitions"]["trix"]["rows"]} == {1}

    with sqlite3.connect(store) as connection:
        connection.execute(
            "UPDATE game SET record = x'ff' WHERE board = 0 AND seating = 2 AND competition = 0"
        )
    connection.close()
    said = tourney("verify", store, cwd=tmp_path, status=1)
    assert "trix/0/2: the record is damaged" in said
    assert "trix/0/2 is damaged" in tourney("export", store, cwd=tmp_path, status=2)


def test_an_export_goes_into_a_pipe_and_does_not_take_its_place(played: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        tourney("export", played, "-o", pipe, cwd=tmp_path)
        assert reader.communicate(timeout=30)[0] == tourney("export", played, cwd=tmp_path)
    assert pipe.is_fifo()
    said = tourney("export", played, "-o", "none/x", cwd=tmp_path, status=2)
    assert "none/x cannot be written: No such file or directory" in said
    assert ". cannot be written: Is a directory" in tourney(
        "export", played, "-o", ".", cwd=tmp_path, status=2
    )
    assert not list(tmp_path.glob(".*.new"))


def test_a_dry_run_starts_and_writes_nothing(tmp_path: Path) -> None:
    said = tourney("run", cup(tmp_path), "--dry-run", cwd=tmp_path)
    assert "2 boards of 4 seatings, 8 games" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.toml"]


def test_a_path_with_spaces_and_arabic_letters_works(tmp_path: Path) -> None:
    folder = tmp_path / "كأس الربيع 1"
    folder.mkdir()
    (folder / "بوت.py").write_text((EXAMPLES / "random_bot.py").read_text())
    file = cup(folder, folder / "بوت.py", boards=1)
    tourney("run", file, cwd=tmp_path)
    assert "ana" in tourney("ratings", folder / "cup.db", cwd=tmp_path)


def test_a_bot_that_never_joins_is_named_with_the_end_of_its_stderr(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit('no such model: weights.bin')\n")
    file = cup(tmp_path, boards=1)
    text = file.read_text().replace(str(EXAMPLES / "random_bot.py"), str(bad), 1)
    file.write_text(text + "\n[faults]\nrestarts = 0\n")
    said = tourney("run", file, cwd=tmp_path)
    assert "no such model: weights.bin" in said
    assert "ana" in said
    assert tourney("games", "cup.db", cwd=tmp_path).count("ana") >= 4


def test_bad_input_is_one_line_and_status_2(tmp_path: Path) -> None:
    file = cup(tmp_path)
    (tmp_path / "text.db").write_text("no store")
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "long.json").write_text("1" * 6000)
    cases: list[tuple[list[object], str]] = [
        (["rnu", file], "run"),
        (["run", "none.toml"], "none.toml"),
        (["run"], "tournament file"),
        (["run", "--game", "trxi", "--bot", "python3"], "trix"),
        (["run", file, "--jobs", 0], "--jobs 0"),
        (["run", file, "--jbs", 1], "--jobs"),
        (["run", file, "--store", "text.db"], "text.db"),
        (["run", file, "--game", "trix"], "--game"),
        (["run", "--game", "vytrix", "--bot", "python3", "--option", "players=5"], "players"),
        (["run", "--game", "vytrix", "--bot", "python3", "--option", "players"], "KEY=VALUE"),
        (["run", "--game", "trix", "--option", "partners=true", "--option", "partners=true"], "twice"),
        (["run", file, "--store", "none/x.db", "--dry-run"], "none/x.db"),
        (["run", file, "--store", "a\nb/x.db"], "b/x.db"),
        (["ratings", "a" * 300], "aaa"),
        (["rate", "long.json"], "long.json"),
        (["ratings", "none.db"], "none.db"),
        (["ratings", "text.db"], "text.db"),
        (["games", file], "cup.db"),
        (["show", "text.db", "x"], "x"),
        (["verify", "none.jsonl"], "none.jsonl"),
        (["rate", "bad.json"], "bad.json"),
        (["export"], "CUP"),
    ]
    for arguments, named in cases:
        said = tourney(*arguments, cwd=tmp_path, status=2)
        assert named in said, (arguments, said)
        assert said.count("\n") == 1, (arguments, said)
