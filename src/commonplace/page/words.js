/** How the page says what the API tells in names: ages, origins, statuses, numbers. */

/** @import { Memory } from "./shapes.js" */

const NUMBER = new Intl.NumberFormat("en");
const DAY = 86_400_000;
const DATE = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** @type {Record<string, {said: string, trust: "high" | "middle" | "low", means: string}>} */
export const ORIGINS = {
  typed: { said: "typed", trust: "high", means: "a person's own words" },
  confirmed: { said: "confirmed", trust: "high", means: "confirmed by a person" },
  agent: { said: "by an agent", trust: "middle", means: "an agent wrote it down" },
  heard: { said: "heard", trust: "middle", means: "said by the user in a session" },
  revised: { said: "revised by an agent", trust: "low", means: "an agent's words in the place of a person's" },
  inferred: { said: "inferred", trust: "low", means: "drawn from a session, said by nobody in these words" },
  tool: { said: "from a tool", trust: "low", means: "what a tool told" },
  imported: { said: "imported", trust: "low", means: "brought from elsewhere" },
};

/** @type {Record<string, string>} */
export const STATUSES = {
  active: "active",
  archived: "archived",
  superseded: "replaced",
  invalidated: "invalidated",
  forgotten: "forgotten",
  stale: "stale",
};

/** @type {Record<string, string>} */
export const WAITS_BECAUSE = {
  revision: "An agent put these words in place of yours.",
  proposal: "It would take the place of something that is trusted more.",
  pin: "An agent wants it always to be seen.",
  instruction: "An agent wants it to be followed.",
  unconfirmed: "Nobody has confirmed it yet.",
};

/** @type {Record<string, string>} */
export const RELATIONS = {
  "supersedes from": "replaces",
  "supersedes to": "replaced by",
  "conflicts_with from": "contradicts",
  "conflicts_with to": "contradicts",
  "duplicate_of from": "says the same as",
  "duplicate_of to": "says the same as",
  "related_to from": "related to",
  "related_to to": "related to",
  "supports from": "supports",
  "supports to": "supported by",
  "derived_from from": "drawn from",
  "derived_from to": "led to",
  "proposes from": "would replace",
  "proposes to": "would be replaced by",
};

/**
 * A number with its noun.
 *
 * @param {number} number
 * @param {string} one
 * @param {string} many
 */
export function count(number, one, many) {
  return `${NUMBER.format(number)} ${number === 1 ? one : many}`;
}

/** @param {number} number */
export function figure(number) {
  return NUMBER.format(number);
}

/**
 * How long ago, short.
 *
 * @param {string} time
 * @param {number} [now]
 */
export function age(time, now = Date.now()) {
  const past = now - Date.parse(time);
  if (Number.isNaN(past)) return "";
  if (past < -60_000) return `on ${date(time)}`;
  if (past < 60_000) return "just now";
  if (past < 3_600_000) return `${Math.floor(past / 60_000)} min`;
  if (past < DAY) return `${Math.floor(past / 3_600_000)} h`;
  if (past < 60 * DAY) return `${Math.floor(past / DAY)} d`;
  if (past < 730 * DAY) return `${Math.floor(past / (30.4 * DAY))} months`;
  return `${Math.floor(past / (365.25 * DAY))} years`;
}

/**
 * How long ago, in a sentence.
 *
 * @param {string} time
 */
export function ago(time) {
  const said = age(time);
  return /\d$|^just|^on /u.test(said) || said === "" ? said : `${said} ago`;
}

/** @param {string} time */
export function date(time) {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : DATE.format(at);
}

/** @param {string} time */
export function moment(time) {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : MOMENT.format(at);
}

/** @param {string} word */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** @param {string} name */
export function spaced(name) {
  return name.replaceAll("_", " ");
}

/** @type {Record<string, string>} */
const SURFACES = { "claude-code": "Claude Code", codex: "Codex", gemini: "Gemini", cli: "command line", page: "this page", mcp: "an agent's tool", api: "the API", library: "a program" };

/** @param {string} surface */
export function surfaceName(surface) {
  return SURFACES[surface] ?? spaced(surface);
}

/**
 * Where a memory comes from, in a word or two.
 *
 * @param {Memory} memory
 */
export function cameFrom(memory) {
  return memory.source ?? (memory.surface === undefined ? "" : surfaceName(memory.surface));
}

/**
 * Who wrote it down, and through what.
 *
 * @param {Memory} memory
 */
export function writtenBy({ actor, surface }) {
  const through = surface === undefined ? "" : surfaceName(surface);
  return actor === undefined || actor === surface ? through : through === "" ? actor : `${actor}, through ${through}`;
}

/** @param {string} origin */
export function originOf(origin) {
  return ORIGINS[origin] ?? { said: spaced(origin), trust: /** @type {const} */ ("low"), means: spaced(origin) };
}
