/**
 * What a person is asked: panels for calls, bids and cards, each made from what the referee says is legal.
 *
 * Owns these panels and what is half chosen in them. Every action is one of those that are offered; no rule stands here.
 */
(function (cardtable) {
  "use strict";

  const { terms } = cardtable;
  const { element, suitShape, inOrder } = cardtable.table;
  const STRAINS = ["S", "H", "D", "C", "NT"];
  const DIRECTIONS = ["high", "low"];

  /** What is half chosen: of which question, which cards, and the bid. */
  const draft = { key: "", cards: new Set(), points: 0, strain: null, direction: null };

  function begin(key, ask) {
    if (draft.key === key) return;
    Object.assign(draft, { key, cards: new Set(), points: ask.lowest ?? 0, strain: null, direction: null });
    if (ask.step !== "bid") return;
    draft.strain = "S";
    draft.direction = ask.partial ? null : "high";
  }

  const button = (words, act, look = "") => element("button", { type: "button", class: look, onclick: act }, words);

  /** Short for a card, with its suit as a sign. */
  const signOf = (card) => terms.rankSign(card[0]) + terms.suitSign(card[1]);
  const listed = (cards) => inOrder(cards).map(signOf).join(" ");

  // -- one panel for each step

  function contracts(ask, send) {
    const one = (action) => {
      const name = action.slice(9);
      return element(
        "button",
        { type: "button", class: "wide", onclick: () => send(action) },
        element("b", {}, terms.text(name)),
        element("span", {}, terms.text(`rule_${name}`)),
      );
    };
    return element("div", { class: "options list" }, ask.actions.map(one));
  }

  function redeal(ask, send) {
    const words = { keep: "doKeep", redeal: "doRedeal" };
    return element("div", { class: "options" }, ask.actions.map((action) => button(terms.text(words[action]), () => send(action))));
  }

  function kitty(ask, send) {
    const words = { "kitty:take": "doTake", "kitty:leave": "doLeave" };
    return element("div", { class: "options" }, ask.actions.map((action) => button(terms.text(words[action]), () => send(action))));
  }

  function name(ask, send) {
    const one = (action) => button(partWords(action.slice(5)), () => send(action), `part ${action.slice(5)}`);
    return element("div", { class: "options" }, ask.actions.map(one));
  }

  function double(ask, send) {
    const cards = inOrder([...draft.cards]);
    const words = cards.length ? terms.text("doDouble", { cards: listed(cards) }) : terms.text("doDoubleNone");
    return element("div", { class: "options" }, button(words, () => send(`double:${cards.join(",") || "none"}`), "main"));
  }

  function discard(ask, send) {
    const cards = inOrder([...draft.cards]);
    const made = button(terms.text("doDiscard", { number: cards.length, all: ask.count }), () => send(`discard:${cards.join(",")}`), "main");
    made.disabled = cards.length !== ask.count;
    return element("div", { class: "options" }, made);
  }

  function layout(ask, send) {
    if (!ask.actions.includes("pass")) return null;
    return element("div", { class: "options" }, button(terms.text("doPass"), () => send("pass"), "main"));
  }

  function partWords(part) {
    if (!STRAINS.includes(part)) return terms.text(part);
    return [part === "NT" ? "" : suitShape(part), ` ${terms.partName(part)}`];
  }

  function bidText() {
    const { points, strain, direction } = draft;
    return `bid:${points}${strain ?? ""}${direction ? `-${direction}` : ""}`;
  }

  function bid(ask, send) {
    const { form, say } = ask.lowest ? bidForm(ask, send) : { form: [], say: null };
    const pass = ask.pass ? button(terms.text("doPass"), () => send("pass"), say ? "" : "main") : null;
    return element("div", { class: "bid" }, form, element("div", { class: "options" }, say, pass));
  }

  function bidForm(ask, send) {
    const say = button("", () => send(bidText()), "main");
    const input = element("input", { type: "number", id: "points", min: ask.lowest, max: ask.highest, value: draft.points, inputmode: "numeric" });
    const show = () => {
      const fits = Number.isInteger(draft.points) && draft.points >= ask.lowest && draft.points <= ask.highest;
      say.textContent = terms.text("doBid", { bid: terms.bidName(bidText().slice(4)) });
      say.disabled = !fits || !(draft.strain || draft.direction);
    };
    input.addEventListener("input", () => { draft.points = input.value === "" ? 0 : Number(input.value); show(); });
    input.addEventListener("keydown", (event) => { if (event.key === "Enter" && !say.disabled) { event.preventDefault(); say.click(); } });
    const step = (by) => {
      draft.points = Math.max(ask.lowest, Math.min(ask.highest, draft.points + by));
      input.value = draft.points;
      show();
    };
    const more = (sign, words, by) => element("button", { type: "button", class: "step", "aria-label": terms.text(words), onclick: () => step(by) }, sign);
    const radio = (group, part) => {
      const chosen = draft.strain === part || draft.direction === part;
      const choose = () => {
        if (ask.partial) Object.assign(draft, { strain: null, direction: null });
        if (STRAINS.includes(part)) draft.strain = part;
        else draft.direction = part;
        show();
      };
      return element("label", { class: `choice ${part}` }, element("input", { type: "radio", name: group, value: part, checked: chosen, onchange: choose }), element("span", {}, partWords(part)));
    };
    const set = (group, words, names) => element("fieldset", { class: group }, element("legend", {}, terms.text(words)), names.map((part) => radio(group, part)));
    const sets = ask.partial
      ? [set("part", "part", [...STRAINS, ...DIRECTIONS])]
      : [set("strain", "strain", STRAINS), set("direction", "direction", DIRECTIONS)];
    show();
    const points = element("div", { class: "points" }, element("label", { for: "points" }, terms.text("pointsWord")), element("div", {}, more("−", "less", -1), input, more("+", "more", 1)));
    return { form: [points, ...sets, element("p", { class: "quiet" }, terms.text("price"))], say };
  }

  const PANELS = { contract: contracts, redeal, kitty, name, double, discard, layout, bid };

  /** The panel of a question, or null where only cards are to be chosen. */
  function panel(ask, send) {
    return PANELS[ask.step]?.(ask, send) ?? null;
  }

  /** What is asked, in words. */
  function words(ask) {
    const key = ask.step === "bid"
      ? { true: "askOnlyPass", false: ask.pass ? "askBid" : "askFirstBid" }[!ask.lowest]
      : ask.step === "layout" && ask.actions.includes("pass") ? "askPass" : `ask${ask.step[0].toUpperCase()}${ask.step.slice(1)}`;
    return terms.text(key);
  }

  /** The cards of the hand that may be chosen, or null where none are asked for. */
  function cardsOf(ask) {
    if (ask.step === "play" || ask.step === "layout") return ask.actions.filter((action) => action !== "pass");
    return ask.cards ?? null;
  }

  /** A card was chosen: it is played, or chosen among others. */
  function choose(ask, card, send, redraw) {
    if (!ask.cards) return send(card);
    if (!draft.cards.delete(card) && draft.cards.size < (ask.count ?? ask.cards.length)) draft.cards.add(card);
    return redraw();
  }

  cardtable.ask = { begin, panel, words, cardsOf, choose, listed, isChosen: (card) => draft.cards.has(card) };
})(globalThis.cardtable);
