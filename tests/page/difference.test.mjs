/** Differences between texts: whatever the texts, both can be had back from what is told. */

import assert from "node:assert/strict";
import test from "node:test";

import { difference, tokens } from "../../src/commonplace/page/difference.js";

const before = (found) => found.filter((each) => each.kind !== "new").map((each) => each.text).join("");
const after = (found) => found.filter((each) => each.kind !== "gone").map((each) => each.text).join("");
const same = (found) => found.filter((each) => each.kind === "same").map((each) => each.text).join("");

/** Numbers that look random and are the same each time. */
function* numbers(seed) {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}

test("a word that changed is told alone", () => {
  assert.deepEqual(difference("Deploys are on Thursday", "Deploys are on Friday"), [
    { kind: "same", text: "Deploys are on " },
    { kind: "gone", text: "Thursday" },
    { kind: "new", text: "Friday" },
  ]);
});

test("texts that are the same have no difference, and empty ones nothing to tell", () => {
  assert.deepEqual(difference("as it was", "as it was"), [{ kind: "same", text: "as it was" }]);
  assert.deepEqual(difference("", ""), []);
  assert.deepEqual(difference("", "new"), [{ kind: "new", text: "new" }]);
  assert.deepEqual(difference("gone", ""), [{ kind: "gone", text: "gone" }]);
});

test("tokens joined are the text, in any script", () => {
  for (const text of ["don't  stop\n\nnow", "東京の天気", "naïve café", "a🇬🇧b👨‍👩‍👧", "x\u202ey\u0000", "ภาษาไทย", "שלום"])
    assert.equal(tokens(text).join(""), text);
  assert.deepEqual(tokens("東京 rain"), ["東", "京", " ", "rain"]);
});

test("both texts come back from any difference, and what is shared is as long as can be", () => {
  const next = numbers(7);
  const words = ["a", "b", "c", "d", " ", "\n", ".", "é"];
  const text = (most) =>
    Array.from({ length: next.next().value % most }, () => words[next.next().value % words.length]).join("");
  for (let round = 0; round < 3_000; round++) {
    const [left, right] = [text(14), text(14)];
    const found = difference(left, right);
    assert.equal(before(found), left);
    assert.equal(after(found), right);
  }
});

test("what two texts share is found as long as a table of all pairs finds it", () => {
  const next = numbers(11);
  const text = () => Array.from({ length: next.next().value % 16 }, () => ".,;:"[next.next().value % 4]).join("");
  for (let round = 0; round < 2_000; round++) {
    const [left, right] = [text(), text()];
    assert.equal(same(difference(left, right)).length, longest([...left], [...right]), `${left} and ${right}`);
  }
});

function longest(left, right) {
  const row = new Array(right.length + 1).fill(0);
  for (const word of left) {
    let corner = 0;
    for (let place = 1; place <= right.length; place++) {
      const above = row[place];
      row[place] = word === right[place - 1] ? corner + 1 : Math.max(above, row[place - 1]);
      corner = above;
    }
  }
  return row[right.length];
}

test("two long texts with nothing in common are told whole, within the work that is allowed", () => {
  const left = Array.from({ length: 20_000 }, (_, place) => `left${place}`).join(" ");
  const right = Array.from({ length: 20_000 }, (_, place) => `right${place}`).join("\n");
  const found = difference(left, right, 100_000);
  assert.equal(before(found), left);
  assert.equal(after(found), right);
});

test("a long text with one change in its middle is told as that", () => {
  const left = Array.from({ length: 50_000 }, (_, place) => `word${place % 977}`);
  const right = [...left];
  right[25_000] = "changed";
  const found = difference(left.join(" "), right.join(" "));
  assert.deepEqual(
    found.filter((each) => each.kind !== "same"),
    [
      { kind: "gone", text: "word575" },
      { kind: "new", text: "changed" },
    ],
  );
});
