from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.audit.rulings import wrong_rulings
from referee.errors import RefereeError
from referee.rulings import Docket, Ruling, RulingKind, checked_reason, legible
from referee.stored import CompetitionInfo, StoredFault, StoredGame

GAME = StoredGame("trix", 1, 2, ("ana", "bo", "ana", "bo"), (1, 2, 3, 4), (0, 1), 6, (0.0,) * 4, (9,) * 4)
WHEN = "2026-11-28T10:00:00+00:00"
VOID = Ruling(1, RulingKind.VOID, "seen", WHEN, {"trix": 8}, "trix", 1, 2)
WITHDRAWN = Ruling(1, RulingKind.WITHDRAW, "ill", WHEN, {"trix": 8}, "trix", 4, entrant="ana")


def fault(number: int, seat: int, cause: str = "timeout") -> StoredFault:
    return StoredFault("trix", 1, 2, number, GAME.seats[seat], seat, cause, 0, number, 1, "late", "", "")


FAULTS = [fault(0, 0), fault(1, 1), fault(2, 0), fault(3, 1), fault(4, 1), fault(5, 0, "start")]


def forgiven(number: int, which: int | None, entrant: str) -> Ruling:
    return Ruling(
        number, RulingKind.FORGIVE, "why", WHEN, {"trix": 8}, "trix", 1, 2, fault=which, entrant=entrant
    )


def revoked(number: int, which: int) -> Ruling:
    return Ruling(number, RulingKind.REVOKE, "why", WHEN, {"trix": 8}, revokes=which)


def docket(*rulings: Ruling) -> Docket:
    return Docket(rulings, FAULTS, ("trix", "pairs"), 3)


def forfeits(*rulings: Ruling) -> tuple[int, ...]:
    ruled = docket(*rulings).as_ruled(GAME)
    assert ruled is not None
    assert replace(ruled, forfeits=GAME.forfeits) == GAME
    return ruled.forfeits


def test_a_void_game_counts_nowhere_and_others_stay_as_they_are() -> None:
    assert docket(VOID).as_ruled(GAME) is None
    for other in (replace(GAME, seating=1), replace(GAME, board=2), replace(GAME, competition="pairs")):
        assert docket(VOID).as_ruled(other) is other
    assert docket().as_ruled(GAME) is GAME


def test_a_game_is_no_forfeit_with_fewer_unforgiven_faults_than_make_one() -> None:
    assert forfeits(forgiven(1, 1, "bo")) == (0,)
    assert forfeits(forgiven(1, 1, "bo"), forgiven(2, 3, "bo")) == (0,)
    # The faults of another game, or of nobody, change nothing.
    assert forfeits(replace(forgiven(1, 1, "bo"), board=2)) == (0, 1)
    assert forfeits(forgiven(1, 9, "bo")) == (0, 1)
    assert forfeits(forgiven(1, 1, "ana")) == (0, 1)


def test_a_process_that_did_not_start_forfeits_until_that_is_forgiven() -> None:
    assert forfeits(forgiven(1, 0, "ana")) == (0, 1)
    assert forfeits(forgiven(1, 5, "ana")) == (1,)


def test_all_faults_of_a_bot_in_a_game_are_forgiven_at_once() -> None:
    assert forfeits(forgiven(1, None, "bo")) == (0,)
    assert forfeits(forgiven(1, None, "ana"), forgiven(2, None, "bo")) == ()


def test_a_ruling_that_is_taken_back_does_not_hold() -> None:
    assert docket(VOID, revoked(2, 1)).as_ruled(GAME) is GAME
    assert docket(VOID, revoked(2, 1), replace(VOID, number=3)).as_ruled(GAME) is None
    assert docket(WITHDRAWN, revoked(2, 1)).withdrawn == {}
    assert docket(WITHDRAWN, revoked(2, 1)).in_force == ()


def test_the_order_of_faults_has_no_influence() -> None:
    rulings = (forgiven(1, 1, "bo"), forgiven(2, 5, "ana"))
    one, other = Docket(rulings, FAULTS, ("trix",), 3), Docket(rulings, FAULTS[::-1], ("trix",), 3)
    assert one.as_ruled(GAME) == other.as_ruled(GAME) == replace(GAME, forfeits=())


def test_a_docket_of_earlier_has_the_rulings_that_had_seen_no_more_games() -> None:
    later = Ruling(2, RulingKind.REVOKE, "why", WHEN, {"trix": 12, "pairs": 3}, revokes=1)
    whole = docket(VOID, later)
    assert whole.when("trix", 12) is whole
    assert whole.when("trix", 11).rulings == (VOID,)
    assert whole.when("trix", 11).as_ruled(GAME) is None
    assert whole.when("trix", 7).rulings == ()
    assert whole.when("pairs", 0).rulings == (VOID,)
    assert [one.rulings for one in whole.history()] == [(VOID, later), (VOID,), ()]


def test_an_earlier_docket_still_knows_the_faults() -> None:
    whole = docket(forgiven(1, 1, "bo"), replace(VOID, number=2, marks={"trix": 12}))
    ruled = whole.when("trix", 8).as_ruled(GAME)
    assert ruled is not None
    assert ruled.forfeits == (0,)


@pytest.mark.parametrize(
    "change",
    [
        {"number": 0},
        {"number": True},
        {"kind": "void"},
        {"board": -1},
        {"board": 1.5},
        {"board": None},
        {"seating": "2"},
        {"competition": None},
        {"competition": 7},
        {"entrant": "ana"},
        {"fault": 1},
        {"revokes": 1},
        {"reason": b"x"},
        {"made_at": "yesterday"},
        {"made_at": "2026-11-28T10:00:00"},
        {"made_at": "2026-11-28T10:00:00+02:00"},
        {"marks": {"trix": -1}},
        {"marks": {"trix": "8"}},
    ],
    ids=str,
)
def test_what_is_no_ruling_cannot_be_made(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        replace(VOID, **change)


def test_every_kind_says_what_is_ruled() -> None:
    said = [
        one.what
        for one in (
            VOID,
            forgiven(2, 1, "bo"),
            forgiven(3, None, "bo"),
            WITHDRAWN,
            replace(WITHDRAWN, board=-1),
            revoked(6, 2),
        )
    ]
    assert said == [
        "trix/1/2 is void",
        "fault 1 in trix/1/2, of bo, is forgiven",
        "all faults of bo in trix/1/2 are forgiven",
        "ana is withdrawn after trix/4",
        "ana is withdrawn before its first board",
        "ruling 2 is taken back",
    ]


def test_a_reason_is_one_line_of_at_most_500_characters() -> None:
    assert checked_reason("  the network was down  ") == "the network was down"
    assert checked_reason("ن" * 500) == "ن" * 500
    for wrong in ("", "  ", "two\nlines", "\x1b[31mred", "a\tb", "x" * 501, "turned \u202e round", "\u2028x"):
        with pytest.raises(RefereeError, match=r"^--reason ") as refused:
            checked_reason(wrong)
        assert "\n" not in str(refused.value)


def test_what_could_steer_a_terminal_is_escaped() -> None:
    assert legible("ن é 🂡 \x1b[2J\n\u202e") == r"ن é 🂡 \x1b[2J\n\u202e"


def wrong(*rulings: Ruling) -> list[tuple[int, str]]:
    info = [CompetitionInfo("trix", "trix", {}, 4)]
    games = [replace(GAME, board=board, seating=seating) for board in range(3) for seating in range(4)]
    return [(one.number, what) for one, what in wrong_rulings(rulings, games, FAULTS, info)]


def test_rulings_that_can_have_been_made_hold() -> None:
    late = replace(VOID, number=5, marks={"trix": 12})
    assert wrong(VOID, forgiven(2, 1, "bo"), forgiven(3, None, "bo"), revoked(4, 1), late) == []


@pytest.mark.parametrize(
    ("rulings", "said"),
    [
        ([replace(VOID, number=2)], "it stands where ruling 1 should, and rulings are never deleted"),
        (
            [VOID, replace(forgiven(2, 1, "bo"), marks={"trix": 4})],
            "has seen 4 games of trix, the ruling before",
        ),
        ([replace(VOID, marks={"trix": 13})], "it has seen 13 games of trix; there are 12"),
        ([replace(VOID, reason="")], "its reason is not one line"),
        ([replace(VOID, board=7)], "there is no such game"),
        ([forgiven(1, 7, "bo")], "there is no such fault"),
        ([forgiven(1, 1, "ana")], "there is no such fault"),
        ([VOID, replace(VOID, number=2)], "it rules what an earlier one does"),
        ([WITHDRAWN, replace(WITHDRAWN, number=2, board=5)], "it rules what an earlier one does"),
        ([VOID, revoked(2, 1), revoked(3, 1)], "it rules what an earlier one does"),
        ([VOID, revoked(2, 2)], "there is no earlier ruling 2 to take back"),
        ([VOID, revoked(2, 1), revoked(3, 2)], "there is no earlier ruling 2 to take back"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rulings_that_cannot_have_been_made_are_found(rulings: list[Ruling], said: str) -> None:
    ((number, what),) = wrong(*rulings)
    assert number == rulings[-1].number
    assert said in what
