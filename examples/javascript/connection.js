/**
 * A bot's stream to the referee (docs/protocol.md): joins, keeps the tables, answers batches with batches.
 * Owns the connection and the messages; judges no card.
 */

import { existsSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import * as protoLoader from "@grpc/proto-loader";

const PROTOCOL = 1;
const CONNECT_MS = 10_000;
const HOLD_MS = 5;
const VERSIONS = `grpc-js on Node.js ${process.version}`;

/** The referee refuses this bot; the message says why. */
export class Refused extends Error {}

/** The referee cannot be reached, or the connection broke. */
export class ConnectionLost extends Error {}

/**
 * The protocol's gRPC service, read from the proto files: a folder `proto` beside this file, as a bot of one's own
 * would have it, or that of the repository.
 */
export function loadService() {
  const folders = ["./proto/", "../../proto/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const folder = folders.find((each) => existsSync(`${each}cardtable/v1/table.proto`));
  if (!folder) throw new Error(`cardtable/v1/table.proto is neither in ${folders.join(" nor in ")}`);
  const definition = protoLoader.loadSync("cardtable/v1/table.proto", {
    includeDirs: [folder],
    // Cards are numbers one can count with; a bot_seed has more bits than a Number.
    enums: Number,
    longs: String,
    arrays: true,
    defaults: true,
    oneofs: true,
  });
  return grpc.loadPackageDefinition(definition).cardtable.v1.RefereeService;
}

/**
 * Play until the referee closes the stream.
 * @param {object} bot
 * @param {string} bot.name
 * @param {string} bot.version
 * @param {Object<string, function(view, seat, variant, random: {turn, botSeed}): object>} bot.games
 *     By name of the game: what to do; the result is the field of that name of an answer.
 * @param {string} address `unix:/path` or `host:port`.
 * @param {string} token Who this is.
 * @throws {Refused|ConnectionLost}
 */
export async function play(bot, address, token, { connectMs = CONNECT_MS, log = console.error } = {}) {
  const RefereeService = loadService();
  const client = new RefereeService(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  try {
    await ready(client, address, connectMs);
    const call = client.play();
    call.write({ join: joinMessage(bot, token) });
    await answerAll(bot, call, log);
    call.end();
  } finally {
    client.close();
  }
}

function ready(client, address, connectMs) {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + connectMs, (error) =>
      error ? reject(new ConnectionLost(`no referee answers at ${address} (tried for ${connectMs} ms)`)) : resolve(),
    );
  });
}

function joinMessage(bot, token) {
  return {
    token,
    botName: bot.name,
    botVersion: bot.version,
    sdk: VERSIONS,
    protocolMin: PROTOCOL,
    protocolMax: PROTOCOL,
    games: Object.keys(bot.games).map((game) => ({ game })),
  };
}

async function answerAll(bot, call, log) {
  const tables = new Map();
  let isWelcome = false;
  try {
    for await (const response of call) {
      if (response.refusal) throw new Refused(response.refusal.message);
      isWelcome ||= response.welcome !== null;
      for (const seated of response.seated) tables.set(seated.table, seated);
      for (const fault of response.faults) log(`table ${fault.table}, turn ${fault.turn}: ${fault.message}`);
      for (const closed of response.tablesClosed) tables.delete(closed.table);
      await answerBatch(bot, tables, response.asks, call);
    }
  } catch (error) {
    if (!(error instanceof Error && "details" in error)) throw error;
    // A referee that has only gone is no failure.
    if (!isWelcome || ![grpc.status.CANCELLED, grpc.status.UNAVAILABLE].includes(error.code)) {
      throw new ConnectionLost(`the connection to the referee is lost: ${error.details}`);
    }
  }
  if (!isWelcome) throw new ConnectionLost("the referee hung up before it said welcome");
}

/** A batch is answered with a batch; what is ready goes out when the oldest answer has waited for 5 ms. */
async function answerBatch(bot, tables, asks, call) {
  let answers = [];
  let oldest = 0;
  for (const ask of asks) {
    answers.push(answer(bot, tables.get(ask.table), ask));
    oldest ||= performance.now();
    if (performance.now() - oldest >= HOLD_MS) {
      call.write({ answers });
      [answers, oldest] = [[], 0];
      // Without a turn of the event loop nothing leaves this process.
      await new Promise(setImmediate);
    }
  }
  if (answers.length) call.write({ answers });
}

function answer(bot, seated, ask) {
  const { game, seat, botSeed } = seated;
  const action = bot.games[game](ask[game], seat, seated[game], { botSeed, turn: ask.turn });
  return { table: ask.table, turn: ask.turn, [game]: action };
}
