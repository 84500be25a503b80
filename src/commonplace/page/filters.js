/** What narrows a list down: chosen in a panel, told as chips that can be taken off, kept in the address. */

import { changed, here, turn } from "./address.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { known, learnChoices, news } from "./state.js";
import { visible } from "./visible.js";
import { capital, originOf, STATUSES } from "./words.js";

/** @import { Address } from "./address.js" */

export const FILTERS = ["project", "scope", "kind", "tag", "topic", "status", "origin", "source", "session", "since", "until", "as_of", "pinned", "waiting"];
/** @type {Record<string, string>} */
const SAID = { since: "since", until: "until", as_of: "as of", pinned: "pinned", waiting: "waits for you" };
/** @type {Record<string, (value: string) => string | undefined>} */
const VALUES = { origin: (value) => originOf(value).said, status: (value) => STATUSES[value] };
const OFFERED = 200; // of tags and topics: a person types the beginning

/**
 * What an address narrows down to, for the API.
 *
 * @param {Address} address
 * @returns {URLSearchParams}
 */
export function filterOf(address) {
  return new URLSearchParams([...address.query].filter(([name, value]) => FILTERS.includes(name) && value !== ""));
}

/**
 * One chip for each filter that is set; pressing it takes it off.
 *
 * @param {HTMLElement} place
 * @param {Address} address
 */
export function showChips(place, address) {
  const set = [...filterOf(address)];
  fill(
    place,
    ...set.map(([name, value]) => {
      const said = SAID[name] ?? name;
      const label = value === "true" ? said : `${said}: ${VALUES[name]?.(value) ?? visible(value)}`;
      return element(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-label": `Take off ${label}`,
          data: { filter: name },
          on: { click: () => turn({ [name]: here().query.getAll(name).filter((each) => each !== value) }) },
        },
        element("span", {}, label),
        icon("close"),
      );
    }),
    set.length > 1 ? element("button", { type: "button", class: "chip quiet", on: { click: clearFilters } }, "Clear all") : null,
  );
}

/** Takes all filters off. */
export function clearFilters() {
  turn(Object.fromEntries(FILTERS.map((name) => [name, null])));
}

/** The button with its panel. */
export function filterButton() {
  const panel = element("form", {
    class: "popover filters",
    id: "filters",
    popover: "auto",
    "aria-label": "Filters",
    on: { change: () => turn(chosenIn(panel), { instead: true }), submit: (event) => { event.preventDefault(); panel.hidePopover(); } },
  });
  const button = element("button", { type: "button", class: "quiet with-icon", "aria-label": "Filter", popovertarget: "filters" }, icon("filter"), element("span", {}, "Filter"));
  panel.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
    build(panel);
    learnChoices().catch(() => undefined); // the panel shows what is known until then
  });
  news.addEventListener("choices", () => panel.matches(":popover-open") && !panel.contains(document.activeElement) && build(panel));
  return [button, panel];
}

/** @param {HTMLFormElement} panel */
function build(panel) {
  const { query } = here();
  const choices = known.choices;
  fill(
    panel,
    element("div", { class: "filters-columns" },
      several("kind", "Kind", choices?.kinds ?? [], query.getAll("kind")),
      several("status", "Status", [...(choices?.statuses ?? []), "any"], query.getAll("status"), (name) => STATUSES[name] ?? name),
      several("origin", "Whose word", choices?.origins ?? [], query.getAll("origin"), (name) => originOf(name).said),
    ),
    element("div", { class: "filters-fields" },
      one("project", "Project", (choices?.projects ?? []).map((each) => each.name), query.get("project")),
      one("scope", "Scope", (choices?.scopes ?? []).map((each) => each.scope), query.get("scope")),
      typed("tag", "Tags", "text", query.getAll("tag").join(", "), (choices?.tags ?? []).map((each) => each.tag)),
      typed("topic", "Topic", "text", query.get("topic") ?? "", (choices?.topics ?? []).map((each) => each.topic)),
      typed("since", "Since", "date", query.get("since") ?? ""),
      typed("until", "Until", "date", query.get("until") ?? ""),
      typed("as_of", "As it stood on", "date", query.get("as_of") ?? ""),
    ),
    element("div", { class: "filters-switches" },
      check("waiting", "true", "Waits for you", query.has("waiting")),
      check("pinned", "true", "Pinned", query.has("pinned")),
    ),
    element("div", { class: "buttons" },
      element("button", { type: "button", class: "quiet", on: { click: () => { clearFilters(); build(panel); } } }, "Clear all"),
      element("button", { type: "submit", class: "first" }, "Done"),
    ),
  );
}

/** @param {HTMLFormElement} panel @returns {Record<string, string | string[] | null>} */
function chosenIn(panel) {
  const data = new FormData(panel);
  const all = (/** @type {string} */ name) => data.getAll(name).map(String).filter((value) => value !== "");
  const tags = String(data.get("tag") ?? "").split(",").map((tag) => tag.trim());
  return {
    ...Object.fromEntries(["kind", "status", "origin", "project", "scope", "topic", "since", "until", "as_of", "waiting", "pinned"].map((name) => [name, all(name)])),
    tag: tags.filter((tag) => tag !== ""),
  };
}

/** @param {string} name @param {string} label @param {string[]} values @param {string[]} chosen @param {(name: string) => string} [say] */
function several(name, label, values, chosen, say = (value) => value) {
  return element("fieldset", {}, element("legend", {}, label), values.map((value) => check(name, value, capital(say(value)), chosen.includes(value))));
}

/** @param {string} name @param {string} value @param {string} label @param {boolean} checked */
function check(name, value, label, checked) {
  return element("label", { class: "check" }, element("input", { type: "checkbox", name, value, checked }), element("span", {}, label));
}

/** @param {string} name @param {string} label @param {string[]} values @param {string | null} chosen */
function one(name, label, values, chosen) {
  const all = chosen === null || values.includes(chosen) ? values : [chosen, ...values];
  return element("label", { class: "field" }, element("span", {}, label),
    element("select", { name },
      element("option", { value: "" }, "Any"),
      all.map((value) => element("option", { value, selected: value === chosen }, visible(value)))));
}

/** @param {string} name @param {string} label @param {string} type @param {string} value @param {string[]} [offered] */
function typed(name, label, type, value, offered) {
  const id = `offered-${name}`;
  return element("label", { class: "field" }, element("span", {}, label),
    element("input", { type, name, value: type === "date" ? value.slice(0, 10) : value, list: offered === undefined ? undefined : id, autocomplete: "off" }),
    offered === undefined ? null : element("datalist", { id }, offered.slice(0, OFFERED).map((each) => element("option", { value: each }))));
}

/**
 * Whether an address asks for anything but all.
 *
 * @param {Address} address
 */
export function isNarrowed(address) {
  return filterOf(changed(address, {})).size > 0;
}
