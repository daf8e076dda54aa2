"""Replaying records through the rules: what `tourney verify` says of a game.

Owns the verdict: scores after each deal, who acts next and what is legal, or the first fault with its place and
rule. It trusts nothing in a record but the cards and the actions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cardtable.cards import CardSet, MalformedCard
from cardtable.catalog import GAMES
from cardtable.dealing import Dealer
from cardtable.engine import Deal, RuleError, VariantError

if TYPE_CHECKING:
    from cardtable.engine import Game, State
    from cardtable.record import DealRecord, GameRecord

__all__ = ["DealVerdict", "Observer", "ReplayError", "Replayed", "replay"]


@dataclass(frozen=True, slots=True)
class ReplayError:
    """The first fault of a record.

    Args:
        rule: The rule that is broken; ``format`` for a record that is no record.
        message: What is wrong and what would be right.
        deal, action: Its place, counted from 0; None where it has none.
    """

    rule: str
    message: str
    deal: int | None = None
    action: int | None = None

    def to_json(self) -> dict[str, object]:
        """The error as `tourney verify --json` prints it."""
        return {"deal": self.deal, "action": self.action, "rule": self.rule, "message": self.message}

    def __str__(self) -> str:
        place = "" if self.deal is None else f"deal {self.deal}"
        if self.action is not None:
            place += f", action {self.action}"
        return f"{place + ': ' if place else ''}{self.message} (rule {self.rule})"


@dataclass(frozen=True, slots=True)
class DealVerdict:
    """A finished or void deal: the scores after it."""

    scores_after: tuple[int, ...]
    void: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """What replaying a record gives.

    Args:
        error: The first fault, or None.
        state: The game after the last legal action; None when the record names no game.
        deals: One for every finished or void deal.
        legal: The legal actions after the last legal one, bounds in place of long lists.
    """

    error: ReplayError | None
    state: State[Any, Any] | None = None
    deals: tuple[DealVerdict, ...] = ()
    legal: tuple[str, ...] = ()
    sides: tuple[int, ...] | None = None

    @property
    def ok(self) -> bool:
        """Whether every deal and action of the record is legal."""
        return self.error is None

    def to_json(self) -> dict[str, object]:
        """The verdict as `tourney verify --json` prints it."""
        state = self.state
        line: dict[str, object] = {
            "ok": self.ok,
            "over": state is not None and state.is_over,
            "scores": [] if state is None else list(state.scores),
        }
        if self.sides is not None:
            line["sides"] = list(self.sides)
        line["deals"] = [{"scores_after": list(deal.scores_after), "void": deal.void} for deal in self.deals]
        line["to_act"] = None if state is None else state.to_act
        line["legal"] = list(self.legal)
        line["error"] = None if self.error is None else self.error.to_json()
        return line


class Observer(Protocol):
    """Is shown a game while it is replayed."""

    def dealt(self, number: int, deal: Deal, state: State[Any, Any]) -> None:
        """Cards are on the table."""

    def acted(self, seat: int, text: str, state: State[Any, Any]) -> None:
        """A seat has acted; the state is the one after it."""


def replay(record: GameRecord, observer: Observer | None = None) -> Replayed:
    """Rebuild a game from its record, as far as the rules allow.

    Final scores of the record, where it has any, must be those of the rules.
    """
    game = GAMES.get(record.game)
    if game is None:
        return Replayed(
            ReplayError("format", f"unknown game {record.game!r}; the games are {', '.join(GAMES)}")
        )
    try:
        variant = game.variant(record.variant)
    except VariantError as unknown:
        return Replayed(ReplayError("format", f"variant: {unknown}"))
    if len(record.seats) != variant.players:
        message = f"{len(record.seats)} seats; this variant is played by {variant.players}"
        return Replayed(ReplayError("format", message))
    state = game.new_state(variant)
    deals: list[DealVerdict] = []
    error = _deals(record, game, state, deals, observer)
    if (
        error is None
        and record.scores is not None
        and (not state.is_over or record.scores != tuple(state.scores))
    ):
        said = f"final scores {list(record.scores)}"
        truth = f"the rules give {list(state.scores)}" if state.is_over else "the game is not over"
        error = ReplayError("format", f"{said}, but {truth}")
    legal = state.legal_actions().texts() if state.to_act is not None else []
    groups = game.groups(variant)
    sides = tuple(state.group_scores) if len(groups) != len(state.scores) else None
    return Replayed(error, state, tuple(deals), tuple(legal), sides)


def _deals(
    record: GameRecord,
    game: Game,
    state: State[Any, Any],
    deals: list[DealVerdict],
    observer: Observer | None,
) -> ReplayError | None:
    for number, deal in enumerate(record.deals):
        if not state.needs_deal:
            why = "the game is over" if state.is_over else f"deal {number - 1} is not complete"
            return ReplayError(
                state.ended_by if state.is_over else "format", f"a new deal, but {why}", number
            )
        try:
            cards = _cards(record, game, state, deal)
            state.deal(cards)
        except (RuleError, MalformedCard) as unsound:
            return ReplayError("format", str(unsound), number)
        if observer is not None:
            observer.dealt(number, cards, state)
        for place, text in enumerate(deal.actions):
            seat = state.to_act
            broken = _act(game, state, text)
            if broken is not None:
                return ReplayError(broken.rule, broken.message, number, place)
            if observer is not None and seat is not None:
                observer.acted(seat, text, state)
            if state.to_act is None:
                deals.append(DealVerdict(tuple(state.scores), state.ended_void))
                if place + 1 < len(deal.actions):
                    message = f"{deal.actions[place + 1]!r} after the end of the deal"
                    return ReplayError(state.ended_by, message, number, place + 1)
    return None


def _act(game: Game, state: State[Any, Any], text: str) -> RuleError | None:
    try:
        state.apply(game.parse_action(text))
    except RuleError as error:
        return error
    return None


def _cards(record: GameRecord, game: Game, state: State[Any, Any], deal: DealRecord) -> Deal:
    if deal.hands:
        return Deal(tuple(CardSet.parse(hand) for hand in deal.hands), CardSet.parse(deal.kitty))
    if record.seed is None:
        raise RuleError('a deal without "hands" in a record without "seed"')
    return Dealer(record.seed, game.hand_sizes(state.variant)).deal(state.deal_key)
