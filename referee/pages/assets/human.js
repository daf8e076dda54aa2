/**
 * A person's table: what the referee says is shown move by move, and what the person chooses is sent.
 *
 * Owns the connection to the room, what of its state has been shown already, and the focus. The state is told whole each
 * time, so that nothing is lost with this page; of the rules nothing is known here.
 */
(function (cardtable) {
  "use strict";

  const { terms, table, replay, sheet, ask: asking } = cardtable;
  const { element, cardFace, signed, inOrder } = table;
  const byId = (id) => document.getElementById(id);
  /** Milliseconds for each card that others play. */
  const SPEEDS = { slow: 1500, normal: 800, fast: 350, atOnce: 0 };
  /** How much longer a completed trick lies. */
  const TRICK = 2;
  const LOG_LINES = 60;
  const IS_CARD = /^[2-9TJQKA][SHDC]$/;

  /** What the room has told last, and since when it is so; null before it has. */
  let state = null;
  let toldAt = 0;
  /** What of it is shown: of which game (by its table), deal, and how many moves; whether its end has been looked at. */
  const shown = { table: null, deal: 0, move: 0, isRead: false, isOver: false };
  let timer = 0;
  let news = null;
  let sent = "";
  let faults = 0;
  let lostAt = 0;
  let isDisplaced = false;
  let warned = "";
  let seen = "";

  // -- settings

  function kept(key, otherwise) {
    try {
      return localStorage.getItem(`cardtable.${key}`) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  function keep(key, value) {
    try {
      localStorage.setItem(`cardtable.${key}`, value);
    } catch {
      // Then it holds for this visit.
    }
  }

  let speed = Object.hasOwn(SPEEDS, kept("speed", "")) ? kept("speed", "") : "normal";

  // -- the connection

  function connect() {
    news = new EventSource("news");
    news.onmessage = ({ data }) => take(JSON.parse(data));
    news.addEventListener("displaced", () => {
      news.close();
      isDisplaced = true;
      drawNotice();
    });
    news.onerror = () => {
      if (!lostAt) lostAt = Date.now();
      drawNotice();
      // A browser gives up where the answer was no stream.
      if (news.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    };
  }

  function take(told) {
    const isFirst = state === null || isDisplaced;
    state = told;
    toldAt = Date.now();
    lostAt = 0;
    isDisplaced = false;
    if (state.closing) news.close();
    if (isFirst) jump();
    sayFaults(isFirst);
    drawNotice();
    run();
  }

  const keyOf = (sitting) => `${sitting.table}/${sitting.ask?.turn}`;

  /** What answers this question, and no other: it can be sent once. */
  function answerTo({ table: number, ask: { turn } }) {
    const key = `${number}/${turn}`;
    return async (action) => {
      const now = sittingOf(number);
      if (sent === key || !now?.ask || now.ask.turn !== turn) return;
      sent = key;
      draw();
      try {
        const body = JSON.stringify({ table: number, turn, action });
        const answer = await fetch("answer", { method: "POST", body, headers: { "Content-Type": "application/json" } });
        if (answer.ok) return;
        sayAlert(terms.text("notTaken", { reason: (await answer.text()).trim() }));
      } catch {
        // The notice of the lost connection says it.
      }
      if (sent === key) sent = "";
      draw();
    };
  }

  // -- games as replay.js has them

  const sittingOf = (number) => state?.sittings.find((one) => one.table === number) ?? null;

  function seatNames(sitting) {
    const { players, seat, names } = sitting;
    const isTrix = sitting.kind === "trix";
    return Array.from({ length: players }, (_, other) => {
      if (other === seat) return terms.text("you");
      if (names.length) return names[other];
      const steps = (other - seat + players) % players;
      if (players === 4 && steps === 2) return terms.text("across");
      return terms.text((steps === 1) === isTrix ? "right" : "left");
    });
  }

  function gameOf(sitting) {
    const { players, groups, scorers } = sitting;
    const deals = sitting.deals.map((deal) => ({
      ...deal,
      moves: deal.moves.map(([seat, text, taker]) => ({ seat, text, card: text.length === 2 ? text : null, taker })),
    }));
    return {
      kind: sitting.kind,
      players,
      seats: seatNames(sitting),
      scores: Array(scorers).fill(0),
      scoreOf: scorers === players ? (seat) => seat : (seat) => groups.findIndex((group) => group.includes(seat)),
      forfeits: [],
      faults: [],
      comments: [],
      deals,
    };
  }

  /** What is shown now: the game, its deal, and whether it is where the game is. */
  function here() {
    const sitting = sittingOf(shown.table);
    if (!sitting) return { sitting: null, game: null, deal: null, isLive: false };
    const game = gameOf(sitting);
    const deal = game.deals[shown.deal] ?? null;
    const isLast = shown.deal >= game.deals.length - 1;
    const isLive = isLast && (deal === null || (!deal.ended && shown.move >= deal.moves.length));
    return { sitting, game, deal, isLive };
  }

  // -- what is shown when

  /** To where the game is, without showing how it came there. */
  function jump() {
    const sitting = state.sittings.at(-1);
    if (!sitting) return;
    const deal = Math.max(0, sitting.deals.length - 1);
    Object.assign(shown, {
      table: sitting.table,
      deal,
      move: sitting.deals[deal]?.moves.length ?? 0,
      isRead: !sitting.final,
      isOver: Boolean(sitting.final),
    });
  }

  /** Show what has not been shown, a move at a time. */
  function run() {
    if (timer) return;
    const words = [];
    for (;;) {
      const wait = step(words);
      if (wait < 0) break;
      if (wait > 0) {
        timer = setTimeout(() => { timer = 0; run(); }, wait);
        break;
      }
    }
    words.forEach(log);
    draw();
  }

  /** One step on; how long it is to be seen, or -1 where there is nothing more to show now. */
  function step(words) {
    const { sitting, game, deal } = here();
    if (!sitting) {
      if (!state?.sittings.length) return -1;
      Object.assign(shown, { table: state.sittings[0].table, deal: 0, move: 0, isRead: false, isOver: false });
      return 0;
    }
    if (!deal) {
      if (sitting.final && !shown.isOver) shown.isOver = true;
      return -1;
    }
    if (shown.move < deal.moves.length) {
      const move = deal.moves[shown.move];
      shown.move += 1;
      words.push(wordsOf(game, sitting.seat, move));
      const isOwn = move.seat === sitting.seat && move.taker === null;
      return isOwn ? SPEEDS[speed] / 2 : SPEEDS[speed] * (move.taker === null ? 1 : TRICK);
    }
    if (!deal.ended) return -1;
    if (!shown.isRead) {
      const key = `${sitting.table}/${shown.deal}`;
      if (seen !== key) words.push(endOf(sitting, game, deal));
      seen = key;
      return -1;
    }
    if (shown.deal + 1 < game.deals.length) {
      const { missed } = game.deals[shown.deal + 1];
      Object.assign(shown, { deal: shown.deal + 1, move: 0, isRead: missed });
      if (!missed) words.push(terms.text("dealt"));
      return 0;
    }
    if (sitting.final && !shown.isOver) {
      shown.isOver = true;
      words.push(overWords(sitting));
    }
    return -1;
  }

  /** The end of a deal has been read, or that of a game: on. */
  function goOn() {
    const { sitting } = here();
    if (shown.isOver) {
      const place = state.sittings.indexOf(sitting);
      const next = state.sittings[place + 1];
      if (next) Object.assign(shown, { table: next.table, deal: 0, move: 0, isRead: false, isOver: false });
    } else shown.isRead = true;
    run();
  }

  // -- words

  function wordsOf(game, seat, move) {
    const { text: what, taker } = move;
    if (what.startsWith("discard:") && what.includes("?")) {
      return `${terms.text("discardsFour", { name: game.seats[move.seat] })}.`;
    }
    if (move.seat !== seat) {
      const words = replay.wordsOf(game, { ...move, taker: null });
      return `${words}.${takerWords(game, seat, taker)}`;
    }
    const [kind, rest = ""] = what.split(":");
    const cards = (list) => list.split(",").map(terms.cardName).join(", ");
    const own = {
      pass: () => terms.text("youPass"),
      contract: () => terms.text("youName", { contract: terms.text(rest) }),
      double: () => terms.text("youDouble", { cards: cards(rest) }),
      redeal: () => terms.text("youRedeal"),
      bid: () => terms.text("youBid", { bid: terms.bidName(rest) }),
      kitty: () => terms.text(rest === "take" ? "youTakeKitty" : "youLeaveKitty"),
      discard: () => terms.text("youDiscard", { cards: cards(rest) }),
      name: () => terms.text("youNamePart", { part: terms.partName(rest) }),
    };
    const words = move.card ? terms.text("youPlay", { card: terms.cardName(move.card) }) : own[kind]();
    return `${words}.${takerWords(game, seat, taker)}`;
  }

  function takerWords(game, seat, taker) {
    if (taker === null) return "";
    return ` ${taker === seat ? terms.text("youTake") : terms.text("takes", { name: game.seats[taker] })}.`;
  }

  const pointsOf = (game, numbers) =>
    sheet.scorers(game).map((name, place) => `${name} ${signed(numbers[place])}`).join(", ");

  function endOf(sitting, game, deal) {
    return deal.void ? `${terms.text("dealVoid")}.` : terms.text("brings", { points: pointsOf(game, deal.points) });
  }

  function overWords(sitting) {
    const { final, seat } = sitting;
    if (!final.scores.length) return terms.text("brokenOff");
    return `${terms.text("gameOver")}. ${terms.text("youAreAt", { place: final.places[seat] })}.`;
  }

  /** What the deal is about, in one line. */
  function ruleOf(game, said) {
    if (!said) return "";
    if (game.kind === "trix") return terms.text(`rule_${said}`);
    const [, strain, direction] = /^\d+-?(NT|[SHDC])?-?(high|low)?$/.exec(said) ?? [];
    const trump = strain === "NT" ? terms.text("rule_NT") : strain ? terms.text("rule_trump", { suit: terms.partName(strain) }) : "";
    return [trump, direction ? terms.text(`rule_${direction}`) : ""].filter(Boolean).join(" ");
  }

  function log(words) {
    const box = byId("log");
    box.append(element("p", { dir: "auto" }, words));
    while (box.children.length > LOG_LINES) box.firstChild.remove();
    box.scrollTop = box.scrollHeight;
  }

  function sayAlert(words) {
    log(words);
    byId("status").textContent = words;
  }

  function sayFaults(isFirst) {
    const all = state.sittings.flatMap((one) => one.faults);
    if (!isFirst || all.length) {
      all.slice(faults).forEach(({ cause, message }) => sayAlert(terms.text("housePlayed", { cause, message })));
    }
    faults = all.length;
  }

  // -- drawing

  /** What is said of a deal by its first moves: its contract and who named it. */
  function saidOf(deal, count) {
    let said = deal.contract;
    const moves = deal.moves.slice(0, count);
    const isNamed = deal.moves.some(({ text }) => text.startsWith("contract:") || text.startsWith("bid:"));
    if (isNamed) {
      said = "";
      for (const { text } of moves) {
        if (text.startsWith("contract:")) said = text.slice(9);
        if (text.startsWith("bid:")) said = text.slice(4);
        if (text.startsWith("name:")) said = deal.contract;
      }
    }
    return said;
  }

  function positionOf(sitting, game, deal, isLive) {
    const { seat } = sitting;
    const view = { seat, open: false };
    const position = replay.positionOf(game, shown.deal, shown.move, view);
    const isAuction = game.kind === "vytrix" && !deal.moves.slice(0, shown.move).some(({ card }) => card);
    const said = saidOf(deal, shown.move);
    position.contract = said && (game.kind === "trix" ? terms.text(said) : terms.bidName(said));
    position.seats.forEach((one, other) => {
      const roles = [];
      if (deal.king === other) roles.push(terms.text("theKing"));
      if (!isAuction && deal.declarer === other) roles.push(terms.text("declarer"));
      const cardsOf = (pairs) => asking.listed(pairs.map(([, card]) => card));
      const lie = deal.open.filter(([by, card]) => by === other && by !== seat && !deal.moves.slice(0, shown.move).some((move) => move.card === card));
      if (lie.length) roles.push(terms.text("open", { cards: cardsOf(lie) }));
      const taken = takenBy(deal, other, game.players);
      if (taken.length) roles.push(terms.text("took", { cards: asking.listed(taken) }));
      one.roles = roles;
      one.cards = one.cards?.filter((card) => IS_CARD.test(card)) ?? null;
    });
    if (position.kitty) position.kitty.cards = position.kitty.cards?.filter((card) => IS_CARD.test(card)) ?? null;
    if (isLive) position.toAct = sitting.ask ? seat : null;
    position.legal = isLive && sitting.ask && sent !== keyOf(sitting) ? asking.cardsOf(sitting.ask) : null;
    return position;
  }

  /** Cards that lie face up before who took them (T8.5). */
  function takenBy(deal, seat, players) {
    const cards = deal.moves.slice(0, shown.move).filter(({ card }) => card);
    const found = [];
    cards.forEach(({ taker }, place) => {
      if (taker === seat) found.push(...cards.slice(place - players + 1, place + 1).map(({ card }) => card));
    });
    return found.filter((card) => deal.faceUp.includes(card));
  }

  function draw() {
    const hadFocus = isOurs(document.activeElement);
    const { sitting, game, deal, isLive } = here();
    drawPlace(sitting, game, deal);
    if (!sitting) {
      byId("question").textContent = terms.text(state?.closing ? "gameOver" : "waitTable");
      return;
    }
    const isAsked = isLive && sitting.ask !== null && sent !== keyOf(sitting);
    const isEnd = deal?.ended && shown.move >= deal.moves.length && !shown.isRead;
    if (isAsked) asking.begin(keyOf(sitting), sitting.ask);
    if (deal && !deal.missed) {
      const act = (card) => asking.choose(sitting.ask, card, answerTo(sitting), draw);
      const position = positionOf(sitting, game, deal, isLive);
      table.draw(byId("stage"), position, isAsked && position.legal ? act : null);
      if (isAsked && position.legal) markCards(sitting.ask, position);
      // Nothing lies there yet, and what is asked stands below.
      if (!position.contract) {
        byId("stage").firstElementChild.classList.add("with-layout");
        byId("stage").querySelector(".felt").classList.add("bidding");
      }
    } else byId("stage").replaceChildren();
    byId("rule").textContent = deal ? ruleOf(game, saidOf(deal, shown.move)) : "";
    drawAsk(sitting, game, deal, { isAsked, isEnd });
    drawQuestion(sitting, game, deal, { isAsked, isEnd, isLive });
    drawAside(game, deal);
    if (hadFocus && (isAsked || isEnd || shown.isOver)) focusFirst();
  }

  /** Buttons of the hand know their card, and whether it is chosen. */
  function markCards(ask, position) {
    const cards = inOrder(position.seats[position.bottom].cards).filter((card) => position.legal.includes(card));
    byId("stage").querySelectorAll(".seat.bottom .hand button").forEach((made, place) => {
      made.dataset.card = cards[place];
      if (ask.cards) made.setAttribute("aria-pressed", asking.isChosen(cards[place]));
    });
  }

  function drawPlace(sitting, game, deal) {
    const words = [];
    if (sitting) {
      if (state.games > 1) words.push(terms.text("gameOf", { number: sitting.number, all: state.games }));
      if (deal && game.kind === "trix") words.push(terms.text("kingdom", { number: deal.kingdom + 1 }));
      if (deal) words.push(terms.text("dealNumber", { number: shown.deal + 1 }));
    }
    byId("place").textContent = words.join(" · ");
  }

  function drawQuestion(sitting, game, deal, { isAsked, isEnd, isLive }) {
    let words = terms.text("waitOthers");
    if (shown.isOver) words = terms.text("gameOver");
    else if (isEnd) words = terms.text(deal.void ? "dealVoid" : "dealOver");
    else if (isAsked) words = asking.words(sitting.ask);
    else if (state.closing) words = closingWords();
    else if (!state.isConnected) words = terms.text("noReferee");
    else if (!isLive && deal?.moves[shown.move] && deal.moves[shown.move].seat !== sitting.seat) {
      words = terms.text("wait", { name: game.seats[deal.moves[shown.move].seat] });
    }
    const box = byId("question");
    if (box.textContent !== words) {
      box.textContent = words;
      const isForUs = isAsked || isEnd || shown.isOver;
      if (isForUs) byId("status").textContent = [words, isAsked ? byId("rule").textContent : ""].filter(Boolean).join(". ");
    }
    box.classList.toggle("ours", isAsked);
    drawClock();
  }

  function drawAsk(sitting, game, deal, { isAsked, isEnd }) {
    const into = byId("ask");
    if (shown.isOver) return into.replaceChildren(finalPanel(sitting, game));
    if (isEnd) return into.replaceChildren(endPanel(sitting, game, deal));
    const panel = isAsked ? asking.panel(sitting.ask, answerTo(sitting)) : null;
    return into.replaceChildren(...(panel ? [panel] : []));
  }

  function drawAside(game, deal) {
    const moves = deal?.moves.slice(0, shown.move) ?? [];
    const auction = game.kind === "vytrix" && deal ? sheet.auction(game, moves) : null;
    // While it goes on it is what there is to look at.
    const isOver = moves.some(({ card }) => card);
    byId("auction").replaceChildren(...(auction && isOver ? [auction] : []));
    if (game.kind === "vytrix" && deal && !deal.missed && !isOver) {
      const box = auction && element("div", { class: "calls", role: "region", tabindex: "0", "aria-label": terms.text("auction") }, auction);
      byId("stage").querySelector(".trick")?.replaceWith(...(box ? [box] : []));
      byId("stage").firstElementChild?.classList.add("with-layout");
      byId("stage").querySelector(".felt")?.classList.add("bidding");
      if (box) box.scrollTop = box.scrollHeight;
    }
    const count = deal?.ended && (shown.move >= deal.moves.length) ? deal.moves.length : -1;
    const made = game.deals.length ? sheet.scoreSheet(game, shown.deal, count, () => {}) : null;
    made?.querySelectorAll("button").forEach((one) => one.replaceWith(one.textContent));
    game.deals.forEach(({ missed }, number) => {
      const row = made?.querySelectorAll("tbody tr")[number];
      if (missed && row) row.querySelector("th").textContent = terms.text("missed");
    });
    byId("sheet").replaceChildren(...(made ? [made] : []));
  }

  function scoreTable(game, rows, heads) {
    return element(
      "table",
      { class: "points-table" },
      element("thead", {}, element("tr", {}, element("td", {}), heads.map((words) => element("th", { scope: "col", class: "number" }, words)))),
      element("tbody", {}, sheet.scorers(game).map((name, place) => element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, name)), rows.map((of) => element("td", { class: "number" }, of(place)))))),
    );
  }

  function endPanel(sitting, game, deal) {
    const parts = [];
    if (deal.void) {
      const name = deal.claim ? game.seats[deal.claim.seat] : "";
      parts.push(element("p", {}, terms.text(`void_${deal.void}`, { name })));
      if (deal.claim) parts.push(element("div", { class: "shown-hand" }, inOrder(deal.claim.cards).map((card) => cardFace(card, "small"))));
    } else {
      parts.push(scoreTable(game, [(place) => signed(deal.points[place]), (place) => signed(deal.after[place])], [terms.text("thisDeal"), terms.text("total")]));
    }
    parts.push(element("div", { class: "options" }, element("button", { type: "button", class: "main", id: "go-on", onclick: goOn }, terms.text("goOn"))));
    return element("section", { class: "panel", "aria-labelledby": "question" }, parts);
  }

  function finalPanel(sitting, game) {
    const { final, groups } = sitting;
    const parts = [];
    if (final.scores.length) {
      const seatOf = (place) => (final.scores.length === game.players ? place : groups[place][0]);
      parts.push(element("p", { class: "verdict" }, `${terms.text("youAreAt", { place: final.places[sitting.seat] })}.`));
      parts.push(scoreTable(game, [(place) => signed(final.scores[place]), (place) => final.places[seatOf(place)]], [terms.text("total"), terms.text("placeWord")]));
    } else parts.push(element("p", {}, terms.text("brokenOff")));
    if (final.faults) parts.push(element("p", {}, terms.text("faultsWere", { number: final.faults })));
    if (state.sittings.indexOf(sitting) + 1 < state.sittings.length) {
      parts.push(element("div", { class: "options" }, element("button", { type: "button", class: "main", id: "go-on", onclick: goOn }, terms.text("nextGame"))));
    } else if (state.closing) {
      parts.push(element("p", { id: "closed" }, closingWords()));
      if (state.closing.commands.length) {
        parts.push(element("p", {}, terms.text("again")), element("pre", { tabindex: "0", dir: "ltr" }, state.closing.commands.join("\n")));
      }
    }
    return element("section", { class: "panel", "aria-labelledby": "question" }, parts);
  }

  function closingWords() {
    return terms.text(`end_${state.closing.why}`, { message: state.closing.message });
  }

  function drawNotice() {
    const parts = [];
    if (isDisplaced) {
      parts.push(element("p", { class: "warn" }, `${terms.text("displaced")} `, element("button", { type: "button", onclick: connect }, terms.text("playHere"))));
    } else if (state?.closing && !(sittingOf(shown.table)?.final && state.closing.why === "over")) {
      parts.push(element("p", { class: "warn", id: "closed" }, closingWords()));
    } else if (lostAt && state) {
      const { grace, disconnect } = state.patience;
      const left = Math.ceil(grace + disconnect - (Date.now() - lostAt) / 1000);
      parts.push(element("p", { class: "warn" }, left > 0 ? terms.text("gone", { seconds: left }) : terms.text("goneFor")));
    }
    byId("notice").replaceChildren(...parts);
  }

  /** Minutes and seconds that are left; said aloud when they become few. */
  function drawClock() {
    const sitting = state?.sittings.at(-1);
    const box = byId("clock");
    if (!sitting?.ask || sitting.clockMs === null || state.closing) {
      box.textContent = "";
      return;
    }
    const left = Math.max(0, Math.ceil((sitting.clockMs - (Date.now() - toldAt)) / 1000));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    box.textContent = terms.text("timeLeft", { time });
    box.classList.toggle("short", left <= 30);
    const key = `${sitting.table}/${sitting.ask.turn}/${[15, 60].find((few) => left <= few)}`;
    if (left <= 60 && warned !== key) {
      warned = key;
      byId("status").textContent = box.textContent;
    }
  }

  // -- focus and keys

  /** Whether the focus is where the next thing to do will be, or nowhere. */
  function isOurs(focused) {
    return !focused || focused === document.body || byId("stage").contains(focused) || byId("ask").contains(focused);
  }

  function focusFirst() {
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body) return;
    // Where there is a screen instead of keys, a field that has the focus would bring up its keyboard.
    const field = matchMedia("(pointer: fine)").matches ? byId("ask").querySelector("#points") : null;
    const first = byId("ask").querySelector("#go-on") ?? handButtons()[0] ?? field ?? byId("ask").querySelector("button:not(:disabled)");
    const before = byId("stage").querySelector(`[data-card="${cameFrom}"]`);
    (before ?? first)?.focus({ preventScroll: true });
  }

  let cameFrom = "";
  const handButtons = () => [...byId("stage").querySelectorAll(".seat.bottom .hand button")];

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select")) return;
    const buttons = handButtons();
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    let to = null;
    if (/^[0-9]$/.test(event.key)) to = (Number(event.key) + 9) % 10;
    if (at >= 0 && event.key === "ArrowRight") to = (at + 1) % buttons.length;
    if (at >= 0 && event.key === "ArrowLeft") to = (at - 1 + buttons.length) % buttons.length;
    if (at >= 0 && event.key === "Home") to = 0;
    if (at >= 0 && event.key === "End") to = buttons.length - 1;
    if (to === null || !buttons[to]) return;
    event.preventDefault();
    buttons[to].focus();
  }

  // -- what stays

  function drawSettings() {
    const isArabic = terms.language === "ar";
    document.documentElement.lang = terms.language;
    byId("main").dir = isArabic ? "rtl" : "ltr";
    const other = byId("language");
    other.textContent = isArabic ? "English" : "العربية";
    other.lang = isArabic ? "en" : "ar";
    byId("speed-words").textContent = terms.text("speed");
    byId("speed").setAttribute("aria-label", terms.text("speed"));
    byId("speed").replaceChildren(...Object.keys(SPEEDS).map((name) => element("option", { value: name, selected: name === speed }, terms.text(name))));
    byId("log-head").textContent = terms.text("happened");
    const line = (names, words) => element("div", {}, element("dt", {}, names.map((name) => element("kbd", {}, name))), element("dd", {}, terms.text(words)));
    byId("keys").replaceChildren(
      element(
        "details",
        { class: "keys" },
        element("summary", {}, terms.text("keys")),
        element("dl", {}, line(["←", "→"], "keyCards"), line(["1", "…", "9", "0"], "keyNumber"), line(["Enter"], "keyPlayIt"), line(["Tab"], "keyTab")),
      ),
    );
  }

  function start() {
    terms.language = kept("language", "en");
    byId("language").addEventListener("click", () => {
      terms.language = terms.language === "ar" ? "en" : "ar";
      keep("language", terms.language);
      drawSettings();
      drawNotice();
      draw();
    });
    byId("speed").addEventListener("change", (event) => {
      speed = event.target.value;
      keep("speed", speed);
      clearTimeout(timer);
      timer = 0;
      run();
    });
    document.addEventListener("keydown", onKey);
    byId("stage").addEventListener("focusin", (event) => { cameFrom = event.target.dataset?.card ?? ""; });
    setInterval(() => {
      if (!state) return;
      drawClock();
      if (lostAt) drawNotice();
    }, 1000);
    drawSettings();
    draw();
    connect();
  }

  addEventListener("DOMContentLoaded", start);
})(globalThis.cardtable);
