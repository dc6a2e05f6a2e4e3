// Native sheets in the page. The server joins these files and those of the bridges' sheets into one strict function, which
// the shim loads for the first sheet. The script builds everything node by node, so it also works in pages whose policy forbids
// inline styles, inline scripts or HTML from strings.

/** @typedef {import("../shim/sheets.js").SheetHost} SheetHost */

const sheetHostKey = Symbol.for("footbridge");

/** The shim's part of the sheets, which sends their answers to the host. */
export const shimHost = /** @type {SheetHost} */ (/** @type {any} */ (document)[sheetHostKey]);

/** The document that shows the sheets: the outermost one in the tab that is of this origin and has the shim. */
export const stage = findStage();
export const stageWindow = /** @type {Window & typeof globalThis} */ (stage.defaultView);
/** The shim of that document, which takes the events. */
export const stageHost = /** @type {SheetHost} */ (/** @type {any} */ (stage)[sheetHostKey]);

function findStage() {
  let outermost = document;
  for (let inner = /** @type {Window} */ (window); inner !== inner.parent;) {
    inner = inner.parent;
    try {
      if (Object.hasOwn(inner.document, sheetHostKey)) outermost = inner.document;
    } catch {
      // It is of another origin.
    }
  }
  return outermost;
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const node = stage.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * Makes a line drawing in a square of 24 by 24.
 * @param {string} path - the `d` of an SVG path
 */
export function glyph(path) {
  const namespace = "http://www.w3.org/2000/svg";
  const drawing = stage.createElementNS(namespace, "svg");
  const line = stage.createElementNS(namespace, "path");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/**
 * Makes a rounded group of rows, with a caption above.
 * @param {string} caption
 * @param {Node[]} rows
 */
export const group = (caption, rows) => element("fieldset", {}, element("legend", { dir: "auto" }, caption), element("div", {}, ...rows));

/**
 * Makes rows of text, each with a label and a value.
 * @param {[string, string][]} rows
 */
export const facts = (rows) => element("dl", { class: "rows" }, ...rows.map(([label, value]) =>
  element("div", { class: "row fact" }, element("dt", {}, label), element("dd", {}, ...breakable(value)))));

/**
 * Makes a text that may break before an `@`, but not elsewhere in a word.
 * @param {string} text
 */
export const breakable = (text) => text.split(/(?=@)/u).flatMap((part, index) => (index ? [element("wbr"), part] : [part]));

/**
 * Makes a row, or a segment, of a choice.
 * @param {string} name - the name of the field
 * @param {{id: string, label: string, detail?: string, initials?: string}} choice
 * @param {boolean} checked
 */
export function choiceRow(name, { id, label, detail, initials }, checked) {
  const radio = element("input", { type: "radio", name, value: id, ...(checked && { checked: "" }) });
  const text = element("span", { class: "text" }, element("span", { class: "name", dir: "auto" }, label));
  if (detail) text.append(" ", element("span", { class: "detail" }, ...breakable(detail)));
  const row = element("label", { class: "row choice" }, text, radio, glyph("M5 12.5l4.5 4.5L19 7.5"));
  if (initials) row.prepend(badge(initials, id));
  return row;
}

/**
 * Makes a coloured tile with letters; `seed` determines the colour.
 * @param {string} letters
 * @param {string} seed
 */
export function badge(letters, seed) {
  const hue = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const tile = element("span", { class: "badge", "aria-hidden": "true" }, letters);
  tile.style.setProperty("--hue", String(hue));
  return tile;
}

/** @param {string} name */
export const initialsOf = (name) => name.split(/\s+/u).map((word) => [...word][0] ?? "").slice(0, 2).join("").toUpperCase();

/**
 * Makes an image without a meaning of its own, which goes away if it cannot be loaded.
 * @param {string} address
 */
export function imageAt(address) {
  const image = element("img", { alt: "", src: address });
  image.addEventListener("error", () => image.remove());
  return image;
}

/** The folder of this script, where the app's icon is. */
const sheetsFolder = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src ?? location.href;

/**
 * Makes a line that says which app shows the sheet.
 * @param {{name: string, icon?: string}} app
 */
export const appLine = ({ name, icon }) => element("p", { class: "app", dir: "auto" },
  ...(icon ? [imageAt(new URL(icon, sheetsFolder).href)] : []), name);
