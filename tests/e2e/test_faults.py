"""Blocks with real processes: whatever one bot does, the cause is on the record and the others' game is complete."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from cardtable.dealing import board_seed
from cardtable.record import FaultCause
from cardtable.replay import replay
from referee import worker
from referee.blocks import BlockOrder, BotSpec, GameOrder
from referee.table import Table
from referee.worker import play_block, shutdown
from tests.e2e.blocks import BOTS, CULPRIT, LIMITS, block, causes, good, output, play, spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


pytestmark = pytest.mark.long


@pytest.fixture(autouse=True, scope="module")
def _worker() -> Iterator[None]:
    yield
    shutdown()


def test_bots_that_behave_finish_every_game_without_a_fault(tmp_path: Path) -> None:
    result = play(tmp_path, good("cy"), games=5)
    assert causes(result) == []
    assert result.entrant_faults == ()
    assert all(sum(played.decisions) > 10 for played in result.games)


def test_a_block_played_twice_gives_the_same_records(tmp_path: Path) -> None:
    first, second = (play(tmp_path, good("cy"), games=4) for _ in range(2))
    assert [played.record for played in first.games] == [played.record for played in second.games]


def test_trix_games_with_partners_finish_too(tmp_path: Path) -> None:
    seats = ("ana", "bo", "ana", "bo")
    games = (GameOrder(0, 0, seats, board_seed(b"m" * 32, "t", 0)),)
    order = BlockOrder(
        "t",
        "trix",
        {"partners": True},
        games,
        (good("ana"), good("bo")),
        LIMITS,
        str(tmp_path),
        show_names=True,
    )
    result = play_block(order)
    assert result.error == ""
    (played,) = result.games
    assert played.record.faults == ()
    assert replay(played.record).ok


@pytest.mark.parametrize("games", [1, 3])
def test_an_illegal_action_is_one_fault_and_the_bot_plays_on(tmp_path: Path, games: int) -> None:
    result = play(tmp_path, spec(f"illegal{games}", "faulty_bot.py", "illegal", 3), games=games)
    assert causes(result) == [FaultCause.ILLEGAL]
    (detail,) = (detail for played in result.games for detail in played.details)
    assert "illegal" in detail.message
    assert '"vytrix"' in detail.view


@pytest.mark.parametrize("how", ["empty", "other-game"])
def test_an_answer_without_an_action_of_the_game_is_malformed(tmp_path: Path, how: str) -> None:
    result = play(tmp_path, spec(how, "raw_bot.py", how))
    assert causes(result) == [FaultCause.MALFORMED]


def test_a_bot_that_hangs_is_at_fault_at_its_oldest_decision_and_started_again(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    culprit = spec("hangs", "faulty_bot.py", "hang", 4, mark)
    result = play(tmp_path, culprit, games=3, limits=replace(LIMITS, move_ms=2000))
    assert causes(result) == [FaultCause.TIMEOUT]


@pytest.mark.parametrize("how", ["exit", "raise"])
def test_a_bot_that_ends_while_it_owes_one_answer_has_crashed(tmp_path: Path, how: str) -> None:
    culprit = spec(how, "faulty_bot.py", how, 3, tmp_path / "mark")
    result = play(tmp_path, culprit)
    assert causes(result) == [FaultCause.CRASH]
    tail = result.games[0].details[0].stderr_tail
    assert ("about to leave" if how == "exit" else "broken on purpose") in tail


def test_a_crash_at_no_decision_in_particular_is_the_entrants(tmp_path: Path) -> None:
    culprit = spec("once", "faulty_bot.py", "exit", 2, tmp_path / "mark")
    result = play(tmp_path, culprit, games=4)
    assert causes(result) == []
    (fault,) = result.entrant_faults
    assert (fault.entrant, fault.seat, fault.cause) == ("once", CULPRIT, FaultCause.CRASH)
    assert "about to leave" in fault.stderr_tail


def test_after_a_crash_with_several_tables_the_one_that_crashes_again_is_at_fault(tmp_path: Path) -> None:
    culprit = spec("bids", "faulty_bot.py", "crash-on-bids", 0)
    result = play(tmp_path, culprit, games=3, limits=replace(LIMITS, forfeit_after=1))
    assert causes(result) == [FaultCause.CRASH] * 3
    assert [played.record.forfeits for played in result.games] == [(CULPRIT,)] * 3
    assert result.entrant_faults == ()


def test_a_bot_that_never_joins_forfeits(tmp_path: Path) -> None:
    play(tmp_path, good("cy"))  # the others have joined already
    script = "echo still thinking about it; exec sleep 1000"
    culprit = BotSpec("sleeper", ("sh", "-c", script), str(BOTS))
    result = play(tmp_path, culprit, games=2, limits=replace(LIMITS, start_seconds=1.0))
    assert causes(result) == [FaultCause.START] * 2
    detail = result.games[0].details[0]
    assert "did not join within 1 s" in detail.message
    assert f"sh -c {script}: " in detail.message
    assert "still thinking about it" in detail.message
    assert "still thinking about it" in detail.stderr_tail
    assert result.games[0].record.forfeits == (CULPRIT,)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("memory", "MB of memory, and 400 MB are allowed"),
        ("crowd", "processes, and 30 are allowed"),
        ("bomb", "processes, and 30 are allowed"),
        ("cpu", "s of CPU, and 6 s are allowed for so many games"),
    ],
)
def test_a_bot_beyond_its_limits_is_at_fault_and_started_again(tmp_path: Path, how: str, said: str) -> None:
    culprit = spec(how, "faulty_bot.py", how, 3, tmp_path / "mark")
    limits = replace(LIMITS, memory_bytes=400 << 20, processes=30, open_files=500)
    if how == "cpu":
        # On a loaded machine six seconds of CPU take longer than ten.
        limits = replace(limits, start_seconds=5, cpu_seconds=1, move_ms=60_000, first_move_seconds=60)
    result = play(tmp_path, culprit, limits=limits)
    assert causes(result) == [FaultCause.RESOURCE]
    (fault,) = result.games[0].details
    assert said in fault.message
    assert "while it owed this answer" in fault.message
    assert result.games[0].record.forfeits == ()
    assert "sleep" not in names_below(warden())


def test_no_board_begins_that_a_bot_which_cannot_start_would_only_forfeit(tmp_path: Path) -> None:
    play(tmp_path, good("cy"))  # the others are quick
    culprit = BotSpec("none", ("sh", "-c", "exit 1"), str(BOTS))
    order = block(tmp_path, culprit, games=40)
    order = replace(order, games=tuple(replace(one, board=one.seating // 2) for one in order.games))
    result = play_block(order)
    assert [played.order for played in result.games] == list(order.games[:2])
    assert causes(result) == [FaultCause.START] * 2


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("exits", "exited with status 7 before it joined; it wrote last: no engine found"),
        ("old-protocol", "the bot speaks protocol 99 to 99, the referee 1"),
        ("no-game", "raw does not play vytrix; it plays no game"),
    ],
)
def test_a_bot_that_cannot_join_forfeits_and_its_command_is_named(
    tmp_path: Path, how: str, words: str
) -> None:
    result = play(tmp_path, spec(how, "raw_bot.py", how))
    assert causes(result) == [FaultCause.START]
    assert words in result.games[0].details[0].message
    assert f"raw_bot.py {how}" in result.games[0].details[0].message


def test_a_command_that_is_not_there_forfeits(tmp_path: Path) -> None:
    culprit = BotSpec("nobody", ("no-such-program", "--fast"), str(BOTS))
    result = play(tmp_path, culprit)
    assert causes(result) == [FaultCause.START]
    message = result.games[0].details[0].message
    assert "no-such-program --fast: could not be started: " in message
    assert "No such file" in message


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("wrong-token", "REFUSAL_REASON_TOKEN"),
        ("second-stream", "REFUSAL_REASON_ALREADY_JOINED"),
        ("no-join", "REFUSAL_REASON_MALFORMED"),
    ],
)
def test_a_stream_that_may_not_play_is_refused_and_the_game_goes_on(
    tmp_path: Path, how: str, reason: str
) -> None:
    culprit = spec(how, "raw_bot.py", how)
    assert causes(play(tmp_path, culprit)) == []
    assert output(tmp_path, culprit).splitlines() == [reason]


def test_late_and_unknown_answers_are_discarded(tmp_path: Path) -> None:
    assert causes(play(tmp_path, spec("unknown", "raw_bot.py", "unknown"), games=2)) == []


def test_a_stream_that_comes_back_is_forgiven(tmp_path: Path) -> None:
    assert causes(play(tmp_path, spec("leaves", "raw_bot.py", "leaves-once"))) == []


@pytest.mark.parametrize("how", ["leaves-always", "stays-away"])
def test_a_stream_that_does_not_stay_is_a_disconnect(tmp_path: Path, how: str) -> None:
    result = play(tmp_path, spec(how, "raw_bot.py", how), limits=replace(LIMITS, disconnect_seconds=0.3))
    assert set(causes(result)) == {FaultCause.DISCONNECT}


@pytest.mark.parametrize("how", ["garbage", "join-twice"])
def test_what_is_no_request_ends_the_stream(tmp_path: Path, how: str) -> None:
    result = play(tmp_path, spec(how, "raw_bot.py", how), limits=replace(LIMITS, disconnect_seconds=0.3))
    # Where it had several open tables, the end of its process may be its fault at none of them.
    found = {*causes(result), *(fault.cause for fault in result.entrant_faults)}
    assert found
    assert found <= {FaultCause.DISCONNECT, FaultCause.CRASH}


def test_comments_are_cut_and_go_on_the_record(tmp_path: Path) -> None:
    result = play(tmp_path, spec("talker", "faulty_bot.py", "comment", 2))
    assert [comment.text for comment in result.games[0].record.comments] == ["x" * 200]


def test_the_log_of_a_bot_is_bounded(tmp_path: Path) -> None:
    culprit = spec("noisy", "faulty_bot.py", "noise", 1)
    assert causes(play(tmp_path, culprit, limits=replace(LIMITS, log_bytes=1000))) == []
    assert len(output(tmp_path, culprit)) < 1100
    assert "the log is cut here" in output(tmp_path, culprit)


def test_a_time_bank_that_is_used_up_is_a_timeout(tmp_path: Path) -> None:
    culprit = spec("slow", "faulty_bot.py", "hang", 3, tmp_path / "mark")
    result = play(tmp_path, culprit, limits=replace(LIMITS, game_seconds=3))
    assert FaultCause.TIMEOUT in causes(result)


def test_a_detached_child_of_a_bot_does_not_outlive_it(tmp_path: Path) -> None:
    culprit = spec("parent", "faulty_bot.py", "children", 2, tmp_path / "mark")
    result = play(tmp_path, culprit, limits=replace(LIMITS, move_ms=2000))
    assert causes(result) == [FaultCause.TIMEOUT]
    assert "has a child" in output(tmp_path, culprit)
    assert "sleep" not in names_below(warden())


def test_a_variant_that_is_none_is_our_fault(tmp_path: Path) -> None:
    order = replace(block(tmp_path, good("cy")), variant={"max_bid": -1})
    result = play_block(order)
    assert result.games == ()
    assert "max_bid" in result.error


def test_a_fault_of_ours_blames_no_bot_and_the_next_block_starts_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a mistake of ours")

    with monkeypatch.context() as patch:
        patch.setattr(Table, "answer", broken)
        result = play_block(block(tmp_path, good("cy")))
    assert result.error == "ZeroDivisionError: a mistake of ours"
    assert result.games == ()
    assert result.entrant_faults == ()
    assert causes(play(tmp_path, good("cy"))) == []


def test_workers_of_a_pool_give_the_same_records_and_leave_nothing(tmp_path: Path) -> None:
    order = block(tmp_path, good("cy"), games=6)
    alone = play_block(order)
    halves = [replace(order, games=order.games[:3]), replace(order, games=order.games[3:])]
    polite = spec("cy", "raw_bot.py", "plays")
    halves = [replace(half, bots=(half.bots[0], polite, half.bots[2])) for half in halves]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = list(pool.map(play_block, halves))
        below = [
            process
            for child in psutil.Process().children()
            if "spawn_main" in " ".join(child.cmdline())
            for process in child.children(recursive=True)
        ]
    assert [played.record for result in results for played in result.games] == [
        played.record for played in alone.games
    ]
    assert len(below) >= 8
    assert output(tmp_path, polite) == "farewell\n" * 2
    assert psutil.wait_procs(below, timeout=10)[1] == []


def test_no_process_and_no_file_is_left_after_shutdown(tmp_path: Path) -> None:
    polite = spec("polite", "raw_bot.py", "plays")
    play(tmp_path, polite)
    process = warden()
    below = process.children(recursive=True)
    folder = Path(process.cmdline()[-1])
    assert len(below) >= 3
    assert folder.is_dir()
    shutdown()
    assert not any(one.is_running() for one in [process, *below])
    assert not folder.exists()
    assert output(tmp_path, polite) == "farewell\n"


SCRIPT = """
import pickle, sys
from referee.worker import play_block
play_block(pickle.loads(sys.stdin.buffer.read()))
"""


def test_no_process_is_left_after_the_worker_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    order = block(tmp_path, spec("hangs", "faulty_bot.py", "hang", 2, mark))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE, env=environment, start_new_session=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write(pickle.dumps(order))
        process.stdin.close()
        wait_for(mark)
        below = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    assert len(below) >= 4
    assert psutil.wait_procs(below, timeout=10)[1] == []


def test_a_lost_warden_is_our_fault(tmp_path: Path) -> None:
    play(tmp_path, good("cy"))
    process = warden()
    below = process.children(recursive=True)
    os.kill(process.pid, signal.SIGTERM)
    assert psutil.wait_procs(below, timeout=10)[1] == []
    assert "warden" in play_block(block(tmp_path, good("cy"))).error
    assert causes(play(tmp_path, good("cy"))) == []


def warden() -> psutil.Process:
    assert worker._worker is not None
    return psutil.Process(worker._worker.warden_pid)


def names_below(process: psutil.Process) -> Sequence[str]:
    return [child.name() for child in process.children(recursive=True)]


def wait_for(path: Path) -> None:
    """Wait for a file by watching its folder through a process that ends when it is there."""
    script = f"until [ -e '{path}' ]; do sleep 0.02; done"
    subprocess.run(["sh", "-c", script], check=True, timeout=60)
