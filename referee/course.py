"""Which boards of a competition come next: all at once, or stage by stage where later ones depend on earlier ones.

A stage is some rounds of the plan. Swiss and ladder need the results of every round for the next one; with a rule
that ends a competition early, the results are looked at between stages, and only boards that can still change the
answer are played. What a stage holds follows from complete boards of earlier stages alone, so a run that was
interrupted goes on with the same boards, and anybody can check them afterwards.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from referee.sequential import LEAST_BOARDS, StopState, judge, worth_playing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from referee.boards import Board, ScoredBy
    from referee.schedule import BoardPlan, Plan
    from referee.sequential import StopRule

__all__ = ["Course", "Stage", "stages"]

#: With a stop rule a stage has at least so many boards, and a tenth of those before it: looks cost more waiting than
#: they save boards when they are closer together.
_LEAST_BOARDS, _SHARE = 4, 10


@dataclass(frozen=True, slots=True)
class Stage:
    """Some rounds whose boards are known.

    Args:
        boards: Those to play, in schedule order.
        state: What the stop rule says before them; None without a rule.
    """

    boards: tuple[BoardPlan, ...]
    state: StopState | None = None


def stages(
    plan: Plan,
    rule: StopRule | None,
    scored_by: ScoredBy,
    before: Callable[[int], tuple[Sequence[Board], Collection[str]]],
) -> Iterator[Stage]:
    """Yield the stages of a competition; the last one may have no boards and says why it is the last.

    Args:
        plan: Of the competition.
        rule: When it ends early; None: never.
        scored_by: What is ranked.
        before: Gives, for the number of a board, the complete boards with lower numbers that count and the entrants
            that have left before it. Is called when a stage is asked for, so all earlier boards must be played then.
    """
    number = played = 0
    most = rule.max_boards if rule is not None and rule.max_boards is not None else len(plan)
    while number < plan.rounds and (played < most or rule is None):
        first = number * plan.boards_in_round
        past, absent = before(first) if plan.is_adaptive or rule is not None else ((), ())
        state = None
        if rule is not None:
            present = [name for name in plan.entrants if name not in absent]
            state = judge(past, present, scored_by, rule)
            if state.done:
                yield Stage((), state)
                return
        boards: list[BoardPlan] = []
        while number < plan.rounds:
            of_round = plan.round(number, past, absent)
            number += 1
            boards += [
                board
                for board in of_round
                if not absent or not any(name in absent for name in board.seatings[0])
                if state is None or worth_playing(board, state)
            ]
            if rule is None:
                break
            enough = LEAST_BOARDS if not played else max(_LEAST_BOARDS, played // _SHARE)
            if plan.is_adaptive or len(boards) >= enough:
                break
        if rule is not None:
            boards = boards[: most - played]
        if not boards and plan.is_adaptive:
            # Too few are left for a table, and nobody comes back.
            break
        played += len(boards)
        yield Stage(tuple(boards), state)
    if rule is not None:
        past, absent = before(number * plan.boards_in_round)
        present = [name for name in plan.entrants if name not in absent]
        yield Stage((), judge(past, present, scored_by, rule, is_last=True))


class Course:
    """The boards of one competition that nobody plays yet.

    Args:
        plan: Of the competition.
        coming: Its stages; not looked at where they are but the rounds of a plan that is known, which is gone through
            by number: it may have a million games.
        is_staged: Whether a stage waits for the end of the one before.
        finished: Boards that are in the store.
    """

    def __init__(
        self, plan: Plan, coming: Iterator[Stage], *, is_staged: bool, finished: Collection[int]
    ) -> None:
        self.plan = plan
        self.is_staged = is_staged
        #: What the stop rule said last; None without a rule.
        self.state: StopState | None = None
        self._coming = coming
        self._finished = done = frozenset(finished)
        self._fixed = (plan.board(number) for number in range(len(plan)) if number not in done)
        self._newest = max(finished, default=-1)
        self._unknown = len(plan) - len(finished)
        self._ready: deque[BoardPlan] = deque()
        self._out: dict[int, BoardPlan] = {}
        self._is_over = False

    @property
    def waits(self) -> bool:
        """Whether the next stage waits for boards that are being played."""
        return self.is_staged and bool(self._out)

    @property
    def left(self) -> int:
        """How many boards nobody plays yet: of this stage, where there are stages."""
        self._open()
        return len(self._ready) if self.is_staged else self._unknown

    def _open(self) -> None:
        """Have some boards ready, unless there are none or they must wait."""
        while not self._ready and not self.waits and not self._is_over:
            if not self.is_staged:
                self._ready.extend(islice(self._fixed, 1))
                self._is_over = not self._ready
                break
            stage = next(self._coming, None)
            if stage is None:
                self._is_over = True
                break
            self.state = stage.state or self.state
            # What was left out of a stage for those who had left stays out once a later stage has begun, which was
            # decided without it: a ruling may bring them back.
            if not stage.boards or stage.boards[-1].number >= self._newest:
                self._ready.extend(board for board in stage.boards if board.number not in self._finished)

    def take(self) -> BoardPlan | None:
        """The next board; None when there is none now."""
        self._open()
        if not self._ready:
            return None
        board = self._ready.popleft()
        self._unknown -= 1
        self._out[board.number] = board
        return board

    def finished(self, number: int) -> None:
        """A board is in the store, or will never be."""
        self._out.pop(number, None)

    def give_back(self, number: int) -> None:
        """A board was not played after all."""
        self._ready.append(self._out.pop(number))
        self._unknown += 1
