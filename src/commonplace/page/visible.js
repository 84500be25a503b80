/**
 * Stored text as a person can see all of it: what hides or turns text is written out as `⟨U+202E⟩`.
 *
 * The same characters as `commonplace.text.visible`: joiners, direction marks and selectors as languages and emoji use
 * them stay as they are, a row of them is a message and is shown.
 */

const UNSEEN = new RegExp(
  [
    "(?<flag>\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{2}[\\u{e0061}-\\u{e007a}\\u{e0030}-\\u{e0039}]{1,3}\\u{e007f})",
    "[\\u{e0000}-\\u{e007f}]",
    "[\\u202a-\\u202e\\u2066-\\u2069]",
    "[\\u206a-\\u206f\\ufff9-\\ufffb]",
    "[\\u061c\\u200b-\\u200f\\u2060-\\u2064\\ufeff]{4,}",
    "[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]{2,}",
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u180e\\u2028\\u2029\\u2060-\\u2064\\ufeff]",
    "(?<![\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff])\\u200b",
  ].join("|"),
  "gu",
);
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** @typedef {{text: string, unseen: boolean}} Piece */

/**
 * A text in pieces: as it is, and what would not be seen as escapes. The pieces joined are all that is shown.
 *
 * @param {string} text
 * @returns {Piece[]}
 */
export function pieces(text) {
  const whole = text.replaceAll("\r\n", "\n");
  if (PLAIN.test(whole)) return whole === "" ? [] : [{ text: whole, unseen: false }];
  /** @type {Piece[]} */
  const found = [];
  let from = 0;
  for (const match of whole.matchAll(UNSEEN)) {
    if (match.groups?.["flag"] !== undefined) continue;
    if (match.index > from) found.push({ text: whole.slice(from, match.index), unseen: false });
    found.push({ text: escaped(match[0]), unseen: true });
    from = match.index + match[0].length;
  }
  if (from < whole.length) found.push({ text: whole.slice(from), unseen: false });
  return found;
}

/**
 * All of a text in one line of plain characters, for titles and names.
 *
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return pieces(text)
    .map((piece) => piece.text)
    .join("");
}

/**
 * The beginning of a text in one line.
 *
 * @param {string} text
 * @param {number} [most]
 * @returns {string}
 */
export function excerpt(text, most = 80) {
  const line = visible(text.slice(0, 4 * most)).replace(/\s+/gu, " ").trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("").trimEnd()}…`;
}

/** @param {string} text */
function escaped(text) {
  return Array.from(text, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0));
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  }).join("");
}
