/**
 * What differs between two texts, word by word: Myers' algorithm in its linear-memory form.
 *
 * The work is bounded. Where two long texts have next to nothing in common, a stretch is told as taken out and put in
 * whole, which is also how a person would rather read it.
 */

/** @typedef {{kind: "same" | "gone" | "new", text: string}} Stretch */

const WORK_LIMIT = 2_000_000;
const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}";
const TOKEN = new RegExp(`[${CJK}]\\p{M}*|(?:(?![${CJK}])[\\p{L}\\p{N}_])(?:(?![${CJK}])[\\p{L}\\p{M}\\p{N}_'’])*|\\s+|.`, "gsu");

/**
 * The words of a text, the blanks between them and each other character, which joined are the text.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function tokens(text) {
  return text.match(TOKEN) ?? [];
}

/**
 * Stretches that the texts share and do not share, in order: without what is new they are the first text, without what
 * is gone the second.
 *
 * @param {string} before
 * @param {string} after
 * @param {number} [work] how many steps may be spent before the rest is told whole
 * @returns {Stretch[]}
 */
export function difference(before, after, work = WORK_LIMIT) {
  const table = new Map();
  const left = numbered(tokens(before), table);
  const right = numbered(tokens(after), table);
  /** @type {Stretch[]} */
  const found = [];
  const words = [...table.keys()];
  const budget = { left: work };
  compare(left, 0, left.length, right, 0, right.length, budget, (kind, token) => {
    const text = words[token] ?? "";
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else found.push({ kind, text });
  });
  return tidied(found);
}

/** Tokens as numbers, since numbers are compared at once. @param {string[]} found @param {Map<string, number>} table */
function numbered(found, table) {
  return Int32Array.from(found, (token) => {
    const known = table.get(token);
    if (known !== undefined) return known;
    table.set(token, table.size);
    return table.size - 1;
  });
}

/**
 * @param {Int32Array} left @param {number} leftFrom @param {number} leftTo
 * @param {Int32Array} right @param {number} rightFrom @param {number} rightTo
 * @param {{left: number}} budget
 * @param {(kind: Stretch["kind"], token: number) => void} tell
 */
function compare(left, leftFrom, leftTo, right, rightFrom, rightTo, budget, tell) {
  while (leftFrom < leftTo && rightFrom < rightTo && left[leftFrom] === right[rightFrom]) {
    tell("same", at(left, leftFrom));
    leftFrom++;
    rightFrom++;
  }
  let shared = 0;
  while (leftFrom < leftTo - shared && rightFrom < rightTo - shared && left[leftTo - 1 - shared] === right[rightTo - 1 - shared])
    shared++;
  leftTo -= shared;
  rightTo -= shared;
  const snake =
    leftFrom < leftTo && rightFrom < rightTo
      ? middle(left.subarray(leftFrom, leftTo), right.subarray(rightFrom, rightTo), budget)
      : null;
  if (snake === null) {
    for (let place = leftFrom; place < leftTo; place++) tell("gone", at(left, place));
    for (let place = rightFrom; place < rightTo; place++) tell("new", at(right, place));
  } else {
    const [across, down] = snake;
    compare(left, leftFrom, leftFrom + across, right, rightFrom, rightFrom + down, budget, tell);
    compare(left, leftFrom + across, leftTo, right, rightFrom + down, rightTo, budget, tell);
  }
  for (let place = leftTo; place < leftTo + shared; place++) tell("same", at(left, place));
}

/** @param {Int32Array} numbers @param {number} place */
function at(numbers, place) {
  return /** @type {number} */ (numbers[place]);
}

/**
 * Where the shortest way from both ends meets, as how far along each text; null where nothing is shared, or the budget
 * is spent.
 *
 * @param {Int32Array} left @param {Int32Array} right @param {{left: number}} budget
 * @returns {[number, number] | null}
 */
function middle(left, right, budget) {
  const [wide, high] = [left.length, right.length];
  const delta = wide - high;
  const most = Math.ceil((wide + high) / 2);
  const offset = most + 1;
  const forward = new Int32Array(2 * offset + 1);
  const backward = new Int32Array(2 * offset + 1);
  for (let steps = 0; steps <= most; steps++) {
    budget.left -= 2 * steps + 1;
    if (budget.left < 0) return null;
    for (const ahead of [true, false]) {
      const [own, other] = ahead ? [forward, backward] : [backward, forward];
      for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
        const below = diagonal === -steps || (diagonal !== steps && at(own, offset + diagonal - 1) < at(own, offset + diagonal + 1));
        let across = below ? at(own, offset + diagonal + 1) : at(own, offset + diagonal - 1) + 1;
        let down = across - diagonal;
        while (
          across < wide && down < high &&
          (ahead ? left[across] === right[down] : left[wide - 1 - across] === right[high - 1 - down])
        ) {
          across++;
          down++;
        }
        own[offset + diagonal] = across;
        const facing = delta - diagonal;
        const reached = ahead ? steps - 1 : steps;
        if ((delta % 2 !== 0) === ahead && Math.abs(facing) <= reached && across + at(other, offset + facing) >= wide) {
          const point = ahead ? [across, down] : [wide - across, high - down];
          return meaningful(/** @type {[number, number]} */ (point), wide, high);
        }
      }
    }
  }
  return null;
}

/** A corner divides nothing. @param {[number, number]} point @param {number} wide @param {number} high */
function meaningful(point, wide, high) {
  const corner = (point[0] <= 0 && point[1] <= 0) || (point[0] >= wide && point[1] >= high);
  return corner || point[0] < 0 || point[1] < 0 || point[0] > wide || point[1] > high ? null : point;
}

/**
 * A blank alone between two changes reads as part of them, and what is gone is told before what is new.
 *
 * @param {Stretch[]} found
 */
function tidied(found) {
  /** @type {Stretch[]} */
  const tidy = [];
  let gone = "";
  let added = "";
  const flush = () => {
    if (gone !== "") tidy.push({ kind: "gone", text: gone });
    if (added !== "") tidy.push({ kind: "new", text: added });
    gone = added = "";
  };
  found.forEach((stretch, place) => {
    const between = stretch.kind === "same" && gone !== "" && added !== "" && /^\s+$/u.test(stretch.text);
    const goesOn = found[place + 1] !== undefined && !stretch.text.includes("\n");
    if (stretch.kind === "gone" || (between && goesOn)) gone += stretch.text;
    if (stretch.kind === "new" || (between && goesOn)) added += stretch.text;
    if (stretch.kind === "same" && !(between && goesOn)) {
      flush();
      tidy.push({ ...stretch });
    }
  });
  flush();
  return tidy;
}
