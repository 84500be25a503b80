/** Addresses: what is read is what was written, and nothing in one leads out of the page. */

import assert from "node:assert/strict";
import test from "node:test";

import { changed, opened, parseAddress, writeAddress } from "../../src/commonplace/page/address.js";

test("an address comes back as it was written", () => {
  for (const hash of [
    "#/search",
    "#/review",
    "#/search?query=when+do+we+deploy%3F&kind=fact&kind=decision",
    "#/search?query=100%25+%26+more&open=memory/mem_01JZX6J8T0Q6V0YH3C3C1N9W5R",
    "#/sessions?open=session/ses_1",
  ])
    assert.equal(writeAddress(parseAddress(hash)), hash);
});

test("a view that is not ours is the search, and a damaged address is no error", () => {
  for (const hash of ["", "#", "#/", "#/nothing", "#javascript:alert(1)", "#/%", "#/search?%", "#/search?open=%2"])
    assert.equal(parseAddress(hash).view, "search");
});

test("changes set, add and take away, and leave the first address as it was", () => {
  const first = parseAddress("#/search?query=old&tag=a&tag=b");
  assert.equal(writeAddress(changed(first, { query: "new", tag: ["c"], kind: null })), "#/search?query=new&tag=c");
  assert.equal(writeAddress(changed(first, { query: "", tag: null })), "#/search");
  assert.equal(writeAddress(first), "#/search?query=old&tag=a&tag=b");
});

test("what is open is one of three sorts, with an id that may have anything in it", () => {
  assert.deepEqual(opened(parseAddress("#/search?open=memory/12")), { sort: "memory", id: "12" });
  assert.deepEqual(opened(parseAddress("#/search?open=session/a/b?c")), { sort: "session", id: "a/b?c" });
  for (const wrong of ["", "memory", "memory/", "javascript/alert(1)", "/12"])
    assert.equal(opened(parseAddress(`#/search?open=${encodeURIComponent(wrong)}`)), null);
});
