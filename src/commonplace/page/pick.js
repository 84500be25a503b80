/** Finding another memory by search, to put one in the place of the other. */

import { get, isAbort, send, sentence } from "./api.js";
import { choose } from "./dialog.js";
import { element, fill } from "./dom.js";
import { tellChanged } from "./state.js";
import { differing, stored } from "./stored.js";
import { toast } from "./toast.js";
import { originOf } from "./words.js";

/** @import { Memory, Recalled } from "./shapes.js" */

const PAUSE_MILLISECONDS = 150;
const SHOWN = 8;

/**
 * Lets a person pick what takes the place of a memory, and puts it there.
 *
 * @param {Memory} old
 */
export function supersedeDialog(old) {
  /** @type {Memory | null} */
  let picked = null;
  let asking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  const found = element("div", { class: "picks", role: "radiogroup", "aria-label": "What takes its place" });
  const shown = element("p", { class: "compare" });
  const hint = element("p", { class: "problem", role: "alert", hidden: true }, "Pick the memory that takes its place.");
  const look = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const query = field.value.trim() === "" ? old.text.slice(0, 500) : field.value;
      const answer = /** @type {Recalled} */ (await get("/recall", { query: { query, limit: SHOWN + 1, only: "memories" }, signal }));
      fill(found, ...answer.hits.filter((hit) => hit.id !== old.id).slice(0, SHOWN).map(pickRow));
      if (found.childElementCount === 0) fill(found, element("p", { class: "faint" }, "Nothing found: try other words."));
    } catch (error) {
      if (!isAbort(error)) fill(found, element("p", { class: "problem" }, sentence(error)));
    }
  };
  const pickRow = (/** @type {Memory} */ memory) =>
    element(
      "label",
      { class: "pick" },
      element("input", { type: "radio", name: "pick", value: memory.id, on: { change: () => {
        picked = memory;
        hint.hidden = true;
        fill(shown, differing(old.text, memory.text));
      } } }),
      element("span", {}, stored(memory.text, { most: 300 }), element("span", { class: "row-meta" }, `${memory.kind} ${memory.number}, ${originOf(memory.origin).said}`)),
    );
  const field = element("input", {
    type: "search", class: "search-field", "aria-label": "Search for what takes its place", placeholder: "Search", autocomplete: "off",
    on: { input: () => { clearTimeout(pause); pause = setTimeout(look, PAUSE_MILLISECONDS); } },
  });
  choose(
    "What takes the place of this memory?",
    [element("blockquote", {}, stored(old.text, { most: 500 })), field, found, shown, hint],
    [{
      label: "Put it in its place", look: "first", submits: true,
      run: async () => {
        hint.hidden = picked !== null;
        if (picked === null) return false;
        await supersede(old, picked);
        return true;
      },
    }],
    { wide: true, closed: () => asking.abort() },
  );
  field.focus();
  look();
}

/**
 * Puts one in the place of the other.
 *
 * @param {Memory} old
 * @param {Memory} successor
 */
export async function supersede(old, successor) {
  const answer = await send("POST", "/memories/supersede", { old: old.id, new: successor.id });
  tellChanged(answer.memories);
  toast(`${successor.number} took the place of ${old.number}`, answer.undo);
}
