// The card of an open native sheet, with the same choices as in the page.

import { button, form, h, labelled, select } from "./elements.js";
import { dateAndTime } from "./entry-text.js";

/**
 * A sheet in the form of the control API.
 * @typedef {{id: string, kind: string, content: Record<string, any>}} Sheet
 */

/**
 * Makes the card of a sheet: its title and its content. `answer` sends `{approved, fields?}`.
 * @param {Sheet} sheet
 * @param {(answer: {approved: boolean, fields?: Record<string, unknown>}) => Promise<void>} answer
 * @returns {{title: string, content: Node[]}}
 */
export function sheetCard({ kind, content }, answer) {
  const decline = (/** @type {string} */ label) => button(label, () => answer({ approved: false }));
  const approve = (/** @type {string} */ label) => h("button", { class: "main" }, label);
  const simple = (/** @type {string} */ title, /** @type {string} */ yes, /** @type {string} */ no, /** @type {[string, any][]} */ rows) => ({
    title, content: [facts(rows), form({}, () => answer({ approved: true }), h("div", { class: "actions" }, approve(yes), decline(no)))],
  });
  const payer = /** @type {[string, any][]} */ ([["account", content.account?.email], ["country", content.storefront?.countryCode], ["method", content.method]]);
  if (content.screen === "form") return handlersForm(content, answer);
  switch (kind) {
    case "login": return login(content, answer, approve("Sign in"), decline("Cancel"));
    case "payment": return simple(`Buy ${content.name}?`, "Buy", "Cancel", [["price", price(content.price)], ...payer]);
    case "priceChange": return simple(`New price for ${content.name}`, "Continue", "Cancel", [["before", price(content.oldPrice)], ["now", price(content.newPrice)], ...payer]);
    case "priceIncrease": return simple(`New price for ${content.name}`, `Continue at ${price(content.newPrice)}`, "Decline",
      [["before", price(content.oldPrice)], ["now", price(content.newPrice)], ["from", content.renewsAt && dateAndTime(content.renewsAt)], ...payer]);
    case "paymentMethods": return simple("Payment methods", "Done", "Close", (content.methods ?? []).map((/** @type {any} */ { label }) => ["", label]));
    case "unavailable": return simple(`${content.name} is not available`, "OK", "Close", [["country", content.storefront?.countryCode]]);
    case "capture": return capture(content, answer, approve("Use it"), decline("Cancel"));
    default: return simple(String(content.title ?? kind), "Approve", "Decline", Object.entries(content));
  }
}

/**
 * @param {Record<string, any>} content
 * @param {(answer: {approved: boolean, fields: Record<string, unknown>}) => Promise<void>} answer
 * @param {Node[]} buttons
 */
function login({ accounts = [], methods = [] }, answer, ...buttons) {
  const fields = [
    accounts.length > 0 && labelled("account", select({ name: "account" }, accounts.map((/** @type {any} */ { id, name, countryCode }) => [id, `${name} · ${countryCode}`]))),
    methods.length > 0 && labelled("with", select({ name: "method" }, methods.map((/** @type {any} */ { id, label }) => [id, label]))),
  ];
  return { title: "Sign in", content: [form({}, (given) => answer({ approved: true, fields: given }), ...fields, h("div", { class: "actions" }, ...buttons))] };
}

/**
 * @param {Record<string, any>} content
 * @param {(answer: {approved: boolean, fields?: Record<string, unknown>}) => Promise<void>} answer
 * @param {Node[]} buttons
 */
function capture(content, answer, ...buttons) {
  const file = h("input", { type: "file", accept: "image/png,image/jpeg", "aria-label": "Photo" });
  const fail = button("Fail", () => answer({ approved: true, fields: { error: { code: "CAPTURE_FAILED" } } }), { title: "The camera fails" });
  return {
    title: "Capture",
    content: [facts(Object.entries(content)), form({}, async () => {
      const photo = file.files?.[0];
      await answer({ approved: true, ...(photo ? { fields: { imageBase64: await base64(photo) } } : {}) });
    }, labelled("photo, or the sample", file), h("div", { class: "actions" }, ...buttons, fail))],
  };
}

/**
 * Makes the card of a screen that a handler has described.
 * @param {Record<string, any>} content
 * @param {(answer: {approved: boolean, fields?: Record<string, unknown>}) => Promise<void>} answer
 */
function handlersForm({ title, text, fields, buttons }, answer) {
  const inputs = /** @type {any[]} */ (fields).map(({ name, type, value, required, options }) => type === "choice"
    ? select({ name }, options.map((/** @type {any} */ option) => [option.value, option.label]), value)
    : h("input", { name, type, required, autocomplete: "off", checked: value === true, value: typeof value === "string" ? value : undefined, ...(type === "number" ? { step: "any" } : {}) }));
  const values = () => Object.fromEntries(inputs.map((input) => [input.name, input.type === "checkbox" ? /** @type {HTMLInputElement} */ (input).checked : input.value]));
  const [first, ...others] = (buttons ?? []).filter((/** @type {any} */ { approves }) => approves);
  const cancel = (buttons ?? []).find((/** @type {any} */ { approves }) => !approves);
  const send = (/** @type {any} */ pressed) => answer({ approved: true, fields: { ...values(), ...(pressed ? { button: pressed.name } : {}) } });
  // Without an approving button, the person cannot approve: Enter in a field does nothing.
  const approves = first || !buttons;
  const made = form({}, () => approves ? send(first) : undefined, ...inputs.map((input, index) => labelled(fields[index].label, input)), h("div", { class: "actions" },
    approves && h("button", { class: "main" }, first?.label ?? "OK"),
    ...others.map((/** @type {any} */ other) => button(other.label, () => made.reportValidity() ? send(other) : undefined)),
    (cancel || !buttons) && button(cancel?.label ?? "Cancel", () => answer({ approved: false }))));
  return { title, content: [...(text ? [h("p", {}, text)] : []), made] };
}

/**
 * The fields of a form that are text.
 * @param {[string, any][]} rows
 */
function facts(rows) {
  return h("dl", {}, ...rows.filter(([name, value]) => name !== "theme" && ["string", "number"].includes(typeof value))
    .flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}

/** @param {{value: number, currencyCode: string} | undefined} amount */
const price = (amount) => amount && `${amount.value} ${amount.currencyCode}`;

/** @param {File} file */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let index = 0; index < bytes.length; index += 8192) text += String.fromCharCode(...bytes.subarray(index, index + 8192));
  return btoa(text);
}
