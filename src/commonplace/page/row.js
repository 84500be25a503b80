/** One memory in a list: its words, and at a glance what it is, how well it fits, whose word it is and what became of it. */

import { element, fill, measure } from "./dom.js";
import { icon } from "./icons.js";
import { firstMatch } from "./matching.js";
import { scopeName } from "./state.js";
import { stored } from "./stored.js";
import { visible } from "./visible.js";
import { age, cameFrom, date, moment, originOf, STATUSES } from "./words.js";

/** @import { Hit, Memory } from "./shapes.js" */

const SHOWN_OF_TEXT = 400; // two lines never hold more
const SEARCHED_OF_TEXT = 10_000; // characters: so far the place that matched is looked for
const FIRST_LINES = 100; // characters: what matched so early is seen anyway
const BEFORE_MATCH = 40;
const LABELS_SHOWN = 3;

/**
 * A bar and a figure from 0 to 1.
 *
 * @param {number} share
 * @param {string} name
 */
export function bar(share, name) {
  const said = share.toFixed(2);
  const filled = element("span", { class: "bar-filled" });
  measure(filled, "--share", Math.max(0, Math.min(1, share)));
  return element(
    "span",
    { class: "bar", title: `${name} ${said}` },
    element("span", { class: "bar-whole", "aria-hidden": "true" }, filled),
    element("span", { class: "unsaid" }, `${name} `),
    said,
  );
}

/**
 * Whose word it is: a mark that is full for a person's, half for an agent's, empty for the rest.
 *
 * @param {Memory} memory
 */
export function trust(memory) {
  const origin = originOf(memory.origin);
  return element(
    "span",
    { class: "trust", title: origin.means },
    element("span", { class: `trust-mark ${origin.trust}`, "aria-hidden": "true" }),
    origin.said,
  );
}

/**
 * What one has to know of it at once, if there is anything: that it waits, is no longer in use, is doubted or verified.
 *
 * @param {Memory} memory
 * @returns {HTMLElement[]}
 */
export function badges(memory) {
  const found = [];
  if (memory.waits === true) found.push(element("span", { class: "badge waits", title: "It waits for your yes or no" }, "waits"));
  if (memory.status !== "active") found.push(element("span", { class: "badge" }, STATUSES[memory.status] ?? memory.status));
  if (memory.standing === "verified" || memory.standing === "contested")
    found.push(element("span", { class: "badge" }, memory.standing));
  if (memory.pinned === true) found.push(element("span", { class: "badge plain", title: "pinned" }, icon("pin"), element("span", { class: "unsaid" }, "pinned")));
  if (memory.expires_at !== undefined && Date.parse(memory.expires_at) < Date.now())
    found.push(element("span", { class: "badge" }, "expired"));
  if (memory.flags !== undefined) found.push(element("span", { class: "badge", title: "It contains invisible characters" }, "hides text"));
  return found;
}

/**
 * The part of a text that a row shows: its beginning, or the place that matched.
 *
 * @param {string} text
 * @param {readonly string[]} words
 */
function shownPart(text, words) {
  const at = words.length === 0 ? -1 : firstMatch(text.slice(0, SEARCHED_OF_TEXT), words);
  if (at < FIRST_LINES) return text;
  const from = text.slice(0, at - BEFORE_MATCH).search(/\S+$/u); // not in the middle of a word
  return `…${text.slice(from < 0 || at - from > FIRST_LINES ? at : from)}`;
}

/**
 * The tags and the topic that matched, where the words themselves do not say it.
 *
 * @param {Hit} hit
 */
function matchedLabels(hit) {
  const unsaid = (hit.matched_words ?? []).filter((word) => firstMatch(hit.text.slice(0, SEARCHED_OF_TEXT), [word]) < 0);
  const labels = [hit.topic, ...hit.tags].filter((label) => label !== undefined && firstMatch(label, unsaid) >= 0);
  return labels.slice(0, LABELS_SHOWN).map((label) => element("span", {}, stored(label ?? "", { matched: unsaid })));
}

/**
 * What is inside of a row.
 *
 * @param {Memory | Hit} memory
 * @returns {HTMLElement[]}
 */
export function rowContent(memory) {
  const hit = "relevance" in memory ? memory : null;
  const words = hit?.matched_words ?? [];
  const from = cameFrom(memory);
  const about = memory.project_name ?? scopeName(memory.scope);
  return [
    element("span", { class: "row-text" }, stored(shownPart(memory.text, words), { matched: words, most: SHOWN_OF_TEXT })),
    element(
      "span",
      { class: "row-meta" },
      element(
        "span",
        { class: "row-marks" },
        hit === null ? null : bar(hit.relevance, "relevance"),
        ...badges(memory),
        element("span", { class: "row-kind" }, memory.kind),
        trust(memory),
        ...(hit === null ? [] : matchedLabels(hit)),
        about === "" ? null : element("span", { class: "row-scope" }, visible(about)),
        from === "" ? null : element("span", { class: "row-source" }, visible(from)),
      ),
      element("time", { title: moment(memory.created_at), class: "row-age" }, age(memory.created_at)),
    ),
  ];
}

/**
 * A memory as a small block that links to it, for where others stand beside one.
 *
 * @param {Memory} memory
 * @param {string} href
 * @param {Node} [text] its words in another form, such as a difference
 */
export function card(memory, href, text) {
  return element(
    "a",
    { class: "card", href, data: { id: memory.id } },
    element("span", { class: "card-text" }, text ?? stored(memory.text)),
    element(
      "span",
      { class: "row-meta" },
      ...badges(memory),
      element("span", {}, `${memory.kind} ${memory.number}`),
      trust(memory),
      element("time", { title: moment(memory.created_at) }, date(memory.created_at)),
    ),
  );
}

/**
 * Renews what is inside of a row, if it is another than before.
 *
 * @param {HTMLElement} row
 * @param {HTMLElement} inside
 * @param {Memory | Hit} memory
 */
export function renewRow(row, inside, memory) {
  const hit = "relevance" in memory ? memory : null;
  const { revision, status, origin, waits, pinned, standing } = memory;
  const version = JSON.stringify([revision, status, origin, waits, pinned, standing, hit?.relevance, hit?.matched_words]);
  row.dataset["status"] = status;
  if (row.dataset["version"] === version) return;
  row.dataset["version"] = version;
  fill(inside, ...rowContent(memory));
}
