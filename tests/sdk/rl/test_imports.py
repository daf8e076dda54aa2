"""What is loaded when, and what is said when the extra is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest


def output(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("line", "loaded"),
    [
        (
            "import cardtable.commands, cardtable.local, cardtable.serve; from cardtable import Bot, play, run",
            "[]",
        ),
        ("import cardtable.rl", "['numpy']"),
        ("from cardtable.rl import trix_v0, vytrix_v0", "['gymnasium', 'numpy', 'pettingzoo']"),
    ],
)
def test_numpy_and_pettingzoo_are_loaded_where_they_are_used(line: str, loaded: str) -> None:
    names = "('gymnasium', 'numpy', 'pettingzoo')"
    assert output(f"{line}\nimport sys\nprint([name for name in {names} if name in sys.modules])") == loaded


@pytest.mark.parametrize(("missing", "module"), [("numpy", "rl"), ("pettingzoo", "rl.trix_v0")])
def test_without_the_extra_the_error_says_how_to_install_it(missing: str, module: str) -> None:
    program = (
        f"import sys\nsys.modules[{missing!r}] = None\n"
        f"try:\n    import cardtable.{module}\nexcept ImportError as error:\n    print(error)"
    )
    assert output(program).endswith("pip install 'cardtable[rl]'")
