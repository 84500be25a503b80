/** Search and list: the real recall as one types, without a query what is remembered, newest first and without end. */

import { changed, go, here, opened, turn, writeAddress } from "./address.js";
import { act, selectionActs } from "./acts.js";
import { get, isAbort, sentence } from "./api.js";
import { element, fill } from "./dom.js";
import { clearFilters, filterButton, filterOf, isNarrowed, showChips } from "./filters.js";
import { icon } from "./icons.js";
import { keysFor } from "./keys.js";
import { focusPaneNext, isPhone } from "./pane.js";
import { rememberDialog } from "./remember.js";
import { renewRow } from "./row.js";
import { others, emptyBook, nothingFound } from "./search_beside.js";
import { known, news, whenChanged } from "./state.js";
import { count, figure } from "./words.js";
import { Windowed } from "./windowed.js";

/** @import { Address } from "./address.js" */
/** @import { Hit, Listed, Memory, Recalled } from "./shapes.js" */

const PAUSE_MILLISECONDS = 120; // between the last key and the question
const SLOW_MILLISECONDS = 150; // from then on it is said that an answer is on its way
const PAGE = 100;
const NEXT_PAGES = 300; // who scrolls on goes far
const HITS = 50;

/** @type {Set<string>} */
const selected = new Set();
let anchor = 0;
let asked = "";
/** @type {AbortController} */
let asking = new AbortController();
/** What the list has already. @type {Set<string>} */
let listed = new Set();
/** @type {string | number | null} */
let cursor = null;
let loadingMore = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;

const field = element("input", {
  type: "search", id: "query", class: "search-field", "aria-label": "Search memories", placeholder: "Search memories",
  autocomplete: "off", spellcheck: "false", enterkeyhint: "search", maxlength: 2000,
  on: { input: () => typed(), keydown: (event) => leave(event) },
});
const chips = element("div", { class: "chips" });
const line = element("p", { class: "list-count", role: "status" });
const bulk = element("div", { class: "bulk", role: "toolbar", "aria-label": "What is selected", hidden: true });
const problem = element("p", { class: "problem list-problem", role: "alert", hidden: true });

/** @type {Windowed<Memory | Hit>} */
const list = new Windowed({
  label: "Memories",
  key: (memory) => memory.id,
  make: makeRow,
  update: updateRow,
  more: () => more(),
});

export const search = {
  name: "search",
  title: "Search",
  element: element(
    "section",
    { class: "view", data: { view: "search" }, "aria-label": "Search" },
    element(
      "header",
      { class: "list-head" },
      element("h1", { class: "unsaid" }, "Memories"),
      element(
        "form",
        { class: "search-form", role: "search", on: { submit: (event) => { event.preventDefault(); ask(here()); list.focus(0); } } },
        field,
        ...filterButton(),
        element("button", { type: "button", class: "first with-icon", "aria-label": "Remember something", on: { click: () => rememberDialog() } }, icon("plus"), element("span", { class: "wide-only" }, "Remember")),
      ),
      chips,
      element("div", { class: "list-line" }, line),
      problem,
    ),
    list.element,
    bulk,
  ),
  /** @param {Address} address */
  show(address) {
    if (document.activeElement !== field) field.value = address.query.get("query") ?? "";
    showChips(chips, address);
    ask(address);
    list.draw();
  },
};

function typed() {
  clearTimeout(pause);
  const query = field.value;
  // One entry of the history for a search, not one for each letter.
  pause = setTimeout(() => turn({ query: query.trim() === "" ? null : query }, { instead: here().query.has("query") && query !== "" }), PAUSE_MILLISECONDS);
}

/** @param {KeyboardEvent} event */
function leave(event) {
  if (event.key === "ArrowDown") {
    event.preventDefault();
    list.focus(0);
  } else if (event.key === "Escape" && field.value === "") {
    field.blur();
  }
}

/** Asks again what is shown, whatever was asked before. */
export function refresh() {
  asked = "";
  ask(here());
}

/** @param {Address} address */
async function ask(address) {
  const query = address.query.get("query")?.trim() ?? "";
  const filters = filterOf(address);
  const question = `${query}?${filters}`;
  if (question === asked) return;
  asked = question;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  list.element.setAttribute("aria-busy", "true");
  problem.hidden = true;
  const slow = setTimeout(() => fill(line, query === "" ? "Listing…" : "Looking…"), SLOW_MILLISECONDS);
  try {
    if (query === "") await listAll(filters, signal);
    else await recall(query, filters, signal);
  } catch (error) {
    if (isAbort(error)) return;
    asked = "";
    cursor = null;
    unselect();
    list.show([]);
    fill(list.after); // what was asked before is no answer to this
    fill(problem, sentence(error));
    problem.hidden = false;
    fill(line, "");
  } finally {
    clearTimeout(slow);
    if (!signal.aborted) list.element.setAttribute("aria-busy", "false");
  }
}

/** @param {string} query @param {URLSearchParams} filters @param {AbortSignal} signal */
async function recall(query, filters, signal) {
  const asks = new URLSearchParams(filters);
  asks.set("query", query);
  asks.set("limit", String(HITS));
  const found = /** @type {Recalled} */ (await get("/recall", { query: asks, signal }));
  signal.throwIfAborted();
  cursor = null;
  unselect();
  list.show(found.hits, found.hits.length);
  const by = found.mode === "lexical" ? " by words" : "";
  const weaker = found.omitted > 0 ? `, ${count(found.omitted, "weaker one", "weaker ones")} left out` : "";
  fill(line, found.hits.length === 0 ? "Nothing found" : `${count(found.hits.length, "memory", "memories")}, best first${by}${weaker}`);
  fill(list.after, found.hits.length + found.others.length === 0 ? nothingFound(query, isNarrowed(here())) : null, others(found.others), found.warnings.map((warning) => element("p", { class: "note" }, warning)));
}

/** @param {URLSearchParams} filters @param {AbortSignal} signal */
async function listAll(filters, signal) {
  const asks = new URLSearchParams(filters);
  asks.set("limit", String(PAGE));
  const found = /** @type {Listed} */ (await get("/memories", { query: asks, signal }));
  signal.throwIfAborted();
  cursor = found.next_cursor;
  unselect();
  listed = new Set(found.memories.map((memory) => memory.id));
  list.show(found.memories, found.total);
  const total = found.total ?? found.memories.length;
  fill(line, total === 0 ? "" : `${count(total, "memory", "memories")}, newest first`);
  fill(list.after, total > 0 ? null : isNarrowed(here()) ? nothingFound("", true) : emptyBook());
}

async function more() {
  if (cursor === null || loadingMore) return;
  loadingMore = true;
  const { signal } = asking;
  const asks = filterOf(here());
  asks.set("limit", String(NEXT_PAGES));
  asks.set("cursor", String(cursor));
  try {
    const found = /** @type {Listed} */ (await get("/memories", { query: asks, signal }));
    if (signal.aborted) return;
    cursor = found.next_cursor;
    const added = found.memories.filter((memory) => !listed.has(memory.id));
    for (const memory of added) listed.add(memory.id);
    list.renew(list.items.concat(added));
  } catch (error) {
    if (isAbort(error)) return;
    cursor = null;
    fill(list.after, element("p", { class: "problem" }, sentence(error), " ", element("button", { type: "button", on: { click: refresh } }, "List again")));
  } finally {
    loadingMore = false;
  }
  if (list.isNearEnd) more();
}

/** @param {Memory | Hit} memory */
function makeRow(memory) {
  const box = element("input", { type: "checkbox", "aria-label": `Select ${memory.kind} ${memory.number}` });
  const link = element("a", { class: "row-link", href: "#/search" });
  const row = element("li", { class: "row", data: { id: memory.id } }, element("label", { class: "row-check" }, box), link);
  box.addEventListener("click", (event) => choose(Number(row.dataset["index"]), box.checked, event.shiftKey));
  link.addEventListener("click", (event) => focusPaneNext(event.detail === 0 || isPhone()));
  return row;
}

/** @param {HTMLElement} row @param {Memory | Hit} memory */
function updateRow(row, memory) {
  const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a"));
  const box = /** @type {HTMLInputElement} */ (row.querySelector("input"));
  const address = here();
  const isOpen = opened(address)?.id === memory.id;
  link.hash = writeAddress(changed({ ...address, view: "search" }, { open: `memory/${memory.id}` }));
  if (isOpen) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
  box.checked = selected.has(memory.id);
  row.classList.toggle("selected", box.checked);
  renewRow(row, link, memory);
}

/** @param {number} index @param {boolean} on @param {boolean} range */
function choose(index, on, range) {
  const [from, to] = range ? [Math.min(anchor, index), Math.max(anchor, index)] : [index, index];
  for (const memory of list.items.slice(from, to + 1)) on ? selected.add(memory.id) : selected.delete(memory.id);
  anchor = index;
  showSelection();
}

function unselect() {
  if (selected.size === 0) return;
  selected.clear();
  showSelection();
}

function showSelection() {
  list.draw();
  bulk.hidden = selected.size === 0;
  if (selected.size === 0) return;
  const held = bulk.contains(document.activeElement) ? document.activeElement?.textContent : null;
  fill(
    bulk,
    element("strong", { role: "status" }, `${figure(selected.size)} selected`),
    element("button", { type: "button", class: "quiet", on: { click: selectAll } }, "All shown"),
    element("button", { type: "button", class: "quiet", on: { click: unselect } }, "None"),
    element("div", { class: "bulk-acts" }, selectionActs(() => list.items.filter((memory) => selected.has(memory.id)), unselect)),
  );
  for (const button of bulk.querySelectorAll("button")) if (button.textContent === held) button.focus();
}

function selectAll() {
  for (const memory of list.items) selected.add(memory.id);
  showSelection();
}

/** The memory that keys are about: what is open, else the row one is at. */
function aimed() {
  const open = opened(here());
  return list.items.find((memory) => memory.id === open?.id) ?? (list.element.contains(document.activeElement) ? list.items[list.current] : undefined);
}

/** @param {number} step */
function step(step) {
  const open = opened(here());
  const place = list.items.findIndex((memory) => memory.id === open?.id);
  // From what is open, wherever the focus is; else from the row one is at.
  const memory = place >= 0 && !list.element.contains(document.activeElement) ? list.focus(place + step) : list.move(step);
  // With one open, going on reads the next one at once, as in a letter box.
  if (memory !== undefined && open !== null && !isPhone()) go(changed(here(), { open: `memory/${memory.id}` }), { instead: true });
}

/** @param {string} name */
function actOn(name) {
  const chosen = list.items.filter((memory) => selected.has(memory.id));
  const memory = aimed();
  if (chosen.length > 0) act(name, chosen).then(unselect);
  else if (memory !== undefined) act(name, [memory]);
}

const isHere = () => here().view === "search";

keysFor("Search", [
  { keys: "j", does: "next", when: isHere, run: () => step(1) },
  { keys: "k", does: "the one before", when: isHere, run: () => step(-1) },
  { keys: "x", does: "select", when: isHere, run: () => choose(list.current, !selected.has(list.items[list.current]?.id ?? ""), false) },
  { keys: "y", does: "confirm", when: isHere, run: () => actOn("confirm") },
  { keys: "#", does: "forget", when: isHere, run: () => actOn("forget") },
  { keys: "n", does: "remember something", when: isHere, run: () => rememberDialog() },
]);

/** Takes the focus to the search field. */
export function focusSearch() {
  if (!isHere()) go(changed({ view: "search", query: new URLSearchParams() }, {}));
  field.focus();
  field.select();
}

whenChanged((memories, gone) => {
  const now = new Map(memories.map((memory) => [memory.id, memory]));
  const kept = list.items.filter((memory) => !gone.includes(memory.id));
  for (const id of gone) selected.delete(id);
  list.renew(kept.map((memory) => ({ ...memory, ...now.get(memory.id) })));
  const added = memories.some((memory) => !list.items.some((each) => each.id === memory.id));
  if (added && here().query.get("query") === null && list.element.scrollTop <= list.height) refresh();
});

news.addEventListener("me", () => {
  if (known.me?.words_only === true) field.placeholder = "Search by words";
});

export { clearFilters };
