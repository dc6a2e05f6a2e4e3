// Tells a story in one line: what was asked, and what became of it.

import { STORY_WORDS } from "../bridges/panes.js";
import { summary } from "./entry-text.js";

/** @typedef {import("./stories.js").Story} Story */

/**
 * What a row says: what was asked, and what became of it; empty for what has no outcome.
 * @typedef {{what: string, outcome: string}} StoryText
 */

/** The members of a call that name its subject. */
const NAMES = ["name", "productIdentifier", "productIdentifiers", "product", "type", "url", "id"];
/** How long a part of the line is, at most. */
const LIMIT = 160;

/**
 * @param {Story} story
 * @returns {StoryText}
 */
export function storyText(story) {
  const { root } = story;
  if (!story.isCall) return { what: root.kind === "lint" ? cut(summary(root)) : root.action ?? root.kind, outcome: cut([root.kind === "lint" ? "" : summary(root), effects(story)].filter(Boolean).join(" ")) };
  for (const words of STORY_WORDS) {
    const text = words(story);
    if (text) return { what: cut(text.what), outcome: cut(`→ ${text.outcome ?? outcome(story)}`) };
  }
  return { what: cut([verb(root.action), subject(root.data)].filter(Boolean).join(" ")), outcome: cut(`→ ${outcome(story)}`) };
}

/**
 * The name of an action in words: `loadProducts` is "load products".
 * @param {string} [action]
 */
export const verb = (action = "") => (action.split(".").at(-1) ?? "").replace(/([a-z])([A-Z])/gu, (_, before, after) => `${before} ${after.toLowerCase()}`);

/**
 * What became of a call.
 * @param {Story} story
 */
export function outcome({ answer, waiting, root }) {
  if (answer?.error) return answer.error.code;
  if (waiting.size > 0) return "waits for you";
  if (!answer) return root.kind === "hostRequest" ? "waits for the page" : "waits";
  if (answer.status && answer.status !== "success") return answer.status;
  return summary(answer) || "done";
}

/**
 * A length of time in words.
 * @param {number} milliseconds
 */
export function durationText(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  if (milliseconds < 86_400_000) return `${Math.round(milliseconds / 3_600_000)} h`;
  return `${Math.round(milliseconds / 86_400_000)} d`;
}

/**
 * What an entry has led to that is no call: the first of it.
 * @param {Story} story
 */
function effects({ entries }) {
  const [, first, ...others] = entries;
  if (!first) return "";
  return `→ ${[verb(first.action ?? first.kind), subject(first.data)].filter(Boolean).join(" ")}${others.length > 0 ? `, ${others.length} more` : ""}`;
}

/** @param {Record<string, any>} [data] */
function subject(data) {
  const name = NAMES.find((each) => data?.[each] !== undefined && data[each] !== null);
  if (!name) return "";
  const value = data?.[name];
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** @param {string} text */
const cut = (text) => text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text;
