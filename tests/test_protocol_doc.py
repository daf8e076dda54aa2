"""What docs/protocol.md says of seeds, cards, causes and actions is what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cardtable.cards import CARDS, Card
from cardtable.catalog import GAMES
from cardtable.dealing import Dealer, board_seed, bot_seed, shuffled_deck
from cardtable.record import FORMAT
from cardtable.v1 import table_pb2

DOC = (Path(__file__).parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")


def vectors() -> dict[str, Any]:
    blocks = re.findall(r"^```json\n(.*?)^```", DOC, re.DOTALL | re.MULTILINE)
    found: dict[str, Any] = next(json.loads(block) for block in blocks if '"master"' in block)
    return found


def test_the_shuffle_of_the_documented_vector() -> None:
    deck = [CARDS[index].text for index in shuffled_deck(b"")]
    assert " ".join(deck) == vectors()["empty_key"]["deck"]


@pytest.mark.parametrize("place", [0, 1])
def test_the_documented_boards(place: int) -> None:
    master, board = bytes.fromhex(vectors()["master"]), vectors()["boards"][place]
    seed = board_seed(master, board["competition"], board["board"])
    assert seed.hex() == board["seed"]
    deal = Dealer(seed, [len(hand.split()) for hand in board["hands"]]).deal(board["deal"])
    assert [str(hand) for hand in deal.hands] == board["hands"]
    assert str(deal.kitty) == board["kitty"]
    if "bot_seed" in board:
        bot = board["bot_seed"]
        assert bot_seed(seed, bot["seating"], bot["seat"]) == int(bot["value"])


@pytest.mark.parametrize(("game", "key"), [("trix", "0.0.0"), ("vytrix", "0")])
def test_the_documented_key_is_that_of_the_first_deal(game: str, key: str) -> None:
    assert GAMES[game].new_state(GAMES[game].variant({})).deal_key == key


def test_every_documented_action_string_is_one_and_is_written_the_same_way() -> None:
    rows = re.findall(r"^\| (trix|vytrix) \| (`.*?`) \|", DOC, re.MULTILINE)
    strings = [(game, text) for game, cell in rows for text in re.findall(r"`(.*?)`", cell)]
    assert len(strings) > 20
    for game, text in strings:
        written = str(GAMES[game].parse_action(text))
        assert sorted(re.split("[:,]", written)) == sorted(re.split("[:,]", text))


def test_every_cause_and_every_reason_has_its_row() -> None:
    causes = [name.removeprefix("FAULT_CAUSE_") for name in table_pb2.FaultCause.keys()[1:]]
    reasons = [name.removeprefix("REFUSAL_REASON_") for name in table_pb2.RefusalReason.keys()[1:]]
    for name in (*causes, *reasons):
        assert f"\n| `{name}` |" in DOC


def test_the_documented_card_numbers_and_format() -> None:
    for text, number in re.findall(r"`(\w\w)`(?: is)? (\d+)[,:.]", DOC):
        assert Card(text).index + 1 == int(number)
    assert f'"format": "{FORMAT}"' in DOC
