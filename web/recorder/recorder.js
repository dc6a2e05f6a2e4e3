// Records what a page and its app say to each other, in the real app. The debug build loads it before the page's scripts:
//   recorder.js?to=http://desk:9000/transcript&calls=app.onEvent,app.reply&events=app:seen,ready@document&sets=app.user
// Each line of the transcript is a JSON object. `footbridge record` makes a bridge of it.

(() => {
  "use strict";
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  // A script that the app injects has no address: it sets `footbridgeRecorder = { to, calls, events, sets }` first.
  const parameters = new URL(script?.src || "x:").searchParams;
  const settings = /** @type {any} */ (window).footbridgeRecorder ?? {};
  const address = settings.to ?? parameters.get("to");
  /** @type {(name: string) => string[]} */
  const list = (name) => settings[name] ?? (parameters.get(name) ?? "").split(",").filter(Boolean);
  /** The longest transcript, in characters. */
  const limit = 4_000_000;
  const secret = /(authorization|cookie|password|secret|token|bearer|apikey)$/i;
  /** @type {string[]} */
  const lines = [];
  let length = 0;
  let sent = 0;
  let messages = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isSending = false;

  const send = () => {
    timer = undefined;
    const body = lines.slice(sent).join("");
    // One after another: what a post still sends must not be in the next one, too.
    if (!address || !body || isSending) return;
    const count = lines.length;
    isSending = true;
    // A plain text may be posted to any address.
    fetch(address, { method: "POST", mode: "no-cors", body }).then(() => {
      sent = count;
      isSending = false;
      if (lines.length > count) send();
    }, (error) => {
      isSending = false;
      console.warn("recorder:", error);
    });
  };
  /**
   * A value as JSON text, without secrets. Texts can be JSON, too.
   * @param {unknown} value
   * @returns {string}
   */
  const safe = (value) => JSON.stringify(value, (name, value) => {
    if (secret.test(name.replace(/[-_]/g, "")) && value !== null && typeof value !== "boolean") return "\u2039secret\u203a";
    if (typeof value !== "string" || !/^[\s]*[[{]/.test(value)) return value;
    try {
      const inside = JSON.parse(value);
      const text = safe(inside);
      return text === JSON.stringify(inside) ? value : text;
    } catch {
      return value;
    }
  });
  // A transcript goes through consoles and logs, and the page may have any encoding: neither text nor script has other characters than ASCII.
  /** @param {string} text */
  const inASCII = (text) => text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  /** @param {Record<string, unknown>} line */
  const add = (line) => {
    if (length > limit) return;
    let text;
    try {
      text = inASCII(safe(line));
    } catch {
      text = inASCII(JSON.stringify({ ...line, body: undefined, reply: undefined, args: undefined, lost: "no JSON" }));
    }
    length += text.length;
    lines.push(`${length > limit ? JSON.stringify({ lost: "the transcript is full" }) : text}\n`);
    if (timer === undefined) timer = setTimeout(send, 200);
  };

  const { webkit } = /** @type {any} */ (window);
  if (!webkit?.messageHandlers) return console.warn("recorder: there is no webkit.messageHandlers in this document.");
  add({ page: location.href });
  addEventListener("pagehide", send);
  Object.assign(window, { footbridgeTranscript: () => lines.join("") });

  /** The names of message handlers: they are known once the page asks for them. */
  const names = new WeakMap();
  const namespace = Object.getPrototypeOf(webkit);
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(namespace, "messageHandlers"));
  let isWrapped = false;
  /** @param {any} handler */
  const wrap = (handler) => {
    if (isWrapped) return;
    isWrapped = true;
    const prototype = Object.getPrototypeOf(handler);
    const { postMessage } = prototype;
    prototype.postMessage = function (/** @type {unknown[]} */ ...list) {
      const message = ++messages;
      if (names.has(this)) add({ message, channel: names.get(this), body: list[0] });
      const answer = postMessage.apply(this, list);
      answer?.then?.(
        (/** @type {unknown} */ reply) => add({ message, reply }),
        (/** @type {any} */ error) => add({ message, error: `${error?.message ?? error}` }));
      return answer;
    };
  };
  const handlers = new Proxy(get.call(webkit), {
    get(target, name) {
      const handler = target[name];
      if (handler && typeof name === "string") {
        wrap(handler);
        names.set(handler, name);
      }
      return handler;
    },
  });
  Object.defineProperty(namespace, "messageHandlers", { configurable: true, enumerable: true, get: () => handlers });

  /**
   * What an event has besides what every one of its kind has.
   * @param {any} event
   */
  const membersOf = (event) => {
    const usual = new event.constructor(event.type);
    /** @type {Record<string, unknown>} */
    const members = {};
    for (let type = Object.getPrototypeOf(event); type && type !== Object.prototype; type = Object.getPrototypeOf(type)) {
      for (const name of Object.getOwnPropertyNames(type)) {
        const value = event[name];
        const isPlain = ["string", "number", "boolean"].includes(typeof value);
        const isOfEvent = type === Event.prototype && !["bubbles", "cancelable", "composed"].includes(name);
        if (!isOfEvent && value !== usual[name] && (isPlain || name === "data" || name === "detail")) members[name] = value;
      }
    }
    return members;
  };
  /** @type {(name: string, on: string, event: any) => void} */
  const hear = (name, on, event) => {
    // The browser's own events are not native's.
    if (event.isTrusted) return;
    const kind = event.constructor.name;
    if (on === "window" && kind === "CustomEvent") return add({ event: name, detail: event.detail ?? undefined });
    add({ event: name, on, kind, init: membersOf(event) });
  };
  /**
   * What a path leads to, and what has it.
   * @param {string} path
   */
  const at = (path) => {
    const way = path.split(".");
    const last = /** @type {string} */ (way.pop());
    const owner = way.reduce((/** @type {any} */ object, name) => object?.[name], window);
    return { owner, last, value: owner?.[last] };
  };
  /**
   * Begins with what is there already, and returns whether it is.
   * @type {Record<string, (path: string) => boolean>}
   */
  const watch = {
    calls(path) {
      const { owner, last, value } = at(path);
      if (typeof value !== "function") return false;
      owner[last] = function (/** @type {unknown[]} */ ...args) {
        add({ call: path, args });
        return value.apply(this, args);
      };
      return true;
    },
    // `name`, or `name@document` and other objects. One that is no event target has a function for its events.
    events(text) {
      const [, name, on] = /** @type {RegExpExecArray} */ (/^(.*?)(?:@([^@]+))?$/.exec(text));
      const target = on ? at(on).value : window;
      if (target instanceof EventTarget) {
        target.addEventListener(name, (event) => hear(name, on ?? "window", event));
        return true;
      }
      const usual = target?.[`on${name}`];
      if (typeof usual !== "function") return false;
      target[`on${name}`] = function (/** @type {any[]} */ ...list) {
        if (list[0] instanceof Event) hear(name, on, list[0]);
        return usual.apply(this, list);
      };
      return true;
    },
    sets(path) {
      const { owner, last } = at(path);
      if (!owner) return false;
      let { value } = at(path);
      if (value !== undefined) add({ set: path, value });
      Object.defineProperty(owner, last, {
        configurable: true, enumerable: true, get: () => value,
        set(next) {
          value = next;
          add({ set: path, value });
        },
      });
      return true;
    },
  };
  // Functions and objects of the page are there later than this.
  const waiting = new Set(Object.keys(watch).flatMap((kind) => list(kind).map((path) => ({ kind, path }))));
  const find = () => {
    for (const one of waiting) if (watch[one.kind](one.path)) waiting.delete(one);
    if (!waiting.size) clearInterval(interval);
  };
  const interval = setInterval(find, 50);
  find();
  addEventListener("DOMContentLoaded", find);
})();
