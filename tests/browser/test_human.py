"""A person at a table: whole games of each kind in a browser, by pointer and by keyboard, and how it looks."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from referee.cli import run
from referee.store import Store
from tests.browser.looking import DESK, PHONE, SCHEMES, SIZES, is_too_wide, picture, serious_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, Page

    Sit = Callable[..., AbstractContextManager[Page]]

#: Short games of each kind.
HANDS = ("--game", "vytrix", "--option", "target=0", "--option", "max_hands=2", "--option", "max_bid=12")
FOUR = (*HANDS, "--option", "players=4")
TRIX = ("--game", "trix")
#: Who opens is declarer.
OPENERS = ("--game", "vytrix", "--option", "target=0", "--option", "max_hands=15", "--option", "max_bid=1")

#: Does something legal, at random, as soon as it is offered; `until` is a selector at which it stops, as it does at the end.
#: Who is eager takes the first of what is offered, and leaves out no card that may be chosen.
PLAY = """([until, seed, isEager]) => new Promise((resolve) => {
  let state = seed;
  const random = (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
  const any = (list) => list[isEager ? 0 : random(list.length)];
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((one) => !one.disabled);
  const act = () => {
    if (document.querySelector(until) || document.querySelector('#closed')) { clearInterval(timer); resolve(); return; }
    const goOn = document.querySelector("#go-on");
    if (goOn) return goOn.click();
    const cards = visible(".hand button");
    const toggles = cards.filter((one) => one.hasAttribute("aria-pressed"));
    const panel = visible("#ask .options button");
    if (toggles.length) {
      const open = toggles.filter((one) => one.getAttribute("aria-pressed") === "false");
      if (!panel.length || (toggles.length < 5 && open.length && (isEager || random(2)))) return any(open)?.click();
      return panel[0].click();
    }
    const pass = panel.find((one) => one.textContent === "Pass");
    if (pass && !isEager && random(4)) return pass.click();
    if (visible("#ask .choice input").length && random(3)) return any(visible("#ask .choice input")).click();
    const all = [...cards, ...panel];
    if (all.length) any(all).click();
  };
  const timer = setInterval(act, 4);
})"""

#: What the focus is on, in a word; null while there is nothing to do.
FOCUS = """() => {
  const at = document.activeElement;
  if (document.querySelector("#closed")) return "over";
  if (at.matches("[aria-pressed]")) return "choose";
  if (at.matches(".hand button")) return "play";
  if (at.matches("#ask button:not(.step)")) return "button";
  return at === document.body ? null : at.tagName;
}"""


class Evening:
    """`tourney human`, running."""

    def __init__(self, stack: ExitStack, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "referee", "human", "--no-open", "--store", "evening.db", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        stack.callback(self._kill)
        self.said, self.address = "", ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
            if "Ctrl-C" in line:
                break
        assert self.address, self.process.communicate()

    def end(self) -> tuple[int, str]:
        """Wait for the end: the status, and all that was printed."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, self.said + out + err

    def _kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as everything:
        yield everything


@pytest.fixture
def sit(browser: Browser) -> Callable[..., AbstractContextManager[Page]]:
    """Open a table in a window of its own, at once or at the speed named; at the end it must have been silent."""

    @contextmanager
    def opened(
        address: str, *, size: tuple[int, int] = DESK, speed: str = "atOnce", **options: Any
    ) -> Iterator[Page]:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.add_init_script(f"localStorage.setItem('cardtable.speed', '{speed}')")
        said: list[str] = []
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: said.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("request", lambda one: None if one.url.startswith(address) else said.append(one.url))
        page.goto(address)
        yield page
        context.close()
        assert said == []

    return opened


def play_on(page: Page, until: str, seed: int = 1, *, is_eager: bool = False) -> None:
    """Do anything legal until there is what the selector names."""
    page.evaluate(PLAY, [until, seed, is_eager])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("three", HANDS),
        ("defenders", (*HANDS, "--option", "defensive_partnerships=true", "--option", "last_trick=bonus")),
        ("four", FOUR),
        ("partial", (*FOUR, "--option", "partial_bidding=true", "--names")),
        pytest.param("trix", TRIX, marks=pytest.mark.long),
        pytest.param("partners", (*TRIX, "--option", "partners=true"), marks=pytest.mark.long),
    ],
)
def test_a_whole_game_is_played_by_clicking(
    stack: ExitStack, sit: Sit, tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    evening = Evening(stack, tmp_path, *words)
    with sit(evening.address) as page:
        play_on(page, "#closed", seed=len(name))
        assert page.locator("#question").inner_text() == "The game is over"
        assert page.locator("#closed").inner_text().startswith("That was the last game")
        game = words[1]
        assert page.locator("pre").inner_text().splitlines() == [
            f"tourney show evening.db {game}/0/0",
            "tourney report evening.db -o report",
        ]
        assert serious_faults(page) == []
        picture(page, f"human-{name}-end")
    status, said = evening.end()
    assert status == 0, said
    with Store.open(tmp_path / "evening.db") as store:
        ((stored, record),) = store.records()
        assert list(store.faults()) == []
    assert "you" in stored.seats
    assert record.scores is not None
    assert run(["verify", str(tmp_path / "evening.db")]) == 0


def test_a_game_is_played_by_keyboard_alone(stack: ExitStack, sit: Sit, tmp_path: Path) -> None:
    evening = Evening(stack, tmp_path, *HANDS[:-4], "--option", "max_hands=1", "--option", "max_bid=6")
    with sit(evening.address) as page:
        for _ in range(2000):
            where = page.evaluate(FOCUS)
            if where == "over":
                break
            if where is None:  # the others play
                page.evaluate("new Promise((done) => setTimeout(done, 10))")
                continue
            if where == "choose":
                for number in "1234":
                    page.keyboard.press(number)
                    page.keyboard.press("Enter")
                while page.evaluate(FOCUS) != "button":
                    page.keyboard.press("Tab")
            elif where == "play":
                first = page.evaluate("document.activeElement.dataset.card")
                page.keyboard.press("ArrowRight")
                page.keyboard.press("ArrowLeft")
                assert page.evaluate("document.activeElement.dataset.card") == first
            page.keyboard.press("Enter")
        assert "You play" in (page.locator("#log").text_content() or "")
    assert evening.end()[0] == 0


@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_main_steps_are_fit_for_all(
    stack: ExitStack, sit: Sit, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    evening = Evening(stack, tmp_path, *HANDS)
    with sit(evening.address, size=size, color_scheme=scheme) as page:
        for step, until in (
            ("bid", ".bid"),
            ("play", ".hand button:not([aria-pressed])"),
            ("trick", ".trick .placed:nth-child(2) ~ *, .trick .placed:nth-child(2)"),
            ("deal", "#go-on"),
        ):
            play_on(page, until)
            picture(page, f"human-vytrix-{step}-{size[0]}-{scheme}")
            assert serious_faults(page) == []
            assert not is_too_wide(page)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=("phone", "desk"))
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_main_steps_of_trix_are_fit_for_all(
    stack: ExitStack, sit: Sit, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    evening = Evening(stack, tmp_path, *TRIX, "--bot", "random", "--bot", "random", "--bot", "random")
    with sit(evening.address, size=size, color_scheme=scheme) as page:
        for step, until in (
            ("play", ".trick .placed:nth-child(2)"),
            ("contract", ".options.list"),
            ("layout", ".with-layout .lies ~ .lies"),
            ("deal", "#go-on"),
        ):
            play_on(page, until)
            picture(page, f"human-trix-{step}-{size[0]}-{scheme}")
            assert serious_faults(page) == []
            assert not is_too_wide(page)
        page.get_by_role("button", name="العربية").click()
        picture(page, f"human-trix-arabic-{size[0]}-{scheme}")
        assert not is_too_wide(page)
        assert serious_faults(page) == []


@pytest.mark.long
@pytest.mark.parametrize("game", [TRIX, OPENERS], ids=("double", "discard"))
def test_cards_are_chosen_and_confirmed(
    stack: ExitStack, sit: Sit, tmp_path: Path, game: tuple[str, ...]
) -> None:
    # The cards of one game may be such that nothing is asked.
    evening = Evening(stack, tmp_path, *game, "--games", "3")
    with sit(evening.address, size=PHONE) as page:
        play_on(page, "[aria-pressed=true]", is_eager=True)
        picture(page, f"human-{game[1]}-chosen-360")
        assert serious_faults(page) == []
        button = page.locator("#ask .main")
        chosen = page.locator("[aria-pressed=true]")
        assert chosen.count() == 1
        if game == TRIX:
            sign = button.inner_text().removeprefix("Double ").replace("\ufe0e", "")
            assert sign in {"K♥", "Q♠", "Q♥", "Q♦", "Q♣"}
        else:
            assert button.inner_text() == "Lay away (1 of 4)"
            assert button.is_disabled()
            for _ in range(3):
                page.locator("[aria-pressed=false]").first.click()
            assert button.is_enabled()
        button.click()
        chosen.first.wait_for(state="detached")


def test_what_others_play_is_shown_one_after_another(stack: ExitStack, sit: Sit, tmp_path: Path) -> None:
    evening = Evening(stack, tmp_path, *HANDS)
    with sit(evening.address, speed="fast") as page:
        page.evaluate("""() => {
          window.most = 0;
          let before = 0;
          new MutationObserver(() => {
            const now = document.querySelectorAll("#log p").length;
            window.most = Math.max(window.most, now - before);
            before = now;
          }).observe(document.querySelector("#log"), { childList: true });
        }""")
        play_on(page, ".trick .takes")
        assert page.locator(".trick .placed").count() == 3
        assert page.evaluate("window.most") == 1


def test_a_page_that_is_loaded_again_has_lost_nothing(stack: ExitStack, sit: Sit, tmp_path: Path) -> None:
    evening = Evening(stack, tmp_path, *HANDS)
    with sit(evening.address) as page:
        play_on(page, ".trick .placed:nth-child(2)")
        page.locator(".hand button").first.wait_for()
        before = page.locator("#stage").inner_text()
        asked = page.locator("#question").inner_text()
        page.reload()
        page.locator(".hand button").first.wait_for()
        assert page.locator("#stage").inner_text() == before
        assert page.locator("#question").inner_text() == asked


def test_a_second_window_takes_the_seat_and_the_first_says_so(
    stack: ExitStack, sit: Sit, tmp_path: Path
) -> None:
    evening = Evening(stack, tmp_path, *HANDS)
    with sit(evening.address) as first, sit(evening.address) as second:
        first.get_by_text("This game goes on in another window.").wait_for()
        play_on(second, ".hand button")
        first.get_by_role("button", name="Play here").click()
        second.get_by_text("This game goes on in another window.").wait_for()
        first.locator(".hand button").first.wait_for()


def test_ctrl_c_ends_all_and_the_page_says_so(stack: ExitStack, sit: Sit, tmp_path: Path) -> None:
    evening = Evening(stack, tmp_path, *HANDS)
    with sit(evening.address) as page:
        play_on(page, ".hand button")
        children = psutil.Process(evening.process.pid).children(recursive=True)
        assert len(children) >= 3
        evening.process.send_signal(signal.SIGINT)
        page.get_by_text("This table was closed in the terminal.").first.wait_for()
        status, said = evening.end()
    assert status == 130, said
    assert "Traceback" not in said
    assert psutil.wait_procs(children, timeout=30)[1] == []


def test_names_of_bots_stay_text(stack: ExitStack, sit: Sit, tmp_path: Path) -> None:
    from cardtable import examples

    name = "<img src=x onerror=alert(1)>.py"
    source = Path(examples.__file__).with_name("greedy_bot.py").read_text(encoding="utf-8")
    (tmp_path / name).write_text(source, encoding="utf-8")
    evening = Evening(stack, tmp_path, *HANDS, "--names", "--bot", f"python3 '{name}'")
    with sit(evening.address, size=PHONE) as page:
        play_on(page, "#go-on")
        assert page.locator("img").count() == 0
        assert name[:-3] in page.locator("#stage").inner_text()
