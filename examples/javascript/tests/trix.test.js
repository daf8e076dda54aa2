import assert from "node:assert/strict";
import { test } from "node:test";
import { cardText, parseCard, parseCards } from "../cards.js";
import { Contract, Step, chooseTrix } from "../trix.js";

const random = () => 0;

function view(fields) {
  const [hand, played] = [parseCards(fields.hand ?? ""), parseCards(fields.played ?? "")];
  const trick = played.length % 4;
  return {
    contract: 0, doubled: [], doubledBy: [], legalContracts: [],
    ...fields,
    hand,
    legal: parseCards(fields.legal ?? fields.hand ?? ""),
    played,
    // The open trick comes to seat 0; who played before it does not matter to these tests.
    playedBy: played.map((_, place) => (4 + place - played.length + (trick ? 0 : 4)) % 4),
  };
}

const playOf = (fields, variant = { partners: false }) =>
  cardText(chooseTrix(view({ step: Step.PLAY, ...fields }), 0, variant, random).card);

test("it names trix with middle cards and slaps with low ones", () => {
  const legalContracts = Object.values(Contract);
  const named = (hand) => chooseTrix(view({ step: Step.CONTRACT, hand, legalContracts }), 0, {}, random).contract;
  assert.equal(named("JS TS 9S QS JH TH QH JD TD KD QC JC TC"), Contract.TRIX);
  assert.equal(named("2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 4D 2C 3C"), Contract.SLAPS);
});

test("it claims every redeal", () => {
  assert.deepEqual(chooseTrix(view({ step: Step.REDEAL, hand: "KH" }), 0, {}, random), { redeal: true });
});

test("it doubles the king of hearts with many hearts below it, and not when it is bare", () => {
  const doubled = (hand) => chooseTrix(view({ step: Step.DOUBLE, hand, legal: "KH" }), 0, {}, random).double.cards;
  assert.deepEqual(doubled("KH 9H 7H 4H 2H AS KS QS JS 3D 4D 5C 6C"), [parseCard("KH")]);
  assert.deepEqual(doubled("KH AS KS QS JS TS 3D 4D 5D 6D 5C 6C 7C"), []);
});

test("it ducks with the highest card that does not win", () => {
  assert.equal(playOf({ contract: Contract.SLAPS, hand: "2S 9S TS AS", played: "JS 3S 4S" }), "TS");
});

test("it gives a queen to a higher card", () => {
  assert.equal(playOf({ contract: Contract.QUEENS, hand: "2S QS AS", played: "KS 3S 4S" }), "QS");
});

test("it discards the king of hearts when it cannot follow", () => {
  assert.equal(playOf({ contract: Contract.KING, hand: "KH AD 2C", played: "KS 3S 4S" }), "KH");
});

test("it keeps the king of hearts from its partner", () => {
  const fields = { contract: Contract.KING, hand: "KH AD 2C", played: "3S KS 4S" };
  assert.equal(playOf(fields, { partners: true }), "AD");
});

test("it leads low", () => {
  assert.equal(playOf({ contract: Contract.SLAPS, hand: "2S AS KH QD" }), "2S");
});

test("in the layout it plays towards its own cards and passes without a legal one", () => {
  const layout = (fields) => chooseTrix(view({ step: Step.LAYOUT, contract: Contract.TRIX, ...fields }), 0, {}, random);
  assert.deepEqual(layout({ hand: "TS 9S 8S TH", legal: "TS TH", played: "JS JH" }), { card: parseCard("TS") });
  assert.deepEqual(layout({ hand: "2S", legal: "", played: "JS" }), { pass: true });
});
