"""Whole games without a referee."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.bot import Bot, TableResult
from cardtable.cards import ALL_CARDS, CARDS, Card
from cardtable.catalog import GAMES, UnknownGameError
from cardtable.engine import IllegalAction, VariantError
from cardtable.local import play, seat_points
from cardtable.record import GameRecord
from cardtable.replay import replay


class _Random(Bot):
    def trix(self, view: Any) -> Any:
        return view.legal_actions.sample(self.random)

    def vytrix(self, view: Any) -> Any:
        return view.legal_actions.sample(self.random)


VARIANTS: list[tuple[str, int, dict[str, object]]] = [
    ("trix", 4, {}),
    ("trix", 4, {"partners": True, "early_end": True, "own_double": "double"}),
    ("vytrix", 3, {"max_hands": 5}),
    ("vytrix", 3, {"max_hands": 5, "max_bid": 30, "defensive_partnerships": True, "last_trick": "bonus"}),
    ("vytrix", 4, {"players": 4, "max_hands": 5, "partial_bidding": True}),
]


@pytest.mark.parametrize(("game", "players", "variant"), VARIANTS)
def test_games_are_whole_and_replay(game: str, players: int, variant: dict[str, object]) -> None:
    for record in play(game, [_Random] * players, variant=variant, games=2):
        replayed = replay(record)
        assert replayed.error is None
        assert replayed.state is not None
        assert replayed.state.is_over
        assert record.variant == variant
        assert record.seats == ("_Random",) * players
        assert len(seat_points(record)) == players


def test_the_same_seed_gives_the_same_games_and_another_others() -> None:
    bots = [_Random] * 4
    first = play("trix", bots, games=2, seed=3)
    assert play("trix", bots, games=2, seed=3) == first
    assert play("trix", bots, games=1, seed=3) == first[:1]
    assert play("trix", bots, games=2, seed=4) != first
    assert first[0].seed != first[1].seed


def test_points_of_a_side_are_those_of_its_seats() -> None:
    record = GameRecord("vytrix", {"players": 4}, tuple("abcd"), (), scores=(50, -7))
    assert seat_points(record) == (50, -7, 50, -7)


def test_an_unfinished_game_has_no_points() -> None:
    with pytest.raises(ValueError, match="not over"):
        seat_points(GameRecord("trix", {}, tuple("abcd"), ()))


def test_an_illegal_action_names_bot_turn_and_what_is_legal() -> None:
    class Bold(_Random):
        def trix(self, view: Any) -> Any:
            return next((card for card in CARDS if card in ALL_CARDS and card not in view.hand), None)

    with pytest.raises(
        IllegalAction,
        match=r"Bold in seat \d played \w\w in deal 0, turn 1: seat \d has the choice of contract:",
    ):
        play("trix", [Bold] * 4)


def test_a_forced_action_is_asked_only_on_demand() -> None:
    asked: list[int] = []

    class Counting(_Random):
        def trix(self, view: Any) -> Any:
            asked.append(len(view.legal_actions))
            return next(iter(view.legal_actions))

    play("trix", [Counting] * 4)
    assert min(asked) > 1
    asked.clear()
    record = play("trix", [Counting] * 4, ask_forced=True)[0]
    assert len(asked) == sum(len(deal.actions) for deal in record.deals)


def test_turns_count_a_seats_own_questions() -> None:
    turns: list[list[int]] = [[] for _ in range(4)]

    class Counting(_Random):
        def trix(self, view: Any) -> Any:
            turns[view.seat].append(self._turn)
            return super().trix(view)

    play("trix", [Counting] * 4)
    assert all(own == list(range(1, len(own) + 1)) for own in turns)


def test_hooks_are_called_and_comments_kept_at_their_action() -> None:
    ended: list[Any] = []
    results: list[TableResult] = []

    class Talker(_Random):
        def trix(self, view: Any) -> Any:
            action = super().trix(view)
            self.comment(str(action))
            return action

        def deal_ended(self, summary: Any) -> None:
            ended.append(summary)

        def table_closed(self, result: TableResult) -> None:
            results.append(result)

    (record,) = play("trix", [Talker, _Random, _Random, _Random])
    assert len(ended) == len(record.deals)
    assert results == [TableResult(record.scores or ())]
    assert record.comments
    assert all(c.text == record.deals[c.deal].actions[c.action] for c in record.comments)


def test_what_cannot_be_played_is_refused_first() -> None:
    class Trix(Bot):
        def trix(self, view: Any) -> Card:
            raise AssertionError(view)

    with pytest.raises(UnknownGameError):
        play("whist", [Trix] * 4)
    with pytest.raises(ValueError, match="3 bots for 4 seats"):
        play("trix", [Trix] * 3)
    with pytest.raises(TypeError, match="Trix does not play vytrix"):
        play("vytrix", [Trix] * 3)
    with pytest.raises(VariantError):
        play("trix", [Trix] * 4, variant={"colour": 1})
    assert set(GAMES) == {"trix", "vytrix"}
