import { choiceRow, element, glyph, group } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

const windowPath = "M4 6.500a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2ZM4 9h16M8 13h8M8 16h5";

/**
 * @typedef {{name: string, label: string, type: string, value?: string | boolean, required?: boolean,
 *   options?: {value: string, label: string}[]}} FormField
 */

/**
 * A screen of a declared bridge, as its handler describes it.
 * @param {{title: string, text?: string, fields: FormField[], buttons?: {name: string, label: string, approves: boolean}[]}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function formSheet({ title, text = "", fields, buttons }, { words, isolated }) {
  const [approving, canceling] = [true, false].map((approves) => buttons?.filter((button) => button.approves === approves));
  /** @type {Node[]} */
  const body = [];
  /** @type {HTMLElement[]} */
  let rows = [];
  const endRows = () => {
    if (rows.length) body.push(element("div", { class: "rows" }, ...rows));
    rows = [];
  };
  for (const field of fields) {
    if (field.type === "choice") {
      endRows();
      body.push(choiceGroup(field));
    } else {
      rows.push(fieldRow(field));
    }
  }
  endRows();
  /** @param {string} name */
  const inputs = (name) => /** @type {HTMLInputElement[]} */ (body.flatMap((part) =>
    [.../** @type {HTMLElement} */ (part).querySelectorAll("input")]).filter((input) => input.name === name));
  return {
    title: isolated(title),
    description: isolated(text),
    icon: element("span", { class: "symbol" }, glyph(windowPath)),
    body,
    confirm: approving ? approving[0]?.label : words.ok,
    approvals: approving?.slice(1),
    cancel: canceling ? canceling[0]?.label : words.cancel,
    fields(button = approving?.[0]?.name) {
      /** @type {Record<string, string | boolean>} */
      const values = {};
      for (const { name, type } of fields) {
        const [first, ...others] = inputs(name);
        if (first && !first.reportValidity()) return;
        if (type === "choice") values[name] = [first, ...others].find(({ checked }) => checked)?.value ?? "";
        else values[name] = type === "checkbox" ? first.checked : first.value;
      }
      if (button !== undefined) values.button = button;
      return values;
    },
  };
}

/**
 * Makes a group of rows, of which the person chooses one.
 * @param {FormField} field
 */
function choiceGroup({ name, label, options = [], value: chosen, required }) {
  const rows = options.map(({ value, label }) => choiceRow(name, { id: value, label }, value === chosen));
  const made = group(label, rows);
  if (required) {
    made.querySelector("legend")?.classList.add("required");
    for (const input of made.querySelectorAll("input")) input.required = true;
  }
  return made;
}

/**
 * Makes a row with a text field or a checkbox.
 * @param {FormField} field
 */
function fieldRow({ name, label, type, value, required }) {
  const input = /** @type {HTMLInputElement} */ (element("input", {
    name, type, autocomplete: "off", dir: "auto", ...(required && { required: "" }),
  }));
  if (type === "checkbox") {
    input.checked = value === true;
    const caption = element("span", { class: "text" }, element("span", { class: required ? "name required" : "name", dir: "auto" }, label));
    return element("label", { class: "row choice" }, caption, input, glyph("M5 12.5l4.5 4.5L19 7.5"));
  }
  if (type === "number") input.step = "any";
  input.value = String(value ?? "");
  return element("label", { class: "row field" }, element("span", { dir: "auto", ...(required && { class: "required" }) }, label), input);
}

sheetKinds.form = formSheet;
