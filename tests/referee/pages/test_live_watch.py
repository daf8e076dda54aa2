"""The watch: tables of what was written, who is told, and what a replaced file means."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from referee.pages.live.drawing import Drawing
from referee.pages.live.watch import Watch
from referee.standings import overall, standings
from referee.store import Store
from tests.referee.pages.live import rest_of
from tests.referee.pages.stores import ONE, SMALL, cup

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    import pytest

    from referee.pages.live.watch import Snapshot

#: How long something that comes by itself may take, on a machine that is busy.
PATIENCE = 60.0


@asynccontextmanager
async def _watched(path: Path) -> AsyncIterator[Watch]:
    drawing = Drawing()
    watch = Watch(path, quick=drawing.quick, slow=drawing.slow, share=0.9)
    watch.open()
    running = asyncio.create_task(watch.run())
    try:
        yield watch
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        watch.end()


async def _until(watch: Watch, has: Callable[[Snapshot], bool]) -> Snapshot:
    async with asyncio.timeout(PATIENCE):
        while not has(watch.now):
            await watch.news(watch.now.number, PATIENCE)
    return watch.now


def _is_settled(now: Snapshot) -> bool:
    return bool(now.tables) and all(one.is_settled for one in now.tables)


def test_settled_tables_are_those_of_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Cards on which no two are equal: between equals the last digits decide who stands first.
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes([11]) * size)
    path = cup(tmp_path / "cup.db", competitions=SMALL)

    async def watch_it() -> Snapshot:
        async with _watched(path) as watch:
            return await _until(watch, _is_settled)

    tables = {one.competition: one.standings for one in asyncio.run(watch_it()).tables}
    with Store.open(path) as store:
        for one in store.competitions:
            _same(tables[one.name], standings(store, one))
        _same(tables[None], overall(store))


def _same(found: object, expected: object) -> None:
    from referee.report.tables import ratings_json

    for one, other in zip(_rounded(ratings_json(found)), _rounded(ratings_json(expected)), strict=True):  # type: ignore[arg-type] # tables
        assert one == other


def _rounded(table: dict[str, object]) -> list[str]:
    rows = table["rows"]
    assert isinstance(rows, list)
    return [
        json.dumps(json.loads(json.dumps(row), parse_float=lambda text: round(float(text), 3)))
        for row in rows
    ]


def test_who_waits_is_told_what_was_written(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, most=1, over=False)

    async def watch_it() -> None:
        async with _watched(path) as watch:
            before = await _until(watch, _is_settled)
            assert (len(before.games), before.find("trix", 1, 0), before.is_over) == (4, None, False)
            with Store.open(path) as store:
                for name, block in rest_of(path, store):
                    store.add_block(name, block)
                store.reveal_seed()
            now = await _until(watch, lambda now: now.is_over and now.tables[0].standings.boards == 2)
            assert now.number > before.number
            assert (len(now.games), now.progress.games) == (8, 8)
            assert now.find("trix", 1, 0) is not None
            # What was known before is as it was.
            assert (len(before.games), before.is_over) == (4, False)
            changed = {name for name, (number, _) in watch.pieces.items() if number > before.number}
            assert changed >= {"progress", "table-1", "seed", "count"}
            assert "rulings" not in changed

    asyncio.run(watch_it())


def test_a_store_with_nothing_in_it_is_watched_too(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE, most=0, over=False)

    async def watch_it() -> None:
        async with _watched(path) as watch:
            now = await _until(watch, lambda now: bool(now.tables))
            assert (len(now.games), now.progress.planned, now.tables[0].standings.boards) == (0, 8, 0)
            assert "no board is complete yet" in watch.pieces["table-1"][1]

    asyncio.run(watch_it())


def test_another_file_of_the_name_is_another_tournament(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)
    other = cup(tmp_path / "other.db", competitions=SMALL, names=("eva", "fay", "gil", "hal"))

    async def watch_it() -> None:
        async with _watched(path) as watch:
            before = await _until(watch, _is_settled)
            token = watch.token
            path.unlink()
            gone = await _until(watch, lambda now: bool(now.progress.trouble))
            assert gone.progress.trouble == "there is no store cup.db"
            assert (gone.tables, watch.token) == (before.tables, token)
            other.rename(path)
            now = await _until(watch, lambda now: now.store is not before.store and bool(now.tables))
            assert {row.entrant for row in now.tables[0].standings.rows} == {"eva", "fay", "gil", "hal"}
            assert now.progress.trouble == ""
            assert now.number > before.number
            assert watch.token != token

    asyncio.run(watch_it())


def test_a_file_that_is_no_store_is_said_to_be_none_until_there_is_one(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)

    async def watch_it() -> None:
        async with _watched(path) as watch:
            path.rename(tmp_path / "kept.db")
            path.write_text("no store")
            now = await _until(watch, lambda now: "cup.db" in now.progress.trouble and path.exists())
            assert len(now.games) == 8
            (tmp_path / "kept.db").rename(path)
            await _until(watch, lambda now: not now.progress.trouble)

    asyncio.run(watch_it())


def test_who_waits_is_let_go_when_it_closes(tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=ONE)

    async def watch_it() -> None:
        watch = Watch(path)
        watch.open()
        waiting = asyncio.create_task(watch.news(watch.now.number, 10 * PATIENCE))
        await asyncio.sleep(0)
        watch.close()
        async with asyncio.timeout(PATIENCE):
            await waiting
        watch.end()

    asyncio.run(watch_it())
