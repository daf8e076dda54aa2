"""Plays both games by rules of thumb: it looks at its own hand and at the open trick, and remembers nothing.

The card-choosing functions work on bit masks (bit = suit * 13 + rank, as in `cardtable.cards`), so that
`search_bot` can use them for the thousands of games that it plays in its head.
"""

from typing import NamedTuple

from cardtable import Bot, Card, CardSet, Rank, Suit, run
from cardtable.cards import CARDS, FULL_MASK, SUIT_MASKS
from cardtable.trix import Contract, Double, Redeal, Step, TrixAction, TrixView
from cardtable.vytrix import PASS, Action, Bid, Direction, Kitty, Name, Step as VStep, Strain, VytrixView

QUEENS = CardSet.parse("QS QH QD QC").mask
#: The cards that nobody wants in each contract of Trix.
BAD = {
    Contract.KING: Card("KH").bit,
    Contract.QUEENS: QUEENS,
    Contract.DIAMONDS: Suit.DIAMONDS.mask,
    Contract.SLAPS: 0,
    Contract.TRIX: 0,
}
#: The suit's 13 bits around each card.
SUIT_AROUND = tuple(SUIT_MASKS[card.suit] for card in CARDS)


def card_of(bit: int) -> Card:
    """The card of a bit."""
    return CARDS[bit.bit_length() - 1]


def highest(mask: int) -> int:
    """The bit of the card with the highest rank."""
    best, best_rank = 0, 0
    for shift in (0, 13, 26, 39):
        rank = (mask >> shift & 0x1FFF).bit_length()
        if rank > best_rank:
            best, best_rank = 1 << shift + rank - 1, rank
    return best


def lowest(mask: int) -> int:
    """The bit of the card with the lowest rank."""
    best, best_rank = 0, 0x2000
    for shift in (0, 13, 26, 39):
        suit = mask >> shift & 0x1FFF
        rank = suit & -suit
        if rank and rank < best_rank:
            best, best_rank = rank << shift, rank
    return best


# -- Trix, tricks: nobody wants to win


def duck(legal: int, best: int, bad: int, last: bool) -> int:
    """Follow suit below the card that wins so far, as high as that goes, a bad card first.

    If all are above it: the lowest, or when nobody plays after us the highest.
    """
    below = legal & best - 1
    if below:
        return highest(below & bad or below)
    above = legal & ~bad or legal
    return highest(above) if last else above & -above


def throw(legal: int, bad: int) -> int:
    """Without the suit led: away with a bad card, or with the highest."""
    return highest(legal & bad or legal)


def lead_low(legal: int, bad: int) -> int:
    """Lead the lowest card, a bad one only when there is no other."""
    return lowest(legal & ~bad or legal)


def contract_cost(contract: Contract, hand: CardSet) -> float:
    """About how many points a contract costs its king, with this hand."""
    lengths = [len(hand.of_suit(suit)) for suit in Suit]
    high = sum(max(0, card.rank - Rank.EIGHT) for card in hand)
    hearts = hand.of_suit(Suit.HEARTS)
    match contract:
        case Contract.KING:
            return 20 * len(hearts & CardSet.parse("AH KH")) * (len(hearts) < 4) + 4
        case Contract.QUEENS:
            return 8.0 * sum(card.rank >= Rank.QUEEN for card in hand)
        case Contract.DIAMONDS:
            return 6.0 * sum(card.rank >= Rank.NINE for card in hand.of_suit(Suit.DIAMONDS)) + 10
        case Contract.SLAPS:
            return 3.0 * high - 10 * (min(lengths) < 2)
        case Contract.TRIX:
            return 20.0 * sum(card.rank in {Rank.TWO, Rank.ACE} for card in hand) - 20


def to_double(cards: CardSet, hand: CardSet) -> Double:
    """Double a card that has enough company of its suit to be kept until it can be thrown."""
    return Double(CardSet.of(card for card in cards if len(hand.of_suit(card.suit)) >= 5))


# -- Trix, layout


def lay(legal: int, hand: int) -> int:
    """The card with most of our own cards behind it; a card that opens the way for others counts against it."""
    best, best_worth = 0, -99
    while legal:
        bit = legal & -legal
        legal ^= bit
        suit = SUIT_AROUND[bit.bit_length() - 1]
        jack = (suit & -suit) << Rank.JACK
        behind = suit & (bit - 1 if bit < jack else -(bit << 1) if bit > jack else ~bit)
        worth = 2 * (hand & behind).bit_count() - (bool(behind) and not hand & (bit << 1 | bit >> 1) & behind)
        if worth > best_worth:
            best, best_worth = bit, worth
    return best


# -- Vytrix: everybody wants to win. In low, a flipped mask puts each suit's best card highest, as in high.

_FLIP = tuple(
    suit & 1 << 12 | sum(1 << 11 - rank for rank in range(12) if suit >> rank & 1) for suit in range(1 << 13)
)


def flip(mask: int) -> int:
    """Turn the ranks around, but for the ace; twice gives the same mask again."""
    return (
        _FLIP[mask & 0x1FFF]
        | _FLIP[mask >> 13 & 0x1FFF] << 13
        | _FLIP[mask >> 26 & 0x1FFF] << 26
        | _FLIP[mask >> 39] << 39
    )


def better_than(best: int, trump: int) -> int:
    """The cards that beat this one in a trick, where it lies."""
    suit = SUIT_AROUND[best.bit_length() - 1]
    above = suit & -(best << 1)
    return above if suit == trump else above | trump


def win_or_save(legal: int, best: int, trump: int, last: bool, ours: bool) -> int:
    """Beat the card that wins so far unless the trick is `ours`, as cheaply as possible when we are the last to play.

    Else the lowest card, trumps after all others.
    """
    winners = 0 if ours else legal & better_than(best, trump)
    if winners:
        plain = winners & ~trump
        if plain:
            return plain & -plain if last else highest(plain)
        return winners & -winners
    return lowest(legal & ~trump or legal)


def lead_best(legal: int, trump: int, left: int) -> int:
    """Lead a card that beats all cards of its suit that are `left`, else the lowest of the longest suit."""
    longest, most = 0, 0
    for suit in SUIT_MASKS:
        mine = legal & suit
        if mine:
            if mine >= left & suit & ~mine:
                return 1 << mine.bit_length() - 1
            size = mine.bit_count() - 3 * (suit == trump)
            if not longest or size > most:
                longest, most = mine, size
    return longest & -longest


def hand_tricks(hand: int, trump: int) -> float:
    """About how many tricks a (flipped) hand wins as declarer: honours, and trumps beyond the third."""
    tricks = 0.0
    for suit in SUIT_MASKS:
        mine = hand & suit
        top = mine >> suit.bit_length() - 3  # ace, king, queen
        tricks += 0.9 * (top >> 2 & 1) + 0.6 * (top >> 1 & 1) + 0.3 * (top & 1)
        tricks += max(0, mine.bit_count() - 3) * (0.9 if suit == trump else 0.3)
    return tricks


class Form(NamedTuple):
    """What could be played, and about how many points it would earn declarer's hand."""

    points: float
    strain: Strain
    direction: Direction


def forms(hand: int, bid: Bid | None) -> list[Form]:
    """All that could be played, the best for this hand first; the part that the bid names stays."""
    found = []
    for direction in Direction if bid is None or bid.direction is None else [bid.direction]:
        mask = hand if direction is Direction.HIGH else flip(hand)
        for strain in Strain if bid is None or bid.strain is None else [bid.strain]:
            trump = 0 if strain.suit is None else strain.suit.mask
            found.append(Form(hand_tricks(mask, trump) * (3 if trump else 4), strain, direction))
    return sorted(found, key=lambda form: -form.points)


class GreedyBot(Bot):
    """Rules of thumb for both games."""

    name = "greedy"
    version = "1"

    def trix(self, view: TrixView) -> TrixAction:
        """The contract that this hand suffers least from, and a card that wins nothing."""
        match view.step:
            case Step.CONTRACT:
                return min(view.legal_contracts, key=lambda one: contract_cost(one, view.hand))
            case Step.REDEAL:
                return Redeal.CLAIM
            case Step.DOUBLE:
                return to_double(view.legal, view.hand)
            case Step.LAYOUT if view.legal:
                return card_of(lay(view.legal.mask, view.hand.mask))
            case Step.PLAY:
                return card_of(self.play_low(view))
        return next(iter(view.legal_actions))

    def play_low(self, view: TrixView) -> int:
        """Lead low, duck, or throw a bad card away."""
        assert view.contract is not None
        legal, bad, trick = view.legal.mask, BAD[view.contract], view.trick
        if trick is None:
            return lead_low(legal, bad)
        if not legal & trick.led_suit.mask:
            return throw(legal, 0 if trick.winner == view.partner else bad)
        return duck(legal, trick.winning_card.bit, bad, len(trick.cards) == 3)

    def vytrix(self, view: VytrixView) -> Action:
        """A bid that counts sure tricks, and a card that wins as cheaply as it can."""
        match view.step:
            case VStep.BID:
                return self.bid(view)
            case VStep.KITTY:
                return Kitty.LEAVE
            case VStep.NAME:
                assert view.contract is not None
                form = forms(view.hand.mask, view.contract)[0]
                return Name(form.strain if view.contract.strain is None else form.direction)
        return card_of(self.play_high(view)) if view.step is VStep.PLAY else next(iter(view.legal_actions))

    def bid(self, view: VytrixView) -> Action:
        """The lowest bid of the best form, while it is not too dear."""
        points, strain, direction = forms(view.hand.mask, None)[0]
        points += 8 if view.partner is not None else 3  # partner's tricks, or the kitty
        dear = not view.lowest_bid or view.lowest_bid > points - 5
        if view.may_pass and (dear or view.last_bidder == view.partner):
            return PASS
        return Bid(view.lowest_bid, strain, None if view.variant.partial_bidding else direction)

    def play_high(self, view: VytrixView) -> int:
        """Lead the best card, win cheaply, or save what is good."""
        assert view.contract is not None
        low = view.contract.direction is Direction.LOW
        legal = flip(view.legal.mask) if low else view.legal.mask
        trump = 0 if view.trump is None else view.trump.mask
        trick, winner = view.trick, view.trick_winner
        if winner is None:
            bit = lead_best(legal, trump, FULL_MASK)
        else:
            best = next(play.card.bit for play in trick if play.seat == winner)
            last = len(trick) == view.variant.players - 1
            bit = win_or_save(legal, flip(best) if low else best, trump, last, winner == view.partner)
        return flip(bit) if low else bit


if __name__ == "__main__":
    run(GreedyBot)
