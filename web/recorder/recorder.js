// Records what a page and its app say to each other, in the real app. The debug build loads it before the page's scripts:
//   recorder.js?to=http://desk:9000/transcript&calls=app.onEvent,app.reply&events=app:seen
// Each line of the transcript is a JSON object. `footbridge record` makes a bridge of it.

(() => {
  "use strict";
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript);
  // A script that the app injects has no address: it sets `footbridgeRecorder = { to, calls, events }` first.
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

  for (const name of list("events")) {
    addEventListener(name, (event) => add({ event: name, detail: /** @type {any} */ (event).detail ?? undefined }));
  }
  // Functions of the page are there later than this.
  const calls = new Set(list("calls"));
  const find = () => {
    for (const path of calls) {
      const way = path.split(".");
      const last = /** @type {string} */ (way.pop());
      const owner = way.reduce((/** @type {any} */ object, name) => object?.[name], window);
      const usual = owner?.[last];
      if (typeof usual !== "function") continue;
      calls.delete(path);
      owner[last] = function (/** @type {unknown[]} */ ...args) {
        add({ call: path, args });
        return usual.apply(this, args);
      };
    }
    if (!calls.size) clearInterval(interval);
  };
  const interval = setInterval(find, 50);
  addEventListener("DOMContentLoaded", find);
})();
