"""A bot's side of a table: its games, its random numbers, its comments, its returned values."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from cardtable.bot import COMMENT_LENGTH, Bot, Seating, decide, games_of, take_seat
from cardtable.cards import ALL_CARDS, Card
from cardtable.catalog import GAMES
from cardtable.trix import Contract, TrixVariant


class _Trix(Bot):
    def trix(self, view: Any) -> Any:
        return self.answer(view)

    def answer(self, view: Any) -> Any:
        return view.legal_actions.sample(self.random)


class _Both(_Trix):
    plays: ClassVar = {"vytrix": {"players": [3]}}

    def vytrix(self, view: Any) -> Any:
        return view.legal_actions.sample(self.random)


class _View:
    legal_actions = ALL_CARDS


SEATING = Seating("trix", TrixVariant(), seat=1, players=4, bot_seed=7)


def _answers(bot: type[Bot], turns: list[int]) -> list[Any]:
    player = take_seat(bot, SEATING)
    return [decide(player, _View(), turn)[0] for turn in turns]


def test_a_bot_is_named_for_its_class_unless_it_says_otherwise() -> None:
    class Named(_Trix):
        name = "sly"

    class Heir(Named):
        pass

    assert (_Trix.name, Named.name, Heir.name) == ("_Trix", "sly", "Heir")


def test_a_bot_plays_the_games_that_it_has_methods_for() -> None:
    assert games_of(_Trix) == {"trix": {}}
    assert games_of(_Both) == {"trix": {}, "vytrix": {"players": (3,)}}


def test_a_bot_without_a_game_is_refused() -> None:
    class Idle(Bot):
        pass

    with pytest.raises(TypeError, match="Idle plays no game: it needs a method named trix or vytrix"):
        games_of(Idle)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"vytrix": {}}, "no method of that name"),
        ({"trix": {"colour": [1]}}, "the options of trix are partners"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(limits: Any, message: str) -> None:
    class Limited(_Trix):
        plays = limits

    with pytest.raises(TypeError, match=message):
        games_of(Limited)


def test_a_bot_knows_its_table_when_it_is_told_that_it_sits() -> None:
    class Eager(_Trix):
        def seated(self) -> None:
            self.seen = self.table

    player = take_seat(Eager, SEATING)
    assert isinstance(player, Eager)
    assert player.seen == SEATING


def test_a_bot_needs_no_call_of_its_base_constructor() -> None:
    class Own(_Trix):
        def __init__(self) -> None:
            self.played: list[Card] = []

    assert len(_answers(Own, [1, 2])) == 2


def test_random_numbers_follow_from_seed_and_turn_alone() -> None:
    whole = _answers(_Trix, [*range(1, 30)])
    assert _answers(_Trix, [*range(11, 30)]) == whole[10:]
    assert len(set(whole)) > 10


def test_random_numbers_go_on_within_a_decision() -> None:
    class Twice(_Trix):
        def answer(self, view: Any) -> Any:
            self.pair = self.random.random(), self.random.random()
            return super().answer(view)

    player = take_seat(Twice, SEATING)
    decide(player, _View(), 1)
    assert isinstance(player, Twice)
    assert player.pair[0] != player.pair[1]


def test_a_comment_is_cut_and_belongs_to_one_decision() -> None:
    class Talker(_Trix):
        def answer(self, view: Any) -> Any:
            if not self.said:
                self.comment("é" * 300)
            self.said = True
            return super().answer(view)

        said = False

    player = take_seat(Talker, SEATING)
    assert decide(player, _View(), 1)[1] == "é" * COMMENT_LENGTH
    assert not decide(player, _View(), 2)[1]


@pytest.mark.parametrize("value", [None, "KH", 3, b"KH", object(), ["KH"], True])
def test_what_is_no_action_is_a_type_error_that_names_bot_method_and_value(value: object) -> None:
    class Odd(_Trix):
        def answer(self, _: Any) -> Any:
            return value

    with pytest.raises(TypeError, match=r"Odd\.trix returned .*, which is no action of trix") as raised:
        _answers(Odd, [1])
    assert repr(value) in str(raised.value)


def test_an_illegal_action_is_handed_on() -> None:
    class Bold(_Trix):
        def answer(self, _: Any) -> Any:
            return Contract.KING

    assert _answers(Bold, [1]) == [Contract.KING]


def test_every_game_of_the_catalog_can_be_a_method() -> None:
    assert all(name.isidentifier() and not hasattr(Bot, name) for name in GAMES)
