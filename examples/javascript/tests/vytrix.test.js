import assert from "node:assert/strict";
import { test } from "node:test";
import { cardText, parseCard, parseCards } from "../cards.js";
import { Direction, Step, Strain, chooseVytrix, strength } from "../vytrix.js";

const random = () => 0;
const THREE = { players: 3, partialBidding: false };
const FOUR = { players: 4, partialBidding: false };
const STRONG_SPADES = "AS KS JS TS 9S 8S 7S AH 9H TD 8D 9C 7C";

function view(fields) {
  const played = parseCards(fields.played ?? "");
  return {
    dealer: 3, calls: [], contract: null, lowestBid: 0, highestBid: 0, mayPass: true, discarded: [],
    ...fields,
    hand: parseCards(fields.hand ?? ""),
    legal: parseCards(fields.legal ?? fields.hand ?? ""),
    played,
    playedBy: played.map((_, place) => 1 + place),
  };
}

const choose = (fields, variant = THREE, seat = 0) => chooseVytrix(view(fields), seat, variant, random);

test("the ace is always best (V4)", () => {
  const order = (direction) =>
    parseCards("AS KS 7S 2S").sort((a, b) => strength(b, direction) - strength(a, direction)).map(cardText).join(" ");
  assert.equal(order(Direction.HIGH), "AS KS 7S 2S");
  assert.equal(order(Direction.LOW), "AS 2S 7S KS");
});

test("it opens as low as it may, in its best suit", () => {
  const action = choose({ step: Step.BID, hand: STRONG_SPADES, lowestBid: 1, mayPass: false }, FOUR);
  assert.deepEqual(action, { bid: { points: 1, strain: Strain.SPADES, direction: Direction.HIGH } });
});

test("it passes what is too dear, and its partner's bid", () => {
  assert.deepEqual(choose({ step: Step.BID, hand: STRONG_SPADES, lowestBid: 60 }, FOUR), { pass: true });
  const calls = [{ points: 2 }, { points: 0 }];
  const partners = { step: Step.BID, hand: STRONG_SPADES, lowestBid: 3, dealer: 1, calls };
  assert.deepEqual(choose(partners, FOUR, 0), { pass: true });
});

test("a partial bid has a strain or a direction, and the partner names the other (V12)", () => {
  const variant = { players: 4, partialBidding: true };
  const { bid } = choose({ step: Step.BID, hand: STRONG_SPADES, lowestBid: 1, mayPass: false }, variant);
  assert.deepEqual(bid, { points: 1, strain: Strain.SPADES });
  const contract = (fields) => ({ points: 9, strain: 0, direction: 0, ...fields });
  assert.deepEqual(
    choose({ step: Step.NAME, hand: "2S 3S 4S", contract: contract({ strain: Strain.SPADES }) }, variant),
    { nameDirection: Direction.LOW },
  );
  assert.deepEqual(
    choose({ step: Step.NAME, hand: STRONG_SPADES, contract: contract({ direction: Direction.HIGH }) }, variant),
    { nameStrain: Strain.SPADES },
  );
});

test("it discards four weak cards of side suits", () => {
  const contract = { points: 5, strain: Strain.SPADES, direction: Direction.HIGH };
  const hand = "AS KS QS JS TS 9S 8S 7S AH KH QH JH TH AD KD QD 5C 4C 3C 2C";
  const { discard } = choose({ step: Step.DISCARD, hand, contract });
  assert.deepEqual(discard.cards.map(cardText).sort(), ["2C", "3C", "4C", "5C"]);
});

test("it wins as cheaply as it can, and gives its weakest card when it cannot", () => {
  const contract = { points: 5, strain: Strain.SPADES, direction: Direction.HIGH };
  const play = (fields) => cardText(choose({ step: Step.PLAY, contract, ...fields }).card);
  assert.equal(play({ hand: "AH KH 2H", played: "TH QH" }), "KH");
  assert.equal(play({ hand: "JH 9H 2H", played: "TH QH" }), "2H");
  assert.equal(play({ hand: "2S AD 3C", played: "TH QH" }), "2S");
});

test("it does not beat its partner", () => {
  const contract = { points: 5, strain: Strain.NO_TRUMP, direction: Direction.HIGH };
  const fields = { step: Step.PLAY, contract, hand: "AH 2H", played: "3H KH 4H" };
  assert.deepEqual(choose(fields, FOUR), { card: parseCard("2H") });
});
