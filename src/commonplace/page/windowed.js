/**
 * A list without end, of which only what is in sight is in the document: a hundred thousand rows cost as much as twenty.
 *
 * All rows are of one height, which the stylesheet gives and the first row tells. One row at a time can be reached by
 * Tab; the arrow keys go from row to row.
 */

import { element, keyed, measure } from "./dom.js";

const BEYOND = 8; // rows kept ready above and below what is in sight
const AHEAD = "900px"; // how early more is asked for

/**
 * @template Item
 * @typedef {object} Rows
 * @property {string} label
 * @property {(item: Item) => string} key
 * @property {(item: Item) => HTMLElement} make a row: an `li` with a link in it
 * @property {(row: HTMLElement, item: Item, index: number) => void} update
 * @property {() => void} more asked when the end comes near
 */

/** @template Item */
export class Windowed {
  /** @type {Item[]} */
  items = [];
  /** How many there are in all, if anybody knows. @type {number | null} */
  total = null;
  current = 0;

  /** @param {Rows<Item>} rows */
  constructor(rows) {
    this.rows = rows;
    this.height = 0;
    this.list = element("ul", { class: "rows", role: "list", "aria-label": rows.label });
    this.after = element("div", { class: "rows-after" });
    this.end = element("div", { class: "rows-end", "aria-hidden": "true" });
    this.element = element("div", { class: "scroller", tabindex: -1 }, this.list, this.end, this.after);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("focusin", (event) => this.focused(event));
    new ResizeObserver(() => this.resized()).observe(this.element);
    new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && rows.more(), {
      root: this.element,
      rootMargin: AHEAD,
    }).observe(this.end);
  }

  /**
   * Shows other items, from the top.
   *
   * @param {Item[]} items
   * @param {number | null} [total]
   */
  show(items, total = null) {
    this.items = items;
    this.total = total;
    this.current = 0;
    this.element.scrollTop = 0;
    this.draw();
  }

  /**
   * Shows the same list as it is now, where one looks at it.
   *
   * @param {Item[]} items
   */
  renew(items) {
    this.items = items;
    this.current = Math.min(this.current, Math.max(0, items.length - 1));
    this.draw();
  }

  /** Whether the end of what is loaded is near what is in sight. */
  get isNearEnd() {
    return this.element.scrollTop + 2 * this.element.clientHeight + 900 > this.height * this.items.length;
  }

  resized() {
    const row = /** @type {HTMLElement | null} */ (this.list.firstElementChild);
    const height = row?.offsetHeight ?? 0;
    if (height > 0) this.height = height;
    this.draw();
  }

  draw() {
    if (this.height === 0 && this.items.length > 0 && this.element.clientHeight > 0) this.measured();
    const height = this.height || 80;
    const seen = Math.ceil((this.element.clientHeight || 800) / height);
    const last = Math.min(this.items.length, Math.ceil(this.element.scrollTop / height) + seen + BEYOND);
    const first = Math.max(0, Math.min(last, Math.floor(this.element.scrollTop / height) - BEYOND));
    const held = document.activeElement;
    measure(this.list, "--above", `${first * height}px`);
    measure(this.list, "--below", `${(this.items.length - last) * height}px`);
    keyed(
      this.list,
      this.items.slice(first, last),
      this.rows.key,
      this.rows.make,
      (row, item, place) => this.updated(row, item, first + place),
    );
    // A row that scrolled away takes the focus with it: the list itself holds it then, and the arrows go on from there.
    if (held !== null && held !== document.activeElement && !held.isConnected) this.element.focus({ preventScroll: true });
  }

  measured() {
    const [first] = this.items;
    if (first === undefined) return;
    keyed(this.list, [first], this.rows.key, this.rows.make, (row, item) => this.updated(row, item, 0));
    this.height = /** @type {HTMLElement} */ (this.list.firstElementChild).offsetHeight;
  }

  /** @param {HTMLElement} row @param {Item} item @param {number} index */
  updated(row, item, index) {
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-setsize", String(this.total ?? this.items.length));
    row.dataset["index"] = String(index);
    for (const control of row.querySelectorAll("a, input, button"))
      /** @type {HTMLElement} */ (control).tabIndex = index === this.current ? 0 : -1;
    this.rows.update(row, item, index);
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest("li");
    const index = Number(row?.dataset["index"] ?? this.current);
    if (index === this.current) return;
    this.current = index;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLTextAreaElement) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / (this.height || 80)) - 1);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.items.length, End: this.items.length };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.move(step);
  }

  /**
   * Goes some rows on, and takes the focus there.
   *
   * @param {number} step
   * @returns {Item | undefined} where it is now
   */
  move(step) {
    const inList = this.element.contains(document.activeElement);
    const from = inList || this.current > 0 ? this.current + step : step > 0 ? 0 : this.current;
    return this.focus(from);
  }

  /**
   * Takes the focus to a row and brings it in sight.
   *
   * @param {number} index
   */
  focus(index) {
    if (this.items.length === 0) return undefined;
    this.current = Math.max(0, Math.min(this.items.length - 1, index));
    const top = this.current * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.element.scrollTop = top + this.height - clientHeight;
    this.draw();
    /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-index="${this.current}"] a`))?.focus({ preventScroll: true });
    return this.items[this.current];
  }
}
