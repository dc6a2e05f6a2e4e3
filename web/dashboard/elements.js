// Builds elements. All text is inserted as text, never as HTML, because text from pages is hostile.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. An attribute `onclick` adds a listener for `click`; true is an attribute without a value, and false, null and undefined
 * leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
export function nodes(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => child instanceof Node ? child : String(child));
}

/**
 * Makes a button. It is disabled while its action runs. An error of the action is shown to the person.
 * @param {Child} label
 * @param {() => void | Promise<unknown>} action
 * @param {Record<string, any>} attributes
 */
export function button(label, action, attributes = {}) {
  const element = h("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", () => run(action, element));
  return element;
}

/**
 * Makes a form that calls `submit` with its fields. The browser itself sends nothing.
 * @param {Record<string, any>} attributes
 * @param {(fields: Record<string, string>) => void | Promise<unknown>} submit
 * @param {(Child | Child[])[]} children
 */
export function form(attributes, submit, ...children) {
  const element = h("form", attributes, ...children);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    /** @type {Record<string, string>} */
    const fields = {};
    new FormData(element).forEach((value, name) => { if (typeof value === "string") fields[name] = value; });
    run(() => submit(fields), element.querySelector("button:not([type=button])"));
  });
  return element;
}

/**
 * A field with a label before it.
 * @param {string} label
 * @param {HTMLElement} field
 */
export const labelled = (label, field) => h("label", { class: "field" }, h("span", {}, label), field);

/**
 * A choice of values; each is a text, or a value with its label.
 * @param {Record<string, any>} attributes
 * @param {(string | [string, string])[]} options
 * @param {string | null} chosen
 */
export function select(attributes, options, chosen = null) {
  return h("select", attributes, ...options.map((option) => {
    const [value, label] = typeof option === "string" ? [option, option] : option;
    return h("option", { value, selected: value === chosen }, label);
  }));
}

/**
 * Runs an action, and shows its error to the person, until they do something else.
 * @param {() => unknown} action
 * @param {Element | null} control - disabled while it runs
 */
export async function run(action, control = null) {
  const disabled = /** @type {HTMLButtonElement | null} */ (control);
  if (disabled?.disabled) return;
  // What went wrong before is not about what the person does now.
  if (control) for (const line of document.querySelectorAll(".said .bad")) line.remove();
  const focused = document.activeElement === control;
  if (disabled) disabled.disabled = true;
  try {
    await action();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), "bad");
  } finally {
    if (disabled) {
      disabled.disabled = false;
      // A disabled control has lost the focus.
      if (focused && disabled.isConnected && document.activeElement === document.body) disabled.focus();
    }
  }
}

/**
 * Shows a message for a few seconds.
 * @param {string} text
 * @param {"" | "bad"} tone
 */
export function say(text, tone = "") {
  const place = document.querySelector(".said");
  if (!place) return;
  const line = h("p", { class: tone }, h("span", {}, text));
  const close = button("×", () => line.remove(), { class: "quiet", "aria-label": "Dismiss" });
  line.append(close);
  place.append(line);
  while (place.childElementCount > 3) place.firstElementChild?.remove();
  if (!tone) setTimeout(() => line.remove(), 6000);
}

/**
 * Copies a text, and shows a message about it.
 * @param {string} text
 */
export async function copy(text) {
  await navigator.clipboard.writeText(text);
  say("Copied.");
}

/** The name of the program, which leads to the start page. */
export const brand = () => h("a", { class: "brand", href: "#/" }, "Footbridge");

/**
 * Saves a text as a file.
 * @param {string} name
 * @param {string[]} parts
 * @param {string} type - the media type
 */
export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
