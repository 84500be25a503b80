/** The page: who is here, which view is shown, and what holds in all of them. */

import { follow, go, here, parseAddress, tell } from "./address.js";
import { connection, retryNow, signIn, whenSignedOut } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { comeIn, keyInAddress, leave } from "./enter.js";
import { EVERYWHERE, keysFor, listenToKeys, showKeys } from "./keys.js";
import { showPane } from "./pane.js";
import { focusSearch, refresh, search } from "./search.js";
import { known, learnChoices, learnMe, news } from "./state.js";
import { failed, undoLast } from "./toast.js";
import { figure } from "./words.js";
import "./memory.js";
import { decisions } from "./decisions.js";
import { health } from "./health.js";
import { review } from "./review.js";
import { sessions } from "./sessions.js";

/** @import { Address } from "./address.js" */
/** @typedef {{name: string, title: string, element: HTMLElement, show: (address: Address) => void}} View */

/** @type {View[]} */
const VIEWS = [search, review, sessions, decisions, health];
let wasIn = false;

/** @param {Address} address */
function show(address) {
  if (address.view === "enter") return;
  const view = VIEWS.find((each) => each.name === address.view) ?? search;
  for (const each of VIEWS) each.element.hidden = each !== view;
  document.body.dataset["view"] = view.name;
  document.title = `${view.title} · Commonplace`;
  for (const link of document.querySelectorAll("[data-nav]"))
    if (/** @type {HTMLElement} */ (link).dataset["nav"] === view.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  showPane(address);
  view.show(address);
}

function showMe() {
  const { me } = known;
  if (me === null) return;
  const waiting = byId("waiting-count");
  fill(waiting, me.waiting > 0 ? figure(me.waiting) : "");
  waiting.setAttribute("aria-label", me.waiting > 0 ? `${figure(me.waiting)} wait` : "");
  fill(byId("who"), me.signed_in ? element("button", { type: "button", class: "quiet", on: { click: leave } }, "Sign out") : null);
}

function watchServer() {
  const bar = byId("server");
  connection.addEventListener("lost", (event) => {
    const seconds = /** @type {CustomEvent} */ (event).detail;
    if (bar.hidden) fill(bar, element("span", {}, "The server does not answer. What you typed is kept; it is tried again by itself."), element("button", { type: "button", on: { click: retryNow } }, "Try now"));
    bar.hidden = false;
    bar.dataset["seconds"] = String(seconds);
  });
  connection.addEventListener("back", () => {
    bar.hidden = true;
    refresh();
  });
}

keysFor(EVERYWHERE, [
  { keys: "/", does: "search", run: focusSearch },
  { keys: "g s", does: "go to the search", run: () => go(parseAddress("#/search")) },
  { keys: "g r", does: "go to what waits", run: () => go(parseAddress("#/review")) },
  { keys: "g c", does: "go to the sessions", run: () => go(parseAddress("#/sessions")) },
  { keys: "g d", does: "go to the decisions", run: () => go(parseAddress("#/decisions")) },
  { keys: "g h", does: "go to the health view", run: () => go(parseAddress("#/health")) },
  { keys: "Mod+z", does: "take back what was done last", run: undoLast },
  { keys: "?", does: "these keys", run: showKeys },
]);

async function start() {
  fill(byId("views"), ...VIEWS.map((view) => view.element));
  byId("keys").addEventListener("click", showKeys);
  whenSignedOut(() => comeIn(null, wasIn));
  watchServer();
  listenToKeys();
  news.addEventListener("me", showMe);
  const key = keyInAddress();
  if (key !== null) await signIn(key).catch((refusal) => comeIn(refusal, false));
  else if (here().view === "enter") {
    await comeIn(null, false);
    go(parseAddress("#/search"), { instead: true });
  }
  learnMe().then(() => (wasIn = true), failed); // while the view asks for its own
  follow(show);
  tell();
  learnChoices().catch(() => undefined); // names of projects; whoever needs more asks again
}

start();
