// A journey that verifies an identity, as one would write it for GBGBridge. It knows nothing of what plays the host.

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
 * What was captured so far.
 * @type {Set<string>}
 */
const done = new Set();

/**
 * @param {string} name - of the picture
 * @param {string} action
 * @param {GBGData} data
 * @returns {(note: (direction: "page" | "native", value: unknown) => void) => Promise<string | Node>}
 */
const capture = (name, action, data) => async (note) => {
  const { status, data: image, error } = await ask(action, data, note);
  if (status === "cancelled") return "You cancelled. Nothing was captured.";
  if (status !== "success") return `It failed: ${error?.message ?? status}.`;
  done.add(name);
  const picture = /** @type {HTMLImageElement} */ (element("img"));
  picture.alt = `The ${name}, ${image.imageWidth} by ${image.imageHeight} pixels`;
  picture.src = `data:${image.mimeType};base64,${image.imageBase64}`;
  return picture;
};

showSteps([
  {
    title: "What can this device do?",
    text: "The journey asks for the capabilities, and goes on with what it finds.",
    button: "Ask for capabilities",
    run: async (note) => {
      const { data } = await ask("capability.query", {}, note);
      const names = Object.entries(data?.capabilities ?? {}).filter(([, { supported }]) => supported).map(([name]) => name);
      return names.length ? `It can do ${names.join(", ")}.` : "It can do nothing that this journey knows.";
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
    text: "The same once more.",
    button: "Photograph the back",
    run: capture("back", "camera.document.capture", { documentType: "passport", side: "back" }),
  },
  {
    title: "A selfie",
    text: "It comes with two blobs, which are the same bytes here.",
    button: "Take the selfie",
    run: capture("selfie", "camera.selfie.capture", {}),
  },
  {
    title: "The chip",
    text: "No native code reads it here, so this waits until a rule, a configuration or a test answers nfc.read, as "
      + "docs/gbgbridge.md says under “A host without Swift”.",
    button: "Read the chip",
    run: async (note) => {
      const { status, data, error } = await ask("nfc.read", { maxTries: 3 }, note);
      if (status !== "success") return `It failed: ${error?.message ?? status}.`;
      done.add("chip");
      return data?.chipRead ? "The chip was read." : "Native has answered.";
    },
  },
  {
    title: "The result",
    text: "What a backend would be given to decide.",
    button: "Finish",
    run: async () => ["front", "back", "selfie"].every((name) => done.has(name))
      ? "Verified, as far as a demo can tell: document and face are there."
      : `Not yet. There ${done.size === 1 ? "is" : "are"} ${[...done].join(", ") || "no pictures"}; the journey needs front, back and selfie.`,
  },
]);
