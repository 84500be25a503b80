/** What hides or turns text is shown, and ordinary writing stays as it is. */

import assert from "node:assert/strict";
import test from "node:test";

import { excerpt, pieces, visible } from "../../src/commonplace/page/visible.js";

test("ordinary writing of any script stays as it is", () => {
  for (const text of ["plain", "two\nlines\tand a tab", "naïve café", "東京", "שלום עולם", "نیم‌فاصله", "👨‍👩‍👧", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "ไทย\u200bไทย"])
    assert.equal(visible(text), text);
});

test("controls, overrides, tags and rows of invisible characters are written out", () => {
  assert.equal(visible("a\u202eb"), "a⟨U+202E⟩b");
  assert.equal(visible("a\u2066b\u2069"), "a⟨U+2066⟩b⟨U+2069⟩");
  assert.equal(visible("\u0000\u001b[31m\u007f\u009b"), "⟨U+0000⟩⟨U+001B⟩[31m⟨U+007F⟩⟨U+009B⟩");
  assert.equal(visible("x\u200by"), "x⟨U+200B⟩y");
  assert.equal(visible("x\u200c\u200d\u200c\u200dy"), "x⟨U+200C⟩⟨U+200D⟩⟨U+200C⟩⟨U+200D⟩y");
  assert.equal(visible("hi\u{e0041}\u{e0042}"), "hi⟨U+E0041⟩⟨U+E0042⟩");
  assert.equal(visible("a\u2028b\ufeffc"), "a⟨U+2028⟩b⟨U+FEFF⟩c");
  assert.equal(visible("line\r\nline\rx"), "line\nline⟨U+000D⟩x");
});

test("what is shown in the place of a character is told apart from what was written", () => {
  assert.deepEqual(pieces("a\u202eb"), [
    { text: "a", unseen: false },
    { text: "⟨U+202E⟩", unseen: true },
    { text: "b", unseen: false },
  ]);
  assert.deepEqual(pieces(""), []);
});

test("an excerpt is one line that ends in time and cuts no character in two", () => {
  assert.equal(excerpt("one\n  two", 20), "one two");
  assert.equal(excerpt("😀".repeat(50), 10), `${"😀".repeat(9)}…`);
});
