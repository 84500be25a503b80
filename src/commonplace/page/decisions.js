/** The decision log, to be read: each with its reasons, and the chain of what it replaced and what replaced it. */

import { changed, here, writeAddress } from "./address.js";
import { get } from "./api.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { closePane, opens } from "./pane.js";
import { readingView } from "./reading.js";
import { stored } from "./stored.js";
import { visible } from "./visible.js";
import { age, date, moment, spaced } from "./words.js";

/** @import { Decision, DecisionShown } from "./shapes.js" */

export const decisions = readingView({
  name: "decisions",
  title: "Decisions",
  sort: "decision",
  placeholder: "Search decisions",
  nouns: ["decision", "decisions"],
  empty: () =>
    element(
      "div",
      { class: "empty" },
      element("h2", {}, "No decision is in the log yet"),
      element("p", {}, "Agents write them down as they are made, or you do."),
      element("dl", { class: "commands" }, element("dt", {}, "Write one down"), element("dd", {}, element("code", { class: "command" }, "commonplace decision create"))),
    ),
  row: (/** @type {Decision} */ decision) => [
    element("span", { class: "row-text" }, stored(decision.title, { most: 200 })),
    element("span", { class: "row-meta" }, ...marks(decision), element("time", { class: "row-age", title: moment(decision.decided_at) }, age(decision.decided_at))),
  ],
});

/** @param {Decision} decision */
function marks(decision) {
  return [
    decision.status === "active" ? null : element("span", { class: "badge" }, decision.status === "superseded" ? "replaced" : decision.status),
    element("span", {}, visible(decision.id)),
    decision.impact === "low" ? null : element("span", {}, `${decision.impact} impact`),
    decision.area === "" ? null : element("span", { class: "row-scope" }, visible(decision.area)),
  ].filter((each) => each !== null);
}

opens("decision", async (id, signal) => {
  const scope = here().query.get("scope");
  const { decision, chain, history } = /** @type {DecisionShown} */ (
    await get(`/decisions/${encodeURIComponent(id)}`, { query: { scope }, signal })
  );
  return {
    element: element(
      "article",
      { class: "memory", data: { view: "decision", id: decision.id } },
      element(
        "header",
        { class: "pane-header" },
        element("button", { type: "button", class: "quiet icon-button pane-back", "aria-label": "Close", on: { click: closePane } }, icon("close")),
        element("h2", { tabindex: -1 }, `Decision ${visible(decision.id)}`),
        element("span", { class: "row-meta" }, ...marks(decision).filter((each) => each.textContent !== visible(decision.id)), element("time", {}, date(decision.decided_at))),
      ),
      element("p", { class: "memory-text" }, stored(decision.title)),
      element(
        "div",
        { class: "sections" },
        part("What was decided", decision.decision),
        part("Why", decision.rationale),
        part("What it was about", decision.context),
        decision.alternatives.length === 0 ? null : element("section", {}, element("h3", {}, "What else was considered"), element("ul", { class: "bullets" }, decision.alternatives.map((each) => element("li", {}, stored(each))))),
        part("How to go back", decision.revert_plan ?? ""),
        part("Why it was taken back", decision.revert_reason ?? ""),
        facts(decision),
        chainOf(chain, decision),
        history.length === 0 ? null : element("section", {}, element("h3", {}, "What happened"), element("ul", { class: "plain-list events" }, [...history].reverse().map((event) => element("li", {}, element("span", {}, spaced(event.type.replace(/^decision\./u, ""))), element("span", { class: "faint" }, stored(event.actor), `, ${moment(event.at)}`))))),
      ),
    ),
  };
});

/** @param {string} title @param {string} text */
function part(title, text) {
  return text === "" ? null : element("section", {}, element("h3", {}, title), element("p", { class: "prose" }, stored(text)));
}

/** @param {Decision} decision */
function facts(decision) {
  const rows = [["Owner", decision.owner], ["Area", decision.area], ["Scope", decision.scope], ["Tags", decision.tags.join(", ")]].filter(([, value]) => value !== "");
  return element("section", {}, element("h3", {}, "Labels"), element("dl", { class: "pairs" }, rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, stored(value ?? ""))))));
}

/** @param {Decision[]} chain @param {Decision} decision */
function chainOf(chain, decision) {
  if (chain.length < 2) return null;
  return element(
    "section",
    {},
    element("h3", {}, "How it went on"),
    element(
      "ol",
      { class: "history" },
      chain.map((each) => {
        const inside = [element("span", {}, stored(each.title)), element("span", { class: "row-meta" }, ...marks(each), element("time", {}, date(each.decided_at)))];
        if (each.id === decision.id) return element("li", { "aria-current": "true" }, ...inside);
        return element("li", {}, element("a", { class: "chain-link", href: writeAddress(changed(here(), { open: `decision/${each.id}` })) }, ...inside));
      }),
    ),
  );
}
