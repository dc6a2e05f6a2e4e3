// `window.webkit.messageHandlers`, as WebKit shows it to a page.

import {
  create, defineProperty, deleteProperty, filter, forEach, isExtensible, mapGet, mapSet, NativeError, NativeMap, NativePromise,
  NativeTypeError, ownKeys, startTimer, warn,
} from "./builtins.js";
import { isOpaque } from "./configuration.js";
import { request } from "./connection.js";
import { decode, encode } from "./copy.js";
import { watchFrames } from "./frames.js";
import { hooks } from "./parts.js";
import { observe } from "./watching.js";

/** @type {(this: unknown) => never} */
const forbidConstruction = () => {
  throw new NativeTypeError("Illegal constructor");
};
class WebKitNamespace { constructor() { forbidConstruction(); } }
class UserMessageHandlersNamespace { constructor() { forbidConstruction(); } }
class UserMessageHandler { constructor() { forbidConstruction(); } }

/**
 * Whether the page has posted a message, and has got no answer since, to a handler that marks turns. On a device, all messages of a turn
 * reach native together; the mark tells so to a host that gets them one after another.
 * @type {boolean | undefined}
 */
let again;

/**
 * Tells that a message cannot be copied: as in WebKit, its promise never settles.
 * @param {string} name - the message handler's
 * @param {unknown} message
 * @param {unknown} error
 */
export function lose(name, message, error) {
  warn(`webkit.messageHandlers.${name}: this message is lost:`, message, error);
  // The host hears nothing from such a document.
  if (!isOpaque) request("footbridge.lost", { name }, () => {});
}

/**
 * An error that native makes. It has a message, and nothing that a script's errors have: `stack`, in WebKit also `line`, `column` and
 * `sourceURL`.
 * @param {string} [message]
 */
export function nativeError(message) {
  const error = new NativeError(message);
  forEach(ownKeys(error), (/** @type {string} */ name) => name === "message" || deleteProperty(error, name));
  return error;
}

/**
 * Posts a message. As in WebKit, the promise never settles if the message cannot be copied.
 * @param {import("./configuration.js").ChannelConfiguration} channel
 * @param {unknown} message
 */
function postToNative({ name, action = "", envelope, reply, marksTurns }, message) {
  return new NativePromise((resolve, reject) => {
    let value;
    try {
      value = encode(message, !envelope);
    } catch (/** @type {any} */ error) {
      // WebKit copies a cycle, which is not an envelope.
      if (!envelope || error?.code === 25) {
        return lose(name, message, error);
      }
    }
    if (envelope) hooks.post?.(value);
    // Such a document counts as a frame of another origin, which gets this answer from the host.
    if (envelope || isOpaque) return startTimer(resolve);
    const data = { value, again: marksTurns && again };
    again ||= marksTurns;
    request(action, data, ({ data, error, status }) => {
      again = undefined;
      if (status !== "error") {
        const value = reply ? decode(data?.value) : undefined;
        observe("answer", value);
        return resolve(value);
      }
      reject(nativeError(error?.message));
    });
  });
}

export const handlers = create(UserMessageHandlersNamespace.prototype);
export const names = create(null);
/**
 * What each handler does with a message.
 * @type {Map<object, (message: unknown) => Promise<unknown>>}
 */
const posts = new NativeMap();

/**
 * Adds a message handler.
 * @param {string} name
 * @param {(message: any) => Promise<unknown>} post
 */
export function addHandler(name, post) {
  const value = names[name] = create(UserMessageHandler.prototype);
  mapSet(posts, value, post);
  defineProperty(handlers, name, { value, enumerable: true, configurable: true });
}

function installWebKit() {
  if (!configuration.handlers.length && !configuration.declared) return;
  const webkit = create(WebKitNamespace.prototype);
  for (const channel of configuration.handlers) addHandler(channel.name, (message) => postToNative(channel, message));
  // Handlers can be found only by name: no list of keys has them, and they cannot be deleted. Once the page has frozen them,
  // they are listed, and deleting one fails: a proxy must do so.
  const messageHandlers = new Proxy(handlers, {
    get: (target, name) => name in target ? target[name] : observe("handler", name),
    ownKeys: (target) =>
      filter(ownKeys(target), (/** @type {PropertyKey} */ name) => !(isExtensible(target) && name in names)),
    deleteProperty: (target, name) => name in names ? isExtensible(target) : deleteProperty(target, name),
  });

  const { messageHandlers: accessor, postMessage } = Object.getOwnPropertyDescriptors({
    get messageHandlers() {
      if (this !== webkit) throw new NativeTypeError("Can only use WebKitNamespace.messageHandlers on instances of WebKitNamespace");
      hooks.used?.();
      return messageHandlers;
    },
    /** @param {unknown} message */
    postMessage(message) {
      const post = mapGet(posts, this);
      const problem = !post
        ? "Can only call UserMessageHandler.postMessage on instances of UserMessageHandler"
        : arguments.length ? undefined : "Not enough arguments";
      if (!problem) return post(message);
      return new NativePromise(() => { throw new NativeTypeError(problem); });
    },
  });
  defineProperty(WebKitNamespace.prototype, "messageHandlers", accessor);
  defineProperty(UserMessageHandler.prototype, "postMessage", postMessage);
  for (const constructor of [WebKitNamespace, UserMessageHandlersNamespace, UserMessageHandler]) {
    defineProperty(constructor.prototype, Symbol.toStringTag, { value: constructor.name, configurable: true });
    defineProperty(window, constructor.name, { value: constructor, writable: true, configurable: true });
  }
  defineProperty(window, "webkit", { value: webkit, enumerable: true });
  watchFrames();
}

/**
 * Install the bridges in the document, in order: `window.webkit`, and what each bridge needs before or after it.
 * @type {(() => void)[]}
 */
export const installs = [installWebKit];
