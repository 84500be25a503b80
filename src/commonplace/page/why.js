/** Why a query found a memory or did not: stage by stage, with what each thought of it. */

import { here } from "./address.js";
import { get, isAbort, sentence } from "./api.js";
import { element, fill } from "./dom.js";
import { filterOf } from "./filters.js";
import { bar } from "./row.js";
import { stored } from "./stored.js";
import { capital, figure, spaced } from "./words.js";

/** @import { Explained, Memory, Stage } from "./shapes.js" */

/**
 * A part of the page where one asks; the search that led here stands in it already.
 *
 * @param {Memory} memory
 */
export function whySection(memory) {
  const answer = element("div", { class: "folded", role: "status" });
  const field = element("input", { type: "search", name: "query", "aria-label": "The query", placeholder: "What was asked", autocomplete: "off", maxlength: 2000 });
  let asking = new AbortController();
  const ask = async () => {
    if (field.value.trim() === "") return;
    asking.abort();
    asking = new AbortController();
    const query = filterOf(here());
    query.set("query", field.value);
    query.set("memory", memory.id);
    try {
      const found = /** @type {Explained} */ (await get("/why", { query, signal: asking.signal }));
      fill(answer, ...explained(found, memory));
    } catch (error) {
      if (!isAbort(error)) fill(answer, element("p", { class: "problem" }, sentence(error)));
    }
  };
  const made = element(
    "details",
    { class: "fold", on: { toggle: () => {
      if (!made.open) return;
      if (field.value === "") field.value = here().query.get("query") ?? "";
      if (answer.childElementCount === 0) ask();
    } } },
    element("summary", {}, "Why did a query find it, or not?"),
    element("form", { class: "why-form", on: { submit: (event) => { event.preventDefault(); ask(); } } }, field, element("button", { type: "submit" }, "Tell")),
    answer,
  );
  return { element: made };
}

/** @param {Explained} found @param {Memory} memory @returns {HTMLElement[]} */
function explained(found, memory) {
  const said = new Map(found.path.map((step) => [step.stage, step.said]));
  let gone = false;
  let before = "";
  const stages = found.steps.map((step) => {
    const trace = found.trace.find((each) => each.stage === step.stage);
    const told = said.get(step.stage);
    const drop = trace?.drops?.find((each) => each.number === memory.number);
    const passed = gone;
    gone ||= drop !== undefined || (told?.startsWith("dropped") ?? false);
    const score = trace?.scores?.find((each) => each.number === memory.number);
    const isNew = score !== undefined && JSON.stringify(score) !== before; // what a stage left as it was is said once
    before = score === undefined ? before : JSON.stringify(score);
    return stage(step, isNew ? score : undefined, drop, score === undefined ? told : undefined, passed);
  });
  return [
    element("p", { class: "verdict" }, stored(found.verdict.replace(memory.id, `${capital(memory.kind)} ${memory.number}`))),
    element("ol", { class: "stages" }, stages),
    ...found.warnings.map((warning) => element("p", { class: "note" }, stored(warning))),
  ];
}

/** @typedef {{value: number, parts: Record<string, number>}} Score */

/** @param {Stage} step @param {Score | undefined} score @param {{reason: string} | undefined} drop @param {string | undefined} told @param {boolean} passed */
function stage(step, score, drop, told, passed) {
  return element(
    "li",
    { class: drop !== undefined ? "stage dropped" : passed ? "stage passed" : "stage" },
    element("div", { class: "stage-head" }, element("strong", {}, spaced(step.stage)), element("span", { class: "faint" }, `${figure(step.count)} left, ${step.elapsed_ms.toFixed(1)} ms`)),
    step.meaning === undefined ? null : element("p", { class: "faint" }, step.meaning),
    drop !== undefined ? element("p", { class: "stage-drop" }, "Left out here: ", stored(drop.reason)) : null,
    score === undefined ? (drop === undefined && told !== undefined ? element("p", {}, stored(told)) : null) : scores(score),
  );
}

/** @param {Score} score */
function scores({ value, parts }) {
  const most = Math.max(1, Math.abs(value), ...Object.values(parts).map(Math.abs));
  return element(
    "dl",
    { class: "scores" },
    [["score", value], .../** @type {[string, number][]} */ (Object.entries(parts))].map(([name, part]) =>
      element("div", {}, element("dt", {}, spaced(String(name))), element("dd", {}, scoreBar(Number(part), most)))),
  );
}

/** @param {number} value @param {number} most */
function scoreBar(value, most) {
  const made = bar(Math.abs(value) / most, "");
  made.lastChild?.replaceWith(value.toFixed(3));
  made.title = value.toFixed(4);
  if (value < 0) made.classList.add("negative");
  return made;
}
