/**
 * Trix by rules of thumb: what to do with a TrixView (proto/cardtable/v1/trix.proto). Rule numbers are those of
 * RULES.md. Pure: the same view, seat, variant and random numbers give the same action.
 */

import {
  ACE, DIAMONDS, HEARTS, JACK, KING, QUEEN, SUITS, TWO,
  best, cardOf, ofSuit, openTrick, rankOf, suitOf, unseenCards,
} from "./cards.js";

export const Contract = { KING: 1, QUEENS: 2, DIAMONDS: 3, SLAPS: 4, TRIX: 5 };
export const Step = { CONTRACT: 1, REDEAL: 2, DOUBLE: 3, PLAY: 4, LAYOUT: 5 };

const PLAYERS = 4;
const KING_OF_HEARTS = cardOf(HEARTS, KING);

/** The action for this view, as the field `trix` of an answer. */
export function chooseTrix(view, seat, variant, random) {
  switch (view.step) {
    case Step.CONTRACT:
      return { contract: best(view.legalContracts, (contract) => promise(contract, view.hand), random) };
    case Step.REDEAL:
      return { redeal: true };
    case Step.DOUBLE:
      return { double: { cards: view.legal.filter((card) => isSafeToDouble(card, view.hand)) } };
    case Step.PLAY:
      return { card: best(view.legal, trickPlay(view, seat, variant), random) };
    case Step.LAYOUT:
      return view.legal.length
        ? { card: best(view.legal, (card) => layoutValue(card, view), random) }
        : { pass: true };
    default:
      throw new RangeError(`step ${view.step} is unknown: the protocol is newer than this bot`);
  }
}

/** By how many points a hand is better at a contract than a hand at random would be; a rough guess. */
function promise(contract, hand) {
  const tricks = 0.72 * hand.reduce((sum, card) => sum + (rankOf(card) / ACE) ** 2, 0);
  const tooMany = tricks - 13 / 4;
  const shortest = Math.min(...SUITS.map((suit) => ofSuit(hand, suit).length));
  const escape = 2 - shortest;
  switch (contract) {
    case Contract.SLAPS:
      return -15 * tooMany + 2 * escape;
    case Contract.QUEENS:
      return -7 * tooMany + 4 * escape + SUITS.reduce((sum, suit) => sum + queenPromise(ofSuit(hand, suit)), 0);
    case Contract.DIAMONDS: {
      const diamonds = ofSuit(hand, DIAMONDS);
      const high = diamonds.reduce((sum, card) => sum + rankOf(card) / ACE - 0.4, 0);
      return -6 * tooMany - 9 * high + (diamonds.length ? 0 : 10);
    }
    case Contract.KING: {
      const hearts = ofSuit(hand, HEARTS);
      if (hearts.includes(KING_OF_HEARTS)) return isSafeToDouble(KING_OF_HEARTS, hand) ? 40 : -15 + 4 * escape;
      return -4 * tooMany + 3 * escape - (hearts.some((card) => rankOf(card) === ACE) ? 8 : 0);
    }
    default: {
      const steps = hand.reduce((sum, card) => sum + Math.abs(rankOf(card) - JACK), 0);
      const twos = hand.filter((card) => rankOf(card) === TWO).length;
      return 4 * (13 * 3.7 - steps) - 12 * (twos - 1);
    }
  }
}

function queenPromise(cards) {
  if (!cards.some((card) => rankOf(card) === QUEEN)) {
    return cards.length <= 3 ? -4 * cards.filter((card) => rankOf(card) > QUEEN).length : 0;
  }
  return cards.filter((card) => rankOf(card) < QUEEN).length >= 4 ? 8 : -8;
}

/** Whether the hand can wait to discard the card: enough lower cards of its suit, or some and a short suit. */
function isSafeToDouble(card, hand) {
  const lower = ofSuit(hand, suitOf(card)).filter((other) => other < card).length;
  const shortest = Math.min(...SUITS.filter((suit) => suit !== suitOf(card)).map((suit) => ofSuit(hand, suit).length));
  return lower >= 4 || (lower >= 2 && shortest <= 1);
}

/** The value of each card in the open trick, in points as far as one can tell. */
function trickPlay(view, seat, variant) {
  const trick = openTrick(view, PLAYERS);
  const unseen = unseenCards(view.hand, view.played);
  const doubledBy = new Map(view.doubled.map((card, place) => [card, view.doubledBy[place]]));
  const penalty = (card) => penaltyOf(card, view.contract, doubledBy, seat);
  const relief = (card) => reliefOf(card, view.contract, doubledBy, seat);
  const later = PLAYERS - 1 - trick.cards.length;
  const open = unseen.reduce((sum, card) => sum + penalty(card), 0) / Math.max(1, unseen.length);
  const onTable = trick.cards.reduce((sum, card) => sum + penalty(card), view.contract === Contract.SLAPS ? 15 : 0);
  const holder = winner(trick);
  const isPartners = variant.partners && holder !== null && trick.seats[holder.place] % 2 === seat % 2;

  return (card) => {
    const wins = chanceToWin(card, trick, holder, unseen, later);
    const taken = onTable + penalty(card) + 1.5 * later * open;
    const givenAway = isPartners ? -penalty(card) : relief(card);
    // Of cards that cost the same now the high one of a short suit goes first: it will cost most later.
    const ridOf = 0.3 * rankOf(card) - 0.2 * ofSuit(view.hand, suitOf(card)).length;
    return (1 - wins) * givenAway - wins * taken + ridOf;
  };
}

/** What it costs this seat to take a card (T7, T8). */
function penaltyOf(card, contract, doubledBy, seat) {
  const isDoubled = doubledBy.has(card) && doubledBy.get(card) !== seat;
  if (contract === Contract.KING) return card === KING_OF_HEARTS ? (isDoubled ? 150 : 75) : 0;
  if (contract === Contract.QUEENS) return rankOf(card) === QUEEN ? (isDoubled ? 50 : 25) : 0;
  return contract === Contract.DIAMONDS && suitOf(card) === DIAMONDS ? 10 : 0;
}

/** What it is worth to give a card to another seat: the fear of taking it oneself, and what doubling brings. */
function reliefOf(card, contract, doubledBy, seat) {
  const own = penaltyOf(card, contract, doubledBy, seat);
  return doubledBy.get(card) === seat ? 2 * own : own;
}

/** The card that holds the trick so far, and its place in it; null when this seat leads. */
function winner(trick) {
  if (!trick.cards.length) return null;
  const led = ofSuit(trick.cards, suitOf(trick.cards[0]));
  const card = Math.max(...led);
  return { card, place: trick.cards.indexOf(card) };
}

function chanceToWin(card, trick, holder, unseen, later) {
  if (holder && (suitOf(card) !== suitOf(holder.card) || card < holder.card)) return 0;
  const others = ofSuit(unseen, suitOf(card));
  const higher = others.filter((other) => other > card).length;
  if (!higher || !later) return 1;
  // A seat goes over only when all its cards of the suit are higher: everyone ducks when it can.
  const each = others.length / (PLAYERS - 1);
  const goesOver = Math.min(each, 1) * (higher / others.length) ** Math.max(each, 1);
  return (1 - goesOver) ** later;
}

/** How much a card of the layout helps its own hand more than the others (T9). */
function layoutValue(card, view) {
  const ways = rankOf(card) === JACK ? [1, -1] : [Math.sign(rankOf(card) - JACK)];
  return ways.reduce((sum, way) => sum + wayValue(card, way, view.hand), 0);
}

function wayValue(card, way, hand) {
  let value = 0;
  let isOpen = true;
  for (let rank = rankOf(card) + way; rank >= TWO && rank <= ACE; rank += way) {
    const isOwn = hand.includes(cardOf(suitOf(card), rank));
    if (isOwn) value += isOpen ? 3 : 2;
    else if (isOpen) value -= 1;
    isOpen = isOpen && isOwn;
  }
  return value;
}
