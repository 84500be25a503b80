/** What was typed and not yet sent: it outlives views, errors and signing in again, and is asked for before the page goes. */

/** @type {Map<string, Record<string, string | boolean>>} */
const DRAFTS = new Map();

/**
 * What was typed for something before; nothing if it was sent or given up.
 *
 * @param {string} key
 */
export function draft(key) {
  return DRAFTS.get(key) ?? null;
}

/**
 * Keeps what is in a form.
 *
 * @param {string} key
 * @param {HTMLFormElement} form
 */
export function keepDraft(key, form) {
  DRAFTS.set(key, valuesOf(form));
}

/** @param {string} key */
export function dropDraft(key) {
  DRAFTS.delete(key);
}

/**
 * What stands in a form's fields by name.
 *
 * @param {HTMLFormElement} form
 * @returns {Record<string, string | boolean>}
 */
export function valuesOf(form) {
  /** @type {Record<string, string | boolean>} */
  const values = {};
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === "checkbox") values[control.name] = control.checked;
    else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement)
      if (control.name !== "") values[control.name] = control.value;
  }
  return values;
}

let underWay = 0;

/**
 * Has the person asked before they leave while this is on its way, for what was not sent then never is.
 *
 * @param {Promise<unknown>} sending that does not fail
 */
export async function untilSent(sending) {
  underWay += 1;
  await sending;
  underWay -= 1;
}

addEventListener("beforeunload", (event) => {
  if (DRAFTS.size > 0 || underWay > 0) event.preventDefault();
});
