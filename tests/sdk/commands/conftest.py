"""Commands run in this process, in a folder of their own, and what they load is forgotten again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest

from cardtable.commands import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    status: int
    out: str
    err: str


class Command(Protocol):
    """Runs `cardtable` with these arguments."""

    def __call__(self, *arguments: object) -> Done: ...


@pytest.fixture
def cardtable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Command]:
    """The command, in a new folder."""
    path, modules = list(sys.path), set(sys.modules)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Done:
        try:
            status = main([str(one) for one in arguments])
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        told = capsys.readouterr()
        return Done(status, told.out, told.err)

    yield run
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
