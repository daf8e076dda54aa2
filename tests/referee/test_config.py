from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.blocks import BotSpec, Limits
from referee.config import KEYS, Competition, Config, ConfigError, Seed, changes, load, quick, store_of
from referee.entrants import Entrant
from referee.sequential import StopRule

if TYPE_CHECKING:
    from collections.abc import Callable

TRIX = '[[competition]]\ngame = "trix"\n'
VYTRIX = '[[competition]]\ngame = "vytrix"\n'
DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"


def bots(*names: str) -> str:
    return "".join(f'[[bot]]\nname = "{name}"\ncommand = "python {name}.py"\n' for name in names)


FOUR = bots("a", "b", "c", "d")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in "abcd":
        (tmp_path / f"{name}.py").write_text(f"# {name}\n")
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    """The one line with which the file is refused, without its path."""
    with pytest.raises(ConfigError) as caught:
        load(write(folder, text))
    said = str(caught.value)
    assert "\n" not in said
    return said.removeprefix(f"{folder}/")


def with_bot(lines: str) -> str:
    """A sound file but for the lines of its last bot, which begins on line 15."""
    return f'{TRIX}{FOUR}[[bot]]\nname = "e"\n{lines}\n'


def test_the_least_file_has_every_default(folder: Path) -> None:
    config = load(write(folder, VYTRIX + bots("a", "b", "c")))
    assert (config.name, config.store, config.logs) == ("cup", folder / "cup.db", folder / "cup-logs")
    bounds = Limits(sandbox="limits", memory_bytes=2048 << 20, processes=64, open_files=1024)
    assert (config.seed, config.limits) == (Seed(), bounds)
    assert config.jobs >= 1
    (competition,) = config.competitions
    assert dataclasses.replace(competition, variant=None, options={}) == Competition(
        name="vytrix",
        game="vytrix",
        variant=None,
        options={},
        boards=10,
        schedule="round-robin",
        tables=None,
        hero=None,
        rotations="cyclic",
        teams="none",
        score="places",
        ask_forced=False,
        show_names=False,
        entrants=("a", "b", "c"),
    )
    digest = hashlib.sha256(b"# a\n").hexdigest()
    assert config.entrants[0] == Entrant(
        name="a",
        command=("python", "a.py"),
        spec=BotSpec("a", (sys.executable, "a.py"), str(folder), (), files=(("a.py", digest),)),
        files=(("a.py", digest),),
        competitions=("vytrix",),
    )


def test_every_key_of_a_whole_file_arrives(folder: Path) -> None:
    (folder / "my bots").mkdir()
    (folder / "my bots" / "e.py").touch()
    master = "0f" * 32
    config = load(
        write(
            folder,
            f"""
            [tournament]
            name = "Spring cup"
            store = "my bots/x.db"
            [seed]
            master = "{master}"
            public = "lottery 7"
            [[competition]]
            name = "pairs"
            game = "trix"
            variant = {{ partners = true }}
            boards = 20
            schedule = "round-robin"
            rotations = "none"
            teams = "same"
            score = "places"
            ask_forced = true
            show_names = true
            [[competition]]
            game = "trix"
            [clocks]
            start_seconds = 1.5
            first_move_seconds = 2
            move_ms = 3
            game_seconds = 4
            margin_ms = 0
            stop_seconds = 0
            disconnect_seconds = 6
            [faults]
            forfeit_after = 7
            restarts = 0
            disqualify_after = 8
            [run]
            jobs = 3
            sandbox = "none"
            log_bytes = 9
            logs = "my logs"
            {FOUR}
            [[bot]]
            name = "e"
            command = ["python3", "e.py", ""]
            folder = "my bots"
            files = ["*.py"]
            environment = {{ KEY = "value" }}
            competitions = ["Pairs"]
            """,
        )
    )
    assert (config.name, config.store) == ("Spring cup", folder / "my bots" / "x.db")
    assert config.seed == Seed(bytes.fromhex(master), "lottery 7")
    assert config.limits == Limits(1.5, 2.0, 3, 4.0, 0, 0.0, 6.0, 7, 0, 9)
    assert (config.disqualify_after, config.jobs, config.logs) == (8, 3, folder / "my logs")
    pairs, trix = config.competitions
    assert (pairs.name, pairs.boards, pairs.rotations, pairs.teams) == ("pairs", 20, "none", "same")
    assert (pairs.score, pairs.ask_forced, pairs.show_names) == ("places", True, True)
    assert (pairs.variant.partners, pairs.options["partners"]) == (True, True)
    assert pairs.entrants == ("a", "b", "c", "d", "e")
    assert trix is config.competition("trix")
    assert trix.entrants == ("a", "b", "c", "d")
    assert config.entrants[4].spec == BotSpec(
        "e",
        (sys.executable, "e.py", ""),
        str(folder / "my bots"),
        (("KEY", "value"),),
        files=config.entrants[4].files,
    )


def test_a_value_is_given_where_a_run_changes_it_and_logs_follow_the_store(folder: Path) -> None:
    config = dataclasses.replace(load(write(folder, TRIX + FOUR)), store=folder / "other" / "x.db")
    assert config.logs == folder / "other" / "x-logs"


def test_there_is_no_competition_of_another_name(folder: Path) -> None:
    with pytest.raises(KeyError):
        load(write(folder, TRIX + FOUR)).competition("chess")


# The file itself.


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: there is no such file$") as caught:
        load(tmp_path / "none.toml")
    assert (caught.value.path, caught.value.line) == (tmp_path / "none.toml", None)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is a folder, not a tournament file$"):
        load(tmp_path)


def test_a_file_that_may_not_be_read_is_refused_with_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(folder, TRIX)

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(ConfigError, match=r"cannot be read: Permission denied$"):
        load(path)


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^a\\x00b: cannot be read"):
        load("a\0b")


def test_a_file_that_is_not_utf_8_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_bytes(b"[tournament]\nname = '\xe9t\xe9'\n")
    with pytest.raises(ConfigError, match=r"cup\.toml:2: is not UTF-8"):
        load(path)


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_read(folder: Path) -> None:
    path = folder / "cup.toml"
    path.write_bytes(("\ufeff" + TRIX + FOUR).replace("\n", "\r\n").encode())
    assert len(load(path).entrants) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[run]\njobs = \n",
            'cup.toml:2: no TOML: invalid value, at column 8; a text stands in quotes, such as name = "cup"',
        ),
        (
            "[bot]\nname = 'a'\n[bot]\n",
            "cup.toml:3: no TOML: cannot declare ('bot',) twice, at column 5; each bot and each competition begins with [[ and ]]",
        ),
        (
            "import os\n",
            "cup.toml:1: no TOML: expected '=' after a key in a key/value pair, at column 8; a tournament file has lines such as boards = 10",
        ),
        ("[run]\njobs = 1\njobs = 2\n", "cup.toml:3: no TOML: cannot overwrite a value, at column 9"),
        ("[run]\nlogs = 'x", 'cup.toml:2: no TOML: expected "\'", at the end of the file'),
    ],
)
def test_a_syntax_error_tells_its_line(folder: Path, text: str, said: str) -> None:
    assert refusal(folder, text) == said


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000])
def test_a_value_without_end_is_refused(folder: Path, value: str) -> None:
    assert "is not TOML that can be read" in refusal(folder, f"[run]\njobs = {value}\n")


def test_the_error_carries_its_place(folder: Path) -> None:
    path = write(folder, '[run]\n\njobs = "2"\n')
    with pytest.raises(ConfigError) as caught:
        load(path)
    error = caught.value
    assert (error.path, error.line, error.key) == (path, 3, '[run], "jobs"')
    assert error.message == 'is a whole number, not the text "2"'


# Tables, keys and types.


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[runs]\n", 'cup.toml:1: "runs": unknown table; did you mean "run"?'),
        ("[zzz]\n", 'cup.toml:1: "zzz": unknown table; the tables are tournament, seed, bot'),
        ("jobs = 2\n", 'cup.toml:1: "jobs": unknown table; '),
        ("[clocks]\nmove_sm = 1\n", 'cup.toml:2: [clocks], "move_sm": unknown key; did you mean "move_ms"?'),
        ('[faults]\n\n"Restarts" = 1\n', '3: [faults], "Restarts": unknown key; did you mean "restarts"?'),
        (f"{TRIX}board = 3\n{FOUR}", '3: [[competition]] 1, "board": unknown key; did you mean "boards"?'),
        (with_bot('comand = "x"'), 'cup.toml:17: [[bot]] 5, "comand": unknown key; did you mean "command"?'),
        ('[bot]\nname = "a"\n' + TRIX, 'cup.toml:1: "bot": there may be more than one: write [[bot]]'),
        ("[[run]]\njobs = 2\n", 'cup.toml:1: "run": is one table, written [run]'),
        ("run = 3\n", 'cup.toml:1: "run": is a table, not 3'),
        ("bot = [3]\n" + TRIX, 'cup.toml:1: "bot": is an array of tables, written [[bot]], not 3'),
        (
            "competition = 3\n",
            'cup.toml:1: "competition": is an array of tables, written [[competition]], not 3',
        ),
        ('"" = 1\n', 'cup.toml:1: "": unknown table; the tables are'),
        ("[competition.variant]\n", 'cup.toml:1: "competition": there may be more than one'),
        (FOUR, "cup.toml: there is no [[competition]]; a tournament needs one at least"),
        (TRIX, "cup.toml:1: [[competition]] 1: needs 4 bots, one for each seat, and has none"),
    ],
)
def test_an_unknown_or_misplaced_key_is_refused_with_what_was_meant(
    folder: Path, text: str, said: str
) -> None:
    assert said in refusal(folder, text)


@pytest.mark.parametrize(
    ("table", "line", "said"),
    [
        ("tournament", "name = 3", "is a text, not 3"),
        ("tournament", "name = 2026-01-01", "is a text, not the date or time 2026-01-01"),
        ("tournament", "store = true", "is a text, not true"),
        ("seed", "public = 7", "is a text, not 7"),
        ("run", "jobs = true", "is a whole number, not true"),
        ("run", "jobs = 2.0", "is a whole number, not 2.0"),
        ("run", "jobs = 0", "is a whole number from 1 to 1024, not 0"),
        ("run", "jobs = -1", "is a whole number from 1 to 1024, not -1"),
        ("run", f"jobs = {'9' * 30}", "from 1 to 1024, not one of more than 20 digits"),
        ("run", "log_bytes = -1", "is a whole number from 0 to"),
        ("run", "logs = []", "is a text, not a list"),
        ("clocks", 'move_ms = "1s"', 'is a whole number, not the text "1s"'),
        ("clocks", "move_ms = 0", "is a whole number from 1 to 604800000, not 0"),
        ("clocks", "margin_ms = -1", "is a whole number from 0 to 604800000, not -1"),
        ("clocks", "start_seconds = 0", "is a number above 0, 604800 at most, not 0"),
        ("clocks", "start_seconds = nan", "is a number above 0, 604800 at most, not nan"),
        ("clocks", "first_move_seconds = inf", "is a number above 0, 604800 at most, not inf"),
        ("clocks", "game_seconds = false", "is a number, not false"),
        ("clocks", "game_seconds = -0.0", "is a number above 0, 604800 at most, not -0.0"),
        ("clocks", f"game_seconds = {'9' * 400}", "not one of more than 20 digits"),
        ("clocks", "stop_seconds = -1e-9", "is a number from 0 to 604800, not -1e-09"),
        ("clocks", "disconnect_seconds = {}", "is a number, not a table"),
        ("faults", "forfeit_after = 0", "is a whole number from 1 to 2147483647, not 0"),
        ("faults", "disqualify_after = 0", "is a whole number from 1 to 2147483647, not 0"),
        ("faults", "restarts = -1", "is a whole number from 0 to 2147483647, not -1"),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_right(folder: Path, table: str, line: str, said: str) -> None:
    key = line.partition(" ")[0]
    refused = refusal(folder, f"[{table}]\n{line}\n{TRIX}{FOUR}")
    assert refused.startswith(f'cup.toml:2: [{table}], "{key}": ')
    assert said in refused


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("boards = 0", '"boards": is a whole number from 1 to 2147483647, not 0'),
        ("boards = true", '"boards": is a whole number, not true'),
        (
            'schedule = "swis"',
            '"schedule": is "round-robin" or "whist" or "gauntlet" or "swiss" or "ladder", not "swis"',
        ),
        ('hero = "a"', '"hero": needs schedule = "gauntlet"'),
        ("rotations = 4", '"rotations": is "cyclic" or "none", not 4'),
        ('teams = "twin"', '"teams": is "none" or "same" or "whist", not "twin"'),
        ('score = "Points"', '"score": is "points" or "places", not "Points"'),
        ("ask_forced = 1", '"ask_forced": is true or false, not 1'),
        ('show_names = "no"', '"show_names": is true or false, not the text "no"'),
        ("variant = 3", '"variant": is a table, not 3'),
        ("name = 3", '"name": is a text, not 3'),
        ('teams = "whist"', '"teams": "whist" needs partners, and '),
    ],
)
def test_a_wrong_value_of_a_competition_is_refused(folder: Path, line: str, said: str) -> None:
    refused = refusal(folder, f"{TRIX}{line}\n{FOUR}")
    assert refused.startswith("cup.toml:3: [[competition]] 1, " + said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "has no command"),
        ("command = 3", "is a list of texts or one text"),
        ('command = ["python", 3]', "is a list of texts, 3 is none"),
        ('command = ""', "is empty"),
        ("command = []", "is empty"),
        ('command = ["", "x"]', "is empty"),
        ('command = "python \'x"', "cannot be split as a shell would: no closing quotation"),
        ('command = ["python", "a\\u0000"]', "contains a NUL character"),
        ('command = "no-such-program x"', 'there is no program "no-such-program" on PATH'),
        ('command = "./nothing"', "there is no program"),
        ('command = "python nothing.py"', "there is no script"),
        ('command = "./a.py"', "may not be executed; try chmod +x"),
        (
            'command = "a.py"',
            'is no program "a.py" on PATH; for the file in the bot\'s folder write "./a.py"',
        ),
        ('command = "python a.py"\nfolder = "nowhere"', "there is no folder"),
        ('command = "python a.py"\nfolder = "a.py"', "there is no folder"),
        (f'command = "python a.py"\nfolder = "{"x" * 300}"', "there is no folder"),
        ('command = "python a.py"\nfiles = "a.py"', 'is a list of texts, not the text "a.py"'),
        ('command = "python a.py"\nfiles = ["*.rs"]', 'matches "*.rs"'),
        ('command = "python a.py"\nfiles = [""]', "is no name or glob"),
        ('command = "python a.py"\nfiles = ["/etc/*"]', "is no name or glob"),
        ('command = "python a.py"\nfiles = ["."]', 'is a folder; for all files in it write "./**/*"'),
        ('command = "python a.py"\nenvironment = 3', "is a table, not 3"),
        ('command = "python a.py"\nenvironment = { A = 3 }', '"A": is a text, not 3'),
        ('command = "python a.py"\nenvironment = { "A=B" = "" }', "is no name and value of an environment"),
        ('command = "python a.py"\nenvironment = { CARDTABLE_TOKEN = "" }', "is set by the referee"),
        ('command = "python a.py"\ncompetitions = "trix"', 'is a list of texts, not the text "trix"'),
        ('command = "python a.py"\ncompetitions = []', "is empty; leave it out to play in all"),
        ('command = "python a.py"\ncompetitions = ["x"]', 'is no competition "x"; there are "trix"'),
    ],
)
def test_a_wrong_value_of_a_bot_is_refused(folder: Path, line: str, said: str) -> None:
    refused = refusal(folder, with_bot(line))
    number = 15 if not line else 16 + len(line.splitlines())
    assert refused.startswith(f"cup.toml:{number}: [[bot]] 5")
    assert said in refused


# Names.


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        (" a", "begins or ends with a space"),
        ("x" * 65, "has 65 characters; 64 is the most"),
        ("a\\tb", "contains a control character"),
        ("a\\u202eb", "contains a control character"),
        ("a\\u2028b", "contains a control character"),
    ],
)
def test_a_name_that_would_garble_a_table_is_refused(folder: Path, name: str, said: str) -> None:
    bot = f'[[bot]]\nname = "{name}"\ncommand = "python a.py"\n'
    assert said in refusal(folder, TRIX + FOUR + bot)
    assert said in refusal(folder, f'{TRIX}name = "{name}"\n{FOUR}')
    assert said in refusal(folder, f'[tournament]\nname = "{name}"\n{TRIX}{FOUR}')


def test_a_bot_without_a_name_is_refused(folder: Path) -> None:
    text = f'{TRIX}{FOUR}[[bot]]\ncommand = "python a.py"\n'
    assert refusal(folder, text) == 'cup.toml:15: [[bot]] 5: has no name; write name = "..."'


@pytest.mark.parametrize(
    ("one", "two"),
    [("ana", "ana"), ("Ana", "aNA"), ("Straße", "STRASSE"), ("é", "e\u0301"), ("É", "e\u0301")],
)
def test_names_that_differ_by_case_or_composition_alone_are_the_same(
    folder: Path, one: str, two: str
) -> None:
    extra = "".join(f'[[bot]]\nname = "{name}"\ncommand = "python a.py"\n' for name in (one, two))
    assert "stands twice: [[bot]] 5 has that name too" in refusal(folder, TRIX + FOUR + extra)
    assert "[[competition]] 1 has that name too" in refusal(
        folder, f'{TRIX}name = "{one}"\n{TRIX}name = "{two}"\n{FOUR}'
    )


def test_a_name_is_kept_composed_and_of_any_script(folder: Path) -> None:
    text = TRIX + bots("a", "b", "c") + '[[bot]]\nname = "e\u0301 طريكس"\ncommand = "python a.py"\n'
    assert load(write(folder, text)).entrants[3].name == "\u00e9 طريكس"


def test_competitions_without_a_name_are_called_after_their_game(folder: Path) -> None:
    text = f'{TRIX}{TRIX}name = "trix-2"\n{TRIX}{VYTRIX}{FOUR}'
    names = [one.name for one in load(write(folder, text)).competitions]
    assert names == ["trix", "trix-2", "trix-3", "vytrix"]


# Games, variants, entrants.


@pytest.mark.parametrize(
    ("competition", "said"),
    [
        ("[[competition]]\n", '1: [[competition]] 1: has no game; write game = "trix"'),
        ('[[competition]]\ngame = "Trx"\n', 'unknown game "Trx"; did you mean "trix"?'),
        ('[[competition]]\ngame = "chess"\n', 'unknown game "chess"; the games are trix, vytrix'),
        (
            TRIX + "[competition.variant]\npartner = true\n",
            'cup.toml:4: [[competition]] 1, "variant.partner"',
        ),
        (TRIX + "variant = { partners = 1 }\n", 'cup.toml:3: [[competition]] 1, "variant.partners"'),
        (TRIX + "variant.max_voids = nan\n", 'cup.toml:3: [[competition]] 1, "variant.max_voids"'),
        (f"{TRIX}variant.max_voids = 0x{'f' * 9000}\n", "has a number of thousands of digits"),
        (VYTRIX + "variant.players = 5\n", '"variant.players": players is 3 or 4'),
        (VYTRIX + "variant.max_hands = 0\nvariant.target = 0\n", "cup.toml:3"),
    ],
)
def test_a_game_or_variant_that_is_none_is_refused(folder: Path, competition: str, said: str) -> None:
    assert said in refusal(folder, competition + FOUR)


@pytest.mark.parametrize(
    ("competition", "names", "said"),
    [
        (TRIX, "abc", 'needs 4 bots, one for each seat, and has 3: "a", "b", "c"'),
        (VYTRIX, "ab", 'needs 3 bots, one for each seat, and has 2: "a", "b"'),
        (
            TRIX + 'variant.partners = true\nteams = "same"\n',
            "a",
            "needs 2 bots, one for each side, and has 1",
        ),
    ],
)
def test_too_few_bots_for_the_seats_are_refused(
    folder: Path, competition: str, names: str, said: str
) -> None:
    assert said in refusal(folder, competition + bots(*names))


def test_bots_that_play_elsewhere_do_not_fill_seats(folder: Path) -> None:
    text = f'{VYTRIX}{TRIX}{FOUR}competitions = ["vytrix"]\n'
    assert (
        'cup.toml:3: [[competition]] 2: needs 4 bots, one for each seat, and has 3: "a", "b", "c"'
        in refusal(folder, text)
    )


def test_two_bots_are_enough_for_partners_of_one_team(folder: Path) -> None:
    text = VYTRIX + 'variant.players = 4\nteams = "same"\n' + bots("a", "b")
    assert load(write(folder, text)).competitions[0].entrants == ("a", "b")


@pytest.mark.parametrize(
    ("competition", "score"),
    [
        (TRIX, "points"),
        (VYTRIX, "places"),
        (VYTRIX + "variant.target = 0\n", "points"),
        (VYTRIX + 'score = "points"\n', "points"),
    ],
)
def test_a_target_score_is_played_for_places(folder: Path, competition: str, score: str) -> None:
    assert load(write(folder, competition + FOUR)).competitions[0].score == score


# Programs, folders and files.


def test_a_program_is_found_on_path_or_from_the_bots_folder(folder: Path) -> None:
    script = folder / "بوت 1" / "run me"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    text = (
        TRIX
        + bots("a", "b", "c")
        + '[[bot]]\nname = "d"\nfolder = "بوت 1"\ncommand = "\'./run me\' x"\n'
        + '[[bot]]\nname = "e"\ncommand = "sh -c true"\n'
        + f'[[bot]]\nname = "f"\nfolder = "{script.parent}"\ncommand = ["run me"]\n'
        + f'environment.PATH = "{script.parent}"\n'
    )
    *_, d, e, f = load(write(folder, text)).entrants
    assert d.spec == BotSpec("d", (str(script), "x"), str(script.parent), files=d.files)
    assert d.files[0][0] == "./run me"
    assert e.spec.command == (shutil.which("sh"), "-c", "true")
    assert e.files == ()
    assert f.spec.command == (str(script),)


def test_a_folder_with_spaces_and_arabic_letters_works(folder: Path) -> None:
    place = folder / "كأس الربيع"
    shutil.copytree(folder, place)
    config = load(write(place, TRIX + FOUR))
    assert config.store == place / "cup.db"
    assert config.entrants[0].spec.folder == str(place)


def test_files_are_names_and_globs_hashed_once_each(folder: Path) -> None:
    for name in ("lib/x/y.py", "lib/__pycache__/y.pyc", "bot[1].py", "old.pyc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    text = with_bot(
        'command = "python a.py"\nfiles = ["a.py", "lib/**/*", "bot[1].py", "[a-b].py", "../**/old*"]'
    )
    assert "matches" in refusal(folder, text)
    entrant = load(write(folder, text.replace(', "../**/old*"', ""))).entrants[4]
    assert [name for name, _ in entrant.files] == ["a.py", "b.py", "bot[1].py", "lib/x/y.py"]


def test_a_file_that_cannot_be_read_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(folder, TRIX + FOUR)
    opened = Path.open

    def refuse(self: Path, *args: Any, **kwargs: Any) -> Any:
        if self.name == "c.py":
            raise PermissionError(13, "Permission denied")
        return opened(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        ConfigError, match=r'\[\[bot\]\] 3, "files": .*c\.py" cannot be read: Permission denied'
    ):
        load(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('store = "a.py/x.db"', '"store": there is no folder'),
        ('store = "nowhere/x.db"', '"store": there is no folder'),
        ('store = ""', '"store": is the name of a file'),
        ('store = "."', "is a folder, not a file"),
        ('store = "./cup.toml"', '"store": is the tournament file itself'),
    ],
)
def test_a_store_that_cannot_be_is_refused(folder: Path, line: str, said: str) -> None:
    assert said in refusal(folder, f"[tournament]\n{line}\n{TRIX}{FOUR}")


@pytest.mark.parametrize("logs", ["a.py", "a.py/deeper", "\\u0000", ""])
def test_a_folder_of_logs_that_cannot_be_is_refused(folder: Path, logs: str) -> None:
    assert '[run], "logs": ' in refusal(folder, f'[run]\nlogs = "{logs}"\n{TRIX}{FOUR}')


@pytest.mark.parametrize("sandbox", ["jail", "None", ""])
def test_a_sandbox_that_is_not_there_is_not_available(folder: Path, sandbox: str) -> None:
    said = refusal(folder, f'[run]\nsandbox = "{sandbox}"\n{TRIX}{FOUR}')
    assert said.startswith('cup.toml:2: [run], "sandbox": is "none" or "limits" or "bwrap"')


def test_the_limits_of_bots_are_those_of_the_file(folder: Path) -> None:
    lines = 'sandbox = "limits"\nmemory_mb = 100\nprocesses = 3\nopen_files = 40\ncpu_seconds = 0.5\n'
    limits = load(write(folder, f"[run]\n{lines}{TRIX}{FOUR}")).limits
    assert (limits.memory_bytes, limits.processes, limits.open_files) == (100 << 20, 3, 40)
    assert limits.cpu_seconds == 0.5


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("memory_mb = 31", 'cup.toml:2: [run], "memory_mb": is a whole number from 32'),
        ("processes = 0", 'cup.toml:2: [run], "processes": is a whole number from 1'),
        ("open_files = 3", 'cup.toml:2: [run], "open_files": is a whole number from 32'),
        (
            'memory_mb = 99\nsandbox = "none"',
            'cup.toml:2: [run], "memory_mb": goes with sandbox = "limits" or "bwrap"',
        ),
    ],
)
def test_limits_of_bots_that_cannot_be_are_refused(folder: Path, lines: str, said: str) -> None:
    assert refusal(folder, f"[run]\n{lines}\n{TRIX}{FOUR}").startswith(said)


def test_the_store_is_known_without_the_bots(tmp_path: Path) -> None:
    assert store_of(write(tmp_path, TRIX + FOUR)) == tmp_path / "cup.db"
    assert store_of(write(tmp_path, '[tournament]\nstore = "x"')) == tmp_path / "x"


# The seed.


@pytest.mark.parametrize("master", ["", "ab", "zz" * 32, "é" * 64, "ab" * 33, " " + "a" * 63])
def test_a_master_seed_is_64_hex_digits(folder: Path, master: str) -> None:
    assert "is 64 hex digits, not" in refusal(folder, f'[seed]\nmaster = "{master}"\n')


def test_an_empty_public_text_is_refused(folder: Path) -> None:
    assert "is empty; leave it out to mix nothing in" in refusal(folder, '[seed]\npublic = ""\n')


def test_a_public_text_changes_the_seed_and_none_leaves_it() -> None:
    drawn = bytes(32)
    assert Seed().mixed(drawn) == drawn
    mixed = Seed(public="7").mixed(drawn)
    assert (len(mixed), mixed == drawn, mixed == Seed(public="8").mixed(drawn)) == (32, False, False)


# Identity.


def test_an_identity_is_json_and_the_same_for_the_same_file(folder: Path) -> None:
    path = write(folder, TRIX + FOUR)
    identity = load(path).identity()
    assert json.loads(json.dumps(identity)) == identity == load(path).identity()
    assert changes(identity, json.loads(json.dumps(identity))) == []


def test_how_and_where_a_tournament_runs_is_no_part_of_its_identity(folder: Path) -> None:
    text = TRIX + FOUR
    before = load(write(folder, text)).identity()
    other = folder / "elsewhere"
    shutil.copytree(folder, other)
    text = f'[tournament]\nname = "x"\nstore = "y.db"\n[run]\njobs = 7\nlogs = "z"\nlog_bytes = 1\n{text}'
    after = load(write(other, text)).identity()
    assert before == after
    assert str(folder) not in json.dumps(before)


def test_secrets_in_an_environment_are_not_in_the_identity(folder: Path) -> None:
    text = TRIX + FOUR + 'environment.KEY = "secret words"\n'
    assert "secret words" not in json.dumps(load(write(folder, text)).identity())


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('game = "trix"\n', 'game = "trix"\nboards = 20\n', ['competition "trix": boards was 10 and is 20']),
        (
            'game = "trix"\n',
            'game = "trix"\nvariant.early_end = true\n',
            ['competition "trix": variant early_end was false and is true'],
        ),
        (
            'game = "trix"\n',
            'game = "trix"\nname = "t"\n',
            ['competition "t" is new', 'competition "trix" is no longer there'],
        ),
        ("[clocks]\n", "[clocks]\nmove_ms = 5\n", ["clocks: move_ms was 5000 and is 5"]),
        ("[clocks]\n", "[clocks]\ngame_seconds = 5\n", ["clocks: game_seconds was not set and is 5.0"]),
        ("[clocks]\n", "[faults]\nrestarts = 5\n", ["faults: restarts was 3 and is 5"]),
        ("[clocks]\n", '[seed]\npublic = "x"\n', ['seed: public was not set and is "x"']),
        (
            "python a.py",
            "python3 b.py",
            [
                'bot "a": command was ["python", "a.py"] and is ["python3", "b.py"]',
                'bot "a": file "a.py" is no longer there',
                'bot "a": file "b.py" is new',
            ],
        ),
        (
            'name = "b"',
            'name = "b"\nenvironment = { K = "1" }',
            ['bot "b": environment "K" is new'],
        ),
    ],
)
def test_a_change_is_said_in_words(folder: Path, before: str, after: str, said: list[str]) -> None:
    text = "[clocks]\n" + TRIX + FOUR
    old = load(write(folder, text)).identity()
    assert before in text
    assert changes(old, load(write(folder, text.replace(before, after))).identity()) == said


def test_a_changed_file_of_a_bot_is_noticed(folder: Path) -> None:
    path = write(folder, TRIX + FOUR)
    before = load(path)
    (folder / "a.py").write_text("# better\n")
    after = load(path)
    assert changes(before.identity(), after.identity()) == ['bot "a": file "a.py" has changed']
    assert before.entrants[0].sha256 != after.entrants[0].sha256
    assert before.entrants[1].sha256 == after.entrants[1].sha256


def test_another_order_of_the_bots_is_noticed(folder: Path) -> None:
    before = load(write(folder, TRIX + FOUR)).identity()
    after = load(write(folder, TRIX + bots("b", "a", "c", "d"))).identity()
    assert changes(before, after) == [
        'competition "trix": bots was ["a", "b", "c", "d"] and is ["b", "a", "c", "d"]',
        "the order of the bots is another",
    ]


# Without a file.


def test_a_quick_tournament_names_its_bots_after_their_scripts(folder: Path) -> None:
    (folder / "my bot.py").touch()
    commands = ["python a.py", "python3 'my bot.py' --depth 3", f"python {folder}/a.py", "sh -c true"]
    config = quick("trix", commands, 5, variant={"partners": True, "teams": "same"}, folder=folder)
    assert [one.name for one in config.entrants] == ["a", "my bot", "a-2", "sh"]
    assert (config.path, config.name, config.store) == (None, "trix", folder / "trix.db")
    assert config.entrants[0].spec.folder == str(folder)
    (competition,) = config.competitions
    assert (competition.boards, competition.teams, competition.variant.partners) == (5, "same", True)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda f: quick("trx", [], folder=f), '"game": unknown game "trx"; did you mean "trix"?'),
        (lambda f: quick("trix", [], folder=f), "the game needs 4 bots, one for each seat, and has none"),
        (lambda f: quick("trix", [""], folder=f), '--bot 1, "command": is empty'),
        (lambda f: quick("trix", ["'"], folder=f), '--bot 1, "command": cannot be split'),
        (lambda f: quick("trix", ["sh", "nope"], folder=f), '--bot 2, "command": there is no program "nope"'),
        (lambda f: quick("trix", [], 0, folder=f), "needs 4 bots"),
        (lambda f: quick("trix", ["sh"] * 4, 0, folder=f), '"boards": is a whole number from 1'),
        (lambda f: quick("trix", [], variant={"x": 1}, folder=f), '"variant.x": Trix has no option'),
    ],
)
def test_a_quick_tournament_is_checked_the_same(
    folder: Path, make: Callable[[Path], Config], said: str
) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)) as caught:
        make(folder)
    assert str(caught.value).startswith("command line: ")


# The documentation.


def documented() -> dict[str, dict[str, list[str]]]:
    """The rows of docs/configuration.md by table and key: type, default, meaning."""
    tables: dict[str, dict[str, list[str]]] = {}
    rows: dict[str, list[str]] = {}
    for line in DOCS.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## `\[+(\w+)\]+`$", line):
            rows = tables.setdefault(heading[1], {})
        elif line.startswith("## "):
            rows = {}
        elif row := re.match(r"\| `(\w+)` \|(.*)\|$", line):
            rows[row[1]] = [cell.strip() for cell in row[2].split("|")]
    return tables


def test_every_key_is_documented_and_no_other() -> None:
    assert {table: set(rows) for table, rows in documented().items()} == {
        table: set(keys) for table, keys in KEYS.items()
    }


def test_the_documented_defaults_are_those_of_the_limits(folder: Path) -> None:
    limits = load(write(folder, TRIX + FOUR)).limits
    assert documented()["run"]["memory_mb"][1] == str(limits.memory_bytes >> 20)
    for rows in documented().values():
        for key, (_, default, _) in rows.items():
            if hasattr(limits, key) and key != "sandbox":
                value = getattr(limits, key)
                assert default == ("no limit" if value is None else f"{value:.0f}")


def test_the_least_file_of_the_documentation_is_sound(tmp_path: Path) -> None:
    text = DOCS.read_text(encoding="utf-8")
    (tmp_path / "cup").mkdir()
    (tmp_path / "cy's bot").mkdir()
    for script in ("cup/ana.py", "cup/bo.py", "cy's bot/cy.py"):
        (tmp_path / script).touch()
    found = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    assert len(load(write(tmp_path / "cup", found[1])).entrants) == 3


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('schedule = "whist"', 'cup.toml:1: [[competition]] 1, "teams": "whist" needs partners, and '),
        ('schedule = "gauntlet"', 'cup.toml:1: [[competition]] 1, "hero": is missing: '),
        (
            'schedule = "gauntlet"\nhero = "aa"',
            'cup.toml:4: [[competition]] 1, "hero": no bot "aa" plays here; ',
        ),
        ('schedule = "swiss"\ntables = "all"', 'cup.toml:4: [[competition]] 1, "tables": goes with '),
        (
            'teams = "none"\nschedule = "whist"\nvariant.partners = true',
            'cup.toml:3: [[competition]] 1, "teams": schedule = "whist" changes the partners, and teams is "none"',
        ),
        (
            'teams = "whist"\nschedule = "swiss"\nvariant.partners = true',
            'cup.toml:3: [[competition]] 1, "teams": "whist" is a schedule of its own',
        ),
        (
            "[stop]\nalpha = 0.1",
            'cup.toml:3: [stop], "when": is missing; it is one of "separated", "top-1", ',
        ),
        ('[stop]\nwhen = "top-2"', 'cup.toml:4: [stop], "when": is "separated" or "top-1" or '),
        ('[stop]\nwhen = "precision"', 'cup.toml:3: [stop], "points": is missing; "precision" needs '),
        ('[stop]\nwhen = "top-1"\nalpha = 0', 'cup.toml:5: [stop], "alpha": is a number above 0'),
        ('[stop]\nwhen = "top-1"\nalpha = 0.7', 'cup.toml:5: [stop], "alpha": is a number above 0'),
        ('[stop]\nwhen = "top-1"\nalpha = 1e-9', 'cup.toml:5: [stop], "alpha": is from 1e-06 to 0.5, not'),
        ('[stop]\nwhen = "top-1"\npoints = -1', 'cup.toml:5: [stop], "points": is a number above 0'),
        (
            '[stop]\nwhen = "top-1"\nmax_boards = 0',
            'cup.toml:5: [stop], "max_boards": is a whole number from 1',
        ),
        ('[stop]\nwhenn = "top-1"', 'cup.toml:4: [stop], "whenn": unknown key; did you mean "when"?'),
    ],
)
def test_what_does_not_go_together_is_refused(folder: Path, lines: str, said: str) -> None:
    assert refusal(folder, f"{TRIX}{lines}\n{FOUR}").startswith(said)


def test_formats_and_stop_rules_arrive(folder: Path) -> None:
    four = bots("a", "b", "c", "d")
    whist = load(write(folder, TRIX + 'teams = "whist"\nvariant.partners = true\n' + four)).competitions[0]
    assert (whist.schedule, whist.plan.teams, len(whist.plan)) == ("whist", "whist", 30)
    gauntlet = load(write(folder, TRIX + 'schedule = "gauntlet"\nhero = "b"\n' + four)).competitions[0]
    assert (gauntlet.hero, len(gauntlet.plan)) == ("b", 10)
    text = TRIX + '[stop]\nwhen = "precision"\npoints = 2.5\nalpha = 0.01\nmax_boards = 70\n' + four
    config = load(write(folder, text))
    assert config.stop == StopRule("precision", 0.01, 70, 2.5)
    assert config.competitions[0].boards == 10_000
    assert config.identity()["stop"] == {
        "when": "precision",
        "alpha": 0.01,
        "max_boards": 70,
        "points": 2.5,
    }
