/** One memory: its words, whose they are, where they came from, what may be done with it, and what became of it. */

import { changed, here, opened, writeAddress } from "./address.js";
import { act, ACTS } from "./acts.js";
import { get } from "./api.js";
import { draft } from "./drafts.js";
import { element, fill } from "./dom.js";
import { editForm } from "./edit.js";
import { icon } from "./icons.js";
import { keysFor } from "./keys.js";
import { historySection } from "./history.js";
import { labelsSection } from "./labels.js";
import { closePane, opens } from "./pane.js";
import { supersedeDialog } from "./pick.js";
import { purgeDialog } from "./purge.js";
import { badges, card, trust } from "./row.js";
import { may, whenChanged } from "./state.js";
import { differing, stored } from "./stored.js";
import { failed } from "./toast.js";
import { whySection } from "./why.js";
import { ago, capital, date, figure, moment, RELATIONS, spaced, WAITS_BECAUSE, writtenBy } from "./words.js";

/** @import { Evidence, Memory, Quotation, Relation, Shown } from "./shapes.js" */

const MANY = 20; // of one section; the rest is a line
const LONG = 2_500; // characters: a longer text is cut short until one asks for all of it
const MANY_LINES = 30;

/** What is open now, so that keys and changes find it. @type {OpenMemory | null} */
let current = null;

class OpenMemory {
  /** @param {Shown} shown */
  constructor(shown) {
    this.shown = shown;
    this.isWhole = false;
    this.heading = element("h2", { tabindex: -1 });
    this.badges = element("span", { class: "row-meta" });
    this.words = element("div", { class: "memory-words" });
    this.acts = element("div", { class: "acts", role: "toolbar", "aria-label": "What to do with it" });
    this.waits = element("div", {});
    this.sections = element("div", { class: "sections" });
    this.history = historySection(shown.memory.id);
    this.why = whySection(shown.memory);
    this.element = element(
      "article",
      { class: "memory", data: { view: "memory", id: shown.memory.id } },
      element(
        "header",
        { class: "pane-header" },
        element("button", { type: "button", class: "quiet icon-button pane-back", "aria-label": "Close", on: { click: closePane } }, icon("close")),
        this.heading,
        this.badges,
      ),
      this.words,
      this.acts,
      this.waits,
      this.sections,
      this.history.element,
      this.why.element,
    );
    this.draw(shown);
    if (draft(`edit ${shown.memory.id}`) !== null) this.edit();
  }

  get isEditing() {
    return this.words.querySelector("form") !== null;
  }

  /** @param {Shown} shown */
  draw(shown) {
    this.shown = shown;
    const { memory } = shown;
    fill(this.heading, `${capital(memory.kind)} ${memory.number}`);
    fill(this.badges, ...badges(memory), trust(memory), element("time", { title: moment(memory.created_at) }, ago(memory.created_at)));
    if (!this.isEditing) this.drawWords();
    fill(this.waits, shown.why_waiting === null || shown.why_waiting === undefined ? null : waiting(shown));
    fill(this.sections, whereFrom(shown), labelsSection(memory), evidence(shown.evidence), chain(shown), relations(shown.relations));
  }

  drawWords() {
    const { memory } = this.shown;
    const held = this.acts.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset["act"] : undefined;
    fill(this.words, ...this.text(memory.text), memory.flags === undefined ? null : element("p", { class: "note" }, "It contains invisible characters, written out here as ⟨U+202E⟩."));
    fill(this.acts, ...(may("write") ? this.buttons(memory) : []));
    if (held !== undefined) /** @type {HTMLElement | null} */ (this.acts.querySelector(`[data-act="${held}"]`) ?? this.acts.querySelector("button"))?.focus();
  }

  /** The words; of very many the beginning, so that what may be done stays in sight. @param {string} text */
  text(text) {
    const isCut = !this.isWhole && (text.length > LONG || text.split("\n", MANY_LINES + 1).length > MANY_LINES);
    const words = element("p", { class: isCut ? "memory-text cut" : "memory-text" }, stored(text));
    const all = element("button", { type: "button", class: "quiet", on: { click: () => {
      this.isWhole = true;
      this.drawWords();
    } } }, `Show all ${figure(text.length)} characters`);
    return isCut ? [words, all] : [words];
  }

  /** @param {Memory} memory */
  buttons(memory) {
    const one = (/** @type {string} */ name, look = "") =>
      ACTS[name]?.fits(memory) ? element("button", { type: "button", class: look, data: { act: name }, on: { click: () => act(name, [this.shown.memory]) } }, ACTS[name]?.label ?? name) : null;
    return [
      memory.waits === true ? one("confirm", "first") : null,
      memory.waits === true ? one("reject") : null,
      memory.status === "active" ? null : one("restore", "first"),
      element("button", { type: "button", data: { act: "edit" }, on: { click: () => this.edit() } }, "Edit"),
      one("forget"),
      ...this.menu(memory, memory.waits === true ? null : one("confirm"), one("archive")),
    ];
  }

  /** What is done less often. @param {Memory} memory @param {...(HTMLElement | null)} first */
  menu(memory, ...first) {
    const panel = element("div", { class: "popover menu", id: "memory-menu", popover: "auto", role: "group", "aria-label": "More to do with it", on: { click: () => panel.hidePopover() } },
      ...first,
      memory.status === "active" ? element("button", { type: "button", data: { act: "supersede" }, on: { click: () => supersedeDialog(this.shown.memory) } }, "Replace by another…") : null,
      element("button", { type: "button", class: "danger", data: { act: "purge" }, on: { click: () => purgeDialog([this.shown.memory], closePane) } }, "Purge for good…"),
    );
    const button = element("button", { type: "button", class: "quiet icon-button", "aria-label": "More", "aria-haspopup": "true", popovertarget: "memory-menu" }, icon("more"));
    return [element("div", { class: "menu-place" }, button, panel)];
  }

  edit() {
    if (this.isEditing) return;
    const form = editForm(this.shown.memory, {
      saved: (memory) => {
        fill(this.words);
        this.draw({ ...this.shown, memory });
        this.heading.focus();
      },
      cancelled: () => {
        fill(this.words);
        this.drawWords();
        /** @type {HTMLElement | null} */ (this.acts.querySelector('[data-act="edit"]'))?.focus();
      },
    });
    fill(this.words, form);
    fill(this.acts);
    /** @type {HTMLTextAreaElement | null} */ (form.querySelector("textarea"))?.focus();
  }
}

/** @param {Memory} memory */
const linkTo = (memory) => writeAddress(changed(here(), { open: `memory/${memory.id}` }));

/** @param {Shown} shown */
function waiting({ why_waiting, memory, proposals }) {
  return element(
    "section",
    { class: "waiting-note" },
    element("p", {}, WAITS_BECAUSE[why_waiting ?? ""] ?? spaced(why_waiting ?? "")),
    ...proposals.map((old) => card(old, linkTo(old), differing(old.text, memory.text))),
  );
}

/** @param {Shown} shown */
function whereFrom({ memory, quotation, session }) {
  const rows = [
    row("Written down", moment(memory.created_at)),
    row("By", writtenBy(memory)),
    memory.source === undefined ? null : row("Source", memory.source),
    session === null ? null : element("div", {}, element("dt", {}, "Session"), element("dd", {}, element("a", { href: writeAddress(changed(here(), { open: `session/${session.id}` })) }, stored(session.title, { most: 120 })), ` ${date(session.saved_at)}`)),
    session === null && memory.session !== undefined ? row("Session", memory.session) : null,
  ];
  return element("section", {}, element("h3", {}, "Where it came from"), quotation === null ? null : quote(quotation), element("dl", { class: "pairs" }, rows));
}

/**
 * What was said, word for word, and where.
 *
 * @param {Quotation} quotation
 */
export function quote(quotation) {
  const where = [quotation.role, quotation.turn === null || quotation.turn === undefined ? null : `turn ${figure(quotation.turn + 1)}`, quotation.said_at ? date(quotation.said_at) : null].filter(Boolean).join(", ");
  if (!quotation.text) return null;
  return element("figure", { class: "quotation" }, element("blockquote", {}, stored(quotation.text, { most: 4_000 })), where === "" ? null : element("figcaption", {}, where));
}

/** @param {string} name @param {string} value */
function row(name, value) {
  return value === "" ? null : element("div", {}, element("dt", {}, name), element("dd", {}, stored(value)));
}

/** @param {Evidence[]} found */
function evidence(found) {
  if (found.length === 0) return null;
  return element(
    "section",
    {},
    element("h3", {}, "What it rests on"),
    element(
      "ul",
      { class: "plain-list" },
      found.slice(0, MANY).map((each) =>
        element(
          "li",
          { class: "evidence" },
          element("span", { class: "row-meta" }, element("span", { class: each.status === "holds" || each.status === "valid" ? "badge" : "badge waits" }, spaced(each.status)), stored(each.source), each.lines === null ? null : `lines ${each.lines.first} to ${each.lines.last}`, each.checked_at === null ? null : `looked at ${date(each.checked_at)}`),
          each.snippet === null ? null : element("blockquote", {}, stored(each.snippet, { most: 2_000 })),
          each.detail === null ? null : element("p", { class: "faint" }, stored(each.detail)),
        ),
      ),
    ),
  );
}

/** @param {Shown} shown */
function chain({ memory, replaced, replaced_by: by }) {
  if (replaced.length === 0 && by === null) return null;
  return element(
    "section",
    {},
    by === null ? null : element("h3", {}, "What took its place"),
    by === null ? null : card(by, linkTo(by), differing(memory.text, by.text)),
    replaced.length === 0 ? null : element("h3", {}, "What it replaced"),
    ...replaced.slice(0, MANY).map((old) => card(old, linkTo(old), differing(old.text, memory.text))),
  );
}

/** @param {Relation[]} found */
function relations(found) {
  const others = found.filter((each) => each.kind !== "supersedes" && each.kind !== "proposes");
  if (others.length === 0) return null;
  return element(
    "section",
    {},
    element("h3", {}, "Related"),
    ...others.slice(0, MANY).map((each) =>
      element("div", { class: "relation" }, element("p", { class: "faint" }, RELATIONS[`${each.kind} ${each.direction}`] ?? spaced(each.kind), each.reason ? ": " : "", each.reason ? stored(each.reason) : null), card(each.memory, linkTo(each.memory)))),
    others.length > MANY ? element("p", { class: "faint" }, `and ${others.length - MANY} more`) : null,
  );
}

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<Shown>} */
const read = (id, signal) => get(`/memories/${encodeURIComponent(id)}`, signal === undefined ? {} : { signal });

opens("memory", async (id, signal) => {
  current = new OpenMemory(await read(id, signal));
  return current;
});

whenChanged(async (memories, gone) => {
  const open = opened(here());
  if (current === null || open?.sort !== "memory" || current.shown.memory.id !== open.id) return;
  if (gone.includes(open.id)) {
    closePane();
    return;
  }
  if (memories.length === 0) return;
  try {
    const before = current;
    const shown = await read(open.id);
    if (current !== before) return;
    before.draw(shown);
    before.history.refresh();
  } catch (error) {
    failed(error);
  }
});

keysFor("One memory", [
  { keys: "e", does: "change its words", when: () => opened(here())?.sort === "memory" && current !== null && here().view !== "review", run: () => current?.edit() },
]);
