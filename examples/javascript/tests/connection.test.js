import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ConnectionLost, Refused, play } from "../connection.js";
import { parseCards } from "../cards.js";
import { Contract, Step } from "../trix.js";
import { startReferee } from "./referee.js";

const firstCard = (view) => ({ card: view.legal[0] });
const bot = { name: "first", version: "1", games: { trix: firstCard } };

const seated = (table) => ({ table, game: "trix", seat: 2, scoredBy: 1, botSeed: "9007199254740993", trix: {} });
const ask = (table, turn, cards) => ({
  table, turn, trix: { step: Step.PLAY, contract: Contract.SLAPS, hand: parseCards(cards), legal: parseCards(cards) },
});

async function withReferee(script, use) {
  const referee = await startReferee(script);
  try {
    await use(referee);
  } finally {
    referee.close();
  }
}

test("it joins, answers a batch with a batch, and returns when the stream closes", async () => {
  const script = (request, call) => {
    if (request.join) {
      call.write({
        welcome: { protocol: 1, seat: 2 }, seated: [seated(1), seated(2)], asks: [ask(1, 1, "2S 3S"), ask(2, 1, "KH")],
      });
    } else {
      call.write({ tablesClosed: [{ table: 1 }, { table: 2 }] });
      call.end();
    }
  };
  await withReferee(script, async ({ address, requests }) => {
    await play(bot, address, "secret");
    assert.equal(requests[0].join.token, "secret");
    assert.deepEqual(requests[0].join.games.map((each) => each.game), ["trix"]);
    const answers = requests[1].answers.map(({ table, turn, trix }) => [table, turn, trix.action, trix.card]);
    assert.deepEqual(answers, [[1, 1, "card", 1], [2, 1, "card", 25]]);
  });
});

test("a table's seed keeps all its bits", async () => {
  let seed;
  const trix = (view, ownSeat, variant, { botSeed }) => {
    seed = botSeed;
    return firstCard(view);
  };
  const script = (request, call) =>
    request.join
      ? call.write({ welcome: { protocol: 1 }, seated: [seated(1)], asks: [ask(1, 1, "2S")] })
      : call.end();
  await withReferee(script, ({ address }) => play({ ...bot, games: { trix } }, address, "secret"));
  assert.equal(seed, "9007199254740993");
});

test("a refusal is an error that says why", async () => {
  const script = (request, call) => {
    call.write({ refusal: { reason: 1, message: "the token is unknown" } });
    call.end();
  };
  await withReferee(script, ({ address }) =>
    assert.rejects(play(bot, address, "wrong"), (error) => error instanceof Refused && /token/.test(error.message)),
  );
});

test("a referee that goes away after its welcome ends the play, and before it is an error", async () => {
  const leaves = (call) => call.emit("error", { code: 14, details: "gone" });
  const afterWelcome = (request, call) => {
    call.write({ welcome: { protocol: 1, seat: 0 } });
    leaves(call);
  };
  await withReferee(afterWelcome, ({ address }) => play(bot, address, "secret"));
  await withReferee((request, call) => leaves(call), ({ address }) =>
    assert.rejects(play(bot, address, "secret"), ConnectionLost),
  );
});

test("an error of the bot's own code is not taken for one of the connection", async () => {
  const trix = () => {
    throw new RangeError("no idea");
  };
  const script = (request, call) =>
    call.write({ welcome: { protocol: 1, seat: 2 }, seated: [seated(1)], asks: [ask(1, 1, "2S")] });
  await withReferee(script, ({ address }) =>
    assert.rejects(play({ ...bot, games: { trix } }, address, "secret"), RangeError),
  );
});

test("no referee is an error that names the address", async () => {
  await assert.rejects(
    play(bot, "127.0.0.1:1", "token", { connectMs: 50 }),
    (error) => error instanceof ConnectionLost && error.message.includes("127.0.0.1:1"),
  );
});

function runBot(environment) {
  const program = fileURLToPath(new URL("../bot.js", import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env: environment }, (error, stdout, stderr) =>
      resolve({ status: error ? error.code : 0, stderr }),
    );
  });
}

test("the program ends with 2 and one line when no referee has started it", async () => {
  const { status, stderr } = await runBot({});
  assert.equal(status, 2);
  assert.match(stderr, /^CARDTABLE_REFEREE .*\n$/);
});

test("the program ends with 3 and one line when it is refused, and with 0 when the stream closes", async () => {
  const script = (request, call) => {
    if (request.join.token === "wrong") call.write({ refusal: { reason: 1, message: "the token is unknown" } });
    else call.write({ welcome: { protocol: 1, seat: 0 } });
    call.end();
  };
  await withReferee(script, async ({ address }) => {
    const refused = await runBot({ CARDTABLE_REFEREE: address, CARDTABLE_TOKEN: "wrong" });
    assert.equal(refused.status, 3);
    assert.equal(refused.stderr, "the referee refuses this bot: the token is unknown\n");
    assert.equal((await runBot({ CARDTABLE_REFEREE: address, CARDTABLE_TOKEN: "right" })).status, 0);
  });
});
