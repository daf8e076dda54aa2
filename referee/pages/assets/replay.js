/**
 * From a packed game to positions: who held what, who did what, what lay on the table after each move.
 *
 * Owns the reading of what `referee/pages/replays.py` writes down. It judges nothing: the rules have, before that.
 */
(function (cardtable) {
  "use strict";

  const { terms } = cardtable;
  const RANKS = "23456789TJQKA";
  const CARDS = [..."SHDC"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  const NUMBER = new Map(CARDS.map((card, number) => [card, number]));

  /** The cards of each seat, and last those of the kitty, as they were dealt. */
  function handsOf(owners, players) {
    const hands = Array.from({ length: players + 1 }, () => []);
    [...owners].forEach((owner, number) => hands[Number(owner)].push(CARDS[number]));
    return hands;
  }

  /** The cards of a hand among which a letter chooses. */
  function candidates(hand, trick, layout) {
    if (layout) {
      const fits = (card) => {
        const rank = RANKS.indexOf(card[0]);
        return card[0] === "J" || layout.has(RANKS[rank - 1] + card[1]) || layout.has(RANKS[rank + 1] + card[1]);
      };
      return hand.filter(fits);
    }
    const following = trick.length ? hand.filter((card) => card[1] === trick[0].card[1]) : [];
    return following.length ? following : hand;
  }

  function remove(hand, cards) {
    return hand.filter((card) => !cards.includes(card));
  }

  /** A hand after a call of its seat. */
  function afterCall(hand, kitty, text) {
    if (text === "kitty:take") return [...hand, ...kitty].sort((one, other) => NUMBER.get(one) - NUMBER.get(other));
    if (text.startsWith("discard:")) return remove(hand, text.slice(8).split(","));
    return hand;
  }

  /** All moves of a deal in order: {seat, text, card, taker}; card and taker are null where there is none. */
  function movesOf(packed, players, isLayout) {
    const dealt = handsOf(packed.hands, players);
    const hands = dealt.slice(0, players);
    const moves = [];
    for (const call of packed.calls ? packed.calls.split(" ") : []) {
      const [seat, text] = [Number(call[0]), call.slice(1)];
      hands[seat] = afterCall(hands[seat], dealt[players], text);
      moves.push({ seat, text, card: null, taker: null });
    }
    const layout = isLayout ? new Set() : null;
    let trick = [];
    let takers = 0;
    let seat = Number(packed.seats[0]);
    for (const letter of packed.plays) {
      let choice = candidates(hands[seat], trick, layout);
      while (!choice.length) {
        if (hands[seat].length) moves.push({ seat, text: "pass", card: null, taker: null });
        seat = (seat + 1) % players;
        choice = candidates(hands[seat], trick, layout);
      }
      const card = choice[letter.charCodeAt(0) - 97];
      const move = { seat, text: card, card, taker: null };
      moves.push(move);
      hands[seat] = remove(hands[seat], [card]);
      seat = (seat + 1) % players;
      layout?.add(card);
      if (layout) continue;
      trick.push(move);
      if (trick.length === players) {
        takers += 1;
        move.taker = packed.seats[takers] === undefined ? null : Number(packed.seats[takers]);
        seat = move.taker ?? seat;
        trick = [];
      }
    }
    return moves;
  }

  /** What a deal's calls say of it. */
  function contractOf(moves, before) {
    const found = { contract: "", king: null, declarer: null };
    for (const { seat, text } of moves) {
      if (text.startsWith("contract:")) Object.assign(found, { contract: text.slice(9), king: seat });
      if (text.startsWith("bid:")) Object.assign(found, { contract: text.slice(4), declarer: seat });
      if (text.startsWith("name:")) found.contract = complete(found.contract, text.slice(5));
    }
    // A deal that is void in the layout is dealt again for the same contract, which is not said again.
    if (!found.contract && before?.void && before.contract === "trix") {
      return { contract: before.contract, king: before.king, declarer: null };
    }
    return found;
  }

  /** A partial bid with its missing part. */
  function complete(bid, part) {
    const [points, said] = /^(\d+)-?(.*)$/.exec(bid).slice(1);
    return part === "high" || part === "low" ? `${points}${said}-${part}` : `${points}${part}-${said}`;
  }

  /** A whole game, from its row of the list and its packed form. */
  function gameOf(row, packed) {
    const { index } = cardtable.archive;
    const [number, , , seats, scores, , forfeits, note] = index().games[row];
    const competition = index().competitions[number];
    const { players, groups } = competition;
    const game = {
      row,
      name: cardtable.archive.nameOf(row),
      kind: competition.game,
      title: competition.title,
      players,
      seats: seats.map((entrant) => index().entrants[entrant]),
      scores,
      forfeits,
      note,
      error: packed.error,
      faults: packed.faults.map(([deal, action, seat, cause, message]) => ({ deal, action, seat, cause, message })),
      comments: packed.comments.map(([deal, action, text]) => ({ deal, action, text })),
      deals: [],
    };
    /** The place of a seat among the scores. */
    game.scoreOf = scores.length === players ? (seat) => seat : (seat) => groups.findIndex((group) => group.includes(seat));
    let sum = scores.map(() => 0);
    let completed = 0;
    for (const one of packed.deals) {
      const before = game.deals.at(-1);
      const isLayout = one.calls.includes("contract:trix") || (!one.calls.includes(":") && before?.contract === "trix");
      const moves = movesOf(one, players, isLayout);
      const after = sum.map((points, place) => points + one.points[place]);
      game.deals.push({
        ...contractOf(moves, before),
        hands: handsOf(one.hands, players),
        moves,
        points: one.points,
        void: one.void,
        before: sum,
        after,
        isLayout,
        kingdom: Math.floor(completed / 5) + 1,
        isLast: false,
      });
      sum = after;
      if (!one.void) completed += 1;
    }
    if (game.deals.length && !game.error) game.deals.at(-1).isLast = true;
    return game;
  }

  /** What stands on the table after the first moves of a deal, for `table.js`. */
  function positionOf(game, dealNumber, count, view) {
    const deal = game.deals[dealNumber];
    const { players } = game;
    const hands = deal.hands.slice(0, players);
    const kitty = deal.hands[players];
    const tricks = hands.map(() => 0);
    const out = hands.map(() => 0);
    const layout = deal.isLayout ? [] : null;
    const doubled = [];
    let trick = [];
    let taker = null;
    let fate = "";
    let discarded = [];
    for (const { seat, text, card, taker: takes } of deal.moves.slice(0, count)) {
      if (card) {
        if (taker !== null) [trick, taker] = [[], null];
        hands[seat] = remove(hands[seat], [card]);
        if (layout) {
          layout.push(card);
          if (!hands[seat].length) out[seat] = out.filter(Boolean).length + 1;
        } else trick.push({ seat, card });
        if (takes !== null) {
          taker = takes;
          tricks[takes] += 1;
        }
        continue;
      }
      hands[seat] = afterCall(hands[seat], kitty, text);
      if (text.startsWith("kitty:")) fate = text.slice(6);
      if (text.startsWith("discard:")) discarded = text.slice(8).split(",");
      if (text.startsWith("double:") && text !== "double:none") {
        text.slice(7).split(",").forEach((one) => doubled.push({ seat, card: one }));
      }
    }
    const finished = count === deal.moves.length;
    const said = contractOf(deal.moves.slice(0, count), game.deals[dealNumber - 1]);
    const scores = finished ? deal.after : paid(game, deal, count);
    const isSeen = (seat) => view.open || seat === view.seat;
    return {
      game: game.kind,
      clockwise: game.kind !== "trix",
      bottom: view.seat,
      toAct: finished ? null : deal.moves[count].seat,
      contract: contractName(game, said),
      seats: game.seats.map((name, seat) => ({
        name,
        cards: isSeen(seat) ? hands[seat] : null,
        count: hands[seat].length,
        roles: rolesOf(game, said, seat),
        tricks: layout || !deal.moves.some((move) => move.card) ? null : tricks[seat],
        out: out[seat],
        score: scores[game.scoreOf(seat)],
      })),
      trick,
      taker,
      layout,
      doubled,
      kitty: kitty.length ? kittyOf(fate === "take" ? discarded : kitty, fate, view.open, isSeen(said.declarer)) : null,
      legal: null,
    };
  }

  /** The scores of a deal that is not over: those before it, less the price that is paid when the auction ends. */
  function paid(game, deal, count) {
    const isCall = ({ text }) => text === "pass" || text.startsWith("bid:");
    if (deal.declarer === null || deal.moves.slice(count).some(isCall)) return deal.before;
    const place = game.scoreOf(deal.declarer);
    return deal.before.map((score, one) => (one === place ? score - Number.parseInt(deal.contract, 10) : score));
  }

  function kittyOf(cards, fate, open, declarerSeen) {
    const words = { take: "kittyTaken", leave: "kittyLeft" }[fate] ?? "kitty";
    const seen = open || (fate === "take" && declarerSeen);
    return { cards: seen ? cards : null, count: 4, words: terms.text(words) };
  }

  function contractName(game, { contract }) {
    if (!contract) return "";
    return game.kind === "trix" ? terms.text(contract) : terms.bidName(contract);
  }

  function rolesOf(game, { king, declarer }, seat) {
    const roles = [];
    if (king === seat) roles.push(terms.text("theKing"));
    if (declarer === seat) roles.push(terms.text("declarer"));
    if (game.forfeits.includes(seat)) roles.push(terms.text("forfeited"));
    return roles;
  }

  /** A move in words. */
  function wordsOf(game, { seat, text, card, taker }) {
    const name = game.seats[seat];
    const say = (key, values = {}) => terms.text(key, { name, ...values });
    const cardsIn = (list) => list.split(",").map(terms.cardName).join(", ");
    if (card) {
      const played = say("plays", { card: terms.cardName(card) });
      return taker === null ? played : `${played}. ${terms.text("takes", { name: game.seats[taker] })}`;
    }
    const [kind, rest] = text.split(":");
    switch (kind) {
      case "pass": return say("passes");
      case "contract": return say("names", { contract: terms.text(rest) });
      case "double": return rest === "none" ? say("doublesNot") : say("doubles", { cards: cardsIn(rest) });
      case "redeal": return say("redeals");
      case "keep": return say("keeps");
      case "bid": return say("bids", { bid: terms.bidName(rest) });
      case "kitty": return say(rest === "take" ? "takesKitty" : "leavesKitty");
      case "discard": return say("discards", { cards: cardsIn(rest) });
      case "name": return say("namesPart", { part: terms.partName(rest) });
      default: return `${name}: ${text}`;
    }
  }

  cardtable.replay = { gameOf, positionOf, wordsOf, contractName };
})(globalThis.cardtable);
