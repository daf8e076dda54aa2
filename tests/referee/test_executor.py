"""The pool of workers at its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABRUPT = """
import os, threading, time
from referee.executor import local_pool, stop_workers
if __name__ == "__main__":
    pool = local_pool(1)
    pool.submit(time.sleep, 0).result()
    stop_workers(patient=True)
    print(threading.active_count(), flush=True)
    os._exit(3)
"""


def test_ended_workers_leave_neither_threads_nor_words(tmp_path: Path) -> None:
    script = tmp_path / "abrupt.py"
    script.write_text(ABRUPT)
    done = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "1\n", "")
