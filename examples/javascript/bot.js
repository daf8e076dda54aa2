/**
 * The whole program: `node bot.js`, started by the referee.
 *
 * Exit codes: 0 the referee has closed the stream, 1 the bot raised an error, 2 not started by a referee,
 * 3 refused by the referee, 4 no connection.
 */

import { randomNumbers } from "./cards.js";
import { ConnectionLost, Refused, play } from "./connection.js";
import { chooseTrix } from "./trix.js";
import { chooseVytrix } from "./vytrix.js";

const bot = {
  name: "javascript-thumb",
  version: "1.0.0",
  games: {
    trix: (view, seat, variant, { botSeed, turn }) => chooseTrix(view, seat, variant, randomNumbers(botSeed, turn)),
    vytrix: (view, seat, variant, { botSeed, turn }) => chooseVytrix(view, seat, variant, randomNumbers(botSeed, turn)),
  },
};

const { CARDTABLE_REFEREE: address, CARDTABLE_TOKEN: token } = process.env;
if (!address || !token) {
  console.error(
    "CARDTABLE_REFEREE (the referee's address) and CARDTABLE_TOKEN (who this bot is) are not set; " +
      "`tourney run FILE` starts this program and sets them.",
  );
  process.exit(2);
}

try {
  await play(bot, address, token);
} catch (error) {
  if (error instanceof Refused) {
    console.error(`the referee refuses this bot: ${error.message}`);
    process.exit(3);
  }
  if (error instanceof ConnectionLost) {
    console.error(error.message);
    process.exit(4);
  }
  throw error;
}
