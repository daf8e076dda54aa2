"""Data and text that stand in a page cannot become part of it."""

from __future__ import annotations

import json

import pytest

from referee.pages.charts import intervals
from referee.pages.page import asset, data_json
from referee.pages.report import REPLAY_SCRIPTS, REPLAY_STYLES


@pytest.mark.parametrize("text", ["</script><script>", "<!--", "]]>", "\u2028\u2029", "&lt;", 'a"b\\'])
def test_data_ends_no_script_and_says_the_same(text: str) -> None:
    written = data_json({text: [text]})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {text: [text]}


@pytest.mark.parametrize("name", [*REPLAY_SCRIPTS, *REPLAY_STYLES])
def test_no_asset_ends_its_own_element(name: str) -> None:
    assert "</" not in asset(name)
    assert "<!--" not in asset(name)


@pytest.mark.parametrize("name", REPLAY_SCRIPTS)
def test_scripts_are_strict_and_put_no_text_in_as_markup(name: str) -> None:
    script = asset(name)
    assert '"use strict";' in script
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert way not in script


def test_a_chart_has_a_name_and_the_colours_of_the_page() -> None:
    name = '<b>"&'
    drawn = intervals([(name, 1.0, 0.5, 1.5), ("bo", 2.0, None, None)], title="mu", label=f"{name} 1")
    assert 'role="img"' in drawn
    assert 'aria-label="&lt;b&gt;&quot;&amp; 1"' in drawn
    assert "var(--ink)" in drawn
    assert "#0" not in drawn
    assert "<b>" not in drawn
    assert "style=" not in drawn
