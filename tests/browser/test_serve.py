"""The live pages in a browser: they follow a run, filter, replay, and are fit for everybody."""

from __future__ import annotations

import re
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.browser.conftest import window
from tests.browser.looking import DESK, PHONE, SCHEMES, SIZES, is_too_wide, picture, serious_faults
from tests.referee.pages.live import Serving, Writer
from tests.referee.pages.stores import HOSTILE, cup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Look = Callable[..., AbstractContextManager[Page]]

TRIX = "trix/0/0"
#: Two competitions, of which a run writes the rest while it is looked on.
GROWING = {
    "trix": {"game": "trix", "boards": 20},
    "vytrix": {"game": "vytrix", "boards": 20, "variant": {"target": 0, "max_hands": 3}},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a store that is over; its bots have harmful names and say harmful things."""
    path = tmp_path_factory.mktemp("served") / "cup.db"
    cup(path, names=HOSTILE, words=f"{HOSTILE[0]} {HOSTILE[1]}")
    with ExitStack() as stack:
        yield Serving(stack, path).address


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as everything:
        yield everything


@pytest.fixture
def look(browser: Browser) -> Look:
    """Open a page of a server in a window of its own; at the end it must have been silent."""

    @contextmanager
    def opened(
        address: str, path: str = "", *, size: tuple[int, int] = DESK, **options: Any
    ) -> Iterator[Page]:
        with window(browser, lambda url: url.startswith(address), size, **options) as page:
            page.goto(address + path)
            yield page

    return opened


def tables_are_made(page: Page) -> None:
    """Wait for the first tables."""
    expect(page.locator("#table-1 table.ratings")).to_be_visible()
    expect(page.get_by_text("The table is being made.")).to_have_count(0)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize(
    ("what", "path"),
    [
        ("overview", ""),
        ("games", "games"),
        ("game", f"games/{TRIX}#game={TRIX}&deal=0&move=24&seat=2"),
        ("api", "api"),
    ],
)
def test_every_page_is_fit_for_phones_desks_and_screen_readers(
    look: Look, served: str, what: str, path: str, size: tuple[int, int], scheme: str
) -> None:
    with look(served, path, size=size, color_scheme=scheme) as page:
        if what == "overview":
            tables_are_made(page)
        if what == "game":
            page.locator("#replay .table").wait_for()
        picture(page, f"serve-{what}-{size[0]}-{scheme}")
        assert serious_faults(page) == []
        assert not is_too_wide(page)


def test_what_bots_write_stays_text(look: Look, served: str) -> None:
    with look(served) as page:
        tables_are_made(page)
        expect(page.locator("table.ratings th[scope=row]").filter(has_text=HOSTILE[0])).not_to_have_count(0)
        expect(page.locator("ol.faults li").first).to_contain_text(HOSTILE[1])
        expect(page.locator("img")).to_have_count(0)


def test_a_game_is_found_replayed_and_left_by_keyboard(look: Look, served: str) -> None:
    with look(served) as page:
        page.get_by_role("link", name="Games", exact=True).press("Enter")
        page.get_by_label("Competition").select_option("trix")
        page.get_by_label("Board").fill("0")
        page.get_by_role("button", name="Show").press("Enter")
        page.wait_for_url(re.compile(r"competition=trix.*board=0"))
        expect(page.locator("table.games tbody tr")).to_have_count(4)
        page.get_by_role("link", name=TRIX, exact=True).press("Enter")
        said = page.locator("#replay-said")
        expect(said).to_have_text("The cards are dealt.")
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text(" chooses ")
        page.keyboard.press("Escape")
        page.wait_for_url(re.compile(r"/games\?competition=trix&board=0$"))


def test_a_fault_leads_to_its_position(look: Look, served: str) -> None:
    with look(served) as page:
        page.locator("ol.faults a").first.click()
        expect(page.locator("#replay-said")).to_contain_text("The house decided here: illegal.")


def test_the_overview_follows_a_run_to_its_end(look: Look, stack: ExitStack, tmp_path: Path) -> None:
    path = cup(tmp_path / "cup.db", competitions=GROWING, most=1, over=False)
    address = Serving(stack, path).address
    with look(address) as page, look(address, "games") as games:
        tables_are_made(page)
        expect(page.locator(".run")).to_have_text("Not running: no run has begun.")
        page.locator("#table-1 details").first.evaluate("one => { one.open = true; }")
        writer = Writer(stack, path, 20)
        expect(page.locator(".run")).to_contain_text("Running: process")
        expect(page.locator("#progress .lead")).to_contain_text("left")
        for size, name in ((PHONE, "phone"), (DESK, "desk")):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            picture(page, f"serve-live-{name}")
            assert serious_faults(page) == []
        assert writer.finish() == 0
        expect(page.locator("#progress .lead")).to_contain_text(re.compile("^(\\d+) of \\1 games"))
        expect(page.locator(".run")).to_contain_text("All is played")
        expect(page.locator("#table-1 .notes").first).to_contain_text("20 boards")
        # What the reader had unfolded still is.
        expect(page.locator("#table-1 details").first).to_have_attribute("open", "")
        games.get_by_role("link", name=re.compile("new games: load the list again")).click()
        expect(games.locator(".pages")).to_contain_text("1 to 50 of")


def test_a_paused_page_changes_nothing_and_catches_up_afterwards(
    look: Look, stack: ExitStack, tmp_path: Path
) -> None:
    path = cup(tmp_path / "cup.db", competitions={"trix": {"game": "trix", "boards": 10}}, most=1, over=False)
    address = Serving(stack, path).address
    with look(address) as page, look(address) as other:
        tables_are_made(page)
        page.get_by_role("button", name="Pause").click()
        assert Writer(stack, path, 1000).finish() == 0
        expect(other.locator(".run")).to_contain_text("All is played")
        expect(page.locator(".run")).to_have_text("Not running: no run has begun.")
        expect(page.locator("#freshness")).to_have_text("Paused: nothing changes here")
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".run")).to_contain_text("All is played")
