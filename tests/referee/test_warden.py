"""The warden starts programs, keeps what they write, and leaves nothing behind, whatever ends it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

import referee.warden
from referee.bot_process import log_path
from referee.warden import TAIL_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator


class Pipe:
    """A warden, spoken to as its worker does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.private = folder / "private"
        self.private.mkdir()
        (self.private / "referee.sock").touch()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(referee.warden.__file__), str(self.private)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def tell(self, **order: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()

    def start(self, key: int, script: str, *, log_bytes: int = 10_000, **changes: object) -> None:
        order: dict[str, object] = {
            "argv": ["sh", "-c", script],
            "cwd": str(self.folder),
            "env": {"PATH": os.environ["PATH"], "CARDTABLE_TOKEN": f"token-{key}"},
            "log": str(self.folder / "logs" / f"{key}.log"),
            "log_bytes": log_bytes,
        }
        self.tell(do="start", id=key, **{**order, **changes})

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        event = json.loads(self.process.stdout.readline())
        assert isinstance(event, dict)
        return event

    def hear_until(self, name: str) -> dict[str, Any]:
        while (event := self.hear())["event"] != name:
            pass
        return event

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


@pytest.fixture
def warden(tmp_path: Path) -> Iterator[Pipe]:
    pipe = Pipe(tmp_path)
    yield pipe
    pipe.close()


def wait_for_file(path: Path) -> None:
    subprocess.run(["sh", "-c", f"until [ -s '{path}' ]; do sleep 0.01; done"], check=True, timeout=30)


def is_gone(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return bool(psutil.wait_procs([process], timeout=10)[0])
    except psutil.NoSuchProcess:
        return True


def test_an_end_is_told_with_its_status_and_last_words(warden: Pipe) -> None:
    warden.start(1, "echo out; echo err >&2; exit 3")
    started = warden.hear()
    assert (started["event"], started["id"]) == ("started", 1)
    assert warden.hear() == {
        "event": "exited",
        "id": 1,
        "status": 3,
        "tail": "out\nerr\n",
        "error": "",
        "breach": "",
    }
    assert (warden.folder / "logs" / "1.log").read_text() == "out\nerr\n"


def test_standard_input_is_empty(warden: Pipe) -> None:
    warden.start(1, "cat; echo end")
    assert warden.hear_until("exited")["tail"] == "end\n"


def test_an_end_by_a_signal_is_a_negative_status(warden: Pipe) -> None:
    warden.start(1, "kill -9 $$")
    assert warden.hear_until("exited")["status"] == -signal.SIGKILL


def test_a_program_that_is_not_there_is_told_as_its_end(warden: Pipe) -> None:
    warden.start(1, "", argv=["no-such-program"])
    event = warden.hear()
    assert (event["event"], event["status"]) == ("exited", 127)
    assert "no-such-program" in event["error"]
    warden.start(2, "echo still here")
    assert warden.hear_until("exited")["tail"] == "still here\n"


def test_a_folder_that_is_not_there_is_told_by_name(warden: Pipe) -> None:
    warden.start(1, "true", cwd="/no/such/folder")
    assert "/no/such/folder" in warden.hear()["error"]


def test_the_log_is_cut_and_says_so_and_the_tail_goes_on(warden: Pipe) -> None:
    warden.start(1, "yes abcdefg | head -n 4000; echo last", log_bytes=100)
    tail = warden.hear_until("exited")["tail"]
    assert len(tail) == TAIL_BYTES
    assert tail.endswith("abcdefg\nlast\n")
    log = (warden.folder / "logs" / "1.log").read_text()
    assert log.startswith("abcdefg\n" * 12 + "abcd\n[the log is cut here")
    assert len(log) < 200


def test_the_tail_of_a_live_process_can_be_asked_for(warden: Pipe) -> None:
    warden.start(1, f"echo words; echo x > '{warden.folder}/mark'; exec sleep 1000")
    warden.hear()
    wait_for_file(warden.folder / "logs" / "1.log")
    warden.tell(do="tail", id=1)
    assert warden.hear() == {"event": "tail", "id": 1, "tail": "words\n"}
    warden.tell(do="tail", id=7)
    assert warden.hear() == {"event": "tail", "id": 7, "tail": ""}


def test_a_stop_asks_first(warden: Pipe) -> None:
    warden.start(1, "trap 'echo bye; exit 5' TERM; echo x > mark; while :; do sleep 0.01; done")
    wait_for_file(warden.folder / "mark")
    warden.tell(do="stop", id=1, seconds=20)
    event = warden.hear_until("exited")
    assert event["status"] == 5
    assert event["tail"].endswith("bye\n")


def test_a_process_that_does_not_stop_is_killed(warden: Pipe) -> None:
    warden.start(1, "trap '' TERM; echo x > mark; while :; do sleep 0.01; done")
    wait_for_file(warden.folder / "mark")
    warden.tell(do="stop", id=1, seconds=0.05)
    assert warden.hear_until("exited")["status"] == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="adopting orphans needs Linux")
@pytest.mark.parametrize("ending", ["exit", "stop"])
def test_children_go_with_their_process_detached_or_not(warden: Pipe, ending: str) -> None:
    last = "exit 0" if ending == "exit" else "exec sleep 1000"
    script = f"sleep 1000 & (setsid sh -c 'echo $$ > child.new; mv child.new child; exec sleep 1000' &) ; until [ -s child ]; do sleep 0.01; done; {last}"
    warden.start(1, script)
    wait_for_file(warden.folder / "child")
    child = int((warden.folder / "child").read_text())
    if ending == "stop":
        warden.tell(do="stop", id=1, seconds=0.05)
    warden.hear_until("exited")
    assert is_gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="adopting orphans needs Linux")
@pytest.mark.parametrize("how", ["close", "terminate"])
def test_every_descendant_and_the_private_folder_go_with_the_warden(warden: Pipe, how: str) -> None:
    warden.start(1, "trap '' TERM; (setsid sleep 1000 &); echo x > mark; while :; do sleep 0.01; done")
    warden.start(2, "exec sleep 1000")
    wait_for_file(warden.folder / "mark")
    below = psutil.Process(warden.process.pid).children(recursive=True)
    assert len(below) >= 3
    if how == "terminate":
        warden.process.terminate()
    warden.close()
    assert psutil.wait_procs(below, timeout=10)[1] == []
    assert not warden.private.exists()


def test_a_log_has_a_name_that_is_a_file_name() -> None:
    assert log_path("/logs", "a/b c", 2) == Path(f"/logs/a_b_c.2.{os.getpid()}.log")


def test_a_log_that_cannot_be_written_costs_the_log_and_nothing_else(warden: Pipe, tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file in the place of the folder")
    warden.start(1, "echo still here; exit 3")
    ended = warden.hear_until("exited")
    assert ended["status"] == 3
    assert "still here" in ended["tail"]
    (tmp_path / "full.log").symlink_to("/dev/full")
    warden.start(2, "echo and here; exit 4", log=str(tmp_path / "full.log"))
    ended = warden.hear_until("exited")
    assert ended["status"] == 4
    assert "and here" in ended["tail"]


def test_a_bot_that_eats_memory_is_ended_and_its_limit_named(warden: Pipe) -> None:
    eater = f"{sys.executable} -c 'import time; x = bytearray(150 << 20); time.sleep(60)'"
    warden.start(1, f"{eater} & wait", limits={"memory": 100 << 20})
    warden.start(2, "sleep 60", limits={"memory": 100 << 20})
    ended = warden.hear_until("exited")
    assert (ended["id"], ended["status"]) == (1, -signal.SIGKILL)
    assert re.fullmatch(r"used 1\d\d MB of memory, and 100 MB are allowed", ended["breach"])


def test_a_bot_with_too_many_processes_is_ended_with_all_of_them(warden: Pipe) -> None:
    warden.start(1, "for i in 1 2 3 4 5 6 7 8 9; do setsid sleep 60 & done; wait", limits={"processes": 6})
    started = warden.hear_until("started")
    ended = warden.hear_until("exited")
    assert re.fullmatch(r"had \d+ processes, and 6 are allowed", ended["breach"])
    left = psutil.Process(warden.process.pid).children(recursive=True)
    assert psutil.wait_procs(left, timeout=5)[1] == []
    assert is_gone(started["pid"])


def test_open_files_are_bounded_also_for_what_a_bot_starts(warden: Pipe) -> None:
    warden.start(1, "sh -c 'ulimit -n'", limits={"files": 77})
    assert warden.hear_until("exited")["tail"] == "77\n"


MULTIPLIES = """
import os, time
charges = os.open("charges", os.O_RDONLY | os.O_NONBLOCK)
while True:
    try:
        if not os.read(charges, 1):
            break
        os.fork()
    except OSError:
        break
time.sleep(60)
"""


def test_a_bot_that_multiplies_is_held_and_ended_with_all_of_them(warden: Pipe) -> None:
    # As fast as a fork bomb, but one whose charges are counted.
    (warden.folder / "charges").write_bytes(bytes(1000))
    (warden.folder / "bomb.py").write_text(MULTIPLIES)
    warden.start(1, f"{sys.executable} -S bomb.py & exec sleep 60", limits={"processes": 6})
    ended = warden.hear_until("exited")
    assert re.fullmatch(r"had \d+ processes( and threads)?, and 6 (processes )?are allowed", ended["breach"])
    left = psutil.Process(warden.process.pid).children(recursive=True)
    assert psutil.wait_procs(left, timeout=5)[1] == []


def test_a_bot_whose_many_processes_are_gone_before_a_look_is_told_of_all_the_same(warden: Pipe) -> None:
    groups = referee.warden._group_of_groups()
    if os.geteuid() != 0 or groups is None:
        pytest.skip("this system does not allow it: control groups that count tasks")
    (warden.folder / "charges").write_bytes(bytes(1000))
    (warden.folder / "bomb.py").write_text(MULTIPLIES.replace("time.sleep(60)", "os._exit(0)"))
    warden.start(1, f"{sys.executable} -S bomb.py; exit 7", limits={"processes": 6})
    ended = warden.hear_until("exited")
    assert re.fullmatch(r"had \d+ processes( and threads)?, and 6 (processes )?are allowed", ended["breach"])


@pytest.mark.parametrize("worker", ["{burn}", "{burn} & wait", "(setsid {burn} &) ; exec sleep 60"])
def test_a_bot_that_uses_too_much_cpu_is_ended_whoever_of_it_used_it(warden: Pipe, worker: str) -> None:
    burn = "sh -c 'while :; do :; done'"
    warden.start(1, worker.format(burn=burn))
    warden.hear()
    warden.tell(do="allow", id=1, cpu_seconds=0.3)
    ended = warden.hear_until("exited")
    assert re.fullmatch(r"used 0\.\d s of CPU, and 0\.3 s are allowed for so many games", ended["breach"])


def test_the_cpu_of_processes_that_have_ended_counts(warden: Pipe) -> None:
    once = f"{sys.executable} -S -c 'import time; [0 for _ in iter(lambda: time.process_time() > 0.2, True)]'"
    warden.start(1, f"for i in 1 2 3 4 5 6 7 8; do {once}; done; echo end")
    warden.hear()
    warden.tell(do="allow", id=1, cpu_seconds=0.7)
    assert "s of CPU" in warden.hear_until("exited")["breach"]


def test_with_more_games_more_cpu_is_allowed(warden: Pipe) -> None:
    warden.start(1, "head -c 20000000 /dev/urandom | md5sum >/dev/null; echo end")
    warden.hear()
    warden.tell(do="allow", id=1, cpu_seconds=1)
    warden.tell(do="allow", id=1, cpu_seconds=100)
    ended = warden.hear_until("exited")
    assert (ended["tail"], ended["breach"]) == ("end\n", "")


def test_within_its_limits_a_bot_runs_on(warden: Pipe) -> None:
    warden.start(1, "sleep 0.8; echo end", limits={"memory": 100 << 20, "processes": 5, "files": 99})
    ended = warden.hear_until("exited")
    assert (ended["tail"], ended["breach"]) == ("end\n", "")
