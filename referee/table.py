"""One game at one table: asks seats one after another, applies their answers, and writes the record as it goes.

A plain state machine without clock, process or task: `question` is the decision that is open, and an answer or a
fault brings the next one. Knows no game but by `Game` and no rule at all. What the house plays for a seat at fault
is the game's own `house_action`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cardtable.dealing import Dealer
from cardtable.engine import IllegalAction
from cardtable.record import Comment, DealRecord, FaultCause, GameRecord, RecordedFault
from referee.blocks import FaultDetail, PlayedGame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardtable.engine import Game, State
    from referee.blocks import GameOrder
    from referee.bot_process import BotProcess

__all__ = ["COMMENT_CHARACTERS", "Question", "Table", "TableFault"]

COMMENT_CHARACTERS = 200


class Question(NamedTuple):
    """A decision that is open.

    Args:
        seat: Who has to decide.
        turn: Counts the questions to this seat in this game, from 1.
        view: What the seat may know.
    """

    seat: int
    turn: int
    view: Any


@dataclass(frozen=True, slots=True)
class TableFault:
    """A fault as it is on the record, and what its reader may want to see.

    Args:
        recorded: As on the record.
        view: What the seat was asked.
        bot: The process at fault, whose last words are read when the game is handed back.
    """

    recorded: RecordedFault
    view: Any
    bot: BotProcess | None


class Table:
    """One game from its first deal to its end.

    Args:
        number: Of this table among all of this worker.
        order: The game to play.
        game: Its rules.
        options: The variant's options, as the record shall name them.
        forfeit_after: With so many faults in this game a seat is not asked any more.
        ask_forced: Whether a decision with one legal action is asked.
    """

    __slots__ = (
        "_actions",
        "_ask_forced",
        "_comments",
        "_dealer",
        "_deals",
        "_forfeit_after",
        "_game",
        "_options",
        "_state",
        "_summaries",
        "_turns",
        "charged_seconds",
        "fault_counts",
        "faults",
        "forfeits",
        "number",
        "order",
        "question",
    )

    def __init__(
        self,
        number: int,
        order: GameOrder,
        game: Game,
        options: Mapping[str, object],
        *,
        forfeit_after: int,
        ask_forced: bool = False,
    ) -> None:
        variant = game.variant(options)
        seats = len(order.seats)
        self.number = number
        self.order = order
        #: The open decision; None before `start` and when the game is over.
        self.question: Question | None = None
        self.charged_seconds = [0.0] * seats
        self.fault_counts = [0] * seats
        self.faults: list[TableFault] = []
        #: Seats for which the house plays on.
        self.forfeits: set[int] = set()
        self._game = game
        self._options = options
        self._state: State[Any, Any] = game.new_state(variant)
        self._dealer = Dealer(order.seed, game.hand_sizes(variant))
        self._forfeit_after = forfeit_after
        self._ask_forced = ask_forced
        self._actions: list[str] = []
        self._deals: list[list[str]] = []
        self._comments: list[Comment] = []
        self._summaries: list[object] = []
        self._turns = [0] * seats

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.is_over

    @property
    def place(self) -> tuple[int, int]:
        """Where the next action will stand on the record: its deal, and its number there, from 0."""
        return len(self._deals) - 1, len(self._actions)

    @property
    def scores(self) -> tuple[int, ...]:
        """As they stand, as a record writes them."""
        return self._state.scores

    def start(self) -> None:
        """Deal, and bring the first question."""
        self._advance()

    def answer(self, action: Any, comment: str = "", bot: BotProcess | None = None) -> RecordedFault | None:
        """Take the answer to the open question; the fault if it is illegal, for which the house has acted."""
        if comment:
            deal, place = self.place
            self._comments.append(Comment(deal, place, comment[:COMMENT_CHARACTERS]))
        try:
            self._state.apply(action)
        except IllegalAction as illegal:
            return self.fault(
                FaultCause.ILLEGAL, f"{action} is illegal ({illegal.rule}): {illegal.message}", bot
            )
        self._actions.append(str(action))
        self._advance()
        return None

    def fault(
        self, cause: FaultCause, message: str, bot: BotProcess | None = None, *, forfeit: bool = False
    ) -> RecordedFault:
        """The seat that was asked is at fault: the house decides for it and play goes on.

        Args:
            cause: What went wrong.
            message: One line for people.
            bot: The process at fault.
            forfeit: Whether the seat is not asked any more, however few its faults.
        """
        question = self.question
        assert question is not None
        seat = question.seat
        recorded = RecordedFault(
            seat, cause, len(self._deals) - 1, len(self._actions), question.turn, " ".join(message.split())
        )
        self.faults.append(TableFault(recorded, question.view, bot))
        self.fault_counts[seat] += 1
        if forfeit or self.fault_counts[seat] >= self._forfeit_after:
            self.forfeits.add(seat)
        self._act_for_the_house(question.view)
        self._advance()
        return recorded

    def take_summaries(self) -> list[object]:
        """What the rules show of the deals that have ended since the last call."""
        summaries, self._summaries = self._summaries, []
        return summaries

    def played(self, view_text: Callable[[Any], str]) -> PlayedGame:
        """The finished game.

        Args:
            view_text: A view as text, for the readers of faults.
        """
        assert self.is_over
        record = GameRecord(
            game=self._game.name,
            variant=dict(self._options),
            seats=self.order.seats,
            deals=tuple(DealRecord(tuple(actions)) for actions in self._deals),
            seed=self.order.seed,
            scores=self._state.scores,
            faults=tuple(fault.recorded for fault in self.faults),
            comments=tuple(self._comments),
            forfeits=tuple(sorted(self.forfeits)),
        )
        details = tuple(
            FaultDetail(
                entrant=self.order.seats[fault.recorded.seat],
                seat=fault.recorded.seat,
                cause=fault.recorded.cause,
                deal=fault.recorded.deal,
                action=fault.recorded.action,
                turn=fault.recorded.turn,
                message=fault.recorded.message,
                view=view_text(fault.view),
                stderr_tail=fault.bot.tail if fault.bot is not None else "",
            )
            for fault in self.faults
        )
        charged_ms = tuple(seconds * 1000 for seconds in self.charged_seconds)
        return PlayedGame(self.order, record, details, charged_ms, tuple(self._turns))

    def _advance(self) -> None:
        """Deal and play what nobody is asked, up to the next question or the end."""
        state = self._state
        self.question = None
        while True:
            if state.needs_deal or state.is_over:
                if self._deals:
                    self._summaries.append(state.summary())
                if state.is_over:
                    return
                self._actions = []
                self._deals.append(self._actions)
                state.deal(self._dealer.deal(state.deal_key))
                continue
            seat = state.to_act
            assert seat is not None
            legal = state.legal_actions()
            if len(legal) == 1 and not self._ask_forced:
                action = next(iter(legal))
                state.apply(action)
                self._actions.append(str(action))
            elif seat in self.forfeits:
                self._act_for_the_house(state.view(seat))
            else:
                self._turns[seat] += 1
                self.question = Question(seat, self._turns[seat], state.view(seat))
                return

    def _act_for_the_house(self, view: Any) -> None:
        action = self._game.house_action(view)
        self._state.apply(action)
        self._actions.append(str(action))
