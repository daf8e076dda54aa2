/**
 * Draws a table from a plain position, and knows nothing of where the position comes from.
 *
 * A position is
 *
 *   game       "trix" or "vytrix"
 *   clockwise  whether the next seat sits on the left
 *   bottom     the seat from which the table is seen
 *   toAct      the seat that acts next, or null
 *   contract   what is played, in words; "" while nobody has named it
 *   seats      one for each seat:
 *     name       of the entrant
 *     cards      its cards, ["AS", "TH", ...], or null where they are not to be seen
 *     count      how many it has
 *     roles      words to be shown beside the name: ["king"]
 *     tricks     tricks that it took; null where none are taken
 *     out        its place once it is out of cards in the layout; 0 before
 *     score      points so far: its own, or its side's
 *   trick      cards on the table: [{seat, card}, ...] in the order of play
 *   taker      the seat that takes the trick, once it is complete; else null
 *   layout     cards on the table in the contract trix, else null
 *   doubled    [{seat, card}, ...]
 *   kitty      {cards: [...] or null, count, words} or null where there is none
 *   legal      cards of the bottom seat that may be played, or null where nobody is asked
 */
(function (cardtable) {
  "use strict";

  const { terms } = cardtable;
  const SVG = "http://www.w3.org/2000/svg";
  /** Black and red in turn, so that neighbours differ in colour too. */
  const SUITS = "SHCD";
  const RANKS = "AKQJT98765432";
  const SHAPES = {
    S: "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 8 2.8C10.8 19.8 10 21 8.5 22h7c-1.5-1-2.3-2.2-2.5-4.2a4.5 4.5 0 0 0 8-2.8c0-5-6-8-9-13z",
    H: "M12 21.5C6 16 2.2 12.3 2.2 8.2A5.1 5.1 0 0 1 12 6a5.1 5.1 0 0 1 9.8 2.2c0 4.1-3.8 7.8-9.8 13.3z",
    D: "M12 1.5l7.8 10.5L12 22.5 4.2 12z",
    C: "M12 2a4.4 4.4 0 0 0-3.5 7.1 4.5 4.5 0 1 0 2.5 7.9c-.1 2.1-1 4-2.5 5h7c-1.5-1-2.4-2.9-2.5-5a4.5 4.5 0 1 0 2.5-7.9A4.4 4.4 0 0 0 12 2z",
  };

  /** Make an element: its attributes, then its children; texts are texts. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  /** The shape of a suit; its colour is that of the text around. */
  function suitShape(suit) {
    const drawn = document.createElementNS(SVG, "svg");
    drawn.setAttribute("viewBox", "0 0 24 24");
    drawn.setAttribute("class", `suit ${suit}`);
    drawn.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", SHAPES[suit]);
    drawn.append(path);
    return drawn;
  }

  /** A card, face up. */
  function cardFace(card, look = "") {
    return element(
      "span",
      { class: `card ${card[1]} ${look}`, role: "img", "aria-label": terms.cardName(card) },
      element("b", {}, terms.rankSign(card[0])),
      suitShape(card[1]),
    );
  }

  /** Cards from spades to diamonds, each suit from its ace down. */
  function inOrder(cards) {
    const place = (card) => SUITS.indexOf(card[1]) * 13 + RANKS.indexOf(card[0]);
    return [...cards].sort((one, other) => place(one) - place(other));
  }

  /** The hand at the bottom: faces, or buttons where a card may be played. */
  function openHand(position, seat, onCard) {
    const legal = onCard ? position.legal : null;
    const item = (card) => {
      const look = [
        position.doubled.some((one) => one.card === card) ? "doubled" : "",
        legal && !legal.includes(card) ? "barred" : "",
      ].join(" ");
      if (!legal?.includes(card)) return element("li", {}, cardFace(card, look));
      const label = terms.cardName(card);
      const face = cardFace(card, `${look} legal`);
      face.removeAttribute("role");
      face.removeAttribute("aria-label");
      return element("li", {}, element("button", { type: "button", "aria-label": label, onclick: () => onCard(card) }, face));
    };
    return element("ul", { class: "hand" }, inOrder(position.seats[seat].cards).map(item));
  }

  /** A hand in short, a line for each suit, as bridge diagrams have it. */
  function shortHand(position, cards) {
    const line = (suit) => {
      const held = inOrder(cards).filter((card) => card[1] === suit);
      const rank = (card) => {
        const isDoubled = position.doubled.some((one) => one.card === card);
        return element("span", { class: isDoubled ? "doubled" : null }, terms.rankSign(card[0]));
      };
      const said = held.length ? held.map(terms.cardName).join(", ") : `${terms.partName(suit)}: –`;
      return element(
        "li",
        { class: suit },
        element("span", { class: "unseen" }, said),
        element("span", { "aria-hidden": "true" }, suitShape(suit), held.length ? held.map(rank) : "–"),
      );
    };
    return element("ul", { class: "suits" }, [...SUITS].map(line));
  }

  function tally(seat) {
    const words = [];
    if (seat.tricks !== null) {
      words.push(seat.tricks === 1 ? terms.text("oneTrick") : terms.text("tricks", { number: seat.tricks }));
    }
    if (seat.out) words.push(terms.text("outAs", { number: seat.out }));
    words.push(`${terms.text("score")} ${signed(seat.score)}`);
    return element("p", { class: "tally", dir: "auto" }, words.join(" · "));
  }

  function seatBox(position, seat, where, onCard) {
    const { name, cards, count, roles } = position.seats[seat];
    const acts = position.toAct === seat;
    let hand;
    if (cards === null) {
      hand = element("p", { class: "backs", dir: "auto" }, count ? terms.text("cards", { number: count }) : terms.text("noCards"));
    } else if (cards.length === 0) hand = element("p", { class: "backs", dir: "auto" }, terms.text("noCards"));
    else hand = where === "bottom" ? openHand(position, seat, onCard) : shortHand(position, cards);
    return element(
      "section",
      { class: `seat ${where}${acts ? " acts" : ""}`, "data-seat": seat },
      element(
        "h2",
        {},
        element("bdi", { class: "name" }, name),
        roles.map((role) => element("span", { class: "role" }, role)),
        acts ? element("span", { class: "role turn" }, terms.text("toAct")) : null,
      ),
      tally(position.seats[seat]),
      hand,
    );
  }

  /** Where a seat sits, seen from the bottom. */
  function sideOf(position, seat) {
    const players = position.seats.length;
    const steps = (seat - position.bottom + players) % players;
    const [near, far] = position.clockwise ? ["left", "right"] : ["right", "left"];
    if (steps === 0) return "bottom";
    if (players === 4 && steps === 2) return "top";
    return steps === 1 ? near : far;
  }

  function trickBox(position) {
    const placed = position.trick.map(({ seat, card }) => {
      const takes = position.taker === seat ? "takes" : "";
      return element("div", { class: `placed ${sideOf(position, seat)} ${takes}` }, cardFace(card));
    });
    return element("div", { class: "trick" }, placed);
  }

  function layoutBox(position) {
    const onTable = new Set(position.layout);
    const rows = [...SUITS].map((suit) =>
      element(
        "tr",
        { class: suit },
        element("th", { scope: "row" }, suitShape(suit), element("span", { class: "unseen" }, terms.partName(suit))),
        [...RANKS].reverse().map((rank) => {
          const lies = onTable.has(rank + suit);
          return element("td", { class: lies ? "lies" : null }, lies ? terms.rankSign(rank) : "");
        }),
      ),
    );
    return element("table", { class: "layout" }, element("caption", { class: "unseen" }, terms.text("trix")), element("tbody", {}, rows));
  }

  /** Which cards are doubled, and by whom, from the call to the end of the deal. */
  function doubledLine(position) {
    const one = ({ seat, card }) => [
      " ",
      element("span", { class: `nowrap ${card[1]}` }, terms.rankSign(card[0]), suitShape(card[1]), element("span", { class: "unseen" }, terms.cardName(card))),
      " ",
      element("bdi", { class: "by" }, position.seats[seat].name),
    ];
    return element("p", { class: "doubles", dir: "auto" }, `${terms.text("doubled")}:`, position.doubled.flatMap(one));
  }

  function middle(position) {
    const parts = [];
    if (position.contract) parts.push(element("p", { class: "contract" }, position.contract));
    if (position.doubled.length) parts.push(doubledLine(position));
    parts.push(position.layout ? layoutBox(position) : trickBox(position));
    if (position.kitty) {
      const { cards, words } = position.kitty;
      parts.push(
        element("div", { class: "kitty" }, element("span", {}, words), cards?.length ? inOrder(cards).map((card) => cardFace(card, "small")) : null),
      );
    }
    return element("div", { class: `felt${position.layout ? " wide" : ""}` }, parts);
  }

  /** Draw a position into an element; `onCard` is told which card the player at the bottom chose. */
  function draw(into, position, onCard = null) {
    const seats = position.seats.map((_, seat) => seatBox(position, seat, sideOf(position, seat), onCard));
    const shape = `table seats${position.seats.length}${position.layout ? " with-layout" : ""}`;
    into.replaceChildren(element("div", { class: shape }, middle(position), seats));
  }

  /** A number with its sign before it, also where words run from right to left. */
  function signed(number) {
    if (number >= 0) return String(number);
    return terms.language === "ar" ? `\u2066−${-number}\u2069` : `−${-number}`;
  }

  cardtable.table = { draw, element, cardFace, suitShape, inOrder, signed };
})(globalThis.cardtable);
