"""Messages and records, there and back, and what is made of bad ones."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given, settings, strategies as st

from cardtable.catalog import GAMES
from cardtable.engine import Clock, Deal, MalformedAction
from cardtable.record import Comment, DealRecord, FaultCause, GameRecord, RecordedFault, RecordError
from cardtable.v1 import table_pb2
from cardtable.wire import (
    PROTOCOL_VERSION,
    WireError,
    cause_from_wire,
    cause_to_wire,
    codec,
    common_protocol,
    join_request,
    record_from_bytes,
    record_to_bytes,
    refusal_response,
    unsupported,
    welcome_response,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardtable.engine import State

VARIANTS: list[tuple[str, dict[str, object]]] = [
    ("trix", {}),
    (
        "trix",
        {"partners": True, "reveal_twos": "at_start", "diamonds_face_up": True, "kingdom_order": "across"},
    ),
    ("trix", {"redeals": False, "doubling": False, "closed_suit": "off", "max_voids": 0}),
    ("vytrix", {"max_hands": 6}),
    ("vytrix", {"max_hands": 6, "max_bid": 30, "last_trick": "replace", "breaking_trump": True}),
    ("vytrix", {"max_hands": 6, "players": 4}),
    ("vytrix", {"max_hands": 6, "players": 4, "partial_bidding": True}),
]


def _states(game: str, options: dict[str, object], seed: int) -> Iterator[State[Any, Any]]:
    """A random game, before each action and after each deal."""
    rules, rng = GAMES[game], Random(seed)
    variant = rules.variant(options)
    state = rules.new_state(variant)
    while not state.is_over:
        state.deal(Deal.shuffled(rules.hand_sizes(variant), rng))
        while state.to_act is not None:
            yield state
            state.apply(state.legal_actions().sample(rng))
        yield state


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_views_actions_and_summaries_of_whole_games_come_back_equal(
    game: str, options: dict[str, object]
) -> None:
    wire, rng = codec(game), Random(5)
    variant = GAMES[game].variant(options)
    for state in _states(game, options, seed=1):
        seat = state.to_act
        if seat is None:
            ended = table_pb2.DealEnded()
            wire.set_summary(ended, state.summary())
            assert wire.summary(table_pb2.DealEnded.FromString(ended.SerializeToString())) == state.summary()
            continue
        view = state.view(seat)
        ask = table_pb2.Ask()
        wire.set_view(ask, view)
        received = wire.view(table_pb2.Ask.FromString(ask.SerializeToString()), variant, seat)
        assert received == view
        assert received.legal_actions.texts() == state.legal_actions().texts()
        action = state.legal_actions().sample(rng)
        answer = table_pb2.Answer()
        wire.set_action(answer, action)
        assert wire.action(table_pb2.Answer.FromString(answer.SerializeToString())) == action


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_variants_come_back_equal(game: str, options: dict[str, object]) -> None:
    seated = table_pb2.Seated()
    variant = GAMES[game].variant(options)
    codec(game).set_variant(seated, variant)
    received = table_pb2.Seated.FromString(seated.SerializeToString())
    assert received.game == game
    assert codec(game).variant(received) == variant


@pytest.mark.parametrize(
    ("clock", "received"),
    [
        (Clock(), Clock()),
        (Clock(1000, 60_000), Clock(1000, 60_000)),
        (Clock(move_ms=5), Clock(move_ms=5)),
        (Clock(0, 0), Clock(1, 1)),
    ],
)
def test_a_clock_travels_with_its_view_and_never_reads_as_no_limit(clock: Clock, received: Clock) -> None:
    state = next(_states("trix", {}, seed=2))
    assert state.to_act is not None
    ask = table_pb2.Ask()
    codec("trix").set_view(ask, state.view(state.to_act).with_clock(clock))
    assert codec("trix").view(ask, GAMES["trix"].variant({}), state.to_act).clock == received


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_without_an_action_of_the_game_is_malformed(game: str) -> None:
    other = next(name for name in GAMES if name != game)
    set_but_empty, of_another_game = table_pb2.Answer(), table_pb2.Answer()
    getattr(set_but_empty, game).SetInParent()
    getattr(of_another_game, other).card = 1
    for answer in (table_pb2.Answer(), set_but_empty, of_another_game):
        with pytest.raises(MalformedAction):
            codec(game).action(answer)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("card", [0, 53, -1, 2**31 - 1])
def test_a_card_that_there_is_not_is_malformed(game: str, card: int) -> None:
    answer = table_pb2.Answer()
    getattr(answer, game).card = card
    with pytest.raises(MalformedAction):
        codec(game).action(answer)


@pytest.mark.parametrize("game", GAMES)
@given(garbage=st.binary(max_size=40))
@settings(deadline=None, max_examples=300)
def test_garbage_is_an_action_or_malformed(game: str, garbage: bytes) -> None:
    answer = table_pb2.Answer()
    try:
        getattr(answer, game).MergeFromString(garbage)
    except DecodeError:
        return
    try:
        action = codec(game).action(answer)
    except MalformedAction:
        return
    assert GAMES[game].parse_action(str(action)) == action


@pytest.mark.parametrize("game", GAMES)
@given(garbage=st.binary(max_size=60))
@settings(deadline=None, max_examples=300)
def test_garbage_is_a_view_or_a_wire_error(game: str, garbage: bytes) -> None:
    ask = table_pb2.Ask()
    try:
        getattr(ask, game).MergeFromString(garbage)
    except DecodeError:
        return
    try:
        codec(game).view(ask, GAMES[game].variant({}), 0)
    except WireError:
        return


@pytest.mark.parametrize("game", GAMES)
def test_messages_without_the_game_are_wire_errors(game: str) -> None:
    wire = codec(game)
    with pytest.raises(WireError, match=f"no view of {game}"):
        wire.view(table_pb2.Ask(), GAMES[game].variant({}), 0)
    with pytest.raises(WireError, match=f"no variant of {game}"):
        wire.variant(table_pb2.Seated())
    with pytest.raises(WireError, match=f"no deal of {game}"):
        wire.summary(table_pb2.DealEnded())


def test_an_unknown_game_is_a_wire_error() -> None:
    with pytest.raises(WireError, match="'whist' is no game that this version knows: trix, vytrix"):
        codec("whist")


def test_every_cause_has_a_number_and_unspecified_is_none() -> None:
    assert [cause_from_wire(cause_to_wire(cause)) for cause in FaultCause] == list(FaultCause)
    with pytest.raises(WireError):
        cause_from_wire(0)


def _join(**limits: tuple[object, ...]) -> table_pb2.Join:
    return join_request(
        "secret", bot_name="sly", bot_version="2", sdk="test/1", games={"vytrix": limits}
    ).join


def test_a_join_says_who_wants_to_play_what() -> None:
    join = _join(players=(3,), partial_bidding=(True, False))
    assert (join.token, join.bot_name, join.bot_version, join.sdk) == ("secret", "sly", "2", "test/1")
    assert [(o.name, list(o.values)) for o in join.games[0].options] == [
        ("players", ["3"]),
        ("partial_bidding", ["true", "false"]),
    ]


@pytest.mark.parametrize(
    ("game", "options", "reason"),
    [
        ("vytrix", {"players": 3}, ""),
        ("vytrix", {"players": 4}, "sly plays vytrix with players = 3, not with 4"),
        ("vytrix", {}, "sly limits 'players', which is no option of vytrix"),
        ("trix", {}, "sly does not play trix; it plays vytrix"),
    ],
)
def test_what_a_bot_does_not_play_is_said_in_one_line(
    game: str, options: dict[str, object], reason: str
) -> None:
    assert unsupported(_join(players=(3,)), game, options) == reason


@pytest.mark.parametrize(
    ("least", "greatest", "common"), [(1, 1, 1), (1, 9, 1), (2, 3, None), (0, 0, None), (0, 1, 1)]
)
def test_the_greatest_common_protocol_is_spoken(least: int, greatest: int, common: int | None) -> None:
    assert common_protocol(table_pb2.Join(protocol_min=least, protocol_max=greatest)) == common


def test_a_welcome_and_a_refusal_say_all() -> None:
    welcome = welcome_response(2, "referee/1").welcome
    assert (welcome.protocol, welcome.seat, welcome.referee) == (PROTOCOL_VERSION, 2, "referee/1")
    refusal = refusal_response(table_pb2.REFUSAL_REASON_TOKEN, "unknown token").refusal
    assert (refusal.reason, refusal.message) == (table_pb2.REFUSAL_REASON_TOKEN, "unknown token")


_NUMBERS = st.integers(0, 2**32 - 1)
_WORDS = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters=":,-"), min_size=1)
_TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
_RECORDS = st.builds(
    GameRecord,
    game=_WORDS,
    variant=st.dictionaries(_WORDS, st.booleans() | st.integers() | _TEXTS, max_size=3),
    seats=st.lists(_TEXTS, max_size=4).map(tuple),
    deals=st.lists(
        st.builds(
            DealRecord,
            actions=st.lists(_WORDS, max_size=5).map(tuple),
            hands=st.lists(_WORDS, max_size=4).map(tuple),
            kitty=_TEXTS,
        ),
        max_size=3,
    ).map(tuple),
    seed=st.none() | st.binary(min_size=32, max_size=32),
    scores=st.none() | st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=4).map(tuple),
    faults=st.lists(
        st.builds(
            RecordedFault,
            seat=_NUMBERS,
            cause=st.sampled_from(FaultCause),
            deal=_NUMBERS,
            action=_NUMBERS,
            turn=_NUMBERS,
            message=_TEXTS,
        ),
        max_size=3,
    ).map(tuple),
    comments=st.lists(st.builds(Comment, deal=_NUMBERS, action=_NUMBERS, text=_TEXTS), max_size=3).map(tuple),
    forfeits=st.lists(st.integers(0, 3), max_size=3).map(tuple),
)


@given(record=_RECORDS)
@settings(deadline=None)
def test_records_come_back_equal(record: GameRecord) -> None:
    stored = record_to_bytes(record, "test/1")
    assert record_from_bytes(stored) == record
    assert record_to_bytes(record_from_bytes(stored), "test/1") == stored


@pytest.mark.parametrize(
    "stored",
    [b"\xff\xff", b"\x12\x01[", b"\x12\x02[]", b"\x3a\x02\x10\x00", b"\x3a\x02\x10\x63"],
    ids=["no message", "no JSON", "variant is a list", "no cause", "unknown cause"],
)
def test_bytes_that_are_no_record_are_a_record_error(stored: bytes) -> None:
    with pytest.raises(RecordError, match="no stored record"):
        record_from_bytes(stored)


@given(garbage=st.binary(max_size=60))
@settings(deadline=None)
def test_garbage_is_a_record_or_a_record_error(garbage: bytes) -> None:
    try:
        record_from_bytes(garbage)
    except RecordError:
        return
