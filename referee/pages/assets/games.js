/**
 * The list of games: filtered, some at a time.
 *
 * Owns what of `archive.js`'s rows is listed.
 */
(function (cardtable) {
  "use strict";

  const { archive, terms } = cardtable;
  const { element, signed } = cardtable.table;
  const ROWS = 25;
  const wanted = { competition: "", entrant: "", board: "", faulted: false, page: 0 };
  let parts = {};

  const addressOf = (row) => `#game=${encodeURIComponent(archive.nameOf(row)).replaceAll("%2F", "/")}`;

  /** The rows that are asked for. */
  function matching() {
    const { games } = archive.index();
    const [competition, entrant] = [Number(wanted.competition), Number(wanted.entrant)];
    const fits = ([number, board, , seats, , faults, forfeits, note]) =>
      (wanted.competition === "" || number === competition) &&
      (wanted.entrant === "" || seats.includes(entrant)) &&
      (wanted.board === "" || board === Number(wanted.board)) &&
      (!wanted.faulted || faults > 0 || forfeits.length > 0 || note !== "");
    const rows = [];
    games.forEach((game, row) => { if (fits(game)) rows.push(row); });
    return rows;
  }

  function seatsOf(row) {
    const { games, entrants, competitions } = archive.index();
    const [number, , , seats, scores, , forfeits] = games[row];
    const { groups, players } = competitions[number];
    const scoreOf = (seat) => scores[scores.length === players ? seat : groups.findIndex((group) => group.includes(seat))];
    const best = Math.max(...scores);
    return seats.map((entrant, seat) => {
      const score = scoreOf(seat);
      const classes = score === best ? "best" : null;
      const gone = forfeits.includes(seat) ? ` (${terms.text("forfeited")})` : "";
      return element("li", { class: classes }, element("bdi", {}, entrants[entrant]), ` ${signed(score)}${gone}`);
    });
  }

  function line(row) {
    const [, , , , , faults, , note] = archive.index().games[row];
    const marks = [faults ? `${faults} fault${faults === 1 ? "" : "s"}` : "", note].filter(Boolean).join("; ");
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, element("a", { href: addressOf(row), "data-row": row }, element("bdi", {}, archive.nameOf(row)))),
      element("td", {}, element("ul", { class: "line" }, seatsOf(row))),
      element("td", { class: marks ? "marks" : null }, marks),
    );
  }

  function show() {
    const rows = matching();
    const pages = Math.max(1, Math.ceil(rows.length / ROWS));
    wanted.page = Math.min(wanted.page, pages - 1);
    const first = wanted.page * ROWS;
    parts.body.replaceChildren(...rows.slice(first, first + ROWS).map(line));
    parts.count.textContent = rows.length
      ? `${(first + 1).toLocaleString("en")} to ${Math.min(first + ROWS, rows.length).toLocaleString("en")} of ${rows.length.toLocaleString("en")}`
      : "No game is like that.";
    parts.before.disabled = wanted.page === 0;
    parts.after.disabled = wanted.page === pages - 1;
  }

  function turn(by) {
    wanted.page += by;
    show();
  }

  function select(words, names, key) {
    const change = (event) => { Object.assign(wanted, { [key]: event.target.value, page: 0 }); show(); };
    const options = names.map((name, number) => element("option", { value: number }, name));
    return element("label", {}, `${words} `, element("select", { onchange: change }, element("option", { value: "" }, "all"), options));
  }

  function build(into) {
    const { competitions, entrants } = archive.index();
    const board = (event) => { Object.assign(wanted, { board: event.target.value.trim(), page: 0 }); show(); };
    const faulted = (event) => { Object.assign(wanted, { faulted: event.target.checked, page: 0 }); show(); };
    parts = {
      body: element("tbody"),
      count: element("p", { role: "status" }),
      before: element("button", { type: "button", onclick: () => turn(-1) }, "← Before"),
      after: element("button", { type: "button", onclick: () => turn(1) }, "After →"),
    };
    into.replaceChildren(
      element(
        "form",
        { class: "choices", "aria-label": "Which games", onsubmit: (event) => event.preventDefault() },
        competitions.length > 1 ? select("Competition", competitions.map((one) => one.name), "competition") : null,
        select("Entrant", entrants, "entrant"),
        element("label", {}, "Board ", element("input", { type: "number", min: 0, oninput: board })),
        element("label", {}, element("input", { type: "checkbox", onchange: faulted }), " Only with faults or rulings"),
      ),
      element(
        "div",
        { class: "scroll", role: "region", tabindex: "0", "aria-label": "List of games" },
        element(
          "table",
          { class: "games" },
          element("caption", { class: "unseen" }, "Games, with the entrants in the order of their seats and their scores"),
          element("thead", {}, element("tr", {}, ["Game", "Seats and scores", "Marks"].map((words) => element("th", { scope: "col" }, words)))),
          parts.body,
        ),
      ),
      element("div", { class: "choices pages" }, parts.before, parts.count, parts.after),
    );
    show();
  }

  /** Give the focus to the game of this row, if it is listed. */
  function focus(row) {
    document.querySelector(`a[data-row="${row}"]`)?.focus();
  }

  addEventListener("DOMContentLoaded", () => {
    const into = document.getElementById("games-list");
    if (into) build(into);
  });

  cardtable.games = { focus };
})(globalThis.cardtable);
