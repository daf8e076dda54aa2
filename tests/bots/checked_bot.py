"""Plays its first legal action, and has one thing that `cardtable check` finds: `checked_bot.py HOW [FILE]`.

Each process writes its number as a line into FILE, and so does what it starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardtable.serve
from cardtable import Bot, run
from cardtable.serve import serve
from cardtable.wire import service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardtable.v1 import table_pb2

HOW = sys.argv[1]
NUMBERS = Path(sys.argv[2]) if len(sys.argv) > 2 else None
SLEEP = [sys.executable, "-c", "import time; time.sleep(300)"]


class CheckedBot(Bot):
    decided = 0

    def trix(self, view: Any) -> Any:
        return self.act(view)

    def vytrix(self, view: Any) -> Any:
        return self.act(view)

    def act(self, view: Any) -> Any:
        CheckedBot.decided += 1
        if HOW == "slow" and CheckedBot.decided > 1:
            time.sleep(0.25)
        elif HOW == "hangs" and CheckedBot.decided > 20:
            print("hanging", flush=True)
            threading.Event().wait()
        elif HOW == "frail" and CheckedBot.decided == 1 and (view.hand_number > 1 or view.played):
            raise RuntimeError("does not know what came before")
        return next(iter(view.legal_actions))

    def faulted(self, _: Any) -> None:
        if HOW == "frail":
            raise RuntimeError("has not asked for this")


def write_down(number: int) -> None:
    if NUMBERS:
        with NUMBERS.open("a") as file:
            file.write(f"{number}\n")


def start_detached() -> None:
    """A child in a session of its own, without the environment that would tell whose it is."""
    child = subprocess.Popen(
        SLEEP, start_new_session=True, env={}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    write_down(child.pid)
    child.returncode = 0  # it is meant to outlive us, so that nothing has to be said of it


def first_only(request: table_pb2.PlayRequest) -> table_pb2.PlayRequest:
    del request.answers[1:]
    return request


def halved(channel: Any) -> Any:
    """The call, with one answer of each message only."""
    whole = service.play(channel)

    def begin(requests: Iterator[table_pb2.PlayRequest], **options: Any) -> Any:
        return whole(map(first_only, requests), **options)

    return begin


def main() -> None:
    write_down(os.getpid())
    match HOW:
        case "never-joins":
            threading.Event().wait()
        case "frail":
            sys.stdout.buffer.write(b"\x00\x10\xff\xfe")
            sys.stdout.flush()
        case "detached" | "stays-and-detached" | "hangs":
            start_detached()
        case "half":
            cardtable.serve.play = halved  # type: ignore[attr-defined]  # on purpose
    if HOW.startswith("stays"):
        serve(CheckedBot, os.environ["CARDTABLE_REFEREE"], os.environ["CARDTABLE_TOKEN"])
        threading.Event().wait()
    run(CheckedBot)


main()
