// Native screens as the page shows them. Files of this folder are joined in alphabetical order into one strict function
// and loaded by the shim when the first sheet is to be shown. Everything is built node by node: pages whose policy
// forbids inline styles, inline scripts or HTML from strings are served as well.

/** The shim's end of the sheets: how their answers reach the host. */
const shimHost = /** @type {SheetHost} */ (/** @type {any} */ (document)[Symbol.for("footbridge")]);

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * A drawing of lines in a square of 24 by 24.
 * @param {string} path - as the `d` of an SVG path
 */
function glyph(path) {
  const namespace = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(namespace, "svg");
  const line = document.createElementNS(namespace, "path");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  drawing.append(line);
  return drawing;
}

/**
 * Rows in one rounded group, with a caption above.
 * @param {string} caption
 * @param {Node[]} rows
 */
const group = (caption, rows) => element("fieldset", {}, element("legend", {}, caption), element("div", {}, ...rows));

/**
 * A row that says something.
 * @param {string} label
 * @param {string} value
 */
const fact = (label, value) =>
  element("div", { class: "row fact" }, element("span", {}, label), element("span", { class: "value" }, value));

/**
 * A row, or a segment, to choose one of.
 * @param {string} name - of the field
 * @param {{id: string, label: string, detail?: string, initials?: string}} choice
 * @param {boolean} checked
 */
function choiceRow(name, { id, label, detail, initials }, checked) {
  const radio = element("input", { type: "radio", name, value: id, ...(checked && { checked: "" }) });
  const text = element("span", { class: "text" }, element("span", { class: "name" }, label));
  if (detail) text.append(" ", element("span", { class: "detail" }, detail));
  const row = element("label", { class: "row choice" }, text, radio, glyph("M5 12.5l4.5 4.5L19 7.5"));
  if (initials) row.prepend(badge(initials, id));
  return row;
}

/**
 * A coloured tile with letters; the colour follows from `seed`.
 * @param {string} letters
 * @param {string} seed
 */
function badge(letters, seed) {
  const hue = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const tile = element("span", { class: "badge", "aria-hidden": "true" }, letters);
  tile.style.setProperty("--hue", String(hue));
  return tile;
}

/** @param {string} name */
const initialsOf = (name) => name.split(/\s+/u).map((word) => [...word][0] ?? "").slice(0, 2).join("").toUpperCase();

/** @param {{productIdentifier: string, localizedTitle: string, iconUrl?: string}} product */
function productIcon({ productIdentifier, localizedTitle, iconUrl }) {
  const tile = badge(initialsOf(localizedTitle).slice(0, 1), productIdentifier);
  if (iconUrl) {
    const image = element("img", { alt: "", src: iconUrl });
    image.addEventListener("error", () => image.remove());
    tile.append(image);
  }
  return tile;
}

/**
 * A price in large type.
 * @param {JSPrice} price
 * @param {string} validity - for how long, such as "per month"; empty for a purchase
 * @param {JSPrice} [oldPrice] - struck out in front
 */
function priceLine(price, validity, oldPrice) {
  const line = element("p", { class: "price" }, price.value ? priceText(price) : "Free");
  if (oldPrice) line.prepend(element("s", {}, priceText(oldPrice)), " ");
  if (validity) line.append(" ", element("span", {}, validity));
  return line;
}
