/** Conversations that were saved: what was said in them, what was learnt and left out, and taking back what they taught. */

import { changed, here, writeAddress } from "./address.js";
import { get, isAbort, send, sentence } from "./api.js";
import { choose } from "./dialog.js";
import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { quote } from "./memory.js";
import { closePane, opens } from "./pane.js";
import { readingView } from "./reading.js";
import { card } from "./row.js";
import { may, scopeName, tellChanged } from "./state.js";
import { stored } from "./stored.js";
import { toast } from "./toast.js";
import { visible } from "./visible.js";
import { age, capital, count, moment, spaced, surfaceName } from "./words.js";

/** @import { LeftOut, Session, SessionShown, Turns } from "./shapes.js" */

const TURNS = 50;

export const sessions = readingView({
  name: "sessions",
  title: "Sessions",
  sort: "session",
  placeholder: "Search what was said",
  nouns: ["session", "sessions"],
  empty: () =>
    element(
      "div",
      { class: "empty" },
      element("h2", {}, "No conversation is saved yet"),
      element("p", {}, "Hooks save what you say to your tools, or you save a transcript yourself."),
      element("dl", { class: "commands" }, element("dt", {}, "Let hooks do it"), element("dd", {}, element("code", { class: "command" }, "commonplace setup")), element("dt", {}, "Save one"), element("dd", {}, element("code", { class: "command" }, "commonplace session save FILE"))),
    ),
  row: (/** @type {Session} */ session) => [
    element("span", { class: "row-text" }, stored(session.label, { most: 200 }), session.quotes?.[0] === undefined ? null : element("span", { class: "faint" }, " “", stored(session.quotes[0], { most: 200 }), "”")),
    element(
      "span",
      { class: "row-meta" },
      session.surface === null ? null : element("span", {}, visible(surfaceName(session.surface))),
      element("span", {}, count(session.turns, "turn", "turns")),
      element("span", {}, session.learnings.length === 0 ? "nothing learnt" : `${session.learnings.length} learnt`),
      scopeName(session.scope) === "" ? null : element("span", { class: "row-scope" }, visible(scopeName(session.scope))),
      element("time", { class: "row-age", title: moment(session.saved_at) }, age(session.held_at ?? session.saved_at)),
    ),
  ],
});

opens("session", async (id, signal) => {
  const shown = /** @type {SessionShown} */ (await get(`/sessions/${encodeURIComponent(id)}`, { signal }));
  const { session } = shown;
  return {
    element: element(
      "article",
      { class: "memory", data: { view: "session", id: session.id } },
      element(
        "header",
        { class: "pane-header" },
        element("button", { type: "button", class: "quiet icon-button pane-back", "aria-label": "Close", on: { click: closePane } }, icon("close")),
        element("h2", { tabindex: -1 }, "Session"),
        element("span", { class: "row-meta" }, session.surface === null ? null : element("span", {}, visible(surfaceName(session.surface))), element("span", {}, count(session.turns, "turn", "turns")), element("time", {}, moment(session.held_at ?? session.saved_at))),
      ),
      element("p", { class: "memory-text" }, stored(session.label)),
      session.summary === session.label || session.summary === "" ? null : element("p", { class: "summary" }, stored(session.summary)),
      may("write") && shown.learnt.length > 0
        ? element("div", { class: "acts" }, element("button", { type: "button", on: { click: () => forgetDialog(shown) } }, "Forget what it taught…"))
        : null,
      learnt(shown),
      leftOut(session.id),
      said(session),
    ),
  };
});

/** @param {SessionShown} shown */
function learnt(shown) {
  return element(
    "section",
    { class: "sections" },
    element("h3", {}, shown.learnt.length === 0 ? "Nothing was learnt from it" : `Learnt from it: ${shown.learnt.length}`),
    ...shown.learnt.map(({ memory, quotation, reason }) =>
      element(
        "div",
        { class: "relation" },
        card(memory, writeAddress(changed(here(), { open: `memory/${memory.id}` }))),
        quotation === null ? null : quote(quotation),
        reason === "" ? null : element("p", { class: "faint" }, stored(reason)),
      ),
    ),
  );
}

/** @param {string} title @param {() => Promise<Node[]>} read */
function fold(title, read) {
  const body = element("div", { class: "folded" });
  let done = false;
  const look = async () => {
    try {
      fill(body, ...(await read()));
      done = true;
    } catch (error) {
      if (!isAbort(error)) fill(body, element("p", { class: "problem", role: "alert" }, sentence(error)));
    }
  };
  const made = element("details", { class: "fold", on: { toggle: () => made.open && !done && look() } }, element("summary", {}, title), body);
  return made;
}

/** @param {string} id */
function leftOut(id) {
  return fold("What was left out, and why", async () => {
    const shown = /** @type {SessionShown} */ (await get(`/sessions/${encodeURIComponent(id)}`, { query: { left_out: true } }));
    const found = /** @type {LeftOut[]} */ (shown.left_out ?? []);
    if (found.length === 0) return [element("p", { class: "faint" }, "Nothing was left out.")];
    return [element("ul", { class: "plain-list" }, found.map((each) => element("li", { class: "relation" }, element("blockquote", {}, stored(each.quote, { most: 2_000 })), element("p", { class: "faint" }, `turn ${each.turn}: `, stored(each.reason)))))];
  });
}

/** @param {Session} session */
function said(session) {
  return fold("What was said", async () => {
    const list = element("ol", { class: "turns" });
    const button = element("button", { type: "button", on: { click: () => more() } }, "Read on");
    let offset = 0;
    const more = async () => {
      button.disabled = true;
      try {
        const found = /** @type {Turns} */ (await get(`/sessions/${encodeURIComponent(session.id)}/turns`, { query: { offset, limit: TURNS } }));
        list.append(...found.turns.map((turn) => element("li", { class: `turn ${turn.role === "user" ? "user" : "other"}` }, element("p", { class: "faint" }, `${capital(spaced(turn.role))}, turn ${turn.number}${turn.said_at === null ? "" : `, ${moment(turn.said_at)}`}`), element("p", { class: "compare" }, stored(turn.text, { most: 20_000 })))));
        button.hidden = found.next_offset === null;
        offset = found.next_offset ?? offset;
      } catch (error) {
        if (!isAbort(error)) list.append(element("li", { class: "problem" }, sentence(error)));
      } finally {
        button.disabled = false;
      }
    };
    await more();
    return [list, button];
  });
}

/** @param {SessionShown} shown */
function forgetDialog({ session, learnt: found }) {
  const all = element("input", { type: "checkbox" });
  choose(
    "Forget what this session taught",
    [
      element("p", {}, `${count(found.length, "memory", "memories")} came from it. What they replaced stands again; the conversation stays. You can undo it.`),
      element("label", { class: "check" }, all, element("span", {}, "Also what a person confirmed or reworded since")),
    ],
    [{
      label: "Forget",
      look: "danger",
      submits: true,
      run: async () => {
        const done = await send("POST", `/sessions/${encodeURIComponent(session.id)}/forget`, { everything: all.checked });
        tellChanged([...done.forgotten, ...done.restored]);
        const kept = done.kept.length === 0 ? "" : `, kept ${done.kept.length} that you confirmed`;
        toast(`Forgot ${count(done.forgotten.length, "memory", "memories")}${kept}`, done.undo);
        return true;
      },
    }],
  );
}
