/** What a memory is filed under, how much it weighs, and its dates. */

import { element } from "./dom.js";
import { projectName } from "./state.js";
import { stored } from "./stored.js";
import { count, moment, originOf, spaced, STATUSES } from "./words.js";

/** @import { Memory } from "./shapes.js" */

/**
 * The labels and dates of a memory; what it does not have is left out.
 *
 * @param {Memory} memory
 */
export function labelsSection(memory) {
  /** @type {[string, string | undefined][]} */
  const rows = [
    ["Scope", memory.scope],
    ["Project", memory.project_name ?? projectName(memory.project) ?? memory.project],
    ["Topic", memory.topic],
    ["Category", memory.category],
    ["Tags", memory.tags.length === 0 ? undefined : memory.tags.join(", ")],
    ["Whose word", originOf(memory.origin).means],
    ["Standing", memory.standing === "unverified" ? undefined : memory.standing],
    ["Status", memory.status === "active" ? undefined : `${STATUSES[memory.status] ?? memory.status}${memory.status_reason === undefined ? "" : `: ${memory.status_reason}`}`],
    ["Since", memory.status_at === undefined || memory.status === "active" ? undefined : moment(memory.status_at)],
    ["Importance", memory.importance.toFixed(2)],
    ["Confidence", memory.confidence.toFixed(2)],
    ["Changed", memory.revision > 1 ? `${moment(memory.updated_at)} (${count(memory.revision - 1, "time", "times")})` : undefined],
    ["Confirmed", memory.confirmed_at && moment(memory.confirmed_at)],
    ["True from", memory.valid_from && moment(memory.valid_from)],
    ["True until", memory.valid_to && moment(memory.valid_to)],
    ["Recalled until", memory.expires_at && moment(memory.expires_at)],
    ["Recalled", used(memory)],
    ["Id", memory.id],
  ];
  return element(
    "section",
    {},
    element("h3", {}, "Labels and dates"),
    element(
      "dl",
      { class: "pairs" },
      rows.map(([name, value]) => (value === undefined ? null : element("div", {}, element("dt", {}, name), element("dd", {}, stored(value))))),
    ),
  );
}

/** @param {Memory} memory */
function used({ usage }) {
  if (usage === undefined || usage.count === 0) return "not yet";
  return `${count(usage.count, "time", "times")}${usage.used_at === null ? "" : `, last ${moment(usage.used_at)}`}${usage.surface === null ? "" : ` by ${spaced(usage.surface)}`}`;
}
