/** What was done, said in a corner for a while, with a button that takes it back. */

import { byId, element, fill } from "./dom.js";
import { isAbort, send, sentence } from "./api.js";
import { tellChanged } from "./state.js";

const STAYS_MILLISECONDS = 12_000;
const UNDO_LIMIT = 100;

/** What may be taken back, the last one last. @type {{id: string, did: string}[]} */
const DONE = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Says what was done; with the id of the operation it can be taken back.
 *
 * @param {string} did
 * @param {string | null} [undo]
 */
export function toast(did, undo = null) {
  if (undo !== null) {
    DONE.push({ id: undo, did });
    if (DONE.length > UNDO_LIMIT) DONE.shift();
  }
  show(did, undo === null ? null : { label: "Undo", run: () => takeBack(undo) });
}

/**
 * Notes what can be taken back without saying anything; or, with nothing done, that it was taken back.
 *
 * @param {string | null} undo
 * @param {string | null} did
 */
export function noteUndo(undo, did) {
  const place = DONE.findIndex((each) => each.id === undo);
  if (place >= 0) DONE.splice(place, 1);
  if (undo !== null && did !== null && !undo.startsWith("dream ")) DONE.push({ id: undo, did });
}

/**
 * Says that something failed, and why. What is only no longer wanted is no failure.
 *
 * @param {unknown} error
 * @param {string} [what] what was tried
 */
export function failed(error, what) {
  if (isAbort(error)) return;
  show(what === undefined ? sentence(error) : `${what} ${sentence(error)}`, null, true);
}

/** Takes back what was done last from this page. */
export function undoLast() {
  const last = DONE.at(-1);
  if (last === undefined) show("Nothing from this visit can be taken back.", null);
  else takeBack(last.id);
}

/**
 * Takes an operation back, and tells the views.
 *
 * @param {string} id
 * @returns {Promise<boolean>} whether it was done
 */
export async function takeBack(id) {
  const place = DONE.findIndex((each) => each.id === id);
  try {
    const answer = await send("POST", "/undo", { id });
    const did = place < 0 ? undefined : DONE.splice(place, 1)[0]?.did;
    const left = answer.left?.length ?? 0;
    show(`Taken back${did === undefined ? "" : `: ${did}`}${left === 0 ? "" : ` (${left} left as they are: they were changed since)`}`, null);
    tellChanged(answer.restored ?? [], (answer.removed ?? []).map((/** @type {{id: string}} */ each) => each.id));
    return true;
  } catch (error) {
    failed(error, "This was not taken back.");
    return false;
  }
}

/** @param {string} text @param {{label: string, run: () => void} | null} button @param {boolean} [problem] */
function show(text, button, problem = false) {
  clearTimeout(timer);
  const place = byId("toast");
  const hide = () => fill(place);
  fill(
    place,
    element(
      "div",
      { class: problem ? "toast problem" : "toast" },
      element("span", { class: "toast-text" }, text),
      button === null
        ? null
        : element("button", { type: "button", class: "toast-button", on: { click: () => { hide(); button.run(); } } }, button.label),
      element("button", { type: "button", class: "toast-close", "aria-label": "Dismiss", on: { click: hide } }, "×"),
    ),
  );
  // Who is about to press the button keeps it, and what went wrong stays until it was read.
  const later = () => (place.matches(":hover, :focus-within") ? (timer = setTimeout(later, STAYS_MILLISECONDS / 4)) : hide());
  if (!problem) timer = setTimeout(later, STAYS_MILLISECONDS);
}
