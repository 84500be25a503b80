/** The fields of a memory as a form has them, for writing one down and for changing one. */

import { element } from "./dom.js";
import { known } from "./state.js";
import { visible } from "./visible.js";
import { capital } from "./words.js";

/** @import { Memory } from "./shapes.js" */
/** @typedef {Record<string, string | boolean>} Values */

const KINDS = ["fact", "preference", "decision", "learning", "instruction", "event", "task", "context", "note"];
const DATES = ["valid_from", "valid_to", "expires_at"];

/**
 * A memory as what stands in the fields.
 *
 * @param {Memory} memory
 * @returns {Values}
 */
export function valuesOfMemory(memory) {
  return {
    text: memory.text,
    kind: memory.kind,
    tags: memory.tags.join(", "),
    topic: memory.topic ?? "",
    category: memory.category ?? "",
    scope: memory.scope,
    importance: String(memory.importance),
    pinned: memory.pinned === true,
    ...Object.fromEntries(DATES.map((name) => [name, (/** @type {any} */ (memory)[name] ?? "").slice(0, 10)])),
  };
}

/**
 * What is sent of fields: only those that say something else than before.
 *
 * @param {Values} values
 * @param {Values} before
 * @returns {Record<string, unknown>}
 */
export function changesIn(values, before) {
  /** @type {Record<string, unknown>} */
  const changes = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === before[name]) continue;
    if (name === "tags") changes[name] = String(value).split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
    else if (name === "importance") changes[name] = Number(value);
    else changes[name] = value === "" ? null : value;
  }
  return changes;
}

/**
 * The labelled fields below the text.
 *
 * @param {Values} values
 * @param {{guessed?: boolean}} [how] whether the kind may be left to the words
 */
export function fields(values, { guessed = false } = {}) {
  const kinds = known.choices?.kinds ?? KINDS;
  const scopes = [...new Set([String(values["scope"] ?? ""), ...(known.choices?.scopes ?? []).map((each) => each.scope), "user"])].filter((each) => each !== "");
  return element(
    "div",
    { class: "fields" },
    pickOne("kind", "Kind", guessed ? ["", ...kinds] : kinds, values["kind"], "As the words say"),
    pickOne("scope", "Scope", guessed ? ["", ...scopes] : scopes, values["scope"], "Yours"),
    textField("tags", "Tags, separated by commas", values["tags"], "tag"),
    textField("topic", "Topic", values["topic"], "topic"),
    numberField("importance", "Importance (0 to 1)", values["importance"]),
    dateField("valid_from", "True from", values["valid_from"]),
    dateField("valid_to", "True until", values["valid_to"]),
    dateField("expires_at", "Recalled until", values["expires_at"]),
    element("label", { class: "check" }, element("input", { type: "checkbox", name: "pinned", checked: values["pinned"] === true }), element("span", {}, "Pinned")),
  );
}

/**
 * The field for the words, as high as they are long.
 *
 * @param {unknown} text
 * @param {string} label
 */
export function textArea(text, label) {
  return element("textarea", { name: "text", class: "words", rows: 4, "aria-label": label, dir: "auto", value: String(text ?? "") });
}

/** @param {string} name @param {string} label @param {string[]} values @param {unknown} chosen @param {string} none */
function pickOne(name, label, values, chosen, none) {
  return element("label", { class: "field" }, element("span", {}, label),
    element("select", { name }, values.map((value) => element("option", { value, selected: value === (chosen ?? "") }, value === "" ? none : name === "kind" ? capital(value) : visible(value)))));
}

/** @param {string} name @param {string} label @param {unknown} value @param {"tag" | "topic"} offered */
function textField(name, label, value, offered) {
  const id = `offered-for-${name}`;
  const all = offered === "tag" ? (known.choices?.tags ?? []).map((each) => each.tag) : (known.choices?.topics ?? []).map((each) => each.topic);
  return element("label", { class: "field" }, element("span", {}, label),
    element("input", { type: "text", name, value: String(value ?? ""), autocomplete: "off", list: id }),
    element("datalist", { id }, all.slice(0, 200).map((each) => element("option", { value: each }))));
}

/** @param {string} name @param {string} label @param {unknown} value */
function numberField(name, label, value) {
  return element("label", { class: "field" }, element("span", {}, label),
    element("input", { type: "number", name, min: 0, max: 1, step: "any", value: String(value ?? "") }));
}

/** @param {string} name @param {string} label @param {unknown} value */
function dateField(name, label, value) {
  return element("label", { class: "field" }, element("span", {}, label), element("input", { type: "date", name, value: String(value ?? "") }));
}
