"""A bot that floods slows nobody but itself, and takes no more of the referee than its share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import psutil
import pytest

from cardtable.record import FaultCause
from referee import worker
from referee.worker import shutdown
from tests.e2e.blocks import LIMITS, causes, output, play, spec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from referee.blocks import BlockResult


pytestmark = pytest.mark.long


@pytest.fixture(autouse=True, scope="module")
def _worker() -> Iterator[None]:
    yield
    shutdown()


def memory_mb() -> float:
    """Of the referee and its warden."""
    assert worker._worker is not None
    processes = psutil.Process(), psutil.Process(worker._worker.warden_pid)
    return sum(process.memory_info().rss for process in processes) / (1 << 20)


def all_causes(result: BlockResult) -> list[FaultCause]:
    """Of faults at tables and at none: which of the two it is, is for the moment to say."""
    return causes(result) + [fault.cause for fault in result.entrant_faults]


def test_a_flood_before_the_first_move_costs_the_log_alone(tmp_path: Path) -> None:
    play(tmp_path, spec("first", "faulty_bot.py", "none", 0))
    before = memory_mb()
    culprit = spec("flood", "faulty_bot.py", "flood", 1)
    assert all_causes(play(tmp_path, culprit, games=2)) == []
    assert memory_mb() - before < 50
    log = output(tmp_path, culprit)
    assert len(log) < LIMITS.log_bytes + 1000
    assert "[the log is cut here: the process wrote more than its limit]" in log


def test_a_line_without_end_is_kept_as_far_as_its_log_goes(tmp_path: Path) -> None:
    culprit = spec("endless", "faulty_bot.py", "endless", 1)
    assert all_causes(play(tmp_path, culprit, limits=replace(LIMITS, log_bytes=5000))) == []
    assert len(output(tmp_path, culprit)) < 5200


def test_what_is_no_text_is_shown_as_such(tmp_path: Path) -> None:
    result = play(tmp_path, spec("bytes", "faulty_bot.py", "no-text", 2, tmp_path / "mark"))
    assert causes(result) == [FaultCause.CRASH]
    assert result.games[0].details[0].stderr_tail == "\ufffd\ufffd\ufffd \ufffd( \x1b[31m\x00 end of it\n"


def test_a_bot_that_writes_on_and_on_is_late_and_nobody_else(tmp_path: Path) -> None:
    before = memory_mb()
    culprit = spec("writes-on", "faulty_bot.py", "writes-on", 3, tmp_path / "mark")
    assert all_causes(play(tmp_path, culprit, games=3, limits=replace(LIMITS, move_ms=2000))) == [
        FaultCause.TIMEOUT
    ]
    assert memory_mb() - before < 50


def test_a_hundred_thousand_answers_that_nobody_asked_for_end_a_bot(tmp_path: Path) -> None:
    result = play(tmp_path, spec("strays", "raw_bot.py", "strays"))
    assert set(causes(result)) == {FaultCause.MALFORMED}
    assert result.games[0].details[0].message == "sent more than 1,000 answers that nobody asked for"


@pytest.mark.parametrize(
    ("how", "words"), [("drips", "1,000 answers that nobody"), ("knocks", "1,000 streams beside its own")]
)
def test_what_drips_without_end_ends_a_bot_too(tmp_path: Path, how: str, words: str) -> None:
    limits = replace(LIMITS, move_ms=60_000 if how == "drips" else 3000, forfeit_after=1)
    result = play(tmp_path, spec(how, "raw_bot.py", how), limits=limits)
    if how == "knocks":
        # Each knock waits for its refusal, so it is late long before it has knocked too often.
        assert causes(result) == [FaultCause.TIMEOUT]
    else:
        assert causes(result) == [FaultCause.MALFORMED]
        assert words in result.games[0].details[0].message


def test_a_message_beyond_the_limit_breaks_the_stream(tmp_path: Path) -> None:
    before = memory_mb()
    limits = replace(LIMITS, disconnect_seconds=0.3)
    assert set(all_causes(play(tmp_path, spec("big", "raw_bot.py", "big"), limits=limits))) <= {
        FaultCause.DISCONNECT,
        FaultCause.CRASH,
    }
    assert memory_mb() - before < 50


@pytest.mark.parametrize("how", ["twice", "other-table"])
def test_only_the_first_answer_to_a_question_of_its_own_counts(tmp_path: Path, how: str) -> None:
    assert all_causes(play(tmp_path, spec(how, "raw_bot.py", how), games=3)) == []


def test_a_stream_that_never_reads_is_late(tmp_path: Path) -> None:
    limits = replace(LIMITS, first_move_seconds=2, move_ms=2000, forfeit_after=1)
    result = play(tmp_path, spec("deaf", "raw_bot.py", "deaf"), games=2, limits=limits)
    assert causes(result) == [FaultCause.TIMEOUT] * 2


def test_streams_that_say_nothing_keep_nobody_out(tmp_path: Path) -> None:
    culprit = spec("crowd", "raw_bot.py", "crowds-the-door")
    assert all_causes(play(tmp_path, culprit, games=2)) == []
    assert "300 streams that say nothing" in output(tmp_path, culprit)


def test_an_answer_after_its_time_is_late_and_the_game_goes_on(tmp_path: Path) -> None:
    limits = replace(LIMITS, move_ms=2000)
    result = play(tmp_path, spec("late", "faulty_bot.py", "late", 3, tmp_path / "mark"), limits=limits)
    assert causes(result) == [FaultCause.TIMEOUT]
    assert result.games[0].record.forfeits == ()


def test_a_bot_that_is_slow_to_join_plays_like_any_other(tmp_path: Path) -> None:
    culprit = spec("sleeper", "raw_bot.py", "plays")
    slow = replace(culprit, command=("sh", "-c", 'sleep 9; exec "$@"', "sh", *culprit.command))
    assert all_causes(play(tmp_path, slow)) == []
