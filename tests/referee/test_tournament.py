"""What a run does when its workers are lost, with executors that only pretend to play."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.record import GameRecord
from referee.blocks import BlockOrder, BlockResult, PlayedGame, WorkerLost
from referee.config import quick
from referee.tournament import Progress, RunError, Tournament, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

BOT = Path(__file__).parents[2] / "examples" / "random_bot.py"


class Silence:
    def progressed(self, progress: Progress) -> None:
        """Nobody listens."""

    def warned(self, message: str) -> None:
        """Nobody listens."""


class Pretending(Executor):
    """Answers at once; `way` is to play, to begin some boards only, to lose its workers in mid-block, or to refuse all work."""

    def __init__(self, way: str, lengths: list[float] | None = None) -> None:
        self._way = way
        self._lengths = [] if lengths is None else lengths

    def submit(self, _play: Any, order: BlockOrder) -> Future[Any]:  # type: ignore[override] # only blocks come here
        if self._way == "refuses":
            raise BrokenExecutor("gone before it began")
        self._lengths.append(order.seconds)
        future: Future[Any] = Future()
        if self._way == "loses":
            future.set_exception(BrokenExecutor("killed"))
        else:
            games = order.games
            if self._way == "begins some":
                games = tuple(game for game in games if game.board in {games[0].board, games[-1].board})
            played = [
                PlayedGame(game, GameRecord("trix", {}, game.seats, (), game.seed, (0, 0, 0, 0)))
                for game in games
            ]
            future.set_result(BlockResult(tuple(played), seconds=20.0))
        return future


def _run(folder: Path, ways: Iterator[str]) -> set[int]:
    config = quick("trix", [f"python3 {BOT}"] * 4, 7, folder=folder)
    store, _ = open_store(config)
    with store, store.run():
        Tournament(config, store, Silence()).run(lambda: Pretending(next(ways)))
        return store.finished_boards("trix")


@pytest.mark.parametrize(
    "ways",
    [
        ("plays",),
        ("begins some",),
        ("loses", "plays"),
        ("loses", "refuses", "plays"),
        ("refuses", "refuses", "plays"),
    ],
)
def test_no_board_is_lost_with_the_workers(tmp_path: Path, ways: tuple[str, ...]) -> None:
    assert _run(tmp_path, iter(ways)) == set(range(7))


def test_the_first_blocks_are_short_so_that_a_run_that_is_soon_killed_has_stored_something(
    tmp_path: Path,
) -> None:
    config = quick("trix", [f"python3 {BOT}"] * 4, 40, folder=tmp_path)
    lengths: list[float] = []
    store, _ = open_store(config)
    with store, store.run():
        Tournament(config, store, Silence()).run(lambda: Pretending("begins some", lengths))
    assert lengths[:4] == sorted(lengths[:4])
    assert (lengths[0], lengths[-1]) == (2.0, 20.0)


def test_the_same_work_is_tried_three_times(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="failed 3 times"):
        _run(tmp_path, iter(["loses"] * 9))
    with pytest.raises(RunError, match="no worker could be started"):
        _run(tmp_path, iter(["refuses"] * 9))


class Elsewhere(Pretending):
    """Workers on other machines, of which so many are lost before one plays."""

    def __init__(self, losses: int) -> None:
        super().__init__("plays")
        self._losses = losses

    def submit(self, _play: Any, order: BlockOrder) -> Future[Any]:  # type: ignore[override] # as above
        if not self._losses:
            return super().submit(_play, order)
        self._losses -= 1
        future: Future[Any] = Future()
        future.set_exception(WorkerLost("worker tcp://far:1 was lost"))
        return future


def test_what_a_lost_worker_had_is_played_by_others_of_the_same_executor(tmp_path: Path) -> None:
    config = quick("trix", [f"python3 {BOT}"] * 4, 7, folder=tmp_path)
    store, _ = open_store(config)
    executors = iter([Elsewhere(2)])
    with store, store.run():
        Tournament(config, store, Silence()).run(lambda: next(executors), jobs=lambda: 0)
        assert store.finished_boards("trix") == set(range(7))


def test_work_that_loses_every_worker_ends_the_run_by_its_name(tmp_path: Path) -> None:
    config = quick("trix", [f"python3 {BOT}"] * 4, 7, folder=tmp_path)
    store, _ = open_store(config)
    with store, store.run(), pytest.raises(RunError, match="3 times; the last time: worker tcp://far:1 was"):
        Tournament(config, store, Silence()).run(lambda: Elsewhere(99))


class Slow(Pretending):
    """Gives back what it has played when it is halted; a second order comes to a run that is interrupted."""

    def __init__(self) -> None:
        super().__init__("plays")
        self._under_way: list[tuple[Future[Any], BlockOrder]] = []

    def submit(self, _play: Any, order: BlockOrder) -> Future[Any]:  # type: ignore[override] # as above
        if self._under_way:
            raise KeyboardInterrupt
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        self._under_way.append((future, order))
        return future

    def halt(self) -> None:
        for future, order in self._under_way:
            future.set_result(super().submit(None, order).result())


def test_what_the_workers_of_an_interrupted_run_have_finished_is_kept(tmp_path: Path) -> None:
    config = replace(quick("trix", [f"python3 {BOT}"] * 4, 7, folder=tmp_path), jobs=2)
    store, _ = open_store(config)
    slow = Slow()
    with store, store.run():
        with pytest.raises(KeyboardInterrupt):
            Tournament(config, store, Silence()).run(lambda: slow, slow.halt)
        kept = store.finished_boards("trix")
    assert kept
    assert kept < set(range(7))
