"""Which variants a bot is checked with."""

from __future__ import annotations

import pytest

from cardtable.catalog import GAMES
from cardtable.conformance.claims import COVERING, matches_of
from cardtable.wire import join_request, unsupported


@pytest.mark.parametrize("game", GAMES)
def test_the_variants_take_every_option_away_from_its_default(game: str) -> None:
    rules = GAMES[game]
    defaults = rules.options(rules.variant({}))
    changed = {
        name
        for options in COVERING[game]
        for name, value in rules.options(rules.variant(options)).items()
        if value != defaults[name]
    }
    assert changed == set(defaults)


@pytest.mark.parametrize("players", [3, 4])
def test_a_bot_is_checked_with_no_variant_that_its_join_rules_out(players: int) -> None:
    games = {"vytrix": {"players": [players]}}
    join = join_request("t", bot_name="b", bot_version="1", sdk="s", games=games).join
    rules = GAMES["vytrix"]
    found = matches_of(join, "vytrix")
    assert len(found) >= 3
    for match in found:
        assert unsupported(join, "vytrix", rules.options(rules.variant(match.options))) == ""
