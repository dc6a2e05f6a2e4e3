// The interface for adapters. An adapter translates the protocol of another native bridge to messages with a name and a body, and back.

import { apply, create, defineProperty, dispatch, NativeCustomEvent } from "../../shim/builtins.js";
import { decode } from "../../shim/copy.js";
import { hooks, sheetHost } from "../../shim/parts.js";
import { addHandler } from "../../shim/webkit.js";
import { evaluate } from "./evaluation.js";
import { guarded } from "./guarded.js";
import { askNow } from "./now.js";
import { callPath, copyForHost, declaredPost, hear, messageName, sendDeclared } from "./shim.js";

/** @typedef {import("./shim.js").DeclaredConfiguration} DeclaredConfiguration */

/**
 * Replaces a dialog function: `answer` gets each call first. Calls that it does not take show the dialog.
 * @param {"alert" | "confirm" | "prompt"} kind
 * @param {(text: string, value: string) => boolean} test
 * @param {(text: string, value: string) => any} answer
 */
function takeDialogs(kind, test, answer) {
  const usual = window[kind];
  defineProperty(window, kind, {
    configurable: true, enumerable: true, writable: true,
    value: { [kind](text = "", value = "") {
      if (!guarded(() => test(`${text}`, `${value}`))) return apply(usual, window, arguments);
      const answered = guarded(() => answer(`${text}`, `${value}`));
      return kind === "confirm" ? !!answered : kind === "alert" ? undefined : answered == null ? null : `${answered}`;
    } }[kind],
  });
}

/**
 * The interface for an adapter.
 * @typedef {object} Native
 * @property {any} options - `options` in the bridge's section
 * @property {(name: string, form?: {reply?: boolean | "json", text?: boolean}, take?: (body: any) => unknown) => void} channel - adds a
 *   message handler; without `take` its messages go to the host under their names
 * @property {(name: string, value: unknown) => void} object - puts an object into `window`
 * @property {DialogTaker} prompt - takes some prompts as messages, which are answered at once
 * @property {DialogTaker} confirm
 * @property {DialogTaker} alert
 * @property {(pattern: RegExp, take: (navigation: import("./navigations.js").NativeNavigation) => void) => void} navigation - has navigations
 *   be messages
 * @property {(body: any) => string} name - of a message, as `name` in the bridge's section finds it
 * @property {(name: string, body: any) => Promise<any>} send - sends a message to the host, and resolves with its answer
 * @property {(name: string, body: any) => any} now - sends a message, and returns the answer; the page waits for it. Throws an `Error`
 *   where the answer is one
 * @property {(take: (path: string[], args: any[]) => unknown) => void} onCall - takes the calls of the host in place of the function that
 *   they name
 * @property {(path: string, ...args: any[]) => any} call - calls a function of the page by its path, as a method of what holds it
 * @property {(name: string, detail?: any) => void} event - dispatches a `CustomEvent` on `window`
 * @property {(script: string) => any} evaluate - runs a script and returns its value
 * @property {import("./store.js").Store} [store] - the store of the session; only adapters of developers have it
 */

/** @typedef {(test: (text: string, value: string) => boolean, answer: (text: string, value: string) => any) => void} DialogTaker */

/** @type {(bridge: DeclaredConfiguration) => Native} */
const makeNative = (bridge) => ({
  options: bridge.options ?? {},
  channel(name, form, take) {
    const { reply = false, text = false } = form ?? {};
    addHandler(name, declaredPost(bridge, { name, reply: /** @type {any} */ (`${reply}`), text }, take));
  },
  object(name, value) {
    defineProperty(window, name, { value, configurable: true, enumerable: true, writable: true });
  },
  prompt: (test, answer) => takeDialogs("prompt", test, answer),
  confirm: (test, answer) => takeDialogs("confirm", test, answer),
  alert: (test, answer) => takeDialogs("alert", test, answer),
  navigation: (pattern, take) => hooks.takeNavigations?.(pattern, take),
  name: (body) => messageName(bridge, body),
  send: (name, body) => sendDeclared(bridge, name, copyForHost(body)),
  now: (name, body) => askNow(bridge, name, copyForHost(body)),
  onCall: (take) => hear(bridge, "call", ({ path, args }) => take(path, decode(args))),
  call: (path, ...list) => callPath(path.split("."), list),
  event: (name, detail) => void dispatch(window, new NativeCustomEvent(name, { detail })),
  evaluate: (script) => evaluate(`${script}`, true),
});

/**
 * Footbridge's own adapters, by name.
 * @type {Record<string, (native: Native) => void>}
 */
export const presets = create(null);

hooks.adapt = (/** @type {DeclaredConfiguration} */ bridge) => {
  const native = makeNative(bridge);
  guarded(() => bridge.preset && presets[bridge.preset]?.(native));
  if (!bridge.adapter) return;
  // A developer's adapter is a separate script, which registers itself once.
  const own = /** @type {any} */ (sheetHost);
  const adapters = own.adapters ??= create(null);
  adapters[bridge.name] = native;
  own.adapt ??= (/** @type {string} */ name, /** @type {(native: any) => void} */ adapt) => {
    const native = adapters[name];
    delete adapters[name];
    if (native) adapt(native);
  };
};
