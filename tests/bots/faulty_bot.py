"""Plays its first legal action, and misbehaves once in each process: `faulty_bot.py HOW WHEN [FILE]`.

WHEN counts the decisions of this process, from 1; with FILE only the process that creates it misbehaves. `thinks` does
what it should, and takes 50 ms for each of the first WHEN decisions at a table.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from cardtable import Bot, run
from cardtable.cards import CARDS

HOW, WHEN = sys.argv[1], int(sys.argv[2])
#: Multiplies as fast as it can, up to as many processes as there are bytes in a pipe: no test may take the machine.
BOMB = """
import os, time
tokens, filled = os.pipe()
os.write(filled, bytes(2000))
os.set_blocking(tokens, False)
while True:
    try:
        os.read(tokens, 1)
        os.fork()
    except OSError:
        time.sleep(60)
"""
MARK = Path(sys.argv[3]) if len(sys.argv) > 3 else None


class FaultyBot(Bot):
    decisions = 0
    #: At this table.
    _decided = 0

    def trix(self, view: Any) -> Any:
        return self.act(view)

    def vytrix(self, view: Any) -> Any:
        return self.act(view)

    def act(self, view: Any) -> Any:
        FaultyBot.decisions += 1
        if HOW == "crash-on-bids" and view.step.name == "BID":
            os._exit(4)
        self._decided += 1
        if HOW == "thinks" and self._decided <= WHEN:
            time.sleep(0.05)
        elif FaultyBot.decisions == WHEN and may_misbehave():
            match HOW:
                case "illegal":
                    return next(card for card in CARDS if card not in view.legal_actions)
                case "hang":
                    threading.Event().wait()
                case "exit":
                    print("about to leave", file=sys.stderr, flush=True)
                    os._exit(3)
                case "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                case "marks":
                    pass
                case "raise":
                    raise RuntimeError("broken on purpose")
                case "comment":
                    self.comment("x" * 300)
                case "children":
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    subprocess.Popen(["sleep", "1000"], start_new_session=True)
                    print("has a child", flush=True)
                    threading.Event().wait()
                case "memory":
                    eaten = bytearray(600 << 20)
                    threading.Event().wait(60)
                    print(len(eaten))
                case "crowd":
                    for _ in range(40):
                        subprocess.Popen(["sleep", "1000"], start_new_session=True)
                    threading.Event().wait(60)
                case "flood":
                    for stream in (sys.stdout, sys.stderr):
                        for _ in range(50):
                            stream.buffer.write(b"flood flood flood\n" * 60_000)
                        stream.flush()
                case "endless":
                    for _ in range(30):
                        sys.stderr.buffer.write(b"x" * (1 << 20))
                    sys.stderr.buffer.flush()
                case "no-text":
                    sys.stderr.buffer.write(b"\xff\xfe\x80 \xc3( \x1b[31m\x00 end of it\n")
                    sys.stderr.buffer.flush()
                    os._exit(3)
                case "writes-on":
                    while True:
                        sys.stdout.write("on and on " * 6000)
                case "late":
                    time.sleep(3.5)
                case "bomb":
                    subprocess.Popen([sys.executable, "-c", BOMB], start_new_session=True)
                    threading.Event().wait(60)
                case "cpu":
                    while time.process_time() < 60:
                        pass
                case "noise":
                    print("noise " * 1000, flush=True)
                case _:
                    raise ValueError(HOW)
        return next(iter(view.legal_actions))


def may_misbehave() -> bool:
    if MARK is None:
        return True
    if MARK.exists():
        return False
    MARK.touch()
    return True


run(FaultyBot)
