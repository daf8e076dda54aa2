"""The parent of one process of a bot: starts it, and ends it with all that it started when whoever asked for it is gone.

Runs by its file as a process of its own, so that no check which is killed leaves a bot, and so that a process that has
loaded gRPC forks none of our code. It judges nothing, passes its standard output and error on to the bot, and imports
nothing of this package.

    to the guardian    one line of JSON, {"argv", "cwd", "env"}; the end of standard input is the end of all
    from the guardian  lines of JSON, to the descriptor that its first argument names:
                       {"pid"}, or {"errno", "error"} when the program cannot be started; then {"status"} when it has ended
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["main"]

_PR_SET_CHILD_SUBREAPER = 36
_KILL_SECONDS = 0.002


def _read_order() -> dict[str, object] | None:
    """The order; None when nobody is there to give one."""
    text = b""
    while not text.endswith(b"\n"):
        data = os.read(0, 65536)
        if not data:
            return None
        text += data
    order: dict[str, object] = json.loads(text)
    return order


def _tell(events: int, **event: object) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(events, json.dumps(event).encode() + b"\n")


def _guard(bot: subprocess.Popen[bytes], events: int, wake: int) -> None:
    """Wait for the end of standard input; tell of the bot's end, and take in the ends of orphans."""
    with selectors.DefaultSelector() as selector:
        selector.register(0, selectors.EVENT_READ)
        selector.register(wake, selectors.EVENT_READ)
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if wake in ready and any(number != signal.SIGCHLD for number in os.read(wake, 4096)):
                return
            for pid, status in _ended():
                if pid == bot.pid:
                    bot.returncode = os.waitstatus_to_exitcode(status)
                    _tell(events, status=bot.returncode)
            if 0 in ready and not os.read(0, 4096):
                return


def _ended() -> Iterable[tuple[int, int]]:
    """Children that have ended, and how."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            yield pid, status


def _end_all(bot: subprocess.Popen[bytes]) -> None:
    """Kill the bot's session and every descendant: orphans are adopted here, so at last all are children of ours."""
    while True:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(bot.pid, signal.SIGKILL)
        for pid in _descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_KILL_SECONDS)


def _descendants(root: int) -> list[int]:
    """All that lives below a process; nothing where the system has no /proc."""
    children: dict[int, list[int]] = {}
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would take longer to import than all of this takes
            if name.isdigit():
                with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - as above
                    text = file.read()
                    fields = text[text.rindex(b")") + 2 :].split()
                    if fields[0] != b"Z":
                        children.setdefault(int(fields[1]), []).append(int(name))
    found, open_ = [], [root]
    while open_:
        below = children.get(open_.pop(), [])
        found += below
        open_ += below
    return found


def main(events: int) -> int:
    """Start the bot and guard it.

    Args:
        events: The descriptor that is told what happens.
    """
    os.set_inheritable(events, False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wake, wake_write = os.pipe()
    for end in (wake, wake_write):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    # Handlers and not SIG_IGN, which the bot would inherit.
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    order = _read_order()
    if order is None:
        return 0
    try:
        bot = subprocess.Popen(
            order["argv"],  # type: ignore[call-overload]  # what the line of JSON holds
            cwd=order["cwd"],
            env=order["env"],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        _tell(events, errno=error.errno, error=error.strerror)
        return 0
    try:
        # So that the bot's output ends with the bot.
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        _tell(events, pid=bot.pid)
        _guard(bot, events, wake)
    finally:
        _end_all(bot)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
