/** The queue of a review: nothing is passed over, and what is taken back waits again where it was. */

import assert from "node:assert/strict";
import test from "node:test";

import { Queue } from "../../src/commonplace/page/queue.js";

const item = (key, group) => ({ key, group: { key: group, name: group, kind: "session" }, answer: "open", problem: "", sent: null });

function filled() {
  const queue = new Queue();
  queue.add([item("a1", "a"), item("a2", "a"), item("b1", "b")]);
  return queue;
}

test("items stand in their groups, whenever they come, and once", () => {
  const queue = filled();
  queue.add([item("a3", "a"), item("b1", "b"), item("c1", "c")]);
  assert.deepEqual(queue.items.map((each) => each.key), ["a1", "a2", "a3", "b1", "c1"]);
  assert.deepEqual(queue.groups.map(({ group, items }) => [group.key, items.length]), [["a", 3], ["b", 1], ["c", 1]]);
  assert.equal(queue.current, "a1");
});

test("an answer leads to the next that is open, and from the end to what was passed over", () => {
  const queue = filled();
  queue.current = "a2";
  queue.answer(queue.find("a2"), "yes", null);
  assert.equal(queue.current, "b1");
  queue.answer(queue.find("b1"), "later", null);
  assert.equal(queue.current, "a1");
  queue.answer(queue.find("a1"), "no", null);
  assert.equal(queue.current, "");
  assert.equal(queue.open, 0);
});

test("what turns out to be nothing to decide is gone, and one is at the next", () => {
  const queue = filled();
  queue.drop(queue.find("b1"));
  assert.equal(queue.current, "a1");
  queue.drop(queue.find("a1"));
  assert.deepEqual(queue.items.map((each) => each.key), ["a2"]);
  assert.equal(queue.current, "a2");
  queue.drop(queue.find("a2"));
  assert.equal(queue.current, "");
});

test("answers to several leave one at the first that is open after them", () => {
  const queue = filled();
  for (const key of ["a1", "a2"]) queue.answer(queue.find(key), "yes", null);
  assert.equal(queue.current, "b1");
});

test("what comes back is open, says why, and is not the last answer any more", () => {
  const queue = filled();
  for (const key of ["a1", "a2", "b1"]) queue.answer(queue.find(key), "yes", null);
  queue.reopen(queue.find("a2"), "It was changed meanwhile.");
  assert.deepEqual([queue.current, queue.item.answer, queue.item.problem], ["a2", "open", "It was changed meanwhile."]);
  assert.deepEqual(queue.answered.map((each) => each.key), ["a1", "b1"]);
});

test("one goes over answered items too, and not beyond the ends", () => {
  const queue = filled();
  queue.answer(queue.find("a1"), "yes", null);
  queue.move(-1);
  assert.equal(queue.current, "a1");
  queue.move(-5);
  assert.equal(queue.current, "a1");
  queue.move(9);
  assert.equal(queue.current, "b1");
});
