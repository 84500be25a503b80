/** Dialogs: what is asked stands above the page, Escape leaves it, and the focus goes back to where it was. */

import { element, fill } from "./dom.js";
import { icon } from "./icons.js";
import { sentence } from "./api.js";

/** @typedef {import("./dom.js").Child} Child */

/**
 * Opens a dialog with what `body` makes; it is told how to close.
 *
 * @param {string} title
 * @param {(close: () => void) => Child | Child[]} body
 * @param {{wide?: boolean, closed?: () => void}} [how]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, body, { wide = false, closed } = {}) {
  const close = () => made.close();
  const heading = element("h2", { id: "dialog-title", tabindex: -1 }, title);
  const made = element(
    "dialog",
    {
      class: wide ? "dialog wide" : "dialog",
      "aria-labelledby": "dialog-title",
      on: {
        close: () => {
          made.remove();
          closed?.();
        },
        click: (event) => event.target === made && event.detail > 0 && isOutside(made, event) && made.close(),
      },
    },
    element(
      "header",
      { class: "dialog-header" },
      heading,
      element("button", { type: "button", class: "quiet icon-button", "aria-label": "Close", on: { click: close } }, icon("close")),
    ),
  );
  const content = element("div", { class: "dialog-body" });
  made.append(content);
  const given = body(close);
  fill(content, ...(Array.isArray(given) ? given : [given]));
  document.body.append(made);
  made.showModal();
  if (document.activeElement === null || !content.contains(document.activeElement)) heading.focus();
  return made;
}

/** @param {HTMLElement} made @param {MouseEvent} event */
function isOutside(made, event) {
  const box = made.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

/**
 * @typedef {object} Choice
 * @property {string} label
 * @property {() => unknown} run what it does; while that goes on the dialog waits, and an error is shown in it
 * @property {"first" | "danger" | "quiet"} [look]
 * @property {boolean} [submits] the Enter key in a field means this
 */

/**
 * Asks something with a few answers. It closes when what was chosen is done; what fails is said in it.
 *
 * @param {string} title
 * @param {Child | Child[]} body
 * @param {Choice[]} choices
 * @param {{wide?: boolean, closed?: () => void}} [how]
 * @returns {HTMLDialogElement}
 */
export function choose(title, body, choices, how = {}) {
  const made = dialog(
    title,
    (close) => {
      const problem = element("p", { class: "problem", role: "alert", hidden: true });
      const buttons = choices.map((choice) =>
        element(
          "button",
          {
            type: choice.submits === true ? "submit" : "button",
            class: choice.look ?? "",
            on: choice.submits === true ? {} : { click: () => run(choice) },
          },
          choice.label,
        ),
      );
      /** @param {Choice} choice */
      const run = async (choice) => {
        problem.hidden = true;
        for (const button of buttons) button.disabled = true;
        try {
          if ((await choice.run()) !== false) close();
        } catch (error) {
          fill(problem, sentence(error));
          problem.hidden = false;
        } finally {
          for (const button of buttons) button.disabled = false;
        }
      };
      const submitted = choices.find((choice) => choice.submits === true);
      return element(
        "form",
        {
          class: "stack",
          on: {
            submit: (event) => {
              event.preventDefault();
              if (submitted !== undefined) run(submitted);
            },
          },
        },
        body,
        problem,
        element("div", { class: "buttons" }, element("button", { type: "button", class: "quiet", on: { click: close } }, "Cancel"), buttons),
      );
    },
    how,
  );
  if (document.activeElement?.tagName === "H2") /** @type {HTMLElement | null} */ (made.querySelector("button.first"))?.focus();
  return made;
}
