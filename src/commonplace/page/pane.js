/** What is open beside the list: one memory, one conversation or one decision. On a phone it is a layer of its own. */

import { changed, go, here, opened } from "./address.js";
import { isAbort, sentence } from "./api.js";
import { byId, element, fill } from "./dom.js";
import { keysFor } from "./keys.js";

/** @import { Address } from "./address.js" */
/** @typedef {{element: HTMLElement, refresh?: () => void}} Opened */
/** @typedef {(id: string, signal: AbortSignal) => Promise<Opened>} Opener */

/** @type {Map<string, Opener>} */
const OPENERS = new Map();
const PHONE = matchMedia("(max-width: 899px)");

/** @type {string | null} */
let shown = null;
let focusNext = false;
let reading = new AbortController();

/**
 * Says how one sort of thing is opened.
 *
 * @param {string} sort
 * @param {Opener} opener
 */
export function opens(sort, opener) {
  OPENERS.set(sort, opener);
}

/** Whether one thing covers the other. */
export function isPhone() {
  return PHONE.matches;
}

/**
 * Whether what is opened next takes the focus: so it is for who opened it by key, or who sees nothing else then.
 *
 * @param {boolean} wanted
 */
export function focusPaneNext(wanted) {
  focusNext = wanted;
}

/** Closes it; the focus goes back to the row it was opened from. */
export function closePane() {
  const open = opened(here());
  if (open === null) return;
  go(changed(here(), { open: null }));
  /** @type {HTMLElement | null} */ (document.querySelector(`.view:not([hidden]) [data-id="${CSS.escape(open.id)}"] a`))?.focus();
}

/**
 * Shows what the address has open. What was there stays until the next is.
 *
 * @param {Address} address
 */
export async function showPane(address) {
  const pane = byId("pane");
  const open = opened(address);
  const wanted = open === null ? "" : `${open.sort}/${open.id}`;
  document.body.classList.toggle("pane-open", open !== null);
  pane.hidden = !hasPane(address) && open === null;
  if (wanted === shown) return;
  shown = wanted;
  reading.abort();
  reading = new AbortController();
  const { signal } = reading;
  const opener = open === null ? undefined : OPENERS.get(open.sort);
  if (open === null || opener === undefined) {
    fill(pane, nothingOpen(address));
    return;
  }
  pane.setAttribute("aria-busy", "true");
  try {
    const found = await opener(open.id, signal);
    if (signal.aborted) return;
    fill(pane, found.element);
    pane.scrollTop = 0;
    if (focusNext && !isTyping()) /** @type {HTMLElement | null} */ (pane.querySelector("h2"))?.focus();
    focusNext = false;
  } catch (error) {
    if (isAbort(error) || signal.aborted) return;
    shown = null;
    fill(pane, element("div", { class: "empty" }, element("h2", { tabindex: -1 }, "This cannot be shown"), element("p", { class: "problem", role: "alert" }, sentence(error)), element("p", {}, element("button", { type: "button", on: { click: closePane } }, "Close"))));
  } finally {
    if (!signal.aborted) pane.setAttribute("aria-busy", "false");
  }
}

/** Whether the person has gone on to a field meanwhile: what they type there must not become keys of what was opened. */
function isTyping() {
  return document.activeElement instanceof HTMLInputElement && document.activeElement.type !== "checkbox";
}

/** @param {Address} address */
function hasPane(address) {
  return ["search", "sessions", "decisions"].includes(address.view);
}

/** @param {Address} address */
function nothingOpen(address) {
  const hints = { search: "Choose a memory to see where it came from", sessions: "Choose a session to read it", decisions: "Choose a decision to see how it came about" };
  return element("p", { class: "pane-hint" }, hints[/** @type {keyof typeof hints} */ (address.view)] ?? "");
}

keysFor("What is open", [
  { keys: "Escape", does: "close", when: () => opened(here()) !== null, run: closePane },
  { keys: "o", does: "go into it", when: () => opened(here()) !== null, run: () => /** @type {HTMLElement | null} */ (byId("pane").querySelector("h2"))?.focus() },
]);
