/** What stands below the hits: other nouns that a recall finds, and what to do where nothing is there. */

import { changed, here, writeAddress } from "./address.js";
import { element } from "./dom.js";
import { clearFilters } from "./filters.js";
import { rememberDialog } from "./remember.js";
import { bar } from "./row.js";
import { stored } from "./stored.js";
import { age, spaced } from "./words.js";

/** @import { Other } from "./shapes.js" */

/**
 * Decisions, conversations and documents that fit.
 *
 * @param {Other[]} found
 */
export function others(found) {
  if (found.length === 0) return null;
  return element(
    "section",
    { class: "others", "aria-label": "Beside memories" },
    element("h2", { class: "small-heading" }, "Beside memories"),
    element("ul", { class: "plain-list" }, found.map((other) => element("li", {}, one(other)))),
  );
}

/** @param {Other} other */
function one(other) {
  const inside = [
    element("span", { class: "other-title" }, stored(other.title)),
    element("span", { class: "other-excerpt" }, stored(other.excerpt, { most: 300 })),
    element(
      "span",
      { class: "row-meta" },
      bar(other.relevance, "relevance"),
      element("span", { class: "row-kind" }, other.kind),
      element("span", {}, spaced(other.reason)),
      element("time", {}, age(other.at)),
    ),
  ];
  const sort = other.kind === "session" || other.kind === "conversation" ? "session" : other.kind;
  if (sort !== "session" && sort !== "decision") return element("div", { class: "other" }, inside, element("code", { class: "command" }, stored(other.open_with)));
  return element("a", { class: "other", href: writeAddress(changed(here(), { open: `${sort}/${other.id}` })), data: { id: other.id } }, inside);
}

/** What a person who has nothing yet does first. */
export function emptyBook() {
  return element(
    "div",
    { class: "empty" },
    element("h2", {}, "Nothing is remembered yet"),
    element("p", {}, "Begin with one sentence, connect the tools you work with, or bring what another one has."),
    element("p", {}, element("button", { type: "button", class: "first", on: { click: () => rememberDialog() } }, "Remember something")),
    element(
      "dl",
      { class: "commands" },
      element("dt", {}, "Connect your tools"), element("dd", {}, element("code", { class: "command" }, "commonplace setup")),
      element("dt", {}, "Bring memories from elsewhere"), element("dd", {}, element("code", { class: "command" }, "commonplace import")),
    ),
  );
}

/**
 * What to do where nothing was found.
 *
 * @param {string} query
 * @param {boolean} narrowed
 */
export function nothingFound(query, narrowed) {
  return element(
    "div",
    { class: "empty" },
    element("h2", {}, "Nothing found"),
    element("p", {}, query === "" ? "No memory matches these filters." : "No memory matches these words. Try fewer or other ones."),
    narrowed ? element("p", {}, element("button", { type: "button", on: { click: clearFilters } }, "Without filters")) : null,
  );
}
