/** The way out of a form: what was typed goes only with a second word. */

import { element, fill } from "./dom.js";

/**
 * The button that leaves a form. Where something was typed it asks first, by its own name, so that nothing moves; who goes
 * on typing is not leaving any more.
 *
 * @param {() => boolean} isChanged
 * @param {() => void} leave
 */
export function cancelButton(isChanged, leave) {
  let asked = false;
  const calm = () => {
    if (asked) fill(button, "Cancel");
    asked = false;
  };
  const press = () => {
    if (asked || !isChanged()) {
      leave();
      return;
    }
    asked = true;
    fill(button, "Give up what was typed");
    button.focus();
  };
  const button = element("button", { type: "button", class: "quiet", on: { click: press } }, "Cancel");
  return { button, press, calm };
}
