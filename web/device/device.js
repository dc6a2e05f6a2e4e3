// Has the page notice its device: the phone around the app, as the host describes it. The script comes with the shim, or later, when the
// host first says something about the device.

import { replaceLifecycle, setAppState } from "./lifecycle.js";

/**
 * The device, as the control API shows it.
 * @typedef {{state: "active" | "inactive" | "background" | "suspended"}} Device
 */

const own = /** @type {HTMLScriptElement} */ (document.currentScript);
const host = /** @type {any} */ (document)[Symbol.for("footbridge")];

/** @param {Device} device */
function apply(device) {
  setAppState(device.state);
}

/** @returns {Device | undefined} */
function ask() {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", `${own.src.replace(/[^/?#]*([?#].*)?$/, "")}now`, false);
    request.send();
    return JSON.parse(request.responseText).device;
  } catch (error) {
    console.warn("Footbridge: the page does not notice its device:", error);
  }
}

if (host && !host.listeners["footbridge.device"]) {
  const device = ask();
  host.listeners["footbridge.device"] = apply;
  replaceLifecycle();
  if (device) apply(device);
  if (/\/device\.js(\?|$)/.test(own.src)) {
    console.warn("Footbridge: this page has loaded before its device was set. The timers and sockets that it has by now do not stop.");
  }
}
