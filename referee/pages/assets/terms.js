/**
 * Words of the games in English and Arabic, and the switch between them.
 *
 * Owns every word that a table or a replay says. The one global of all scripts, `cardtable`, is made here.
 */
globalThis.cardtable = globalThis.cardtable ?? {};

(function (cardtable) {
  "use strict";

  const SUITS = {
    S: ["spades", "بستوني", "♠"],
    H: ["hearts", "كبة", "♥"],
    D: ["diamonds", "ديناري", "♦"],
    C: ["clubs", "سباتي", "♣"],
  };
  const RANKS = {
    A: ["ace", "آس"],
    K: ["king", "ختيار"],
    Q: ["queen", "بنت"],
    J: ["jack", "شب"],
    T: ["ten", "عشرة"],
  };

  /** Key: English, Arabic. A name in braces is filled in. */
  const TEXTS = {
    trix: ["trix", "تركس"],
    king: ["king of hearts", "ختيار الكبة"],
    queens: ["queens", "البنات"],
    diamonds: ["diamonds", "الديناري"],
    slaps: ["slaps", "اللطوش"],
    theKing: ["king", "صاحب المملكة"],
    declarer: ["declarer", "المشتري"],
    partner: ["partner", "الشريك"],
    kingdom: ["kingdom {number}", "المملكة {number}"],
    deal: ["Deal", "توزيعة"],
    dealOf: ["Deal {number} of {all}", "التوزيعة {number} من {all}"],
    kingdoms: ["Kingdom", "المملكة"],
    contract: ["Contract", "الطلب"],
    score: ["score", "النقاط"],
    scores: ["Scores", "ورقة النقاط"],
    noScores: ["No deal is complete yet.", "لم تنته أي توزيعة بعد."],
    auction: ["Auction", "المزايدة"],
    calls: ["Calls", "الطلبات"],
    kitty: ["kitty", "الكومة"],
    kittyTaken: ["kitty taken", "أُخذت الكومة"],
    kittyLeft: ["kitty left", "تُركت الكومة"],
    cards: ["{number} cards", "{number} أوراق"],
    noCards: ["no cards", "لا أوراق"],
    tricks: ["{number} tricks", "{number} لطوش"],
    oneTrick: ["1 trick", "لطش واحد"],
    outAs: ["out, place {number}", "خلص، المركز {number}"],
    toAct: ["to act", "دوره"],
    forfeited: ["forfeited", "خسر بالانسحاب"],
    house: ["The house decided here: {cause}.", "قررت الإدارة هنا: {cause}."],
    cardName: ["{rank} of {suit}", "{rank} {suit}"],
    plays: ["{name} plays {card}", "{name} يلعب {card}"],
    takes: ["{name} takes the trick", "اللطش لـ {name}"],
    passes: ["{name} passes", "{name} يمرر"],
    names: ["{name} chooses {contract}", "{name} يطلب {contract}"],
    doubles: ["{name} doubles {cards}", "{name} يدبّل {cards}"],
    doublesNot: ["{name} does not double", "{name} لا يدبّل"],
    doubled: ["doubled", "مدبّل"],
    redeals: ["{name} asks for new cards", "{name} يطلب إعادة التوزيع"],
    keeps: ["{name} keeps the cards", "{name} يتابع بأوراقه"],
    bids: ["{name} bids {bid}", "{name} يزايد {bid}"],
    takesKitty: ["{name} takes the kitty", "{name} يأخذ الكومة"],
    leavesKitty: ["{name} leaves the kitty", "{name} يترك الكومة"],
    discards: ["{name} discards {cards}", "{name} يرمي {cards}"],
    namesPart: ["{name} names {part}", "{name} يختار {part}"],
    dealt: ["The cards are dealt.", "وُزعت الأوراق."],
    void: ["The deal is void (rule {rule}).", "التوزيعة لاغية (القاعدة {rule})."],
    voided: ["void", "لاغية"],
    brings: ["The deal brings {points}.", "نقاط التوزيعة: {points}."],
    over: ["The game is over: {points}.", "انتهت اللعبة: {points}."],
    breaksOff: ["The record breaks off: {reason}", "السجل ينقطع: {reason}"],
    says: ["{name} says: {text}", "{name} يقول: {text}"],
    NT: ["no trump", "بدون حكم"],
    high: ["high", "عالي"],
    low: ["low", "واطي"],
    side: ["{first} and {second}", "{first} و{second}"],
    seat: ["Seat", "المقعد"],
    seatOf: ["seat {seat}", "المقعد {seat}"],
    hands: ["Show the other hands", "إظهار أوراق الآخرين"],
    backDeal: ["Deal before", "التوزيعة السابقة"],
    backTrick: ["Trick back", "لطش للخلف"],
    back: ["Card back", "ورقة للخلف"],
    forward: ["Card forward", "ورقة للأمام"],
    forwardTrick: ["Trick forward", "لطش للأمام"],
    forwardDeal: ["Next deal", "التوزيعة التالية"],
    play: ["Play", "تشغيل"],
    pause: ["Pause", "إيقاف"],
    move: ["Place in the deal", "الموضع في التوزيعة"],
    link: ["Copy a link to this position", "نسخ رابط لهذا الموضع"],
    linked: ["The link is copied.", "نُسخ الرابط."],
    notLinked: ["The link is in the address of this page.", "الرابط هو عنوان هذه الصفحة."],
    moves: ["All moves of this deal", "كل نقلات التوزيعة"],
    faults: ["Faults in this game", "أخطاء في هذه اللعبة"],
    leave: ["← Back to the report", "→ العودة إلى التقرير"],
    leaveToList: ["← Back to the games", "→ العودة إلى الألعاب"],
    keys: ["Keys", "المفاتيح"],
    keyStep: ["a card back or forward", "ورقة للخلف أو للأمام"],
    keyTrick: ["a trick back or forward", "لطش للخلف أو للأمام"],
    keyDeal: ["the deal before, the next deal", "التوزيعة السابقة أو التالية"],
    keyEnds: ["begin or end of the deal", "بداية التوزيعة أو نهايتها"],
    keyPlay: ["play by itself, and stop", "تشغيل تلقائي وإيقاف"],
    keyHands: ["the other hands shown or hidden", "إظهار أوراق الآخرين أو إخفاؤها"],
    keySeat: ["sit in the next seat", "الجلوس في المقعد التالي"],
    keyLeave: ["back to the report", "العودة إلى التقرير"],
    space: ["Space", "المسافة"],
  };

  const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u024f\u0370-\u052f]/;
  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
  let column = 0;

  /** The words of a key, with names filled in; a key that is none stands for itself. */
  function text(key, values = {}) {
    const pattern = Object.hasOwn(TEXTS, key) ? TEXTS[key][column] : String(key);
    return pattern.replace(/\{(\w+)\}/g, (_, name) => isolated(values[name] ?? ""));
  }

  /** What is filled in, so that it keeps its own direction among words of the other one. */
  function isolated(value) {
    const other = column === 1 ? LEFT_TO_RIGHT : RIGHT_TO_LEFT;
    return other.test(value) ? `\u2068${value}\u2069` : String(value);
  }

  /** A card in words: "ace of spades". */
  function cardName(card) {
    const rank = Object.hasOwn(RANKS, card[0]) ? RANKS[card[0]][column] : card[0];
    return text("cardName", { rank, suit: SUITS[card[1]][column] });
  }

  /** A bid, or what is played, in words: "12 hearts high", "17 low". */
  function bidName(bid) {
    return bid.replace(/^(\d+)-?(NT|[SHDC])?-?(high|low)?$/, (_, points, strain, direction) =>
      [points, strain && partName(strain), direction && text(direction)].filter(Boolean).join(" "));
  }

  /** A strain or a direction in words. */
  function partName(part) {
    return Object.hasOwn(SUITS, part) ? SUITS[part][column] : text(part);
  }

  /** Take in words that a page alone needs, in the form of those above. */
  function add(texts) {
    Object.assign(TEXTS, texts);
  }

  cardtable.terms = {
    add,
    text,
    cardName,
    bidName,
    partName,
    suitSign: (suit) => `${SUITS[suit][2]}\uFE0E`,
    rankSign: (rank) => (rank === "T" ? "10" : rank),
    get language() {
      return column ? "ar" : "en";
    },
    set language(wanted) {
      column = wanted === "ar" ? 1 : 0;
    },
  };
})(globalThis.cardtable);
