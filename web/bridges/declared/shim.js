// Bridges that footbridge.yaml declares: message handlers, scripts, calls and events.

import {
  apply, defineProperty, dispatch, hasOwn, isArray, keys, listen, NativeCustomEvent,
  NativePromise, NativeTypeError, parse, reportUncaught, startTimer, stringify, then,
} from "../../shim/builtins.js";
import { isOpaque, isTopFrame, ownScript } from "../../shim/configuration.js";
import { answer, request } from "../../shim/connection.js";
import { decode, encode } from "../../shim/copy.js";
import { lengthProblem } from "../../shim/length.js";
import { queue } from "../../shim/listening.js";
import { loadScript } from "../../shim/load.js";
import { hooks, listeners } from "../../shim/parts.js";
import { listenAlways } from "../../shim/relisten.js";
import { loadScripts } from "../../shim/scripts.js";
import { addHandler, installs, lose, nativeError } from "../../shim/webkit.js";
import { evaluate, canEvaluate } from "./evaluation.js";
import { inTurn } from "./guarded.js";
import { decideWindows } from "./windows.js";

/**
 * @typedef {object} DeclaredChannel
 * @property {string} name
 * @property {"true" | "false" | "json"} reply - what the promise resolves with: the answer, nothing, or the answer's JSON text
 * @property {boolean} text - messages are JSON texts, which are read
 * @property {import("./codings.js").Coding[]} [decode] - how messages are read, in place of the bridge's way
 * @property {import("./codings.js").Coding[]} [encode] - how replies are written, in place of the bridge's way
 */

/**
 * @typedef {object} DeclaredConfiguration
 * @property {string} name
 * @property {string[]} pages - regular expressions of the paths of its pages
 * @property {boolean} mainFrame - whether only main frames have it
 * @property {DeclaredChannel[]} channels
 * @property {(string | (string[] | true)[] | {before: string, of: string[]})[]} naming - ways to name a message: a word; the places whose
 *   values are joined, where `true` is the name of the message handler; or the text before a separator at a place
 * @property {{path: string, at: "start" | "end" | "load"}[]} scripts - below `/__footbridge/`
 * @property {any} [options] - for adapters
 * @property {string} [preset] - the name of one of Footbridge's adapters
 * @property {boolean} [adapter] - whether the first script is an adapter
 * @property {Record<string, any>} [ahead] - replies that need no host, by the names of messages
 * @property {{path: string[], members: Record<string, import("./objects.js").DeclaredMember>}[]} [objects] - what native puts into `window`
 * @property {import("./codings.js").Coding[]} [decode] - how messages are read
 * @property {import("./codings.js").Coding[]} [encode] - how replies, arguments and details are written
 * @property {string[]} [schemes] - of resources of the app that the server answers
 * @property {string} [userAgent] - the host's addition to the user agent
 * @property {import("./windows.js").WindowPolicy} [windows] - what the app does with a page that wants a window
 * @property {{hash?: string, localStorage?: Record<string, string>, sessionStorage?: Record<string, string>}} [launch]
 */

/**
 * A message or a value for the host, as WebKit copies it.
 * @param {unknown} value
 */
export const copyForHost = (value) => encode(value, true);

/** The longest name of a message. */
const longestName = 200;

/**
 * Returns the value at a path in a message.
 * @param {any} value
 * @param {string[]} names - of members, from outside to inside
 */
export function valueAt(value, names) {
  for (let index = 0; index < names.length; index++) {
    if (typeof value !== "object" || value === null || !hasOwn(value, names[index])) return;
    value = value[names[index]];
  }
  return value;
}

/**
 * Returns the name of a message by one way; undefined if it does not fit.
 * @param {DeclaredConfiguration["naming"][number]} way
 * @param {unknown} message - a copy without prototypes
 * @param {string} [channel] - the message handler that has got it
 * @returns {string | undefined}
 */
function nameBy(way, message, channel) {
  if (typeof way === "string") return way;
  if (!isArray(way)) {
    const text = valueAt(message, way.of);
    const end = typeof text === "string" ? text.indexOf(way.before) : -1;
    return end < 0 ? undefined : text.slice(0, end);
  }
  let name = "";
  for (let index = 0; index < way.length; index++) {
    const place = way[index];
    const part = place === true ? channel : valueAt(message, place);
    if (typeof part !== "string" && typeof part !== "number") return;
    name += (index ? "." : "") + part;
  }
  return name;
}

/**
 * Returns the name of a message for rules, answers and the journal.
 * @param {DeclaredConfiguration} bridge
 * @param {unknown} message - a copy without prototypes
 * @param {string} [channel]
 */
export function messageName({ naming }, message, channel) {
  for (let index = 0; index < naming.length; index++) {
    const name = nameBy(naming[index], message, channel);
    if (name && name.length <= longestName) return name;
  }
  return "message";
}

/**
 * What native has rejected messages with, by the errors of the page: a text, or a value with more members.
 * @type {WeakMap<Error, any>}
 */
export const reasons = new WeakMap();

/**
 * The error that a message rejects with: an `Error` that has no stack, as in WebKit.
 * @param {import("../../shim/connection.js").Payload} payload
 * @param {boolean} [isText] - whether the wire has only a text, as that of a message handler
 */
export function failureOf({ data, error }, isText) {
  const failure = nativeError(error?.message);
  const reason = isText || data?.error === undefined ? error?.message : decode(data.error);
  reasons.set(failure, reason);
  if (typeof reason === "object" && reason !== null) {
    for (const name of keys(reason)) {
      if (name !== "message") defineProperty(failure, name, { value: reason[name], configurable: true, enumerable: true, writable: true });
    }
  }
  return failure;
}

/**
 * Sends a message to the host.
 * @param {DeclaredConfiguration} bridge
 * @param {string} name
 * @param {unknown} value - a copy without prototypes
 * @param {string} [channel]
 * @param {string} [instance] - of a class of native, whose method or constructor sends it
 * @returns {Promise<any>} the answer
 */
export const sendDeclared = (bridge, name, value, channel, instance) => new NativePromise((resolve, reject) => {
  // The host would give this answer to a document without a known origin.
  if (isOpaque) return resolve(undefined);
  request(`${bridge.name}.${name}`, { value, channel, instance }, (payload) => {
    if (payload.status === "error") reject(failureOf(payload, channel !== undefined));
    else resolve(decode(payload.data?.value));
  }, configuration.messageBytes);
});

/**
 * Copies a value for an adapter: with prototypes, and without marks.
 * @param {unknown} value - what `copyForHost` has returned
 */
export const ordinary = (value) => value === undefined ? value : decode(parse(stringify(value)));

/**
 * Parses a JSON text. Returns other texts unchanged.
 * @param {string} text
 */
export function readText(text) {
  try {
    return copyForHost(parse(text));
  } catch {
    return text;
  }
}

/**
 * Handles a message that the page posts to a message handler.
 * @param {DeclaredConfiguration} bridge
 * @param {DeclaredChannel} channel
 * @param {(body: any) => unknown} [take] - the adapter's function, which takes the message instead of the host
 * @returns {(message: unknown) => Promise<unknown>}
 */
export const declaredPost = (bridge, channel, take) => (message) => {
  const { name, reply, text } = channel;
  /** @type {any} */
  let value;
  noteMessage();
  try {
    value = copyForHost(message);
    if (text && typeof value === "string") value = readText(value);
  } catch (error) {
    lose(name, message, error);
    return new NativePromise(() => {});
  }
  const send = (/** @type {unknown} */ value) => sendDeclared(bridge, messageName(bridge, value, name), value, name);
  const answered = take
    // An adapter gets ordinary values, with prototypes.
    ? new NativePromise((resolve) => resolve(take(ordinary(value))))
    : hooks.transcode ? hooks.transcode(bridge, channel, value, send) : send(value);
  return then(answered, (/** @type {any} */ answer) =>
    reply === "json" ? stringify(answer) : reply === "true" ? answer : undefined);
};

/**
 * Returns what a path begins with: an instance of a class of native, or a member of `window`.
 * @param {string} name
 * @returns {any}
 */
export const rootOf = (name) => hooks.instance?.(name) ?? /** @type {any} */ (window)[name];

/**
 * Calls a function of the page, with the object that has it as `this`.
 * @param {string[]} path - from `window`
 * @param {any[]} list
 */
export function callPath(path, list) {
  let owner = /** @type {any} */ (undefined);
  let value = /** @type {any} */ (window);
  for (let index = 0; index < path.length; index++) [owner, value] = [value, index ? value?.[path[index]] : rootOf(path[0])];
  if (typeof value !== "function") throw new NativeTypeError(`window.${path.join(".")} is no function`);
  return apply(value, owner, isArray(list) ? list : []);
}

/** What an envelope adds to its data, at most. */
const envelopeBytes = 1024;

let isDocumentRead = false;
/** Whether a script of ours loads that native's next act needs. The acts after it wait, too. */
let isLoading = false;
/** Runs what it is given once the document's own scripts have run. */
const whenDocumentIsRead = queue(() => !isLoading && (isDocumentRead ||= document.readyState === "complete"));

/** Notes that the page has sent a message: such a page also gets the messages of the host. */
export function noteMessage() {
  isDocumentRead = true;
  whenDocumentIsRead();
}

function loadEvaluation() {
  isLoading = true;
  const script = loadScript("evaluation.js");
  script.onload = script.onerror = () => {
    isLoading = false;
    whenDocumentIsRead();
  };
}

/**
 * Who takes what the host asks, by bridge and kind.
 * @type {Record<string, (data: any, isAsked: boolean) => unknown>}
 */
const acts = { __proto__: /** @type {any} */ (null) };

/**
 * Does what the host asks of the page, in order. The answer to a request of the host is the result.
 * @param {DeclaredConfiguration} bridge
 * @param {string} kind
 * @param {(data: any, isAsked: boolean) => unknown} act
 */
export function hear(bridge, kind, act) {
  const name = `${bridge.name}.${kind}`;
  // An adapter takes a call that came before it: what counts is who takes it when the document is read.
  acts[name] = act;
  listeners[name] = (data, message) => {
    const isAsked = message.type === "request";
    if (kind === "evaluate" && !isLoading && !canEvaluate()) loadEvaluation();
    whenDocumentIsRead(() => inTurn(async () => {
      /** @type {any} */
      let result;
      try {
        result = { value: copyForHost(await acts[name](data, isAsked)) };
      } catch (error) {
        if (!isAsked) return reportUncaught(error);
        result = { error: textOf(error) };
      }
      if (!isAsked) return;
      // The host would close the connection of a page that sends more.
      const text = stringify({ __proto__: null, ...result });
      const error = lengthProblem(`the result of ${kind}`, text, configuration.messageBytes - envelopeBytes);
      answer(message, error ? { error } : result);
    }));
  };
}

/**
 * The text of what a page has thrown. A symbol has none, nor has an object without a prototype.
 * @param {unknown} error
 */
function textOf(error) {
  try {
    return `${error}`;
  } catch {
    return "The page has thrown something that is no text.";
  }
}

/** @param {string} addition */
function extendUserAgent(addition) {
  const descriptor = Object.getOwnPropertyDescriptor(Navigator.prototype, "userAgent");
  const get = descriptor?.get;
  if (!get) return;
  const { get: extended } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor({
    get userAgent() { return `${apply(get, this, [])} ${addition}`; },
  }, "userAgent"));
  defineProperty(Navigator.prototype, "userAgent", { ...descriptor, get: extended });
}

/**
 * Puts the host's launch data into the document. The fragment is for the first one of the session, or of a tab.
 * @param {NonNullable<DeclaredConfiguration["launch"]>} launch
 */
function launchDocument({ hash, localStorage = {}, sessionStorage = {} }) {
  if (!isTopFrame) return;
  for (const name in localStorage) if (window.localStorage.getItem(name) === null) window.localStorage.setItem(name, localStorage[name]);
  for (const name in sessionStorage) if (window.sessionStorage.getItem(name) === null) window.sessionStorage.setItem(name, sessionStorage[name]);
  const isFirst = ownScript?.hasAttribute("data-footbridge-first") || history.length < (configuration.isApp ? 3 : 2);
  if (hash !== undefined && isFirst && !location.hash) history.replaceState(history.state, "", `#${hash}`);
}

/** @param {DeclaredConfiguration} bridge */
export function isInDocument({ mainFrame, pages }) {
  if (isTopFrame) return pages.some((source) => new RegExp(source).test(location.pathname));
  // Frames without an address of their own belong to the page around them.
  return !mainFrame && (!location.protocol.startsWith("http") || pages.some((source) => new RegExp(source).test(location.pathname)));
}

/**
 * Tells the host that the document's address has changed, for the bridge's handler.
 * @param {DeclaredConfiguration} bridge
 */
function tellNavigations({ name }) {
  if (isOpaque) return;
  const tell = () => {
    const { pathname, search, hash } = location;
    request("footbridge.navigated", { bridge: name, path: pathname + search + hash }, () => {});
  };
  const { navigation } = /** @type {any} */ (window);
  if (navigation) return listen(navigation, "currententrychange", tell);
  const { prototype } = /** @type {any} */ (History);
  for (const method of ["pushState", "replaceState"]) {
    const native = prototype[method];
    prototype[method] = { [method]() {
      apply(native, this, arguments);
      tell();
    } }[method];
  }
  listenAlways(() => listen(window, "popstate", tell));
}

/** @param {DeclaredConfiguration} bridge */
function installDeclared(bridge) {
  if (bridge.userAgent) extendUserAgent(bridge.userAgent);
  if (isInDocument({ ...bridge, mainFrame: false })) decideWindows(bridge.windows);
  if (!isInDocument(bridge)) return;
  if (bridge.launch) launchDocument(bridge.launch);
  for (const channel of bridge.channels) addHandler(channel.name, declaredPost(bridge, channel));
  hear(bridge, "call", ({ path, args }) => callPath(path, decode(args)));
  hear(bridge, "event", ({ name, detail }) => void dispatch(window, new NativeCustomEvent(name, { detail: decode(detail) })));
  hear(bridge, "evaluate", ({ script }, isAsked) => evaluate(script, isAsked));
  tellNavigations(bridge);
  hooks.addObjects?.(bridge);
  hooks.adapt?.(bridge);
  // An adapter can evaluate scripts at any time.
  if (bridge.adapter) loadScripts({ scripts: [{ path: "evaluation.js", at: "start" }] }, "start");
  loadScripts(bridge, "start");
  const end = () => {
    loadScripts(bridge, "end");
    startTimer(() => {
      isDocumentRead = true;
      whenDocumentIsRead();
    });
  };
  const load = () => loadScripts(bridge, "load");
  listenAlways(() => {
    listen(window, "load", load);
    listen(document, "DOMContentLoaded", end);
  });
}

for (const bridge of configuration.declared ?? []) installs.push(() => installDeclared(bridge));
