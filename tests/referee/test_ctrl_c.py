"""Ctrl-C is heard whatever Python does when it comes."""

from __future__ import annotations

import signal
import subprocess
import sys

#: A command that drops an object whose end takes long, and is interrupted within that.
PROGRAM = """
import sys, time
from referee import cli

class Slow:
    def __del__(self):
        print("in a callback", flush=True)
        time.sleep(30)

def run(arguments):
    Slow()
    time.sleep(30)
    return 0

cli.run = run
cli.main([])
"""


def test_it_is_heard_after_a_callback_that_cannot_be_interrupted() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b""
