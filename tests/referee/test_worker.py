from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING

from referee.worker import _remove_left_over

if TYPE_CHECKING:
    from pathlib import Path


def test_folders_of_dead_workers_are_removed_and_no_others(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as alive, socket.socket(socket.AF_UNIX) as dead:
        for name, server in (("alive", alive), ("dead", dead)):
            (tmp_path / f"cardtable-{name}").mkdir()
            server.bind(str(tmp_path / f"cardtable-{name}" / "referee.sock"))
        alive.listen()
        dead.close()
        for name in ("cardtable-empty", "cardtable-other", "else"):
            (tmp_path / name).mkdir()
        (tmp_path / "cardtable-other" / "file").touch()
        for folder in tmp_path.iterdir():
            os.utime(folder, (time.time() - 100,) * 2)
        (tmp_path / "cardtable-new").mkdir()
        _remove_left_over(tmp_path)
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == ["cardtable-alive", "cardtable-new", "cardtable-other", "else"]
