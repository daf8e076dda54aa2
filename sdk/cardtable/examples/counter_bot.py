"""Plays both games by counting: which cards are out, who has run out of a suit, and what a choice is likely to cost.

All that it knows of the others' cards comes from the view (`played_cards`, `void_suits`, `voids`, `unseen`, ...).
The weights of a hand were fitted on the results of random deals.
"""

from cardtable import Bot, Card, CardSet, Rank, Suit, run
from cardtable.cards import FULL_MASK
from cardtable.examples.greedy_bot import (
    BAD,
    QUEENS,
    Form,
    better_than,
    card_of,
    flip,
    forms,
    lay,
    lead_best,
    to_double,
)
from cardtable.trix import Contract, Redeal, Step, TrixAction, TrixView
from cardtable.vytrix import (
    PASS,
    Action,
    Bid,
    Direction,
    Discard,
    Kitty,
    Name,
    Step as VStep,
    Strain,
    VytrixView,
)

#: What a contract of Trix brings on average; the king names the one that brings most beyond it.
USUAL = {
    Contract.KING: -18.75,
    Contract.QUEENS: -25.0,
    Contract.DIAMONDS: -32.5,
    Contract.SLAPS: -48.75,
    Contract.TRIX: 125.0,
}
#: What one card costs that is taken; in slaps it is the trick that costs.
COST = {Contract.KING: 75, Contract.QUEENS: 25, Contract.DIAMONDS: 10, Contract.SLAPS: 0, Contract.TRIX: 0}


def danger(suit: CardSet) -> float:
    """How many tricks the cards of a suit are likely to win that want to win none."""
    others = 13 - len(suit)
    return sum(((card.rank - place) / others) ** 2 for place, card in enumerate(suit)) if others else 0.0


def promise(contract: Contract, hand: CardSet) -> float:
    """About how many points a contract brings a king with this hand."""
    suits = [hand.of_suit(suit) for suit in Suit]
    hearts, diamonds = suits[Suit.HEARTS], suits[Suit.DIAMONDS]
    risk = sum(map(danger, suits))
    short = sum(max(0, 3 - len(suit)) for suit in suits)
    match contract:
        case Contract.KING:
            return 3 * len(hearts) - 5 * risk + 4 * short - 21 * (Card("KH") in hand) - 10
        case Contract.QUEENS:
            queens = hand.of_rank(Rank.QUEEN)
            return (
                3 * sum(len(suits[queen.suit]) for queen in queens)
                - 16 * len(queens)
                - 7 * risk
                + 3 * short
                + 5
            )
        case Contract.DIAMONDS:
            return 5 * short - 12 * risk - 2 * danger(diamonds) + 5 * len(diamonds) + 20 * (not diamonds) - 4
        case Contract.SLAPS:
            return 17 - 13 * risk + 7 * short
        case Contract.TRIX:
            return 180 - sum((34, 19, 6)[card.rank] for card in hand if card.rank <= Rank.FOUR)


def earnings(view: VytrixView) -> list[Form]:
    """What declarer is likely to earn with each form, the best first: with the tricks of the kitty or of a partner."""
    suit, no_trump = (9.0, 12.0) if view.variant.players == 3 else (11.0, 16.0)
    found = [
        form._replace(points=form.points + (no_trump if form.strain is Strain.NO_TRUMP else suit))
        for form in forms(view.hand.mask, view.contract)
    ]
    return sorted(found, key=lambda form: -form.points)


def worst_first(hand: CardSet, bid: Bid) -> list[Card]:
    """The cards of a hand that took the kitty, those to discard first: low ones of short suits, trumps last."""
    trump = None if bid.strain is None else bid.strain.suit

    def keep(card: Card) -> float:
        power = (
            12 if card.rank == Rank.ACE else 11 - card.rank if bid.direction is Direction.LOW else card.rank
        )
        return power + 1.5 * len(hand.of_suit(card.suit)) + 20 * (card.suit == trump)

    return sorted(hand, key=keep)


def fails(better: int, unseen: int, led: int, has: float, void: bool) -> float:
    """The chance that an opponent cannot beat a card.

    Args:
        better: The unseen cards that beat it.
        unseen: All unseen cards.
        led: The mask of the suit led.
        has: The chance with which the opponent has each of the unseen cards.
        void: Whether the opponent is known to have none of it.
    """
    lacks = 1 - has
    empty = 1.0 if void else lacks ** (unseen & led).bit_count()
    follows = max(0.0, lacks ** (better & led).bit_count() - empty)
    return float(follows + empty * lacks ** (better & ~led).bit_count())


class CounterBot(Bot):
    """Counts cards and voids, and weighs what each choice is likely to cost."""

    name = "counter"
    version = "1"

    # -- Trix

    def trix(self, view: TrixView) -> TrixAction:
        """The contract that brings most beyond its usual, and the card that is likely to cost least."""
        match view.step:
            case Step.CONTRACT:
                return max(view.legal_contracts, key=lambda one: promise(one, view.hand) - USUAL[one])
            case Step.REDEAL:
                return Redeal.CLAIM
            case Step.DOUBLE:
                return to_double(view.legal, view.hand)
            case Step.LAYOUT if view.legal:
                return card_of(lay(view.legal.mask, view.hand.mask))
            case Step.PLAY:
                return min(view.legal, key=lambda card: self.cost(view, card))
        return next(iter(view.legal_actions))

    def cost(self, view: TrixView, card: Card) -> float:
        """What it is likely to cost to play this card now, less what it would cost to keep it."""
        contract, trick = view.contract, view.trick
        assert contract is not None
        others = FULL_MASK & ~view.hand.mask & ~view.played_cards.mask
        keep = self.risk(view, card, others)
        led = card.suit if trick is None else trick.led_suit
        bad = BAD[contract]
        mine = COST[contract] * bool(card.bit & bad)
        if trick is not None and (card.suit != led or card < trick.winning_card):
            return mine * (0.9 if trick.winner == view.partner else 0) - keep - 0.9 * mine
        table = CardSet() if trick is None else CardSet.of(trick.cards)
        stake = mine + COST[contract] * len(CardSet(table.mask & bad)) + 15.0 * (contract is Contract.SLAPS)
        wins = 1.0
        for step in range(1, 4 - len(table)):
            seat = (view.seat + step) % 4
            void = led in view.void_suits(seat)
            beaten = 0.0 if void else self.beaten(others, card)
            wins *= 1 - beaten
            stake += self.thrown(others & bad, others & led.mask, void) * COST[contract]
        return wins * stake - keep - 0.9 * mine * (1 - wins)

    def beaten(self, others: int, card: Card) -> float:
        """The chance that one opponent has nothing but higher cards of the suit."""
        below = (others & card.suit.mask & card.bit - 1).bit_count()
        above = (others & card.suit.mask).bit_count() - below
        return float((2 / 3) ** below * (1 - (2 / 3) ** above))

    def thrown(self, bad: int, led: int, void: bool) -> float:
        """How many bad cards one opponent is likely to play to a trick of this suit."""
        empty = 1.0 if void else (2 / 3) ** led.bit_count()
        inside = 0.0 if void else 0.3 * min(1, (bad & led).bit_count())
        return empty * min(1.0, (bad & ~led).bit_count() / 3) + inside

    def risk(self, view: TrixView, card: Card, others: int) -> float:
        """What a card in hand is likely to cost later."""
        contract = view.contract
        suit = others & card.suit.mask
        below = (suit & card.bit - 1).bit_count()
        share = below / suit.bit_count() if suit else 0.0
        worth = 8.0
        if contract is Contract.KING:
            worth = 60.0 if card.suit == Suit.HEARTS and card.rank >= Rank.KING else 4.0
        elif contract is Contract.QUEENS:
            open_queen = card.suit.mask & QUEENS & (others | view.hand.mask)
            worth = 14.0 if open_queen and card.rank >= Rank.QUEEN else 5.0
        elif contract is Contract.DIAMONDS and card.suit == Suit.DIAMONDS:
            worth = 16.0
        return worth * share * share + 2.0 / len(view.hand.of_suit(card.suit))

    # -- Vytrix

    def vytrix(self, view: VytrixView) -> Action:
        """A bid up to what the hand is likely to earn, and the card that rather wins now than later."""
        match view.step:
            case VStep.BID:
                return self.bid(view)
            case VStep.KITTY:
                assert view.contract is not None
                return Kitty.LEAVE if view.contract.strain is Strain.NO_TRUMP else Kitty.TAKE
            case VStep.DISCARD:
                assert view.contract is not None
                return Discard.of(worst_first(view.hand, view.contract)[:4])
            case VStep.NAME:
                assert view.contract is not None
                form = earnings(view)[0]
                return Name(form.strain if view.contract.strain is None else form.direction)
        return card_of(self.play_high(view))

    def bid(self, view: VytrixView) -> Action:
        """The lowest bid of the best form, while it brings more than to defend would."""
        form = earnings(view)[0]
        defence = 4.5 if view.partner is None else 6.0
        dear = not view.lowest_bid or view.lowest_bid > form.points - defence
        if view.may_pass and (dear or view.last_bidder == view.partner):
            return PASS
        return Bid(view.lowest_bid, form.strain, None if view.variant.partial_bidding else form.direction)

    def play_high(self, view: VytrixView) -> int:
        """Lead what nobody can beat; follow with the card that rather wins this trick than a later one."""
        assert view.contract is not None
        low = view.contract.direction is Direction.LOW
        legal, unseen = view.legal.mask, view.unseen.mask
        if low:
            legal, unseen = flip(legal), flip(unseen)
        trump = 0 if view.trump is None else view.trump.mask
        trick, winner, led = view.trick, view.trick_winner, view.led_suit
        if led is None:
            bit = lead_best(legal, trump, legal | unseen)
            return flip(bit) if low else bit
        best = next(play.card.bit for play in trick if play.seat == winner)
        beating = better_than(flip(best) if low else best, trump)
        later = [
            (view.seat + step) % view.variant.players for step in range(1, view.variant.players - len(trick))
        ]

        def worth(card: Card) -> float:
            higher = (unseen & card.suit.mask & -(card.bit << 1)).bit_count()
            keep = 0.7 * 0.6**higher + 0.8 * (card.suit == view.trump)
            if not card.bit & beating or winner == view.partner:
                return -keep
            wins = 1.0
            for seat in later:
                if seat != view.partner:
                    has = view.hand_sizes[seat] / unseen.bit_count()
                    better = unseen & better_than(card.bit, trump)
                    wins *= fails(better, unseen, led.mask, has, led in view.voids(seat))
            return wins - keep

        bit = max(CardSet(legal), key=worth).bit
        return flip(bit) if low else bit


if __name__ == "__main__":
    run(CounterBot)
