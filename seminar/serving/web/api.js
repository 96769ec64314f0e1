/** Requests to the service: JSON in and out, problems as errors, nothing beyond this origin. */
import { strings } from "./strings.js";

const PREFIX = "/api/v1";
let csrf = "";

/** An error of a request, in the service's words. */
export class ProblemError extends Error {
  /** @param {number} status @param {string} detail @param {{field: string, detail: string}[]} errors */
  constructor(status, detail, errors = []) {
    super(detail);
    this.status = status;
    this.errors = errors;
  }
}

/** Remember the token that requests which change something send. */
export function setCsrf(token) {
  csrf = token ?? "";
}

/** A path below the API, its parts and query escaped: `path("collections", id, { q })`. */
export function path(...parts) {
  const query = typeof parts.at(-1) === "object" ? parts.pop() : {};
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const suffix = given.length ? `?${new URLSearchParams(given)}` : "";
  return `${PREFIX}/${parts.map((part) => encodeURIComponent(part)).join("/")}${suffix}`;
}

/**
 * Send a request and return the response, or throw a ProblemError.
 * @param {string} method @param {string} url
 * @param {{body?: object, raw?: Blob, headers?: Record<string, string>, signal?: AbortSignal}} [options]
 */
export async function send(method, url, { body, raw, headers = {}, signal } = {}) {
  const all = { ...headers };
  if (method !== "GET") all["X-CSRF-Token"] = csrf;
  if (body !== undefined) all["Content-Type"] = "application/json";
  if (raw !== undefined) all["Content-Type"] = "application/octet-stream";
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: all,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal,
      credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ProblemError(0, strings.offline);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** The problem that a response states. */
async function problemOf(response) {
  const record = await response.json().catch(() => ({}));
  const detail = record.detail || record.title || strings.unexpected(response.status);
  if (response.status === 401) dispatchEvent(new CustomEvent("seminar:login"));
  const problem = new ProblemError(response.status, detail, record.errors);
  problem.wait = Number(response.headers.get("Retry-After")) || 0; // seconds
  return problem;
}

async function json(method, url, options) {
  const response = await send(method, url, options);
  return response.status === 204 ? null : response.json();
}

export const get = (url, options) => json("GET", url, options);
export const post = (url, body = {}, options = {}) => json("POST", url, { ...options, body });
export const put = (url, body, options = {}) => json("PUT", url, { ...options, body });
export const patch = (url, body, options = {}) => json("PATCH", url, { ...options, body });
export const remove = (url) => json("DELETE", url);

/** Hexadecimal digits that nobody can guess; also where `crypto.randomUUID` is missing. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
