// Messages and values that cross as texts of some form.

import {
  dispatch, hasOwn, isArray, keys, NativeCustomEvent, NativePromise, parse, stringify, then,
} from "../../shim/builtins.js";
import { decode } from "../../shim/copy.js";
import { hooks } from "../../shim/parts.js";
import { installs } from "../../shim/webkit.js";
import { callPath, copyForHost, hear, ordinary } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */
/**
 * A step: JSON text, base64 of a text, the query of an address, a list of messages, a text that begins with a prefix, or several texts.
 * @typedef {"json" | "base64" | "query" | "list" | {prefix: string} | {split: string}} Coding
 */

const { atob: fromBase64, btoa: toBase64, TextDecoder: Decoder, TextEncoder: Encoder, URLSearchParams: Query } = window;

/**
 * The members of a query. A name that occurs several times has a list.
 * @param {string} text
 */
function readQuery(text) {
  /** @type {any} */
  const members = { __proto__: null };
  for (const [name, value] of new Query(text)) {
    members[name] = hasOwn(members, name) ? [members[name], value].flat() : value;
  }
  return members;
}

/** @type {(value: unknown) => string} */
const textOfValue = (value) => typeof value === "string" ? value : `${stringify(value)}`;

/** @param {any} members */
function writeQuery(members) {
  const query = new Query();
  for (const name of keys(members)) {
    for (const value of isArray(members[name]) ? members[name] : [members[name]]) query.append(name, textOfValue(value));
  }
  return `${query}`;
}

/**
 * Reads a text by one step. Returns nothing if it does not have this form.
 * @param {Exclude<Coding, "list">} step
 * @param {string} text
 * @returns {{value: unknown} | undefined}
 */
function readStep(step, text) {
  try {
    if (step === "json") return { value: parse(text) };
    if (step === "query") return { value: readQuery(text) };
    if (step === "base64") {
      return { value: new Decoder("utf-8", { fatal: true }).decode(Uint8Array.from(fromBase64(text), (byte) => byte.charCodeAt(0))) };
    }
    if ("prefix" in step) return text.startsWith(step.prefix) ? { value: text.slice(step.prefix.length) } : undefined;
    return { value: text.split(step.split).filter(Boolean) };
  } catch {
    // The text has another form.
  }
}

/**
 * Reads what has come, step by step. A value that a step does not fit stays as it is.
 * @param {Coding[]} steps
 * @param {unknown} value
 * @returns {{values: any[], isList: boolean}} the messages, and whether they have come as a list
 */
function readMessages(steps, value) {
  /** @type {{value: any, isRead?: boolean}[]} */
  let messages = [{ value }];
  let isList = false;
  for (const step of steps) {
    /** @type {typeof messages} */
    const next = [];
    for (const message of messages) {
      const read = step === "list" || message.isRead || typeof message.value !== "string" ? undefined : readStep(step, message.value);
      const value = read ? read.value : message.value;
      if (isArray(value) && !message.isRead && (step === "list" || read && typeof step === "object")) {
        isList = true;
        for (const value_ of value) next.push({ value: value_ });
      } else {
        next.push({ value, isRead: message.isRead || step !== "list" && !read });
      }
    }
    messages = next;
  }
  return { values: messages.map(({ value }) => copyForHost(value)), isList };
}

/**
 * Writes a value, step by step.
 * @param {Coding[]} steps
 * @param {any} value
 */
function writeValue(steps, value) {
  if (value === undefined) return;
  for (const step of steps) {
    if (step === "json") value = stringify(value);
    else if (step === "list") value = [value];
    else if (step === "query") value = typeof value === "object" && value ? writeQuery(value) : textOfValue(value);
    else if (step === "base64") value = toBase64(String.fromCharCode(...new Encoder().encode(textOfValue(value))));
    else if ("prefix" in step) value = step.prefix + textOfValue(value);
    else value = isArray(value) ? value.map(textOfValue).join(step.split) : value;
  }
  return value;
}

hooks.encode = ({ encode }, value) => encode ? writeValue(encode, value) : value;

hooks.transcode = (bridge, { decode = bridge.decode, encode = bridge.encode }, value, send) => {
  const { values, isList } = decode ? readMessages(decode, ordinary(value)) : { values: [value], isList: false };
  const answers = values.map(send);
  const promised = answers.some((answer) => answer instanceof NativePromise);
  const write = (/** @type {unknown} */ answer) => encode ? writeValue(encode, answer) : answer;
  if (promised) return then(isList ? NativePromise.all(answers) : answers[0], write);
  return write(isList ? answers : answers[0]);
};

for (const bridge of configuration.declared ?? []) {
  const { encode } = bridge;
  if (!encode) continue;
  installs.push(() => {
    hear(bridge, "call", ({ path, args }) => callPath(path, decode(args).map((/** @type {unknown} */ value) => writeValue(encode, value))));
    hear(bridge, "event", ({ name, detail }) =>
      void dispatch(window, new NativeCustomEvent(name, { detail: writeValue(encode, decode(detail)) })));
  });
}
