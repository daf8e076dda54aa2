"""Whole games among bot classes in this process: no referee, no connection, no clock.

For an author's own tests, notebooks and first experiments. Bots get the same views, turns and random numbers as
in a tournament; what they do wrong is an error here, not a fault. `play` plays whole games, a `Table` one game
decision by decision, for whoever wants to look on or to decide otherwise.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardtable import catalog
from cardtable.bot import Seating, TableResult, decide, games_of, take_seat
from cardtable.dealing import Dealer, board_seed, bot_seed
from cardtable.engine import IllegalAction
from cardtable.record import Comment, DealRecord, GameRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardtable.bot import Bot
    from cardtable.engine import Game, State

__all__ = ["Question", "Table", "play", "seat_points", "seed_of"]


def play(
    game: str,
    bots: Sequence[type[Bot]],
    *,
    variant: Mapping[str, object] | None = None,
    games: int = 1,
    seed: int = 0,
    ask_forced: bool = False,
) -> list[GameRecord]:
    """Play whole games.

        play("trix", [Mine, Other, Other, Other], games=10, variant={"partners": True})

    Args:
        game: Name of the game.
        bots: One class for each seat; a class may stand more than once.
        variant: Options that differ from their defaults.
        games: How many games, each with cards of its own.
        seed: Base of all cards and of the bots' random choices; 0 and up. The same seed gives the same games.
        ask_forced: Whether a bot is also asked where it has one legal action.

    Raises:
        IllegalAction: A bot did what the rules forbid.
        TypeError: A bot does not play the game, or returned something that is no action.
        ValueError: There is no such game, or the number of bots is not that of the seats.
        VariantError: An option or its value is unknown, or does not fit the others.
    """
    _checked(game, bots, variant)
    records = []
    for number in range(games):
        table = Table(game, bots, variant=variant, seed=seed_of(seed, number), ask_forced=ask_forced)
        while table.question is not None:
            table.act(*table.ask())
        records.append(table.record())
    return records


def seed_of(seed: int, number: int = 0) -> bytes:
    """The board's seed of one game of `play`.

    Args:
        seed: What `play` was given.
        number: Number of the game, from 0.
    """
    return board_seed(hashlib.sha256(f"cardtable.local {seed}".encode()).digest(), "local", number)


def seat_points(record: GameRecord) -> tuple[int, ...]:
    """The final points of each seat; where the game scores sides, a seat has those of its side.

    Raises:
        ValueError: The game is not over.
    """
    if record.scores is None:
        raise ValueError("the game is not over: it has no final scores")
    if len(record.scores) == len(record.seats):
        return record.scores
    rules = catalog.game(record.game)
    sides = rules.groups(rules.variant(record.variant))
    return tuple(
        next(score for score, side in zip(record.scores, sides, strict=True) if seat in side)
        for seat in range(len(record.seats))
    )


@dataclass(frozen=True, slots=True)
class Question:
    """A decision that a table waits for.

    Args:
        seat: Who decides.
        deal: Number of the deal, from 0.
        action: Place among the deal's actions, from 0.
        turn: Number of the seat's question, from 1.
        view: All that the seat may know.
    """

    seat: int
    deal: int
    action: int
    turn: int
    view: Any


class Table:
    """One game in play: it waits for the answer to its `question`, which is None when the game is over.

        table = Table("trix", [Mine, Other, Other, Other], seed=seed_of(1))
        while table.question is not None:
            table.act(*table.ask())

    Args:
        game: Name of the game.
        bots: One class for each seat.
        variant: Options that differ from their defaults.
        seed: The board's seed, 32 bytes, as a record shows it.
        ask_forced: Whether a bot is also asked where it has one legal action.

    Raises:
        TypeError: A bot does not play the game.
        ValueError: There is no such game, or the number of bots is not that of the seats.
        VariantError: An option or its value is unknown, or does not fit the others.
    """

    #: What is waited for.
    question: Question | None
    #: The game as it stands.
    state: State[Any, Any]
    #: What the rules show everybody of each deal that has ended.
    summaries: list[Any]

    def __init__(
        self,
        game: str,
        bots: Sequence[type[Bot]],
        *,
        seed: bytes,
        variant: Mapping[str, object] | None = None,
        ask_forced: bool = False,
    ) -> None:
        self._rules, chosen = _checked(game, bots, variant)
        self._options = dict(variant or {})
        self._seed = seed
        self._ask_forced = ask_forced
        self._dealer = Dealer(seed, self._rules.hand_sizes(chosen))
        self.state = self._rules.new_state(chosen)
        self._players = [take_seat(bot, self.seating(seat)) for seat, bot in enumerate(bots)]
        self._turns = [0] * len(bots)
        self._deals: list[DealRecord] = []
        self._actions: list[str] | None = None
        self._comments: list[Comment] = []
        self.summaries = []
        self.question = None
        self._go_on()

    def seating(self, seat: int) -> Seating:
        """What the bot in a seat is told of its table."""
        variant = self.state.variant
        return Seating(
            self._rules.name, variant, seat, variant.players, bot_seed=bot_seed(self._seed, 0, seat)
        )

    def seat_again(self, seat: int, bot: type[Bot]) -> None:
        """Give a seat to another bot, which goes on from here."""
        self._players[seat] = take_seat(bot, self.seating(seat))

    def ask(self) -> tuple[Any, str]:
        """The answer of the bot to the question that is open, and its comment; it may be asked again.

        Raises:
            TypeError: It returned something that is no action.
        """
        question = self._open()
        return decide(self._players[question.seat], question.view, question.turn)

    def act(self, action: Any, comment: str = "") -> None:
        """Answer the question that is open.

        Raises:
            IllegalAction: The rules forbid it; the question stays open.
        """
        question = self._open()
        try:
            self.state.apply(action)
        except IllegalAction as error:
            raise IllegalAction(
                f"{type(self._players[question.seat]).__name__} in seat {question.seat} played {action}"
                f" in deal {question.deal}, turn {question.turn}: {error.message} (rule {error.rule})",
                error.rule,
            ) from error
        assert self._actions is not None
        self._actions.append(str(action))
        if comment:
            self._comments.append(Comment(question.deal, question.action, comment))
        self._go_on()

    def record(self) -> GameRecord:
        """The game as far as it is played."""
        unfinished = () if self._actions is None else (DealRecord(tuple(self._actions)),)
        return GameRecord(
            game=self._rules.name,
            variant=self._options,
            seats=tuple(type(player).name for player in self._players),
            deals=(*self._deals, *unfinished),
            seed=self._seed,
            scores=tuple(self.state.scores) if self.state.is_over else None,
            comments=tuple(self._comments),
        )

    def _open(self) -> Question:
        if self.question is None:
            raise ValueError("the game is over: there is no question")
        return self.question

    def _go_on(self) -> None:
        """Deal, make what is forced, and end deals, until somebody has a choice or the game is over."""
        state = self.state
        self.question = None
        while True:
            if self._actions is None:
                if state.is_over:
                    for player in self._players:
                        player.table_closed(TableResult(tuple(state.scores)))
                    return
                state.deal(self._dealer.deal(state.deal_key))
                self._actions = []
            seat = state.to_act
            if seat is None:
                self._end_deal(self._actions)
                continue
            legal = state.legal_actions()
            if self._ask_forced or len(legal) > 1:
                self._turns[seat] += 1
                self.question = Question(
                    seat, len(self._deals), len(self._actions), self._turns[seat], state.view(seat)
                )
                return
            action = next(iter(legal))
            state.apply(action)
            self._actions.append(str(action))

    def _end_deal(self, actions: list[str]) -> None:
        self._deals.append(DealRecord(tuple(actions)))
        self._actions = None
        summary = self.state.summary()
        self.summaries.append(summary)
        for player in self._players:
            player.deal_ended(summary)


def _checked(game: str, bots: Sequence[type[Bot]], variant: Mapping[str, object] | None) -> tuple[Game, Any]:
    """The game and its variant, when these bots can play it."""
    rules = catalog.game(game)
    chosen = rules.variant(variant or {})
    if len(bots) != chosen.players:
        raise ValueError(f"{len(bots)} bots for {chosen.players} seats")
    for bot in bots:
        if game not in games_of(bot):
            raise TypeError(f"{bot.__name__} does not play {game}: it has no method of that name")
    return rules, chosen
