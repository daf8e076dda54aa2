/**
 * The games that a page bears: the list at once, a replay only when it is asked for.
 *
 * Owns the unpacking of what `referee/pages/archive.py` has packed.
 */
(function (cardtable) {
  "use strict";

  const COLUMNS = ["at", "calls", "plays", "seats", "points", "void"];
  /** Chunks that were looked at lately. */
  const KEPT = 4;
  const unpacked = new Map();
  let known = null;

  /** Names, competitions and a row for each game. */
  function index() {
    known ??= JSON.parse(document.getElementById("index").textContent);
    return known;
  }

  /** The name of a game as all commands have it. */
  function nameOf(row) {
    const [competition, board, seating] = index().games[row];
    return `${index().competitions[competition].name}/${board}/${seating}`;
  }

  /** The row of the game of this name; -1 where there is none. */
  function find(name) {
    const parts = /^(.*)\/(\d+)\/(\d+)$/.exec(name);
    if (!parts) return -1;
    const competition = index().competitions.findIndex((one) => one.name === parts[1]);
    const [board, seating] = [Number(parts[2]), Number(parts[3])];
    return index().games.findIndex((game) => game[0] === competition && game[1] === board && game[2] === seating);
  }

  async function inflate(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  function chunk(number) {
    if (!unpacked.has(number)) {
      const packed = document.querySelector(`[data-chunk="${number}"]`).textContent;
      unpacked.set(number, inflate(packed).then(withPlaces));
      if (unpacked.size > KEPT) unpacked.delete(unpacked.keys().next().value);
    }
    return unpacked.get(number);
  }

  /** Note where the deals of each game begin among those of the chunk. */
  function withPlaces(chunk) {
    let first = 0;
    for (const game of chunk.games) {
      game.first = first;
      first += game.d;
    }
    return chunk;
  }

  /** A game as it was packed: deals with hands, calls, plays, seats, points and void; faults, comments, error. */
  async function packedGame(row) {
    const { firsts } = index();
    const number = firsts.findLastIndex((first) => first <= row);
    const whole = await chunk(number);
    const game = whole.games[row - firsts[number]];
    const deals = Array.from({ length: game.d }, (_, place) =>
      Object.fromEntries(COLUMNS.map((name) => [name, whole[name][game.first + place]])));
    return {
      deals: deals.map(({ at, ...deal }) => ({ ...deal, hands: whole.hands[at] })),
      faults: game.f ?? [],
      comments: game.c ?? [],
      error: game.e ?? "",
    };
  }

  cardtable.archive = { index, nameOf, find, packedGame };
})(globalThis.cardtable);
