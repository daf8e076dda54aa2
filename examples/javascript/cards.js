/**
 * Cards as the wire numbers them: 1 + suit * 13 + rank, suits in the order S H D C, ranks from the two to the ace.
 * Owns their text and small questions about lists of them; knows no rule of any game.
 */

export const SUITS = [0, 1, 2, 3];
export const [SPADES, HEARTS, DIAMONDS, CLUBS] = SUITS;
export const [TWO, JACK, QUEEN, KING, ACE] = [0, 9, 10, 11, 12];

/** All 52 cards. */
export const ALL_CARDS = Array.from({ length: 52 }, (_, index) => index + 1);

const RANK_LETTERS = "23456789TJQKA";
const SUIT_LETTERS = "SHDC";

export const suitOf = (card) => Math.floor((card - 1) / 13);
export const rankOf = (card) => (card - 1) % 13;
export const cardOf = (suit, rank) => 1 + suit * 13 + rank;

/** The card of a text such as "KH". */
export function parseCard(text) {
  const [rank, suit] = [RANK_LETTERS.indexOf(text[0]), SUIT_LETTERS.indexOf(text[1])];
  if (text.length !== 2 || rank < 0 || suit < 0) throw new RangeError(`${text} is no card`);
  return cardOf(suit, rank);
}

/** The cards of a text such as "KH 2C". */
export const parseCards = (text) => text.split(" ").filter(Boolean).map(parseCard);

export const cardText = (card) => RANK_LETTERS[rankOf(card)] + SUIT_LETTERS[suitOf(card)];

export const ofSuit = (cards, suit) => cards.filter((card) => suitOf(card) === suit);

/** The cards that the seat of this view has not seen: in other hands, or in a kitty. */
export function unseenCards(...seen) {
  const known = new Set(seen.flat());
  return ALL_CARDS.filter((card) => !known.has(card));
}

/** The trick that is not complete: its cards, and the seats that played them. */
export function openTrick(view, players) {
  const start = view.played.length - (view.played.length % players);
  return { cards: view.played.slice(start), seats: view.playedBy.slice(start) };
}

/**
 * The candidate with the greatest value; equal ones are told apart by `random`.
 * @param {Array} candidates At least one.
 * @param {(candidate) => number} value
 * @param {() => number} random Numbers of [0, 1).
 */
export function best(candidates, value, random) {
  const valued = candidates.map((candidate) => ({ candidate, value: value(candidate) }));
  const most = Math.max(...valued.map((each) => each.value));
  const equal = valued.filter((each) => each.value === most);
  return equal[Math.floor(random() * equal.length)].candidate;
}

/**
 * Random numbers that follow from a table's seed and the number of the decision alone (mulberry32), so that a bot
 * that is restarted and asked again answers as it would have.
 */
export function randomNumbers(botSeed, turn) {
  const seed = BigInt(botSeed) ^ (BigInt(turn) * 0x9e3779b97f4a7c15n);
  let state = Number((seed ^ (seed >> 32n)) & 0xffffffffn);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
