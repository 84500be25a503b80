/** Stored text in the page: as text nodes, in an isolate of its own direction, with what would not be seen shown. */

import { element } from "./dom.js";
import { difference } from "./difference.js";
import { marked } from "./matching.js";
import { pieces } from "./visible.js";

const DIFFERENCE_LIMIT = 130_000; // characters of both texts: no two memories have more

/**
 * A stored text, all of it to be seen. Words that matched are marked.
 *
 * @param {string} text
 * @param {{class?: string, matched?: readonly string[], most?: number}} [how]
 * @returns {HTMLElement}
 */
export function stored(text, { class: name = "", matched = [], most } = {}) {
  const shown = most !== undefined && text.length > most ? `${text.slice(0, most)}…` : text;
  return element("span", { class: `stored ${name}`.trim(), dir: "auto" }, ...parts(shown, matched));
}

/** @param {string} text @param {readonly string[]} matched @returns {(Node | string)[]} */
function parts(text, matched) {
  return pieces(text).flatMap((piece) => {
    if (piece.unseen) return [element("span", { class: "unseen", title: "An invisible character" }, piece.text)];
    if (matched.length === 0) return [piece.text];
    return marked(piece.text, matched).map((part) => (part.marked ? element("mark", {}, part.text) : part.text));
  });
}

/**
 * What differs between two stored texts: gone words struck out, new ones marked, both said to who does not see it.
 *
 * @param {string} before
 * @param {string} after
 * @param {string} [name] a class for it
 * @returns {HTMLElement}
 */
export function differing(before, after, name = "") {
  if (before.length + after.length > DIFFERENCE_LIMIT) {
    return element("div", { class: name }, element("del", {}, stored(before)), element("ins", {}, stored(after)));
  }
  return element(
    "span",
    { class: `stored difference ${name}`.trim(), dir: "auto" },
    ...difference(before, after).map((stretch) => {
      const inside = parts(stretch.text, []);
      if (stretch.kind === "same") return element("span", {}, ...inside);
      return element(stretch.kind === "gone" ? "del" : "ins", {}, ...inside);
    }),
  );
}

/**
 * One of two texts beside each other, with what the other one does not have marked.
 *
 * @param {string} before
 * @param {string} after
 * @param {"before" | "after"} side
 * @returns {HTMLElement}
 */
export function oneSide(before, after, side) {
  const own = side === "before" ? "gone" : "new";
  if (before.length + after.length > DIFFERENCE_LIMIT) return stored(side === "before" ? before : after);
  return element(
    "span",
    { class: "stored difference", dir: "auto" },
    ...difference(before, after)
      .filter((stretch) => stretch.kind === "same" || stretch.kind === own)
      .map((stretch) => element(stretch.kind === "same" ? "span" : own === "gone" ? "del" : "ins", {}, ...parts(stretch.text, []))),
  );
}
