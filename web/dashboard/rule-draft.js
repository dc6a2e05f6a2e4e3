// Makes a rule from a row of the log: its action and its outcome.

import { bridgeOf } from "./bridge-list.js";

/** @typedef {import("./filter.js").Entry} Entry */
/** @typedef {import("./bridge-list.js").Bridge} Bridge */
/** @typedef {import("./rule-text.js").RuleMembers} RuleMembers */

/** The rule that the person is asked to complete. */
class RuleDraft extends EventTarget {
  /** @type {RuleMembers | null} */
  #rule = null;

  /**
   * Offers a rule. Listeners get the event `offer`.
   * @param {RuleMembers} rule
   */
  offer(rule) {
    this.#rule = rule;
    this.dispatchEvent(new Event("offer"));
  }

  /** Takes the rule that was offered; null if there is none. */
  take() {
    const rule = this.#rule;
    this.#rule = null;
    return rule;
  }
}

export const draft = new RuleDraft();

/** How many causes are followed to find a call. */
const STEPS = 20;
/** The members that tell calls apart best. If a call has one of them, the others are left out. */
const NAMES = ["productIdentifier", "productIdentifiers", "transactionId", "type", "id"];
/**
 * Makes a rule for the call of an entry: its own call, or that of its nearest cause with one.
 * @param {Entry} entry
 * @param {(cursor: number) => Entry | undefined} find - the entry with a cursor
 * @param {(call: Entry) => Entry | undefined} answerOf - the answer to a call
 * @param {Bridge[]} bridges
 * @returns {RuleMembers}
 */
export function ruleAbout(entry, find, answerOf, bridges) {
  /** @type {Entry | undefined} */
  let found = entry;
  for (let step = 0; found && step < STEPS; step += 1) {
    /** @type {Entry | undefined} */
    const cause = found.cause ? find(found.cause) : undefined;
    // What came of a call is known from its own row. From another, the person chooses.
    const rule = own(found, cause, found === entry ? answerOf : () => undefined, bridges);
    if (rule) return rule;
    found = cause;
  }
  return { on: "", then: { error: "" } };
}

/**
 * @param {Entry} entry
 * @param {Entry | undefined} cause
 * @param {(call: Entry) => Entry | undefined} answerOf
 * @param {Bridge[]} bridges
 * @returns {RuleMembers | null}
 */
function own(entry, cause, answerOf, bridges) {
  const on = entry.action;
  if (!on) return null;
  switch (entry.kind) {
    case "sheetOpened":
    case "sheetAnswered": return { on: `footbridge.sheet.${on}`, then: { result: { approved: false } } };
    case "hostRequest":
    case "pageResponse": return { on, then: { result: false } };
    // The host's record of a tracked event has this kind, too. Its call is its cause.
    case "event": return entry.data && "accepted" in entry.data ? null : { on, ...told(entry), then: { drop: true } };
    case "request": {
      const answer = answerOf(entry);
      return { on, ...where(entry, bridges), then: answer ? outcome(answer, entry, bridges) : { error: "" } };
    }
    case "response": return { on, ...where(cause, bridges), then: outcome(entry, cause, bridges) };
    default: return null;
  }
}

/**
 * The message or the parameters of an entry. The messages of some bridges, and their answers, are values of any kind.
 * @param {Entry} entry
 * @param {Entry | undefined} call
 * @param {Bridge[]} bridges
 */
function content({ data, action = "" }, call, bridges) {
  const isValue = bridgeOf(bridges, action)?.values || call?.data && "channel" in call.data;
  return isValue && data && "value" in data ? data.value : data;
}

/**
 * @param {Entry | undefined} call
 * @param {Bridge[]} bridges
 * @returns {{where?: Record<string, any>}}
 */
function where(call, bridges) {
  const data = call?.kind === "request" ? content(call, call, bridges) : null;
  const members = data && typeof data === "object" && !Array.isArray(data) ? Object.entries(data).filter(([, value]) => isKnown(value)) : [];
  const best = members.find(([name]) => NAMES.includes(name));
  const chosen = best ? [best] : members.slice(0, 3);
  return chosen.length > 0 ? { where: Object.fromEntries(chosen) } : {};
}

/**
 * The condition for the only transaction of a callback.
 * @param {Entry} entry
 * @returns {{where?: Record<string, any>}}
 */
function told({ data }) {
  const list = data?.transactions;
  const [transaction, ...others] = Array.isArray(list) ? list : [];
  if (!transaction || others.length > 0) return {};
  const { transactionState, payment } = transaction;
  return { where: { transactions: { $contains: { transactionState, payment: { product: { productIdentifier: payment?.product?.productIdentifier } } } } } };
}

/**
 * Whether the journal has the original value. It replaces secrets, images and long texts by marks.
 * @param {any} value
 */
function isKnown(value) {
  if (value === null || typeof value === "object" && !Array.isArray(value)) return false;
  return !JSON.stringify(value).includes("‹");
}

/**
 * The outcome of the call. An empty error is for the person to choose.
 * @param {Entry} entry
 * @param {Entry | undefined} call
 * @param {Bridge[]} bridges
 * @returns {Record<string, any>}
 */
function outcome(entry, call, bridges) {
  const { action = "", status, error, data } = entry;
  if (error) return { error: error.code };
  if (status && status !== "success") return { status };
  const name = bridgeOf(bridges, action)?.actions.find((each) => each.name === action)?.result;
  return { result: (name ? data?.[name] : content(entry, call, bridges)) ?? null };
}
