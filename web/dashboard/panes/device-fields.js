// The fields of the device: what the phone around the app is and does. See docs/device.md.

import { button, form, h, labelled, say } from "../elements.js";
import { choice, text } from "./fields.js";

/** @typedef {import("./pane.js").Pane} Pane */

/** The value of a choice that gives a member back to the browser. */
const BROWSERS = "";

const STATES = /** @type {[string, string][]} */ ([
  ["active", "in the foreground"], ["inactive", "in the foreground, without focus"], ["background", "in the background"], ["suspended", "suspended: nothing of it runs"],
]);
const SCHEMES = /** @type {[string, string][]} */ ([[BROWSERS, "the browser's"], ["light", "light"], ["dark", "dark"]]);
/** Those that iOS offers, in percent of the usual one. */
const TEXT_SIZES = /** @type {[string, string][]} */ ([[BROWSERS, "the browser's"], ...[82, 88, 94, 100, 112, 124, 135, 165, 194, 235, 276, 312].map((size) => [String(size), `${size} %`])]);
const KEYBOARDS = /** @type {[string, string][]} */ ([[BROWSERS, "hidden"], ["260", "260 px"], ["336", "336 px"]]);
/** The states of the network, each with its member in the API. */
const NETWORKS = /** @type {Record<string, {label: string, network: {offline?: boolean, latency?: number, bytesPerSecond?: number} | null}>} */ ({
  online: { label: "online", network: null }, slow: { label: "slow: 800 ms, 50 kB/s", network: { latency: 800, bytesPerSecond: 50_000 } }, offline: { label: "offline", network: { offline: true } },
});

/**
 * @param {Pane} pane
 * @param {any} device - as in the API
 */
export function deviceFields(pane, device) {
  const path = `${pane.path}/device`;
  const change = (/** @type {Record<string, unknown>} */ members) => pane.api.patch(path, members);
  const number = (/** @type {string} */ value) => value === BROWSERS ? null : Number(value);
  const { offline, latency, bytesPerSecond } = device.network ?? {};
  const [network = "online"] = Object.entries(NETWORKS).find(([, { network }]) => network && Boolean(network.offline) === Boolean(offline) && Boolean(network.latency) === Boolean(latency || bytesPerSecond)) ?? [];
  return [
    h("div", { class: "fields" },
      labelled("The app is", choice(pane, "state", STATES, device.state, (state) => change({ state }))),
      labelled("Colours", choice(pane, "colorScheme", SCHEMES, device.colorScheme ?? BROWSERS, (scheme) => change({ colorScheme: scheme || null }))),
      labelled("Text size", choice(pane, "textSize", withValue(TEXT_SIZES, device.textSize, "%"), String(device.textSize ?? BROWSERS), (size) => change({ textSize: number(size) }))),
      labelled("Keyboard", choice(pane, "keyboardHeight", withValue(KEYBOARDS, device.keyboardHeight, "px"), String(device.keyboardHeight || BROWSERS), (height) => change({ keyboardHeight: number(height) }))),
      labelled("Network of the site", choice(pane, "network", Object.entries(NETWORKS).map(([name, { label }]) => [name, label]), network, (name) => change({ network: NETWORKS[name]?.network ?? null }))),
      text(pane, "Languages", "languages", (device.languages ?? []).join(", "), (tags) => change({ languages: tags ? tags.split(",").map((tag) => tag.trim()) : null }), "de-AT, en")),
    h("div", { class: "line" },
      button("Memory warning", async () => {
        await pane.api.post(`${path}/memory-warning`);
        say("The pages' processes are killed. The app loads its pages again.");
      }, { "data-key": "memory warning", title: "The system ends the pages' processes; the app loads its pages again" }),
      form({ class: "line" }, async ({ link = "" }) => { await pane.api.post(`${path}/open`, { link: link.trim() }); },
        labelled("A link opens the app", h("input", { name: "link", type: "url", required: true, placeholder: "https://shop.example/offer", autocomplete: "off", "data-key": "link" })),
        h("button", { "data-key": "open link" }, "Open it"))),
  ];
}

/**
 * The options of a choice, with the present value if it is another one.
 * @param {[string, string][]} options
 * @param {number | null | undefined} value
 * @param {string} unit
 * @returns {[string, string][]}
 */
function withValue(options, value, unit) {
  return !value || options.some(([each]) => each === String(value)) ? options : [...options, [String(value), `${value} ${unit}`]];
}
