"""`cardtable new`: a folder that is whole, plays at once and passes its own tests, or nothing at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardtable.commands import UsageError
from cardtable.commands.loading import load_bot
from cardtable.commands.new import new_bot
from cardtable.examples import example
from cardtable.local import play, seat_points
from referee.config import load
from tests.e2e.blocks import JAVASCRIPT, NODE_READY

if TYPE_CHECKING:
    from tests.sdk.commands.conftest import Command

ROOT = Path(__file__).parents[3]


def test_it_says_what_is_there_and_what_comes_next(cardtable: Command) -> None:
    done = cardtable("new", "my_bot")
    assert done.status == 0
    assert done.out.splitlines()[0] == "my_bot: README.md, cup.toml, my_bot.py, test_my_bot.py"
    assert "  cd my_bot\n" in done.out
    assert "  tourney run cup.toml " in done.out


def test_the_bot_is_called_as_its_folder_and_nothing_of_the_template_is_left(
    cardtable: Command, tmp_path: Path
) -> None:
    cardtable("new", "lucky_luke")
    folder = tmp_path / "lucky_luke"
    assert load_bot(str(folder / "lucky_luke.py")).bot.__name__ == "LuckyLukeBot"
    for file in folder.iterdir():
        assert not {"my_bot", "MyBot"} & set(file.read_text().replace(".", " ").split())
        assert file.suffix != ".txt"


@pytest.mark.usefixtures("cardtable")
def test_the_bot_plays_both_games_with_partners_too_and_beats_chance(tmp_path: Path) -> None:
    new_bot(tmp_path / "my_bot")
    bot, chance = load_bot(str(tmp_path / "my_bot" / "my_bot.py")).bot, example("random")
    for game, variant in (
        ("trix", {}),
        ("trix", {"partners": True}),
        ("vytrix", {}),
        ("vytrix", {"players": 4}),
        ("vytrix", {"players": 4, "partial_bidding": True}),
    ):
        seats = [bot, chance, bot, chance][: 3 if game == "vytrix" and not variant else 4]
        points = [0] * len(seats)
        for record in play(game, seats, variant=variant, games=4):
            points = [one + more for one, more in zip(points, seat_points(record), strict=True)]
        assert min(points[0], points[2]) > points[1]


def test_the_tournament_file_is_sound_and_its_bots_are_those_of_the_library(tmp_path: Path) -> None:
    for lang, name in (("python", "my_bot"), ("js", "node_bot")):
        new_bot(tmp_path / name, lang)
        config = load(tmp_path / name / "cup.toml")
        assert [one.name for one in config.entrants] == [name, "random", "greedy", "counter"]
        assert [one.game for one in config.competitions] == ["trix", "vytrix"]
        assert config.entrants[1].command == ("python", "-m", "cardtable.examples.random_bot")
        assert ("my_bot.py" if lang == "python" else "bot.js") in dict(config.entrants[0].files)


def test_an_example_started_as_a_module_wants_a_referee() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cardtable.examples.greedy_bot"],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("CARDTABLE")},
        check=False,
    )
    assert done.returncode == 2
    assert "CARDTABLE_REFEREE" in done.stderr


@pytest.mark.long
def test_the_folder_passes_its_own_tests_and_those_of_a_careful_author(tmp_path: Path) -> None:
    new_bot(tmp_path / "my_bot")
    for command in (
        ["pytest", "-q", "-p", "no:cacheprovider"],
        ["ruff", "check", "--isolated", "--select", "E,F,I,UP,B,SIM", "."],
        ["ruff", "format", "--isolated", "--check", "."],
        ["mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "."],
    ):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=tmp_path / "my_bot",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_bot_in_javascript_has_all_files_and_its_own_name(cardtable: Command, tmp_path: Path) -> None:
    done = cardtable("new", "--lang", "js", "node_bot")
    assert done.status == 0
    folder = tmp_path / "node_bot"
    assert {path.name for path in JAVASCRIPT.glob("*.js")} < {path.name for path in folder.iterdir()}
    assert (folder / "proto" / "cardtable" / "v1" / "table.proto").is_file()
    assert not (folder / "node_modules").exists()
    assert 'name: "node_bot"' in (folder / "bot.js").read_text()
    for file in ("package.json", "package-lock.json"):
        assert json.loads((folder / file).read_text())["name"] == "node_bot"


@pytest.mark.long
@pytest.mark.skipif(
    not NODE_READY and not os.environ.get("CARDTABLE_NO_SKIPS"),
    reason="needs Node.js, and `npm ci` in examples/javascript",
)
def test_the_bot_in_javascript_passes_its_own_tests(tmp_path: Path) -> None:
    new_bot(tmp_path / "my_bot", "js")
    (tmp_path / "my_bot" / "node_modules").symlink_to(JAVASCRIPT / "node_modules")
    done = subprocess.run(
        ["node", "--test"], cwd=tmp_path / "my_bot", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my-bot", "'my-bot': a bot is named by letters, digits and _, a letter first"),
        ("2bots", "'2bots': a bot is named by"),
        ("b" * 41, "': a bot is named by"),
        ("..", "'..': a bot is named by"),
        ("Random", "'Random': an example is called so"),
        ("class", "'class': Python has a word or a module of this name"),
        ("json", "'json': Python has a word or a module of this name"),
        ("cardtable", "'cardtable': Python has a word or a module of this name"),
        ("nowhere/my_bot", "nowhere/my_bot: there is no folder nowhere"),
    ],
)
def test_a_name_that_will_not_do_is_refused_in_one_line(
    cardtable: Command, tmp_path: Path, name: str, said: str
) -> None:
    done = cardtable("new", name)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_left_as_it_is(cardtable: Command, tmp_path: Path) -> None:
    (tmp_path / "my_bot").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("my_bot", "link"):
        done = cardtable("new", name)
        assert (done.status, done.err) == (
            2,
            f"cardtable: {name} is there already; take another name, or remove it\n",
        )
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "my_bot"]
    assert list((tmp_path / "my_bot").iterdir()) == []


def test_a_folder_that_cannot_be_finished_is_not_there_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path, *_args: object, **_more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(UsageError, match="my_bot cannot be made: No space left on device"):
        new_bot(tmp_path / "my_bot")
    assert list(tmp_path.iterdir()) == []


def test_there_is_one_copy_of_the_bot_in_javascript_and_of_the_protocol() -> None:
    templates = ROOT / "sdk" / "cardtable" / "templates"
    assert (templates / "javascript").resolve() == JAVASCRIPT.resolve()
    assert (templates / "proto").resolve() == (ROOT / "proto").resolve()
