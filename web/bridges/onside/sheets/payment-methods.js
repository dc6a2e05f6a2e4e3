import { breakable, element, glyph } from "../../../sheets/elements.js";
import { sheetKinds } from "../../../sheets/frame.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

const cardPath =
  "M3.5 7a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2ZM3.5 10h17M7 15h3";

/**
 * @param {{account: {name: string, email: string}, methods: {id: string, label: string}[]}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function paymentMethodsSheet({ account, methods }, { words, isolated }) {
  const labels = methods.length ? methods.map(({ label }) => label) : [words.noMethods];
  return {
    title: words.methodsTitle,
    description: element("span", {}, ...breakable(isolated(account.email))),
    icon: element("span", { class: "symbol" }, glyph(cardPath)),
    body: [element("ul", { class: "rows" }, ...labels.map((label) => element("li", { class: "row" }, isolated(label))))],
    confirm: words.done,
    note: words.methodsNote,
  };
}

sheetKinds.paymentMethods = paymentMethodsSheet;
