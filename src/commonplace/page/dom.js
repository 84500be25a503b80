/**
 * Elements are made here and nowhere else. What is stored becomes text nodes only; names of attributes are looked up in a
 * list, so that no text can become a handler, a style or an address that leaves the page.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * @typedef {object} Properties
 * @property {string} [class]
 * @property {Record<string, (event: any) => void>} [on]
 * @property {Record<string, string | number>} [data]
 */

const ATTRIBUTES = new Set(
  ("id role type name value for href title tabindex dir lang placeholder autocomplete rows cols min max step disabled " +
    "checked selected hidden open list multiple required readonly spellcheck maxlength inputmode enterkeyhint popover " +
    "popovertarget autofocus wrap scope datetime autocapitalize").split(" "),
);
const PROPERTIES = new Set(["value", "checked", "selected", "disabled"]);

/**
 * An element with its attributes, handlers and children; false and null are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties & Record<string, unknown>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(made, name, value);
  made.append(...nodes(children));
  return made;
}

/**
 * Puts children in the place of those that are there.
 *
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  /** @type {(Node | string)[]} */
  const found = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    found.push(child instanceof Node ? child : String(child));
  }
  return found;
}

/** @param {HTMLElement} made @param {string} name @param {unknown} value */
function set(made, name, value) {
  if (name === "on") {
    for (const [kind, handler] of Object.entries(/** @type {Record<string, EventListener>} */ (value)))
      made.addEventListener(kind, handler);
  } else if (name === "data") {
    for (const [key, text] of Object.entries(/** @type {Record<string, string>} */ (value))) made.dataset[key] = String(text);
  } else if (value === undefined || value === null || value === false) {
    return;
  } else if (name === "class") {
    made.className = String(value);
  } else if (PROPERTIES.has(name)) {
    Reflect.set(made, name, value);
  } else if (name === "href" && !String(value).startsWith("#/")) {
    throw new Error("A link leads to a view of this page, nowhere else.");
  } else if (ATTRIBUTES.has(name) || name.startsWith("aria-")) {
    made.setAttribute(name, value === true ? "" : String(value));
  } else {
    throw new Error(`No attribute of ours: ${name}`);
  }
}

/** @type {WeakMap<Element, Map<string, HTMLElement>>} */
const KEPT = new WeakMap();

/**
 * Brings a container's children in line with items, by key: what stays is not touched, so focus and scroll stay too.
 *
 * @template Item
 * @param {Element} container
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => string} key
 * @param {(item: Item, index: number) => HTMLElement} make
 * @param {(node: HTMLElement, item: Item, index: number) => void} [update]
 */
export function keyed(container, items, key, make, update) {
  const before = KEPT.get(container) ?? new Map();
  /** @type {Map<string, HTMLElement>} */
  const after = new Map();
  items.forEach((item, index) => {
    const name = key(item, index);
    if (!after.has(name)) after.set(name, before.get(name) ?? make(item, index));
    update?.(/** @type {HTMLElement} */ (after.get(name)), item, index);
  });
  for (const [name, node] of before) if (after.get(name) !== node) node.remove();
  let place = container.firstChild;
  for (const node of after.values()) {
    if (place === node) place = node.nextSibling;
    else container.insertBefore(node, place);
  }
  KEPT.set(container, after);
}

/**
 * A number that we computed, as a property that the stylesheet reads.
 *
 * @param {HTMLElement} node
 * @param {string} name
 * @param {number | string} value
 */
export function measure(node, name, value) {
  node.style.setProperty(name, String(value));
}

/**
 * The element of the page with that id, which index.html promises.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no #${id}`);
  return found;
}
