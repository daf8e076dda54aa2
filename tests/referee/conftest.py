"""Stores of small tournaments whose games nobody played: scores are drawn by the store's name."""

from __future__ import annotations

import hashlib
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from cardtable.record import DealRecord, FaultCause, GameRecord, RecordedFault
from referee import ratings
from referee.blocks import BlockResult, EntrantFault, FaultDetail, GameOrder, PlayedGame
from referee.cli import run
from referee.store import CompetitionInfo, EntrantInfo, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from referee.ratings import Environment, Match, Rating

TERMS = {
    "game": "trix",
    "variant": {},
    "score": "points",
    "teams": "none",
    "rotations": "cyclic",
    "seatings": 4,
}
Place = tuple[int, int, int]


@pytest.fixture
def make_cup(tmp_path: Path) -> Callable[..., Path]:
    """Make a store; see `_make`."""

    def make(name: str, **more: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        _make(path, **more)
        return path

    return make


@pytest.fixture
def tourney(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run the command; its output, or its only line of error where bad input is expected."""

    def command(*arguments: object, status: int = 0) -> str:
        capsys.readouterr()
        assert run([str(argument) for argument in arguments]) == status
        said = capsys.readouterr()
        if status:
            assert (said.out, said.err.count("\n")) == ("", 1)
            assert said.err.startswith("tourney: ")
            return said.err
        assert said.err == ""
        return said.out

    return command


@pytest.fixture
def rate_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate the same matches in the same order once; whatever depends on order is still rated anew."""
    known: dict[tuple[object, ...], tuple[dict[str, Rating], int]] = {}
    rate = ratings.batch

    def batch(
        matches: Sequence[Match], environment: Environment, *, centred: bool
    ) -> tuple[dict[str, Rating], int]:
        key = (*matches, environment, centred)
        if key not in known:
            known[key] = rate(matches, environment, centred=centred)
        return known[key]

    monkeypatch.setattr(ratings, "batch", batch)


def _make(
    path: Path,
    *,
    bots: Mapping[str, str] | None = None,
    competitions: Mapping[str, Mapping[str, object]] | None = None,
    boards: int = 4,
    forfeits: Iterable[Place] = (),
    faults: Iterable[Place] = (),
    forfeit_after: int = 3,
    disqualify_after: int = 50,
    seed: str | None = None,
) -> None:
    """Make a store.

    Args:
        path: Its file.
        bots: Names and hashes; the first are the better ones.
        competitions: What differs from `TERMS`, by name.
        boards: Of each competition.
        forfeits, faults: Board, seating and seat of each, in every competition.
        forfeit_after: Faults of a game at which a seat forfeits it.
        disqualify_after: Forfeits at which an entrant leaves.
        seed: From which scores and commitment follow; the name of the file when absent.
    """
    names = dict.fromkeys(("ana", "bo", "cy", "di"), "") if bots is None else bots
    terms = {name: TERMS | dict(one) for name, one in (competitions or {"trix": {}}).items()}
    seed = path.stem if seed is None else seed
    config = json.dumps(
        {
            "competitions": [{"name": name, **one} for name, one in terms.items()],
            "bots": [{"name": name} for name in names],
            "faults": {"forfeit_after": forfeit_after, "disqualify_after": disqualify_after},
        }
    )
    with Store.create(
        path,
        program="cardtable-referee 0.1.0",
        config=config,
        identity=hashlib.sha256(config.encode()).hexdigest(),
        commitment=hashlib.sha256(seed.encode()).hexdigest(),
        master_seed=bytes(32),
        competitions=[
            CompetitionInfo(name, str(one["game"]), dict(one["variant"]), int(str(one["seatings"])))  # type: ignore[call-overload] # an options' dict
            for name, one in terms.items()
        ],
        entrants=[EntrantInfo(name, files) for name, files in names.items()],
    ) as store:
        for name, one in terms.items():
            rng = random.Random(f"{seed}/{name}")
            games = []
            for board in range(boards):
                order = rng.sample(sorted(names), 4)
                for seating in range(int(str(one["seatings"]))):
                    seats = tuple(order[seating:] + order[:seating])
                    scores = tuple(round(rng.gauss(-40 * list(names).index(bot), 100)) for bot in seats)
                    if dict(one["variant"]).get("partners"):  # type: ignore[call-overload] # an options' dict
                        scores = scores[:2]
                    lost, late = (
                        tuple(seat for where, which, seat in places if (where, which) == (board, seating))
                        for places in (forfeits, faults)
                    )
                    games.append(_game(GameOrder(board, seating, seats, bytes(32)), scores, lost, late))
            away = EntrantFault(next(iter(names)), 0, FaultCause.DISCONNECT, "gone", "")
            store.add_block(name, BlockResult(tuple(games), (away,) if faults else ()))


def _game(
    order: GameOrder, scores: tuple[int, ...], forfeits: tuple[int, ...], late: Sequence[int]
) -> PlayedGame:
    return PlayedGame(
        order=order,
        record=GameRecord(
            game="trix",
            variant={},
            seats=order.seats,
            deals=(DealRecord(("contract:king", "2C")),),
            seed=order.seed,
            scores=scores,
            faults=tuple(RecordedFault(seat, FaultCause.TIMEOUT, 0, 1, 1, "late") for seat in late),
            comments=(),
            forfeits=forfeits,
        ),
        details=tuple(
            FaultDetail(order.seats[seat], seat, FaultCause.TIMEOUT, 0, 1, 1, "late", "{}", "log")
            for seat in late
        ),
        charged_ms=(1.0,) * 4,
        decisions=(1,) * 4,
    )
