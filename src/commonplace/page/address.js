/**
 * What the page shows stands in its address: `#/search?query=deploy&kind=decision&open=memory/mem_01…`. Back and forward
 * work because every state is one.
 */

/** @typedef {{view: string, query: URLSearchParams}} Address */
/** @typedef {Record<string, string | readonly string[] | null>} Changes */

export const VIEWS = ["search", "review", "sessions", "decisions", "health", "enter"];
const OPENED = ["memory", "session", "decision"];

/**
 * The address in what follows the `#`; the search where it names no view of ours.
 *
 * @param {string} hash
 * @returns {Address}
 */
export function parseAddress(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { view: VIEWS.includes(path) ? path : "search", query: new URLSearchParams(query) };
}

/**
 * The inverse of `parseAddress`; what is empty is left out.
 *
 * @param {Address} address
 * @returns {string}
 */
export function writeAddress(address) {
  const kept = new URLSearchParams([...address.query].filter(([, value]) => value !== ""));
  const query = kept.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  return query === "" ? `#/${address.view}` : `#/${address.view}?${query}`;
}

/**
 * An address with some names set anew; null takes a name away.
 *
 * @param {Address} address
 * @param {Changes} changes
 * @returns {Address}
 */
export function changed(address, changes) {
  const query = new URLSearchParams(address.query);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    for (const each of value === null ? [] : typeof value === "string" ? [value] : value)
      if (each !== "") query.append(name, each);
  }
  return { view: address.view, query };
}

/**
 * What is open beside the list, of which sort; nothing where the address names none.
 *
 * @param {Address} address
 * @returns {{sort: string, id: string} | null}
 */
export function opened(address) {
  const [sort = "", id = ""] = (address.query.get("open") ?? "").split(/\/(.*)/s);
  return OPENED.includes(sort) && id !== "" ? { sort, id } : null;
}

/** @type {Set<(address: Address) => void>} */
const LISTENERS = new Set();

/** Where the page is now. */
export function here() {
  return parseAddress(location.hash);
}

/**
 * Goes to an address; `instead` puts it in the place of the one that is there, so that back leads past it.
 *
 * @param {Address} address
 * @param {{instead?: boolean}} [how]
 */
export function go(address, { instead = false } = {}) {
  const hash = writeAddress(address);
  if (hash === (location.hash || "#/search")) return;
  if (instead) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  tell();
}

/**
 * Goes to what differs from here in some names.
 *
 * @param {Changes} changes
 * @param {{instead?: boolean}} [how]
 */
export function turn(changes, how) {
  go(changed(here(), changes), how);
}

/**
 * Calls whenever the address is another one, and once at the start.
 *
 * @param {(address: Address) => void} listener
 */
export function follow(listener) {
  if (LISTENERS.size === 0) addEventListener("hashchange", tell);
  LISTENERS.add(listener);
}

/** Tells everybody who follows where the page is now. */
export function tell() {
  for (const listener of LISTENERS) listener(here());
}
