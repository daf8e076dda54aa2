"""Looking over a bot's shoulder: stops at its decisions, shows them, and does what the person at the terminal says."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cardtable.catalog import GAMES
from cardtable.commands import UsageError
from cardtable.commands.failing import BotFailure, act
from cardtable.commands.showing import Ink, action_text, legal_text, view_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardtable.commands.scene import Scene
    from cardtable.local import Question

__all__ = ["Inspection"]

_HELP: Final = (
    "Enter: next decision   n: next trick   d: next deal   a: all hands   r: load and ask again   q: quit"
)


class Inspection:
    """One game, from its beginning to its end or to where it is left.

    Args:
        scene: The game.
        deal: Where to begin; None: at its first deal.
        turn: At which decision of the seat to begin; None: at its first.
    """

    def __init__(self, scene: Scene, *, deal: int | None = None, turn: int | None = None) -> None:
        self._scene = scene
        self._deal = deal
        self._turn = turn
        self._ink = Ink.of(sys.stdout)
        self._is_asked = sys.stdin.isatty()
        self._skip: Callable[[Question], bool] = self._is_before
        self._deals_told = 0
        self._failed = False
        self._begun = False

    def run(self) -> int:
        """Go through the game; the status: 1 when the bot failed at something that was shown."""
        table, seat = self._scene.table, self._scene.seat
        try:
            while (question := table.question) is not None and not self._is_beyond(question):
                answer = self._answer(question) if question.seat == seat else None
                if answer is None or (self._skip(question) and answer.failure is None):
                    if not self._go_by(question, answer):
                        break
                elif not self._stop_at(question, answer):
                    return self._status
                self._tell_deals()
        except BotFailure as failure:
            self._print_failure(failure)
            return 1
        if not self._begun:
            raise UsageError(self._nowhere())
        if table.question is None:
            print(f"\n{self._ink.bold('The game is over')}: {self._points(table.state.scores)}")
        return self._status

    @property
    def _status(self) -> int:
        return int(self._failed)

    def _is_before(self, question: Question) -> bool:
        return question.deal < (self._deal or 0) or question.turn < (self._turn or 0)

    def _is_beyond(self, question: Question) -> bool:
        """Whether nobody is there to go on, and all that was asked for is printed."""
        if self._is_asked or not self._begun:
            return False
        return self._turn is not None or (self._deal is not None and question.deal > self._deal)

    def _answer(self, question: Question) -> _Answer:
        try:
            action, comment = self._scene.ask()
        except BotFailure as failure:
            return _Answer(failure=failure)
        if action in question.view.legal_actions:
            return _Answer(action, comment)
        said = f"{action} is illegal; legal: {' '.join(question.view.legal_actions.texts())}"
        place = (question.deal, question.seat, question.turn)
        return _Answer(failure=BotFailure(self._scene.labels[question.seat], said, *place))

    def _go_by(self, question: Question, answer: _Answer | None) -> bool:
        """Do what is done at a question that is not shown; False: the game that is followed ends here."""
        scene = self._scene
        if scene.record is not None:
            action, comment = scene.done(question), ""
            if action is None:
                return False
        elif answer is None:
            action, comment = scene.ask()
        else:
            action, comment = answer.action, answer.comment
        act(scene.table, scene.labels, action, comment)
        return True

    def _stop_at(self, question: Question, answer: _Answer) -> bool:
        """Show a question and its answers, and go on as told; False: no more."""
        scene, ink = self._scene, self._ink
        self._begun = True
        self._skip = _never
        self._print_question(question)
        self._print_answers(question, answer)
        while self._is_asked:
            word = self._command()
            if word == "q":
                return False
            if word == "r":
                answer = self._again(question) or answer
            elif word == "a":
                for seat in range(len(scene.labels)):
                    hand = scene.table.state.view(seat).hand
                    print(f"  {seat} {scene.labels[seat]:<14}{ink.hand(hand)}")
            elif word in {"", "n", "d"}:
                self._skip = self._until(question, word)
                break
            else:
                print(ink.faint(_HELP))
        self._failed |= answer.failure is not None
        done = scene.done(question)
        if scene.record is not None and done is None:
            print(ink.faint("The record ends here."))
            return False
        if done is not None:
            act(scene.table, scene.labels, done)
        elif answer.failure is None:
            act(scene.table, scene.labels, answer.action, answer.comment)
        else:
            act(scene.table, scene.labels, self._house(question))
        return True

    def _until(self, question: Question, word: str) -> Callable[[Question], bool]:
        """What to pass over: the rest of this trick, or of this deal."""
        if word == "d":
            return lambda later: later.deal == question.deal
        players, begun = len(self._scene.labels), len(question.view.played)
        if word == "n":
            end = begun - begun % players + players
            return lambda later: later.deal == question.deal and len(later.view.played) < end
        return _never

    def _again(self, question: Question) -> _Answer | None:
        try:
            self._scene.load_again()
        except (BotFailure, UsageError) as error:
            print(self._ink.alarm(str(error)))
            return None
        answer = self._answer(question)
        self._print_answers(question, answer)
        return answer

    def _command(self) -> str:
        keys = "Enter next, n trick, d deal, a all hands, r reload, q quit"
        try:
            return input(self._ink.faint(f"[{keys}] > ")).strip().lower()
        except EOFError:
            print()
            return "q"

    def _print_question(self, question: Question) -> None:
        scene, ink = self._scene, self._ink
        name = scene.labels[question.seat]
        print()
        print(
            ink.rule(
                f"deal {question.deal}, turn {question.turn}: {name} in seat {question.seat} ({scene.title})"
            )
        )
        for line in view_lines(question.view, scene.labels, ink):
            print(line)
        print(ink.faint("legal".ljust(10)) + legal_text(question.view, ink), flush=True)

    def _print_answers(self, question: Question, answer: _Answer) -> None:
        scene, ink = self._scene, self._ink
        print(ink.faint("answers"))
        who = scene.named.bot.name
        if answer.failure is not None:
            self._print_failure(answer.failure)
            rows = []
            if scene.record is None:
                rows.append(["  the house", self._text(self._house(question)), "plays for it"])
        else:
            comment = f'"{answer.comment}"' if answer.comment else ""
            rows = [[f"  {ink.bold(who)}", self._text(answer.action), comment]]
        done = scene.done(question)
        if done is not None:
            rows.append(["  in the record", self._text(done), self._same(done, answer)])
        rows += [
            [f"  {label}", self._text(action), self._same(action, answer)]
            for label, action in scene.others(question).items()
        ]
        for line in ink.columns(rows) if rows else []:
            print(line)

    def _tell_deals(self) -> None:
        """Say of each deal that has ended how it did."""
        summaries = self._scene.table.summaries
        for number in range(self._deals_told, len(summaries)):
            summary = summaries[number]
            if self._begun:
                void = getattr(summary, "void", None)
                points = f"points {self._points(summary.points)}" if void is None else f"void ({void.value})"
                print(f"\n{self._ink.bold(f'Deal {number} is over')}: {points}")
        self._deals_told = len(summaries)

    def _points(self, points: Sequence[int]) -> str:
        labels = self._scene.labels
        if len(points) != len(labels):
            return "   ".join(f"side {side} {one}" for side, one in enumerate(points))
        return "   ".join(f"{label} {one}" for label, one in zip(labels, points, strict=True))

    def _print_failure(self, failure: BotFailure) -> None:
        if failure.trace:
            print(failure.trace)
        print(self._ink.alarm(str(failure)), flush=True)

    def _text(self, action: Any) -> str:
        return action_text(self._game, action, self._ink)

    def _same(self, action: Any, answer: _Answer) -> str:
        return self._ink.faint("the same") if action == answer.action else ""

    def _house(self, question: Question) -> Any:
        return GAMES[self._game].house_action(question.view)

    @property
    def _game(self) -> str:
        return self._scene.table.seating(0).game

    def _nowhere(self) -> str:
        """Why nothing was shown."""
        scene = self._scene
        asked = f"--deal {self._deal}" if self._turn is None else f"--turn {self._turn}"
        return f"{asked}: seat {scene.seat} decides nothing there; the game has {len(scene.table.summaries)} deals"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the bot did: an action that is legal, or its failure."""

    action: Any = None
    comment: str = ""
    failure: BotFailure | None = None


def _never(_question: Question) -> bool:
    return False
