/**
 * Vytrix by rules of thumb: what to do with a VytrixView (proto/cardtable/v1/vytrix.proto). Rule numbers are those
 * of RULES.md. Pure: the same view, seat, variant and random numbers give the same action.
 */

import { ACE, SUITS, best, ofSuit, openTrick, rankOf, suitOf, unseenCards } from "./cards.js";

export const Strain = { SPADES: 1, HEARTS: 2, DIAMONDS: 3, CLUBS: 4, NO_TRUMP: 5 };
export const Direction = { UNSPECIFIED: 0, HIGH: 1, LOW: 2 };
export const Step = { BID: 1, KITTY: 2, DISCARD: 3, NAME: 4, PLAY: 5 };

const STRAINS = Object.values(Strain);
const DIRECTIONS = [Direction.HIGH, Direction.LOW];

/** The action for this view, as the field `vytrix` of an answer. */
export function chooseVytrix(view, seat, variant, random) {
  switch (view.step) {
    case Step.BID:
      return bid(view, seat, variant, random);
    case Step.KITTY:
      return { takeKitty: losers(view.hand, view.contract).length >= 4 };
    case Step.DISCARD:
      return { discard: { cards: losersFirst(view.hand, view.contract).slice(0, 4) } };
    case Step.NAME:
      return name(view, random);
    case Step.PLAY:
      return { card: best(view.legal, trickPlay(view, seat, variant), random) };
    default:
      throw new RangeError(`step ${view.step} is unknown: the protocol is newer than this bot`);
  }
}

/** 12 for the best card of a suit down to 0; the ace is always best (V4). */
export function strength(card, direction) {
  const rank = rankOf(card);
  return direction === Direction.LOW && rank !== ACE ? 11 - rank : rank;
}

/** Tricks that a hand may hope to win alone. */
export function expectedTricks(hand, strain, direction) {
  const chances = [0.95, 0.7, 0.45, 0.25];
  return SUITS.reduce((sum, suit) => {
    const cards = ofSuit(hand, suit);
    const tops = cards.reduce((tricks, card) => tricks + (chances[ACE - strength(card, direction)] ?? 0), 0);
    const isTrump = strain === suit + 1;
    const long = Math.max(0, cards.length - (isTrump ? 3 : 4));
    return sum + tops + long * (isTrump ? 0.9 : strain === Strain.NO_TRUMP ? 0.5 : 0.2);
  }, 0);
}

function bid(view, seat, variant, random) {
  const strain = (way) => ({ ...way, value: worth(view.hand, way, variant) });
  const ways = STRAINS.flatMap((each) => DIRECTIONS.map((direction) => strain({ strain: each, direction })));
  const way = best(ways, (each) => each.value, random);
  const isBidLegal = view.lowestBid > 0;
  if (view.mayPass && (!isBidLegal || view.lowestBid > way.value || isPartnersBid(view, seat, variant))) {
    return { pass: true };
  }
  if (!variant.partialBidding) return { bid: { points: view.lowestBid, strain: way.strain, direction: way.direction } };
  // V12: the part that matters more to this hand; its partner names the other.
  const length = way.strain === Strain.NO_TRUMP ? 0 : ofSuit(view.hand, way.strain - 1).length;
  const part = length >= 5 ? { strain: way.strain } : { direction: way.direction };
  return { bid: { points: view.lowestBid, ...part } };
}

/** The most that a contract is worth: what it brings as declarer less what a defender would have had (V7). */
function worth(hand, { strain, direction }, variant) {
  const own = expectedTricks(hand, strain, direction);
  const isPartnership = variant.players === 4;
  const tricks = isPartnership ? own + (13 - own) / 4 : own;
  const kitty = isPartnership ? 0 : 1;
  const asDefender = isPartnership ? 5 : 4;
  // Without trumps nobody stops a suit that the hand is short of.
  const risk = strain === Strain.NO_TRUMP ? 7 : 3;
  return (strain === Strain.NO_TRUMP ? 4 : 3) * (tricks + kitty) - asDefender - risk;
}

/** Whether the last bid is the partner's. */
function isPartnersBid(view, seat, variant) {
  if (variant.players !== 4) return false;
  const place = view.calls.findLastIndex((call) => call.points > 0);
  return place >= 0 && (view.dealer + 1 + place) % 4 === (seat + 2) % 4;
}

function name(view, random) {
  const { strain, direction } = view.contract;
  if (direction === Direction.UNSPECIFIED) {
    return { nameDirection: best(DIRECTIONS, (each) => expectedTricks(view.hand, strain, each), random) };
  }
  const value = (each) => (each === Strain.NO_TRUMP ? 1.1 : 1) * expectedTricks(view.hand, each, direction);
  return { nameStrain: best(STRAINS, value, random) };
}

const isTrump = (card, contract) => suitOf(card) + 1 === contract.strain;

/** Cards of side suits that win nothing by themselves. */
function losers(hand, contract) {
  return hand.filter((card) => !isTrump(card, contract) && strength(card, contract.direction) < 9);
}

/** All cards, those that are missed least first: weak ones, of short suits before long ones. */
function losersFirst(hand, contract) {
  const value = (card) =>
    (isTrump(card, contract) ? 100 : 0) +
    strength(card, contract.direction) +
    2 * ofSuit(hand, suitOf(card)).length;
  return [...hand].sort((a, b) => value(a) - value(b) || a - b);
}

/** The value of each card in the open trick: win it cheaply where that can be done, else give the weakest. */
function trickPlay(view, seat, variant) {
  const { contract } = view;
  const trick = openTrick(view, variant.players);
  const unseen = unseenCards(view.hand, view.played, view.discarded);
  const power = (card, led) =>
    (isTrump(card, contract) ? 100 : suitOf(card) === led ? 50 : 0) + strength(card, contract.direction);
  const cost = (card) => (isTrump(card, contract) ? 14 : 0) + strength(card, contract.direction);
  const isLast = trick.cards.length === variant.players - 1;

  if (!trick.cards.length) {
    return (card) => {
      const suit = suitOf(card);
      const beaters = ofSuit(unseen, suit).filter((other) => power(other, suit) > power(card, suit)).length;
      const length = ofSuit(view.hand, suit).length;
      const drawsTrumps = isTrump(card, contract) && view.declarer === seat ? 6 : 0;
      return (beaters ? -cost(card) : 20) + length + drawsTrumps;
    };
  }
  const led = suitOf(trick.cards[0]);
  const held = best(trick.cards, (card) => power(card, led), () => 0);
  const holder = trick.seats[trick.cards.indexOf(held)];
  const isPartners = variant.players === 4 && holder % 2 === seat % 2;
  return (card) => {
    if (isPartners || power(card, led) < power(held, led)) return -cost(card);
    const beaters = unseen.filter((other) => suitOf(other) === led && power(other, led) > power(card, led)).length;
    return isLast || !beaters || isTrump(card, contract) ? 100 - cost(card) : -cost(card);
  };
}
