/** What one decides on: a memory that waits, two texts beside each other, or a dream. */

import { element } from "./dom.js";
import { quote } from "./memory.js";
import { badges, trust } from "./row.js";
import { scopeName } from "./state.js";
import { differing, oneSide, stored } from "./stored.js";
import { visible } from "./visible.js";
import { cameFrom, capital, date, moment, spaced, WAITS_BECAUSE } from "./words.js";

/** @import { Item } from "./queue.js" */
/** @import { DreamChange, DreamPlan, Memory, Pair, Waiting } from "./shapes.js" */
/** @typedef {{answer: "yes" | "no" | "other" | "edit" | "later", label: string, key: string, look?: string}} Button */

const MANY = 100;

/**
 * What can be said to an item.
 *
 * @param {Item} item
 * @returns {Button[]}
 */
export function answersTo(item) {
  /** @type {Button} */
  const later = { answer: "later", label: "Later", key: "l", look: "quiet" };
  if (item.pair !== undefined)
    return [
      { answer: "yes", label: "Newer replaces older", key: "y", look: "first" },
      { answer: "other", label: "Older replaces newer", key: "o" },
      { answer: "no", label: "Both stand", key: "n" },
      { answer: "edit", label: "Edit", key: "e" },
      later,
    ];
  if (item.dream !== undefined)
    return item.dream === null || item.dream.changes.length === 0
      ? [later]
      : [{ answer: "yes", label: "Do all of this", key: "y", look: "first" }, { answer: "no", label: "No", key: "n" }, later];
  return [
    { answer: "yes", label: "Yes", key: "y", look: "first" },
    { answer: "no", label: "No", key: "n" },
    { answer: "edit", label: "Edit", key: "e" },
    later,
  ];
}

/**
 * What there is to read of an item.
 *
 * @param {Item} item
 * @returns {(HTMLElement | null)[]}
 */
export function itemShown(item) {
  if (item.waiting !== undefined) return waiting(item.waiting);
  if (item.pair !== undefined) return pair(item.pair);
  return dream(item.dream ?? null);
}

/**
 * A line that stands for an item in the queue.
 *
 * @param {Item} item
 */
export function itemText(item) {
  if (item.waiting !== undefined) return item.waiting.memory.text;
  if (item.pair !== undefined) return item.pair.newer.text;
  return "What a dream would tidy";
}

/** @param {Waiting} waiting */
function waiting({ why, memory, before, stands, quotation }) {
  const [was] = before;
  return [
    element("p", { class: "review-why" }, WAITS_BECAUSE[why] ?? spaced(why)),
    was === undefined
      ? element("p", { class: "memory-text" }, stored(memory.text))
      : sides({ title: "Your words", memory: was, text: oneSide(was.text, memory.text, "before") }, { title: "The agent's", memory, text: oneSide(was.text, memory.text, "after") }),
    was === undefined ? meta(memory) : null,
    ...before.slice(1).map((old) => block("It also replaced", old, differing(old.text, memory.text))),
    ...stands.map((old) => block("It would take the place of", old, differing(old.text, memory.text))),
    quotation === null ? null : element("section", { class: "stack" }, element("h3", {}, "Where it was said"), quote(quotation)),
  ];
}

/** @param {Pair & {sort: string}} pair */
function pair({ older, newer, reason, sort }) {
  return [
    element("p", { class: "review-why" }, sort === "repeat" ? "These say nearly the same." : "These may contradict each other.", " ", stored(reason)),
    sides({ title: "Older", memory: older, text: oneSide(older.text, newer.text, "before") }, { title: "Newer", memory: newer, text: oneSide(older.text, newer.text, "after") }),
  ];
}

/** @typedef {{title: string, memory: Memory, text: HTMLElement}} Side */

/** @param {Side} left @param {Side} right */
function sides(left, right) {
  return element("div", { class: "sides" }, ...[left, right].map((side) => element("section", { class: "side" }, element("h3", {}, `${side.title}, ${date(side.memory.created_at)}`), element("p", { class: "memory-text" }, side.text), meta(side.memory))));
}

/** @param {string} title @param {Memory} memory @param {HTMLElement} text */
function block(title, memory, text) {
  return element("section", { class: "side" }, element("h3", {}, `${title}, ${date(memory.created_at)}`), element("p", { class: "compare" }, text), meta(memory));
}

/** @param {Memory} memory */
function meta(memory) {
  const about = memory.project_name ?? scopeName(memory.scope);
  return element(
    "p",
    { class: "row-meta wrapping" },
    ...badges({ ...memory, waits: false }),
    element("span", {}, `${memory.kind} ${memory.number}`),
    trust(memory),
    about === "" ? null : element("span", {}, visible(about)),
    element("span", {}, visible(cameFrom(memory))),
    memory.topic === undefined ? null : element("span", {}, "topic ", stored(memory.topic)),
    memory.tags.length === 0 ? null : element("span", {}, stored(memory.tags.join(", "))),
    element("time", { title: moment(memory.created_at) }, date(memory.created_at)),
  );
}

/** @param {DreamPlan | null} plan */
function dream(plan) {
  if (plan === null) return [element("p", { class: "faint" }, "Looking at what a dream would tidy. A large book takes a while.")];
  if (plan.changes.length === 0) return [element("p", { class: "memory-text" }, "What a dream would tidy cannot be told."), ...plan.notes.map((note) => element("p", { class: "faint" }, stored(note)))];
  return [
    element("p", { class: "review-why" }, "A dream tidies by rules alone. Nothing is lost by it, and it can be taken back."),
    element("ol", { class: "dream" }, plan.changes.slice(0, MANY).map((change) => element("li", { class: "side" }, ...dreamChange(change)))),
    plan.changes.length > MANY ? element("p", { class: "faint" }, `and ${plan.changes.length - MANY} more`) : null,
    ...plan.notes.map((note) => element("p", { class: "faint" }, stored(note))),
  ];
}

/** @param {DreamChange} change */
function dreamChange({ what, because, before, after, text }) {
  const stays = new Set(after.map((memory) => memory.id));
  const goes = before.filter((memory) => !stays.has(memory.id));
  const [only] = after;
  return [
    element("h3", {}, capital(spaced(what)), ": ", stored(because)),
    text === null ? null : element("p", { class: "compare" }, what === "remember" ? element("ins", {}, stored(text)) : stored(text)),
    goes.length === 1 && goes[0] !== undefined && after.length === 1 && only !== undefined
      ? element("p", { class: "compare" }, differing(goes[0].text, only.text))
      : element("ul", { class: "plain-list" }, [...goes.map((memory) => element("li", {}, element("del", {}, stored(memory.text)))), ...after.map((memory) => element("li", {}, stored(memory.text)))]),
  ];
}
