"""What holds for all tests: where CARDTABLE_NO_SKIPS is set, as in CI, a skipped test is a failed run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_SKIPPED: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the names of skipped tests."""
    if report.skipped:
        _SKIPPED.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run where nothing may be skipped."""
    if _SKIPPED and os.environ.get("CARDTABLE_NO_SKIPS"):
        print("\nnothing may be skipped here, but these were:", *_SKIPPED, sep="\n  ")
        session.exitstatus = 1
