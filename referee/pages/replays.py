"""A game as the replay of a page reads it: short, complete, and understood without the rules.

Owns that form, which `assets/replay.js` reads. Everything in it is what the rules made of the record: who acted, who
took the last trick, the scores after each deal. Never shows a game that nobody has replayed.

A board is ``{"hands": [...], "games": [...]}``. Each of its hands is a text of 52 digits, who is dealt each card, from
2S to AS and on by hearts, diamonds and clubs; the kitty has the digit after the last seat's. Seatings of a board play
the same cards, so that hands are kept once. A game is

    s   number of the seating
    d   deals, see below
    f   decisions that the house made: [deal, action, seat, cause, message]
    c   comments: [deal, action, text]
    e   where and why the record breaks off; absent where it does not

and a deal ``[hands, calls, plays, seats, points, void]``:

    hands   its place in the board's hands
    calls   all actions before the first card, each with its seat before it: ``2contract:queens 0double:QH``
    plays   a letter for each card
    seats   who plays the first card and, a digit each, who takes each trick; in the layout only the first
    points  what it brought each seat, or each side where the game scores sides
    void    the rule that made it void, or ""

The letter is the card's place (a: the first) among those of the hand that come into question: those of the suit led
where it can follow, in the layout the jacks and those next to what lies. Most are then an a, which makes a page much
smaller. In the layout a seat without such a card passes, and one without cards is left out, and neither has a letter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from cardtable.cards import CARDS, Card, Rank
from cardtable.replay import replay
from cardtable.tricks import HIGH, LOW_ACE_BEST, SUIT_OF, following, strengths, winner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardtable.engine import Deal, State
    from cardtable.record import GameRecord

__all__ = ["Board", "board_of"]

_PLACE = {str(card): card.index for card in CARDS}
#: Places in a deal.
_CALLS, _PLAYS, _SEATS, _POINTS, _VOID = range(1, 6)
_JACKS, _ACES, _TWOS = (
    sum(card.bit for card in CARDS if card.rank is rank) for rank in (Rank.JACK, Rank.ACE, Rank.TWO)
)


class Game(TypedDict):
    """One game; the module says what the letters mean."""

    s: int
    d: list[list[Any]]
    f: NotRequired[list[list[object]]]
    c: NotRequired[list[list[object]]]
    e: NotRequired[str]


class Board(TypedDict):
    """All seatings of one board."""

    hands: list[str]
    games: list[Game]


def board_of(records: Iterable[tuple[int, GameRecord]], *, comments: bool) -> Board:
    """Replay the games of a board.

    Args:
        records: The number of each seating, and its record.
        comments: Whether what the bots said is told too.
    """
    hands: dict[str, int] = {}
    games = []
    for seating, record in records:
        reader = _Reader(len(record.seats), hands)
        verdict = replay(record, reader)
        game = Game(s=seating, d=reader.deals)
        if record.faults:
            game["f"] = [
                [one.deal, one.action, one.seat, one.cause.value, one.message] for one in record.faults
            ]
        if comments and record.comments:
            game["c"] = [[one.deal, one.action, one.text] for one in record.comments]
        if verdict.error is not None:
            game["e"] = str(verdict.error)
        games.append(game)
    return Board(hands=list(hands), games=games)


class _Reader:
    """Writes down what it observes."""

    def __init__(self, players: int, hands: dict[str, int]) -> None:
        self._players = players
        self._known = hands
        self._hands: list[int] = []
        self._kitty = 0
        self._trick: list[tuple[int, int]] = []
        self._table = 0
        #: A deal that is repeated has the contract of the one before (T9.6).
        self._is_layout = False
        self._scores: tuple[int, ...] = ()
        self.deals: list[list[Any]] = []

    def dealt(self, _number: int, deal: Deal, state: State[Any, Any]) -> None:
        """Begin a deal; one that breaks off stays as far as it came."""
        self._hands = [hand.mask for hand in deal.hands]
        self._kitty = deal.kitty.mask
        self._trick, self._table = [], 0
        self._scores = tuple(state.scores)
        owners = "".join(str(self._owner(1 << place)) for place in range(len(CARDS)))
        known = self._known.setdefault(owners, len(self._known))
        self.deals.append([known, "", "", "", [0] * len(self._scores), ""])

    def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:
        """Take in one action."""
        deal = self.deals[-1]
        place = _PLACE.get(text)
        if place is not None:
            self._play(deal, seat, place)
        elif not deal[_PLAYS]:
            deal[_CALLS] += f" {seat}{text}" if deal[_CALLS] else f"{seat}{text}"
            self._call(seat, text)
        if state.to_act is None:
            self._finish(deal, state)

    def _call(self, seat: int, text: str) -> None:
        if text.startswith("contract:"):
            self._is_layout = text == "contract:trix"
        elif text == "kitty:take":
            self._hands[seat] |= self._kitty
        elif text.startswith("discard:"):
            for card in text.removeprefix("discard:").split(","):
                self._hands[seat] &= ~Card(card).bit

    def _play(self, deal: list[Any], seat: int, place: int) -> None:
        if len(self._trick) == self._players:
            self._trick = []
        if not self._trick and not (self._is_layout and deal[_SEATS]):
            deal[_SEATS] += str(seat)
        bit = 1 << place
        deal[_PLAYS] += chr(ord("a") + (self._candidates(seat) & (bit - 1)).bit_count())
        self._hands[seat] ^= bit
        self._table |= bit
        self._trick.append((seat, place))

    def _candidates(self, seat: int) -> int:
        """The cards that come into question, as `assets/replay.js` sees them too."""
        hand = self._hands[seat]
        if self._is_layout:
            return hand & (_JACKS | _beside(self._table))
        return following(hand, self._trick[0][1]) if self._trick else hand

    def _finish(self, deal: list[Any], state: State[Any, Any]) -> None:
        deal[_POINTS] = [after - before for before, after in zip(self._scores, state.scores, strict=True)]
        if state.ended_void:
            deal[_VOID] = state.ended_by
        else:
            deal[_SEATS] += _taker(state.summary(), self._trick)

    def _owner(self, bit: int) -> int:
        return next((seat for seat, hand in enumerate(self._hands) if hand & bit), self._players)


def _beside(table: int) -> int:
    """The cards one rank above or below those that lie."""
    return (table & ~_ACES) << 1 | (table & ~_TWOS) >> 1


def _taker(summary: Any, trick: Sequence[tuple[int, int]]) -> str:
    """Who took this trick, the last of its deal; empty where no tricks are taken."""
    ranks, trump = HIGH, None
    if summary.game == "vytrix":
        contract = summary.contract
        ranks = HIGH if contract.direction.value == "high" else LOW_ACE_BEST
        suit = contract.strain.suit
        trump = None if suit is None else int(suit)
    elif summary.contract.value == "trix":
        return ""
    cards = [card for _, card in trick]
    return str(trick[winner(cards, strengths(SUIT_OF[cards[0]], ranks, trump))][0])
