"""The person's seat is a client of the referee like any other: joins, leaves and comes back; strangers stay outside."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from grpc import aio

from cardtable.catalog import GAMES
from cardtable.engine import Deal
from cardtable.v1 import table_pb2
from cardtable.wire import codec, refusal_response, seated_message, welcome_response
from cardtable.wire.service import add_referee
from referee.cli import run
from referee.pages.human.choices import NoChoice
from referee.pages.human.house import House
from referee.pages.human.line import Line, channel
from referee.pages.human.room import Page, Room
from referee.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

SHORT = ("--game", "vytrix", "--option", "target=0", "--option", "max_hands=1", "--option", "max_bid=3")


def in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own: a browser's tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@pytest.fixture
def house() -> Iterator[House]:
    """A page whose referee is nowhere."""
    with House("Vytrix", 1, "127.0.0.1:9", ["token"], disconnect_seconds=1) as one:
        yield one


def test_who_knows_the_secret_gets_the_page_and_nobody_else_anything(house: House) -> None:
    right = house.address
    origin, _, secret = right.rstrip("/").rpartition("/")
    page = httpx.get(right)
    assert page.status_code == 200
    assert "connect-src &#39;self&#39;" in page.text or "connect-src 'self'" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert secret not in page.text
    assert httpx.get(right.rstrip("/"), follow_redirects=True).status_code == 200
    for wrong in ("x", secret[:-1], secret + "x", "%00", "é"):
        for path in ("", "/", "/news"):
            refused = httpx.get(f"{origin}/{wrong}{path}")
            assert (refused.status_code, secret in refused.text) == (403, False)
        body = {"table": 1, "turn": 1, "action": "pass"}
        assert httpx.post(f"{origin}/{wrong}/answer", json=body).status_code == 403
    assert httpx.get(origin).status_code == 404
    assert not house.room.has_begun.is_set()


def test_a_page_under_another_name_of_this_machine_is_refused(house: House) -> None:
    assert httpx.get(house.address, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"table": 1, "turn": 1}', 400),
        (b'{"table": true, "turn": 1, "action": "pass"}', 400),
        (b'{"table": 1, "turn": 1, "action": 5}', 400),
        (b"[" * 4000, 400),
        (b"x" * 10_000, 400),
        (b'{"table": 1, "turn": 1, "action": "pass"}', 409),
    ],
)
def test_what_is_no_answer_is_refused_in_one_line(house: House, body: bytes, status: int) -> None:
    refused = httpx.post(f"{house.address}answer", content=body)
    assert refused.status_code == status
    assert len(refused.text.splitlines()) == 1


def test_the_newest_page_has_the_seat_and_it_is_left_when_none_comes() -> None:
    async def visits() -> None:
        room = Room(1, 5, grace_seconds=0.02)
        assert room.absent.is_set()
        first = room.enter()
        assert room.present.is_set()
        second = room.enter()
        assert first.is_displaced
        room.leave(first)
        room.leave(second)
        third = room.enter()
        await asyncio.sleep(0)
        assert room.present.is_set()
        assert not third.is_displaced
        room.leave(third)
        await asyncio.wait_for(room.absent.wait(), 10)
        assert not room.present.is_set()
        with pytest.raises(NoChoice, match="not being played"):
            await room.choose(1, 1, "pass")

    in_a_loop(visits())


class Person:
    """Who plays without a browser, by what a page is told."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "human", "--no-open", *SHORT, *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if "Ctrl-C" in line:
                break
        self.address = re.findall(r"http://\S+", self.said)[0]

    def states(self) -> Iterator[dict[str, Any]]:
        """What the page is told, until its end; leaving it closes the page."""
        with httpx.stream("GET", f"{self.address}news", timeout=60) as news:
            assert news.headers["content-type"] == "text/event-stream"
            for line in news.iter_lines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])

    def answer(self, sitting: dict[str, Any], action: str) -> httpx.Response:
        body = {"table": sitting["table"], "turn": sitting["ask"]["turn"], "action": action}
        return httpx.post(f"{self.address}answer", json=body)

    def end(self) -> tuple[int, str]:
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, self.said + out + err


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    one = Person(tmp_path, "--store", "evening.db", "--away-seconds", "30")
    yield one
    one.process.kill()
    one.process.communicate()


def asked(state: dict[str, Any]) -> dict[str, Any] | None:
    """The game with a question, if there is one."""
    return next((one for one in state["sittings"] if one["ask"] is not None), None)


def simple(ask: dict[str, Any]) -> str:
    """Something legal."""
    if ask["step"] == "bid":
        return "pass" if ask["pass"] else f"bid:{ask['lowest']}C-low"
    if ask["step"] == "discard":
        return f"discard:{','.join(ask['cards'][:4])}"
    return str(ask["actions"][-1])


def play_through(person: Person, answers: int = 1000) -> dict[str, Any]:
    """Answer so many questions; the last state."""
    state: dict[str, Any] = {}
    done: set[int] = set()
    for state in person.states():
        sitting = asked(state)
        if sitting is None or sitting["ask"]["turn"] in done:
            continue
        if len(done) == answers:
            break
        done.add(sitting["ask"]["turn"])
        assert person.answer(sitting, simple(sitting["ask"])).status_code == 204
    return state


def test_a_game_is_played_over_the_address_and_its_end_is_told(person: Person, tmp_path: Path) -> None:
    last = play_through(person)
    (sitting,) = last["sittings"]
    assert last["closing"]["why"] == "over"
    assert sitting["final"]["faults"] == 0
    assert sitting["final"]["places"][sitting["seat"]] in {1, 2, 3}
    status, said = person.end()
    assert status == 0, said
    assert "See it again:\n  tourney show evening.db vytrix/0/0\n  tourney report evening.db" in said
    with Store.open(tmp_path / "evening.db") as store:
        ((_, record),) = store.records()
    assert list(record.scores or ()) == sitting["final"]["scores"]
    assert run(["human", *SHORT, "--store", str(tmp_path / "evening.db"), "--no-open"]) == 2


def test_an_answer_that_comes_twice_or_is_not_legal_is_refused(person: Person) -> None:
    tried = False
    for state in person.states():
        sitting = asked(state)
        if sitting is None:
            continue
        for action in (
            "pass at once",
            "bid:1C",
            "AS,KS",
            "kitty:take" if sitting["ask"]["step"] == "bid" else "pass",
        ):
            refused = person.answer(sitting, action)
            assert refused.status_code == 409
            assert len(refused.text.splitlines()) == 1
        if sitting["ask"]["step"] == "play":
            tried = True
            assert person.answer(sitting, sitting["ask"]["actions"][0]).status_code == 204
            twice = person.answer(sitting, sitting["ask"]["actions"][0])
            assert twice.status_code == 409
            assert "not open any more" in twice.text
            break
        assert person.answer(sitting, simple(sitting["ask"])).status_code == 204
    assert tried


def test_who_loads_the_page_again_is_asked_the_same_and_nothing_is_lost(person: Person) -> None:
    before = play_through(person, answers=4)
    again = next(person.states())
    one, two = asked(before), asked(again)
    assert one is not None
    assert two is not None
    one.pop("clockMs")
    two.pop("clockMs")
    assert one == two


class Referee:
    """A referee that asks whoever joins the same question, and notes who comes and goes."""

    def __init__(self) -> None:
        self.seen: asyncio.Queue[str] = asyncio.Queue()
        self.refusals = [table_pb2.REFUSAL_REASON_TOKEN]
        state = GAMES["vytrix"].new_state(GAMES["vytrix"].variant({}))
        state.deal(Deal.shuffled((16,) * 3, Random(1)))
        game = codec("vytrix")
        self._welcome = welcome_response(0, "fake")
        self._welcome.seated.append(
            seated_message(
                game, state.variant, table=7, seat=0, scored_by="points", bot_seed=1, names=(), move_ms=9000
            )
        )
        ask = self._welcome.asks.add(table=7, turn=1)
        game.set_view(ask, state.view(0))

    async def play(self, _: Any, context: Any) -> None:
        join = (await context.read()).join
        if self.refusals:
            await self.seen.put("refused")
            await context.write(refusal_response(self.refusals.pop(), "not yet"))
            return
        await self.seen.put(f"joined with {join.token}")
        try:
            await context.write(self._welcome)
            while isinstance(request := await context.read(), table_pb2.PlayRequest):
                await self.seen.put(f"answered {request.answers[0].vytrix.bid.points}")
        finally:
            self.seen.put_nowait("left")


def test_who_leaves_is_disconnected_and_is_asked_again_after_coming_back() -> None:
    async def evening() -> None:
        referee, server = Referee(), aio.server()
        add_referee(server, referee.play)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        room = Room(1, 5, grace_seconds=0.02)
        async with channel(f"127.0.0.1:{port}") as line:
            playing = asyncio.create_task(Line(line, "secret", room).play())
            page = room.enter()
            # A token that does not hold yet, and then does.
            assert [await referee.seen.get() for _ in range(2)] == ["refused", "joined with secret"]
            await until(page, lambda: open_question(room))
            room.leave(page)
            assert await referee.seen.get() == "left"
            await room.is_quiet()
            assert not open_question(room)
            with pytest.raises(NoChoice):
                await room.choose(7, 1, "bid:3S-low")
            page = room.enter()
            assert await referee.seen.get() == "joined with secret"
            await until(page, lambda: open_question(room))
            await room.choose(7, 1, "bid:3S-low")
            assert await referee.seen.get() == "answered 3"
            with pytest.raises(NoChoice, match="not open any more"):
                await room.choose(7, 1, "bid:4S-low")
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        await server.stop(None)

    in_a_loop(asyncio.wait_for(evening(), 60))


def open_question(room: Room) -> bool:
    sittings: Any = room.state()["sittings"]
    return any(one["ask"] is not None for one in sittings)


async def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for news of the room until this holds."""
    while not holds():
        page.news.clear()
        await page.news.wait()
