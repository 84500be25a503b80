/** Review: everything that waits for a person, one after another, by one key each. Answers are sent while one reads on. */

import { here } from "./address.js";
import { get, isAbort, send, sentence } from "./api.js";
import { choose } from "./dialog.js";
import { element, fill, keyed } from "./dom.js";
import { untilSent } from "./drafts.js";
import { editForm } from "./edit.js";
import { filterOf } from "./filters.js";
import { keysFor } from "./keys.js";
import { Queue } from "./queue.js";
import { answersTo, itemShown, itemText } from "./review_card.js";
import { known, tellChanged, whenChanged } from "./state.js";
import { stored } from "./stored.js";
import { failed, noteUndo, toast } from "./toast.js";
import { excerpt } from "./visible.js";
import { capital, count, figure, surfaceName } from "./words.js";

/** @import { Address } from "./address.js" */
/** @import { Answer, Item } from "./queue.js" */
/** @import { Acted, DreamPlan, Memory, Pair, Waiting } from "./shapes.js" */

const PAGE = 100;
const READ_AHEAD = 30; // open items left when more are fetched

let queue = new Queue();
let asked = "\0";
let asking = new AbortController();
/** @type {number | string | null} */
let cursor = null;
let isLoading = false;
let isEditing = false;
/** Answers go out one after another, so that what is undone first was done last. @type {Promise<unknown>} */
let sending = Promise.resolve();

const line = element("p", { class: "list-count", role: "status" });
const groups = element("div", { class: "groups" });
const card = element("div", { class: "review-card", role: "region", "aria-label": "What to decide on", tabindex: 0 });
const answers = element("div", { class: "review-answers", role: "toolbar", "aria-label": "Answers" });
const notes = element("div", { class: "review-notes" });

export const review = {
  name: "review",
  title: "Review",
  element: element(
    "section",
    { class: "view review", data: { view: "review" }, "aria-label": "Review" },
    element("div", { class: "review-queue" }, element("header", { class: "list-head" }, element("h1", {}, "Review"), element("div", { class: "list-line" }, line)), element("nav", { class: "scroller", "aria-label": "What waits" }, groups, notes)),
    element("div", { class: "review-desk" }, card, answers),
  ),
  /** @param {Address} address */
  show(address) {
    const question = filterOf(address).toString();
    if (question === asked) return;
    asked = question;
    begin();
  },
};

async function begin() {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  queue = new Queue();
  cursor = null;
  fill(notes);
  draw();
  try {
    await readWaiting(signal);
    await readPairs(signal);
  } catch (error) {
    if (isAbort(error)) return;
    asked = "\0";
    fill(notes, element("p", { class: "problem", role: "alert" }, sentence(error), " ", element("button", { type: "button", on: { click: begin } }, "Try again")));
  }
  draw();
}

/** @param {AbortSignal} signal */
async function readWaiting(signal) {
  const query = filterOf(here());
  query.set("limit", String(PAGE));
  if (cursor !== null) query.set("cursor", String(cursor));
  isLoading = true;
  try {
    const found = /** @type {{waiting: Waiting[], next_cursor: number | null}} */ (await get("/review", { query, signal }));
    signal.throwIfAborted();
    cursor = found.next_cursor;
    queue.add(found.waiting.map((waiting) => newItem(`waiting ${waiting.memory.id}`, groupOf(waiting), { waiting })));
  } finally {
    isLoading = false;
  }
  draw();
}

/** @param {AbortSignal} signal */
async function readPairs(signal) {
  const found = /** @type {{contradictions: Pair[], repeats: Pair[], looked_at: number, complete: boolean}} */ (await get("/pairs", { query: filterOf(here()), signal }));
  signal.throwIfAborted();
  const item = (/** @type {"contradiction" | "repeat"} */ sort, /** @type {string} */ name) => (/** @type {Pair} */ pair) => newItem(`${sort} ${pair.older.id} ${pair.newer.id}`, { key: sort, name, kind: "pairs" }, { pair: { ...pair, sort } });
  queue.add([...found.contradictions.map(item("contradiction", "Contradictions")), ...found.repeats.map(item("repeat", "Nearly the same"))]);
  if (filterOf(here()).size === 0) queue.add([newItem("dream", { key: "dream", name: "A dream", kind: "dream" }, { dream: null })]);
  fill(notes, known.me?.person === false ? element("p", { class: "note" }, "Your yes is noted here, but it is no person's word: a program may hold the same token. Sign in with one made with '--scopes read,write,person' to review as yourself.") : null, found.complete ? null : element("p", { class: "note" }, `For contradictions and repeats the newest ${figure(found.looked_at)} memories were looked at.`));
}

/** A file is one group, whichever line a memory is from. @param {Waiting} waiting @returns {Item["group"]} */
function groupOf({ group }) {
  const [id, name] = group.kind === "source" ? [group.id, group.name].map((each) => each.replace(/:\d+$/u, "")) : [group.id, group.name];
  return { key: `${group.kind} ${id}`, name: name ?? "", kind: group.kind };
}

/** @param {string} key @param {Item["group"]} group @param {Partial<Item>} what @returns {Item} */
function newItem(key, group, what) {
  return { key, group, answer: "open", problem: "", sent: null, ...what };
}

function draw() {
  const total = queue.items.length;
  fill(line, total === 0 ? "" : `${figure(queue.open)}${cursor === null ? "" : "+"} to decide, ${figure(total - queue.open)} done`);
  keyed(groups, queue.groups, ({ group }) => group.key, makeGroup, updateGroup);
  if (!isEditing) drawCard();
  if (cursor !== null && !isLoading && queue.open < READ_AHEAD) readWaiting(asking.signal).catch((error) => failed(error));
}

/** @param {{group: Item["group"]}} shown */
function makeGroup({ group }) {
  return element(
    "section",
    { class: "group", data: { group: group.key } },
    element("header", { class: "group-head" }, element("h2", {}, groupName(group)), element("span", { class: "faint group-count" }), group.kind === "dream" ? null : element("button", { type: "button", class: "quiet", "aria-label": `All of ${groupName(group)}`, on: { click: () => askAll(group.key) } }, "All…")),
    element("ul", { role: "list" }),
  );
}

/** @param {Item["group"]} group */
function groupName(group) {
  return excerpt(group.kind === "agent" ? capital(surfaceName(group.name)) : group.name, 60);
}

/** @param {HTMLElement} node @param {{items: Item[]}} shown */
function updateGroup(node, { items }) {
  const open = items.filter((item) => item.answer === "open").length;
  fill(/** @type {HTMLElement} */ (node.querySelector(".group-count")), open === 0 ? "done" : figure(open));
  keyed(/** @type {HTMLElement} */ (node.querySelector("ul")), items, (item) => item.key, makeItem, updateItem);
}

/** @param {Item} item */
function makeItem(item) {
  return element("li", {}, element("button", { type: "button", class: "queue-item", data: { key: item.key }, on: { click: () => goTo(item.key) } }, element("span", { class: "queue-mark", "aria-hidden": "true" }), element("span", { class: "queue-text", dir: "auto" }, excerpt(itemText(item), 120)), element("span", { class: "unsaid queue-said" })));
}

/** @type {Record<Answer, string>} */
const SAID = { open: "", yes: "yes", no: "no", other: "the other way", later: "later" };

/** @param {HTMLElement} node @param {Item} item */
function updateItem(node, item) {
  const button = /** @type {HTMLElement} */ (node.firstElementChild);
  button.dataset["answer"] = item.problem === "" ? item.answer : "failed";
  button.tabIndex = item.key === queue.current ? 0 : -1;
  if (item.key === queue.current) {
    if (!button.hasAttribute("aria-current")) button.scrollIntoView?.({ block: "nearest" });
    button.setAttribute("aria-current", "true");
  } else button.removeAttribute("aria-current");
  fill(/** @type {HTMLElement} */ (node.querySelector(".queue-said")), item.problem === "" ? SAID[item.answer] : `failed: ${item.problem}`);
}

function drawCard() {
  const { item } = queue;
  card.dataset["key"] = item?.key ?? "";
  if (item === undefined) {
    fill(card, nothingLeft());
    fill(answers, queue.answered.length === 0 ? null : undoButton());
    return;
  }
  if (item.dream === null) planDream(item);
  const group = queue.groups.find((each) => each.group.key === item.group.key)?.items ?? [];
  const place = `${figure(group.indexOf(item) + 1)} of ${figure(group.length)}`;
  fill(
    card,
    element("header", { class: "card-head" }, element("h2", { class: "small-heading" }, groupName(item.group)), group.length > 1 ? element("span", { class: "faint" }, place) : null, item.dream === undefined && group.length > 1 ? element("button", { type: "button", class: "quiet", "aria-keyshortcuts": "a", on: { click: () => askAll() } }, "All of these…") : null),
    item.problem === "" ? null : element("p", { class: "problem", role: "alert" }, item.problem),
    ...itemShown(item),
  );
  card.scrollTop = 0;
  const held = /** @type {HTMLElement | null} */ (answers.contains(document.activeElement) ? document.activeElement : null)?.dataset["answer"];
  fill(
    answers,
    ...answersTo(item).map(({ answer, label, key, look = "" }) => element("button", { type: "button", class: look, data: { answer }, "aria-keyshortcuts": key, on: { click: () => say(answer) } }, label, element("kbd", { "aria-hidden": "true" }, key))),
    queue.answered.length === 0 ? null : undoButton(),
  );
  if (held !== undefined) /** @type {HTMLElement | null} */ (answers.querySelector(`[data-answer="${held}"]`) ?? answers.querySelector("button"))?.focus();
}

function undoButton() {
  return element("button", { type: "button", class: "quiet review-undo", data: { answer: "undo" }, "aria-keyshortcuts": "u", on: { click: undo } }, "Undo", element("kbd", { "aria-hidden": "true" }, "u"));
}

function nothingLeft() {
  if (isLoading || (queue.items.length === 0 && asked === "\0")) return element("p", { class: "faint" }, "");
  const later = queue.items.filter((item) => item.answer === "later").length;
  return element(
    "div",
    { class: "empty" },
    element("h2", {}, queue.items.length === 0 ? "Nothing waits for you" : "All decided"),
    element("p", {}, later > 0 ? `${count(later, "item is", "items are")} left for later.` : "What agents learn or want to change comes here, and reaches no prompt before you say yes."),
    later > 0 ? element("p", {}, element("button", { type: "button", on: { click: takeLater } }, "Those left for later")) : null,
  );
}

function takeLater() {
  for (const item of queue.items) if (item.answer === "later") queue.reopen(item);
  draw();
}

/** @param {string} key */
function goTo(key) {
  if (isEditing) return;
  queue.current = key;
  draw();
  card.focus({ preventScroll: true });
}

/** @param {Item} item */
async function planDream(item) {
  try {
    const plan = /** @type {DreamPlan} */ (await send("POST", "/dreams/plan"));
    if (plan.changes.length === 0) {
      queue.drop(item);
      notes.append(...["A dream would change nothing now.", ...plan.notes].map((note) => element("p", { class: "note" }, stored(note))));
    }
    item.dream = plan;
  } catch (error) {
    item.dream = { plan_id: "", changes: [], waiting: 0, notes: [sentence(error)] };
  }
  draw();
}

/** @param {"yes" | "no" | "other" | "edit" | "later"} answer */
function say(answer) {
  const { item } = queue;
  if (item === undefined || isEditing || !answersTo(item).some((each) => each.answer === answer)) return;
  if (answer === "edit") edit(item);
  else if (answer === "later") queue.answer(item, "later", null);
  else sendAnswer(item, answer);
  draw();
}

/** @param {Item} item @param {"yes" | "no" | "other"} answer */
function sendAnswer(item, answer) {
  const sent = sending.then(() => request(item, answer));
  sending = sent.catch(() => undefined);
  untilSent(sending);
  queue.answer(item, answer, sent);
  sent.then(
    (undoId) => noteUndo(undoId, excerpt(itemText(item), 48)),
    (error) => {
      queue.reopen(item, sentence(error));
      draw();
      failed(error, "One answer came back.");
    },
  );
}

/** @param {Item} item @param {"yes" | "no" | "other"} answer @returns {Promise<string | null>} */
async function request(item, answer) {
  if (item.waiting !== undefined) {
    const done = /** @type {Acted} */ (await send("POST", `/memories/${answer === "yes" ? "confirm" : "reject"}`, { ids: [item.waiting.memory.id] }));
    const [problem] = done.problems;
    if (problem !== undefined) throw new Error(problem.message);
    tellChanged(done.memories);
    return done.undo;
  }
  if (item.pair !== undefined) {
    const { older, newer } = item.pair;
    const [old, kept] = answer === "yes" ? [older, newer] : [newer, older];
    const done = answer === "no" ? await send("POST", "/memories/keep-both", { ids: [older.id, newer.id] }) : await send("POST", "/memories/supersede", { old: old.id, new: kept.id });
    tellChanged(done.memories ?? []);
    return done.undo;
  }
  if (answer === "no" || !item.dream) return null;
  const { run } = await send("POST", "/dreams/apply", { plan_id: item.dream.plan_id });
  tellChanged([]);
  return `dream ${run.id}`;
}

async function undo() {
  const item = queue.answered.at(-1);
  if (item === undefined) {
    toast("There is nothing to take back here.");
    return;
  }
  const { sent } = item;
  // What was answered together is taken back together.
  const back = queue.items.filter((each) => each === item || (sent !== null && each.sent === sent));
  for (const each of back) queue.reopen(each);
  queue.current = back[0]?.key ?? item.key;
  draw();
  try {
    const id = await sent;
    if (id === null || id === undefined) return;
    if (id.startsWith("dream ")) await send("POST", `/dreams/${encodeURIComponent(id.slice(6))}/undo`);
    else {
      const done = await send("POST", "/undo", { id });
      noteUndo(id, null);
      tellChanged(done.restored ?? []);
    }
  } catch (error) {
    failed(error, "This was not taken back.");
  }
}

/** @param {Item} item */
function edit(item) {
  const memory = item.waiting?.memory ?? item.pair?.newer;
  if (memory === undefined) return;
  isEditing = true;
  const done = () => {
    isEditing = false;
    draw();
    card.focus({ preventScroll: true });
  };
  const form = editForm(memory, {
    cancelled: done,
    saved: (/** @type {Memory} */ now) => {
      if (item.waiting !== undefined) item.waiting = { ...item.waiting, memory: now };
      if (item.pair !== undefined) item.pair = { ...item.pair, newer: now };
      if (item.waiting !== undefined && now.waits !== true) queue.answer(item, "yes", null);
      done();
    },
  });
  fill(card, form);
  fill(answers);
  /** @type {HTMLTextAreaElement | null} */ (form.querySelector("textarea"))?.focus();
}

/** @param {string} [key] the group, else that of the item one is at */
function askAll(key = queue.item?.group.key) {
  const found = queue.groups.find(({ group }) => group.key === key);
  const open = found?.items.filter((item) => item.answer === "open" && item.dream === undefined) ?? [];
  if (found === undefined || open.length === 0 || isEditing) return;
  const isPairs = found.group.kind === "pairs";
  const all = (/** @type {"yes" | "no"} */ answer) => () => {
    if (isPairs) for (const item of open) sendAnswer(item, answer);
    else sendTogether(open, answer);
    draw();
  };
  choose(
    `All ${figure(open.length)} of “${groupName(found.group)}”`,
    [element("ul", { class: "plain-list all-texts" }, open.slice(0, 5).map((item) => element("li", { dir: "auto" }, excerpt(itemText(item), 160))), open.length > 5 ? element("li", { class: "faint" }, `and ${figure(open.length - 5)} more`) : null)],
    [{ label: isPairs ? "Both stand, for all" : "No to all", run: all("no") }, { label: isPairs ? "Newer replaces older, for all" : "Yes to all", look: "first", submits: true, run: all("yes") }],
  );
}

/** One request and one undo for all of them. @param {Item[]} items @param {"yes" | "no"} answer */
function sendTogether(items, answer) {
  const ids = items.map((item) => item.waiting?.memory.id ?? "");
  const sent = sending.then(async () => {
    const done = /** @type {Acted} */ (await send("POST", `/memories/${answer === "yes" ? "confirm" : "reject"}`, { ids }));
    tellChanged(done.memories);
    toast(`${answer === "yes" ? "Yes" : "No"} to ${count(items.length - done.problems.length, "memory", "memories")}`, done.undo);
    for (const problem of done.problems) {
      const item = items.find((each) => each.waiting?.memory.id === problem.id);
      if (item !== undefined) queue.reopen(item, problem.message);
    }
    draw();
    return done.undo;
  });
  sending = sent.catch(() => undefined);
  untilSent(sending);
  for (const item of items) queue.answer(item, answer, sent);
  sent.catch((error) => {
    for (const item of items) queue.reopen(item, sentence(error));
    draw();
    failed(error, "The answers came back.");
  });
}

whenChanged((memories) => {
  // What was taken back elsewhere on the page waits here again.
  const waits = new Map(memories.filter((memory) => memory.waits === true && memory.status === "active").map((memory) => [memory.id, memory]));
  const back = queue.items.filter((item) => item.waiting !== undefined && waits.has(item.waiting.memory.id) && item.answer !== "later");
  for (const item of back) if (item.answer !== "open") queue.reopen(item);
  if (back.length > 0 && here().view === "review") draw();
});

const isHere = () => here().view === "review" && !isEditing;

/** @param {number} step */
function move(step) {
  queue.move(step);
  draw();
}

keysFor("Review", [
  { keys: "y", does: "yes; of two, the newer takes the place", when: isHere, run: () => say("yes") },
  { keys: "n", does: "no; of two, both stand", when: isHere, run: () => say("no") },
  { keys: "o", does: "of two, the older takes the place", when: isHere, run: () => say("other") },
  { keys: "e", does: "edit", when: isHere, run: () => say("edit") },
  { keys: "l", does: "later", when: isHere, run: () => say("later") },
  { keys: "a", does: "all of this group", when: isHere, run: () => askAll() },
  { keys: "u", does: "undo the last answer", when: isHere, run: () => undo() },
  { keys: "j / ArrowDown", does: "next", when: isHere, run: () => move(1) },
  { keys: "k / ArrowUp", does: "the one before", when: isHere, run: () => move(-1) },
]);
