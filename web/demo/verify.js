// A journey that verifies an identity, written as for GBGBridge. It does not know that the host is simulated.

import { element, showSteps } from "./steps.js";

/** @type {Map<string, (message: GBGMessage) => void>} */
const waiting = new Map();

addEventListener("gbgbridge:message", ({ detail }) => waiting.get(detail.correlationId)?.(detail));

/**
 * @param {string} action
 * @param {GBGData} data
 * @param {(direction: "page" | "native", value: unknown) => void} note
 * @returns {Promise<any>} the payload of the response
 */
function ask(action, data, note) {
  const correlationId = crypto.randomUUID();
  /** @type {GBGRequest} */
  const request = { version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action, data } };
  return new Promise((resolve) => {
    waiting.set(correlationId, (message) => {
      note("native", message.payload);
      resolve(message.payload);
    });
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
  if (!capabilities.includes(action.replace(".capture", ""))) return "This device cannot do that.";
  const { status, data: image, error } = await ask(action, data, note);
  if (status === "cancelled") return "You cancelled. Nothing was captured.";
  if (status !== "success") return `The capture failed: ${error?.message ?? status}.`;
  done.add(name);
  const picture = /** @type {HTMLImageElement} */ (element("img"));
  picture.alt = `The ${name}, ${image.imageWidth} by ${image.imageHeight} pixels`;
  picture.src = `data:${image.mimeType};base64,${image.imageBase64}`;
  return picture;
};

showSteps([
  {
    title: "What can this device do?",
    text: "The journey asks for the capabilities of the device, and adapts to them.",
    button: "Ask for capabilities",
    run: async (note) => {
      capabilities = await askCapabilities(note);
      return capabilities.length ? `It can do ${capabilities.join(", ")}.` : "It has no capability that this journey uses.";
    },
  },
  {
    title: "The front of the document",
    text: "Without a camera, choose a photo.",
    button: "Photograph the front",
    run: capture("front", "camera.document.capture", { documentType: "passport", side: "front" }),
  },
  {
    title: "The back of the document",
    text: "The same for the other side.",
    button: "Photograph the back",
    run: capture("back", "camera.document.capture", { documentType: "passport", side: "back" }),
  },
  {
    title: "A selfie",
    text: "The answer has two blobs, which are the same bytes here.",
    button: "Take the selfie",
    run: capture("selfie", "camera.selfie.capture", {}),
  },
  {
    title: "The chip",
    text: "No native code reads the chip here. The request waits until a rule, footbridge.yaml or a test answers nfc.read: see "
      + "“A host without Swift” in docs/gbgbridge.md.",
    button: "Read the chip",
    run: async (note) => {
      const { status, data, error } = await ask("nfc.read", { maxTries: 3 }, note);
      if (status !== "success") return `The chip was not read: ${error?.message ?? status}.`;
      done.add("chip");
      return data?.chipRead ? "The chip was read." : "The host has answered.";
    },
  },
  {
    title: "The result",
    text: "A backend would decide with these captures.",
    button: "Finish",
    run: async () => ["front", "back", "selfie"].every((name) => done.has(name))
      ? "Verified, as far as a demo can tell: the journey has document and face."
      : `Not yet. The journey has ${[...done].join(", ") || "no pictures"}; it needs front, back and selfie.`,
  },
]);
