/**
 * The one way to the server: requests, what it refuses as errors, signing in again in place, and a server that is away.
 *
 * A credential is in two halves: one in a cookie that no script reads, one kept here and sent as a header. Neither is
 * of use without the other.
 */

const BASE = "/api/v1";
const HALF = "commonplace.half";
const ADDRESS_LIMIT = 60_000; // characters: a server reads no longer address
const TOO_LONG = "That is too much to ask at once: use fewer words, or fewer filters.";
const PAUSES_SECONDS = [1, 2, 4, 8, 15];

/** What the server refused, with its sentence; or that it could not be asked. */
export class Refusal extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {number} [status]
   * @param {string} [argument]
   */
  constructor(code, message, status = 0, argument) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.status = status;
    this.argument = argument;
  }
}

/** Tells "lost" with the seconds until it is tried again, and "back". */
export const connection = new EventTarget();

/** @type {(refusal: Refusal) => Promise<void>} */
let askToSignIn = (refusal) => Promise.reject(refusal);
/** @type {Promise<void> | null} */
let signingIn = null;
/** @type {Promise<void> | null} */
let waitingForServer = null;
let tryNow = () => {};

/**
 * Who asks the person to come in again. Whatever was asked meanwhile waits for it and is then asked again.
 *
 * @param {(refusal: Refusal) => Promise<void>} ask
 */
export function whenSignedOut(ask) {
  askToSignIn = ask;
}

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | readonly string[]>} Query
 * @typedef {{query?: Query | URLSearchParams, signal?: AbortSignal}} Options
 */

/**
 * Reads. While the server is away it waits, and answers when it is back.
 *
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function get(path, options = {}) {
  for (;;) {
    try {
      return await ask("GET", path, options);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "unreachable") throw error;
      await serverBack(options.signal);
    }
  }
}

/**
 * Writes. It is not tried again by itself: whoever asked decides.
 *
 * @param {"POST" | "PATCH"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export function send(method, path, body = {}) {
  return ask(method, path, { body });
}

/**
 * Comes in with a key or a token.
 *
 * @param {string} key
 * @returns {Promise<void>}
 */
export async function signIn(key) {
  localStorage.removeItem(HALF);
  const answer = await once("POST", "/sign-in", { authorization: `Bearer ${key}` }, { body: {} });
  localStorage.setItem(HALF, answer.half);
}

/** Goes out: both halves are gone, whether or not the server still answers. */
export async function signOut() {
  try {
    await once("POST", "/sign-out", { "x-commonplace-half": localStorage.getItem(HALF) ?? "" }, { body: {} });
  } finally {
    localStorage.removeItem(HALF);
  }
}

/** Tries at once whether the server is back. */
export function retryNow() {
  tryNow();
}

/** @param {string} method @param {string} path @param {Options & {body?: object}} options @returns {Promise<any>} */
async function ask(method, path, options) {
  for (;;) {
    const half = localStorage.getItem(HALF);
    try {
      return await once(method, path, half === null ? {} : { "x-commonplace-half": half }, options);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      if (localStorage.getItem(HALF) !== half) continue; // another request, or another tab, came in meanwhile
      signingIn ??= askToSignIn(error).finally(() => (signingIn = null));
      await signingIn;
    }
  }
}

/**
 * @param {string} method @param {string} path @param {Record<string, string>} headers
 * @param {Options & {body?: object}} [options]
 * @returns {Promise<any>}
 */
async function once(method, path, headers, { query, body, signal } = {}) {
  const text = asQuery(query);
  if (text.length > ADDRESS_LIMIT) throw new Refusal("too_long", TOO_LONG);
  /** @type {RequestInit} */
  const request = { method, headers, cache: "no-store", credentials: "same-origin", redirect: "error" };
  if (signal !== undefined) request.signal = signal;
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { ...headers, "content-type": "application/json" };
  }
  let response, answer;
  try {
    response = await fetch(`${BASE}${path}${text}`, request);
    answer = await response.json().catch((error) => (isAbort(error) ? Promise.reject(error) : null));
  } catch (error) {
    if (isAbort(error)) throw error;
    serverLost();
    const unknown = method === "GET" ? "" : " Whether this was done is not known: look once it is back, before you try again.";
    throw new Refusal("unreachable", `The server does not answer.${unknown}`);
  }
  if (response.ok && answer !== null) return answer;
  const told = answer?.error ?? {};
  const message = told.message ?? `The server answered with ${response.status} and gave no reason: look at its log.`;
  throw new Refusal(told.code ?? "unknown", message, response.status, told.argument);
}

/**
 * Whether an error only says that an answer is no longer wanted.
 *
 * @param {unknown} error
 */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/**
 * The sentence of an error, for a person.
 *
 * @param {unknown} error
 */
export function sentence(error) {
  return error instanceof Refusal ? error.message : `Something went wrong in the page: ${error instanceof Error ? error.message : String(error)}`;
}

/** @param {Query | URLSearchParams | undefined} query */
function asQuery(query) {
  if (query === undefined) return "";
  const made = new URLSearchParams(query instanceof URLSearchParams ? query : "");
  for (const [name, value] of query instanceof URLSearchParams ? [] : Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) made.append(name, String(each));
  }
  const text = made.toString();
  return text === "" ? "" : `?${text}`;
}

function serverLost() {
  waitingForServer ??= untilBack().finally(() => (waitingForServer = null));
}

async function untilBack() {
  for (let round = 0; ; round++) {
    const seconds = PAUSES_SECONDS[Math.min(round, PAUSES_SECONDS.length - 1)] ?? 1;
    connection.dispatchEvent(new CustomEvent("lost", { detail: seconds }));
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, 1_000 * seconds, undefined);
      tryNow = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    try {
      await fetch("/health", { cache: "no-store" });
      break;
    } catch {
      continue;
    }
  }
  connection.dispatchEvent(new CustomEvent("back"));
}

/** @param {AbortSignal | undefined} signal */
async function serverBack(signal) {
  await waitingForServer;
  signal?.throwIfAborted();
}
