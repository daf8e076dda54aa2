"""What holds for all tests: where CARDTABLE_NO_SKIPS is set, as in CI, a skipped test is a failed run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

_SKIPPED: list[str] = []
#: What `referee.sandbox.check_bwrap` says where bwrap is there and the system forbids what it does.
UNMENDABLE = "this system does not allow it"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the names of skipped tests, but for what no installation could mend."""
    if report.skipped and UNMENDABLE not in str(report.longrepr):
        _SKIPPED.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run where nothing may be skipped."""
    if _SKIPPED and os.environ.get("CARDTABLE_NO_SKIPS"):
        print("\nnothing may be skipped here, but these were:", *_SKIPPED, sep="\n  ")
        session.exitstatus = 1
