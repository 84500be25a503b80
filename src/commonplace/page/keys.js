/** Keys: one list of what they do, asked by one listener, shown by `?`. */

import { dialog } from "./dialog.js";
import { element } from "./dom.js";

/** @typedef {{keys: string, does: string, run: (event: KeyboardEvent) => void, when?: () => boolean, quiet?: boolean}} Key */

const OFF = "commonplace.keys.off";
export const EVERYWHERE = "Everywhere";
const PAIR_MILLISECONDS = 1_200;

/** @type {Map<string, Key[]>} */
const GROUPS = new Map();
let began = { key: "", at: 0 };

/**
 * Says what keys do in a part of the page. `"g s"` is two after each other, `"Mod+z"` is Control, or Command on a Mac.
 *
 * @param {string} group the heading in the help
 * @param {Key[]} keys
 */
export function keysFor(group, keys) {
  GROUPS.set(group, keys);
}

/** Begins to listen. */
export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = nameOf(event);
    const pair = event.timeStamp - began.at < PAIR_MILLISECONDS ? `${began.key} ${pressed}` : "";
    began = { key: "", at: 0 };
    const plain = !pressed.startsWith("Mod+");
    if (plain && pressed !== "Escape" && (isTyping(event) || localStorage.getItem(OFF) !== null)) return;
    if (pressed === "Mod+z" && isTyping(event)) return;
    if (document.querySelector("dialog:modal") !== null) return;
    const all = [...GROUPS.values()].flat().filter((key) => key.when?.() ?? true);
    const found = all.find((key) => key.keys === pair) ?? all.find((key) => key.keys.split(" / ").includes(pressed));
    if (found !== undefined) {
      event.preventDefault();
      found.run(event);
    } else if (all.some((key) => key.keys.startsWith(`${pressed} `) && !key.keys.includes("/"))) {
      began = { key: pressed, at: event.timeStamp };
    }
  });
}

/** @param {KeyboardEvent} event */
function nameOf(event) {
  const modified = event.ctrlKey || event.metaKey;
  if (event.altKey) return "";
  return modified ? `Mod+${event.key.toLowerCase()}` : event.key;
}

/** @param {Event} event */
function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Shows all keys, and lets single ones be turned off for who dictates or strays on the keyboard. */
export function showKeys() {
  const off = element("input", {
    type: "checkbox",
    checked: localStorage.getItem(OFF) !== null,
    on: {
      change: () => (off.checked ? localStorage.setItem(OFF, "yes") : localStorage.removeItem(OFF)),
    },
  });
  dialog(
    "Keys",
    () => [
      element("div", { class: "key-groups" }, told().map(([group, keys]) =>
        element(
          "section",
          { class: "key-group" },
          element("h3", {}, group),
          element("dl", { class: "key-list" }, keys.map((key) => element("div", {}, element("dt", {}, caps(key.keys)), element("dd", {}, key.does)))),
        ),
      )),
      element("label", { class: "check" }, off, "Turn single keys off"),
    ],
    { wide: true },
  );
}

/** The groups that have something to tell, what holds everywhere first. @returns {[string, Key[]][]} */
function told() {
  const groups = [...GROUPS].map(([group, keys]) => /** @type {[string, Key[]]} */ ([group, keys.filter((key) => key.quiet !== true)]));
  return groups.filter(([, keys]) => keys.length > 0).sort(([one], [other]) => Number(other === EVERYWHERE) - Number(one === EVERYWHERE));
}

/** @param {string} keys */
function caps(keys) {
  const mac = navigator.platform.startsWith("Mac");
  return keys.split(" ").map((key) => (key === "/" && keys !== "/" ? "or" : element("kbd", {}, key.replace("Mod+", mac ? "⌘" : "Ctrl ").replace("Arrow", ""))));
}
