// Connections of an app that is suspended: the system closes them, and the page learns of it when the app continues.

import { replaceFunction } from "./replace.js";

/** @type {Set<WebSocket>} */
const sockets = new Set();
/** @type {Set<EventSource>} */
const sources = new Set();
/** The sockets that were lost, until the page hears of it, and afterwards. */
const lost = new WeakSet();
/** @type {WebSocket[]} */
let untold = [];

/** @param {WebSocket} socket */
function watch(socket) {
  sockets.add(socket);
  const hide = (/** @type {Event} */ event) => {
    if (!event.isTrusted) return;
    if (event.type === "close") sockets.delete(socket);
    if (lost.has(socket)) event.stopImmediatePropagation();
  };
  // Ours runs first: the page does not have the socket yet.
  for (const type of ["open", "message", "error", "close"]) socket.addEventListener(type, hide);
}

export function replaceSockets() {
  replaceFunction(window, "WebSocket", (native) => new Proxy(native, {
    construct(target, list, newTarget) {
      const socket = Reflect.construct(target, list, newTarget);
      watch(socket);
      return socket;
    },
  }));
  replaceFunction(window, "EventSource", (native) => new Proxy(native, {
    construct(target, list, newTarget) {
      for (const source of sources) if (source.readyState === 2) sources.delete(source);
      const source = Reflect.construct(target, list, newTarget);
      sources.add(source);
      return source;
    },
  }));
}

/** The system closes the sockets. */
export function loseSockets() {
  for (const socket of sockets) {
    lost.add(socket);
    socket.close();
    Object.defineProperty(socket, "readyState", { configurable: true, get: () => 3 });
    untold.push(socket);
  }
  sockets.clear();
}

/** The page learns which connections it has lost. The browser connects an event source again by itself. */
export function tellLostSockets() {
  const told = untold;
  untold = [];
  for (const socket of told) {
    socket.dispatchEvent(new Event("error"));
    socket.dispatchEvent(new CloseEvent("close", { code: 1006, wasClean: false }));
  }
  if (told.length || sources.size) for (const source of sources) if (source.readyState !== 2) source.dispatchEvent(new Event("error"));
}
