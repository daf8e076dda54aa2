"""What docs/architecture.md names is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).parents[1]
DOC = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`((?:cardtable|referee)\.[\w.]+)`", DOC))))
def test_every_named_function_and_class_is_there(name: str) -> None:
    assert resolve_name(name) is not None


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:sdk|referee)/[\w/.]+)`", DOC))))
def test_every_named_file_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("contract", ["sdk layers", "referee layers"])
def test_the_layers_are_those_that_the_linter_holds(contract: str) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (found,) = [one for one in settings["tool"]["importlinter"]["contracts"] if one["name"] == contract]
    for layer in found["layers"]:
        row = " | ".join(name.strip().partition(".")[2] for name in layer.split("|"))
        assert re.search(rf"^ .*(?<!\| )\b{re.escape(row)}(?: {{2}}|$)", DOC, re.MULTILINE), row
