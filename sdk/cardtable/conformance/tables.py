"""One game at one table with the bot in one seat; in the others sits chance.

A state machine like the referee's, without clock, process or stream: `question` is what the bot has to decide now.
Knows no rule of any game.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.dealing import Dealer, board_seed, bot_seed
from cardtable.engine import IllegalAction
from cardtable.record import FaultCause
from cardtable.v1 import table_pb2
from cardtable.wire import codec, seated_message

if TYPE_CHECKING:
    from cardtable.conformance.claims import Match

__all__ = ["Fault", "Question", "Table"]

_SEED = bytes(32)
#: With so many faults the house plays on for the bot.
_FORFEIT_AFTER = 3
#: Chance of a pass where it is legal: bids without end would make auctions without end.
_PASSES = 0.6


@dataclass(frozen=True, slots=True)
class Question:
    """A decision of the bot that is open.

    Args:
        turn: Counts the questions to the bot in this game, from 1.
        view: What its seat may know.
    """

    turn: int
    view: Any


@dataclass(frozen=True, slots=True)
class Fault:
    """A decision that the house made for the bot."""

    turn: int
    cause: FaultCause
    message: str


class Table:
    """A whole game.

    Args:
        number: Of the table; the cards follow from it.
        match: What is played.
        seat: Where the bot sits.
    """

    def __init__(self, number: int, match: Match, seat: int) -> None:
        rules = GAMES[match.game]
        seed = board_seed(_SEED, match.game, number)
        self.number = number
        self.match = match
        self.seat = seat
        self.codec = codec(match.game)
        #: None before the start and when the game is over.
        self.question: Question | None = None
        self.faults: list[Fault] = []
        #: Thinking time that the bot has been charged.
        self.charged_seconds = 0.0
        #: Decisions that the bot made and the rules accepted.
        self.decisions = 0
        self._rules = rules
        self._seed = seed
        self._variant = rules.variant(match.options)
        self._state = rules.new_state(self._variant)
        self._dealer = Dealer(seed, rules.hand_sizes(self._variant))
        self._chance = Random(seed)
        self._summaries: list[object] = []
        self._dealt = False
        self._turns = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.is_over

    @property
    def scores(self) -> tuple[int, ...]:
        """As they stand, as a record writes them."""
        return self._state.scores

    def seated(self, move_ms: int, game_ms: int) -> table_pb2.Seated:
        """What the bot is told when it sits down, and when it has been started again."""
        names = [f"chance-{seat}" for seat in range(self._variant.players)]
        names[self.seat] = "you"
        return seated_message(
            self.codec,
            self._variant,
            table=self.number,
            seat=self.seat,
            scored_by=self.match.scored_by,
            bot_seed=bot_seed(self._seed, 0, self.seat),
            names=names if self.match.show_names else (),
            move_ms=move_ms,
            game_ms=game_ms,
        )

    def start(self) -> None:
        """Deal, and play up to the bot's first decision; nothing when that was done."""
        if not self._dealt:
            self._advance()

    def answer(self, action: Any) -> Fault | None:
        """Take the bot's action; the fault if it is illegal, for which the house has acted."""
        try:
            self._state.apply(action)
        except IllegalAction as illegal:
            return self.fault(FaultCause.ILLEGAL, f"{action} is illegal ({illegal.rule}): {illegal.message}")
        self.decisions += 1
        self._advance()
        return None

    def fault(self, cause: FaultCause, message: str) -> Fault:
        """Let the house decide in the bot's place, and play on."""
        assert self.question is not None
        fault = Fault(self.question.turn, cause, " ".join(message.split()))
        self.faults.append(fault)
        self._state.apply(self._rules.house_action(self.question.view))
        self._advance()
        return fault

    def take_summaries(self) -> list[table_pb2.DealEnded]:
        """What the bot is told of the deals that have ended since the last call."""
        summaries, self._summaries = self._summaries, []
        messages = []
        for summary in summaries:
            ended = table_pb2.DealEnded(table=self.number)
            self.codec.set_summary(ended, summary)
            messages.append(ended)
        return messages

    def _advance(self) -> None:
        state = self._state
        self.question = None
        while True:
            if state.needs_deal or state.is_over:
                if self._dealt:
                    self._summaries.append(state.summary())
                if state.is_over:
                    return
                state.deal(self._dealer.deal(state.deal_key))
                self._dealt = True
                continue
            legal = state.legal_actions()
            if len(legal) == 1 and not (self.match.ask_forced and state.to_act == self.seat):
                state.apply(next(iter(legal)))
            elif state.to_act != self.seat:
                state.apply(self._by_chance(legal))
            elif len(self.faults) >= _FORFEIT_AFTER:
                state.apply(self._rules.house_action(state.view(self.seat)))
            else:
                self._turns += 1
                self.question = Question(self._turns, state.view(self.seat))
                return

    def _by_chance(self, legal: Any) -> Any:
        if self._chance.random() < _PASSES and "pass" in legal.texts():
            return self._rules.parse_action("pass")
        return legal.sample(self._chance)
