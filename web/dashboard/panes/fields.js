// Fields of a pane that change something at once.

import { form, h, labelled, select } from "../elements.js";

/** @typedef {import("./pane.js").Pane} Pane */

/**
 * @param {Pane} pane
 * @param {string} key
 * @param {(string | [string, string])[]} options
 * @param {string} chosen
 * @param {(value: string) => Promise<unknown>} submit
 */
export function choice(pane, key, options, chosen, submit) {
  return select({
    "data-key": key, onchange: (/** @type {Event} */ event) => pane.change(() => submit(/** @type {HTMLSelectElement} */ (event.target).value)),
  }, options, chosen);
}

/**
 * @param {Pane} pane
 * @param {string} label
 * @param {string} key
 * @param {string} value
 * @param {(value: string) => Promise<unknown>} submit
 * @param {string} placeholder
 */
export function text(pane, label, key, value, submit, placeholder = "") {
  // The form does not wait for the change: it would ignore what is sent in the meantime.
  return form({ class: "line" }, ({ value: given = "" }) => { pane.change(() => submit(given.trim())); },
    labelled(label, h("input", { name: "value", value, placeholder, autocomplete: "off", spellcheck: "false", "data-key": key })),
    h("button", { "data-key": `set ${key}`, "aria-label": `Set ${label}` }, "Set"));
}
