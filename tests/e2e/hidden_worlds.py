"""Other worlds behind a game: all that one seat has seen is the same in them, and what it cannot know is not.

Made from the rules and the public actions alone, never from a view: a view that tells too much must not keep the
worlds out that would show it. What a seat knows is its own hand and choices, the public actions with whose turn it
was, and the few cards that a rule shows (T2.1, T4.3, T6, T9.5).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cardtable.cards import ALL_CARDS, EMPTY, Card, CardSet
from cardtable.catalog import GAMES
from cardtable.engine import Deal, RuleError
from cardtable.trix import PASS as TRIX_PASS, Contract, Double, Redeal
from cardtable.vytrix import Bid, Discard, Kitty, Name, Pass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

__all__ = ["ENDED", "Moment", "PlayedDeal", "World", "alternative", "answers", "moments", "play_alone"]

#: Kinds of moments that are no question.
ENDED = ("deals_ended", "tables_closed")
_TWOS = CardSet.parse("2S 2H 2D 2C")
_SEVEN_OF_HEARTS = Card("7H")
_ATTEMPTS = 14


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal of a game that was played.

    Args:
        before: The state that waits for it.
        deal: Its cards.
        made: Every action, and who made it.
    """

    before: Any
    deal: Deal
    made: tuple[tuple[int, Any], ...]

    @property
    def key(self) -> str:
        """Names the deal."""
        return str(self.before.deal_key)


@dataclass(frozen=True, slots=True)
class Moment:
    """A message that a seat got.

    Args:
        kind: The step of a question, or one of `ENDED`.
        place: Its place among all that the seat was told of the table.
        deal: Number of the deal.
        actions: How many actions of the deal were made before.
    """

    kind: str
    place: int
    deal: int
    actions: int


@dataclass(frozen=True, slots=True)
class Script:
    """What everybody does in a deal up to a moment: the public actions, and for the rest to decline.

    Args:
        discard: What declarer discards; hidden from all others.
        doubled: What each seat doubles.
    """

    contract: Any = None
    claimant: int | None = None
    doubled: Mapping[int, CardSet] = field(default_factory=dict)
    calls: tuple[Any, ...] = ()
    kitty: Any = None
    name: Any = None
    discard: CardSet | None = None
    plays: tuple[Card, ...] = ()
    played_by: tuple[int, ...] = ()

    @classmethod
    def of(cls, made: Iterable[tuple[int, Any]]) -> Script:
        """The script of these actions."""
        script, calls, plays = cls(), [], []
        doubled: dict[int, CardSet] = {}
        for seat, action in made:
            match action:
                case Card():
                    plays.append((seat, action))
                case Contract():
                    script = replace(script, contract=action)
                case Redeal.CLAIM:
                    script = replace(script, claimant=seat)
                case Double():
                    doubled[seat] = action.cards
                case Bid() | Pass():
                    calls.append(action)
                case Kitty():
                    script = replace(script, kitty=action)
                case Discard():
                    script = replace(script, discard=action.cards)
                case Name():
                    script = replace(script, name=action)
                case _:
                    pass
        return replace(
            script,
            doubled=doubled,
            calls=tuple(calls),
            plays=tuple(card for _, card in plays),
            played_by=tuple(seat for seat, _ in plays),
        )

    def action(self, view: Any) -> Any:
        """What the view's seat does; None where the script ends, or has another seat act."""
        match view.step.value:
            case "contract":
                return self.contract
            case "redeal":
                return Redeal.CLAIM if view.seat == self.claimant else Redeal.KEEP
            case "double":
                return Double(self.doubled.get(view.seat, EMPTY))
            case "bid":
                return self.calls[len(view.calls)] if len(view.calls) < len(self.calls) else None
            case "kitty":
                return self.kitty
            case "discard":
                return None if self.discard is None else Discard(self.discard)
            case "name":
                return self.name
            case "layout" if not view.legal:
                return TRIX_PASS
            case _:
                place = len(view.played)
                return self.plays[place] if self.played_by[place : place + 1] == (view.seat,) else None


@dataclass(frozen=True, slots=True)
class World:
    """Another game with the same public actions up to a moment.

    Args:
        deals: Its deals.
        differs: What is different up to the moment: hands, kitty, discards, or who decided what behind the scenes.
    """

    deals: tuple[PlayedDeal, ...]
    differs: frozenset[str]


def play_alone(
    game: str, variant: Mapping[str, object], cards: Callable[[str], Deal], choose: Callable[[Any], Any]
) -> tuple[PlayedDeal, ...]:
    """A whole game without any referee.

    Args:
        game: Its name.
        variant: Its options.
        cards: The deal of a key.
        choose: What is done, from the view of the seat that acts.
    """
    rules = GAMES[game]
    state = rules.new_state(rules.variant(variant))
    deals = []
    while not state.is_over:
        before, made, deal = state.copy(), [], cards(state.deal_key)
        state.deal(deal)
        while (seat := state.to_act) is not None:
            action = choose(state.view(seat))
            made.append((seat, action))
            state.apply(action)
        deals.append(PlayedDeal(before, deal, tuple(made)))
    return tuple(deals)


def answers(deals: Iterable[PlayedDeal]) -> dict[int, list[Any]]:
    """What each seat answers when it is asked, which it is wherever it has a choice."""
    given: dict[int, list[Any]] = {}
    for one in deals:
        state = one.before.copy()
        state.deal(one.deal)
        for seat, action in one.made:
            if len(state.legal_actions()) > 1:
                given.setdefault(seat, []).append(action)
            state.apply(action)
    return given


def moments(deals: Sequence[PlayedDeal], seat: int) -> list[Moment]:
    """Every message that the seat got but the first, which seats it."""
    found: list[Moment] = []
    for number, one in enumerate(deals):
        state = one.before.copy()
        state.deal(one.deal)
        for actions, (actor, action) in enumerate(one.made):
            if actor == seat and len(state.legal_actions()) > 1:
                step = state.view(seat).step.value
                found.append(Moment(step, len(found) + 1, number, actions))
            state.apply(action)
        if state.to_act is None:
            found.append(Moment("deals_ended", len(found) + 1, number, len(one.made)))
        if state.is_over:
            found.append(Moment("tables_closed", len(found) + 1, number, len(one.made)))
    return found


def alternative(deals: Sequence[PlayedDeal], seat: int, moment: Moment, rng: Random) -> World | None:
    """Another world that the seat cannot tell from the true one until a moment; None where there is none."""
    differs: set[str] = set()
    others = [_varied(one, seat, "", one.made, differs, rng) for one in deals[: moment.deal]]
    last = deals[moment.deal]
    step = "" if moment.kind in ENDED else moment.kind
    others.append(_varied(last, seat, step, last.made[: moment.actions], differs, rng))
    return World(tuple(others), frozenset(differs)) if differs else None


def _varied(
    one: PlayedDeal,
    seat: int,
    step: str,
    made: Sequence[tuple[int, Any]],
    differs: set[str],
    rng: Random,
) -> PlayedDeal:
    """Shuffle what the seat has not seen of a deal, as long as everybody can have acted as they did."""
    true_script = script = Script.of(made)
    if len(script.plays) == len(ALL_CARDS):
        return one  # everybody has seen all of it
    truth = _follow(one, seat, step, one.deal, script)
    assert truth is not None, "the game itself does not follow its script"
    deal, after, share = one.deal, truth, 1.0
    for _ in range(_ATTEMPTS):
        candidate = _shuffled(one, seat, step, script, deal, share, rng)
        if candidate is None:
            break
        followed = _follow(one, seat, step, *candidate)
        if followed is None:
            share = max(0.05, share * 0.7)
        else:
            after = followed
            deal, script = candidate
    differs |= _behind(truth, seat) ^ _behind(after, seat)
    if deal.hands != one.deal.hands:
        differs.add("hands")
    if deal.kitty != one.deal.kitty:
        differs.add("kitty")
    if script.discard != true_script.discard:
        differs.add("discards")
    return PlayedDeal(one.before, deal, tuple(after))


def _behind(made: Iterable[tuple[int, Any]], seat: int) -> set[str]:
    """Decisions of others that nobody is told of."""
    names = {Redeal.KEEP: "a redeal declined", Double(): "a doubling declined"}
    return {names[action] for by, action in made if by != seat and action in names}


def _shuffled(
    one: PlayedDeal, seat: int, step: str, script: Script, deal: Deal, share: float, rng: Random
) -> tuple[Deal, Script] | None:
    """Some of the unknown cards at other places, and what declarer discards then; None without such cards."""
    places = [set(hand) for hand in deal.hands] + [set(deal.kitty)]
    kitty = len(places) - 1
    declarer = next((by for by, action in one.made if isinstance(action, Kitty)), None)
    took = script.kitty is Kitty.TAKE
    if took and declarer != seat:
        assert declarer is not None
        _exchange(places, {declarer: places[declarer], kitty: places[kitty]}, 1.0, rng)
    fixed = set(script.plays) | {card for cards in script.doubled.values() for card in cards}
    if script.contract is Contract.TRIX and step in {"", "layout"}:
        fixed |= set(_TWOS) if one.before.variant.reveal_twos != "never" else set()
    if one.before.variant.players == 4 and one.key == "0.0.0":
        fixed.add(_SEVEN_OF_HEARTS)
    known = {seat, script.claimant if not step else None, kitty if took and declarer == seat else None}
    free = {place: cards - fixed for place, cards in enumerate(places) if place not in known}
    if sum(map(len, free.values())) < 2 and not took:
        return None
    _exchange(places, free, share, rng)
    if took and declarer != seat and script.discard is not None:
        assert declarer is not None
        rest = sorted((places[declarer] | places[kitty]) - set(script.plays))
        script = replace(script, discard=CardSet.of(rng.sample(rest, 4)))
    *hands, left = map(CardSet.of, places)
    return Deal(tuple(hands), left), script


def _exchange(places: list[set[Card]], free: Mapping[int, set[Card]], share: float, rng: Random) -> None:
    """Let some of these cards change places among each other."""
    moving = [
        (place, card)
        for place, cards in sorted(free.items())
        for card in sorted(cards)
        if rng.random() < share
    ]
    cards = [card for _, card in moving]
    rng.shuffle(cards)
    for place, card in moving:
        places[place].discard(card)
    for (place, _), card in zip(moving, cards, strict=True):
        places[place].add(card)


def _follow(
    one: PlayedDeal, seat: int, step: str, deal: Deal, script: Script
) -> list[tuple[int, Any]] | None:
    """Play the script with these cards up to the seat's question, or the deal's end where the step is empty.

    Returns:
        What was done by whom; None where the script cannot be played, or others would have acted.
    """
    state = one.before.copy()
    state.deal(deal)
    done: list[tuple[int, Any]] = []
    while (to_act := state.to_act) is not None:
        view = state.view(to_act)
        now = view.step.value
        if to_act == seat and now == step:
            made = len(view.played) + len(getattr(view, "calls", ()))
            if made == len(script.plays) + len(script.calls):
                return done
        action = script.action(view)
        if action is None:
            return None
        try:
            state.apply(action)
        except RuleError:
            return None
        done.append((to_act, action))
    return None if step else done
