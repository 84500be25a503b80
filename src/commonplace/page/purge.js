/** Purging: first what it will reach, then a word that is typed, since nothing brings it back. */

import { send } from "./api.js";
import { choose } from "./dialog.js";
import { element, fill } from "./dom.js";
import { tellChanged } from "./state.js";
import { stored } from "./stored.js";
import { failed, toast } from "./toast.js";
import { count } from "./words.js";

/** @import { Memory, Reach } from "./shapes.js" */

const NAMED = 5;

/**
 * Shows what a purge of these would reach, and does it when its number, or the word, was typed.
 *
 * @param {readonly Memory[]} memories
 * @param {() => void} [done]
 */
export async function purgeDialog(memories, done) {
  const ids = memories.map((memory) => memory.id);
  const [first] = memories;
  if (first === undefined) return;
  /** @type {Reach} */
  let reach;
  try {
    reach = await send("POST", "/memories/purge-preview", { ids });
  } catch (error) {
    failed(error, "Nothing was purged.");
    return;
  }
  const word = reach.memories.length === 1 ? String(reach.memories[0]?.number ?? first.number) : "purge";
  const field = element("input", { type: "text", id: "purge-word", autocomplete: "off", inputmode: word === "purge" ? "text" : "numeric" });
  const reason = element("input", { type: "text", id: "purge-reason", autocomplete: "off", maxlength: 500 });
  const hint = element("p", { class: "problem", role: "alert", hidden: true }, `Type ${word} to purge, or cancel.`);
  choose(
    reach.memories.length === 1 ? "Purge this memory for good" : `Purge ${count(reach.memories.length, "memory", "memories")} for good`,
    [
      element("p", {}, "It will be gone from the book, its history and its log. There is no undo."),
      reachList(reach),
      element("label", { class: "field" }, element("span", {}, `Type ${word} to go on`), field),
      element("label", { class: "field" }, element("span", {}, "Reason, kept in the log (optional)"), reason),
      hint,
    ],
    [
      {
        label: "Purge for good",
        look: "danger",
        submits: true,
        run: async () => {
          hint.hidden = field.value.trim() === word;
          if (!hint.hidden) return false;
          const receipt = await send("POST", "/memories/purge", { ids, ...(reason.value.trim() === "" ? {} : { reason: reason.value.trim() }) });
          tellChanged([], ids);
          toast(`Purged ${count(ids.length, "memory", "memories")}${receipt.pending === true ? "; the file is cleared as soon as its readers let go" : ""}`);
          done?.();
          return true;
        },
      },
    ],
  );
  field.focus();
}

/** @param {Reach} reach */
function reachList(reach) {
  const former = reach.revisions - reach.memories.length; // the present one of each is counted with them
  const counted = [
    count(reach.memories.length, "memory", "memories"),
    former > 0 ? count(former, "former text", "former texts") : "",
    reach.relations > 0 ? count(reach.relations, "relation", "relations") : "",
    count(reach.events, "line of the log", "lines of the log"),
    reach.evidence ? count(reach.evidence, "piece of evidence", "pieces of evidence") : "",
    reach.notes ? count(reach.notes, "note of a dream", "notes of dreams") : "",
    reach.learnt > 0 ? count(reach.learnt, "quotation", "quotations") : "",
  ].filter((each) => each !== "");
  const list = element("ul", { class: "plain-list purge-texts" });
  fill(list, ...reach.memories.slice(0, NAMED).map((memory) => element("li", {}, stored(memory.text, { most: 200 }))), reach.memories.length > NAMED ? element("li", { class: "faint" }, `and ${reach.memories.length - NAMED} more`) : null);
  return element(
    "section",
    { class: "reach", "aria-label": "What it reaches" },
    element("h3", {}, "What it reaches"),
    list,
    element("p", {}, counted.join(", ")),
    reach.sessions.length === 0
      ? null
      : element("p", {}, "It is also taken out of what was said in ", ...reach.sessions.flatMap((session, place) => [place > 0 ? ", " : "", "“", stored(session.title, { most: 80 }), "”", ` (${count(session.turns, "turn", "turns")})`])),
    ...reach.copies.map((copy) => element("p", { class: "note" }, copy)),
  );
}

