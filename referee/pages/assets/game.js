/**
 * A page of one game: it opens as its replay, and is left to the list that it came from.
 */
(function (cardtable) {
  "use strict";

  const { game, back } = JSON.parse(document.getElementById("place").textContent);
  cardtable.back = back;
  if (!new URLSearchParams(location.hash.slice(1)).has("game")) {
    history.replaceState(null, "", `#game=${encodeURIComponent(game).replaceAll("%2F", "/")}`);
  }
})(globalThis.cardtable);
