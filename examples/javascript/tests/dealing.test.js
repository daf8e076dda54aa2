import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const page = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
const [, program] = page.match(/^```js\n(.*?)^```/ms);
const vectors = JSON.parse(page.match(/^```json\n(\{\s+"master".*?)^```/ms)[1]);
const { boardSeed, botSeed, cardText, dealKey, shuffledDeck } = await import(
  `data:text/javascript,${encodeURIComponent(program)}`
);

test("the program in docs/protocol.md gives the cards of its vectors", () => {
  assert.equal(shuffledDeck(Buffer.alloc(0)).map(cardText).join(" "), vectors.empty_key.deck);
  const master = Buffer.from(vectors.master, "hex");
  for (const board of vectors.boards) {
    const seed = boardSeed(master, board.competition, board.board);
    assert.equal(seed.toString("hex"), board.seed);
    const key = dealKey(seed, board.deal);
    if (board.deal_key) assert.equal(key.toString("hex"), board.deal_key);
    if (board.bot_seed) {
      assert.equal(String(botSeed(seed, board.bot_seed.seating, board.bot_seed.seat)), board.bot_seed.value);
    }
    const deck = shuffledDeck(key).map(cardText);
    for (const hand of [...board.hands, board.kitty]) {
      const cards = hand.split(" ").filter(Boolean);
      assert.deepEqual(deck.splice(0, cards.length).sort(), cards.sort());
    }
    assert.equal(deck.length, 0);
  }
});
