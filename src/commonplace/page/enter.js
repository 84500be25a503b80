/** Coming in: by the link that was opened, by a token, and again in place when the visit has ended. */

import { parseAddress, writeAddress } from "./address.js";
import { sentence, signIn, signOut } from "./api.js";
import { element, fill } from "./dom.js";

/** @import { Refusal } from "./api.js" */

/**
 * The key in an address, which is taken out of it, so that no history, picture or bookmark has it.
 *
 * @returns {string | null}
 */
export function keyInAddress() {
  const address = parseAddress(location.hash);
  const key = address.query.get("key");
  if (address.view !== "enter") return null;
  history.replaceState(null, "", writeAddress({ view: key === null ? "enter" : "search", query: new URLSearchParams() }));
  return key;
}

/**
 * Asks a person to come in, above whatever is there; done when they are in.
 *
 * @param {Refusal | null} refusal what was said to the link they came with
 * @param {boolean} again whether they were in before
 * @returns {Promise<void>}
 */
export function comeIn(refusal, again) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const problem = element("p", { class: "problem", role: "alert", hidden: true });
    const field = element("input", { type: "password", name: "token", id: "token", autocomplete: "current-password", spellcheck: "false", required: true, maxlength: 8192, autofocus: true });
    const button = element("button", { type: "submit", class: "first" }, "Sign in");
    const layer = element(
      "dialog",
      { class: again ? "enter again" : "enter", "aria-labelledby": "enter-title", data: { view: "enter" }, on: { cancel: (event) => event.preventDefault(), close: () => layer.isConnected && layer.showModal() } },
      element(
        "form",
        { class: "stack", on: { submit: (event) => { event.preventDefault(); enter(); } } },
        element("p", { class: "brand" }, "Commonplace"),
        element("h1", { id: "enter-title" }, again ? "Sign in again" : "Sign in"),
        again ? element("p", {}, "Your visit has ended. What you typed is kept, and goes on from here.") : null,
        element("p", { class: "faint" }, "On this machine, run ", element("code", {}, "commonplace web"), " and open the address it prints, or paste it here. On a server, use your token."),
        element("label", { class: "field" }, element("span", {}, "Token or address"), field),
        problem,
        element("div", { class: "buttons" }, button),
      ),
    );
    /** @param {unknown} error */
    const tell = (error) => {
      fill(problem, sentence(error));
      problem.hidden = false;
    };
    const enter = async () => {
      button.disabled = true;
      problem.hidden = true;
      try {
        await signIn(keyIn(field.value.trim()));
        layer.remove();
        before?.focus?.();
        resolve();
      } catch (error) {
        tell(error);
        field.select();
      } finally {
        button.disabled = false;
      }
    };
    if (refusal !== null) tell(refusal);
    document.body.append(layer);
    layer.showModal();
    field.focus();
  });
}

/** Goes out, and shows nothing any more. */
export async function leave() {
  await signOut().catch(() => undefined);
  location.reload();
}

/** A pasted address has the key in it. @param {string} given */
function keyIn(given) {
  const [, fragment] = given.split("#", 2);
  return fragment === undefined ? given : (parseAddress(fragment).query.get("key") ?? given);
}
