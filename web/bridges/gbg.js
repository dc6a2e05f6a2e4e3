// GBGBridge. Envelopes go to the host as the page posts them, under correlation ids of the page's own. How native hands
// its messages to the page is not published: the way back is ours, and to be chosen in the server's configuration.

/** @typedef {{onmessage?: (message: any) => void}} BootstrapHook */

/** What a bootstrap script of the developer's own is given: with an `onmessage` set, it takes all messages. */
const bootstrapHook = /** @type {BootstrapHook} */ ({});

/**
 * Sends what the page has posted, whatever it is: the host judges it. Only a request is sent again after a lost socket.
 * One with a correlation id such as the shim's calls have goes to the host under an id of the shim's.
 * @param {unknown} value - a copy without prototypes, or text
 */
postEnvelope = (value) => {
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
  const message = lengthProblem("this message to gbgBridge", text, configuration.messageBytes);
  if (message) {
    if (!isRequest) return;
    // As the host would answer.
    const error = { code: "MESSAGE_TOO_LARGE", message, recoverable: false };
    const action = String(envelope.payload?.action);
    text = messageText(pagesId, "response", { action, status: "error", error });
    return startTimer(() => deliverToPage?.(parse(text)));
  }
  /** @type {unknown} */
  let key = isRequest ? pagesId : {};
  if (isRequest && pagesId.startsWith("footbridge-")) {
    key = nextId("");
    text = stringify({ __proto__: null, ...envelope, correlationId: key });
  }
  if (isRequest || !openSocket) mapSet(unanswered, key, { text, isRequest, pagesId });
  transmit(text);
};

/** Hands a message to the page, by the ways that are configured. */
deliverToPage = ({ sequence: _, ...envelope }) => {
  const { as, event, function: path } = configuration.gbg ?? {};
  const message = as === "string" ? stringify(envelope) : envelope;
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
};

/** What is known of the browser's camera; nothing until the permission is. */
let camera = /** @type {{hardwareAvailable: boolean, permissionState: string} | undefined} */ (undefined);
let isLooking = false;

const reportCamera = whenGreeted = () => {
  const action = "footbridge.camera";
  if (camera) transmit(messageText(nextId(action), "request", { action, data: camera }));
};

/** @param {{hardwareAvailable?: boolean, permissionState?: string}} change */
function updateCamera(change) {
  camera = { hardwareAvailable: false, permissionState: "notDetermined", ...camera, ...change };
  reportCamera();
}

/** Finds out whether the page may use the camera, without asking for it, and keeps the host informed. */
async function watchPermission() {
  const { mediaDevices, permissions } = navigator;
  try {
    const status = await permissions.query({ name: /** @type {PermissionName} */ ("camera") });
    const readState = () =>
      updateCamera({ permissionState: status.state === "prompt" ? "notDetermined" : status.state });
    readState();
    listen(status, "change", readState);
  } catch {
    // Without a secure origin there is no camera for pages, and nothing to ask for it.
    updateCamera({ permissionState: mediaDevices ? "notDetermined" : "denied" });
  }
}

/** Looks for a camera once the page turns to native: browsers start a process of their own to answer that. */
whenUsed = () => {
  const { mediaDevices } = navigator;
  if (isLooking || !beforeGreeting || !mediaDevices) return;
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
  // Half a second is far more than it takes, and no browser may keep the page from its host.
  beforeGreeting = () => permission ??=
    NativePromise.race([watchPermission(), new NativePromise((resolve) => startTimer(resolve, 500))]);
  try {
    // Not called as a method: its `this` is the window.
    const { gbg } = scripts;
    gbg?.(bootstrapHook);
  } catch (error) {
    reportUncaught(error);
  }
  // It is there on iOS; a `postMessage` on it would say that this is Android.
  if (!("GBGBridge" in window)) assign(window, { GBGBridge: {} });
});
