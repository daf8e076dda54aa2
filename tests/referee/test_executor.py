"""The pool of workers at its end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ABRUPT = """
import os, time
from referee.executor import local_pool, stop_workers
if __name__ == "__main__":
    pool = local_pool(1)
    pool.submit(time.sleep, 0).result()
    stop_workers()
    os._exit(3)
"""


def test_a_run_that_leaves_at_once_says_nothing_of_what_its_workers_left(tmp_path: Path) -> None:
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
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "")
