"""Whole games among bot classes in this process: no referee, no connection, no clock.

For an author's own tests, notebooks and first experiments. Bots get the same views, turns and random numbers as
in a tournament; what they do wrong is an error here, not a fault.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cardtable import catalog
from cardtable.bot import Seating, TableResult, decide, games_of, take_seat
from cardtable.dealing import Dealer, board_seed, bot_seed
from cardtable.engine import IllegalAction
from cardtable.record import Comment, DealRecord, GameRecord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardtable.bot import Bot
    from cardtable.engine import Game

__all__ = ["play", "seat_points"]


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
    rules = catalog.game(game)
    chosen = rules.variant(variant or {})
    if len(bots) != chosen.players:
        raise ValueError(f"{len(bots)} bots for {chosen.players} seats")
    for bot in bots:
        if game not in games_of(bot):
            raise TypeError(f"{bot.__name__} does not play {game}: it has no method of that name")
    master = hashlib.sha256(f"cardtable.local {seed}".encode()).digest()
    return [
        _Table(rules, chosen, dict(variant or {}), bots, board_seed(master, "local", number)).play(ask_forced)
        for number in range(games)
    ]


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


class _Table:
    """One game in play."""

    def __init__(
        self,
        rules: Game,
        variant: Any,
        options: Mapping[str, object],
        bots: Sequence[type[Bot]],
        seed: bytes,
    ) -> None:
        self._options = options
        self._seed = seed
        self._dealer = Dealer(seed, rules.hand_sizes(variant))
        self._state = rules.new_state(variant)
        self._players = [
            take_seat(bot, Seating(rules.name, variant, seat, len(bots), bot_seed=bot_seed(seed, 0, seat)))
            for seat, bot in enumerate(bots)
        ]
        self._turns = [0] * len(bots)
        self._game = rules.name
        self._comments: list[Comment] = []

    def play(self, ask_forced: bool) -> GameRecord:
        """Play to the end."""
        state = self._state
        deals: list[DealRecord] = []
        while not state.is_over:
            state.deal(self._dealer.deal(state.deal_key))
            actions: list[str] = []
            while (seat := state.to_act) is not None:
                legal = state.legal_actions()
                if ask_forced or len(legal) > 1:
                    action = self._ask(seat, len(deals), len(actions))
                else:
                    action = next(iter(legal))
                    state.apply(action)
                actions.append(str(action))
            deals.append(DealRecord(tuple(actions)))
            for player in self._players:
                player.deal_ended(state.summary())
        for player in self._players:
            player.table_closed(TableResult(tuple(state.scores)))
        return GameRecord(
            game=self._game,
            variant=self._options,
            seats=tuple(type(player).name for player in self._players),
            deals=tuple(deals),
            seed=self._seed,
            scores=tuple(state.scores),
            comments=tuple(self._comments),
        )

    def _ask(self, seat: int, deal: int, place: int) -> Any:
        player = self._players[seat]
        self._turns[seat] += 1
        action, comment = decide(player, self._state.view(seat), self._turns[seat])
        try:
            self._state.apply(action)
        except IllegalAction as error:
            raise IllegalAction(
                f"{type(player).name} in seat {seat} played {action} in deal {deal}, turn {self._turns[seat]}: "
                f"{error.message} (rule {error.rule})",
                error.rule,
            ) from error
        if comment:
            self._comments.append(Comment(deal, place, comment))
        return action
