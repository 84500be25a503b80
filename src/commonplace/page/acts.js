/** What is done with memories, one or many: each one request, one undo, one sentence. */

import { send } from "./api.js";
import { choose } from "./dialog.js";
import { element } from "./dom.js";
import { purgeDialog } from "./purge.js";
import { tellChanged } from "./state.js";
import { failed, toast } from "./toast.js";
import { excerpt, visible } from "./visible.js";
import { count } from "./words.js";

/** @import { Acted, Memory } from "./shapes.js" */

/** @type {Record<string, {label: string, did: string, fits: (memory: Memory) => boolean}>} */
export const ACTS = {
  confirm: { label: "Confirm", did: "Confirmed", fits: (memory) => memory.waits === true || memory.origin !== "typed" },
  reject: { label: "Reject", did: "Rejected", fits: (memory) => memory.waits === true },
  archive: { label: "Archive", did: "Archived", fits: (memory) => memory.status === "active" },
  forget: { label: "Forget", did: "Forgot", fits: (memory) => memory.status !== "forgotten" },
  restore: { label: "Restore", did: "Restored", fits: (memory) => memory.status !== "active" },
};

/**
 * Does it, says so with an undo, and tells the views. What could not be done with some of them is said too.
 *
 * @param {string} name
 * @param {readonly Memory[]} memories
 * @returns {Promise<boolean>} whether all of it was done
 */
export async function act(name, memories) {
  const what = ACTS[name];
  if (what === undefined || memories.length === 0) return false;
  const [only] = memories;
  try {
    const answer = /** @type {Acted} */ (await send("POST", `/memories/${name}`, { ids: memories.map((memory) => memory.id) }));
    const done = memories.length - answer.problems.length;
    const named = done === 1 && only !== undefined && memories.length === 1 ? `“${excerpt(only.text, 48)}”` : count(done, "memory", "memories");
    if (answer.memories.length > 0) tellChanged(answer.memories);
    if (done > 0) toast(`${what.did} ${named}`, answer.undo);
    if (answer.problems.length > 0) showProblems(what.label, answer.problems);
    return answer.problems.length === 0;
  } catch (error) {
    failed(error);
    return false;
  }
}

/** @param {string} label @param {Acted["problems"]} problems */
function showProblems(label, problems) {
  choose(
    `${label}: ${count(problems.length, "memory was", "memories were")} left as they are`,
    element("ul", { class: "plain-list" }, problems.slice(0, 50).map((problem) => element("li", {}, visible(problem.message)))),
    [],
  );
}

/**
 * The buttons for what is selected.
 *
 * @param {() => Memory[]} chosen
 * @param {() => void} done
 */
export function selectionActs(chosen, done) {
  const fitting = (/** @type {string} */ name) => chosen().some((memory) => ACTS[name]?.fits(memory));
  return [
    ...["confirm", "archive", "forget", "restore"].filter(fitting).map((name) =>
      element("button", { type: "button", data: { act: name }, on: { click: async () => (await act(name, chosen())) && done() } }, ACTS[name]?.label ?? name),
    ),
    element("button", { type: "button", class: "danger", data: { act: "purge" }, on: { click: () => purgeDialog(chosen(), done) } }, "Purge…"),
  ];
}
