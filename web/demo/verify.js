// A journey that verifies an identity, written as for GBGBridge. It does not know that the host is simulated.

import { element, showSteps } from "./steps.js";

/** @type {Map<string, (message: GBGMessage) => void>} */
const waiting = new Map();

addEventListener("gbgbridge:message", ({ detail }) => waiting.get(detail.correlationId)?.(detail));

/** How long a journey waits for a chip, in milliseconds. */
const chipTimeout = 20_000;

/**
 * @param {string} action
 * @param {GBGData} data
 * @param {(direction: "page" | "native", value: unknown) => void} note
 * @param {number} [timeout] - in milliseconds; without one, waits as long as the person needs
 * @returns {Promise<any>} the payload of the response
 */
function ask(action, data, note, timeout) {
  const correlationId = crypto.randomUUID();
  /** @type {GBGRequest} */
  const request = { version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action, data } };
  return new Promise((resolve) => {
    waiting.set(correlationId, (message) => {
      note("native", message.payload);
      resolve(message.payload);
    });
    if (timeout) setTimeout(resolve, timeout, { status: "timeout" });
    note("page", request.payload);
    window.webkit.messageHandlers.gbgBridge.postMessage(request);
  });
}

/**
 * The names of what the device can do; undefined until the journey has asked.
 * @type {string[] | undefined}
 */
let capabilities;

/** @param {(direction: "page" | "native", value: unknown) => void} note */
async function askCapabilities(note) {
  const { data } = await ask("capability.query", {}, note);
  return Object.entries(data?.capabilities ?? {}).filter(([, { supported }]) => supported).map(([name]) => name);
}

/**
 * What a device can do, in words.
 * @type {Record<string, string>}
 */
const abilities = {
  "camera.document": "photograph your passport", "camera.selfie": "take a photo of your face", "nfc.read": "read the chip",
};

/**
 * The captures so far.
 * @type {Set<string>}
 */
const done = new Set();

/**
 * @param {string} name - the name of the picture
 * @param {string} action
 * @param {GBGData} data
 * @returns {(note: (direction: "page" | "native", value: unknown) => void) => Promise<string | Node>}
 */
const capture = (name, action, data) => async (note) => {
  // A journey captures only what the device supports.
  capabilities ??= await askCapabilities(() => {});
  if (!capabilities.includes(action.replace(".capture", ""))) return "Your device cannot do that.";
  const { status, data: image, error } = await ask(action, data, note);
  if (status === "cancelled") return "You cancelled, so we have no photo of this.";
  if (status !== "success") return `We did not get the photo: ${error?.message ?? status}.`;
  done.add(name);
  const picture = /** @type {HTMLImageElement} */ (element("img"));
  picture.alt = `The ${name}, ${image.imageWidth} by ${image.imageHeight} pixels`;
  picture.src = `data:${image.mimeType};base64,${image.imageBase64}`;
  return picture;
};

showSteps([
  {
    title: "Your device",
    text: "First we look what your device can do, and leave out what it cannot.",
    button: "Look at my device",
    run: async (note) => {
      capabilities = await askCapabilities(note);
      return capabilities.length ? `Your device can ${capabilities.map((name) => abilities[name] ?? `do ${name}`).join(", ")}.`
        : "Your device can do nothing that we need.";
    },
  },
  {
    title: "The front of your passport",
    text: "Open your passport at the page with your photo. Without a camera, choose a photo of it.",
    button: "Photograph the front",
    run: capture("front", "camera.document.capture", { documentType: "passport", side: "front" }),
  },
  {
    title: "The back of your passport",
    text: "Now the other side.",
    button: "Photograph the back",
    run: capture("back", "camera.document.capture", { documentType: "passport", side: "back" }),
  },
  {
    title: "Your face",
    text: "Look into the camera, so that we can compare your face with the photo in your passport.",
    button: "Take the selfie",
    run: capture("selfie", "camera.selfie.capture", {}),
  },
  {
    title: "The chip",
    text: "Hold the closed passport to the back of your phone.",
    button: "Read the chip",
    run: async (note) => {
      const { status, data, error } = await ask("nfc.read", { maxTries: 3 }, note, chipTimeout);
      if (status === "timeout") {
        return "We could not read the chip in 20 seconds. You can go on without it. (For developers: nothing answers nfc.read here. See "
          + "“A host without Swift” in docs/gbgbridge.md.)";
      }
      if (status !== "success" || !data?.chipRead) return `We could not read the chip: ${error?.message ?? "there is none"}.`;
      done.add("chip");
      return "We have read the chip.";
    },
  },
  {
    title: "The result",
    text: "That is all we need.",
    button: "Finish",
    run: async () => ["front", "back", "selfie"].every((name) => done.has(name))
      ? "You are verified, as far as a demo can tell: we have your passport and your face."
      : `Not yet. We have ${[...done].join(", ") || "no pictures"}, and need front, back and selfie.`,
  },
]);
