/** Changing a memory where it stands. What was typed survives an error, signing in again, and somebody who was faster. */

import { get, Refusal, send, sentence } from "./api.js";
import { cancelButton } from "./cancel.js";
import { draft, dropDraft, keepDraft, valuesOf } from "./drafts.js";
import { element, fill } from "./dom.js";
import { changesIn, fields, textArea, valuesOfMemory } from "./fields.js";
import { learnChoices, known, tellChanged } from "./state.js";
import { differing } from "./stored.js";
import { toast } from "./toast.js";

/** @import { Memory, Shown } from "./shapes.js" */

/**
 * The form for a memory.
 *
 * @param {Memory} memory
 * @param {{saved: (memory: Memory) => void, cancelled: () => void}} then
 * @returns {HTMLFormElement}
 */
export function editForm(memory, { saved, cancelled }) {
  const key = `edit ${memory.id}`;
  let base = memory;
  const problem = element("div", { role: "alert", class: "edit-problem" });
  const values = draft(key) ?? valuesOfMemory(memory);
  const words = textArea(values["text"], "The words");
  const save = element("button", { type: "submit", class: "first" }, "Save");
  const cancel = cancelButton(() => Object.keys(changesIn(valuesOf(form), valuesOfMemory(base))).length > 0, () => {
    dropDraft(key);
    cancelled();
  });
  const buttons = element("div", { class: "buttons" }, cancel.button, save);
  const form = element(
    "form",
    {
      class: "edit stack",
      "aria-label": `Change ${memory.kind} ${memory.number}`,
      on: {
        input: () => {
          keepDraft(key, form);
          cancel.calm();
        },
        submit: (event) => {
          event.preventDefault();
          store();
        },
        keydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
          if (event.key !== "Escape") return;
          event.stopPropagation();
          cancel.press();
        },
      },
    },
    words,
    fields(values),
    problem,
    buttons,
  );
  const store = async () => {
    const changes = changesIn(valuesOf(form), valuesOfMemory(base));
    if (Object.keys(changes).length === 0) {
      dropDraft(key);
      cancelled();
      return;
    }
    save.disabled = true;
    buttons.hidden = false;
    fill(problem);
    try {
      const answer = await send("PATCH", `/memories/${encodeURIComponent(memory.id)}`, { ...changes, expected_revision: base.revision });
      dropDraft(key);
      saved(answer.memory);
      tellChanged([answer.memory]);
      toast(`Changed ${answer.memory.kind} ${answer.memory.number}`, answer.undo);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) await conflict(error);
      else refused(error);
    } finally {
      save.disabled = false;
    }
  };
  /** @param {unknown} error */
  const refused = (error) => {
    fill(problem, element("p", { class: "problem" }, sentence(error)));
    const named = error instanceof Refusal && error.argument !== undefined ? form.elements.namedItem(error.argument) : null;
    (named instanceof HTMLElement ? named : words).focus();
  };
  /** @param {Refusal} error */
  const conflict = async (error) => {
    /** @type {Memory} */
    let theirs;
    try {
      theirs = /** @type {Shown} */ (await get(`/memories/${encodeURIComponent(memory.id)}`)).memory;
    } catch {
      refused(error);
      return;
    }
    if (theirs.revision === base.revision) {
      refused(error);
      return;
    }
    fill(problem, bothTexts(theirs));
    buttons.hidden = true;
    /** @type {HTMLElement | null} */ (problem.querySelector("h3"))?.focus();
  };
  /** @param {Memory} theirs */
  const bothTexts = (theirs) =>
    element(
      "section",
      { class: "conflict", "aria-label": "Changed meanwhile" },
      element("h3", { tabindex: -1 }, "Somebody changed this meanwhile"),
      element("p", {}, "Struck out is what stands now and yours does not have; marked is what yours has."),
      element("p", { class: "compare" }, differing(theirs.text, words.value)),
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", on: { click: () => { dropDraft(key); saved(theirs); tellChanged([theirs]); } } }, "Keep what stands now"),
        element("button", { type: "button", class: "first", on: { click: () => { base = theirs; store(); } } }, "Save mine over it"),
        element("button", { type: "button", class: "quiet", on: { click: () => { base = theirs; fill(problem); buttons.hidden = false; words.focus(); } } }, "Go on editing"),
      ),
    );
  if (known.choices === null) learnChoices().catch(() => undefined);
  return form;
}
