import { sheetKinds } from "../../../sheets/frame.js";
import { productIcon } from "./product.js";

/** @typedef {import("../../../sheets/language.js").Language} Language */
/** @typedef {import("../../../sheets/frame.js").SheetParts} SheetParts */

/**
 * @param {{product: JSProduct, name: string, storefront: {countryCode: string}}} content
 * @param {Language} language
 * @returns {SheetParts}
 */
function unavailableSheet({ product, name, storefront }, { words, countryText, textWith }) {
  return {
    title: textWith(words.unavailableTitle, { product: name }),
    description: textWith(words.unavailableText, { country: countryText(storefront) }),
    icon: productIcon(product, name),
    body: [],
    cancel: words.ok,
    note: words.purchaseNote,
  };
}

sheetKinds.unavailable = unavailableSheet;
