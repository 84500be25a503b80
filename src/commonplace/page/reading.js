/** A list that is read: of sessions, of decisions. With a query the likeliest first, without the newest, without end. */

import { changed, here, opened, turn, writeAddress } from "./address.js";
import { get, isAbort, sentence } from "./api.js";
import { element, fill } from "./dom.js";
import { focusPaneNext, isPhone } from "./pane.js";
import { keysFor } from "./keys.js";
import { count } from "./words.js";
import { Windowed } from "./windowed.js";

/** @import { Address } from "./address.js" */

const PAUSE_MILLISECONDS = 150;
const PAGE = 50;

/**
 * @template {{id: string}} Item
 * @typedef {object} Reading
 * @property {string} name of the view, and of what is listed in the answer
 * @property {string} title
 * @property {string} sort what one of them is called in the address
 * @property {string} placeholder
 * @property {[string, string]} nouns
 * @property {() => HTMLElement} empty what is said where there is none
 * @property {(item: Item) => (HTMLElement | null)[]} row what is inside of a row
 */

/**
 * The view of such a list.
 *
 * @template {{id: string}} Item
 * @param {Reading<Item>} what
 */
export function readingView(what) {
  let asked = "\0";
  let asking = new AbortController();
  /** @type {number | string | null} */
  let cursor = null;
  let loading = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const line = element("p", { class: "list-count", role: "status" });
  const field = element("input", {
    type: "search", class: "search-field", "aria-label": what.placeholder, placeholder: what.placeholder, autocomplete: "off", maxlength: 2000,
    on: {
      input: () => {
        clearTimeout(pause);
        pause = setTimeout(() => turn({ query: field.value.trim() === "" ? null : field.value }, { instead: here().query.has("query") }), PAUSE_MILLISECONDS);
      },
      keydown: (event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        list.focus(0);
      },
    },
  });
  const list = new Windowed({
    label: what.title,
    key: (/** @type {Item} */ item) => item.id,
    make: (/** @type {Item} */ item) => element("li", { class: "row reading-row", data: { id: item.id } }, element("a", { class: "row-link", href: "#/search", on: { click: (event) => focusPaneNext(event.detail === 0 || isPhone()) } }, what.row(item))),
    update: (row, item) => {
      const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a"));
      link.hash = writeAddress(changed({ view: what.name, query: here().query }, { open: `${what.sort}/${item.id}` }));
      if (opened(here())?.id === item.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    },
    more: () => more(),
  });

  /** @param {string} query @param {AbortSignal} signal */
  const read = async (query, signal) => {
    const answer = await get(`/${what.name}`, { query: { query, limit: PAGE, cursor }, signal });
    signal.throwIfAborted();
    cursor = query === "" || answer.next_cursor !== null ? answer.next_cursor : null;
    return { items: /** @type {Item[]} */ (answer[what.name]), total: /** @type {number | null} */ (answer.total) };
  };

  /** @param {Address} address */
  const ask = async (address) => {
    const query = address.query.get("query")?.trim() ?? "";
    if (query === asked) return;
    asked = query;
    asking.abort();
    asking = new AbortController();
    cursor = null;
    try {
      const { items, total } = await read(query, asking.signal);
      list.show(items, total);
      fill(line, items.length === 0 ? "" : `${count(total ?? items.length, ...what.nouns)}, ${query === "" ? "newest first" : "best first"}`);
      fill(list.after, items.length > 0 ? null : query === "" ? what.empty() : element("div", { class: "empty" }, element("h2", {}, "Nothing found"), element("p", {}, "Try fewer or other words.")));
    } catch (error) {
      if (isAbort(error)) return;
      asked = "\0";
      fill(list.after, element("p", { class: "problem", role: "alert" }, sentence(error)));
    }
  };

  const more = async () => {
    if (cursor === null || loading) return;
    loading = true;
    try {
      const { items } = await read(asked, asking.signal);
      list.renew([...list.items, ...items.filter((item) => !list.items.some((each) => each.id === item.id))]);
    } catch (error) {
      if (isAbort(error)) return;
      cursor = null;
      fill(list.after, element("p", { class: "problem", role: "alert" }, sentence(error)));
    } finally {
      loading = false;
    }
    if (list.isNearEnd) more();
  };

  const isHere = () => here().view === what.name;
  const step = (/** @type {number} */ by) => {
    const item = list.move(by);
    if (item !== undefined && opened(here()) !== null && !isPhone()) turn({ open: `${what.sort}/${item.id}` }, { instead: true });
  };
  keysFor(what.title, [
    { keys: "j", does: "next", when: isHere, run: () => step(1), quiet: true },
    { keys: "k", does: "the one before", when: isHere, run: () => step(-1), quiet: true },
  ]);

  return {
    name: what.name,
    title: what.title,
    element: element(
      "section",
      { class: "view", data: { view: what.name }, "aria-label": what.title },
      element("header", { class: "list-head" }, element("h1", { class: "unsaid" }, what.title), element("form", { class: "search-form", role: "search", on: { submit: (event) => { event.preventDefault(); list.focus(0); } } }, field), element("div", { class: "list-line" }, line)),
      list.element,
    ),
    /** @param {Address} address */
    show: (address) => {
      if (document.activeElement !== field) field.value = address.query.get("query") ?? "";
      ask(address);
      list.draw();
    },
    refresh: () => {
      asked = "\0";
      if (isHere()) ask(here());
    },
  };
}
