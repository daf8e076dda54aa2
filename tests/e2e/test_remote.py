"""Bots that their owners run elsewhere dial in with TLS and a token, and may lose their connection."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.blocks import BOTS

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long

TLS = Path(__file__).parent / "tls"


class Cup:
    """A tournament with one remote bot, running."""

    def __init__(self, folder: Path, stack: ExitStack, *, tls: bool, more: str = "", boards: int = 1) -> None:
        self.folder = folder
        self._stack = stack
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        secure = ""
        if tls:
            for name in ("certificate.pem", "key.pem"):
                shutil.copy(TLS / name, folder)
            secure = 'certificate = "certificate.pem"\nkey = "key.pem"\n'
        self.file = folder / "cup.toml"
        self.file.write_text(
            f'[remote]\nlisten = "localhost:{port}"\n{secure}{more}'
            '[[competition]]\ngame = "vytrix"\n'
            f"boards = {boards}\nvariant = {{ players = 3, max_bid = 6, target = 0, max_hands = 1 }}\n"
            '[[bot]]\nname = "far"\nremote = true\n'
            + "".join(
                f'[[bot]]\nname = "{name}"\ncommand = ["python3", "{BOTS / "faulty_bot.py"}", "none", "0"]\n'
                for name in ("ana", "bo")
            )
        )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "run", str(self.file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        stack.callback(kill, self.process)
        self.invitations: list[dict[str, str]] = []
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if "The tokens are kept in" in line:
                break
            if ", seat " in line:
                words = [word.split("=", 1) for word in line.split(": ", 1)[1].split()]
                self.invitations.append(dict(words))

    def dial(self, seat: int, *command: object, **environment: str) -> subprocess.Popen[str]:
        """Start the remote bot's process for a seat."""
        words = [sys.executable, *map(str, command or (BOTS / "faulty_bot.py", "none", 0))]
        process = subprocess.Popen(
            words,
            cwd=self.folder,
            env={**os.environ, **self.invitations[seat], **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._stack.callback(kill, process)
        return process

    def end(self) -> tuple[int, str]:
        """Wait for the end: the status and all that was printed."""
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, self.said + out + err

    def faults(self) -> list[tuple[str, str]]:
        done = subprocess.run(
            [sys.executable, "-m", "referee", "faults", str(self.folder / "cup.db"), "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        faults = [json.loads(line) for line in done.stdout.splitlines()]
        return [(fault["bot"], fault["cause"]) for fault in faults]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as everything:
        yield everything


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    if process.stdout is not None and not process.stdout.closed:
        process.communicate()


def test_a_remote_bot_plays_over_tls_with_the_tokens_that_were_printed(
    tmp_path: Path, stack: ExitStack
) -> None:
    cup = Cup(tmp_path, stack, tls=True)
    assert [sorted(one) for one in cup.invitations] == [
        ["CARDTABLE_REFEREE", "CARDTABLE_TLS", "CARDTABLE_TOKEN"]
    ] * 3
    assert len({one["CARDTABLE_TOKEN"] for one in cup.invitations}) == 3
    tokens = tmp_path / "cup.tokens"
    assert tokens.stat().st_mode & 0o777 == 0o600
    bots = [cup.dial(seat) for seat in range(3)]
    status, said = cup.end()
    assert status == 0, said
    assert "far ran elsewhere: it played without isolation" in said
    assert cup.faults() == []
    for bot in bots:
        out, _ = bot.communicate(timeout=30)
        assert bot.returncode == 0, out
    # Of another run, the same tokens hold.
    assert [one["CARDTABLE_TOKEN"] for one in cup.invitations] == json.loads(tokens.read_text())["far"]


def test_who_has_no_right_or_no_certificate_does_not_get_in(tmp_path: Path, stack: ExitStack) -> None:
    cup = Cup(tmp_path, stack, tls=True)
    cases = (
        ({"CARDTABLE_TOKEN": "guessed"}, 3, "has this token"),
        ({"CARDTABLE_TLS": ""}, 4, "no referee answers"),
        ({"CARDTABLE_TLS": "system"}, 4, "no referee answers"),
        ({"CARDTABLE_TLS": "nowhere.pem"}, 2, "nowhere.pem cannot be read"),
        ({"CARDTABLE_RETRY_SECONDS": "soon"}, 2, "is a number of seconds, not 'soon'"),
    )
    strangers = [cup.dial(0, **{"CARDTABLE_RETRY_SECONDS": "1", **change}) for change, _, _ in cases]
    for stranger, (_, code, said) in zip(strangers, cases, strict=True):
        out, _ = stranger.communicate(timeout=60)
        assert stranger.returncode == code
        assert said in out


def test_who_never_dials_in_forfeits_when_the_time_is_up(tmp_path: Path, stack: ExitStack) -> None:
    cup = Cup(tmp_path, stack, tls=False, more="join_seconds = 1\n")
    status, said = cup.end()
    assert status == 0
    assert "far, seat 0: did not join within 1 s" in said
    assert cup.faults() == [("far", "start")] * 3


class Wire:
    """A line to the referee that can be cut."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = host, int(port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"localhost:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self.dialled = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            try:
                there = socket.create_connection(self._target)
            except OSError:
                here.close()  # nobody listens yet
                continue
            self.dialled += 1
            self._open += [here, there]
            for source, sink in ((here, there), (there, here)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def _carry(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for one in (source, sink):
            one.close()

    def cut(self) -> None:
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        self._open.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()


def test_a_connection_that_is_lost_is_dialled_anew_and_costs_no_fault(
    tmp_path: Path, stack: ExitStack
) -> None:
    cup = Cup(tmp_path, stack, tls=False, boards=4)
    wire = Wire(cup.invitations[0]["CARDTABLE_REFEREE"])
    stack.callback(wire.close)
    mark = tmp_path / "mark"
    bots = [
        cup.dial(seat, BOTS / "faulty_bot.py", "marks", 20, mark, CARDTABLE_REFEREE=wire.address)
        for seat in range(3)
    ]
    subprocess.run(["sh", "-c", f"until [ -e '{mark}' ]; do sleep 0.02; done"], check=True, timeout=60)
    wire.cut()
    status, said = cup.end()
    assert status == 0, said
    assert cup.faults() == []
    assert wire.dialled > 3
    assert any("dialling in again" in bot.communicate(timeout=60)[0] for bot in bots)


def test_a_remote_bot_that_is_late_comes_back_and_plays_on(tmp_path: Path, stack: ExitStack) -> None:
    cup = Cup(tmp_path, stack, tls=False, more="[clocks]\nmove_ms = 2000\nfirst_move_seconds = 2\n")
    bots = [cup.dial(seat, BOTS / "faulty_bot.py", "late", 5, tmp_path / "mark") for seat in range(3)]
    status, said = cup.end()
    assert status == 0, said
    assert cup.faults() == [("far", "timeout")]
    assert [(bot.communicate(timeout=60), bot.returncode)[1] for bot in bots] == [0, 0, 0]


def test_a_run_that_is_broken_off_goes_on_with_the_same_tokens(tmp_path: Path, stack: ExitStack) -> None:
    first = Cup(tmp_path, stack, tls=False)
    first.process.send_signal(signal.SIGINT)
    assert first.end()[0] == 130
    again = Cup(tmp_path, stack, tls=False)
    tokens = [[one["CARDTABLE_TOKEN"] for one in cup.invitations] for cup in (first, again)]
    assert tokens[0] == tokens[1]
