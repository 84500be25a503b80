/** Matched words in a text: forms of a word are found, other words are not, and nothing of the text is lost. */

import assert from "node:assert/strict";
import test from "node:test";

import { marked } from "../../src/commonplace/page/matching.js";

const found = (text, ...words) => marked(text, words).filter((part) => part.marked).map((part) => part.text);

test("a word is marked in the forms it has", () => {
  assert.deepEqual(found("Deploys are deployed by a Deployer", "deploy"), ["Deploys", "deployed", "Deployer"]);
  assert.deepEqual(found("two caches", "cache"), ["caches"]);
  assert.deepEqual(found("the café", "cafe"), ["café"]);
  assert.deepEqual(found("run --dry-run first", "dry-run"), ["run", "dry", "run"]);
});

test("other words are not marked", () => {
  assert.deepEqual(found("An island is not art", "is", "are"), ["is"]);
  assert.deepEqual(found("redirect", "direct"), []);
  assert.deepEqual(found("category", "cat"), []);
  assert.deepEqual(found("anything", ""), []);
});

test("a script without blanks is looked through", () => {
  assert.deepEqual(found("明日は東京で会議", "東京"), ["東京"]);
});

test("the parts joined are the text", () => {
  for (const text of ["", "a b  c\n", "東京x東京", "İstanbul é\u0301", "👨‍👩‍👧 dry-run"])
    assert.equal(marked(text, ["dry", "東京", "c", "istanbul"]).map((part) => part.text).join(""), text);
});
