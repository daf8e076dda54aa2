/**
 * What stands beside a table: the auction or the calls of a deal, and the score sheet.
 *
 * Owns their tables; reads a game as `replay.js` makes it.
 */
(function (cardtable) {
  "use strict";

  const { terms } = cardtable;
  const { element, signed, suitShape } = cardtable.table;

  /** Who scores: the seats, or the sides where the game scores these. */
  function scorers(game) {
    if (game.scores.length === game.players) return game.seats;
    return game.scores.map((_, place) => {
      const [first, second] = game.seats.filter((_, seat) => game.scoreOf(seat) === place);
      return first === second ? first : terms.text("side", { first, second });
    });
  }

  function head(words, isNumber = false) {
    return element("th", { scope: "col", class: isNumber ? "number" : null }, element("bdi", {}, words));
  }

  function callWords(text) {
    if (text === "pass") return "–";
    const bid = /^bid:(\d+)-?(NT|[SHDC])?-?(high|low)?$/.exec(text);
    if (!bid) return terms.bidName(text.replace(/^\w+:/, ""));
    const [, points, strain, direction] = bid;
    const shown = [points];
    if (strain) shown.push(" ", strain === "NT" ? "NT" : suitShape(strain));
    if (direction) shown.push(` ${terms.text(direction)}`);
    return element(
      "span",
      {},
      element("span", { "aria-hidden": "true" }, shown),
      element("span", { class: "unseen" }, terms.bidName(text.slice(4))),
    );
  }

  /** The bids so far, a column for each seat, from who opens on. */
  function auction(game, moves) {
    const calls = moves.filter(({ text }) => text === "pass" || text.startsWith("bid:"));
    if (!calls.length) return null;
    const order = game.seats.map((_, step) => (calls[0].seat + step) % game.players);
    const rows = [];
    calls.forEach((call, place) => {
      if (place % game.players === 0) rows.push(element("tr"));
      rows.at(-1).append(element("td", {}, callWords(call.text)));
    });
    return element(
      "table",
      { class: "auction" },
      element("caption", {}, terms.text("auction")),
      element("thead", {}, element("tr", {}, order.map((seat) => head(game.seats[seat])))),
      element("tbody", {}, rows),
    );
  }

  /** The points of each complete deal up to this one, and the sums. */
  function scoreSheet(game, dealNumber, count, goTo) {
    const finished = count === game.deals[dealNumber].moves.length;
    const shown = game.deals.slice(0, dealNumber + (finished ? 1 : 0));
    const names = scorers(game);
    const caption = element("caption", {}, terms.text("scores"));
    if (!shown.length) return element("div", {}, element("p", { class: "quiet" }, terms.text("noScores")));
    const rows = shown.map((deal, number) => rowOf(game, deal, number, goTo));
    const sums = shown.at(-1).after;
    return element(
      "table",
      { class: "sheet" },
      caption,
      element("thead", {}, element("tr", {}, head(terms.text("deal")), head(terms.text("contract")), names.map((name) => head(name, true)))),
      element("tbody", {}, rows),
      element("tfoot", {}, element("tr", {}, element("td", {}), element("th", { scope: "row" }, "Σ"), sums.map((sum) => element("td", { class: "number" }, signed(sum))))),
    );
  }

  function rowOf(game, deal, number, goTo) {
    const who = game.kind === "trix" ? deal.king : deal.declarer;
    const said = deal.void ? terms.text("voided") : cardtable.replay.contractName(game, deal);
    return element(
      "tr",
      { class: deal.void ? "void" : null },
      element("td", {}, element("button", { type: "button", class: "plain", "aria-label": `${terms.text("deal")} ${number + 1}`, onclick: () => goTo(number) }, number + 1)),
      element("th", { scope: "row" }, said, who === null ? "" : element("span", { class: "by" }, " ", element("bdi", {}, game.seats[who]))),
      deal.points.map((points) => element("td", { class: "number" }, deal.void ? "–" : signed(points))),
    );
  }

  cardtable.sheet = { auction, scoreSheet, scorers };
})(globalThis.cardtable);
