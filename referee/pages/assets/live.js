/**
 * A page that follows its tournament: pieces of it are made anew as the server tells.
 *
 * Owns the stream and how a piece is put in place of the one before: elements stay, and with them the focus, what is
 * scrolled and what is unfolded.
 */
(function () {
  "use strict";

  const page = document.getElementById("report");
  if (!page?.dataset.since) return;

  /** A screen reader is told at most this often. */
  const SAY_MS = 15_000;
  /** A server that refused is asked again after this time. */
  const RETRY_MS = 10_000;
  const byId = (id) => document.getElementById(id);
  const newer = byId("newer");
  let { since } = page.dataset;
  let source = null;
  let isPaused = false;
  let retrying = 0;
  let saidAt = Date.now();
  let saying = 0;

  // -- putting a piece in place

  const keyOf = (node) => node.dataset?.key ?? null;

  function morph(old, fresh) {
    if (old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) return old.replaceWith(fresh);
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return undefined;
    }
    for (const { name } of [...old.attributes]) {
      const isReaders = name === "open" && old.nodeName === "DETAILS";
      if (!fresh.hasAttribute(name) && !isReaders) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    return morphChildren(old, fresh);
  }

  function morphChildren(old, fresh) {
    const kept = new Set([...fresh.childNodes].map(keyOf).filter((key) => key !== null));
    for (const child of [...old.childNodes]) {
      if (keyOf(child) !== null && !kept.has(keyOf(child))) child.remove();
    }
    let at = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const isNew = at === null || (keyOf(child) !== null && keyOf(child) !== keyOf(at));
      if (isNew) {
        old.insertBefore(child, at);
      } else {
        const next = at.nextSibling;
        morph(at, child);
        at = next;
      }
    }
    while (at !== null) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  }

  function put(name, html) {
    if (name === "count") return tellNewer(Number(html));
    const old = byId(name);
    if (!old) return undefined;
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    return morphChildren(old, fresh.content);
  }

  /** On the list of games: how many there are that it has not. */
  function tellNewer(games) {
    if (!newer) return;
    const more = games - Number(newer.dataset.games);
    if (more <= 0) return;
    const link = newer.querySelector("a") ?? newer.appendChild(document.createElement("a"));
    link.href = location.href;
    link.textContent = `${more.toLocaleString("en")} new game${more === 1 ? "" : "s"}: load the list again`;
  }

  // -- words

  function show(words) {
    byId("freshness").textContent = words;
  }

  function say() {
    clearTimeout(saying);
    const words = document.querySelector("[data-say]")?.dataset.say ?? "";
    if (words === byId("said").textContent) return;
    const wait = saidAt + SAY_MS - Date.now();
    if (wait > 0) {
      saying = setTimeout(say, wait);
      return;
    }
    saidAt = Date.now();
    byId("said").textContent = words;
  }

  // -- the stream

  function take(event) {
    since = event.lastEventId;
    for (const [name, html] of Object.entries(JSON.parse(event.data))) put(name, html);
    show(`Following the tournament; last change at ${new Date().toLocaleTimeString("en-GB")}`);
    say();
  }

  function start() {
    clearTimeout(retrying);
    if (source || isPaused || document.hidden) return;
    const only = newer ? "&only=count" : "";
    source = new EventSource(`/events?since=${encodeURIComponent(since)}${only}`);
    source.addEventListener("open", () => show("Following the tournament"));
    source.addEventListener("message", take);
    source.addEventListener("reload", () => {
      stop();
      location.reload();
    });
    source.addEventListener("error", () => {
      show("The server is away; it is asked again");
      if (source?.readyState !== EventSource.CLOSED) return;
      stop();
      retrying = setTimeout(start, RETRY_MS);
    });
  }

  function stop() {
    clearTimeout(retrying);
    source?.close();
    source = null;
  }

  byId("pause").addEventListener("click", () => {
    isPaused = !isPaused;
    byId("pause").textContent = isPaused ? "Go on" : "Pause";
    if (isPaused) {
      stop();
      show("Paused: nothing changes here");
    } else {
      start();
    }
  });
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", start);
  byId("live").hidden = false;
  start();
})();
