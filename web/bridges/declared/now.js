// Answers at once: the page's script waits for them.

import {
  hasOwn, mapDelete, mapForEach, NativeError, parse, stringify, uncurry, warn,
} from "../../shim/builtins.js";
import { isOpaque, ownFolder } from "../../shim/configuration.js";
import { identity, request, unanswered } from "../../shim/connection.js";
import { decode } from "../../shim/copy.js";
import { failureOf, ordinary, valueAt } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */
/** @typedef {import("../../shim/connection.js").Payload} Payload */

const { XMLHttpRequest: NativeXMLHttpRequest } = window;
const openRequest = uncurry(NativeXMLHttpRequest.prototype.open);
const sendRequest = uncurry(NativeXMLHttpRequest.prototype.send);

/** The calls that a request has carried to the host beside the socket, so that it has them in the order in which they were made. */
const carried = new WeakSet();

/**
 * Gets the answer to a call from the host synchronously.
 * @param {string} id - of the call, which is among those without an answer
 * @returns {Payload}
 * @throws if the host cannot be reached, or does not answer in time
 */
function awaitAnswer(id) {
  let body = "";
  mapForEach(unanswered, (/** @type {any} */ call, /** @type {any} */ key) => {
    if (!call.isRequest || call.answer || carried.has(call) || !/^footbridge-\d/.test(key)) return;
    carried.add(call);
    body += `\x1E${call.text}`;
  });
  const request = new NativeXMLHttpRequest();
  openRequest(request, "POST", `${ownFolder}now?${identity}&call=${id}`, false);
  request.withCredentials = true;
  sendRequest(request, body);
  if (request.status === 204) throw new NativeError("There was no answer in time: a rule, a delay or a handler holds it.");
  if (request.status !== 200) throw new NativeError(request.responseText || `The server has answered ${request.status}.`);
  mapDelete(unanswered, id);
  return parse(request.responseText).payload;
}

/**
 * Sends a message, and returns its answer synchronously. Replies that the host has sent ahead need no connection.
 * @param {DeclaredConfiguration} bridge
 * @param {string} name
 * @param {unknown} value - a copy without prototypes
 * @param {string} [instance] - of a class of native, whose method or constructor sends it
 * @returns {any} the reply
 * @throws {Error} if the answer is an error: with its text, and the other members that it has
 */
export function askNow(bridge, name, value, instance) {
  const template = bridge.ahead && hasOwn(bridge.ahead, name) ? bridge.ahead[name] : undefined;
  const ahead = () => template && fillTemplate(template, ordinary(value));
  if (isOpaque) return ahead();
  const action = `${bridge.name}.${name}`;
  /** @type {Payload | undefined} */
  let payload;
  const id = request(action, { value, now: true, instance }, (early) => payload = early, configuration.messageBytes);
  try {
    payload ??= awaitAnswer(id);
  } catch (error) {
    warn(`Footbridge: ${action} has ${template ? "the reply of footbridge.yaml" : "no reply"}, for the host was not heard.`, error);
    return ahead();
  }
  if (payload.status !== "error") return decode(payload.data?.value);
  throw failureOf(payload);
}

/**
 * Fills a reply template that the server has sent ahead.
 * @param {any} template - one of: `constant`, `undefined`, `from` a place of the message, the JSON `text` of another, an `array`, an `object`
 * @param {any} message
 * @returns {any}
 */
export function fillTemplate(template, message) {
  if (hasOwn(template, "undefined")) return;
  if (hasOwn(template, "from")) return valueAt(message, template.from);
  if (hasOwn(template, "text")) return stringify(fillTemplate(template.text, message) ?? null);
  if (hasOwn(template, "array")) return template.array.map((/** @type {any} */ element) => fillTemplate(element, message) ?? null);
  if (!hasOwn(template, "object")) return parse(stringify(template.constant));
  /** @type {any} */
  const object = {};
  for (const name in template.object) {
    const value = fillTemplate(template.object[name], message);
    if (value !== undefined) object[name] = value;
  }
  return object;
}
