"""`cardtable check` with real processes: who behaves passes, and what is wrong is found and leaves nothing behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

import pytest

from cardtable.conformance import Limits, Match, Outcome, Program, examine
from tests.e2e.blocks import BOTS, JAVASCRIPT, NODE_READY, needs_bwrap

if TYPE_CHECKING:
    from cardtable.conformance import Report

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
MATCH = Match("vytrix", {"players": 3, "target": 0, "max_hands": 1})
LIMITS = Limits(start_seconds=15, first_move_seconds=5, move_ms=2000, stop_seconds=3)


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs the /proc of Linux")


def examined(bot: str, *arguments: object, limits: Limits = LIMITS) -> Report:
    program = Program((sys.executable, str(BOTS / bot), *map(str, arguments)), ROOT)
    return examine(program, limits=limits, matches=[MATCH], games=1)


def failures(report: Report) -> dict[str, str]:
    failed = [check for check in report.checks if check.outcome is Outcome.FAILED]
    assert all(check.advice for check in failed)
    return {check.name: f"{check.found} -> {check.advice}" for check in failed}


def alive(numbers: Path) -> list[int]:
    """Of the processes whose numbers are there, those that live."""
    living = []
    for number in map(int, numbers.read_text().split()):
        try:
            stat = Path(f"/proc/{number}/stat").read_text()
        except OSError:
            continue
        if stat[stat.rindex(")") + 2] not in "ZX":
            living.append(number)
    return living


def test_a_bot_that_behaves_passes() -> None:
    report = examined("checked_bot.py", "behaves")
    assert failures(report) == {}
    assert report.figures.decisions > 30


@pytest.mark.parametrize(
    ("bot", "how", "name", "words"),
    [
        ("raw_bot.py", ["exits"], "joins", "no engine found"),
        ("raw_bot.py", ["old-protocol"], "joins", "speak protocol 1"),
        ("raw_bot.py", ["no-game"], "joins", "no game"),
        ("raw_bot.py", ["empty"], "plays vytrix", "malformed"),
        ("faulty_bot.py", ["illegal", 3], "plays vytrix", "illegal"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_found(bot: str, how: list[object], name: str, words: str) -> None:
    assert words in failures(examined(bot, *how))[name]


def test_each_thing_that_is_wrong_is_found_though_another_is_too() -> None:
    found = failures(examined("checked_bot.py", "frail"))
    found.pop("think time", None)  # on a loaded machine it may be slow as well
    assert list(found) == ["late answers", "restart in mid-game", "no protocol on stdout"]
    assert "has not asked for this" in found["late answers"]
    assert "does not know what came before" in found["restart in mid-game"]
    assert "no text" in found["no protocol on stdout"]


@pytest.mark.parametrize(
    ("how", "limits", "name", "words"),
    [
        ("never-joins", Limits(start_seconds=0.5), "joins", "not joined within 0.5 s"),
        ("half", Limits(first_move_seconds=0.5, move_ms=300), "answers batches", "of 16 questions"),
        ("slow", Limits(move_ms=100), "think time", "100 ms"),
    ],
    ids=["never-joins", "half", "slow"],
)
def test_what_takes_too_long_is_found(how: str, limits: Limits, name: str, words: str) -> None:
    assert words in failures(examined("checked_bot.py", how, limits=limits))[name]


@linux_only
@pytest.mark.parametrize("how", ["detached", "stays-and-detached"])
def test_a_detached_child_is_found_and_ended(tmp_path: Path, how: str) -> None:
    limits = Limits(stop_seconds=0.3 if how.startswith("stays") else 3)
    found = failures(examined("checked_bot.py", how, tmp_path / "numbers", limits=limits))
    assert "time.sleep(300)" in found["leaves no process"]
    assert ("exits" in found) == how.startswith("stays")
    assert alive(tmp_path / "numbers") == []


def test_a_program_that_cannot_be_started_is_an_error_of_the_system(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    nothing.write_text("no program")
    nothing.chmod(0o755)
    with pytest.raises(OSError, match=r"[Ee]xec format error"):
        examine(Program((str(nothing),), tmp_path), matches=[MATCH], games=1)


@linux_only
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGKILL, -9)],
    ids=["Ctrl-C", "SIGKILL"],
)
def test_however_the_check_ends_no_process_of_the_bot_outlives_it(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    numbers = tmp_path / "numbers"
    os.mkfifo(tmp_path / "fifo")
    watched = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    # All processes of the bot have the fifo open to write, so that its end is their end.
    bot = f"sh -c 'exec {sys.executable} {BOTS / 'checked_bot.py'} hangs {numbers} 3>{tmp_path / 'fifo'}'"
    command = [sys.executable, "-m", "cardtable", "check", bot, "--game", "vytrix"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("ok    joins")
        process.send_signal(number)
        assert process.wait(20) == status
    ready, _, _ = select.select([watched], [], [], 20)
    assert ready
    assert os.read(watched, 1) == b""
    os.close(watched)
    until = time.monotonic() + 10
    while alive(numbers) and time.monotonic() < until:
        time.sleep(0.01)
    assert len(numbers.read_text().split()) >= 2
    assert alive(numbers) == []


def command_line(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardtable", "check", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_a_report_is_json_on_demand_with_status_0_when_all_holds() -> None:
    done = command_line("python examples/random_bot.py", "--game", "vytrix", "--games", 1, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert {check["outcome"] for check in report["checks"]} == {"ok", "note"}
    assert report["figures"]["decisions"] > 100


def test_status_1_when_something_fails() -> None:
    done = command_line("python tests/bots/raw_bot.py exits", "--game", "vytrix")
    assert (done.returncode, done.stderr) == (1, "")
    assert "FAIL  joins" in done.stdout
    assert done.stdout.endswith("The one check that could be made failed.\n")


@pytest.mark.parametrize("bad", [["no-such-program"], ["'"], ["python bot.py", "--games", "0"]])
def test_status_2_for_bad_input(bad: list[str]) -> None:
    done = command_line(*bad)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_a_command_that_is_none_is_one_line() -> None:
    assert command_line("no-such-program").stderr.count("\n") == 1


def cup(folder: Path, *, sandbox: str = "limits", more: str = "") -> Path:
    """A tournament in whose second competition ana alone does not play."""
    bots = folder / "bots"
    bots.mkdir()
    for name in ("checked_bot.py", "raw_bot.py"):
        (bots / name).write_text((BOTS / name).read_text())
    text = f'[run]\nsandbox = "{sandbox}"\n[clocks]\nmove_ms = 1234\n{more}'
    for name, hands in (("short", 1), ("long", 2)):
        text += f'[[competition]]\nname = "{name}"\ngame = "vytrix"\n'
        text += f"variant = {{ players = 3, target = 0, max_hands = {hands} }}\n"
    text += '[[bot]]\nname = "ana"\nfolder = "bots"\ncommand = "python checked_bot.py behaves"\n'
    text += 'competitions = ["short"]\n'
    for name, command in (
        ("bo", "checked_bot.py behaves"),
        ("cy", "raw_bot.py exits"),
        ("di", "raw_bot.py exits"),
    ):
        text += f'[[bot]]\nname = "{name}"\nfolder = "bots"\ncommand = "python {command}"\n'
    (folder / "cup.toml").write_text(text)
    return folder / "cup.toml"


def tourney(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "referee", "check", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_bot_of_a_tournament_plays_its_competitions_alone_under_the_files_clocks(tmp_path: Path) -> None:
    done = tourney(cup(tmp_path), "Ana", "--games", 1)
    assert (done.returncode, done.stderr) == (0, "")
    played = [line for line in done.stdout.splitlines() if "plays vytrix" in line]
    assert len(played) == 1
    assert "short: 1 game" in played[0]
    assert "of 1234 that are allowed" in done.stdout
    assert done.stdout.endswith("1 of 1 bots fit.\n")


def test_all_bots_of_a_tournament_are_checked_and_a_remote_one_is_named(tmp_path: Path) -> None:
    file = cup(tmp_path, more='[remote]\nlisten = "localhost:7654"\n')
    with file.open("a") as text:
        text.write('[[bot]]\nname = "far"\nremote = true\n')
    done = tourney(file, "--games", 1, "--json", "--start-seconds", 20)
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    bots = {bot["bot"]: bot for bot in report["bots"]}
    assert {name: bot["ok"] for name, bot in bots.items()} == {
        "ana": True,
        "bo": True,
        "cy": False,
        "di": False,
        "far": None,
    }
    assert "s of 20: " in bots["ana"]["checks"][0]["found"]
    assert "remote" in bots["far"]["why_not"]
    assert [check["name"] for check in bots["bo"]["checks"]].count("plays vytrix") == 2
    assert report["ok"] is False


@pytest.mark.parametrize(
    ("bot", "words"), [("anna", 'did you mean "ana"?'), ("zzz", "there are ana, bo, cy, di")]
)
def test_a_bot_that_the_file_has_not_is_one_line(tmp_path: Path, bot: str, words: str) -> None:
    done = tourney(cup(tmp_path), bot)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert words in done.stderr


@needs_bwrap
def test_with_boxes_in_the_file_each_bot_is_checked_in_its_box(tmp_path: Path) -> None:
    file = cup(tmp_path, sandbox="bwrap")
    secret = tmp_path / "secret"
    secret.write_text("the seed")
    first = "from __future__ import annotations\n"
    looks = f"from pathlib import Path\nassert not Path({str(secret)!r}).exists(), 'this is no box'\n"
    bot = (BOTS / "checked_bot.py").read_text().replace(first, first + looks)
    (tmp_path / "bots" / "checked_bot.py").write_text(bot)
    done = tourney(file, "ana", "--games", 1)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.skipif(
    not NODE_READY and not os.environ.get("CARDTABLE_NO_SKIPS"),
    reason="needs Node.js, and `npm ci` in examples/javascript",
)
def test_the_bot_in_javascript_passes() -> None:
    node = which("node")
    assert node is not None
    report = examine(Program((node, "bot.js"), JAVASCRIPT), game="vytrix", games=1)
    assert failures(report) == {}
