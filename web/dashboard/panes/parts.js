// Elements that several panes share.

import { APIError } from "../api.js";
import { h, nodes } from "../elements.js";

/** @typedef {import("../elements.js").Child} Child */

/**
 * Makes a part of a pane, with a title and optional fields beside it.
 * @param {string} title
 * @param {(Child | Child[])[]} content
 */
export const part = (title, ...content) => h("section", { class: "part", "aria-label": title }, h("h3", {}, title), ...nodes(content));

/** @param {string} text */
export const empty = (text) => h("p", { class: "empty" }, text);

/** @param {(Child | Child[])[]} rows */
export const rows = (...rows) => h("ul", { class: "rows" }, ...nodes(rows));

/** @param {(Child | Child[])[]} content */
export const row = (...content) => h("li", { class: "row" }, ...nodes(content));

/** @param {(Child | Child[])[]} buttons */
export const actions = (...buttons) => h("span", { class: "actions" }, ...nodes(buttons));

/**
 * @param {string} text
 * @param {"" | "good" | "bad"} tone
 */
export const tag = (text, tone = "") => h("span", { class: tone ? `tag ${tone}` : "tag" }, text);

/**
 * Makes a checkbox, with its label after it.
 * @param {string} label
 * @param {Record<string, any>} attributes
 */
export const box = (label, attributes) => h("label", { class: "box" }, h("input", { type: "checkbox", ...attributes }), label);

/**
 * Replaces the options of a `select`, and keeps the selected one.
 * @param {HTMLSelectElement} field
 * @param {[string, string][]} options
 * @param {string | null} usual
 */
export function choices(field, options, usual = null) {
  const selected = options.some(([value]) => value === field.value) ? field.value : usual ?? options[0]?.[0] ?? "";
  field.replaceChildren(...options.map(([value, label]) => h("option", { value }, label)));
  field.value = selected;
}

/**
 * Parses JSON that a person has typed.
 * @param {string | undefined} text
 * @param {string} what - its name, for the error message
 * @returns {any} undefined for an empty text
 */
export function json(text, what) {
  if (!text?.trim()) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not valid JSON: ${error instanceof Error ? error.message : error}. Texts need double quotes.`);
  }
}

/**
 * Parses a JSON object that a person has typed.
 * @param {string | undefined} text
 * @param {string} what
 * @returns {Record<string, any> | undefined}
 */
export function object(text, what) {
  const value = json(text, what);
  if (value !== undefined && (value === null || typeof value !== "object" || Array.isArray(value))) {
    throw new Error(`${what} must be an object, such as { "name": 1 }.`);
  }
  return value;
}

/**
 * Reads from the API. If the server has this part switched off, returns its message instead.
 * @template Content
 * @param {() => Promise<Content>} read
 * @returns {Promise<Content | HTMLElement>}
 */
export async function ifThere(read) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof APIError && error.status === 404) return empty(error.message);
    throw error;
  }
}

/** Parts that can be folded away. They stay as the person has left them when the pane is loaded again. */
export class Folds {
  /** @type {Set<string>} */
  #open = new Set();

  /**
   * @param {string} key
   * @param {string} title
   * @param {(Child | Child[])[]} content
   */
  make(key, title, ...content) {
    const details = h("details", { open: this.#open.has(key) }, h("summary", { "data-key": `${key} fold` }, title), ...nodes(content));
    details.addEventListener("toggle", () => this.#open[details.open ? "add" : "delete"](key));
    return details;
  }
}
