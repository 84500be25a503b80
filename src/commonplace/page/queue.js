/** What is reviewed, in the order one goes through it: items in groups, each with what was said to it. */

/** @import { DreamPlan, Pair, Waiting } from "./shapes.js" */
/** @typedef {"open" | "yes" | "no" | "other" | "later"} Answer */
/**
 * @typedef {object} Item
 * @property {string} key
 * @property {{key: string, name: string, kind: string}} group
 * @property {Answer} answer
 * @property {string} problem why an answer came back
 * @property {Promise<string | null> | null} sent with what takes it back, once it is done
 * @property {Waiting} [waiting]
 * @property {Pair & {sort: "contradiction" | "repeat"}} [pair]
 * @property {DreamPlan | null} [dream]
 */

export class Queue {
  /** @type {Item[]} */
  items = [];
  /** Answered, the last one last. @type {Item[]} */
  answered = [];
  /** @type {string} */
  current = "";

  /**
   * Adds what is not in it yet: to its group where there is one, else at the end.
   *
   * @param {readonly Item[]} items
   */
  add(items) {
    for (const item of items) {
      if (this.items.some((each) => each.key === item.key)) continue;
      const last = this.items.findLastIndex((each) => each.group.key === item.group.key);
      this.items.splice(last < 0 ? this.items.length : last + 1, 0, item);
    }
    if (this.find(this.current) === undefined) this.current = this.items.find((each) => each.answer === "open")?.key ?? "";
  }

  /** @param {string} key */
  find(key) {
    return this.items.find((each) => each.key === key);
  }

  /** The item one is at. */
  get item() {
    return this.find(this.current);
  }

  /** The groups in order, each with its items. */
  get groups() {
    /** @type {Map<string, {group: Item["group"], items: Item[]}>} */
    const found = new Map();
    for (const item of this.items) {
      const group = found.get(item.group.key) ?? { group: item.group, items: [] };
      group.items.push(item);
      found.set(item.group.key, group);
    }
    return [...found.values()];
  }

  get open() {
    return this.items.filter((each) => each.answer === "open").length;
  }

  /**
   * Goes some items on, answered ones too.
   *
   * @param {number} step
   */
  move(step) {
    const place = this.items.findIndex((each) => each.key === this.current);
    this.current = this.items[Math.max(0, Math.min(this.items.length - 1, place + step))]?.key ?? "";
  }

  /** Goes to the next item that nothing was said to; from the end to the first; to those for later last. */
  advance() {
    const place = this.items.findIndex((each) => each.key === this.current);
    const around = [...this.items.slice(place + 1), ...this.items.slice(0, place + 1)];
    const next = around.find((each) => each.answer === "open");
    this.current = next?.key ?? "";
  }

  /**
   * Takes out what turned out to be nothing to decide, and goes on.
   *
   * @param {Item} item
   */
  drop(item) {
    if (this.item === item) this.advance();
    this.items = this.items.filter((each) => each !== item);
    if (this.item === undefined) this.current = "";
  }

  /**
   * Notes an answer, and goes on.
   *
   * @param {Item} item
   * @param {Answer} answer
   * @param {Promise<string | null> | null} sent
   */
  answer(item, answer, sent) {
    item.answer = answer;
    item.problem = "";
    item.sent = sent;
    this.answered = [...this.answered.filter((each) => each !== item), item];
    if (item.key === this.current) this.advance();
  }

  /**
   * An item is open again, with why if something went wrong.
   *
   * @param {Item} item
   * @param {string} [problem]
   */
  reopen(item, problem = "") {
    item.answer = "open";
    item.problem = problem;
    item.sent = null;
    this.answered = this.answered.filter((each) => each !== item);
    if (this.current === "") this.current = item.key;
  }
}
