/** The history of a memory: each text with what changed marked, and what happened otherwise. */

import { get, isAbort, sentence } from "./api.js";
import { element, fill } from "./dom.js";
import { differing, stored } from "./stored.js";
import { moment, spaced } from "./words.js";

/** @import { Event, History, Memory } from "./shapes.js" */

const SHOWN = 100;
const COMPARED = ["kind", "scope", "status", "origin", "standing", "topic", "category", "importance", "pinned", "valid_from", "valid_to", "expires_at", "project"];

/**
 * A part of the page that reads the history when it is opened.
 *
 * @param {string} id
 */
export function historySection(id) {
  const body = element("div", { class: "folded" });
  let read = false;
  const look = async () => {
    try {
      const found = /** @type {History} */ (await get(`/memories/${encodeURIComponent(id)}/history`));
      read = true;
      fill(body, revisions(found), events(found.events));
    } catch (error) {
      if (!isAbort(error)) fill(body, element("p", { class: "problem", role: "alert" }, sentence(error)));
    }
  };
  const made = element("details", { class: "fold", on: { toggle: () => made.open && !read && look() } }, element("summary", {}, "History"), body);
  return {
    element: made,
    refresh: () => {
      read = false;
      if (made.open) look();
    },
  };
}

/** @param {History} history */
function revisions({ revisions: found }) {
  const oldestFirst = [...found].sort((one, other) => one.memory.revision - other.memory.revision);
  return element(
    "ol",
    { class: "history" },
    oldestFirst.map((state, place) => ({ state, before: oldestFirst[place - 1]?.memory })).reverse().slice(0, SHOWN).map(({ state, before }) =>
      element(
        "li",
        {},
        element("p", { class: "faint" }, `${state.memory.revision === 1 ? "First" : `Revision ${state.memory.revision}`}, ${moment(state.recorded_at)}`, state.actor === null ? null : ["  by ", stored(state.actor)]),
        element("p", { class: "compare" }, before === undefined ? stored(state.memory.text) : differing(before.text, state.memory.text)),
        before === undefined ? null : changes(before, state.memory),
      )),
  );
}

/** @param {Memory} before @param {Memory} after */
function changes(before, after) {
  const [old, now] = [/** @type {any} */ (before), /** @type {any} */ (after)];
  const lines = COMPARED.filter((name) => old[name] !== now[name]).map((name) => `${spaced(name)}: ${old[name] ?? "none"} → ${now[name] ?? "none"}`);
  if (before.tags.join() !== after.tags.join()) lines.push(`tags: ${before.tags.join(", ") || "none"} → ${after.tags.join(", ") || "none"}`);
  return lines.length === 0 ? null : element("ul", { class: "plain-list faint" }, lines.map((line) => element("li", {}, stored(line))));
}

/** @param {Event[]} found */
function events(found) {
  if (found.length === 0) return null;
  return element(
    "section",
    {},
    element("h4", {}, "What happened"),
    element("ul", { class: "plain-list events" }, found.slice(-SHOWN).reverse().map((event) => {
      const reason = event.payload["reason"];
      return element("li", {}, element("span", {}, spaced(event.type.replace(/^memory\./u, ""))), element("span", { class: "faint" }, stored(event.actor), `, ${moment(event.at)}`), typeof reason === "string" ? element("span", { class: "faint" }, stored(reason)) : null);
    })),
  );
}
