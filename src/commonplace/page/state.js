/** What the whole page knows: who is here, what there is to choose from, and that something was changed. */

import { get } from "./api.js";

/** @import { Choices, Me, Memory } from "./shapes.js" */

/** @type {{me: Me | null, choices: Choices | null}} */
export const known = { me: null, choices: null };

/** Tells "me", "choices", and "memories" when some were changed. */
export const news = new EventTarget();

const PAUSE_MILLISECONDS = 400; // after a row of changes the counts are asked for once
/** @type {ReturnType<typeof setTimeout> | undefined} */
let counting;

/** Asks anew who is here and how much waits. */
export async function learnMe() {
  known.me = /** @type {Me} */ (await get("/me"));
  news.dispatchEvent(new CustomEvent("me"));
  return known.me;
}

/** Asks anew what there is to filter by. */
export async function learnChoices() {
  known.choices = /** @type {Choices} */ (await get("/choices"));
  news.dispatchEvent(new CustomEvent("choices"));
  return known.choices;
}

/**
 * Tells every view that memories are other ones now; those that are gone by their id.
 *
 * @param {readonly Memory[]} memories
 * @param {readonly string[]} [gone]
 */
export function tellChanged(memories, gone = []) {
  news.dispatchEvent(new CustomEvent("memories", { detail: { memories, gone } }));
  clearTimeout(counting);
  counting = setTimeout(() => learnMe().catch(() => undefined), PAUSE_MILLISECONDS); // who fails to ask says so elsewhere
}

/**
 * The name of a scope for a person: nothing for their own, a project by its name, or by its id where it has none.
 *
 * @param {string} scope
 */
export function scopeName(scope) {
  const [sort, ...rest] = scope.split(":");
  const name = rest.join(":");
  if (sort === "user") return "";
  return sort === "project" ? projectName(name) ?? name : scope;
}

/**
 * The name of a project by its id, where somebody has named it.
 *
 * @param {string | undefined} id
 */
export function projectName(id) {
  return known.choices?.projects.find((project) => project.id === id || project.name === id)?.name;
}

/**
 * Calls with what was changed, by this page, from now on.
 *
 * @param {(memories: readonly Memory[], gone: readonly string[]) => void} listener
 */
export function whenChanged(listener) {
  news.addEventListener("memories", (event) => {
    const { memories, gone } = /** @type {CustomEvent} */ (event).detail;
    listener(memories, gone);
  });
}

/**
 * Whether who is here may do what needs that right; yes as long as nobody knows.
 *
 * @param {string} right
 */
export function may(right) {
  return known.me === null || known.me.rights.includes(right);
}
