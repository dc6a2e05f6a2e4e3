// GBGBridge. The shim sends envelopes to the host as the page posts them, with the page's own correlation ids. The vendor does
// not publish how native code passes its messages to the page: this way is ours, and the server's configuration chooses it.

import {
  assign, dispatch, listen, mapGet, mapSet, NativeCustomEvent, NativePromise, parse, reportUncaught, startTimer, stringify,
  warn,
} from "../../shim/builtins.js";
import { messageText, nextId, nextNumber, openSocket, ownActions, transmit, unanswered } from "../../shim/connection.js";
import { lengthProblem } from "../../shim/length.js";
import { queue, whenPageListens } from "../../shim/listening.js";
import { hooks, listeners } from "../../shim/parts.js";
import { installs } from "../../shim/webkit.js";

/** @typedef {{onmessage?: (message: any) => void}} BootstrapHook */

/** The parameter of the developer's bootstrap script. If it sets `onmessage`, that function takes all messages. */
export const bootstrapHook = /** @type {BootstrapHook} */ ({});

/**
 * Sends what the page has posted, without a check, which is the host's task. Only a request is sent again after a lost socket.
 * A message with an action or a correlation id like those of the shim's calls, or with the id of another open call, gets a
 * number, which says that it is the page's own.
 * @param {unknown} value - a copy without prototypes, or text
 */
hooks.post = (value) => {
  /** @type {any} */
  let envelope = value;
  /** @type {any} */
  let text = value;
  if (typeof value === "string") {
    try {
      envelope = parse(value);
    } catch {}
  } else text = stringify(value) ?? "null";
  const pagesId = envelope?.type === "request" && envelope.correlationId;
  const isRequest = typeof pagesId === "string";
  const action = envelope?.payload?.action;
  const message = lengthProblem("this message to gbgBridge", text, configuration.messageBytes);
  if (message) {
    if (!isRequest) return;
    // As the host would answer.
    const error = { code: "MESSAGE_TOO_LARGE", message, recoverable: false };
    text = messageText(pagesId, "response", { action, status: "error", error });
    return startTimer(() => hooks.deliver?.(parse(text)));
  }
  /** @type {unknown} */
  let key = isRequest ? pagesId : {};
  if (isRequest && (pagesId.startsWith("footbridge-") || mapGet(unanswered, pagesId)) || typeof action === "string" && ownActions.test(action)) {
    key = nextNumber();
    text = stringify({ __proto__: null, ...envelope, footbridgeCall: key });
  }
  if (isRequest || !openSocket) mapSet(unanswered, key, { text, isRequest });
  transmit(text);
};

/**
 * Passes a message to the page in the configured way.
 * @param {any} value - an envelope; or, if a rule says so, anything
 */
function passToPage(value) {
  const { as, event, function: path } = configuration.gbg ?? {};
  const message = as === "string" && typeof value !== "string" ? stringify(value) : value;
  try {
    /** @type {any} */
    let receiver = bootstrapHook;
    let name = "onmessage";
    if (!receiver[name] && path) {
      const names = path.split(".");
      name = names.pop() ?? "";
      receiver = names.reduce((object, name) => object?.[name], /** @type {any} */ (window));
    }
    if (typeof receiver?.[name] === "function") {
      receiver[name](message);
    } else if (!event) {
      warn(`Footbridge: window.${path} is no function, this message is lost:`, message);
    }
  } catch (error) {
    reportUncaught(error);
  }
  if (event && !bootstrapHook.onmessage) dispatch(window, new NativeCustomEvent(event, { detail: message }));
}

let isPageHearing = false;
/** Runs what it is given, in order: once the page listens, or with the first answer to it, which overtakes no event. */
const whenHeard = queue(() => isPageHearing);
whenPageListens(() => {
  isPageHearing = true;
  whenHeard();
});

hooks.deliver = ({ sequence: _, footbridgeCall: __, ...envelope }) => {
  isPageHearing ||= envelope.type === "response";
  whenHeard(() => passToPage(envelope));
};
listeners["footbridge.raw"] = ({ value }) => whenHeard(() => passToPage(value));

/** What the shim knows about the browser's camera; undefined until it knows the permission. */
let camera = /** @type {{hardwareAvailable: boolean, permissionState: string} | undefined} */ (undefined);
let isLooking = false;

const reportCamera = hooks.hello = () => {
  const action = "footbridge.camera";
  if (camera) transmit(messageText(nextId(action), "request", { action, data: camera }));
};

/** @param {{hardwareAvailable?: boolean, permissionState?: string}} change */
function updateCamera(change) {
  camera = { hardwareAvailable: false, permissionState: "notDetermined", ...camera, ...change };
  reportCamera();
}

/** Finds out whether the page may use the camera, without a prompt, and keeps the host informed. */
async function watchPermission() {
  const { mediaDevices, permissions } = navigator;
  try {
    const status = await permissions.query({ name: /** @type {PermissionName} */ ("camera") });
    const readState = () =>
      updateCamera({ permissionState: status.state === "prompt" ? "notDetermined" : status.state });
    readState();
    listen(status, "change", readState);
  } catch {
    // Without a secure origin, pages have no camera, and the browser has no function to ask for it.
    updateCamera({ permissionState: mediaDevices ? "notDetermined" : "denied" });
  }
}

/** Looks for a camera when the page first calls the host, because browsers start a process to answer that. */
hooks.used = () => {
  const { mediaDevices } = navigator;
  if (isLooking || !hooks.before || !mediaDevices) return;
  isLooking = true;
  const look = async () => {
    const devices = await mediaDevices.enumerateDevices().catch(() => []);
    updateCamera({ hardwareAvailable: devices.some(({ kind }) => kind === "videoinput") });
  };
  listen(mediaDevices, "devicechange", look);
  look();
};

installs.push(() => {
  /** @type {Promise<unknown> | undefined} */
  let permission;
  // Half a second is far more than it takes, and no browser must keep the page from its host.
  hooks.before = () => permission ??=
    NativePromise.race([watchPermission(), new NativePromise((resolve) => startTimer(resolve, 500))]);
  // It exists on iOS. A `postMessage` on it would mean Android.
  if (!("GBGBridge" in window)) assign(window, { GBGBridge: {} });
});
