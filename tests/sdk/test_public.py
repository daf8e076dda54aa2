"""What `import cardtable` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import cardtable


def test_all_is_sorted_without_a_name_twice() -> None:
    def key(name: str) -> tuple[int, str]:
        return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

    assert list(cardtable.__all__) == sorted(set(cardtable.__all__), key=key)


@pytest.mark.parametrize("name", cardtable.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(cardtable, name) is not None
    assert name in dir(cardtable)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'cardtable' has no attribute 'nothing'"):
        cardtable.nothing  # noqa: B018


@pytest.mark.parametrize(
    "line",
    [
        "import cardtable",
        "from cardtable import Bot, play, simulate, Card",
        "import cardtable.trix, cardtable.vytrix",
    ],
)
def test_nothing_but_run_loads_grpc(line: str) -> None:
    program = (
        f"{line}\nimport sys\nprint([name for name in ('grpc', 'google.protobuf') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
