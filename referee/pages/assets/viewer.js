/**
 * The replay of one game: steps, keys, autoplay, and the address of each position.
 *
 * Owns what is shown of which game, and the part of the address that says so:
 * `#game=trix/0/0&deal=2&move=14&seat=1`, with `&hands=hidden` and `&lang=ar` where these are wanted.
 */
(function (cardtable) {
  "use strict";

  const { terms, archive, replay, sheet, table } = cardtable;
  const { element } = table;
  const STEP_MS = 1100;
  /** Addresses are written this long after the last step: browsers allow only so many. */
  const ADDRESS_MS = 200;
  const byId = (id) => document.getElementById(id);

  /** What is shown; `game` is null while no replay is open. */
  const shown = { game: null, deal: 0, move: 0, seat: 0, open: true };
  let parts = {};
  let playing = 0;
  let writing = 0;

  const deal = () => shown.game.deals[shown.deal];

  // -- the address

  function addressOf() {
    const fields = [`game=${encodeURIComponent(shown.game.name).replaceAll("%2F", "/")}`, `deal=${shown.deal}`, `move=${shown.move}`, `seat=${shown.seat}`];
    if (!shown.open) fields.push("hands=hidden");
    if (terms.language !== "en") fields.push(`lang=${terms.language}`);
    return `#${fields.join("&")}`;
  }

  function writeAddress() {
    clearTimeout(writing);
    writing = setTimeout(() => {
      if (shown.game) history.replaceState(null, "", addressOf());
    }, ADDRESS_MS);
  }

  /** A whole number of the address between bounds; the lower one where there is none. */
  function bounded(text, most) {
    const number = /^\d+$/.test(text ?? "") ? Number(text) : 0;
    return Math.min(number, most);
  }

  async function readAddress() {
    const fields = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
    const name = fields.get("game");
    if (name === null) return close();
    const row = archive.find(name);
    if (row < 0) return close();
    stop();
    if (fields.has("lang")) terms.language = fields.get("lang");
    const game = shown.game?.row === row ? shown.game : replay.gameOf(row, await archive.packedGame(row));
    if (!game.deals.length) return close();
    const isNew = shown.game !== game;
    shown.game = game;
    shown.deal = bounded(fields.get("deal"), game.deals.length - 1);
    shown.move = bounded(fields.get("move"), deal().moves.length);
    shown.seat = bounded(fields.get("seat"), game.players - 1);
    shown.open = fields.get("hands") !== "hidden";
    open();
    if (isNew) byId("replay-title").focus();
  }

  // -- opening and closing

  function open() {
    byId("report").hidden = true;
    byId("replay").hidden = false;
    build();
    update();
  }

  function close() {
    stop();
    clearTimeout(writing);
    const wasOpen = shown.game !== null;
    const row = shown.game?.row;
    shown.game = null;
    byId("replay").hidden = true;
    byId("report").hidden = false;
    if (wasOpen) cardtable.games?.focus(row);
    const anchor = document.getElementById(location.hash.slice(1));
    if (wasOpen) anchor?.scrollIntoView();
  }

  function leave() {
    // A page of one game alone has its list elsewhere.
    if (cardtable.back) return location.assign(cardtable.back);
    history.pushState(null, "", "#games");
    close();
  }

  // -- steps

  function goTo(dealNumber, move) {
    shown.deal = Math.max(0, Math.min(dealNumber, shown.game.deals.length - 1));
    shown.move = Math.max(0, Math.min(move, deal().moves.length));
    update();
  }

  /** Where a step of one move leads, over the ends of deals too; null where there is nothing more. */
  function next(by) {
    const move = shown.move + by;
    if (move >= 0 && move <= deal().moves.length) return [shown.deal, move];
    const other = shown.game.deals[shown.deal + by];
    if (!other) return null;
    return [shown.deal + by, by > 0 ? 0 : other.moves.length];
  }

  function step(by) {
    const place = next(by);
    if (place) goTo(...place);
    else stop();
  }

  /** On to the end of this trick or call, or back to its begin. */
  function stepTrick(by) {
    let place = next(by);
    if (!place) return;
    const isEnd = ([number, move]) => {
      const { moves } = shown.game.deals[number];
      const before = moves[move - 1];
      return move === 0 || move === moves.length || (before.card ? before.taker !== null : before.text !== "pass");
    };
    const [first] = place;
    let [number, move] = place;
    const { length } = shown.game.deals[number].moves;
    while (number === first && !isEnd([number, move]) && move + by >= 0 && move + by <= length) move += by;
    goTo(number, move);
  }

  function stepDeal(by) {
    if (by < 0 && shown.move > 0) goTo(shown.deal, 0);
    else if (shown.game.deals[shown.deal + by]) goTo(shown.deal + by, 0);
    else if (by > 0) goTo(shown.deal, deal().moves.length);
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    if (parts.play) showPlaying();
  }

  function togglePlay() {
    if (playing) return stop();
    if (!next(1)) return;
    playing = setInterval(() => step(1), STEP_MS);
    showPlaying();
    step(1);
  }

  function showPlaying() {
    const words = terms.text(playing ? "pause" : "play");
    parts.play.textContent = playing ? "❚❚" : "▶";
    parts.play.setAttribute("aria-label", words);
    parts.play.title = words;
  }

  // -- what is seen

  /** The parts that stay while a game is shown; made anew with it and with the language. */
  function build() {
    const { game } = shown;
    byId("replay-title").replaceChildren(element("bdi", {}, game.name), element("span", { class: "by" }, ` ${game.title}`));
    byId("replay").dir = terms.language === "ar" ? "rtl" : "ltr";
    byId("replay").lang = terms.language;
    byId("replay-close").textContent = terms.text(cardtable.back ? "leaveToList" : "leave");
    showLanguage();
    const button = (words, sign, act) =>
      element("button", { type: "button", "aria-label": terms.text(words), title: terms.text(words), onclick: act }, sign);
    parts = {
      table: element("div", { class: "stage" }),
      said: element("p", { class: "words", "aria-hidden": "true" }),
      play: element("button", { type: "button", class: "main", onclick: togglePlay }),
      place: element("p", { class: "place" }),
      range: element("input", { type: "range", dir: "ltr", min: 0, "aria-label": terms.text("move"), oninput: (event) => goTo(shown.deal, Number(event.target.value)) }),
      auction: element("div", { class: "scroll" }),
      scores: element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": terms.text("scores") }),
      moves: element("ol", { class: "moves" }),
      faults: element("div", {}),
    };
    parts.seat = element(
      "select",
      { onchange: (event) => { shown.seat = Number(event.target.value); update(); } },
      game.seats.map((name, seat) => element("option", { value: seat }, `${terms.text("seatOf", { seat })}: ${name}`)),
    );
    parts.open = element("input", { type: "checkbox", onchange: (event) => { shown.open = event.target.checked; update(); } });
    const controls = element(
      "div",
      { class: "controls", dir: "ltr", role: "group", "aria-label": terms.text("move") },
      button("backDeal", "⏮", () => stepDeal(-1)),
      button("backTrick", "«", () => stepTrick(-1)),
      button("back", "‹", () => step(-1)),
      parts.play,
      button("forward", "›", () => step(1)),
      button("forwardTrick", "»", () => stepTrick(1)),
      button("forwardDeal", "⏭", () => stepDeal(1)),
    );
    const choices = element(
      "div",
      { class: "choices" },
      element("label", {}, `${terms.text("seat")} `, parts.seat),
      element("label", {}, parts.open, ` ${terms.text("hands")}`),
      element("button", { type: "button", onclick: copyLink }, terms.text("link")),
    );
    const left = element("div", { class: "play" }, parts.table, parts.said, controls, parts.range, parts.place, choices);
    const right = element(
      "div",
      { class: "aside" },
      notes(game),
      parts.faults,
      parts.auction,
      parts.scores,
      element("details", { class: "all-moves" }, element("summary", {}, terms.text("moves")), parts.moves),
      keys(),
    );
    byId("replay-body").replaceChildren(left, right);
    parts.faults.replaceChildren(...faultList(game));
    showPlaying();
    parts.movesOf = -1;
  }

  function notes(game) {
    const lines = [game.note, game.error && terms.text("breaksOff", { reason: game.error })].filter(Boolean);
    return lines.map((line) => element("p", { class: "warn" }, line));
  }

  function faultList(game) {
    if (!game.faults.length) return [];
    const line = (fault) => {
      const words = `${terms.text("deal")} ${fault.deal + 1}: ${game.seats[fault.seat]}, ${fault.cause}`;
      return element("li", {}, element("button", { type: "button", class: "plain", onclick: () => goTo(fault.deal, fault.action + 1) }, words), fault.message ? `. ${fault.message}` : "");
    };
    return [element("h2", {}, terms.text("faults")), element("ul", { class: "fault-list" }, game.faults.map(line))];
  }

  function keys() {
    const line = (names, words) => element("div", {}, element("dt", {}, names.map((name) => element("kbd", { dir: "ltr" }, name))), element("dd", {}, terms.text(words)));
    return element(
      "details",
      { class: "keys" },
      element("summary", {}, terms.text("keys")),
      element(
        "dl",
        {},
        line(["←", "→"], "keyStep"),
        line(["Shift ←", "Shift →"], "keyTrick"),
        line(["PageUp", "PageDown"], "keyDeal"),
        line(["Home", "End"], "keyEnds"),
        line([terms.text("space")], "keyPlay"),
        line(["h"], "keyHands"),
        line(["s"], "keySeat"),
        line(["Esc"], "keyLeave"),
      ),
    );
  }

  /** What was done last, what the house and the bot have to do with it, and how the deal ended: a line each, and its look. */
  function lines() {
    const { game, deal: number, move } = shown;
    const { moves } = deal();
    const said = [];
    const say = (text, look = "more") => said.push({ text, look });
    if (move === 0) {
      say(terms.text("dealt"), "");
      return said;
    }
    const here = (one) => one.deal === number && one.action === move - 1;
    say(`${replay.wordsOf(game, moves[move - 1])}.`, "");
    for (const fault of game.faults.filter(here)) say(terms.text("house", { cause: fault.cause }), "more cause");
    for (const { text } of game.comments.filter(here)) {
      say(terms.text("says", { name: game.seats[moves[move - 1].seat], text: `“${text}”` }));
    }
    if (move === moves.length) endOf(game, deal()).forEach((text) => say(text));
    return said;
  }

  function endOf(game, { void: rule, points, after, isLast }) {
    const names = sheet.scorers(game);
    const listed = (numbers) => numbers.map((number, place) => `${names[place]} ${table.signed(number)}`).join(", ");
    const said = [rule ? terms.text("void", { rule }) : terms.text("brings", { points: listed(points) })];
    if (isLast) said.push(terms.text("over", { points: listed(after) }));
    return said;
  }

  function update() {
    const { game } = shown;
    const { moves, kingdom } = deal();
    table.draw(parts.table, replay.positionOf(game, shown.deal, shown.move, shown));
    const said = lines();
    parts.said.replaceChildren(...said.map(({ text, look }) => element("span", { class: look }, text)));
    byId("replay-said").textContent = said.map(({ text }) => text).join(" ");
    parts.range.max = moves.length;
    parts.range.value = shown.move;
    parts.range.setAttribute("aria-valuetext", `${shown.move} / ${moves.length}`);
    const words = [terms.text("dealOf", { number: shown.deal + 1, all: game.deals.length })];
    if (game.kind === "trix") words.push(terms.text("kingdom", { number: kingdom }));
    parts.place.textContent = `${words.join(" · ")} · ${shown.move}/${moves.length}`;
    parts.seat.value = shown.seat;
    parts.open.checked = shown.open;
    const auction = game.kind === "vytrix" ? sheet.auction(game, moves.slice(0, shown.move)) : null;
    parts.auction.replaceChildren(...(auction ? [auction] : []));
    parts.scores.replaceChildren(sheet.scoreSheet(game, shown.deal, shown.move, (number) => goTo(number, shown.game.deals[number].moves.length)));
    listMoves();
    writeAddress();
  }

  function listMoves() {
    if (parts.movesOf !== shown.deal) {
      parts.movesOf = shown.deal;
      const number = shown.deal;
      const item = (move, place) =>
        element("li", {}, element("button", { type: "button", class: "plain", onclick: () => goTo(number, place + 1) }, replay.wordsOf(shown.game, move)), marks(number, place));
      parts.moves.replaceChildren(...deal().moves.map(item));
    }
    [...parts.moves.children].forEach((line, place) => {
      if (place === shown.move - 1) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
  }

  function marks(number, place) {
    const here = (one) => one.deal === number && one.action === place;
    return [
      ...shown.game.faults.filter(here).map((fault) => element("span", { class: "cause" }, ` ${terms.text("house", { cause: fault.cause })}`)),
      ...shown.game.comments.filter(here).map(({ text }) => element("q", {}, text)),
    ];
  }

  async function copyLink() {
    history.replaceState(null, "", addressOf());
    let words = "linked";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      words = "notLinked";
    }
    byId("replay-said").textContent = terms.text(words);
    parts.said.replaceChildren(element("span", {}, terms.text(words)));
  }

  // -- keys and the switch of language

  const KEYS = {
    ArrowRight: (event) => (event.shiftKey ? stepTrick(1) : step(1)),
    ArrowLeft: (event) => (event.shiftKey ? stepTrick(-1) : step(-1)),
    PageDown: () => stepDeal(1),
    PageUp: () => stepDeal(-1),
    Home: () => goTo(shown.deal, 0),
    End: () => goTo(shown.deal, deal().moves.length),
    " ": togglePlay,
    h: () => { shown.open = !shown.open; update(); },
    s: () => { shown.seat = (shown.seat + 1) % shown.game.players; update(); },
    Escape: leave,
  };

  /** Keys that the element with the focus needs itself. */
  function isTaken(event) {
    const { target, key } = event;
    if (target.matches("select, input[type=range], input[type=text], input[type=number]")) return key !== "Escape";
    return key === " " && target.matches("button, summary, input, a");
  }

  function onKey(event) {
    const isOurs = shown.game && Object.hasOwn(KEYS, event.key) && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (!isOurs || isTaken(event)) return;
    event.preventDefault();
    if (playing && event.key !== " ") stop();
    KEYS[event.key](event);
  }

  /** The button offers the other language. */
  function showLanguage() {
    const button = byId("language");
    const isArabic = terms.language === "ar";
    button.textContent = isArabic ? "English" : "العربية";
    button.lang = isArabic ? "en" : "ar";
    button.setAttribute("aria-label", isArabic ? "English terms" : "Arabic terms: العربية");
  }

  function switchLanguage() {
    terms.language = terms.language === "ar" ? "en" : "ar";
    build();
    update();
  }

  if (byId("replay")) {
    document.addEventListener("keydown", onKey);
    byId("language").addEventListener("click", switchLanguage);
    byId("replay-close").addEventListener("click", leave);
    addEventListener("hashchange", readAddress);
    addEventListener("DOMContentLoaded", readAddress);
  }

  cardtable.viewer = { addressOf, readAddress };
})(globalThis.cardtable);
