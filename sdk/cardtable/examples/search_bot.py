"""Plays both games by looking ahead: deals the unseen cards at random, and plays every choice out in each such world.

The rules of the games in its head are the referee's (`cardtable.trix`, `cardtable.vytrix`), and the players in them
follow greedy_bot's rules of thumb. It counts worlds, never seconds, so that it always plays the same.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from cardtable import Bot, Card, CardSet, run
from cardtable.cards import CARDS, FULL_MASK
from cardtable.examples.counter_bot import USUAL, earnings, worst_first
from cardtable.examples.greedy_bot import (
    BAD,
    SUIT_AROUND,
    better_than,
    card_of,
    duck,
    flip,
    forms,
    lay,
    lead_best,
    lead_low,
    throw,
    win_or_save,
)
from cardtable.trix import Contract, Redeal, Step, TrixAction, TrixState, TrixView, unseen_deals
from cardtable.vytrix import (
    PASS,
    Action,
    Bid,
    Direction,
    Discard,
    Kitty,
    Name,
    Step as VStep,
    VytrixState,
    VytrixView,
    Worlds,
)

#: In how many worlds a choice is tried.
WORLDS = 20
#: A higher bid tells nothing of the bidder's hand.
CREDIBLE = 40
State = TypeVar("State", TrixState, VytrixState)
Choice = TypeVar("Choice")


def best_choice(
    choices: Sequence[Choice], worlds: Iterable[State], value: Callable[[State, Choice], float]
) -> Choice:
    """The choice with the greatest sum of values; each meets the same worlds."""
    if len(choices) == 1:
        return choices[0]
    sums = [0.0] * len(choices)
    for world in worlds:
        for place, choice in enumerate(choices):
            sums[place] += value(world.copy(), choice)
    return choices[sums.index(max(sums))]


def different(legal: int, others: int, bad: int) -> list[Card]:
    """The legal cards without those that do the same as the next lower one.

    Args:
        legal: The cards that may be played.
        others: Cards that others still hold or have played to the open trick.
        bad: Cards that cost something themselves.
    """
    found: list[Card] = []
    below = 0
    for card in CardSet(legal):
        between = card.bit - 1 & -(below << 1)
        if (
            not below & SUIT_AROUND[card.index]
            or between & others
            or bool(card.bit & bad) != bool(below & bad)
        ):
            found.append(card)
        below = card.bit
    return found


def finish_trix(state: TrixState) -> None:
    """Play a deal of Trix to its end: nobody doubles any more, and all play by the rules of thumb."""
    while state.to_act is not None and state.step is not Step.PLAY:
        legal = state.legal_actions()
        if state.step is Step.LAYOUT and isinstance(legal, CardSet):
            state.apply(card_of(lay(legal.mask, state.hands[state.to_act].mask)))
        else:
            state.apply(Redeal.KEEP if state.step is Step.REDEAL else next(iter(legal)))
    if state.to_act is None or state.contract is None:
        return
    bad, partners = BAD[state.contract], state.variant.partners
    count = led = best = winner = 0
    trick = state.view(state.to_act).trick
    if trick is not None:
        count, winner = len(trick.cards), trick.winner
        led, best = trick.led_suit.mask, trick.winning_card.bit
    while (seat := state.to_act) is not None:
        legal = state.legal_actions()
        assert isinstance(legal, CardSet)
        if not count:
            bit = best = lead_low(legal.mask, bad)
            led, winner = SUIT_AROUND[bit.bit_length() - 1], seat
        elif legal.mask & led:
            bit = duck(legal.mask, best, bad, count == 3)
            if bit > best:
                best, winner = bit, seat
        else:
            bit = throw(legal.mask, 0 if partners and not (seat ^ winner) & 1 else bad)
        state.apply(CARDS[bit.bit_length() - 1])
        count = count + 1 & 3


def finish_vytrix(state: VytrixState) -> None:
    """Play a hand of Vytrix to its end: nobody bids any more, and all play by the rules of thumb."""
    view = None
    while state.to_act is not None and (view := state.view(state.to_act)).step is not VStep.PLAY:
        state.apply(settle(view))
    if view is None or view.contract is None:
        return
    low, players = view.contract.direction is Direction.LOW, view.variant.players
    trump = 0 if view.trump is None else view.trump.mask
    left, count = view.unseen.mask | view.hand.mask, len(view.trick)
    winner, best = view.trick_winner, 0
    for play in view.trick:
        if play.seat == winner:
            best = flip(play.card.bit) if low else play.card.bit
    left = flip(left) if low else left
    while (seat := state.to_act) is not None:
        actions = state.legal_actions()
        assert isinstance(actions, CardSet)
        legal = flip(actions.mask) if low else actions.mask
        if winner is None or not count:
            bit = best = lead_best(legal, trump, left)
            winner = seat
        else:
            bit = win_or_save(
                legal, best, trump, count == players - 1, players == 4 and not (seat ^ winner) & 1
            )
            if bit & better_than(best, trump):
                best, winner = bit, seat
        left &= ~bit
        state.apply(CARDS[(flip(bit) if low else bit).bit_length() - 1])
        count = (count + 1) % players


def settle(view: VytrixView) -> Action:
    """Everything before the first card, without much thought."""
    match view.step:
        case VStep.KITTY:
            return Kitty.TAKE
        case VStep.DISCARD if view.contract is not None:
            return Discard.of(worst_first(view.hand, view.contract)[:4])
        case VStep.NAME if view.contract is not None:
            form = earnings(view)[0]
            return Name(form.strain if view.contract.strain is None else form.direction)
    return PASS


class SearchBot(Bot):
    """Tries each choice in the same random worlds, and takes the one that brings most."""

    name = "search"
    version = "1"

    def trix(self, view: TrixView) -> TrixAction:
        """The choice with the greatest sum of points over all worlds."""
        if view.step is Step.REDEAL:
            return Redeal.CLAIM
        choices: Sequence[TrixAction] = list(view.legal_actions)
        if view.step is Step.PLAY and view.contract is not None:
            trick = CardSet() if view.trick is None else CardSet.of(view.trick.cards)
            others = FULL_MASK & ~view.hand.mask & ~view.played_cards.mask | trick.mask
            choices = different(view.legal.mask, others, BAD[view.contract])
        ours = {view.seat, view.seat if view.partner is None else view.partner}

        def value(state: TrixState, action: TrixAction) -> float:
            state.apply(action)
            finish_trix(state)
            if state.ended_void and state.voids > view.voids and state.contract is Contract.TRIX:
                return USUAL[Contract.TRIX] * len(ours)
            usual = USUAL[action] * len(ours) if isinstance(action, Contract) else 0.0
            return sum(state.scores[seat] - view.scores[seat] for seat in ours) - usual

        return best_choice(choices, self.trix_worlds(view), value)

    def trix_worlds(self, view: TrixView) -> Iterable[TrixState]:
        """Deals of the unseen cards, with voids and passes minded."""
        deals = unseen_deals(view)
        known = [view.known(seat).mask for seat in range(4)]
        for _ in range(WORLDS):
            hands = [
                CardSet(mask | sure) for mask, sure in zip(deals.sample(self.random), known, strict=True)
            ]
            yield TrixState.behind(view, hands)

    def vytrix(self, view: VytrixView) -> Action:
        """The choice with the greatest sum of leads over the others, over all worlds."""
        group = view.seat if view.variant.players == 3 else view.seat & 1

        def value(state: VytrixState, action: Action) -> float:
            state.apply(action)
            finish_vytrix(state)
            mine = state.scores[group]
            return mine - (sum(state.scores) - mine) / (len(state.scores) - 1)

        choices = self.vytrix_choices(view)
        if len(choices) == 1:
            return choices[0]
        return best_choice(choices, self.vytrix_worlds(view), value)

    def vytrix_worlds(self, view: VytrixView) -> Iterable[VytrixState]:
        """Worlds in which the last bidder's hand rather fits its bid: the best of three each time."""
        worlds, bid, bidder = Worlds(view), view.last_bid, view.last_bidder
        believed = bid is not None and bidder is not None and bidder != view.seat and bid.points <= CREDIBLE
        for _ in range(WORLDS):
            if not believed or bid is None or bidder is None:
                yield worlds.sample(self.random)
            else:
                three = [worlds.sample(self.random) for _ in range(3)]
                yield max(three, key=lambda world: forms(world.view(bidder).hand.mask, bid)[0].points)

    def vytrix_choices(self, view: VytrixView) -> Sequence[Action]:
        """What is worth a try."""
        match view.step:
            case VStep.BID:
                return self.calls(view)
            case VStep.DISCARD if view.contract is not None:
                worst = worst_first(view.hand, view.contract)[:6]
                return [Discard.of(four) for four in combinations(worst, 4)]
            case VStep.PLAY:
                others = view.unseen.mask | CardSet.of(play.card for play in view.trick).mask
                return different(view.legal.mask, others, 0)
        return list(view.legal_actions)

    def calls(self, view: VytrixView) -> Sequence[Action]:
        """Calls that are worth a thought: a pass, and the lowest bid of the best forms."""
        best, second, *_ = earnings(view)
        margin = view.lowest_bid - best.points
        if view.may_pass and (not view.lowest_bid or margin > 6):
            return [PASS]
        bids = [
            Bid(view.lowest_bid, form.strain, None if view.variant.partial_bidding else form.direction)
            for form in (best, second)
        ]
        if margin < -16 and view.last_bidder != view.partner:
            return bids[:1]
        return [PASS, *bids] if view.may_pass else bids


if __name__ == "__main__":
    run(SearchBot)
