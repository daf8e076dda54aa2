"""Plays its first legal action; at its first decision it writes down what it can see: `spy_bot.py PATH...`.

On its output, one line each: what of the paths it can read, the processes it sees, where it could write, which
networks it has, and the variables of its environment that are not its own.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

from cardtable import Bot, run


class SpyBot(Bot):
    _has_looked = False

    def trix(self, view: Any) -> Any:
        return self._act(view)

    def vytrix(self, view: Any) -> Any:
        return self._act(view)

    def _act(self, view: Any) -> Any:
        if not SpyBot._has_looked:
            SpyBot._has_looked = True
            look()
        return next(iter(view.legal_actions))


def look() -> None:
    for name in sys.argv[1:]:
        path = Path(name)
        try:
            _ = list(path.iterdir()) if path.is_dir() else path.read_bytes()
        except OSError:
            continue
        print(f"reads {path}")
    others = [
        path for path in Path("/proc").iterdir() if path.name.isdigit() and path.name != str(os.getpid())
    ]
    print(f"sees {len([path for path in others if _command_of(path) not in ('', 'bwrap')])} processes")
    for folder in ("/", "/usr", "/dev", ".", "/tmp", "/dev/shm"):
        try:
            Path(folder, "spy").write_text("here")
        except OSError:
            continue
        print(f"writes {folder}")
    # Looked at only: one could change the machine.
    for switch in ("/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger"):
        if os.access(switch, os.W_OK):
            print(f"writes {switch}")
    print(f"networks {','.join(name for _, name in socket.if_nameindex())}", flush=True)


def _command_of(process: Path) -> str:
    try:
        return (process / "comm").read_text().strip()
    except OSError:
        return ""


if __name__ == "__main__":
    run(SpyBot)
