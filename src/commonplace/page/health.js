/** How the book is doing: counts, vectors, hosts and hooks, what was brought to prompts lately, and what doctor says. */

import { get, isAbort, sentence } from "./api.js";
import { leave } from "./enter.js";
import { element, fill } from "./dom.js";
import { known, learnChoices, learnMe, may, scopeName } from "./state.js";
import { stored } from "./stored.js";
import { visible } from "./visible.js";
import { ago, count, figure, moment, spaced, surfaceName } from "./words.js";

/** @import { Brought, Check, Health } from "./shapes.js" */

const body = element("div", { class: "health-parts" });
const doctor = element("section", { class: "panel wide" }); // filled once it is known who asks
const examined = element("div", { class: "stack", role: "status" });
let isRead = false;

export const health = {
  name: "health",
  title: "Health",
  element: element(
    "section",
    { class: "view health", data: { view: "health" }, "aria-label": "Health" },
    element("div", { class: "scroller page-like", tabindex: 0, role: "group", "aria-label": "How the book is doing" }, element("header", { class: "page-head" }, element("h1", {}, "Health"), element("button", { type: "button", class: "quiet", on: { click: () => look() } }, "Look again")), body, doctor),
  ),
  show() {
    if (!isRead) look();
  },
};

async function look() {
  try {
    const [found] = await Promise.all([/** @type {Promise<Health>} */ (get("/health")), known.choices === null ? learnChoices() : null, known.me === null ? learnMe() : null]);
    isRead = true;
    fill(body, ...parts(found));
    if (doctor.childElementCount === 0) fill(doctor, ...doctorPart());
  } catch (error) {
    if (!isAbort(error)) fill(body, element("p", { class: "problem", role: "alert" }, sentence(error)));
  }
}

/** @param {Health} found */
function parts(found) {
  return [
    element(
      "dl",
      { class: "figures" },
      one("Memories", figure(found.book.memories), found.book.bytes > 0 ? `${(found.book.bytes / 1_000_000).toFixed(1)} MB` : ""),
      one("Wait for you", figure(found.waiting), found.waiting > 0 ? "see Review" : "nothing to do"),
      found.model.installed ? one("Without a vector", figure(found.model.without_vector), "") : one("Without a vector", "All", "found by words only"),
      found.injected === null ? null : one("Tokens brought to prompts", figure(found.injected.tokens), `in ${count(found.injected.sessions.length, "session", "sessions")} lately`),
    ),
    wrong(found),
    element(
      "section",
      { class: "panel" },
      element("h2", {}, "The book"),
      element(
        "dl",
        { class: "pairs" },
        row("Place", found.book.place ?? "on the server"),
        row("Last changed", found.book.last_written === null ? "never" : `${ago(found.book.last_written)}, ${moment(found.book.last_written)}`),
        row("Schema", found.book.schema),
        ...found.book.scopes.map((each) => row(scopeName(each.scope) || "Yours", count(each.memories, "memory", "memories"))),
      ),
    ),
    element("section", { class: "panel" }, element("h2", {}, "Looking by meaning"), element("p", {}, stored(modelSaid(found))), found.model.without_vector > 0 && found.model.installed ? remedy("commonplace reembed") : found.model.installed || ["", "none"].includes(found.model.name) ? null : remedy("commonplace models pull")),
    found.person_only ? hosts(found) : null,
    you(),
    found.injected === null ? null : brought(found.injected),
  ];
}

/** Who is here, as what, and the way out: on a phone there is no other. */
function you() {
  const { me } = known;
  if (me === null) return null;
  return element(
    "section",
    { class: "panel" },
    element("h2", {}, "You"),
    element("dl", { class: "pairs" }, row("User", me.user), row("May", me.rights.filter((right) => right !== "person").join(", ")), row("Your word counts as", me.person ? "typed by a person" : "an agent's"), row("Version", me.version)),
    me.signed_in ? element("p", {}, element("button", { type: "button", on: { click: leave } }, "Sign out")) : null,
  );
}

/** @param {Health} found */
function modelSaid({ model }) {
  if (model.name === "" || model.name === "none") return "No model is chosen: recall searches by words.";
  if (!model.installed) return `${model.name} is not installed: until it is, recall searches by words.`;
  return model.without_vector === 0 ? `${model.name}; everything has its vector.` : `${model.name}; ${count(model.without_vector, "text has", "texts have")} no vector yet and are found by words.`;
}

/** @param {Health} found */
function wrong(found) {
  if (found.wrong.length === 0) return null;
  return element("section", { class: "panel wrong" }, element("h2", {}, "What went wrong"), element("ul", { class: "bullets" }, found.wrong.map((each) => element("li", {}, stored(each)))));
}

/** @param {Health} found */
function hosts(found) {
  const names = (/** @type {string[]} */ list, /** @type {string} */ none) => (list.length === 0 ? none : list.join(", "));
  return element(
    "section",
    { class: "panel" },
    element("h2", {}, "Tools and hooks"),
    element("dl", { class: "pairs" }, row("Tools", names(found.hosts, "none is connected")), row("Hooks", names(found.hooks, "none: nothing is brought or learnt by itself")), row("Brought to prompts", found.inject ?? ""), row("Learnt from conversations", found.capture ?? "")),
    ...found.hooks_now.map((each) => element("p", { class: "faint" }, stored(each))),
    found.hosts.length === 0 ? remedy("commonplace setup") : null,
  );
}

/** @param {NonNullable<Health["injected"]>} injected */
function brought(injected) {
  return element(
    "section",
    { class: "panel wide" },
    element("h2", {}, "What was brought to prompts lately"),
    injected.sessions.length === 0 ? element("p", { class: "faint" }, "Nothing yet.") : element("ul", { class: "brought" }, injected.sessions.map((each) => element("li", {}, broughtTo(each)))),
  );
}

/** @param {NonNullable<Health["injected"]>["sessions"][number]} session */
function broughtTo(session) {
  const left = session.memories - session.brought.length;
  return element(
    "details",
    { class: "fold" },
    element("summary", {}, `${ago(session.at)}: ${count(session.memories, "text", "texts")}, ${count(session.tokens, "token", "tokens")} `, element("span", { class: "faint" }, visible(surfaceName(session.host)), " ", stored(session.folder))),
    element("ul", { class: "plain-list folded" }, session.brought.map((each) => element("li", { class: "brought-text" }, broughtText(each), element("span", { class: "faint" }, stored(each.why), `, ${count(each.tokens, "token", "tokens")}`)))),
    left > 0 ? element("p", { class: "faint" }, `and ${figure(left)} more`) : null,
  );
}

/** What no memory stands behind is a line of a hand-over, or gone from the book. @param {Brought} brought */
function broughtText({ id, memory }) {
  if (memory !== null) return element("a", { href: `#/search?open=memory/${memory.id}` }, stored(memory.text, { most: 300 }));
  return element("span", {}, id.startsWith("ses_") ? "A line of what was handed over from the last session" : "A memory that is not in the book any more");
}

function doctorPart() {
  if (!may("admin")) return [element("h2", {}, "Doctor"), element("p", { class: "faint" }, "Whoever may administer this book can examine it.")];
  const button = element("button", { type: "button", on: { click: () => examine() } }, "Examine the book");
  const examine = async () => {
    button.disabled = true;
    fill(examined, element("p", { class: "faint" }, "Looking. A large book takes a while."));
    try {
      const found = /** @type {{ok: boolean, checks: Check[]}} */ (await get("/doctor"));
      fill(
        examined,
        element("p", {}, found.checks.every((check) => check.ok) ? "All is well." : `${count(found.checks.filter((check) => !check.ok).length, "thing needs", "things need")} a look.`),
        element("ul", { class: "plain-list checks" }, found.checks.map((check) => element("li", { class: check.ok ? "ok" : "not-ok" }, element("span", { class: "check-mark", "aria-hidden": "true" }, check.ok ? "✓" : "!"), element("span", {}, element("strong", {}, spaced(check.name)), ` ${check.ok ? "" : "(not well) "}`, stored(check.message), check.remedy === null ? null : element("p", { class: "faint" }, stored(check.remedy)))))),
      );
    } catch (error) {
      if (!isAbort(error)) fill(examined, element("p", { class: "problem" }, sentence(error)));
    } finally {
      button.disabled = false;
    }
  };
  return [element("h2", {}, "Doctor"), button, examined];
}

/** @param {string} name @param {string} value @param {string} said */
function one(name, value, said) {
  return element("div", { class: "figure" }, element("dt", {}, name), element("dd", {}, element("strong", {}, value), said === "" ? null : element("span", { class: "faint" }, said)));
}

/** @param {string} name @param {string} value */
function row(name, value) {
  return value === "" ? null : element("div", {}, element("dt", {}, visible(name)), element("dd", {}, stored(value)));
}

/** @param {string} command */
function remedy(command) {
  return element("p", {}, element("code", { class: "command" }, command));
}
