/** Writing something down, and what the book has that is near to it or speaks against it. */

import { Refusal, send, sentence } from "./api.js";
import { cancelButton } from "./cancel.js";
import { dialog } from "./dialog.js";
import { draft, dropDraft, keepDraft, valuesOf } from "./drafts.js";
import { element, fill } from "./dom.js";
import { changesIn, fields, textArea } from "./fields.js";
import { supersede } from "./pick.js";
import { card } from "./row.js";
import { known, learnChoices, tellChanged } from "./state.js";
import { differing } from "./stored.js";
import { failed, toast } from "./toast.js";

/** @import { Memory, Remembered } from "./shapes.js" */

const KEY = "remember";
/** @type {Record<string, string | boolean>} */
const EMPTY = { text: "", kind: "", scope: "", tags: "", topic: "", importance: "", valid_from: "", valid_to: "", expires_at: "", pinned: false };

/** Opens the form; what was typed before and not sent is in it. */
export function rememberDialog() {
  if (known.choices === null) learnChoices().catch(() => undefined);
  const values = draft(KEY) ?? EMPTY;
  const words = textArea(values["text"], "What to remember");
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const save = element("button", { type: "submit", class: "first" }, "Remember");
  const more = element("details", {}, element("summary", {}, "Labels and dates"), fields(values, { guessed: true }));
  if (Object.entries(values).some(([name, value]) => name !== "text" && value !== EMPTY[name])) more.open = true;
  const opened = dialog("Remember something", (close) => {
    const cancel = cancelButton(() => Object.keys(changesIn(valuesOf(form), EMPTY)).length > 0, () => {
      dropDraft(KEY);
      close();
    });
    const form = element(
      "form",
      {
        class: "stack",
        on: {
          input: () => {
            keepDraft(KEY, form);
            cancel.calm();
          },
          keydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && form.requestSubmit(),
          submit: async (event) => {
            event.preventDefault();
            problem.hidden = true;
            save.disabled = true;
            try {
              const answer = /** @type {Remembered} */ (await send("POST", "/memories", sent(form)));
              dropDraft(KEY);
              told(answer, close);
            } catch (error) {
              fill(problem, sentence(error));
              problem.hidden = false;
              if (!(error instanceof Refusal && error.code === "unreachable")) words.focus();
            } finally {
              save.disabled = false;
            }
          },
        },
      },
      words,
      more,
      known.me?.person === false ? element("p", { class: "note" }, "This counts as an agent's word: a program may hold the same token. Sign in with one made with '--scopes read,write,person' to write as yourself.") : null,
      problem,
      element("div", { class: "buttons" }, cancel.button, save),
    );
    return form;
  }, { wide: true });
  words.focus();

  /** @param {Remembered} answer @param {() => void} close */
  const told = (answer, close) => {
    const { memory } = answer;
    tellChanged([memory]);
    toast(answer.outcome === "created" ? `Remembered as ${memory.number}` : `${memory.number}: ${answer.outcome.replaceAll("_", " ")}`, answer.undo);
    if (answer.near.length + answer.contradicts.length + answer.warnings.length === 0) {
      close();
      return;
    }
    const body = opened.querySelector(".dialog-body");
    if (body === null) return;
    fill(body, beside(answer, close));
    /** @type {HTMLElement | null} */ (body.querySelector("h3"))?.focus();
  };
}

/** @param {HTMLFormElement} form */
function sent(form) {
  const given = changesIn(valuesOf(form), EMPTY);
  return { text: "", ...given };
}

/** @param {Remembered} answer @param {() => void} close */
function beside(answer, close) {
  const { memory } = answer;
  return element(
    "div",
    { class: "stack" },
    element("h3", { tabindex: -1 }, `Remembered as ${memory.number}`),
    ...answer.warnings.map((warning) => element("p", { class: "note" }, warning)),
    answer.contradicts.length === 0 ? null : element("h3", {}, "It contradicts"),
    ...answer.contradicts.map((older) => against(older, memory, older.reason, close)),
    answer.near.length === 0 ? null : element("h3", {}, "It is nearly the same as"),
    ...answer.near.map((older) => against(older, memory, "", close)),
    element("div", { class: "buttons" }, element("button", { type: "button", class: "first", on: { click: close } }, "Both stand")),
  );
}

/** @param {Memory} older @param {Memory} memory @param {string} reason @param {() => void} close */
function against(older, memory, reason, close) {
  return element(
    "div",
    { class: "against" },
    card(older, `#/search?open=memory/${older.id}`, differing(older.text, memory.text)),
    reason === "" ? null : element("p", { class: "faint" }, reason),
    element(
      "button",
      { type: "button", on: { click: async () => {
        try {
          await supersede(older, memory);
          close();
        } catch (error) {
          failed(error);
        }
      } } },
      `Put the new one in the place of ${older.number}`,
    ),
  );
}
