// The app goes to the background and comes back.
//
// As on iOS: in the background, the page is hidden and still runs. Once the app is suspended, nothing of it runs, and its connections are
// lost. When it comes back, the page is visible, then learns of its lost connections, and then runs what was due meanwhile.

import { replaceFunction, replaceGetter } from "./replace.js";
import { loseSockets, replaceSockets, tellLostSockets } from "./sockets.js";
import { replaceAllTimers, stopTimers } from "./timers.js";

/** @type {import("./device.js").Device["state"]} */
let state = "active";
const isHidden = () => state === "background" || state === "suspended";

export function replaceLifecycle() {
  replaceGetter(document, "hidden", (browsers) => isHidden() || browsers());
  replaceGetter(document, "visibilityState", (browsers) => isHidden() ? "hidden" : browsers());
  replaceFunction(document, "hasFocus", (browsers) => () => state === "active" && browsers.call(document));
  replaceAllTimers();
  replaceSockets();
}

/** @param {import("./device.js").Device["state"]} next */
export function setAppState(next) {
  const wasHidden = isHidden();
  const wasSuspended = state === "suspended";
  state = next;
  if (isHidden() !== wasHidden) document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  if (state === "suspended" && !wasSuspended) loseSockets();
  if (wasSuspended && state !== "suspended") tellLostSockets();
  stopTimers(state === "suspended");
}
