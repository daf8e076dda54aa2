"""What the documentation names is there: files, headings, commands, options, helpers of the views; its bots play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from cardtable import Bot, TrixView, VytrixView, play
from referee.cli.app import app

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
AUTHOR = (ROOT / "docs" / "author.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_group(app).commands
#: Options of `tourney` itself, by typer.
COMPLETION = {"--install-completion", "--show-completion"}
VIEWS = {"Trix": TrixView, "Vytrix": VytrixView}


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to headings."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def tourney_lines(text: str) -> Iterable[list[str]]:
    """The words after each `tourney`: in shells' blocks the lines of a prompt, elsewhere what stands as code."""
    for block in [*blocks(text, "console"), *blocks(text, "sh")]:
        for line in block.replace("\\\n", " ").splitlines():
            yield from (
                part.split() for part in re.findall(r"(?:^\$ |^|[|&;] |/)tourney ([a-z-][^|&;>]*)", line)
            )
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (part.split() for part in re.findall(r"`tourney ([^`]*)`", prose))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_named_command_and_option_of_tourney_is_there(page: Path) -> None:
    for words in tourney_lines(page.read_text(encoding="utf-8")):
        command = COMMANDS.get(words[0])
        if command is None:
            assert words[0] in {"--help", "--version", *COMPLETION}, words
            continue
        known = {"--help"} | {name for one in command.params for name in one.opts}
        quoted = False
        for word in words[1:]:
            if word.startswith("-") and not quoted:
                assert word.partition("=")[0] in known, (words[0], word)
            quoted ^= word.count('"') % 2 == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_option_that_stands_alone_is_one_of_some_command(page: Path) -> None:
    known = {name for command in COMMANDS.values() for one in command.params for name in one.opts}
    for option in re.findall(r"`(--[a-z-]+)", page.read_text(encoding="utf-8")):
        assert option in known | {"--help", "--version", *COMPLETION}, option


@pytest.mark.parametrize("game", VIEWS)
def test_every_helper_in_the_tables_of_the_views_is_one_and_none_is_missing(game: str) -> None:
    section = AUTHOR.partition(f"\n### The view of {game}\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    view = VIEWS[game]
    there = {name for name in vars(view) if not name.startswith("_")}
    common = set(re.findall(r"`(\w+)`", AUTHOR.partition("In both views:")[2].partition("###")[0]))
    assert named <= there
    assert there - named - common == {"game", "with_clock"}


@pytest.mark.parametrize("source", [one for one in blocks(AUTHOR, "python") if "run(" in one])
def test_every_whole_bot_plays(source: str) -> None:
    space: dict[str, object] = {"__name__": "bot"}
    exec(compile(source, "author.md", "exec"), space)
    (bot,) = [
        one for one in space.values() if isinstance(one, type) and issubclass(one, Bot) and one is not Bot
    ]

    class Chance(Bot):
        def trix(self, view: TrixView) -> object:
            return view.legal_actions.sample(self.random)

    (record,) = play("trix", [bot, Chance, Chance, Chance])
    assert record.scores is not None


@pytest.mark.parametrize(
    "source", [block for page in PAGES for block in blocks(page.read_text(encoding="utf-8"), "python")]
)
def test_every_block_of_python_compiles(source: str) -> None:
    compile(source, "docs", "exec")
