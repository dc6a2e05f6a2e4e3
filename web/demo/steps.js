// What the demo pages of GBGBridge and Today have in common: steps, and beside each the messages over the bridge.

/**
 * @param {string} tag
 * @param {string} className
 * @param {(Node | string)[]} children
 */
export function element(tag, className = "", ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/**
 * Formats a value for people. Shows only the length of very long texts, such as images.
 * @param {unknown} value
 */
export const shown = (value) => value === undefined ? "undefined" : JSON.stringify(value, (_, member) =>
  typeof member === "string" && member.length > 120 ? `… ${member.length.toLocaleString("en")} characters` : member, 2);

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {string} button
 * @property {(note: (direction: "page" | "native", value: unknown) => void) => Promise<string | Node>} run - returns the result
 */

/**
 * Shows the steps in the list of the page.
 * @param {Step[]} steps
 */
export function showSteps(steps) {
  const list = /** @type {HTMLElement} */ (document.getElementById("steps"));
  for (const { title, text, button: label, run } of steps) {
    const result = element("p", "result");
    const wire = element("ol", "wire");
    result.setAttribute("role", "status");
    wire.ariaLabel = `Messages over the bridge: ${title}`;
    const button = element("button", "buy", label);
    button.addEventListener("click", async () => {
      // The button stays focusable, because the focus returns to it when a native sheet closes.
      if (button.ariaDisabled === "true") return;
      button.ariaDisabled = "true";
      wire.replaceChildren();
      result.replaceChildren("Waiting for the host …");
      try {
        result.replaceChildren(await run((direction, value) => {
          const arrow = direction === "page" ? "page → native" : "native → page";
          wire.append(element("li", direction, element("strong", "", arrow), element("pre", "", shown(value) ?? "")));
        }));
      } catch (error) {
        result.replaceChildren(error instanceof Error ? error.message : String(error));
      }
      button.ariaDisabled = null;
    });
    list.append(element("li", "step panel",
      element("div", "words", element("h2", "", title), element("p", "", text), button, result), wire));
  }
}
