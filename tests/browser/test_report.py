"""The report in a browser: read, replayed by keyboard, and safe from what bots write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from cardtable.replay import replay
from referee.cli import run
from referee.pages import archive, replays, report as making
from referee.store import Store
from tests.browser.looking import DESK, PHONE, SCHEMES, SIZES, is_too_wide, picture, serious_faults
from tests.referee.pages.stores import HOSTILE, cup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from playwright.sync_api import Page

    from cardtable.record import GameRecord
    from referee.pages.replays import Board

    Visit = Callable[..., AbstractContextManager[Page]]

#: Of the store that these tests look at.
TRIX, VYTRIX, PAIRS = "trix/0/0", "vytrix/0/0", "pairs/0/0"
#: What is said when the first deal begins.
DEALT = "The cards are dealt."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with both games; its bots have harmful names and say harmful things."""
    path = tmp_path_factory.mktemp("cup") / "cup.db"
    return cup(path, names=HOSTILE, words=f"{HOSTILE[0]} {HOSTILE[1]}")


@pytest.fixture(scope="module")
def report(store: Path) -> Path:
    """Its report."""
    folder = store.parent / "report"
    assert run(["report", str(store), "-o", str(folder)]) == 0
    return folder / "index.html"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize(
    ("what", "address"),
    [
        ("report", ""),
        ("games", "#games"),
        ("trick", f"#game={TRIX}&deal=0&move=24&seat=2"),
        ("bidding", f"#game={VYTRIX}&deal=1&move=20&seat=1"),
        ("sides", f"#game={PAIRS}&deal=1&move=30&seat=3&hands=hidden"),
        ("arabic", f"#game={TRIX}&deal=1&move=12&seat=0&lang=ar"),
    ],
)
def test_it_is_fit_for_phones_desks_and_screen_readers(
    visit: Visit, report: Path, what: str, address: str, size: tuple[int, int], scheme: str
) -> None:
    with visit(report, address, size=size, color_scheme=scheme) as page:
        if "game=" in address:
            page.locator("#replay .table").wait_for()
        picture(page, f"report-{what}-{size[0]}-{scheme}")
        assert serious_faults(page) == []
        assert not is_too_wide(page)


def test_what_bots_write_stays_text(visit: Visit, report: Path) -> None:
    with visit(report) as page:
        expect(page.locator("table.ratings th[scope=row]").filter(has_text=HOSTILE[0])).not_to_have_count(0)
        expect(page.locator("ol.faults li").first).to_contain_text(HOSTILE[1])
        expect(page).to_have_title("cup: report")
        page.goto(f"{report.as_uri()}#game={TRIX}&deal=0&move=999&seat=0")
        said = page.locator("#replay-said")
        expect(said).to_contain_text(f"{HOSTILE[0]} {HOSTILE[1]}")
        expect(said).to_contain_text("The house decided here: illegal.")
        expect(page.locator("img")).to_have_count(0)


def test_a_game_is_replayed_by_keyboard_alone(visit: Visit, report: Path) -> None:
    with visit(report) as page:
        said = page.locator("#replay-said")
        place = page.locator(".place")
        page.locator("#games-list").get_by_role("link", name=TRIX, exact=True).focus()
        page.keyboard.press("Enter")
        expect(said).to_have_text(DEALT)
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text(" chooses ")
        page.keyboard.press("ArrowLeft")
        expect(said).to_have_text(DEALT)
        page.keyboard.press("End")
        expect(said).to_contain_text("The deal brings")
        page.keyboard.press("PageDown")
        expect(said).to_have_text(DEALT)
        expect(place).to_contain_text("Deal 2 of")
        expect(page.locator("table.sheet tbody tr")).to_have_count(1)
        page.keyboard.press("PageUp")
        expect(place).to_contain_text("Deal 1 of")
        page.keyboard.press("h")
        expect(page.locator(".suits")).to_have_count(0)
        page.keyboard.press("s")
        expect(page.locator(".seat.bottom")).to_have_attribute("data-seat", "1")
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.keyboard.press("Space")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#replay")).to_be_hidden()
        expect(page.locator(":focus")).to_have_text(TRIX)


def test_a_trick_is_stepped_over_as_a_whole(visit: Visit, report: Path) -> None:
    with visit(report, f"#game={VYTRIX}&deal=0&move=0&seat=0") as page:
        said, trick = page.locator("#replay-said"), page.locator(".trick .card")
        expect(said).to_have_text(DEALT)
        page.keyboard.press("End")
        expect(trick).to_have_count(3)
        page.keyboard.press("Shift+ArrowLeft")
        expect(said).to_contain_text("takes the trick")
        expect(trick).to_have_count(3)
        page.keyboard.press("ArrowLeft")
        expect(trick).to_have_count(2)
        page.keyboard.press("Shift+ArrowRight")
        expect(said).to_contain_text("takes the trick")


def test_an_address_leads_to_its_position_and_steps_are_written_into_it(visit: Visit, report: Path) -> None:
    with visit(report, f"#game={TRIX}&deal=2&move=14&seat=1&hands=hidden") as page:
        page.locator("#replay .table").wait_for()
        expect(page.locator(".place")).to_contain_text("Deal 3 of")
        expect(page.locator(".seat.bottom")).to_have_attribute("data-seat", "1")
        expect(page.get_by_label("Show the other hands")).not_to_be_checked()
        page.keyboard.press("ArrowRight")
        page.wait_for_url(f"{report.as_uri()}#game={TRIX}&deal=2&move=15&seat=1&hands=hidden")


@pytest.mark.parametrize("address", ["#game=none/0/0", "#game=trix/99/0&deal=x", "#game=", "#plan"])
def test_an_address_of_no_game_shows_the_report(visit: Visit, report: Path, address: str) -> None:
    with visit(report, address) as page:
        expect(page.locator("h1").first).to_have_text("cup")
        expect(page.locator("#replay")).to_be_hidden()


def test_numbers_out_of_bounds_lead_to_the_next_position_there_is(visit: Visit, report: Path) -> None:
    with visit(report, f"#game={VYTRIX}&deal=99&move=9999&seat=77") as page:
        expect(page.locator("#replay-said")).to_contain_text("The game is over")


def test_hidden_hands_are_not_on_the_page(visit: Visit, report: Path) -> None:
    with visit(report, f"#game={VYTRIX}&deal=0&move=0&seat=0&hands=hidden") as page:
        page.locator("#replay .table").wait_for()
        assert page.locator(".table [role=img]").count() == 16
        assert page.locator(".suits").count() == 0
        assert page.locator(".backs").all_inner_texts() == ["16 cards", "16 cards"]


def test_every_move_is_that_of_the_record(visit: Visit, report: Path, store: Path) -> None:
    with visit(report) as page, Store.open(store) as opened:
        shown = page.evaluate(_ALL_MOVES)
        games = 0
        for game, record in opened.records():
            watched = _Watched()
            replay(record, watched)
            assert shown[game.name] == watched.deals, game.name
            games += 1
        assert games == len(shown)


#: By game its deals: moves with their seats, who took how many tricks, the scores after it.
_ALL_MOVES = """async () => {
  const { archive, replay } = cardtable;
  const found = {};
  for (const row of archive.index().games.keys()) {
    const game = replay.gameOf(row, await archive.packedGame(row));
    found[game.name] = game.deals.map((deal, number) => {
      const { seats } = replay.positionOf(game, number, deal.moves.length, { seat: 0, open: true });
      return {
        moves: deal.moves.map(({ seat, text }) => [seat, text]),
        tricks: seats.map(({ tricks }) => tricks ?? 0),
        left: seats.map(({ cards }) => cards.length),
        scores: deal.after,
      };
    });
  }
  return found;
}"""


class _Watched:
    """What the rules say of each deal."""

    def __init__(self) -> None:
        self.deals: list[dict[str, Any]] = []

    def dealt(self, _number: int, deal: Any, _state: Any) -> None:
        left = [len(hand) for hand in deal.hands]
        self.deals.append({"moves": [], "tricks": [0] * len(left), "left": left})

    def acted(self, seat: int, text: str, state: Any) -> None:
        deal = self.deals[-1]
        deal["moves"].append([seat, text])
        is_card = re.fullmatch("[2-9TJQKA][SHDC]", text) is not None
        deal["left"][seat] -= is_card
        cards = [move for move in deal["moves"] if len(move[1]) == 2]
        players = len(deal["left"])
        if state.to_act is None:
            summary = state.summary()
            deal["scores"] = list(state.scores)
            if summary.game == "vytrix":
                deal["tricks"] = list(summary.tricks)
            elif not state.ended_void and summary.contract.value != "trix":
                taken = _taker(cards[-players:])
                deal["tricks"][taken] += 1
        elif is_card and len(cards) % players == 0 and _takes_tricks(state):
            deal["tricks"][state.to_act] += 1


def _takes_tricks(state: Any) -> bool:
    """Whether it is Trix and no layout; of Vytrix the summary tells who took what."""
    return bool(state.view(0).game == "trix" and state.contract.value != "trix")


def _taker(trick: list[list[Any]]) -> int:
    """Who takes a trick without trumps; an ace is high."""
    led = trick[0][1][1]
    seat, _ = max(trick, key=lambda move: (move[1][1] == led, "23456789TJQKA".index(move[1][0])))
    return int(seat)


def test_the_terms_of_trix_are_there_in_arabic(visit: Visit, report: Path) -> None:
    with visit(report, f"#game={TRIX}&deal=0&move=1&seat=0", size=PHONE) as page:
        page.locator("#replay .table").wait_for()
        english = page.locator(".contract").inner_text()
        page.get_by_role("button", name="العربية").click()
        arabic = {
            "king of hearts": "ختيار الكبة",
            "queens": "البنات",
            "diamonds": "الديناري",
            "slaps": "اللطوش",
            "trix": "تركس",
        }
        assert page.locator(".contract").inner_text() == arabic[english]
        assert page.locator("#replay").get_attribute("dir") == "rtl"
        assert not is_too_wide(page)
        page.get_by_role("button", name="English").click()
        assert page.locator(".contract").inner_text() == english


def test_games_are_found_by_entrant_competition_board_and_fault(visit: Visit, report: Path) -> None:
    with visit(report) as page:
        games = page.locator("#games-list")
        rows = games.locator("tbody tr")
        expect(rows).to_have_count(25)
        games.get_by_label("Competition").select_option("trix")
        expect(rows).to_have_count(8)
        games.get_by_label("Board").fill("1")
        expect(rows).to_have_count(4)
        games.get_by_label("Only with faults").check()
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("1 fault")
        games.get_by_label("Board").fill("7")
        expect(games).to_contain_text("No game is like that.")


def test_without_scripts_results_are_read_all_the_same(visit: Visit, report: Path) -> None:
    with visit(report, java_script_enabled=False) as page:
        assert page.locator("svg.chart").count() >= 4
        assert page.locator("table.ratings").count() >= 3
        expect(page.get_by_text("Looking through the games needs JavaScript")).to_be_visible()


_SECONDS_TO_OPEN = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd / 1000"


@pytest.mark.long
def test_ten_thousand_games_open_in_two_seconds_and_fit_into_a_mail(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Most games are copies, which replay alike, and the analysis adds little to a page's weight: minutes are saved.
    boards: dict[tuple[object, ...], Board] = {}

    def board_of(records: Iterable[tuple[int, GameRecord]], *, comments: bool) -> Board:
        played = list(records)
        key = tuple((seating, record.seed) for seating, record in played)
        if key not in boards:
            boards[key] = replays.board_of(played, comments=comments)
        return boards[key]

    monkeypatch.setattr(archive, "board_of", board_of)
    monkeypatch.setattr(making, "analysis_of", lambda *_: [])
    many = cup(tmp_path / "many.db", competitions={"trix": {"game": "trix", "boards": 2500}}, distinct=20)
    folder = tmp_path / "report"
    assert run(["report", str(many), "-o", str(folder)]) == 0
    page_file = folder / "index.html"
    assert page_file.stat().st_size < 15_000_000
    with visit(page_file, size=DESK) as page:
        # The best of three: what else the machine does is no fault of the page's.
        seconds = [page.evaluate(_SECONDS_TO_OPEN)]
        for _ in range(2):
            page.reload()
            seconds.append(page.evaluate(_SECONDS_TO_OPEN))
        expect(page.locator("table.games tbody tr")).to_have_count(25)
        expect(page.locator(".pages")).to_contain_text("of 10,000")
        assert min(seconds) < 2
        page.goto(f"{page_file.as_uri()}#game=trix/2499/3&deal=0&move=5&seat=0")
        page.locator("#replay .table").wait_for()
