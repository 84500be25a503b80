/** The words of a query in a text, in whatever form they stand there: a query says "deploy", the text "deploys". */

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const ENDING = 3; // letters by which two forms of a word may differ at the end

/**
 * A text in parts, those marked that say what one of the words says. The parts joined are the text.
 *
 * @param {string} text
 * @param {readonly string[]} words
 * @returns {{text: string, marked: boolean}[]}
 */
export function marked(text, words) {
  const wanted = [...new Set(words.flatMap((word) => folded(word).match(WORD) ?? []))];
  /** @type {Map<string, boolean>} */
  const known = new Map();
  /** @type {{text: string, marked: boolean}[]} */
  const found = [];
  let from = 0;
  for (const match of text.matchAll(WORD)) {
    for (const [start, end] of WITHOUT_BLANKS.test(match[0]) ? inside(match[0], wanted) : whole(match[0], wanted, known)) {
      const at = match.index + start;
      if (at > from) found.push({ text: text.slice(from, at), marked: false });
      found.push({ text: text.slice(at, match.index + end), marked: true });
      from = match.index + end;
    }
  }
  if (from < text.length) found.push({ text: text.slice(from), marked: false });
  return found;
}

/**
 * Where in a text the first of the words is said; -1 where none is.
 *
 * @param {string} text
 * @param {readonly string[]} words
 */
export function firstMatch(text, words) {
  let place = 0;
  for (const part of marked(text, words)) {
    if (part.marked) return place;
    place += part.text.length;
  }
  return -1;
}

/** @param {string} word @param {string[]} wanted @param {Map<string, boolean>} known @returns {[number, number][]} */
function whole(word, wanted, known) {
  const key = folded(word);
  let same = known.get(key);
  if (same === undefined) {
    same = wanted.some((each) => isForm(key, each));
    known.set(key, same);
  }
  return same ? [[0, word.length]] : [];
}

/** Where words stand in a run of a script that has no blanks. @param {string} run @param {string[]} wanted @returns {[number, number][]} */
function inside(run, wanted) {
  /** @type {[number, number][]} */
  const found = [];
  const text = run.toLowerCase();
  for (let place = 0; place < text.length; ) {
    const word = wanted.filter((each) => text.startsWith(each, place)).sort((one, other) => other.length - one.length)[0];
    if (word !== undefined) found.push([place, place + word.length]);
    place += word?.length ?? 1;
  }
  return text.length === run.length ? found : [];
}

/** Whether two words differ in no more than their ending. @param {string} one @param {string} other */
function isForm(one, other) {
  if (one === other) return true;
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  const rest = Math.max(one.length, other.length) - shared;
  return shared >= 3 && rest <= Math.min(ENDING, shared - 2);
}

/** @param {string} word */
function folded(word) {
  return word.normalize("NFD").replace(/(?<=[a-z])\p{M}/giu, "").normalize("NFC").toLowerCase();
}
