"""Plays at random and writes down what it was shown: its process, seat, and the hand that each deal began with.

The folder comes from RECORDING_FOLDER; a process writes one file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from cardtable import Bot, run


class RecordingBot(Bot):
    """Plays at random and keeps a diary."""

    _begun = False

    def seated(self) -> None:
        self._write({"seat": self.table.seat, "names": self.table.names})

    def deal_ended(self, summary: object) -> None:  # noqa: ARG002 - the hook's form
        self._begun = False

    def trix(self, view: Any) -> Any:
        return self._play(view, 13)

    def vytrix(self, view: Any) -> Any:
        return self._play(view, 13 if self.table.players == 4 else 16)

    def _play(self, view: Any, size: int) -> Any:
        if len(view.hand) == size and not self._begun:
            self._begun = True
            self._write({"hand": str(view.hand)})
        return view.legal_actions.sample(self.random)

    def _write(self, entry: dict[str, object]) -> None:
        path = Path(os.environ["RECORDING_FOLDER"], f"{os.getpid()}.jsonl")
        with path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    run(RecordingBot)
