// Has the page notice its device: the phone around the app, as the host describes it. The script comes with the shim, or later, when the
// host first says something about the device.

import { replaceLifecycle, setAppState } from "./lifecycle.js";
import { kill, watchEnd } from "./kill.js";
import { replaceLook, setLook } from "./look.js";

/**
 * The device, as the control API shows it. What is null is the browser's own.
 * @typedef {object} Device
 * @property {"active" | "inactive" | "background" | "suspended"} state
 * @property {"portrait" | "landscape" | null} orientation
 * @property {{width: number, height: number} | null} size - of the screen, held upright
 * @property {{top: number, right: number, bottom: number, left: number} | null} safeArea
 * @property {"light" | "dark" | null} colorScheme
 * @property {number | null} textSize - in percent
 * @property {string[] | null} languages
 * @property {number | null} keyboardHeight
 * @property {{offline: boolean, latency: number, bytesPerSecond: number | null} | null} network
 */

const own = /** @type {HTMLScriptElement} */ (document.currentScript);
const host = /** @type {any} */ (document)[Symbol.for("footbridge")];

/** @param {Device} device */
function apply(device) {
  setLook(device);
  setAppState(device.state);
}

/** @returns {Device | undefined} */
function ask() {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", `${host.ownFolder}now`, false);
    request.send();
    return JSON.parse(request.responseText).device;
  } catch (error) {
    console.warn("Footbridge: the page does not notice its device:", error);
  }
}

if (host && !host.listeners["footbridge.device"]) {
  const device = ask();
  host.listeners["footbridge.device"] = apply;
  host.listeners["footbridge.kill"] = kill;
  watchEnd();
  replaceLifecycle();
  replaceLook();
  if (device) apply(device);
  if (/\/device\.js(\?|$)/.test(own.src)) {
    console.warn("Footbridge: this page has loaded before its device was set. The timers and sockets that it has by now do not stop.");
  }
}
